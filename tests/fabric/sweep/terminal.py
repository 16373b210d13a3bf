#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Runs a command at a terminal of its own, types something once it has printed a text, and waits for its
end. Prints what the command printed.

usage: terminal.py TEXT TYPED COMMAND...
"""

import os
import pty
import sys


def main():
    text = sys.argv[1].encode()
    typed = sys.argv[2].encode().decode("unicode_escape").encode()
    pid, terminal = pty.fork()
    if not pid:
        os.execvp(sys.argv[3], sys.argv[3:])
    seen = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # the terminal was closed with the last process
            break
        if not part:
            break
        sys.stdout.buffer.write(part)
        sys.stdout.flush()
        seen += part
        if typed and text in seen:
            os.write(terminal, typed)
            typed = b""
    os.waitpid(pid, 0)
    return 0 if not typed else 1


if __name__ == "__main__":
    sys.exit(main())
