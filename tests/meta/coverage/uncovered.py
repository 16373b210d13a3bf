#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Prints the functions of which lines were not run, and why.

usage: uncovered.py JSON...
Reads reports of gcovr (--json), one for each library, and the reasons of reasons.tsv (path, function,
reason). Fails where that names a function that is not there.
"""
import csv
import json
import pathlib
import sys

def code_lines(file):
    return [line for line in file["lines"] if not line.get("gcovr/noncode")]


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
    reports = [json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:]]
    with open(pathlib.Path(__file__).with_name("reasons.tsv"), encoding="utf-8") as file:
        reasons = {tuple(row[:2]): row[2] for row in csv.reader(file, delimiter="\t")}
    unknown = set(reasons) - {(file["file"], function["name"]) for report in reports
                              for file in report["files"] for function in file["functions"]}
    for path, function in sorted(unknown):
        print(f"reasons.tsv: there is no {function}() in {path}")
    for report in reports:
        for (path, function), count in uncovered(report).items():
            print(path, f"{function}()", count, reasons.get((path, function), "not tested"), sep="\t")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
