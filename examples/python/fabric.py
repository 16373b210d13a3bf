# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Lists the nodes of a fabric, and asks all of them for their PortInfo at the same time."""
import os
import sys

import ibmad_cffi

ffi, _, mad = ibmad_cffi.load("mad.h", "mad_async.h", "mad_fabric.h", include=sys.argv[1:])
lib = ffi.dlopen("libibmad-fabric.so.0")


def check(result):
    """What the call returned, unless it failed."""
    if result == ffi.NULL:
        raise OSError(ffi.errno, os.strerror(ffi.errno))
    return result


@ffi.callback("mad_async_callback")
def completed(_, result, context):
    """Notes the LID in PortInfo, or why there is none."""
    error = result.error
    lids[ffi.from_handle(context)] = os.strerror(error) if error else mad.mad_get_field(
        result.data, 0, mad.IB_PORT_LID_F)


classes = ffi.new("int[]", [1, 0x81])  # SMPs by LID and by directed route
port = check(mad.mad_rpc_open_port(ffi.NULL, 0, classes, len(classes)))
fabric = check(lib.mad_fabric_discover(port, ffi.NULL, 0))
requests = check(mad.mad_async_create_sized(port, ffi.NULL, 0))
lids, names, node = {}, [], lib.mad_fabric_next_node(fabric, ffi.NULL)
while node:
    names.append(ffi.new_handle(ffi.string(node.description).decode()))
    to = ffi.new("ib_portid_t *", {"drpath": node.route})
    req = ffi.new("struct mad_async_request *", {"to": to, "callback": completed, "context": names[-1]})
    if mad.mad_async_smp_sized(requests, req, ffi.sizeof(req[0]), 0x15, 0, ffi.NULL) < 0:
        raise OSError(ffi.errno, os.strerror(ffi.errno))
    node = lib.mad_fabric_next_node(fabric, node)
while mad.mad_async_dispatch(requests, 0, -1) > 0:
    pass
for name, lid in sorted(lids.items()):
    print(name, "lid", lid)
mad.mad_async_free(requests)
lib.mad_fabric_free(fabric)
mad.mad_rpc_close_port(port)
