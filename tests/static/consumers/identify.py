# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""identify.c in Python, through ctypes: without a header, from the documents alone."""
import ctypes
import os
import sys

IB_SMI_CLASS, IB_SMI_DIRECT_CLASS = 0x01, 0x81
IB_ATTR_NODE_DESC, IB_ATTR_NODE_INFO = 0x10, 0x11
SMP_DATA_SIZE = 64
UMAD_MAX_DEVICES = 128


Guid = ctypes.c_uint64.__ctype_be__  # eight bytes in network order, aligned


class UmadCa(ctypes.Structure):
    """umad_ca_t"""
    _fields_ = [("ca_name", ctypes.c_char * 20), ("node_type", ctypes.c_uint),
                ("numports", ctypes.c_int), ("fw_ver", ctypes.c_char * 20),
                ("ca_type", ctypes.c_char * 40), ("hw_ver", ctypes.c_char * 20),
                ("node_guid", Guid), ("system_guid", Guid),
                ("ports", ctypes.c_void_p * 10)]


class Path(ctypes.Structure):
    """ib_dr_path_t"""
    _fields_ = [("cnt", ctypes.c_int), ("p", ctypes.c_uint8 * 64),
                ("drslid", ctypes.c_uint16), ("drdlid", ctypes.c_uint16)]


class PortId(ctypes.Structure):
    """ib_portid_t"""
    _fields_ = [("lid", ctypes.c_int), ("drpath", Path), ("grh_present", ctypes.c_int),
                ("gid", ctypes.c_uint8 * 16), ("qp", ctypes.c_uint32), ("qkey", ctypes.c_uint32),
                ("sl", ctypes.c_uint8), ("pkey_idx", ctypes.c_uint)]


umad = ctypes.CDLL("libibumad.so.3", use_errno=True)
mad = ctypes.CDLL("libibmad.so.5", use_errno=True)
mad.mad_rpc_open_port.restype = ctypes.c_void_p
mad.mad_rpc_close_port.argtypes = [ctypes.c_void_p]
mad.smp_query_via.restype = ctypes.c_void_p
mad.smp_query_via.argtypes = [ctypes.c_char_p, ctypes.POINTER(PortId), ctypes.c_uint,
                              ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p]
mad.mad_field_name.restype = ctypes.c_char_p
mad.mad_get_field.restype = ctypes.c_uint32
mad.mad_get_field.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_int]
mad.mad_get_field64.restype = ctypes.c_uint64
mad.mad_get_field64.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_int]


def fail(what):
    """Ends the program, with what errno says."""
    sys.exit(f"identify: {what}: {os.strerror(ctypes.get_errno())}")


def field(name, first=1, last=1000):
    """The number of the field that is printed as name."""
    for number in range(first, last):
        if mad.mad_field_name(number) == name.encode():
            return number
    return fail(f"no field {name}")


def query(port, attribute):
    """The data of an SMP to which this node responds itself."""
    data = ctypes.create_string_buffer(SMP_DATA_SIZE)
    if not mad.smp_query_via(data, ctypes.byref(PortId()), attribute, 0, 0, port):
        fail(f"no response for attribute {attribute:#x}")
    return data


def main():
    """Prints the two lines of identify.c."""
    names = ((ctypes.c_char * 20) * UMAD_MAX_DEVICES)()
    ca = UmadCa()
    if umad.umad_get_cas_names(names, UMAD_MAX_DEVICES) < 1 or \
            umad.umad_get_ca(names[0].value, ctypes.byref(ca)) < 0:
        fail("no device")
    print(f"{ca.ca_name.decode()} node 0x{ca.node_guid:016x}")
    umad.umad_release_ca(ctypes.byref(ca))

    classes = (ctypes.c_int * 2)(IB_SMI_CLASS, IB_SMI_DIRECT_CLASS)
    port = mad.mad_rpc_open_port(names[0].value, 1, classes, 2)
    if not port:
        fail("no port")
    info = query(port, IB_ATTR_NODE_INFO)
    description = query(port, IB_ATTR_NODE_DESC)
    node = field("NodeType")
    print(f'"{description.value.decode()}" type {mad.mad_get_field(info, 0, node)}, '
          f'ports {mad.mad_get_field(info, 0, field("NumPorts", node))}, '
          f'guid 0x{mad.mad_get_field64(info, 0, field("Guid", node)):016x}, '
          f'port 0x{mad.mad_get_field64(info, 0, field("PortGuid", node)):016x}')
    mad.mad_rpc_close_port(port)


main()
