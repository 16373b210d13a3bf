# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""The distribution's ibstat -l on either pair, which loads both libraries, lists the devices and
ends. User and system time together, of many runs, the pairs in turns."""
import contextlib
import os
import shutil
import tempfile

import hosts
import meters
import trees
from figures import of_rounds
from count_loading import SONAMES

RUNS = 1000


def run(command, environment):
    """Milliseconds of user and system time; the kernel counts them by the microsecond."""
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    child = os.posix_spawn(command[0], command, environment, file_actions=null)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise meters.Failed("%s ended with status %d" % (command[0], status))
    return (usage.ru_utime + usage.ru_stime) * 1000


def compare(setup, command, environment):
    with contextlib.ExitStack() as stack:
        environments = []
        for pair in (setup.first, setup.second):
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            for library, soname in zip(pair, SONAMES):
                os.symlink(os.path.realpath(library), os.path.join(folder, soname))
            environments.append(dict(environment, LD_LIBRARY_PATH=folder))
        return [[run(command, own) for own in environments] for _ in range(RUNS)]


def count(setup):
    ibstat = shutil.which("ibstat", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not ibstat:
        raise meters.Skipped("no ibstat: apt-get install infiniband-diags")
    with hosts.shown(trees.HOSTS["one_hca"], setup.redirect) as environment:
        yield of_rounds("time of programs", "ibstat -l, user and system, ms",
                        compare(setup, [ibstat, "-l"], environment))
