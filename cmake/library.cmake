# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# add_mad_library(ibumad 3.4.66.0 FOLDERS base ... HOT base/sys.c ... [LIBS ...] [OPTIONS ...] [INCLUDES ...])
#
# Makes of the sources in the folders, in that order, NAME (shared, hidden visibility, the version script
# libNAME.map) and NAME-static (archive). HOT is optimised for speed, all else for size: tests/bench/limits.csv
# has a limit for the size of the library. LIBS names the libraries it depends on; the static one gets their
# static forms. The shared library is optimised at link time (IBMAD_LTO); the archive never is, since only
# the same compiler could read such objects. Without IBMAD_LTO both are made of the same objects, which are
# compiled with these further OPTIONS and INCLUDES.
function(add_mad_library name version)
	cmake_parse_arguments(arg "" "" "FOLDERS;HOT;LIBS;OPTIONS;INCLUDES" ${ARGN})
	set(map ${CMAKE_CURRENT_SOURCE_DIR}/lib${name}.map)
	string(REGEX MATCH "^[0-9]+" soversion ${version})
	set(sources ../common/refusals.c)
	foreach(folder ${arg_FOLDERS})
		file(GLOB files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${folder}/*.c)
		list(APPEND sources ${files})
	endforeach()
	set(small ${sources})
	list(REMOVE_ITEM small ${arg_HOT})
	set_source_files_properties(${small} PROPERTIES
		COMPILE_OPTIONS $<$<OR:$<CONFIG:RelWithDebInfo>,$<CONFIG:Release>>:-Os>)

	set(kinds objects)
	set(linked ${name}-objects)
	if(IBMAD_LTO)
		list(APPEND kinds lto-objects)
		set(linked ${name}-lto-objects)
	endif()
	foreach(kind ${kinds})
		add_library(${name}-${kind} OBJECT ${sources})
		set_target_properties(${name}-${kind} PROPERTIES
			POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
		target_include_directories(${name}-${kind} PRIVATE
			${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
		target_include_directories(${name}-${kind} SYSTEM PRIVATE ${arg_INCLUDES})
		target_compile_definitions(${name}-${kind} PRIVATE _GNU_SOURCE)
		target_compile_options(${name}-${kind} PRIVATE ${arg_OPTIONS})
		target_link_libraries(${name}-${kind} PRIVATE project-warnings)
	endforeach()
	set_target_properties(${linked} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ${IBMAD_LTO})

	add_library(${name} SHARED $<TARGET_OBJECTS:${linked}>)
	add_library(${name}-static STATIC $<TARGET_OBJECTS:${name}-objects>)
	set_target_properties(${name} PROPERTIES VERSION ${version} SOVERSION ${soversion}
		INTERPROCEDURAL_OPTIMIZATION ${IBMAD_LTO} LINK_DEPENDS ${map} LINKER_LANGUAGE C)
	set_target_properties(${name}-static PROPERTIES OUTPUT_NAME ${name} LINKER_LANGUAGE C)
	target_link_options(${name} PRIVATE
		-Wl,--version-script=${map} -Wl,-z,relro -Wl,--as-needed)
	if(IBMAD_SANITIZE)
		target_link_options(${name}-static INTERFACE -fsanitize=${IBMAD_SANITIZE})
	else() # a sanitizer's runtime is found when the program starts
		target_link_options(${name} PRIVATE -Wl,-z,defs)
	endif()
	target_link_libraries(${name} PRIVATE
		$<BUILD_INTERFACE:project-warnings> Threads::Threads)
	target_link_libraries(${name}-static PUBLIC Threads::Threads)
	foreach(lib ${arg_LIBS})
		target_link_libraries(${name} PRIVATE ${lib})
		target_link_libraries(${name}-static PUBLIC ${lib}-static)
	endforeach()
	foreach(target ${name} ${name}-static)
		string(REGEX REPLACE "^ibmad-(fabric)" "\\1" exported ${target}) # ibmad::fabric
		set_target_properties(${target} PROPERTIES EXPORT_NAME ${exported})
		add_library(ibmad::${exported} ALIAS ${target})
		target_include_directories(${target} PUBLIC
			$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
			$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
	endforeach()
endfunction()
