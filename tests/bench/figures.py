#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Figures of two pairs of libraries, the limits that limits.csv sets them, and tables of both.

figures.py rounds COMPARISON OUT [NAME FIRST SECOND]...: prints the figures of programs with their spread. FIRST
and SECOND are files with a number for each round; OUT, if it is not empty, is the JSON file that the figures are
written to.

figures.py document DOCUMENT NOTE FILE...: replaces the text between the two marks in the document by the note and
the tables of JSON files (of bench-counts, too). An error leaves the document as it was.

A figure belongs to a comparison and has a value for the first pair (the distribution's, as a rule)
and for the second (ours); a value is None if the pair has no such function. What was timed has a
spread: low and high of the ratio; what was counted repeats and has none.
"""
import collections
import csv
import json
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ("distribution", "ours")
BEGIN, END = "<!-- figures: written by scripts/bench -->", "<!-- end of figures -->"

# ratio: where it was measured by itself; else it is that of the two values. columns: what is compared.
Figure = collections.namedtuple("Figure", "comparison name first second ratio low high columns",
                                defaults=[None, None, None, COLUMNS])

# kind: "ratio" limits second / first, "value" limits second. tested: a test fails above it.
Limit = collections.namedtuple("Limit", "kind most tested")


def ratio(figure):
    if figure.ratio is not None:
        return figure.ratio
    if not figure.first or figure.second is None:
        return None
    return figure.second / figure.first


def read_limits():
    """Returns {(comparison, figure): Limit}."""
    with open(os.path.join(HERE, "limits.csv"), encoding="utf-8", newline="") as file:
        return {(row["comparison"], row["figure"]):
                Limit(row["kind"], float(row["limit"]), row["tested"] == "yes")
                for row in csv.DictReader(line for line in file if not line.startswith("#"))}


def measured(figure, limit):
    """The value or the ratio that the limit is set for; None if it cannot be computed."""
    return figure.second if limit.kind == "value" else ratio(figure)


def is_met(figure, limit):
    value = measured(figure, limit)
    return value is not None and value <= limit.most


def shown_limit(limit):
    return "%s <= %s" % ("ratio" if limit.kind == "ratio" else "second", number(limit.most))


def failures(found, limits):
    """Complaints of the test: limits that are tested and not met, and limits of figures that their
    comparison does not have."""
    comparisons = {figure.comparison for figure in found}
    by_name = {(figure.comparison, figure.name): figure for figure in found}
    for key, limit in limits.items():
        if key[0] not in comparisons:
            continue
        figure = by_name.get(key)
        if not figure:
            yield "limits.csv: no figure %s: %s" % key
        elif limit.tested and not is_met(figure, limit):
            yield "%s: %s: %s, not %s" % (*key, number(measured(figure, limit)),
                                          shown_limit(limit))


def number(value):
    if value is None:
        return "none"
    if value == int(value):
        return "%d" % value
    return "%.3f" % value if abs(value) < 10 else "%.1f" % value


def shown_ratio(figure):
    value = ratio(figure)
    return "" if value is None else "%.3f" % value


def shown_spread(figure):
    """The range of a ratio that differs from run to run; else empty."""
    if figure.low is None or figure.low == figure.high:
        return ""
    return "%.3f to %.3f" % (figure.low, figure.high)


def markdown_table(found, limits):
    """The lines of the tables that scripts/bench prints and docs/performance.md has: first is the
    distribution's, second ours."""
    comparison = None
    for figure in found:
        if figure.comparison != comparison:
            comparison = figure.comparison
            yield ""
            yield "**%s**" % comparison
            yield ""
            yield "|figure|%s|%s|ratio|spread|limit|" % figure.columns
            yield "|---|--:|--:|--:|---|---|"
        yield "|%s|%s|%s|%s|%s|%s|" % (
            figure.name, number(figure.first), number(figure.second), shown_ratio(figure),
            shown_spread(figure), markdown_limit(figure, limits))


def markdown_limit(figure, limits):
    limit = limits.get((figure.comparison, figure.name))
    if not limit:
        return ""
    return "%s%s%s%s" % ("" if limit.kind == "ratio" else "ours ", number(limit.most),
                         "" if is_met(figure, limit) else ", **missed**",
                         ", tested" if limit.tested else "")


def write(path, found):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(found, file)


def read(path):
    with open(path, encoding="utf-8") as file:
        return [Figure(*members[:-1], tuple(members[-1])) for members in json.load(file)]


def of_rounds(comparison, name, rounds, columns=COLUMNS):
    """The figure of something that was timed in rounds, each a pair (first, second): the medians, the
    median of the rounds' own ratios, and between what the middle half of these lies."""
    ratios = sorted(second / first for first, second in rounds)
    first, second = map(statistics.median, zip(*rounds))
    return Figure(comparison, name, first, second, statistics.median(ratios),
                  ratios[len(ratios) // 4], ratios[len(ratios) * 3 // 4], columns)


def compare_rounds(comparison, out, *rest):
    def numbers(path):
        with open(path, encoding="utf-8") as file:
            return [float(line) for line in file]

    found = [of_rounds(comparison, name, list(zip(numbers(first), numbers(second))))
             for name, first, second in zip(*[iter(rest)] * 3)]
    print("\n".join(markdown_table(found, read_limits())))
    if out:
        write(out, found)


def update_document(path, note, *sources):
    limits = read_limits()
    found = [figure for source in sources for figure in read(source)]
    by_name = {(figure.comparison, figure.name): figure for figure in found}
    missing = sorted(set(limits) - set(by_name))
    if missing:
        sys.exit("no figures for the limits: %s" % "; ".join(map(": ".join, missing)))
    with open(path, encoding="utf-8") as file:
        before, begin, rest = file.read().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit("the document has no marks for the figures")
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write("\n".join([before + BEGIN, "", note, *markdown_table(found, limits), "", END + after]))
    os.replace(path + ".new", path)
    missed = sum(not is_met(by_name[key], limit) for key, limit in limits.items())
    print("%d figures, %d limits, %d missed" % (len(found), len(limits), missed))


if __name__ == "__main__":
    if len(sys.argv) < 5 or sys.argv[1] not in ("rounds", "document"):
        sys.exit(__doc__)
    (compare_rounds if sys.argv[1] == "rounds" else update_document)(*sys.argv[2:])
