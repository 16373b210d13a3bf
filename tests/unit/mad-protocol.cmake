# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Rules of the protocol that the engine and the encoder keep, on the scripted kernel of fakeumad.
foreach(name sa-attributes redirect-address rmpp-flags sm-key)
	add_unit_test(NAME test-${name} SOURCES test-${name}.c fakeumad.c fakeumad-device.c
		fakeumad-port.c fakeumad-sysfs.c
		LIBS ibmad-static ibumad-static
		WRAP open close read write poll ioctl opendir readdir closedir scandir)
endforeach()
