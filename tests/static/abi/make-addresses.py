#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""make-addresses.py HEADER... > addresses.c

Writes a program that takes the address of every function and object that the headers declare, so
that linking it fails for one that the libraries do not export. The text is C and C++ alike.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../headers"))
import headerparse  # noqa: E402


def main(paths):
    names = [declaration.name for path in paths for declaration in headerparse.read(path)
             if declaration.kind in ("function", "object")]
    if not names:
        sys.exit("no declaration in " + " ".join(paths))
    print("/* Made by make-addresses.py from the public headers. */")
    print("#include <stdint.h>\n#include <stdio.h>")
    for path in paths:
        print("#include <infiniband/%s>" % os.path.basename(path))
    print()
    for name in names:
        print("static uintptr_t of_%s(void)\n{\n\treturn (uintptr_t)&%s;\n}" % (name, name))
    print("static uintptr_t (*const addresses[])(void) = {")
    for name in names:
        print("\tof_%s," % name)
    print("};\n")
    print("int main(void)\n{")
    print("\tsize_t count = sizeof(addresses) / sizeof(addresses[0]);\n")
    print("\tfor (size_t i = 0; i < count; i++)\n\t\tif (!addresses[i]())\n\t\t\treturn 1;")
    print('\tprintf("%zu addresses\\n", count);')
    print("\treturn count == %d ? 0 : 1;\n}" % len(names))


if __name__ == "__main__":
    main(sys.argv[1:])
