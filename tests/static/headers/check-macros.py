#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-macros.py --compiler C --language L --include DIR macros.csv

A program may define each plain macro of the public headers once more as macros.csv has it, before
or after it includes the header, alone or with all others: the compiler says nothing.
"""
import collections
import sys

import compilecheck

# mad.h names a macro of <byteswap.h>, on little-endian machines only, and umad.h its own function.
CHOSEN_BY_THE_FIRST_HEADER = ("ntohll", "htonll")


def include(header):
    return "#include <infiniband/%s>\n" % header


def define(row):
    return "#define %s %s\n" % (row["name"], row["replacement"])


def redefine(row):
    return "#ifndef %s\n#error %s is not defined\n#endif\n" % (row["name"], row["name"]) + define(row)


def programs(rows):
    """Yields what each program is about, and the program."""
    by_header = collections.OrderedDict()
    for row in rows:
        if sys.byteorder == "big" and row["replacement"] == "bswap_64":
            continue
        by_header.setdefault(row["header"], []).append(row)
    plain = [row for row in rows if row["name"] not in CHOSEN_BY_THE_FIRST_HEADER]
    for header, own in by_header.items():
        yield "after " + header, include(header) + "".join(map(redefine, own))
    every = "".join(map(include, by_header))
    yield "before all", "".join(map(define, plain)) + every
    yield "after all", every + "".join(map(redefine, plain))
    for first in ("umad.h", "mad.h"):
        own = [row for row in by_header[first] if row["name"] in CHOSEN_BY_THE_FIRST_HEADER]
        if not own:
            continue
        yield ("after all, %s first" % first,
               include(first) + every + "".join(map(redefine, own)))


def main():
    options = compilecheck.arguments(__doc__, "macros")
    standard = "-std=gnu++11" if options.language == "c++" else "-std=gnu11"
    flags = [standard] + compilecheck.STRICT
    rows = compilecheck.rows(options.macros)

    other_tokens = dict(rows[0], replacement="(%s)" % rows[0]["replacement"])
    if not compilecheck.compiles(options, include(rows[0]["header"]) + define(other_tokens), *flags):
        sys.exit("other tokens were accepted: this check no longer finds anything")
    failed = 0
    for about, text in programs(rows):
        complaints = compilecheck.compiles(options, text, *flags)
        if complaints:
            print("%s:\n%s" % (about, complaints))
            failed += 1
    print(options.compiler, "%d macros" % len(rows))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
