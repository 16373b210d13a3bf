#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Shows artificial hosts to the probe and compares the library's results with the expected ones.

Usage: run-trees.py PROBE REDIRECT EXPECTED [HOST...]
PROBE is the program, REDIRECT the library to preload, EXPECTED the folder with HOST.txt of each
host; without a HOST all of trees.HOSTS. Prints each difference and exits with 1 if there is any.
"""
import difflib
import os
import subprocess
import sys
import tempfile

import trees

# Of these hosts not every device is asked for by name: that would be much to read.
DEFAULT_ONLY = {"many_devices", "too_many_devices"}


def run_probe(probe, redirect, name):
    """Returns what the probe prints on the host, and its exit status."""
    with tempfile.TemporaryDirectory() as root:
        trees.lay(trees.HOSTS[name], root)
        environment = dict(os.environ, UMAD_TEST_ROOT=root, LD_PRELOAD=redirect)
        # The sanitizer insists on being loaded first, which makes no difference to what is replaced
        # here.
        options = environment.get("ASAN_OPTIONS", "")
        environment["ASAN_OPTIONS"] = options + ":verify_asan_link_order=0"
        arguments = ["default"] if name in DEFAULT_ONLY else []
        run = subprocess.run([probe] + arguments, env=environment, stdout=subprocess.PIPE,
                             check=False, timeout=60)
    return run.stdout.decode(errors="backslashreplace"), run.returncode


def is_as_expected(probe, redirect, expected, name):
    printed, status = run_probe(probe, redirect, name)
    with open(os.path.join(expected, name + ".txt"), encoding="utf-8") as file:
        wanted = file.read()
    sys.stdout.writelines(difflib.unified_diff(wanted.splitlines(keepends=True),
                                               printed.splitlines(keepends=True),
                                               name + ": expected", name + ": printed"))
    if status:
        print("%s: the probe ended with %d" % (name, status))
    return not status and printed == wanted


def main():
    probe, redirect, expected = sys.argv[1:4]
    described = {file[:-len(".txt")] for file in os.listdir(expected)}
    failed = ["%s: only one of trees.py and %s has it" % (name, expected)
              for name in sorted(described ^ set(trees.HOSTS))]
    names = sys.argv[4:] or sorted(described & set(trees.HOSTS))
    failed += ["%s: not as expected" % name for name in names
               if not is_as_expected(probe, redirect, expected, name)]
    print("%d hosts" % len(names), *failed, sep="\n")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
