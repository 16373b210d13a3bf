# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# The libraries, and they alone, with 64 bits of time_t on a 32-bit machine, as distributions build
# them. Tests replace libc's calls by their plain names, and structures come with these. For
# CMAKE_PROJECT_INCLUDE.
function(use_time64)
	foreach(library ibumad ibmad)
		target_compile_options(${library}-objects PRIVATE
			-U_FILE_OFFSET_BITS -U_TIME_BITS -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64)
	endforeach()
endfunction()
cmake_language(DEFER CALL use_time64)
