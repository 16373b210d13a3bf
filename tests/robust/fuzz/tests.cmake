# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# ctest: fuzz.build makes the programs, with clang, in a folder of their own; then fuzz.NAME, for
# each target, replays its seeds and regressions and makes a short run that is the same each time.
set(build ${CMAKE_CURRENT_BINARY_DIR}/build)

add_test(NAME fuzz.build COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/run.sh build ${PROJECT_SOURCE_DIR}
	${build} ${CMAKE_GENERATOR})
set_tests_properties(fuzz.build PROPERTIES LABELS "robust;fuzz" SKIP_RETURN_CODE 77 TIMEOUT 1200
	PROCESSORS 2 FIXTURES_SETUP fuzz)

foreach(name ${targets})
	add_test(NAME fuzz.${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/run.sh test
		${CMAKE_CURRENT_SOURCE_DIR} ${build} ${name})
	set_tests_properties(fuzz.${name} PROPERTIES LABELS "robust;fuzz" SKIP_RETURN_CODE 77 TIMEOUT 300
		FIXTURES_REQUIRED fuzz)
endforeach()
