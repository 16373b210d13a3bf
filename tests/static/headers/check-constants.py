#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-constants.py --compiler C --language L --include DIR constants.csv

Every constant has its value, every enumerator belongs to the enumeration that it should (only C++
checks that), and the macros that take arguments exist. The compiler decides, by static assertions.
"""
import compilecheck

PROLOGUE = """
#include <string.h>
/* The requests of umad.h name these structures of the kernel, and leave them to their users. */
struct ib_user_mad_reg_req { uint32_t words[7]; };
struct ib_user_mad_reg_req2 { uint32_t words[10]; };
#ifdef __cplusplus
#include <type_traits>
#define _Static_assert static_assert
#define ASSERT_TAG(name, tag) \\
	static_assert(std::is_same<decltype(name), tag>::value, #name " is of enum " #tag)
#else
#define ASSERT_TAG(name, tag) _Static_assert(sizeof(enum tag) == sizeof(int), "enum " #tag)
#endif
"""


def literal(value):
    number = int(value, 0)
    if number > 0x7FFFFFFFFFFFFFFF:
        return "%dULL" % number
    return "%dLL" % number


def assertion(row):
    name, value = row["name"], row["value"]
    lines = []
    if "macro" in row["kind"]:
        lines.append("#ifndef %s\n#error %s is not defined\n#endif" % (name, name))
    if row["type"] == "str":
        lines.append('_Static_assert(sizeof(%s) == sizeof("%s") && '
                     '__builtin_strcmp(%s, "%s") == 0, "%s");' % (name, value, name, value, name))
    elif row["type"] == "int":
        # The numbers of requests are made in another way on a few machines (mips, powerpc, ...).
        guard = name.startswith("IB_USER_MAD_")
        lines.append("#if _IOC_NONE == 0" if guard else "")
        lines.append('_Static_assert((%s) == %s, "%s");' % (name, literal(value), name))
        lines.append("#endif" if guard else "")
    if row["enum_tag"]:
        lines.append("ASSERT_TAG(%s, %s);" % (name, row["enum_tag"]))
    return "\n".join(line for line in lines if line) + "\n"


def main():
    options = compilecheck.arguments(__doc__, "constants")
    standard = "-std=c++11" if options.language == "c++" else "-std=gnu11"
    start = compilecheck.include_all(options.include) + PROLOGUE
    constants = compilecheck.rows(options.constants)
    text = start + "".join(assertion(row) for row in constants)
    wrong = start + assertion(dict(constants[0], value="4711"))
    compilecheck.must_compile(options, text, wrong, standard, *compilecheck.STRICT)


if __name__ == "__main__":
    main()
