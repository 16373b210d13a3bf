#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-symbols.py LIBRARY SONAME SYMBOLS.csv EXTENSIONS.csv

The shared library exports exactly the symbols of its name in the two lists, each in its version
node, as default version and of the right kind, and carries the soname given.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../headers"))
import compilecheck  # noqa: E402
import elffile  # noqa: E402

KINDS = {"FUNC": "function", "OBJECT": "object"}


def differences(exported, expected):
    wrong = []
    for name in sorted(set(expected) - set(exported)):
        wrong.append("%s@@%s is missing: is it in the .map?" % (name, expected[name]["version_node"]))
    for name in sorted(set(exported) - set(expected)):
        wrong.append("%s@@%s is in no list: tests/static/abi/extensions.csv needs a row"
                     % (name, exported[name].node))
    for name in sorted(set(expected) & set(exported)):
        symbol, row = exported[name], expected[name]
        if not symbol.default:
            wrong.append("%s is not the default version" % name)
        if symbol.node != row["version_node"]:
            wrong.append("%s is in node %s, not %s" % (name, symbol.node, row["version_node"]))
        if KINDS.get(symbol.type) != row["kind"]:
            wrong.append("%s is of type %s, not a %s" % (name, symbol.type, row["kind"]))
    return wrong


def main(library, soname, symbols_csv, extensions_csv):
    stem = soname.split(".so")[0]
    expected, twice = {}, []
    for row in compilecheck.rows(symbols_csv) + compilecheck.rows(extensions_csv):
        if row["library"] == stem:
            twice += [row["name"] + " is listed twice"] if row["name"] in expected else []
            expected[row["name"]] = row
    if not expected:
        sys.exit("no symbol of %s in the lists" % stem)

    symbols = elffile.exports(library)
    exported = {symbol.name: symbol for symbol in symbols}
    wrong = twice + differences(exported, expected)
    if len(symbols) != len(exported):
        wrong.append("a symbol has several versions")

    nodes = {row["version_node"] for row in expected.values()}
    if set(elffile.nodes(library)) != nodes:
        wrong.append("nodes are %s, not %s" % (sorted(elffile.nodes(library)), sorted(nodes)))
    if elffile.dynamic(library, "SONAME") != [soname]:
        wrong.append("soname is %s, not %s" % (elffile.dynamic(library, "SONAME"), soname))
    # Programs hold a copy of this variable, which the loader refuses or cuts at another size.
    if "ibdebug" in exported and exported["ibdebug"].size != 4:
        wrong.append("ibdebug has %d bytes, not 4" % exported["ibdebug"].size)

    print("\n".join(wrong) or "%s: %d symbols in %d nodes" % (soname, len(exported), len(nodes)))
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
