# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Cross compiling for another machine, and running what comes of it under qemu's user emulation:
#	cmake -DCMAKE_TOOLCHAIN_FILE=tests/meta/machines/toolchain.cmake -DMACHINE=s390x
#		-DMACHINE_TRIPLET=s390x-linux-gnu -DMACHINE_SYSROOT=FOLDER
# MACHINE is the name that qemu has for it, MACHINE_TRIPLET that of the cross compiler, and
# MACHINE_SYSROOT what make-sysroot made. run-machine gives all of them.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MACHINE MACHINE_TRIPLET MACHINE_SYSROOT)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${MACHINE})
set(CMAKE_C_COMPILER ${MACHINE_TRIPLET}-gcc)
# C only: the host's C++ compiler must not be taken for this machine's.
set(CMAKE_CXX_COMPILER "")

# The libraries that make-sysroot unpacked are below MULTIARCH folders.
file(GLOB MACHINE_LIBRARIES ${MACHINE_SYSROOT}/usr/lib/*/libcmocka.so)
get_filename_component(MACHINE_LIBRARIES "${MACHINE_LIBRARIES}" DIRECTORY)
get_filename_component(multiarch "${MACHINE_LIBRARIES}" NAME)
set(ENV{PKG_CONFIG_LIBDIR} ${MACHINE_LIBRARIES}/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${MACHINE_SYSROOT})
set(libnl ${MACHINE_SYSROOT}/lib/${multiarch})
set(CMAKE_BUILD_RPATH ${MACHINE_LIBRARIES} ${libnl})

find_program(MACHINE_QEMU NAMES qemu-${MACHINE}-static qemu-${MACHINE} REQUIRED)
# libc by its path, for the loader would take one of the same kind out of the host's own cache.
set(CMAKE_CROSSCOMPILING_EMULATOR ${MACHINE_QEMU} -L /usr/${MACHINE_TRIPLET}
	-E LD_LIBRARY_PATH=/usr/${MACHINE_TRIPLET}/lib:${MACHINE_LIBRARIES}:${libnl})

set(CMAKE_FIND_ROOT_PATH ${MACHINE_SYSROOT} /usr/${MACHINE_TRIPLET})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
