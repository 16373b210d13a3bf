# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# The manual: man/*.3, man/*.7 and man/*.8 with their examples put in, below <build>/man as they are
# installed, and a page of one line for each further name of a page (".so man3/the-page.3").
#
# A line `.\" @EXAMPLE name.c` in a page stands for man/examples/name.c. The head of a page gets this
# project's name, where groff's mdoc macros would put BSD. Made when cmake configures, which it does
# again when a page or an example has changed; needs no tool but cmake.
set(manual_source ${PROJECT_SOURCE_DIR}/man)
set(manual_dir ${PROJECT_BINARY_DIR}/man)

# The text of an example as a page can hold it: no SPDX line, nothing that roff would take for its
# own, and quotes and hyphens that can be copied from the screen.
function(manual_example file result)
	file(READ ${file} text)
	string(REGEX REPLACE "^/\\* SPDX[^\n]*\n" "" text "${text}")
	string(REPLACE "\\" "\\e" text "${text}")
	string(REPLACE "-" "\\-" text "${text}")
	string(REPLACE "'" "\\(aq" text "${text}")
	string(REPLACE "`" "\\(ga" text "${text}")
	string(REPLACE "^" "\\(ha" text "${text}")
	string(REPLACE "~" "\\(ti" text "${text}")
	string(REPLACE "\n." "\n\\&." text "${text}")
	set(${result} ".Bd -literal\n${text}.Ed\n" PARENT_SCOPE)
endfunction()

# Writes a page of source file with its examples.
function(manual_page source page)
	file(READ ${source} text)
	string(REGEX MATCHALL "\n\\.\\\\\" @EXAMPLE [a-z0-9_]+\\.c\n" markers "${text}")
	foreach(marker IN LISTS markers)
		string(REGEX REPLACE ".* ([a-z0-9_]+\\.c)\n" "\\1" name "${marker}")
		set(example ${manual_source}/examples/${name})
		set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${example})
		manual_example(${example} code)
		string(REPLACE "${marker}" "\n${code}" text "${text}")
	endforeach()
	# After .Dd, which loads the macros, and before .Os, which uses it.
	string(REGEX REPLACE "(\n\\.Dd [^\n]*\n)" "\\1.ds doc-volume-operating-system ibmad-libs\n"
		text "${text}")
	file(WRITE ${page} "${text}")
endfunction()

# The names of a page's section NAME.
function(manual_names source result)
	file(READ ${source} text)
	string(REGEX MATCHALL "\n\\.Nm [a-zA-Z0-9_-]+" lines "${text}")
	string(REGEX REPLACE "\n\\.Nm " "" lines "${lines}")
	set(${result} ${lines} PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${manual_dir}/man3 ${manual_dir}/man7 ${manual_dir}/man8)
file(GLOB manual_pages CONFIGURE_DEPENDS ${manual_source}/*.[378])
foreach(source IN LISTS manual_pages)
	set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
	get_filename_component(page ${source} NAME)
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
