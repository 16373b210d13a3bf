# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# How programs and tests are added. In a file of its own, as a test has the labels of the folders whose
# CMakeLists.txt define it.

# add_program(NAME [PRELOAD] SOURCES ... [LIBS ...] [DEFINES ...] [INCLUDES ...] [WRAP ...]): a program, or
# what is to be preloaded, NAME.so. For the libc functions of WRAP it has functions of its own
# (__wrap_open and so on).
function(add_program name)
	cmake_parse_arguments(arg "PRELOAD" "" "SOURCES;LIBS;DEFINES;INCLUDES;WRAP" ${ARGN})
	if(arg_PRELOAD)
		add_library(${name} MODULE ${arg_SOURCES})
		set_target_properties(${name} PROPERTIES PREFIX "")
	else()
		add_executable(${name} ${arg_SOURCES})
	endif()
	target_compile_definitions(${name} PRIVATE _GNU_SOURCE ${arg_DEFINES})
	target_include_directories(${name} PRIVATE
		${arg_INCLUDES} ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
	target_link_libraries(${name} PRIVATE
		${arg_LIBS} project-warnings Threads::Threads ${CMAKE_DL_LIBS})
	list(TRANSFORM arg_WRAP PREPEND -Wl,--wrap=)
	target_link_options(${name} PRIVATE ${arg_WRAP})
endfunction()

# add_project_test(TEST [FABRIC] [LABELS ...] [TIMEOUT 300] [ENVIRONMENT ...] [PROPERTIES ...]
# COMMAND ...): a test with the labels of its folder, and these; status 77 is a skip. The command is a
# target, a file of this folder or any program; *.py is run by Python. FABRIC: it starts a simulated
# fabric, whose programs get our pair of libraries. A folder may set test_properties for all its tests.
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
			FABRIC_LIBS=$<TARGET_FILE_DIR:ibumad>:$<TARGET_FILE_DIR:ibmad>:$<TARGET_FILE_DIR:ibmad-fabric>)
		if(TARGET rmpp-shim)
			list(APPEND arg_ENVIRONMENT ENGINE_SHIM=$<TARGET_FILE:rmpp-shim>)
		endif()
	endif()
	if(NOT arg_TIMEOUT)
		set(arg_TIMEOUT 300)
	endif()
	file(RELATIVE_PATH labels ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
	string(REPLACE "/" ";" labels "${labels}")
	add_test(NAME ${test} COMMAND ${program} ${arg_COMMAND} COMMAND_EXPAND_LISTS)
	set_tests_properties(${test} PROPERTIES LABELS "${labels};${arg_LABELS}"
		SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT}
		ENVIRONMENT "${arg_ENVIRONMENT};PYTHONDONTWRITEBYTECODE=1"
		${test_properties} ${arg_PROPERTIES})
endfunction()

# add_skipped_test(TEST REASON [LABELS ...]): a test that cannot be run here.
function(add_skipped_test test reason)
	add_project_test(${test} ${ARGN} COMMAND sh -c "echo 'skipped: ${reason}' && exit 77")
endfunction()

# add_cmocka_test(LABEL.[test-]NAME [SOURCES ...] [LIBS ...] [DEFINES ...] [WRAP ...]): a program of cmocka
# tests, LABEL-[test-]NAME, but for those of unit without the label. Of test-NAME.c, if there is one, and
# the sources, on the static libraries.
function(add_cmocka_test test)
	string(REPLACE . - program ${test})
	string(REPLACE unit-test- test- program ${program})
	add_program(${program} ${ARGN})
	string(REGEX REPLACE "^[a-z]+\\.(test-)?(.*)" "test-\\2.c" source ${test})
	if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
		target_sources(${program} PRIVATE ${source})
	endif()
	target_include_directories(${program} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
	target_link_libraries(${program} PRIVATE cmocka-program ibmad-fabric-static ibmad-static ibumad-static)
	add_project_test(${test} COMMAND ${program})
endfunction()
