# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Tests of libibumad itself: every source but names.c and buffer.c, on the kernel of fakesys.
foreach(test test-sys test-sysfs test-discovery test-selection test-pairs test-port test-agent test-io
	test-state test-debug test-cancel)
	add_unit_test(NAME ${test} SOURCES ${test}.c LIBS kernel-fakesys)
endforeach()
