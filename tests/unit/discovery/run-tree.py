#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Shows an artificial host to the probe and compares the library's results with the expected ones.

Usage: run-tree.py HOST PROBE REDIRECT EXPECTED [ARGUMENT...]
HOST is one of trees.HOSTS, PROBE the program, REDIRECT the library to preload, EXPECTED a file;
the arguments are for the probe. Prints the difference and exits with 1 if there is any.
"""
import difflib
import os
import subprocess
import sys
import tempfile

import trees


def main():
    name, probe, redirect, expected = sys.argv[1:5]
    with tempfile.TemporaryDirectory() as root:
        trees.lay(trees.HOSTS[name], root)
        environment = dict(os.environ, UMAD_TEST_ROOT=root, LD_PRELOAD=redirect)
        # The sanitizer insists on being loaded first, which makes no difference to what is replaced
        # here.
        options = environment.get("ASAN_OPTIONS", "")
        environment["ASAN_OPTIONS"] = options + ":verify_asan_link_order=0"
        run = subprocess.run([probe] + sys.argv[5:], env=environment, stdout=subprocess.PIPE,
                             check=False, timeout=60)
    printed = run.stdout.decode(errors="backslashreplace").splitlines(keepends=True)
    with open(expected, encoding="utf-8") as file:
        wanted = file.read().splitlines(keepends=True)
    sys.stdout.writelines(difflib.unified_diff(wanted, printed, "expected", "printed"))
    if run.returncode:
        print("the probe ended with", run.returncode)
    return 1 if run.returncode or printed != wanted else 0


if __name__ == "__main__":
    sys.exit(main())
