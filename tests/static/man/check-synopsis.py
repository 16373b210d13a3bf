#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-synopsis.py --compiler C --language L --include DIR FOLDER

Every synopsis of the pages in FOLDER has all names of its page and compiles: after its own #include
lines alone, each prototype of a page is declared once more, which compilers refuse when it is not the same; a wrong one for each name must be refused.
Parameters have the names that the headers give them.
"""
import os
import re
import sys

import manpage

import compilecheck
import headerparse


def program(page):
    """The synopsis as a program: includes, then prototypes."""
    prototypes = list(page.prototypes())
    headers = dict.fromkeys(header for _, header, _, _ in prototypes)
    lines = ["#include <%s>" % header for header in headers]
    return "\n".join(lines + [text for _, _, text, _ in prototypes]) + "\n"


def accepted(options, pages):
    """Names whose prototype the compiler takes although it can't be right."""
    names = [name for page in pages for name, _, _, _ in page.prototypes()]
    wrong = ["struct wrong %s(struct wrong *);" % name for name in names]
    limit = "-ferror-limit=0" if "clang" in options.compiler else "-fmax-errors=0"
    said = compilecheck.compiles(
        options, compilecheck.include_all(options.include)
        + "struct wrong;\n" + "\n".join(wrong), limit)
    refused = set(re.findall(r"error:.*?['‘](\w+)['’]", said))
    return ["%s(): a wrong prototype was accepted" % name for name in names if name not in refused]


def squeezed(text):
    return re.sub(r"\s+", "", text)


def other_words(page, include):
    """Prototypes that say the same as the header in other words: names, const, array bounds."""
    wrong = []
    for name, header, text, _ in page.prototypes():
        for item in headerparse.read(os.path.join(include, header)):
            if item.name == name and item.kind != "type" and squeezed(item.text + ";") != squeezed(
                    text):
                wrong.append("%s: %s\n\t%s has: %s" % (page.file, text, header, item.text))
    return wrong


def main():
    options = compilecheck.arguments(__doc__, "folder")
    wrong, count = [], 0
    pages = manpage.pages(options.folder)
    for page in pages:
        text = program(page)
        shown = {name for name, _, _, _ in page.prototypes()}
        wrong += ["%s: %s: in NAME or in the synopsis only" % (page.file, name)
                  for name in sorted(set(page.names) ^ shown)]
        count += len(list(page.prototypes()))
        complaints = compilecheck.compiles(options, text, *compilecheck.STRICT)
        if complaints:
            wrong.append("%s:\n%s" % (page.file, complaints))
        wrong += other_words(page, options.include)
    wrong += accepted(options, pages)
    if wrong:
        sys.exit("\n".join(wrong))
    print("%d prototypes compile with %s" % (count, options.compiler))


main()
