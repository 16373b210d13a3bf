# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# What libibmad has for locked fabrics, on the scripted kernel of fakeumad.
foreach(name keys key-files pkey routes multicast)
	add_unit_test(NAME test-${name} SOURCES test-${name}.c fakeumad.c fakeumad-device.c
		fakeumad-port.c fakeumad-sysfs.c
		LIBS ibmad-static ibumad-static
		WRAP open close read write poll ioctl opendir readdir closedir scandir)
endforeach()
target_sources(test-keys PRIVATE listen.c)
