# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""compilecheck - compile generated C or C++ text with one compiler, and read the csv files of facts.

Used by the header checks and by ../abi. Text goes in through stdin and nothing is written. A
compiler that is not there ends the program with 77, which ctest takes for a skipped test.
"""
import argparse
import csv
import glob
import os
import shutil
import subprocess
import sys

SKIPPED = 77
STRICT = ["-Wall", "-Wextra", "-Werror"]


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


def arguments(description, *positional):
    """Parses --compiler, --language, --include and the positional arguments named."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--language", choices=["c", "c++"], required=True)
    parser.add_argument("--include", required=True, help="the folder that holds infiniband/")
    for name in positional:
        parser.add_argument(name)
    options = parser.parse_args()
    if not shutil.which(options.compiler):
        skip("no compiler " + options.compiler)
    return options


def headers(include):
    """Returns the names of the public headers."""
    names = sorted(os.path.basename(p) for p in glob.glob(include + "/infiniband/*.h"))
    if not names:
        sys.exit("no header in " + include)
    return names


def include_all(include):
    """umad.h comes first: after mad.h its ntohll() and htonll() are not needed, and left out."""
    return "#include <infiniband/umad.h>\n" + "".join("#include <infiniband/%s>\n" % name for name in headers(include))


def compiles(options, text, *flags):
    """Returns what the compiler says against text: "" if nothing."""
    run = subprocess.run(
        [options.compiler, "-x", options.language, "-fsyntax-only", "-I", options.include]
        + list(flags) + ["-"],
        input=text, capture_output=True, text=True, check=False)
    return run.stdout + run.stderr if run.returncode else ""


def must_compile(options, text, must_fail, *flags):
    """Exits 0 if text compiles and must_fail, which is wrong on purpose, does not; else 1."""
    complaints = compiles(options, text, *flags)
    if complaints:
        print(complaints)
        sys.exit(1)
    if not compiles(options, must_fail, *flags):
        sys.exit("a wrong line was accepted: this check no longer finds anything")
    print(options.compiler, *flags, "agrees with %d lines" % text.count("\n"))


def rows(path):
    """Returns the rows of a csv file, its comments left out."""
    with open(path, newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(line for line in file if not line.startswith("#")))
    if not found:
        sys.exit("nothing in " + path)
    return found
