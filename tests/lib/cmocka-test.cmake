# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Programs of cmocka tests. In a file of its own, as a test has the labels of the folders whose
# CMakeLists.txt define it.
#
# add_cmocka_test(TEST LABELS ... SOURCES ... [TARGET ...] [LIBS ...] [WRAP ...] [TIMEOUT ...]): a
# program, named like the test where there is no TARGET, for the libc functions of WRAP with
# functions of its own (__wrap_open and so on).
function(add_cmocka_test test)
	cmake_parse_arguments(arg "" "TARGET;TIMEOUT" "LABELS;SOURCES;LIBS;WRAP" ${ARGN})
	if(NOT arg_TARGET)
		string(REPLACE . - arg_TARGET ${test})
	endif()
	if(NOT arg_TIMEOUT)
		set(arg_TIMEOUT 120)
	endif()
	add_executable(${arg_TARGET} ${arg_SOURCES})
	target_include_directories(${arg_TARGET} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
	target_link_libraries(${arg_TARGET} PRIVATE ${arg_LIBS} cmocka-program Threads::Threads)
	foreach(function ${arg_WRAP})
		target_link_options(${arg_TARGET} PRIVATE -Wl,--wrap=${function})
	endforeach()
	add_test(NAME ${test} COMMAND ${arg_TARGET})
	set_tests_properties(${test} PROPERTIES
		LABELS "${arg_LABELS}" SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT})
endfunction()
