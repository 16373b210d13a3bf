#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Checks that the tests of failing calls omit no function.

	check-cases.py functions MAP... -- PROGRAM...
		each function of the version scripts has a case in one of the programs
	check-cases.py calls calls.csv SOURCE... -- LIBRARY...
		each function that the libraries import is one that fails in the tests, or is
		in calls.csv, which says why it need not; SOURCE has the functions that fail
"""
import csv
import os
import re
import subprocess
import sys

# Macros that name a call that can fail.
REPLACED = r"^(?:FAULT_WRAP\w*|FAULT_FAILING\w*|RETURNS_ERROR|GIVES_DESCRIPTOR)\(\w[\w ]*\*?, (\w+),"
# A variable, and a function that ends the process when mad_rpc_open_port() fails.
NO_FUNCTIONS = {"ibdebug", "madrpc_init"}
INLINES = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       "../../static/headers/inlines.csv")  # exported as well, and call nothing


def complain(lines):
    for line in lines:
        print(line)
    return 1 if lines else 0


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported(path):
    """The names in a version script."""
    with open(path, encoding="ascii") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    return set(re.findall(r"^\s+(\w+);", text, flags=re.M)) - NO_FUNCTIONS


def check_functions(arguments):
    split = arguments.index("--")
    with open(INLINES, encoding="ascii", newline="") as file:
        inlines = {line.split(",")[1] for line in file if not line.startswith("#")}
    exports = set().union(*map(exported, arguments[:split]))
    # A function with sizes is called by the inline one without them.
    wanted = {name.removesuffix("_sized") for name in exports - inlines}
    listed = set()
    for program in arguments[split + 1:]:
        # A case that fails no call lists the statements that make its calls.
        listed |= {name.removesuffix("_sized") for name in
                   re.findall(r"\b\w+(?=\()|^\w+$", run(program, "--list"), flags=re.M)}
    wrong = [f"{name}: has no case" for name in sorted(wanted - listed)]
    print(f"{len(wanted)} functions, {len(wanted & listed)} with cases")
    return complain(wrong)


def imported(library):
    """Undefined symbols of a shared library, without versions."""
    return {line.split()[-1].split("@")[0] for line in
            run("nm", "-D", "--undefined-only", library).splitlines()}


def check_calls(arguments):
    split = arguments.index("--")
    table, sources, libraries = arguments[0], arguments[1:split], arguments[split + 1:]
    failing = set()
    for source in sources:
        with open(source, encoding="ascii") as file:
            failing |= set(re.findall(REPLACED, file.read(), flags=re.M))
    with open(table, encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    excused = {name for row in rows for name in row["functions"].split()}
    used = set().union(*map(imported, libraries))
    used = {name for name in used if not re.match(r"_|umad_|mad_|ib_", name)}
    wrong = [f"{name}: neither fails in the tests nor is in {table}"
             for name in sorted(used - failing - excused)]
    wrong += [f"{name}: fails in the tests and is in {table}" for name in sorted(failing & excused)]
    print(f"{len(used)} imports, {len(used & failing)} of them fail")
    return complain(wrong)


def main():
    check = {"functions": check_functions, "calls": check_calls}[sys.argv[1]]
    sys.exit(check(sys.argv[2:]))


if __name__ == "__main__":
    main()
