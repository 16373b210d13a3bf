# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# optional_part(OPTION WHAT PACKAGE...): finds the packages that pkg-config knows for a part of the build,
# as PkgConfig::PACKAGE. Where one is missing, the option ON is an error, and AUTO becomes OFF in this run
# of CMake, with a message; the next run looks again.
macro(optional_part option what)
	foreach(package ${ARGN})
		if(${option})
			pkg_check_modules(${package} QUIET IMPORTED_TARGET GLOBAL ${package})
		endif()
		if(NOT ${option} OR TARGET PkgConfig::${package})
		elseif(${option} STREQUAL "AUTO")
			message(STATUS "Left out: ${what}, for which pkg-config finds no ${package}")
			set(${option} OFF)
		else()
			message(FATAL_ERROR
				"${option} is ON, and pkg-config finds no ${package} for ${what}")
		endif()
	endforeach()
endmacro()
