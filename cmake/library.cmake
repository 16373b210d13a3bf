# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# add_mad_library(NAME ibumad SOVERSION 3 FILE_VERSION 3.4.66.0 SOURCES ... LIBS ...)
#
# Makes of the sources NAME (shared, hidden visibility, the version script NAME's folder holds) and
# NAME-static (archive). LIBS names the libraries it depends on; the static one gets their static
# forms where they are ours. The shared library is optimised at link time (IBMAD_LTO); the archive
# never is, since only the same compiler could read such objects. Without IBMAD_LTO both are made of
# the same objects.
function(add_mad_library)
	cmake_parse_arguments(arg "" "NAME;SOVERSION;FILE_VERSION" "SOURCES;LIBS" ${ARGN})
	set(map ${CMAKE_CURRENT_SOURCE_DIR}/lib${arg_NAME}.map)

	set(kinds objects)
	set(lto_objects ${arg_NAME}-objects)
	if(IBMAD_LTO)
		list(APPEND kinds lto-objects)
		set(lto_objects ${arg_NAME}-lto-objects)
	endif()
	foreach(kind ${kinds})
		add_library(${arg_NAME}-${kind} OBJECT ${arg_SOURCES})
		set_target_properties(${arg_NAME}-${kind} PROPERTIES
			POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
		target_include_directories(${arg_NAME}-${kind} PRIVATE
			${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
		target_compile_definitions(${arg_NAME}-${kind} PRIVATE _GNU_SOURCE)
		target_link_libraries(${arg_NAME}-${kind} PRIVATE project-warnings)
	endforeach()
	set_target_properties(${lto_objects} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ${IBMAD_LTO})

	add_library(${arg_NAME} SHARED $<TARGET_OBJECTS:${lto_objects}>)
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
	target_link_libraries(${arg_NAME} PRIVATE
		$<BUILD_INTERFACE:project-warnings> Threads::Threads)

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
