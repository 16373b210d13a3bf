# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""The tests that run each line of the libraries, from a build with gcov: a mutant need be shown only
to the tests of its line. A line that holds no code of its own (data, a condition's second line)
counts as the line before it, or as its whole file; so does a line that no test runs, since lines
that a process ran before a signal ended it are not counted. Tests that leave no counts - the simulation, which the build with gcov
omits, and those that compile a source themselves - count as tests of all of libibmad
and libibmad-fabric."""
import collections
import gzip
import json
import os
import shutil
import subprocess

LOOK_BACK = 12  # lines of a statement, or of a comment before it


class Reach:
    """For each file and line, the names of the tests that run it."""

    def __init__(self):
        self.lines = collections.defaultdict(set)
        self.files = collections.defaultdict(set)
        self.code = set()
        self.uncounted = set()

    def add(self, test, path, number, count):
        self.code.add((path, number))
        if count:
            self.lines[path, number].add(test)
            self.files[path].add(test)

    def tests(self, path, number):
        """The tests of a line; None where any test may be one."""
        counted = self.counted_tests(path, number)
        if counted is None or not path.startswith(("libibmad/", "libibmad-fabric/")):
            return counted
        return counted | self.uncounted

    def counted_tests(self, path, number):
        for line in range(number, max(0, number - LOOK_BACK), -1):
            if (path, line) in self.code:
                return self.lines[path, line] or self.files.get(path)
        return self.files.get(path)


def measure(source, build, tests, run):
    """Runs each test of a build with --coverage, and reads what it ran."""
    reach = Reach()
    objects = [os.path.join(build, library, f"CMakeFiles/{library[3:]}-objects.dir")
               for library in ("libibumad", "libibmad", "libibmad-fabric")]
    folders = [folder for top in objects for folder, _, _ in os.walk(top)]
    for test in tests:
        forget(folders)
        other = os.path.join(os.path.dirname(build), "build")
        command = [word.replace(other, build) for word in test.command]
        if not shutil.which(command[0]):
            reach.uncounted.add(test.name)
            continue
        run(command, 60 + 10 * test.seconds, build,
            {name: value.replace(other, build) for name, value in test.environment.items()})
        found = {folder: [name for name in os.listdir(folder) if name.endswith(".gcda")]
                 for folder in folders}
        if not any(found.values()):
            reach.uncounted.add(test.name)
        for folder, counts in found.items():
            if counts:
                read(reach, test.name, source, folder, counts)
    return reach


def forget(folders):
    for folder in folders:
        for name in os.listdir(folder):
            if name.endswith((".gcda", ".gcov.json.gz")):
                os.remove(os.path.join(folder, name))


def read(reach, test, source, folder, counts):
    subprocess.run(["gcov", "-j", *counts], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for name in os.listdir(folder):
        if not name.endswith(".gcov.json.gz"):
            continue
        with gzip.open(os.path.join(folder, name)) as file:
            for entry in json.load(file)["files"]:
                path = os.path.relpath(entry["file"], source)
                for line in entry["lines"]:
                    reach.add(test, path, line["line_number"], line["count"])
