// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
package main

// #cgo pkg-config: libibmad libibumad
// #include <stdlib.h>
// #include <infiniband/mad.h>
import "C"
import (
	"fmt"
	"unsafe"
)

func main() {
	classes := []C.int{C.IB_SMI_DIRECT_CLASS}
	port, err := C.mad_rpc_open_port(nil, 0, &classes[0], 1)
	if port == nil {
		panic(err)
	}
	defer C.mad_rpc_close_port(port)
	var to C.ib_portid_t
	info, name := C.malloc(64), (*C.char)(C.calloc(65, 1))
	if data, err := C.smp_query_via(info, &to, C.IB_ATTR_NODE_INFO, 0, 0, port); data == nil {
		panic(err)
	}
	C.smp_query_via(unsafe.Pointer(name), &to, C.IB_ATTR_NODE_DESC, 0, 0, port)
	fmt.Printf("%s has %d ports\n", C.GoString(name), C.mad_get_field(info, 0, C.IB_NODE_NPORTS_F))
}
