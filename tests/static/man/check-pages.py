#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-pages.py

Each page of section 3 has its sections in order, describes every parameter of its synopsis, states for
every name whether threads may call it, and shows an example; each reference to a page of ours leads to
one; each page is in the list of ibmad(7) or ibumad(7); each example belongs to a page; no paragraph
begins in the middle of a sentence; and an overview names all functions that are unsafe for threads.
"""
import os
import re
import sys

import manpage

NEEDED = ["NAME", "LIBRARY", "SYNOPSIS", "DESCRIPTION", "RETURN VALUES", "EXAMPLES", "ERRORS",
          "ATTRIBUTES", "SEE ALSO"]
ORDER = ["NAME", "LIBRARY", "SYNOPSIS", "DESCRIPTION", "PARAMETERS", "RETURN VALUES", "ENVIRONMENT",
         "FILES", "EXAMPLES", "DIAGNOSTICS", "ERRORS", "ATTRIBUTES", "SEE ALSO", "STANDARDS", "CAVEATS"]
OURS = re.compile(r"(u?mad|ib|smp|sa|pma|cc|bm|safe|performance|port(id)?)_?\w*|ibmad|ibumad|xdump")
OTHERS = {("ibnetdiscover", "8"), ("ibsim", "1")}  # of infiniband-diags and ibsim-utils
SAFETY = re.compile(r"MT-Safe( env)?|MT-Unsafe( race:\w+)+")


def check_sections(page):
    titles = list(page.sections)
    wrong = ["section %s is missing" % title for title in NEEDED if title not in titles]
    wrong += ["section %s is not known" % title for title in titles if title not in ORDER]
    if titles != sorted(titles, key=lambda title: ORDER.index(title) if title in ORDER else -1):
        wrong.append("sections are out of order")
    wrong += ["section %s is empty" % title for title, lines in page.sections.items() if not lines]
    return wrong


def check_function_page(page):
    wrong = check_sections(page)
    if not page.examples:
        wrong.append("no example")
    described = page.described()
    for name, _, _, parameters in page.prototypes():
        wrong += ["parameter %s of %s() is not described" % (parameter, name)
                  for parameter in parameters if parameter not in described]
    safety = page.safety()
    if sorted(safety) != sorted(page.names):
        wrong.append("ATTRIBUTES has other names than NAME: %s" % sorted(set(safety) ^ set(page.names)))
    wrong += ["no thread safety: %s" % value for value in safety.values() if not SAFETY.fullmatch(value)]
    return wrong


def check_paragraphs(page):
    """A paragraph macro after a comma, or before a small letter, cuts a sentence in two."""
    return ["a paragraph begins in the middle of a sentence: %s / %s" % (before, after)
            for lines in page.sections.values()
            for before, macro, after in zip(lines, lines[1:], lines[2:])
            if macro == ".Pp" and (before.endswith(",") or re.match(r"[a-z]+ ", after))]


def check_threads(overview, pages):
    """Functions that are unsafe by their own page are named under Threads in the overview of their library."""
    nodes = manpage.version_nodes()
    text = "\n".join(overview.lines("DESCRIPTION")).split("\n.Ss Threads\n")[1].split("\n.Ss ")[0]
    named = set(re.findall(r"^.Xr (\w+) 3", text, flags=re.M))
    library = "lib" + overview.title
    of_library = [page for page in pages if page.section == "3" and any(
        nodes.get(name, ("",))[0] == library for name in page.names)]  # inline functions have no node
    unsafe = {name for page in of_library for name, safety in page.safety().items()
              if safety.startswith("MT-Unsafe")}
    return ["%s is not named under Threads, and unsafe" % name for name in sorted(unsafe - named)]


def main():
    pages, wrong, used = manpage.pages(), [], set()
    known = {(name, page.section) for page in pages for name in page.names + [page.title]}
    for page in pages:
        found = check_function_page(page) if page.section == "3" else []
        found += check_paragraphs(page)
        found += check_threads(page, pages) if page.section == "7" else []
        if page.title not in page.names:
            found.append("its title is none of its names")
        found += ["refers to %s(%s), which is not there" % reference
                  for reference in sorted(set(page.references()))
                  if OURS.fullmatch(reference[0]) and reference not in known | OTHERS]
        used.update(page.examples)
        wrong += ["%s: %s" % (page.file, text) for text in found]
    examples = set(os.listdir(os.path.join(manpage.PROJECT, "man", "examples")))
    wrong += ["%s: no page shows it" % name for name in sorted(examples - used)]
    wrong += ["%s: a page shows it, and it is not there" % name for name in sorted(used - examples)]
    listed = {reference for page in pages if page.section == "7" for reference in page.references()}
    wrong += ["%s: neither ibmad(7) nor ibumad(7) refers to it" % page.file for page in pages
              if page.section == "3" and not listed & {(name, "3") for name in page.names}]
    if wrong:
        sys.exit("\n".join(wrong))
    print("%d pages, %d examples" % (len(pages), len(examples)))


main()
