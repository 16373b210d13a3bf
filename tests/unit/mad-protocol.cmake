# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Rules of the protocol that the engine and the encoder keep, on the scripted kernel of fakeumad.
foreach(name sa-attributes redirect-address rmpp-flags sm-key)
	add_unit_test(NAME test-${name} SOURCES test-${name}.c LIBS kernel-fakeumad)
endforeach()
