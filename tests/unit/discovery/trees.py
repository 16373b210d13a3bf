# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Hosts for programs that redirect.c shows them to, and how they are laid down as files.

A host is a dict of devices, and the list of its umad nodes in the order of their numbers: (device,
port). An attribute is a text, or DIRECTORY.
"""
import os

DIRECTORY = object()

CAPMASK = 0x2651E848
DOWN = {"state": "1: DOWN", "phys_state": "2: Polling"}


def guid(number):
    return "0002:c903:0000:%04x" % number


def port(number=1, pkeys=("0xffff",), **changed):
    """A port whose GUID ends in number."""
    attributes = {
        "state": "4: ACTIVE",
        "phys_state": "5: LinkUp",
        "lid": "0x1",
        "lid_mask_count": "0",
        "sm_lid": "0x1",
        "sm_sl": "0",
        "cap_mask": "0x%08x" % CAPMASK,
        "rate": "100 Gb/sec (4X EDR)",
        "link_layer": "InfiniBand",
        "gids/0": "fe80:0000:0000:0000:" + guid(number),
    }
    attributes.update(("pkeys/%d" % i, pkey) for i, pkey in enumerate(pkeys))
    attributes.update(changed)
    return attributes


def device(ports, **changed):
    attributes = {
        "node_type": "1: CA",
        "fw_ver": "16.35.2000",
        "hw_rev": "0",
        "hca_type": "MT4119",
        "node_guid": guid(0),
        "sys_image_guid": guid(3),
    }
    attributes.update(changed)
    for number, of_port in ports.items():
        attributes.update(("ports/%d/%s" % (number, name), value) for name, value in of_port.items())
    return attributes


def host(devices):
    """With a node for each port of each device, in the order given."""
    return {"devices": devices,
            "umad": [(name, number) for name, of_device in devices.items() for number in range(256)
                     if "ports/%d/state" % number in of_device]}


HOSTS = {"one_hca": host({"mlx5_0": device({1: port()})})}


def put(path, value):
    if value is DIRECTORY:
        os.makedirs(path, exist_ok=True)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(value + "\n")


def lay(described, root):
    """Lays a host down below root: class/ stands for /sys/class, dev/ for /dev/infiniband."""
    nodes = os.path.join(root, "class", "infiniband_mad")
    put(os.path.join(nodes, "abi_version"), "5")
    for name, attributes in described["devices"].items():
        for attribute, value in attributes.items():
            put(os.path.join(root, "class", "infiniband", name, attribute), value)
    for number, (name, of_port) in enumerate(described["umad"]):
        for kind in ("umad", "issm"):
            node = "%s%d" % (kind, number)
            put(os.path.join(nodes, node, "ibdev"), name)
            put(os.path.join(nodes, node, "port"), str(of_port))
            put(os.path.join(root, "dev", node), "")
