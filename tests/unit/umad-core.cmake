# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Tests of libibumad itself: every source but names.c and buffer.c, on the kernel of fakesys.
set(FAKESYS_WRAP open close read write poll ioctl opendir readdir closedir clock_gettime
	malloc calloc realloc free)
set(FAKESYS fakesys.c fakesys-device.c fakesys-memory.c fakesys-tree.c)

foreach(test test-sys test-sysfs test-discovery test-selection test-port test-agent test-io
	test-state test-debug test-cancel)
	add_unit_test(NAME ${test} SOURCES ${test}.c ${FAKESYS} LIBS ibumad-static
		WRAP ${FAKESYS_WRAP})
endforeach()
target_link_libraries(test-cancel PRIVATE Threads::Threads)
foreach(name state debug)
	target_sources(test-${name} PRIVATE listen.c)
endforeach()
