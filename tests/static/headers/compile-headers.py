#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""compile-headers.py --compiler C --language L --include DIR

Each public header compiles as the first thing of a file, twice included, in every version of the
language that it is made for, without a warning; so do all of them together, in either order.
"""
import concurrent.futures
import sys

import compilecheck

STANDARDS = {
    "c": ["c99", "c11", "c17", "gnu99", "gnu11", "gnu17"],
    "c++": ["c++11", "c++14", "c++17", "c++20", "gnu++11", "gnu++20"],
}
USE = "int main(void);\nint main(void) { return 0; }\n"


def main():
    options = compilecheck.arguments(__doc__)
    names = compilecheck.headers(options.include)
    groups = [[name, name] for name in names] + [names, names[::-1]]
    jobs = [(group, standard) for group in groups for standard in STANDARDS[options.language]]

    def compile_group(job):
        group, standard = job
        text = "".join("#include <infiniband/%s>\n" % name for name in group) + USE
        return compilecheck.compiles(options, text, "-std=" + standard, "-Wpedantic", "-Wundef",
                                     "-Wredundant-decls", *compilecheck.STRICT)

    if not compilecheck.compiles(options, "#include <infiniband/no-such-header.h>\n"):
        sys.exit("a header that does not exist was accepted")
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (group, standard), complaints in zip(jobs, pool.map(compile_group, jobs)):
            if complaints:
                print("%s as %s:\n%s" % (" and ".join(group), standard, complaints))
                failed += 1
    print("%s: %d of %d compiled" % (options.compiler, len(jobs) - failed, len(jobs)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
