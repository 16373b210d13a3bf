# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# What libibmad has for locked fabrics, on the scripted kernel of fakeumad.
foreach(name keys refused-keys key-files pkey routes multicast)
	add_unit_test(NAME test-${name} SOURCES test-${name}.c LIBS kernel-fakeumad)
endforeach()
add_unit_test(NAME test-key-memory SOURCES test-key-memory.c LIBS kernel-fakeumad
	WRAP malloc realloc free)
