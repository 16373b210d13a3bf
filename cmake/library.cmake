# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# add_mad_library(NAME ibumad SOVERSION 3 FILE_VERSION 3.4.65.0 SOURCES ... LIBS ...)
#
# Compiles the sources once and makes of them NAME (shared, hidden visibility, the version script
# NAME's folder holds) and NAME-static (archive). LIBS names the libraries it stands on; the static
# one gets their static forms where they are ours.
function(add_mad_library)
	cmake_parse_arguments(arg "" "NAME;SOVERSION;FILE_VERSION" "SOURCES;LIBS" ${ARGN})
	set(map ${CMAKE_CURRENT_SOURCE_DIR}/lib${arg_NAME}.map)

	add_library(${arg_NAME}-objects OBJECT ${arg_SOURCES})
	set_target_properties(${arg_NAME}-objects PROPERTIES
		POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden
		INTERPROCEDURAL_OPTIMIZATION ${IBMAD_LTO})
	target_include_directories(${arg_NAME}-objects PRIVATE ${PROJECT_SOURCE_DIR}/include)
	target_compile_definitions(${arg_NAME}-objects PRIVATE _GNU_SOURCE)
	target_link_libraries(${arg_NAME}-objects PRIVATE project-warnings)

	add_library(${arg_NAME} SHARED $<TARGET_OBJECTS:${arg_NAME}-objects>)
	add_library(${arg_NAME}-static STATIC $<TARGET_OBJECTS:${arg_NAME}-objects>)
	add_library(ibmad::${arg_NAME} ALIAS ${arg_NAME})
	add_library(ibmad::${arg_NAME}-static ALIAS ${arg_NAME}-static)
	set_target_properties(${arg_NAME} PROPERTIES
		VERSION ${arg_FILE_VERSION} SOVERSION ${arg_SOVERSION}
		INTERPROCEDURAL_OPTIMIZATION ${IBMAD_LTO} LINK_DEPENDS ${map} LINKER_LANGUAGE C)
	set_target_properties(${arg_NAME}-static PROPERTIES OUTPUT_NAME ${arg_NAME} LINKER_LANGUAGE C)
	target_link_options(${arg_NAME} PRIVATE
		-Wl,--version-script=${map} -Wl,-z,relro -Wl,--as-needed)
	if(NOT IBMAD_SANITIZE) # whose runtime is found when the program starts
		target_link_options(${arg_NAME} PRIVATE -Wl,-z,defs)
	endif()
	target_link_libraries(${arg_NAME} PRIVATE $<BUILD_INTERFACE:project-warnings>)

	foreach(target ${arg_NAME} ${arg_NAME}-static)
		target_include_directories(${target} PUBLIC
			$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
			$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
	endforeach()
	if(IBMAD_SANITIZE)
		target_link_options(${arg_NAME}-static INTERFACE -fsanitize=${IBMAD_SANITIZE})
	endif()
	target_link_libraries(${arg_NAME}-static PUBLIC Threads::Threads)
	foreach(lib ${arg_LIBS})
		target_link_libraries(${arg_NAME} PRIVATE ${lib})
		target_link_libraries(${arg_NAME}-static PUBLIC ${lib}-static)
	endforeach()
endfunction()
