# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""The hosts that discovery is counted on: many nodes, many P_Keys, many devices. Made of what the
discovery tests make their hosts of, and shown to programs by the library that those preload."""
import contextlib
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "unit", "discovery"))
import trees  # noqa: E402  pylint: disable=wrong-import-position

SPACE = 256 << 20  # bytes, more than any host here takes


def name(number):
    return "mlx5_%03d" % number  # the order of the names is that of the numbers


def host(devices, ports, pkeys=("0xffff",), own_nodes=False):
    """Of all ports the last one of the last device is active, the others are down."""
    described = {}
    for i in range(devices):
        of_ports = {}
        for number in range(1, ports + 1):
            active = i == devices - 1 and number == ports
            of_ports[number] = trees.port(i * ports + number, pkeys=pkeys,
                                          **({} if active else trees.DOWN))
        nodes = {"device/infiniband_mad/umad%d" % (i * ports + p): trees.DIRECTORY
                 for p in range(ports)} if own_nodes else {}
        described[name(i)] = trees.device(of_ports, **nodes)
    return trees.host(described)


def memory_folder():
    """A folder in memory, where files are created fast; None without one, or with little space."""
    folder = "/dev/shm"
    if not os.access(folder, os.W_OK):
        return None
    space = os.statvfs(folder)
    return folder if space.f_bavail * space.f_frsize > SPACE else None


@contextlib.contextmanager
def shown(described, redirect):
    """The environment in which a program sees the host; redirect is the library to preload."""
    with tempfile.TemporaryDirectory(dir=memory_folder()) as root:
        trees.lay(described, root)
        yield {"UMAD_TEST_ROOT": root, "LD_PRELOAD": redirect}
