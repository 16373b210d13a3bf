# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# The programs: fuzz-NAME for each target, on the static libraries, with the kernel of fuzz-kernel.h.

set(fuzz_wrap open close read write poll ioctl opendir readdir closedir clock_gettime nanosleep
	mad_trid)
set(quiet main.c input.c guard.c call.c kernel-policy.c kernel-history.c ${KERNEL_CORE_SOURCES})
add_library(fuzz-kernel OBJECT ${quiet} kernel-responses.c)
# Only the kernel's responses are instrumented for libFuzzer, not the rest of the kernel.
set_source_files_properties(${quiet} ${REQUESTS_FOLDER}/call.c ${REQUESTS_FOLDER}/table.c PROPERTIES COMPILE_OPTIONS "-fno-sanitize=fuzzer-no-link")
target_compile_definitions(fuzz-kernel PUBLIC _GNU_SOURCE
	REQUESTS_TABLE="${REQUESTS_FOLDER}/requests.tbl")
target_include_directories(fuzz-kernel PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR})
target_link_libraries(fuzz-kernel PUBLIC ibmad-static ibumad-static project-warnings)

add_custom_target(fuzz-targets)

# add_fuzz_target(NAME [SOURCE ...]): fuzz-NAME.c and what else it needs.
function(add_fuzz_target name)
	add_executable(fuzz-${name} fuzz-${name}.c ${ARGN})
	target_link_libraries(fuzz-${name} PRIVATE fuzz-kernel)
	target_link_options(fuzz-${name} PRIVATE -fsanitize=fuzzer)
	foreach(function ${fuzz_wrap})
		target_link_options(fuzz-${name} PRIVATE -Wl,--wrap=${function})
	endforeach()
	add_dependencies(fuzz-targets fuzz-${name})
endfunction()

foreach(name ${targets})
	set(sources)
	if(name STREQUAL request)
		set(sources ${REQUESTS_FOLDER}/call.c ${REQUESTS_FOLDER}/table.c)
	endif()
	add_fuzz_target(${name} ${sources})
endforeach()
