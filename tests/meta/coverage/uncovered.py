#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Functions of which lines were not run, as docs/coverage.md lists them.

usage: uncovered.py DOCUMENT JSON...
Reads reports of gcovr (--json), one for each library, and writes what is between the two marks of
DOCUMENT: covered lines and branches, and the functions with the reasons of reasons.tsv (path,
function, reason). Fails where that names a function that is not there.
"""
import csv
import json
import pathlib
import sys

BEGIN = "<!-- written by scripts/coverage --write -->\n"
END = "<!-- end -->\n"


def code_lines(file):
    return [line for line in file["lines"] if not line.get("gcovr/noncode")]


def share(done, count):
    return f"{100 * done / count:.1f}%"


def figures(library, report):
    """The row of a library: how many of its lines and branches were run, and which were not."""
    lines = [line for file in report["files"] for line in code_lines(file)]
    branches = [branch for line in lines for branch in line["branches"]]
    run = sum(line["count"] > 0 for line in lines)
    taken = sum(branch["count"] > 0 for branch in branches)
    return (f"| {library} | {share(run, len(lines))} | {len(lines) - run} | "
            f"{share(taken, len(branches))} | {len(branches) - taken} |\n")


def uncovered(report):
    """(path, function): the number of lines that were not run, in the order of the files."""
    counts = {}
    for file in report["files"]:
        starts = sorted((f["lineno"], f["name"]) for f in file["functions"])
        for line in code_lines(file):
            if line["count"] == 0:
                name = [name for start, name in starts if start <= line["line_number"]][-1]
                key = file["file"], name
                counts[key] = counts.get(key, 0) + 1
    return counts


def main():
    document = pathlib.Path(sys.argv[1])
    reports = {path.stem: json.loads(path.read_text()) for path in map(pathlib.Path, sys.argv[2:])}
    with open(pathlib.Path(__file__).with_name("reasons.tsv"), encoding="utf-8") as file:
        reasons = {tuple(row[:2]): row[2] for row in csv.reader(file, delimiter="\t")}
    known = {(file["file"], function["name"]) for report in reports.values()
             for file in report["files"] for function in file["functions"]}
    for path, function in sorted(set(reasons) - known):
        print(f"reasons.tsv: there is no {function}() in {path}")
    text = "| library | lines run | not run | branches taken | not taken |\n|---|---|---|---|---|\n"
    text += "".join(figures(library, report) for library, report in reports.items())
    text += "\n| file | function | lines | why |\n|---|---|---|---|\n"
    for report in reports.values():
        for (path, function), count in uncovered(report).items():
            why = reasons.get((path, function), "not tested")
            text += f"| {path} | {function} | {count} | {why} |\n"
    old = document.read_text()
    before, after = old.split(BEGIN)[0], old.split(END)[1]
    document.write_text(before + BEGIN + text + END + after)
    return 1 if set(reasons) - known else 0


if __name__ == "__main__":
    sys.exit(main())
