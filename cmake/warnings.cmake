# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# project-warnings: the flags that everything here is compiled with, libraries and tests alike.
add_library(project-warnings INTERFACE)
target_compile_options(project-warnings INTERFACE
	-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
	-Wpointer-arith -Wwrite-strings -Wundef -Wformat=2 -Wvla
	$<$<BOOL:${IBMAD_WERROR}>:-Werror>)

if(IBMAD_SANITIZE)
	target_compile_options(project-warnings INTERFACE
		-fsanitize=${IBMAD_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
	target_link_options(project-warnings INTERFACE -fsanitize=${IBMAD_SANITIZE})
endif()
