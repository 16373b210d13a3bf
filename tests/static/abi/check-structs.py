#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-structs.py --compiler C --language L --include DIR structs.csv

Every structure, union and typedef has the size, and every member the place, size and type, that
structs.csv gives: those that depend on the machine where pointers and long have 64 bits.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../headers"))
import compilecheck  # noqa: E402

PROLOGUE = """
#include <stddef.h>
#ifdef __cplusplus
#include <type_traits>
#define _Static_assert static_assert
#define _Alignof alignof
#define SAME(a, b) std::is_same<__typeof__(a), __typeof__(b)>::value
#else
#define SAME(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))
#endif
"""


def assertion(row):
    kind, holder, ctype = row["kind"], row["type"], row["ctype"]
    line = '_Static_assert(%s, "' + holder + " " + row["member"] + '");\n'
    if kind == "member":
        if row["member"] == "{anonymous}":
            return ""
        member = "((%s *)0)->%s" % (holder, row["member"])
        text = line % ("offsetof(%s, %s) == %s" % (holder, row["member"], row["offset"]))
        # An array of no entries has no size in C++, and an unnamed type none to compare with.
        if row["size"] != "0":
            text += line % ("sizeof(%s) == %s" % (member, row["size"]))
            if "{anon}" not in ctype:
                text += line % ("SAME(%s, %s)" % (member, ctype))
        return text
    if ctype == "function":
        return line % ("sizeof(%s *) == %s" % (holder, row["size"]))
    text = line % ("sizeof(%s) == %s" % (holder, row["size"]))
    if ctype.startswith("align="):
        text += line % ("_Alignof(%s) == %s" % (holder, ctype[len("align="):]))
    elif kind == "typedef" and "{anon}" not in ctype:
        text += line % ("SAME(%s, %s)" % (holder, ctype))
    return text


def main():
    options = compilecheck.arguments(__doc__, "structs")
    standard = "-std=c++11" if options.language == "c++" else "-std=gnu11"
    start = compilecheck.include_all(options.include) + PROLOGUE
    structs = compilecheck.rows(options.structs)
    text = start + "".join(assertion(row) for row in structs if row["machines"] == "all")
    text += "#ifdef __LP64__\n"
    text += "".join(assertion(row) for row in structs if row["machines"] == "LP64") + "#endif\n"
    last = next(row for row in reversed(structs) if row["machines"] == "all" and row["kind"] == "member")
    wrong = start + assertion(dict(last, offset="4711"))
    compilecheck.must_compile(options, text, wrong, standard, *compilecheck.STRICT)


if __name__ == "__main__":
    main()
