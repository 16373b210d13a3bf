# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# How tests are added. In a file of its own, as a test has the labels of the folders whose
# CMakeLists.txt define it.

# add_project_test(TEST [FABRIC] [LABELS ...] [TIMEOUT 300] [ENVIRONMENT ...] [PROPERTIES ...]
# COMMAND ...): a test with the labels of its folder, and these; status 77 is a skip. The command is a
# target, a file of this folder or any program; *.py is run by Python. FABRIC: it starts a simulated
# fabric, whose programs get our pair of libraries.
function(add_project_test test)
	cmake_parse_arguments(PARSE_ARGV 1 arg "FABRIC" "TIMEOUT"
		"LABELS;ENVIRONMENT;PROPERTIES;COMMAND")
	list(POP_FRONT arg_COMMAND program)
	if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${program})
		set(program ${CMAKE_CURRENT_SOURCE_DIR}/${program})
	endif()
	if(program MATCHES "\\.py$")
		set(program ${Python3_EXECUTABLE} -B ${program})
	endif()
	if(arg_FABRIC)
		list(APPEND arg_ENVIRONMENT
			FABRIC_LIBS=$<TARGET_FILE_DIR:ibumad>:$<TARGET_FILE_DIR:ibmad>)
		if(TARGET rmpp-shim)
			list(APPEND arg_ENVIRONMENT ENGINE_SHIM=$<TARGET_FILE:rmpp-shim>)
		endif()
	endif()
	if(NOT arg_TIMEOUT)
		set(arg_TIMEOUT 300)
	endif()
	file(RELATIVE_PATH labels ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
	string(REPLACE "/" ";" labels ${labels})
	add_test(NAME ${test} COMMAND ${program} ${arg_COMMAND} COMMAND_EXPAND_LISTS)
	set_tests_properties(${test} PROPERTIES LABELS "${labels};${arg_LABELS}"
		SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT}
		ENVIRONMENT "${arg_ENVIRONMENT};PYTHONDONTWRITEBYTECODE=1" ${arg_PROPERTIES})
endfunction()

# A test that cannot be run here.
function(add_skipped_test test reason)
	add_project_test(${test} COMMAND sh -c "echo 'skipped: ${reason}' && exit 77")
endfunction()

# add_shellcheck_test(TEST PATTERN...): of the shell scripts among the files below the project's folder.
find_program(SHELLCHECK shellcheck)
function(add_shellcheck_test test)
	if(NOT SHELLCHECK)
		add_skipped_test(${test} "no shellcheck")
		return()
	endif()
	string(REPLACE ";" " " patterns "${ARGN}")
	add_project_test(${test} COMMAND sh -c
		"${SHELLCHECK} -x -P SCRIPTDIR $(grep -lE '^#(!/bin/(ba)?sh| shellcheck shell)' ${patterns})"
		PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()

# add_cmocka_test(TEST SOURCES ... [TARGET ...] [LABELS ...] [LIBS ...] [WRAP ...] [TIMEOUT 120]): a
# program of cmocka tests, named like the test where there is no TARGET, for the libc functions of
# WRAP with functions of its own (__wrap_open and so on).
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
	add_project_test(${test} COMMAND ${arg_TARGET} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
endfunction()
