# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Whole fabrics: nodes, ports and links, as mad_fabric_discover() finds them."""
from typing import Any, Dict, List, NamedTuple

from ibmad.libraries import check, ffi, text

library = ffi.dlopen("libibmad-fabric.so.0")


class Port(NamedTuple):
    """A port of a node; peer is (GUID of the node, port number) at the other end, or None."""
    number: int
    guid: int
    lid: int
    state: int
    physical_state: int
    width: int
    speed: str
    port_info: bytes
    peer: Any


class Node(NamedTuple):
    """A node. description is NodeDescription as bytes, name as a str; route leads to the node."""
    guid: int
    type: int  # ibmad.mad.IB_NODE_CA, IB_NODE_SWITCH, IB_NODE_ROUTER
    description: bytes
    name: str
    route: Any
    ports: List[Port]


class Fabric(NamedTuple):
    """A fabric: nodes by GUID (of several with one GUID, which is a problem, the first), problems in
    words, and 0 or the errno that ended the discovery early."""
    nodes: Dict[int, Node]
    problems: List[str]
    error: int


def _iterate(following, *first):
    """Yields the results of mad_fabric_next_...(), until NULL."""
    item = following(*first, ffi.NULL)
    while item:
        yield item
        item = following(*first, item)


def _port(port):
    peer = (port.peer.node.guid, port.peer.port_number) if port.peer else None
    return Port(port.port_number, port.guid, port.lid, port.state, port.physical_state, port.width,
                text(library.mad_fabric_speed_name(port.speed)), bytes(ffi.buffer(port.port_info)), peer)


def _node(node):
    ports = (library.mad_fabric_get_port(node, i) for i in range(node.port_count + 1))
    description = ffi.string(node.description)
    to = ffi.new("ib_portid_t *", {"drpath": node.route})
    return Node(node.guid, node.type, description, text(description), to,
                [_port(port) for port in ports if port and (port.port_number or port.has_info)])


def _problem(problem):
    words = ffi.new("char[512]")
    library.mad_fabric_problem_text(problem, words, len(words))
    return text(words)


def discover(port, flags=0):
    """The fabric behind an open ibmad.Port, which needs class 0x81; flags are library.MAD_FABRIC_..."""
    options = ffi.new("struct mad_fabric_options *", {"flags": flags})
    fabric = check(library.mad_fabric_discover_sized(port.port, options, ffi.sizeof(options[0])))
    try:
        nodes = [_node(node) for node in _iterate(library.mad_fabric_next_node, fabric)]
        problems = [_problem(problem) for problem in _iterate(library.mad_fabric_next_problem, fabric)]
        by_guid = {}
        for node in nodes:
            by_guid.setdefault(node.guid, node)
        return Fabric(by_guid, problems, library.mad_fabric_get_info(fabric).error)
    finally:
        library.mad_fabric_free(fabric)
