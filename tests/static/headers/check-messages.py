#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-messages.py PROGRAM

Runs a program made of messages.c: each line of its output, on standard output and on standard error,
and its exit status are those of these macros as programs and their users know them.
"""
import os
import subprocess
import sys

OUTPUT = """ibdebug: [PID] print_all: one macro, 100%
[PID] print_all: verbose macro
[PID] print_all: no values
"""
ERRORS = """ibwarn: [PID] print_all: number 42
ibwarn: [PID] print_all: a value alone
ibpanic: [PID] main: no device for 42: """ + os.strerror(19) + "\n"


def main(program):
    with subprocess.Popen([program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=dict(os.environ, LC_ALL="C"), text=True) as run:
        output, errors = run.communicate(timeout=30)
        pid = str(run.pid)
    failed = False
    for name, came, expected in (("standard output", output, OUTPUT),
                                 ("standard error", errors, ERRORS)):
        expected = expected.replace("PID", pid)
        if came != expected:
            print("%s is\n%s\nand should be\n%s" % (name, came, expected))
            failed = True
    if run.returncode != 255:
        print("exit status %d instead of 255" % run.returncode)
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
