#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-names.py SOURCE

No file of the project uses something that a supported system does not have, or has in another form. Each
rule says which files it is about, what must not occur there, and why. Its sample shows before
anything else that the rule finds what it is to find.
"""
import os
import re
import sys

C = r"\.[ch]$"
CMAKE = r"(^|/)CMakeLists\.txt$|\.cmake$"
PACKAGES = r"^scripts/package(s\.sh)?$|/programs\.sh$|^debian/control$"

# (files, pattern, sample, why, file that may)
RULES = [
    (C, r"\bassert_(not_)?in_range\b", "assert_in_range(n, 1, 2);",
     "deprecated in cmocka 2: assert_between() of tests/lib/test.h", None),
    (C, r"\bcall_once\b", "static void call_once(void);",
     "<stdlib.h> declares it from glibc 2.43 on", None),
    (C, r"\bstrerror(name|desc)_np\b", "strerrorname_np(error)", "not before glibc 2.32", None),
    (C, r"\bmallinfo2?\b", "mallinfo2().uordblks",
     "mallinfo2() is new in glibc 2.33: memory_in_use()", "tests/lib/memory-in-use.h"),
    (CMAKE, r"\$<CONFIG:[^>]*,", "$<CONFIG:Debug,Release>", "not before cmake 3.19", None),
    (PACKAGES, r"\blibclang-rt-\d", "clang libclang-rt-14-dev",
     "one version of clang; libclang-rt-dev is that of the system", None),
    (PACKAGES, r"\blib(boost|jsoncpp|muparser)[a-z-]*\d", "libboost-filesystem1.74.0",
     "one version of a library; apt knows which one a program needs", None),
    (PACKAGES, r"\bpkg-config(?! (-|file))", "cmake pkg-config python3",
     "the package is pkgconf", None),
]
SKIPPED = ("build", ".git", "__pycache__")


def files(source):
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if name not in SKIPPED]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), source)


def main(source):
    for _, pattern, sample, why, _ in RULES:
        if not re.search(pattern, sample):
            sys.exit("this rule no longer finds anything: " + why)
    wrong, count = [], 0
    for path in sorted(files(source)):
        rules = [rule for rule in RULES if re.search(rule[0], path) and path != rule[4]]
        if not rules:
            continue
        count += 1
        with open(os.path.join(source, path), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                wrong += ["%s:%d: %s: %s" % (path, number, line.strip(), why)
                          for _, pattern, _, why, _ in rules if re.search(pattern, line)]
    if wrong:
        sys.exit("\n".join(wrong))
    print("%d files" % count)
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
