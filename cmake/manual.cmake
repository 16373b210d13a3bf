# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# The manual: man/*.3, man/*.7 and man/*.8 with their examples put in, below <build>/man as they are
# installed, and a page of one line for each further name of a page (".so man3/the-page.3").
#
# A line `.\" @EXAMPLE name.c` in a page stands for man/examples/name.c, and `.\" @STRUCT header.h name`
# for the structure or enumeration as the header has it. `.\" @SYNOPSIS headers` stands for the sections LIBRARY and
# SYNOPSIS, with the prototypes of these headers for the names of the page. At the end of ATTRIBUTES come the version
# nodes of these names, from the version scripts. The head of a page gets this
# project's name, where groff's mdoc macros would put BSD. Made when cmake configures, which it does
# again when a page or an example has changed; needs no tool but cmake.
set(manual_dir ${PROJECT_BINARY_DIR}/man)
set(manual_headers ${PROJECT_SOURCE_DIR}/include/infiniband)
file(GLOB manual_pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/man/*.[378])

# Reads a file, with @SEMICOLON@ for each semicolon, which would end an item of a list.
function(manual_read path result)
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
	file(READ ${path} text)
	string(REPLACE ";" "@SEMICOLON@" text "${text}")
	set(${result} "${text}" PARENT_SCOPE)
endfunction()

# Text for a page: escaped from roff, with quotes and hyphens that can be copied from the screen.
function(manual_literal text result)
	string(REPLACE "\\" "\\e" text "${text}")
	string(REPLACE "-" "\\-" text "${text}")
	string(REPLACE "'" "\\(aq" text "${text}")
	string(REPLACE "`" "\\(ga" text "${text}")
	string(REPLACE "^" "\\(ha" text "${text}")
	string(REPLACE "~" "\\(ti" text "${text}")
	string(REPLACE "\n." "\n\\&." text "${text}")
	set(${result} ".Bd -literal\n${text}.Ed\n" PARENT_SCOPE)
endfunction()

# Finds the declarations of names in a header.
function(manual_synopsis header names result)
	manual_read(${manual_headers}/${header} text)
	set(synopsis ".In infiniband/${header}\n")
	string(REGEX MATCHALL
		"\n[a-z][a-zA-Z0-9_ *]*[ *][a-z0-9_]+\\(([^()]|\\([a-z]+\\))*\\)(@SEMICOLON@|\n{)"
		functions "${text}")
	foreach(function IN LISTS functions)
		string(REGEX MATCH "\n([^(]*[ *])([a-z0-9_]+)\\((.*)\\)" function "${function}")
		string(STRIP "${CMAKE_MATCH_1}" type)
		set(name ${CMAKE_MATCH_2})
		string(REGEX REPLACE "[ \t\n]+" " " parameters "${CMAKE_MATCH_3}")
		string(REPLACE ", " "\" \"" parameters "${parameters}")
		if(name IN_LIST names)
			string(APPEND synopsis ".Ft \"${type}\"\n.Fn ${name} \"${parameters}\"\n")
		endif()
	endforeach()
	set(lines "") # of what has no parameters, with the header's comments
	string(REGEX MATCHALL
		"(\n/\\*[^\n]*\\*/)?\n(ib_mad_dump_fn|extern int) [a-z0-9_]+@SEMICOLON@[^\n]*"
		objects "${text}")
	foreach(object IN LISTS objects)
		if(object MATCHES " ([a-z0-9_]+)@" AND CMAKE_MATCH_1 IN_LIST names)
			string(APPEND lines "${object}")
		endif()
	endforeach()
	if(lines)
		string(REGEX REPLACE "^\n" "" lines "${lines}\n")
		manual_literal("${lines}" lines)
	endif()
	set(${result} "${synopsis}${lines}" PARENT_SCOPE)
endfunction()

# The lines of ATTRIBUTES with the version nodes of a page's names.
function(manual_versions names result)
	set(text "")
	foreach(library libibumad libibmad libibmad-fabric)
		manual_read(${PROJECT_SOURCE_DIR}/${library}/${library}.map script)
		string(REGEX MATCHALL "[A-Z0-9_.]+ {[^}]*}" nodes "${script}")
		foreach(node IN LISTS nodes)
			set(listed ${names})
			foreach(name IN LISTS names)
				if(NOT node MATCHES "[ \t\n]${name}(_sized)?@")
					list(REMOVE_ITEM listed ${name})
				endif()
			endforeach()
			if(listed)
				string(REGEX MATCH "^[A-Z0-9_.]+" version "${node}")
				list(JOIN listed " ,\n.Fn " listed)
				string(APPEND text ".It ${version}\n.Fn ${listed}\n")
			endif()
		endforeach()
	endforeach()
	if(text) # inline functions may have none
		string(REPLACE ".Fn ibdebug" ".Va ibdebug" text "${text}")
		set(text ".Pp\nSymbol versions:\n.Bl -tag -width Ds -compact\n${text}.El\n")
	endif()
	set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The text of a page, its markers replaced.
function(manual_page text names result)
	if(text MATCHES "\n\\.\\\\\" @SYNOPSIS ([a-z_. ]+)\n")
		set(marker "${CMAKE_MATCH_0}")
		string(REPLACE " " ";" headers "${CMAKE_MATCH_1}")
		set(library "userspace MAD access (libibumad, -libumad)")
		if(headers MATCHES "^mad_fabric")
			set(library "fabric library (libibmad-fabric, -libmad-fabric -libmad -libumad)")
		elseif(headers MATCHES "^mad")
			set(library "MAD library (libibmad, -libmad -libumad)")
		endif()
		set(synopsis "\n.Sh LIBRARY\nInfiniBand ${library}\n.Sh SYNOPSIS\n")
		foreach(header IN LISTS headers)
			manual_synopsis(${header} "${names}" declarations)
			string(APPEND synopsis "${declarations}")
		endforeach()
		string(REPLACE "${marker}" "${synopsis}" text "${text}")
		manual_versions("${names}" versions)
		string(REPLACE "\n.Sh SEE ALSO\n" "\n${versions}.Sh SEE ALSO\n" text "${text}")
	endif()
	string(REGEX MATCHALL "\\.\\\\\" @(EXAMPLE|STRUCT) [^\n]+\n" markers "${text}")
	foreach(marker IN LISTS markers)
		if(marker MATCHES "@EXAMPLE (.*)\n") # without its SPDX line
			set(example ${PROJECT_SOURCE_DIR}/man/examples/${CMAKE_MATCH_1})
			set_property(GLOBAL APPEND PROPERTY MANUAL_EXAMPLES ${example})
			manual_read(${example} code)
			string(REGEX REPLACE "^/\\* SPDX[^\n]*\n" "" code "${code}")
		elseif(marker MATCHES "@STRUCT (.*) (.*)\n")
			set(name ${CMAKE_MATCH_2})
			manual_read(${manual_headers}/${CMAKE_MATCH_1} header)
			set(lines "{\n(([^\n}][^\n]*)?\n)*}")
			string(REGEX MATCH "\n((typedef )?(struct|enum) ${name} ${lines}[a-z_ ]*|typedef struct ${lines} ${name})@SEMICOLON@\n" code "${header}")
			if(NOT code)
				message(FATAL_ERROR "No header has this: ${marker}")
			endif()
			string(SUBSTRING "${code}" 1 -1 code)
		endif()
		manual_literal("${code}" code)
		string(REPLACE "${marker}" "${code}" text "${text}")
	endforeach()
	# After .Dd, which loads the macros, and before .Os, which uses it.
	string(REGEX REPLACE "(\n\\.Dd [^\n]*\n)" "\\1.ds doc-volume-operating-system ibmad-libs\n"
		text "${text}")
	string(REPLACE "@SEMICOLON@" ";" text "${text}")
	set(${result} "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${manual_dir}/man3 ${manual_dir}/man7 ${manual_dir}/man8)
foreach(source IN LISTS manual_pages)
	get_filename_component(page ${source} NAME)
	string(REGEX MATCH "[378]$" section ${page})
	manual_read(${source} text)
	string(REGEX MATCHALL "\n\\.Nm [a-zA-Z0-9_-]+" names "${text}") # of the section NAME
	string(REPLACE "\n.Nm " "" names "${names}")
	foreach(name IN LISTS names)
		file(WRITE ${manual_dir}/man${section}/${name}.${section} ".so man${section}/${page}\n")
	endforeach()
	manual_page("${text}" "${names}" text)
	file(WRITE ${manual_dir}/man${section}/${page} "${text}")
endforeach()
