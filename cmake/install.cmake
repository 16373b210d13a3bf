# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# `cmake --install`, beside programs and manual: libraries, headers, pkg-config files and the CMake package.
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/infiniband/*.h)

install(TARGETS ibumad ibmad EXPORT ibmad-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ibumad-static ibmad-static EXPORT ibmad-static-targets
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ibmad-fabric ibmad-fabric-static EXPORT ibmad-fabric-targets
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/infiniband)

# pkg-config files name absolute folders as they are, and others below the prefix, which they find from
# their own place, as `cmake --install --prefix` may choose another than the configuration. Packages name
# /usr, since pkg-config leaves out the flags of a system's folders by their plain names only.
set(PC_PREFIX ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} AND NOT PC_PREFIX STREQUAL "/usr")
	file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
	string(REGEX REPLACE "/$" "" PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(dir LIBDIR INCLUDEDIR)
	string(REGEX REPLACE "^([^/].*)" "\${prefix}/\\1" PC_${dir} "${CMAKE_INSTALL_${dir}}")
endforeach()
foreach(lib libibumad libibmad libibmad-fabric)
	configure_file(${lib}/${lib}.pc.in ${PROJECT_BINARY_DIR}/${lib}.pc @ONLY)
	install(FILES ${PROJECT_BINARY_DIR}/${lib}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ibmad)
# RPM has the archives of the pair in packages of their own, and the fabric library has its own package.
foreach(targets ibmad-targets ibmad-static-targets ibmad-fabric-targets)
	install(EXPORT ${targets} NAMESPACE ibmad:: DESTINATION ${config_dir})
endforeach()
configure_package_config_file(cmake/ibmad-config.cmake.in ${PROJECT_BINARY_DIR}/ibmad-config.cmake
	INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ibmad-config-version.cmake
	COMPATIBILITY AnyNewerVersion)
install(FILES ${PROJECT_BINARY_DIR}/ibmad-config.cmake
	${PROJECT_BINARY_DIR}/ibmad-config-version.cmake DESTINATION ${config_dir})
