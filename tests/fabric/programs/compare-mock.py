#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Runs unmodified tools before a mock of libibumad (mock-umad.c) on our pair and the distribution's.

Usage: compare-mock.py MOCK REDIRECT FOLDER...
MOCK and REDIRECT (tests/unit/discovery, for the sysfs of a host) are libraries to preload, the folders
hold our pair. With the mock's header of 56 bytes, and with 64, our pair must print what the
distribution's prints with 56: it knows no other header before it has opened a device. Prints each
difference and exits with 1 if there is any, with 77 if something is not installed.
"""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../unit/discovery"))
import trees  # pylint: disable=wrong-import-position

COMMANDS = """
    ibaddr
    ibping -c 1 1
    ibportstate -D 0 1 query
    ibsysstat 1
    ibtracert 1 1
    perfquery 1 1
    saquery
    saquery -c
    sminfo 1
    smpdump 1 0x11
    smpdump -D 0 0x15
    smpquery nodeinfo 1
    smpquery -D portinfo 0 1
    vendstat -N 1
"""
# A tool's attempt takes so many ms without a response.
SILENT = """
    perfquery -t 20 1 1
    saquery -t 20 -c
    sminfo -t 20 1
    smpquery -t 20 nodeinfo 1
    smpquery -t 20 -D portinfo 0 1
"""
VARIES = [
    (r"^(ibwarn|ibpanic|ibdebug): \[\d+\]", r"\1: [PID]"),
    (r"time [0-9.]+ ms", "time T ms"),
    (r"(rtt min/avg/max =) [0-9./]+", r"\1 T"),
    # The distribution's pair reads it from VL15Dropped (docs/differences.md).
    (r"^(QP1Dropped:\.+)\d+", r"\1N"),
]


def run(command, folders, preload, **variables):
    environment = dict(os.environ, LD_PRELOAD=preload, **variables)
    if folders:
        environment["LD_LIBRARY_PATH"] = folders
    process = subprocess.run(command.split(), env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, check=False, timeout=60)
    text = process.stdout.decode(errors="backslashreplace")
    for pattern, replacement in VARIES:
        text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
    return text + "exit status %d\n" % process.returncode


def compare(command, ours, preload, wanted_status, **variables):
    """Returns how many of the two headers give other results than the distribution's pair."""
    expected = run(command, "", preload, MOCK_HEADER="56", **variables)
    if not re.search(wanted_status + "$", expected):
        print("%s on the distribution's pair:\n%s" % (command, expected))
        return 1
    failed = 0
    for size in ("56", "64"):
        printed = run(command, ours, preload, MOCK_HEADER=size, **variables)
        difference = list(difflib.unified_diff(
            expected.splitlines(keepends=True), printed.splitlines(keepends=True),
            "distribution", "ours, header of %s bytes" % size))
        print("%-7s %s (%s)" % ("failed" if difference else "ok", command, size))
        sys.stdout.writelines(difference)
        failed += bool(difference)
    return failed


def main():
    mock, redirect = sys.argv[1:3]
    ours = ":".join(sys.argv[3:])
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [tool for tool in {line.split()[0] for line in COMMANDS.split("\n") if line.strip()}
               if not shutil.which(tool)]
    if missing:
        print("skipped: not installed:", *missing)
        return 77
    with tempfile.TemporaryDirectory() as root:
        trees.lay(trees.HOSTS["one_hca"], root)
        os.environ["UMAD_TEST_ROOT"] = root
        preload = mock + ":" + redirect
        failed = sum(compare(line.strip(), ours, preload, "exit status 0\n")
                     for line in COMMANDS.split("\n") if line.strip())
        failed += sum(compare(line.strip(), ours, preload, r"exit status [1-9]\d*\n", MOCK_SILENT="1")
                      for line in SILENT.split("\n") if line.strip())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
