#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Pairs of libraries, and the programs that measure them. By itself it prints the distribution's
pair, a path a line."""
import collections
import os
import re
import subprocess
import sys

import meters

Pair = collections.namedtuple("Pair", "libibumad libibmad")
SONAMES = Pair("libibumad.so.3", "libibmad.so.5")

# Arguments of the counting functions. programs: the folder with the bench-* programs; redirect:
# the library that shows artificial hosts; first, second: the pairs; rounds: of what times the codec.
Setup = collections.namedtuple("Setup", "programs redirect first second rounds")


def distribution():
    """The pair that the loader finds by itself; raises Skipped where there is none."""
    cache = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True,
                           env=dict(os.environ, LC_ALL="C"), check=False).stdout
    found = []
    for soname in SONAMES:
        match = re.search(r"^\s*%s \(.*\) => (\S+)$" % re.escape(soname), cache, re.MULTILINE)
        if not match:
            raise meters.Skipped("the distribution's %s is not installed" % soname)
        found.append(match.group(1))
    return Pair(*found)


def program(setup, name, pair, *arguments):
    return [os.path.join(setup.programs, name), *pair, *arguments]


def own(pair, counted):
    """The instructions of the two libraries themselves."""
    files = {os.path.realpath(library) for library in pair}
    return sum(count for path, count in counted.instructions.items()
               if os.path.realpath(path or "") in files)


def with_libc(pair, counted):
    """The instructions of the two libraries and of libc."""
    return own(pair, counted) + sum(
        count for path, count in counted.instructions.items()
        if os.path.basename(path or "").startswith("libc.so"))


def both(setup, measure):
    return [measure(pair) for pair in (setup.first, setup.second)]


if __name__ == "__main__":
    try:
        print("\n".join(distribution()))
    except meters.Skipped as reason:
        print("skipped:", reason, file=sys.stderr)
        sys.exit(77)
