# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""The hosts that the discovery tests show to the library, and how they are laid down as files.

A host is a dict of devices, in the order in which their directory lists them, and the list of its
umad nodes in the order of their numbers: (device, port), or None for a gap. An attribute is a text;
None leaves the file out, bytes are written as they are; DIRECTORY, FIFO and SOCKET make one of that
name, a Link leads elsewhere. Files of a host, below its root, take the place of what else it has.
"""
import collections
import os
import stat

DIRECTORY, FIFO, SOCKET = object(), object(), object()
Link = collections.namedtuple("Link", "target")

STATES = {1: "DOWN", 2: "INIT", 3: "ARMED", 4: "ACTIVE"}
PHYS_STATES = {2: "Polling", 3: "Disabled", 5: "LinkUp"}
CAPMASK = 0x2651E848
SM_DISABLED = 0x400


def guid(number):
    return "0002:c903:0000:%04x" % number


def port(number=1, state=4, phys_state=5, lid="0x1", capmask=CAPMASK, link_layer="InfiniBand",
         pkeys=("0xffff",), **changed):
    """A port whose GUID ends in number."""
    attributes = {
        "state": "%d: %s" % (state, STATES[state]) if state in STATES else state,
        "phys_state": "%d: %s" % (phys_state, PHYS_STATES[phys_state])
                      if phys_state in PHYS_STATES else phys_state,
        "lid": lid,
        "lid_mask_count": "0",
        "sm_lid": "0x1",
        "sm_sl": "0",
        "cap_mask": "0x%08x" % capmask,
        "rate": "100 Gb/sec (4X EDR)",
        "link_layer": link_layer,
        "gids/0": "fe80:0000:0000:0000:" + guid(number),
    }
    attributes.update(("pkeys/%d" % i, pkey) for i, pkey in enumerate(pkeys))
    attributes.update(changed)
    return attributes


def device(ports, node_type="1: CA", **changed):
    attributes = {
        "node_type": node_type,
        "fw_ver": "16.35.2000",
        "hw_rev": "0",
        "hca_type": "MT4119",
        "node_guid": guid(0),
        "sys_image_guid": guid(3),
    }
    attributes.update(changed)
    for name, of_port in ports.items():
        if of_port is DIRECTORY:
            attributes["ports/%s" % name] = DIRECTORY
        elif isinstance(of_port, dict):
            for attribute, value in of_port.items():
                attributes["ports/%s/%s" % (name, attribute)] = value
        else:
            attributes["ports/%s" % name] = of_port
    return attributes


def host(devices, umad=None, abi_version="5", files=()):
    """umad None: a node for each port of each device, in the order given."""
    if umad is None:
        umad = [(name, number) for name, of_device in devices.items()
                for number in range(256) if any(
                    key.startswith("ports/%d/" % number) for key in of_device)]
    return {"devices": devices, "umad": umad, "abi_version": abi_version, "files": dict(files)}


def nodes(*values):
    """The device nodes umad0 and so on: "" is one that can be opened."""
    return {"dev/umad%d" % number: value for number, value in enumerate(values)}


FORBIDDEN = "!open 13"

DOWN = {"state": 1, "phys_state": 2}
DISABLED = {"state": 1, "phys_state": 3}
ETHERNET = {"link_layer": "Ethernet"}

HOSTS = {
    # As the facts about the interface have them.
    "one_hca": host({"mlx5_0": device({1: port()})}),
    "two_port": host({"mlx4_0": device({
        1: port(1, lid="0x0", **DOWN), 2: port(2, lid="0x7", lid_mask_count="2", sm_sl="3")})}),
    "roce_first": host({"mlx5_0": device({1: port(0x10, lid="0x0", sm_lid="0x0", **ETHERNET)}),
                        "mlx5_1": device({1: port(0x11, lid="0x9")})}),
    "all_down": host({"mlx5_0": device({1: port(1, lid="0x0", **DISABLED)}),
                      "mlx5_1": device({1: port(2, lid="0x0", **DOWN)})}),
    "switch": host({"ibsw0": device({0: port(lid="0x5")}, node_type="2: SWITCH")}),
    "iwarp": host({"cxgb4_0": device({1: port(**ETHERNET)}, node_type="4: RNIC"),
                   "mlx5_0": device({1: port()})}, umad=[("mlx5_0", 1)]),
    "no_link_layer": host({"ibsim0": device({1: port(link_layer=None)})}),
    "planar": host({"smi0": device({1: port(1)}),
                    "gsi0": device({1: port(1, capmask=CAPMASK | SM_DISABLED)}),
                    "mlx5_9": device({1: port(9)})}),
    "smi_disabled": host({"mlx5_0": device({1: port(1, capmask=CAPMASK | SM_DISABLED)}),
                          "mlx5_1": device({1: port(2)})}),
    "many_pkeys": host({"mlx5_0": device({1: port(pkeys=(
        ["0xffff"] + ["0x%04x" % (0x8000 + i) for i in range(126)] + ["0x0000"]))})}),
    "umad_out_of_order": host(
        {"mlx5_2": device({1: port(3)}), "mlx5_0": device({1: port(1)}),
         "mlx5_1": device({1: port(2, **DOWN)})},
        umad=[("mlx5_2", 1), ("mlx5_1", 1), None, ("mlx5_0", 1)]),
    "no_umad": host({"mlx5_0": device({1: port()})}, umad=[], abi_version=None),
    "empty": host({}),

    # A P_Key table with holes, with names that are no index, and with values that are no P_Key.
    "pkey_holes": host({"mlx5_0": device({1: port(pkeys=(), **{
        "pkeys/1": "0x8001", "pkeys/130": "0xffff", "pkeys/3": "0x10000", "pkeys/5": "full",
        "pkeys/6": DIRECTORY, "pkeys/06": "0x8006", "pkeys/x": "0x8007", "pkeys/-1": "0x8008",
        "pkeys/65536": "0x8009"})})}),
    "no_pkeys": host({"mlx5_0": device({1: port(pkeys=())})}),
    # Kernels return EINVAL for the rate of a port without a cable module.
    "unreadable_rate": host({"mlx5_0": device({1: port(rate="!read 22")})}),
    "unreadable_attributes": host({
        "mlx5_0": device(
            {1: port(rate=DIRECTORY, lid_mask_count="!open 13", sm_sl=None, cap_mask="!read 5",
                     **{"gids/0": "!open 13"}),
             2: port(2, **DISABLED)},
            fw_ver=None, hw_rev="!read 22", hca_type=DIRECTORY, node_guid="!open 13",
            sys_image_guid=None)}),
    # Rates with and without a blank before the unit, and a text without a number.
    "rates": host({"mlx5_0": device({
        1: port(1, rate="100Gb/sec"), 2: port(2, rate="2.5 Gb/sec (1X)"),
        3: port(3, rate="Gb/sec")})}),
    # A device of which nothing can be read hides no other.
    "unreadable_device": host({
        "mlx5_0": {name: "!read 5" for name in device({1: port(1)})},
        "mlx5_1": dict({name: "!open 13" for name in device({1: port(2)})}, node_type="1: CA"),
        "mlx5_2": device({1: port(3)})}),
    "unreadable_device_beside_roce": host({
        "mlx5_0": dict({name: "!open 13" for name in device({1: port(1)})}, node_type="1: CA"),
        "mlx5_1": device({1: port(2, **ETHERNET)})}),
    # A directory that is no port, beside a port.
    "broken_port": host({"mlx5_0": device({1: DIRECTORY, 2: "a file", 3: port(3)})},
                        umad=[("mlx5_0", 3)]),
    "no_ports": host({"mlx5_0": device({}), "mlx5_1": device({1: port()})}),
    # Only ports 0 to 9 fit struct umad_ca; 01 is another name than 1.
    "port_numbers": host({"mlx5_0": device({
        "9": port(9), "10": port(10), "255": port(11), "4294967297": port(12), "01": port(13),
        "-1": port(14), "1x": port(15), "x": port(16)})}),
    "garbage": host({
        "mlx5_0": device(
            {1: port(1, state=4, lid_mask_count="4294967296", sm_lid="-1", sm_sl="12cats",
                     rate="", cap_mask="0x", pkeys=("", "65535", "0xg")),
             2: port(2, lid="99999999999999999999999", rate=b"40 Gb/sec", sm_lid=b"\xff\xfe\n",
                     sm_sl=b"3\x00 4\n", **{"gids/0": "fe80::2"}),
             3: port(3, link_layer="A link layer with a long name")},
            fw_ver="f" * 200, hw_rev=b"\n\n", hca_type="a model with a name of over forty letters",
            node_guid="0002:c903:0000:0000:0000", sys_image_guid="00002:c903:0000:0003")}),
    "zero_guid": host({"mlx5_0": device({1: port(**{"gids/0": "0:0:0:0:0:0:0:0"})}),
                       "mlx5_1": device({1: port(1)})}),
    # 19 letters are a name, 20 have no space for their NUL.
    "long_names": host({"n" * 20: device({1: port(1)}), "m" * 19: device({1: port(2)}),
                        "o" * 200: device({1: port(3)})}),
    "node_types": host({"none": device({1: port(1)}, node_type=None),
                        "other": device({1: port(2)}, node_type="5: usNIC"),
                        "router": device({1: port(3)}, node_type="3: ROUTER"),
                        "zero": device({1: port(4)}, node_type="0: unknown")}),
    # Not a single InfiniBand port.
    "roce_only": host({"mlx5_1": device({1: port(1, **dict(ETHERNET, **DOWN)),
                                         2: port(2, **ETHERNET)}),
                       "mlx5_0": device({1: port(3, **ETHERNET)})}),
    "all_disabled": host({"mlx5_0": device({1: port(1, **DISABLED), 2: port(2, **DISABLED)})}),
    # Link up, but no subnet manager yet: it wins over a port that is polling.
    "link_up": host({"mlx5_0": device({1: port(1, **DOWN)}),
                     "mlx5_1": device({1: port(2, **DOWN), 2: port(3, state=2)})}),
    "old_abi": host({"mlx5_0": device({1: port()})}, abi_version="4"),
    "new_abi": host({"mlx5_0": device({1: port()})}, abi_version="6"),
    "garbage_abi": host({"mlx5_0": device({1: port()})}, abi_version="five"),
    # The nodes of one adapter are below its devices, too; here both devices share it.
    "own_nodes": host({
        "mlx5_0": device({1: port(1)}, **{"device/infiniband_mad/%s" % name: DIRECTORY
                                          for name in ("umad7", "issm7", "umad9", "umad999")}),
        "mlx5_1": device({1: port(2)}, **{"device/infiniband_mad/%s" % name: DIRECTORY
                                          for name in ("umad7", "umad9", "umad")})},
        umad=[None] * 7 + [("mlx5_1", 1), None, ("mlx5_0", 1)]),
    # Below the device is a node that was removed; its successor is still found.
    "stale_own_node": host({
        "mlx5_0": device({1: port(1)}, **{"device/infiniband_mad/umad3": DIRECTORY})},
        umad=[None, None, ("mlx5_0", 1)]),
    "highest_umad": host({"mlx5_0": device({1: port(1)})}, umad=[None] * 191 + [("mlx5_0", 1)]),
    # More umad devices than UMAD_MAX_PORTS.
    "many_umads": host({"mlx5_0": device({1: port(1)})}, umad=[None] * 1023 + [("mlx5_0", 1)]),
    # An SMI device with a port for each plane, all with the GUID of the one GSI port.
    "planes": host({"smi1": device({1: port(1), 2: port(1), 3: port(1, **DOWN)}),
                    "mlx5_0": device({1: port(1, capmask=CAPMASK | SM_DISABLED)}),
                    "mlx5_1": device({1: port(2)})}),
    # Three devices share a port, two of them with subnet management, and two share one without.
    "shared_guid": host({"b": device({1: port(1)}), "a": device({1: port(1)}),
                         "c": device({1: port(1, capmask=CAPMASK | SM_DISABLED)}),
                         "d": device({1: port(2, capmask=CAPMASK | SM_DISABLED)}),
                         "e": device({1: port(2, capmask=CAPMASK | SM_DISABLED)}),
                         "f": device({1: port(3)}), "g": device({1: port(3)})}),
    "one_guid_on_two_ports": host({"mlx5_0": device({1: port(1), 2: port(1)})}),
    # Only port 1 has IsSMDisabled, and the ports have no GUID in common: two groups.
    "smi_disabled_on_one_port": host({"mlx5_0": device({
        1: port(1, capmask=CAPMASK | SM_DISABLED), 2: port(2)})}),
    # Two physical ports, which the two devices number differently.
    "crossed_ports": host({
        "smi0": device({1: port(2), 2: port(1)}),
        "gsi0": device({1: port(1, capmask=CAPMASK | SM_DISABLED),
                        2: port(2, capmask=CAPMASK | SM_DISABLED)})}),
    # The SMI device has several ports, all of them down.
    "partner_down": host({
        "smi0": device({1: port(1, **DOWN), 2: port(2, **DOWN)}),
        "gsi0": device({1: port(1, capmask=CAPMASK | SM_DISABLED)})}),
    # Cards with an Ethernet and an InfiniBand port, the latter up, or not.
    "mixed_card": host({"mlx4_0": device({1: port(1, **ETHERNET), 2: port(2)})}),
    "mixed_card_down": host({"mlx4_0": device({1: port(1, **ETHERNET), 2: port(2, **DOWN)})}),
    # Only Ethernet is up.
    "roce_beside_down": host({"mlx5_0": device({1: port(1, **ETHERNET)}),
                              "mlx5_1": device({1: port(2, **DISABLED), 2: port(3, **DOWN)})}),
    "roce_beside_disabled": host({"mlx5_0": device({1: port(1, **ETHERNET)}),
                                  "mlx5_1": device({1: port(2, **DISABLED)})}),
    # Of ports that are equally good the first in directory order is chosen.
    "all_polling": host({"mlx5_1": device({1: port(1, **DOWN)}),
                         "mlx5_0": device({1: port(2, **DOWN)})}),
    # The GUID of an Ethernet port is not compared.
    "roce_with_known_guid": host({"mlx5_0": device({1: port(1)}),
                                  "mlx5_1": device({1: port(1, **ETHERNET)})}),
    "many_devices": host({"mlx5_%d" % i: device({
        number: port(2 * i + number, **({} if (i, number) == (31, 2) else DOWN))
        for number in (1, 2)}) for i in range(32)}),
    "too_many_devices": host({"mlx5_%03d" % i: device({1: port(i)}) for i in range(140)}),

    # Containers see all devices, and have the nodes of some.
    "node_of_the_second": host({"mlx5_%d" % i: device({1: port(i + 1)}) for i in range(4)},
                               files=nodes(None, "", None, None)),
    "may_open_the_third": host({"mlx5_%d" % i: device({1: port(i + 1)}) for i in range(4)},
                               files=nodes(FORBIDDEN, FORBIDDEN, "", "")),
    "node_of_the_second_port": host({"mlx5_0": device({1: port(1), 2: port(2, **DOWN)})},
                                    files=nodes(None, "")),
    "nodes_of_none": host({"mlx5_0": device({1: port(1, **DOWN), 2: port(2)}),
                           "mlx5_1": device({1: port(3)})},
                          files=nodes(None, FORBIDDEN, None)),
    "node_of_roce": host({"mlx5_0": device({1: port(1)}), "mlx5_1": device({1: port(2, **ETHERNET)})},
                         files=nodes(None, "")),
    "umad_of_the_second": host({"mlx5_0": device({1: port(1)}), "mlx5_1": device({1: port(2)})},
                               umad=[("mlx5_1", 1)]),
    # Of one pair the GSI port alone, of the other both.
    "node_of_gsi": host({"smi0": device({1: port(1)}),
                         "gsi0": device({1: port(1, capmask=CAPMASK | SM_DISABLED)}),
                         "mlx5_9": device({1: port(9)})}, files=nodes(None, "", "")),
    "node_of_gsi_alone": host({"a": device({1: port(9)}), "smi0": device({1: port(1)}),
                               "gsi0": device({1: port(1, capmask=CAPMASK | SM_DISABLED)})},
                              files=nodes(None, None, "")),

    # Anything but a regular file counts as missing, and the library does not wait for it.
    "no_files": host({
        "mlx5_0": device({1: port(
            1, lid=Link("nowhere"), lid_mask_count=SOCKET, sm_lid=Link("sm_lid"), sm_sl=Link("/dev/zero"),
            rate=FIFO, link_layer=Link("/dev/null"), pkeys=(FIFO, "0x8001", SOCKET))},
            fw_ver=FIFO, hw_rev=Link("/dev/zero"), hca_type=SOCKET, node_guid=Link("/dev/tty"),
            sys_image_guid=FIFO),
        "mlx5_1": device({1: port(2)}, node_type=FIFO),
        "mlx5_2": device({1: dict.fromkeys(port(3), FIFO), 2: FIFO, 3: port(4), 4: port(
            5, **{"gids/0": FIFO, "state": FIFO, "phys_state": SOCKET, "cap_mask": FIFO})}),
        "mlx5_3": FIFO,
    }, umad=[("mlx5_0", 1), None, ("mlx5_2", 3), ("mlx5_2", 4)], files={
        "class/infiniband_mad/umad0/ibdev": FIFO, "class/infiniband_mad/umad1": FIFO,
        "class/infiniband_mad/umad3/port": SOCKET}),
    "abi_is_a_fifo": host({"mlx5_0": device({1: port()})}, abi_version=FIFO,
                          files={"netlink": Link("/dev/zero")}),
    "unreadable_abi": host({"mlx5_0": device({1: port()})}, abi_version=FORBIDDEN),
    "long_file": host({"mlx5_0": device({1: port(state="4: ACTIVE" + "\n" * 1000000)})}),
}


def put(path, value):
    if value is None:
        return
    if value is DIRECTORY:
        os.makedirs(path, exist_ok=True)
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if value is FIFO:
        os.mkfifo(path)
    elif value is SOCKET:
        os.mknod(path, stat.S_IFSOCK | 0o600)
    elif isinstance(value, Link):
        os.symlink(value.target, path)
    else:
        with open(path, "wb") as file:
            file.write(value if isinstance(value, bytes) else (value + "\n").encode())


def lay(described, root):
    """Lays a host down below root: class/ stands for /sys/class, dev/ for /dev/infiniband."""
    devices = os.path.join(root, "class", "infiniband")
    nodes = os.path.join(root, "class", "infiniband_mad")
    for directory in (devices, nodes, os.path.join(root, "dev")):
        os.makedirs(directory)
    put(os.path.join(nodes, "abi_version"), described["abi_version"])
    put(os.path.join(devices, ".order"), "\n".join(described["devices"]))
    for name, attributes in described["devices"].items():
        if attributes is FIFO:
            put(os.path.join(devices, name), FIFO)
            continue
        for attribute, value in attributes.items():
            put(os.path.join(devices, name, attribute), value)
    for number, owner in enumerate(described["umad"]):
        for kind in ("umad", "issm") if owner else ():
            node = "%s%d" % (kind, number)
            put(os.path.join(nodes, node, "ibdev"), owner[0])
            put(os.path.join(nodes, node, "port"), str(owner[1]))
            put(os.path.join(root, "dev", node), "")
    for path, value in described["files"].items():
        path = os.path.join(root, path)
        if os.path.exists(path):
            os.remove(path)
        put(path, value)
