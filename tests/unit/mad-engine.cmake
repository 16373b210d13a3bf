# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# libibmad's requests and responses, on the scripted kernel of fakeumad.
foreach(name encode portid rpc rpc-redirect rpc-rmpp transaction threads mad-port smp sa sa-key perf cc bm
		vendor resolve resolve-text receiving server response address-defaults outcomes default-port mad-state messages mad-debug)
	add_unit_test(NAME test-${name} SOURCES test-${name}.c LIBS kernel-fakeumad)
endforeach()
foreach(name resolve resolve-text)
	target_sources(test-${name} PRIVATE resolve.c)
endforeach()
add_unit_test(NAME test-wakeup SOURCES test-wakeup.c LIBS ibmad-static ibumad-static
	WRAP fstat __fxstat __fstat64_time64 readlink)
