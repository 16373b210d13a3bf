# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Runs a program under callgrind or strace and returns what it counted between its marks (marks.h).

A tool that is missing or may not be used raises Skipped, a program that fails raises Failed.
"""
import collections
import os
import re
import shutil
import subprocess
import tempfile

TIMEOUT = 300  # seconds, for a program that hangs
HAS_NONE = 3   # exit status of a program whose pair has no such function
BEGIN, END = 0x3ffffff0, 0x3ffffff1

Counted = collections.namedtuple("Counted", "calls instructions")  # instructions: by object file
Call = collections.namedtuple("Call", "name text")


class Skipped(Exception):
    """A tool or a library that a measurement needs is missing."""


class Failed(Exception):
    """A program that did not do what it was to."""


def need(tool):
    if not shutil.which(tool):
        raise Skipped("no " + tool)


def run(command, environment=None):
    """Runs a program; returns its output, or None when its pair has no such function."""
    ran = subprocess.run(command, env=dict(os.environ, LC_ALL="C", **(environment or {})),
                         capture_output=True, text=True, check=False, timeout=TIMEOUT)
    if ran.returncode == HAS_NONE:
        return None
    if ran.returncode:
        raise Failed("%s: exit status %d: %s" % (" ".join(command), ran.returncode,
                                                 ran.stderr.strip()))
    return ran.stdout


def lines(command, environment=None):
    """The columns of each line of the output; None as run()."""
    text = run(command, environment)
    return text and [line.split("\t") for line in text.splitlines()]


def read_counts(path):
    """Sums a callgrind file by object file: (label or None, Counter)."""
    label, calls, found, current, inclusive = None, 0, collections.Counter(), None, False
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            match = re.match(r"desc: Trigger: Client Request: figure (\d+) (.*)", line)
            if match:
                calls, label = int(match.group(1)), match.group(2)
            elif line.startswith("ob="):
                current = line[3:].strip()
            elif line.startswith("calls="):
                inclusive = True  # the next line has the costs of what was called
            elif line[0].isdigit():
                if not inclusive:
                    found[current] += int(line.split()[1])
                inclusive = False
    return label, Counted(calls, found)


def callgrind(command, environment=None, marked=True):
    """Returns {label: Counted} for each mark, and with marked False the whole run under None; None
    when the pair has no such function."""
    need("valgrind")
    with tempfile.TemporaryDirectory() as directory:
        out = os.path.join(directory, "out")
        if run(["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=" + out,
                "--compress-strings=no", "--compress-pos=no", "--dump-line=no"] + command,
               environment) is None:
            return None
        names = sorted(os.listdir(directory), key=lambda name: (len(name), name))  # as they were written
        counts = dict(read_counts(os.path.join(directory, name)) for name in names)
    if marked and not any(counts):
        raise Skipped("%s was built without valgrind's headers" % command[0])
    return counts


def strace(command, environment=None):
    """Returns the system calls between the marks, each a Call; None as callgrind()."""
    need("strace")
    try:
        run(["strace", "-o", os.devnull, "true"])
    except Failed as failure:
        raise Skipped("strace can't trace: %s" % failure) from failure
    with tempfile.TemporaryDirectory() as directory:
        log = os.path.join(directory, "log")
        with_environment = ["%s=%s" % pair for pair in (environment or {}).items()]
        if run(["strace", "-f", "-o", log, "env"] + with_environment + command) is None:
            return None
        with open(log, encoding="utf-8", errors="replace") as file:
            return list(between_marks(file))


def between_marks(lines):
    inside = ended = False
    for line in lines:
        match = re.match(r"\d+ +(\w+)\((.*)", line)
        if not match:
            continue
        if match.group(1) == "getpgid" and match.group(2).startswith(("%d)" % BEGIN, "%d)" % END)):
            inside = match.group(2).startswith("%d)" % BEGIN)
            ended = not inside
        elif inside:
            yield Call(*match.groups())
    if not ended:
        raise Failed("no marks in the trace")
