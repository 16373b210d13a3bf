# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""System calls of discovery and of opening ports, on hosts with much to discover."""
import collections
import re

import hosts
import meters
from figures import Figure
from pairs import both, own, program

FEW, MANY = 32, 128  # devices
SCANS = 32  # of bench-discovery
ANY = ()
LAST = ("mlx5_031", "2")

# Hosts of 32 devices with 2 ports; calls, their arguments, and what they are called. The class directory alone shows
# the umad nodes, or each device its own, too.
CALLS = [
    (hosts.host(FEW, 2), [
        ("umad_open_port", LAST, "umad_open_port(name, n), 64 nodes")]),
    (hosts.host(FEW, 2, own_nodes=True), [
        ("umad_open_port", LAST, "umad_open_port(name, n), 64 nodes, shown below devices")]),
    (hosts.host(FEW, 2, pkeys=["0xffff"] * 128), [
        ("umad_open_port", ANY, "umad_open_port(NULL, 0), 8,192 P_Keys"),
        ("umad_get_issm_path", ANY, "umad_get_issm_path(NULL, 0), 8,192 P_Keys"),
        ("umad_get_port", ANY, "umad_get_port(NULL, 0), 8,192 P_Keys"),
        ("umad_get_ca", LAST, "umad_get_ca(name), 256 P_Keys")]),
]
LISTS = ["umad_get_ca_device_list", "umad_get_cas_names"]


def attributes_read(calls):
    """How often each file was opened."""
    return collections.Counter(re.search(r'"(.*?)"', call.text).group(1) for call in calls
                               if call.name in ("open", "openat") and "O_DIRECTORY" not in
                               call.text)


def pair_figures(setup, environment):
    """umad_get_smi_gsi_pairs(): each attribute once, and no P_Keys."""
    def measure(pair):
        calls = meters.strace(program(setup, "bench-discovery", pair, "umad_get_smi_gsi_pairs"),
                              environment)
        if calls is None:
            return None, None, None
        read = attributes_read(calls)
        return (len(calls), max(read.values()),
                sum(times for path, times in read.items() if "/pkeys/" in path))

    names = ["umad_get_smi_gsi_pairs, 8,192 P_Keys: system calls",
             "umad_get_smi_gsi_pairs: most often that one attribute is read",
             "umad_get_smi_gsi_pairs: P_Keys read"]
    for name, first, second in zip(names, *both(setup, measure)):
        yield Figure("discovery", name, first, second)


def count_scans(setup):
    """System calls of a monitor a second, while nothing happens, with scans at the usual interval."""
    for devices, ports in ((1, 1), (1, 2), (FEW, 2)):
        with hosts.shown(hosts.host(devices, ports), setup.redirect) as environment:
            def measure(pair, devices=devices, environment=environment):
                calls = meters.strace(program(setup, "bench-discovery", pair, "umad_monitor_read"),
                                      environment)
                return calls and len(calls) / SCANS / devices

            yield Figure("discovery", "umad_monitor_read, %d devices of %d ports: system calls a "
                         "second and device" % (devices, ports), *both(setup, measure))


def count(setup):
    for host, calls in CALLS:
        with hosts.shown(host, setup.redirect) as environment:
            for call, arguments, name in calls:
                def measure(pair, call=call, arguments=arguments):
                    return len(meters.strace(program(setup, "bench-discovery", pair, call,
                                                     *arguments), environment))

                yield Figure("discovery", name + ": system calls", *both(setup, measure))
    with hosts.shown(CALLS[-1][0], setup.redirect) as environment:
        yield from pair_figures(setup, environment)
    yield from count_scans(setup)
    yield from count_growth(setup)


def costs_of_a_device(setup, devices):
    """{call: for each pair [system calls, instructions]}, divided by the number of devices."""
    def measure(pair):
        command = program(setup, "bench-discovery", pair, call)
        counted = meters.callgrind(command, environment)[call]
        return [len(meters.strace(command, environment)) / devices,
                own(pair, counted) / devices]

    found = {}
    with hosts.shown(hosts.host(devices, 1), setup.redirect) as environment:
        for call in LISTS:
            found[call] = both(setup, measure)
    return found


def count_growth(setup):
    few, many = (costs_of_a_device(setup, devices) for devices in (FEW, MANY))
    for call in LISTS:
        for i, unit in enumerate(["system calls", "instructions"]):
            yield Figure("growth of the host", "%s: a device of %d / of %d, %s" % (
                call, MANY, FEW, unit),
                *(many[call][pair][i] / few[call][pair][i] for pair in range(2)))
