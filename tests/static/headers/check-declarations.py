#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-declarations.py --compiler C --language L --include DIR SYMBOLS EXTENSIONS INLINES

Every function and object is declared by the headers, in the header named, with the type that the
csv files give; and the headers export nothing besides. The compiler compares the types. An inline
function is exported only for the reason that INLINES gives.
"""
import re
import sys

import compilecheck
import headerparse

PROLOGUE = """
#ifdef __cplusplus
#include <type_traits>
#define ASSERT_SAME(a, b) \\
	static_assert(std::is_same<decltype(a), decltype(b)>::value, #a " has another type")
#else
#define ASSERT_SAME(a, b) \\
	_Static_assert(__builtin_types_compatible_p(__typeof__(a), __typeof__(b)), \\
		       #a " has another type")
#endif
"""


def assertion(row):
    """Declares the same under another name, and compares."""
    name = row["name"]
    other, count = re.subn(r"\b%s\b" % name, "expected_" + name, row["declaration"], count=1)
    if not count:
        sys.exit("no %s in: %s" % (name, row["declaration"]))
    other = re.sub(r"^(static|extern)\s+", "", other)
    return "extern %s\nASSERT_SAME(%s, expected_%s);\n" % (other, name, name)


def wrong_headers(options, exported, inlines):
    """Returns what is declared in another header than it should, or nowhere, or too much."""
    where = {}
    for header in compilecheck.headers(options.include):
        for declaration in headerparse.read("%s/infiniband/%s" % (options.include, header)):
            if declaration.kind in ("function", "inline", "object"):
                where[declaration.name, declaration.kind == "inline"] = header
    expected = {(row["name"], False): row["header"] for row in exported}
    expected.update({(row["name"], True): row["header"] for row in inlines})
    wrong = ["%s: declared in %s, not in %s" % (name, where.get((name, inline)), header)
             for (name, inline), header in expected.items() if where.get((name, inline)) != header]
    wrong += ["%s: declared in %s, but no row of tests/static/abi/extensions.csv has it" % (name, header)
              for (name, inline), header in where.items()
              if not inline and (name, inline) not in expected]
    return wrong


def main():
    options = compilecheck.arguments(__doc__, "symbols", "extensions", "inlines")
    standard = "-std=c++11" if options.language == "c++" else "-std=gnu11"
    inlines = compilecheck.rows(options.inlines)
    names = {row["name"] for row in inlines}
    symbols = compilecheck.rows(options.symbols) + compilecheck.rows(options.extensions)
    exported = [row for row in symbols if row["name"] not in names]
    wrong = wrong_headers(options, exported, inlines)
    reasons = {row["name"] for row in inlines if row["symbol"]}
    wrong += ["%s: inline, and exported without a reason in inlines.csv, or the other way round" % name
              for name in sorted(reasons ^ ({row["name"] for row in symbols} & names))]
    if wrong:
        sys.exit("\n".join(wrong))
    start = compilecheck.include_all(options.include) + PROLOGUE
    text = start + "".join(assertion(row) for row in exported + inlines)
    bad = start + assertion({"name": "umad_init", "declaration": "long umad_init (void);"})
    compilecheck.must_compile(options, text, bad, standard, *compilecheck.STRICT)


if __name__ == "__main__":
    main()
