# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""InfiniBand management from Python, by libibumad, libibmad and libibmad-fabric.

    import ibmad
    for device in ibmad.devices():
        print(device.name, [port.base_lid for port in device.ports])
    with ibmad.Port() as port:
        info = port.smp(ibmad.local(), ibmad.mad.IB_ATTR_NODE_INFO)
        print(ibmad.field(info, ibmad.mad.IB_NODE_NPORTS_F))

ibmad.fabric discovers whole fabrics, ibmad.events waits for changes of devices. `ffi`, `umad` and `mad`
are the libraries themselves, as cffi has them: all functions, constants and structures of their headers
and manual. Names that come from the fabric are arbitrary bytes; text() makes a str of them. Calls
that fail raise OSError with their errno.
"""
from ibmad.libraries import check, ffi, mad, text, umad
from ibmad.devices import Device, LocalPort, devices
from ibmad.requests import Port, Result, field, lid, local, route

__all__ = ["Device", "LocalPort", "Port", "Result", "check", "devices", "ffi", "field", "lid", "local",
           "mad", "route", "text", "umad"]
