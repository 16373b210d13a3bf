# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Every order of events of libibmad's try machine.
add_unit_test(NAME test-try-search TIMEOUT 600
	SOURCES test-try-search.c try-states.c try-rules.c try-diagram.c
		${PROJECT_SOURCE_DIR}/libibmad/engine/try.c)
target_compile_definitions(test-try-search PRIVATE TRY_DIAGRAM="${PROJECT_SOURCE_DIR}/docs/try-machine.md")
