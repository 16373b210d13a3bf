#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-names.py BUILT

Name by name, the public headers, the version scripts, the manual and Debian's symbols files agree:
what is exported is declared and has a page, and nothing else has one but the inline functions of
the headers. A function that takes the size of a structure has the page of the inline function that does not. BUILT is the folder that holds man3, man7 and man8 as they are installed: each name has a
file of its own there, which is a page or leads to one. Symbols files are looked at where there is
a folder debian.
"""
import os
import re
import sys

import manpage

import compilecheck
import headerparse

HEADERS = os.path.join(manpage.PROJECT, "include", "infiniband")
INLINES = os.path.join(manpage.PROJECT, "tests", "static", "headers", "inlines.csv")
# An inline function of other inline functions, and those that are not exported.
NO_SYMBOL = {"umad_swap_be32"} | {row["name"] for row in compilecheck.rows(INLINES)
                                  if not row["symbol"]}
SYMBOLS = {"libibumad": "libibumad3.symbols", "libibmad": "libibmad5.symbols",
           "libibmad-fabric": "libibmad-fabric0.symbols"}


def declared():
    """{name: (header, kind)} of all functions and objects in the public headers."""
    found = {}
    for header in sorted(os.listdir(HEADERS)):
        for item in headerparse.read(os.path.join(HEADERS, header)):
            if item.kind in ("function", "inline", "object"):
                found[manpage.page_name(item.name)] = (header, item.kind)
    return found


def sized():
    """Functions that are exported with the size of a structure, as pages call them."""
    return {manpage.page_name(item.name) for header in os.listdir(HEADERS)
            for item in headerparse.read(os.path.join(HEADERS, header)) if item.name.endswith("_sized")}


def only(these, those, what):
    return ["%s: %s" % (name, what) for name in sorted(set(these) - set(those))]


def check_headers(headers, exported):
    listed = set(headers) - (NO_SYMBOL - sized())
    return (only(exported, listed, "exported, but no public header declares it")
            + only(listed, exported, "declared, but no version script exports it"))


def check_pages(headers, pages):
    """Each name has one page, and that page declares it from the right header."""
    wrong, where = [], {}
    for page in pages:
        if page.section != "3":
            continue
        for name in page.names:
            if name in where:
                wrong.append("%s: in %s and in %s" % (name, where[name], page.file))
            where[name] = page.file
        shown = {name: header for name, header, _, _ in page.prototypes()}
        wrong += only(page.names, shown, "named by %s, but not in its synopsis" % page.file)
        wrong += only(shown, page.names, "in the synopsis of %s, but not named" % page.file)
        for name, header in shown.items():
            if name in headers and header != "infiniband/" + headers[name][0]:
                wrong.append("%s: %s says <%s>" % (name, page.file, header))
    return (wrong + only(headers, where, "has no page")
            + only(where, headers, "has a page, but no public header declares it"))


def check_versions(built):
    """The pages that are installed say the version of each name that is exported."""
    said = {}
    for page in manpage.pages(os.path.join(built, "man3")):
        said.update(page.versions())
    nodes = {name: node for name, (_, node) in manpage.version_nodes().items()}
    return ["%s: the manual says version %s, not %s" % (name, said.get(name), nodes.get(name))
            for name in sorted(set(nodes) | set(said)) if said.get(name) != nodes.get(name)]


def check_built(pages, built):
    """The files that are installed: pages, and links that lead to them; nothing else."""
    wrong, expected = [], set()
    for page in pages:
        for name in page.names + [page.title]:
            path = "man%s/%s.%s" % (page.section, name, page.section)
            expected.add(path)
            link = ".so man%s/%s\n" % (page.section, page.file)
            try:
                with open(os.path.join(built, path), encoding="utf-8") as file:
                    text = file.read()
            except OSError as error:
                wrong.append("%s: %s" % (path, error.strerror))
                continue
            if name != page.title and text != link:
                wrong.append("%s: does not lead to %s" % (path, page.file))
            if name == page.title and ("@EXAMPLE" in text or ".Sh NAME" not in text):
                wrong.append("%s: is no page" % path)
    there = {"%s/%s" % (folder, file) for folder in ("man3", "man7", "man8")
             for file in os.listdir(os.path.join(built, folder))}
    return wrong + only(there, expected, "is there, but no page asks for it")


def symbols(path):
    """{name: version node} of a Debian symbols file; names of nodes themselves are left out."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"\s+(?:\([^)]*\))?([\w.]+)@(\S+)\s", line)
            if match and match.group(1) != match.group(2):
                found[manpage.page_name(match.group(1))] = match.group(2)
    return found


def check_debian():
    """Every exported name at its version node, and no other."""
    folder, wrong = os.path.join(manpage.PROJECT, "debian"), []
    if not os.path.isdir(folder):
        print("no folder debian: its symbols files are not looked at")
        return wrong
    nodes = manpage.version_nodes()
    for library, file in SYMBOLS.items():
        exported = {name: node for name, (lib, node) in nodes.items() if lib == library}
        try:
            listed = symbols(os.path.join(folder, file))
        except OSError as error:
            wrong.append("debian/%s: %s" % (file, error.strerror))
            continue
        wrong += only(exported, listed, "not in debian/" + file)
        wrong += only(listed, exported, "in debian/%s, but not exported" % file)
        wrong += ["%s: debian/%s has it at %s, not at %s" % (name, file, listed[name], node)
                  for name, node in exported.items() if listed.get(name, node) != node]
        print("debian/%s: %d names" % (file, len(listed)))
    return wrong


def main():
    headers, pages = declared(), manpage.pages()
    wrong = check_headers(headers, manpage.version_nodes())
    wrong += check_pages(headers, pages)
    wrong += check_built(pages, sys.argv[1])
    wrong += check_versions(sys.argv[1])
    wrong += check_debian()
    if wrong:
        sys.exit("\n".join(wrong))
    print("%d names on %d pages" % (len(headers), len(pages)))


main()
