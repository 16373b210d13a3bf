# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# The manual: man/*.3, man/*.7 and man/*.8 with their examples put in, below <build>/man as they are
# installed, and a page of one line for each further name of a page (".so man3/the-page.3").
#
# A line `.\" @EXAMPLE name.c` in a page stands for man/examples/name.c, and `.\" @STRUCT header.h name`
# for the structure or enumeration as the header has it. `.\" @SYNOPSIS headers` stands for the sections LIBRARY and
# SYNOPSIS: what these headers declare of the names of the page. At the end of ATTRIBUTES come the version
# nodes of these names, from the version scripts. The head of a page gets this
# project's name, where groff's mdoc macros would put BSD. Made when cmake configures, which it does
# again when a page or an example has changed; needs no tool but cmake.
set(manual_source ${PROJECT_SOURCE_DIR}/man)
set(manual_dir ${PROJECT_BINARY_DIR}/man)
set(manual_pages
	fabric-sweep.8 ib_resolve_portid_str_via.3 ibdebug.3 ibmad.7 ibumad.7 mad_async_create.3
	mad_build_pkt.3 mad_dump_field.3 mad_fabric_counters_read.3 mad_fabric_discover.3
	mad_get_field.3 mad_keys_create.3 mad_message_send.3 mad_pkey_index.3 mad_receive_via.3
	mad_route_resolve.3 mad_rpc.3 mad_rpc_open_port.3 mad_sa_mc_join.3 mad_sa_query.3
	mad_sa_subscribe.3 madrpc_lock.3 ntohll.3 portid2str.3 smp_query_via.3 umad_alloc.3
	umad_capture_start.3 umad_class_str.3 umad_get_ca.3 umad_monitor_open.3 umad_open_port.3
	umad_register.3 umad_sa_get_rate_mtu_or_life.3 umad_send.3)

# Text as a page can hold it: nothing that roff would take for its own, and quotes and hyphens that can
# be copied from the screen.
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

# The text of an example, without its SPDX line.
function(manual_example file result)
	file(READ ${file} text)
	string(REGEX REPLACE "^/\\* SPDX[^\n]*\n" "" text "${text}")
	manual_literal("${text}" literal)
	set(${result} "${literal}" PARENT_SCOPE)
endfunction()

# A structure or an enumeration of a header.
function(manual_struct header name result)
	file(READ ${header} text)
	string(REPLACE ";" "@SEMICOLON@" text "${text}")
	set(lines "{\n(([^\n}][^\n]*)?\n)*}")
	string(REGEX MATCH "\n(typedef )?(struct|enum) ${name} ${lines}[a-z_ ]*@SEMICOLON@\n" found "${text}")
	if(NOT found)
		string(REGEX MATCH "\ntypedef struct ${lines} ${name}@SEMICOLON@\n" found "${text}")
	endif()
	if(NOT found)
		message(FATAL_ERROR "${header} has no ${name}")
	endif()
	string(REGEX REPLACE "^\n" "" found "${found}")
	manual_literal("${found}" literal)
	string(REPLACE "@SEMICOLON@" ";" literal "${literal}")
	set(${result} "${literal}" PARENT_SCOPE)
endfunction()

# The names of a page's section NAME.
function(manual_names source result)
	file(READ ${source} text)
	string(REGEX MATCHALL "\n\\.Nm [a-zA-Z0-9_-]+" lines "${text}")
	string(REGEX REPLACE "\n\\.Nm " "" lines "${lines}")
	set(${result} ${lines} PARENT_SCOPE)
endfunction()

# The synopsis of those of the names that a header declares.
function(manual_header header names result)
	set(path ${PROJECT_SOURCE_DIR}/include/infiniband/${header})
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
	file(READ ${path} text)
	string(REPLACE ";" "@SEMICOLON@" text "${text}")
	set(synopsis ".In infiniband/${header}\n")
	string(REGEX MATCHALL
		"\n[a-z][a-zA-Z0-9_ *]*[ *][a-z0-9_]+\\(([^()]|\\([a-z]+\\))*\\)(@SEMICOLON@|\n{)"
		functions "${text}")
	foreach(function IN LISTS functions)
		string(REGEX MATCH "\n([^(]*[ *])([a-z0-9_]+)\\((.*)\\)" function "${function}")
		set(type "${CMAKE_MATCH_1}")
		set(name ${CMAKE_MATCH_2})
		string(REGEX REPLACE "[ \t\n]+" " " parameters "${CMAKE_MATCH_3}")
		string(REPLACE ", " "\" \"" parameters "\"${parameters}\"")
		string(STRIP "${type}" type)
		if(name IN_LIST names)
			string(APPEND synopsis ".Ft \"${type}\"\n.Fn ${name} ${parameters}\n")
		endif()
	endforeach()
	set(lines "") # of what has no parameters, with the header's comments
	string(REGEX MATCHALL
		"(\n/\\*[^\n]*\\*/)?\n(ib_mad_dump_fn|extern int) [a-z0-9_]+@SEMICOLON@[^\n]*"
		objects "${text}")
	foreach(object IN LISTS objects)
		string(REGEX MATCH " ([a-z0-9_]+)@" name "${object}")
		if(CMAKE_MATCH_1 IN_LIST names)
			string(APPEND lines "${object}")
		endif()
	endforeach()
	if(lines)
		string(REGEX REPLACE "^\n" "" lines "${lines}\n")
		manual_literal("${lines}" literal)
		string(REPLACE "@SEMICOLON@" ";" literal "${literal}")
		string(APPEND synopsis "${literal}")
	endif()
	set(${result} "${synopsis}" PARENT_SCOPE)
endfunction()

# LIBRARY and SYNOPSIS of a page.
function(manual_synopsis headers names result)
	if(headers MATCHES "^mad")
		set(library "MAD library (libibmad, -libmad -libumad)")
	else()
		set(library "userspace MAD access (libibumad, -libumad)")
	endif()
	set(text ".Sh LIBRARY\nInfiniBand ${library}\n.Sh SYNOPSIS\n")
	foreach(header IN LISTS headers)
		manual_header(${header} "${names}" declarations)
		string(APPEND text "${declarations}")
	endforeach()
	set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The lines of ATTRIBUTES that tell the version nodes of a page's names.
function(manual_versions names result)
	set(text "")
	foreach(library libibumad libibmad)
		set(path ${PROJECT_SOURCE_DIR}/${library}/${library}.map)
		set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
		file(READ ${path} script)
		string(REPLACE ";" "@" script "${script}")
		string(REGEX MATCHALL "[A-Z0-9_.]+ {[^}]*}" nodes "${script}")
		foreach(node IN LISTS nodes)
			set(listed "")
			foreach(name IN LISTS names)
				if(node MATCHES "[ \t\n]${name}@")
					list(APPEND listed ${name})
				endif()
			endforeach()
			if(listed)
				string(REGEX MATCH "^[A-Z0-9_.]+" version "${node}")
				string(REPLACE ";" " ,\n.Fn " listed "${listed}")
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

# Writes a page of source file with its synopsis, examples and structures.
function(manual_page source page)
	file(READ ${source} text)
	if(text MATCHES "\n\\.\\\\\" @SYNOPSIS ([a-z_. ]+)\n")
		string(REPLACE " " ";" headers "${CMAKE_MATCH_1}")
		set(marker "${CMAKE_MATCH_0}")
		manual_names(${source} names)
		manual_synopsis("${headers}" "${names}" synopsis)
		string(REPLACE "${marker}" "\n${synopsis}" text "${text}")
		manual_versions("${names}" versions)
		string(REPLACE "\n.Sh SEE ALSO\n" "\n${versions}.Sh SEE ALSO\n" text "${text}")
	endif()
	string(REGEX MATCHALL "\n\\.\\\\\" @EXAMPLE [a-z0-9_]+\\.c" markers "${text}")
	foreach(marker IN LISTS markers)
		string(REGEX REPLACE ".* ([a-z0-9_]+\\.c)" "\\1" name "${marker}")
		set(example ${manual_source}/examples/${name})
		set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${example})
		set_property(GLOBAL APPEND PROPERTY MANUAL_EXAMPLES ${example})
		manual_example(${example} code)
		string(REPLACE "${marker}\n" "\n${code}" text "${text}")
	endforeach()
	string(REGEX MATCHALL "\n\\.\\\\\" @STRUCT [a-z_]+\\.h [a-z_]+\n" markers "${text}")
	foreach(marker IN LISTS markers)
		string(REGEX REPLACE ".* ([a-z_]+\\.h) ([a-z_]+)\n" "\\1;\\2" pair "${marker}")
		list(GET pair 0 header)
		list(GET pair 1 name)
		set(header ${PROJECT_SOURCE_DIR}/include/infiniband/${header})
		set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
		manual_struct(${header} ${name} code)
		string(REPLACE "${marker}" "\n${code}" text "${text}")
	endforeach()
	# After .Dd, which loads the macros, and before .Os, which uses it.
	string(REGEX REPLACE "(\n\\.Dd [^\n]*\n)" "\\1.ds doc-volume-operating-system ibmad-libs\n"
		text "${text}")
	file(WRITE ${page} "${text}")
endfunction()

file(REMOVE_RECURSE ${manual_dir}/man3 ${manual_dir}/man7 ${manual_dir}/man8)
foreach(page IN LISTS manual_pages)
	set(source ${manual_source}/${page})
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
	string(REGEX REPLACE "\\.([378])$" "" title ${page})
	set(section ${CMAKE_MATCH_1})
	manual_page(${source} ${manual_dir}/man${section}/${page})
	manual_names(${source} names)
	foreach(name IN LISTS names)
		if(NOT name STREQUAL title)
			file(WRITE ${manual_dir}/man${section}/${name}.${section}
				".so man${section}/${page}\n")
		endif()
	endforeach()
endforeach()
