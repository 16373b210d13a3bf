# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""The InfiniBand devices of this host, and their ports."""
import errno
import sys
from typing import List, NamedTuple

from ibmad.libraries import error, ffi, text, umad


class LocalPort(NamedTuple):
    """A port as the kernel knows it; numbers in host byte order."""
    number: int
    state: int  # 1 down, 2 initialize, 3 armed, 4 active
    physical_state: int
    base_lid: int
    lmc: int
    sm_lid: int
    port_guid: int
    link_layer: str


class Device(NamedTuple):
    """A device, with those of its ports that MADs can be sent by."""
    name: str
    node_guid: int
    system_guid: int
    ports: List[LocalPort]


def _host(number):
    """A 64-bit number that the structure has in network byte order."""
    return int.from_bytes(number.to_bytes(8, sys.byteorder), "big")


def _port(port):
    return LocalPort(port.portnum, port.state, port.phys_state, port.base_lid, port.lmc, port.sm_lid,
                     _host(port.port_guid), text(port.link_layer))


def _device(name):
    """The device of this name; None if it is gone."""
    ca = ffi.new("umad_ca_t *")
    result = umad.umad_get_ca(name, ca)
    if result == -errno.ENODEV:
        return None
    if result < 0:
        raise error(-result)
    try:
        ports = [_port(port) for port in ca.ports if port]
        return Device(text(ca.ca_name), _host(ca.node_guid), _host(ca.system_guid), ports)
    finally:
        umad.umad_release_ca(ca)


def devices():
    """All devices that have ports for MADs, by name."""
    first = umad.umad_get_ca_device_list()
    if not first and ffi.errno:
        raise error(ffi.errno)
    names, node = [], first
    while node:
        names.append(ffi.string(node.ca_name))
        node = node.next
    umad.umad_free_ca_device_list(first)
    return [device for device in map(_device, sorted(names)) if device]
