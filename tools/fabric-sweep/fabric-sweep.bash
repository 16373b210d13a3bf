# bash completion for fabric-sweep(8)                       -*- shell-script -*-
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

_fabric_sweep()
{
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local options='--text --summary --json --counters --csv --prometheus --dot --svg --picture
		--diff --watch --switches-only --max-hops --Ca --Port --window --timeout --retries
		--progress --statistics --version --help'
	local devices=/sys/class/infiniband

	COMPREPLY=()
	case $previous in
	-o | --text | --summary | --json | --counters | --csv | --prometheus | --dot | --svg | --diff)
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		compopt -o filenames 2>/dev/null
		return
		;;
	--picture)
		mapfile -t COMPREPLY < <(compgen -W 'auto hosts switches' -- "$current")
		return
		;;
	-C | --Ca)
		mapfile -t COMPREPLY < <(compgen -W "$(ls "$devices" 2>/dev/null)" -- "$current")
		return
		;;
	-P | --Port | -w | --window | -t | --timeout | --retries | --watch | --max-hops)
		return
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
}
complete -F _fabric_sweep fabric-sweep
