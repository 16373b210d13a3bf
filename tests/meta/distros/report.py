#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""report.py FOLDER NAME...: what scripts/distros found on each system, as a table.

FOLDER/NAME holds what a system's run left: ctest.log (of ctest --verbose), ctest-again.log (what
had failed, once more) and ctest-root.log (what needs root), about.tsv (kind and
text), and run.tsv and steps.tsv (result, step and reason). Fails if anything failed, or if a system has no test that passed.
"""
import collections
import pathlib
import re
import sys
import textwrap

RESULT = re.compile(r"^ *\d+/\d+ Test +#(\d+): (\S+) \.*(?: +|\*+)([A-Z].*?) +[\d.]+ sec")
OUTPUT = re.compile(r"^(\d+): (?:# )?[Ss]kipped: (.*)")
KERNEL = re.compile(r"^\d+: kernel: linux-image-(\S+)")
WIDTH = 100


def rows(file):
    """The columns of each line of a .tsv file, which need not be there."""
    if not file.exists():
        return []
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]


class System:
    """Everything that one system's folder says."""

    def __init__(self, folder):
        self.results = {}  # of each test or step: how it ended, and why
        self.again = []  # tests that failed at first and passed when they ran again
        self.about = collections.defaultdict(list)
        for kind, text in rows(folder / "about.tsv"):
            self.about[kind].append(text)
        for name in ("run.tsv", "steps.tsv"):
            for result, step, reason in rows(folder / name):
                self.results[step] = (result.capitalize(), reason)
        for name in ("ctest.log", "ctest-again.log", "ctest-root.log"):
            if (folder / name).exists():
                self.read_ctest(folder / name)

    def read_ctest(self, file):
        """Note each test; the reason of one that was skipped is among what it printed."""
        reasons = {}
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            output = OUTPUT.match(line)
            if output:
                reasons[output.group(1)] = output.group(2)
            kernel = KERNEL.match(line)
            if kernel:
                self.about["kernel"] = ["kernel " + kernel.group(1)]
            result = RESULT.match(line)
            if not result:
                continue
            number, name, status = result.groups()
            before = self.results.get(name, (status,))[0]
            if status == "Passed" and before not in (status, "Skipped"):
                self.again.append(name)
            self.results[name] = (status, reasons.get(number, ""))

    def having(self, *statuses):
        """The tests and steps that ended in one of these ways."""
        return [name for name, (status, _) in self.results.items() if status in statuses]

    def failed(self):
        """The tests and steps that neither passed nor were skipped."""
        return [name for name, (status, _) in self.results.items()
                if status not in ("Passed", "Skipped")]

    def lines(self, name):
        """The system's lines of the table."""
        tools = ", ".join(self.about["compiler"] + self.about["kernel"])
        skipped = collections.defaultdict(list)
        for test in self.having("Skipped"):
            skipped[self.results[test][1] or "no reason given"].append(test)
        yield (f"{name:9} {tools:48} {len(self.having('Passed')):6} {len(self.failed()):6} "
               f"{len(self.having('Skipped')):7}")
        details = [", ".join(self.about["other"])]
        if self.about["seconds"]:
            details.append(f"seconds: {', '.join(self.about['seconds'])}")
        details += [f"FAILED: {test}: {' '.join(self.results[test])}" for test in self.failed()]
        details += [f"skipped: {reason}: {', '.join(tests)}"
                    for reason, tests in sorted(skipped.items())]
        if self.again:
            details.append(f"passed when run again, alone: {', '.join(self.again)}")
        for text in details:
            yield from textwrap.wrap(text, WIDTH, initial_indent="    ",
                                     subsequent_indent="        ")


def main():
    """Print all of them."""
    folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
    print(f"{'system':9} {'compilers and kernel':48} passed failed skipped")
    wrong = False
    for name in names:
        system = System(folder / name)
        print("\n".join(system.lines(name)))
        wrong |= bool(system.failed()) or not system.having("Passed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
