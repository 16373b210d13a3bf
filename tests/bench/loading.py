# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Costs of the pair for a program that loads it: relocations, instructions at its start, sizes; and time, user and
system together, of the distribution's ibstat -l, which loads both libraries, lists the devices and ends."""
import contextlib
import os
import re
import shutil
import tempfile

import hosts
import meters
import trees
from figures import Figure, of_rounds
from pairs import SONAMES, both

RUNS = 1000


@contextlib.contextmanager
def loaded(pair):
    """The environment in which a program gets the pair."""
    with tempfile.TemporaryDirectory() as folder:
        for library, soname in zip(pair, SONAMES):
            os.symlink(os.path.realpath(library), os.path.join(folder, soname))
        yield {"LD_LIBRARY_PATH": folder}


def relocations(pair):
    meters.need("readelf")
    count = 0
    for library in pair:
        for line in meters.run(["readelf", "-rW", library]).splitlines():
            count += bool(re.match(r"[0-9a-f]{8,}\s", line))
    return count


def size(library):
    """Text (which has the constants in it) and data."""
    meters.need("size")
    text, data = meters.run(["size", library]).splitlines()[1].split()[:2]
    return int(text) + int(data)


def is_loader(path):
    return os.path.basename(path or "").startswith("ld-")


def start(setup, pair):
    """Instructions of a program that is linked with the pair and ends at once, less those of one
    that is not: all, and the dynamic loader's."""
    with loaded(pair) as environment:
        with_pair, without = (
            meters.callgrind([os.path.join(setup.programs, name)], environment, marked=False)[None].instructions
            for name in ("bench-load", "bench-load-nothing"))
    for library in pair:
        if os.path.realpath(library) not in map(os.path.realpath, filter(None, with_pair)):
            raise meters.Failed("bench-load did not load " + library)
    loader = [sum(count for path, count in counts.items() if is_loader(path))
              for counts in (with_pair, without)]
    return sum(with_pair.values()) - sum(without.values()), loader[0] - loader[1]


def count(setup):
    yield Figure("loading", "relocations of the pair", *both(setup, relocations))
    first, second = both(setup, lambda pair: start(setup, pair))
    yield Figure("loading", "instructions to start with the pair", first[0], second[0])
    yield Figure("loading", "of them in the dynamic loader", first[1], second[1])
    for i, name in enumerate(["libibumad", "libibmad"]):
        yield Figure("loading", name + ", bytes of text and data",
                     size(setup.first[i]), size(setup.second[i]))


def run(command, environment):
    """Milliseconds of user and system time; the kernel counts them by the microsecond."""
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    child = os.posix_spawn(command[0], command, environment, file_actions=null)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise meters.Failed("%s ended with status %d" % (command[0], status))
    return (usage.ru_utime + usage.ru_stime) * 1000


def time_ibstat(setup):
    """Of many runs, the pairs in turns."""
    ibstat = shutil.which("ibstat", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not ibstat:
        raise meters.Skipped("no ibstat: apt-get install infiniband-diags")
    with hosts.shown(trees.HOSTS["one_hca"], setup.redirect) as host, \
            loaded(setup.first) as first, loaded(setup.second) as second:
        rounds = [[run([ibstat, "-l"], {**host, **pair}) for pair in (first, second)] for _ in range(RUNS)]
    yield of_rounds("time of programs", "ibstat -l, user and system, ms", rounds)
