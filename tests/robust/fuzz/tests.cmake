# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# ctest: fuzz.build makes the programs, with clang, in a folder of their own; then fuzz.NAME, for
# each target, replays its seeds and regressions and makes a short run that is the same each time.
set(build ${CMAKE_CURRENT_BINARY_DIR}/build)

add_project_test(fuzz.build TIMEOUT 1200
	COMMAND run.sh build ${PROJECT_SOURCE_DIR} ${build} ${CMAKE_GENERATOR}
	PROPERTIES PROCESSORS 2 FIXTURES_SETUP fuzz)

foreach(name ${targets})
	add_project_test(fuzz.${name} COMMAND run.sh test ${CMAKE_CURRENT_SOURCE_DIR} ${build} ${name}
		PROPERTIES FIXTURES_REQUIRED fuzz)
endforeach()
