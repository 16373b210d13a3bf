# bash completion for fabric-sweep(8)                       -*- shell-script -*-
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

# The options, and what each takes, are those of --help: "  -w, --window N   text".
_fabric_sweep()
{
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} help takes
	local devices=/sys/class/infiniband

	help=$("${COMP_WORDS[0]}" --help 2>/dev/null) || return
	COMPREPLY=()
	takes=$(sed -nE "s/^ +(-., )?${previous} ([A-Z]+) .*/\2/p; s/^ +${previous}, --[a-zA-Z_-]+ ([A-Z]+) .*/\1/p" \
		<<<"$help")
	case $takes in
	FILE | FOLDER)
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		compopt -o filenames 2>/dev/null
		;;
	MODE) mapfile -t COMPREPLY < <(compgen -W 'auto groups hosts switches' -- "$current") ;;
	NAME) mapfile -t COMPREPLY < <(compgen -W "$(ls "$devices" 2>/dev/null)" -- "$current") ;;
	'') mapfile -t COMPREPLY < <(compgen -W "$(grep -oE '^ +(-., )?--[a-zA-Z_-]+' <<<"$help" |
		grep -oE -e '--.*')" -- "$current") ;;
	esac
}
complete -F _fabric_sweep fabric-sweep
