#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""The project's own words for things that have a standard name do not come back.

usage: check-words.py TOP

words.tsv lists the words, each with the term to use instead, where it is looked for ("names": in
everything, "text": in tests and scripts in comments only), and an example that the check must find.
words-allowed.tsv lists the places where such a word is right; the check names entries there that
allow nothing any more.
"""

import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

PRODUCT = ("libibumad", "libibmad", "libibmad-fabric", "common", "include", "man", "docs", "examples", "cmake",
           "debian", "redhat", "tools", "README.md", "CONTRIBUTING.md", "SECURITY.md",
           "CHANGELOG.md")
TOOLS = ("tests", "scripts")
# Data and generated files, and what other projects' programs print.
NOT_TEXT = re.compile(r"\.(tsv|csv|xz|txt|patch|svg|net|topology|pcap|gz)$|/__pycache__/|/\.")

C_TOKEN = re.compile(r"""(?P<comment>/\*.*?\*/|//[^\n]*)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
                     re.S)
SCRIPT_COMMENT = re.compile(r'(?m)(?:^|(?<=\s))#[^\n]*|"""(?:.|\n)*?"""')
# Between two words of a phrase: blanks, or the end of a line and what begins a line of a comment.
BETWEEN = r"(?:[ \t]+|[ \t]*\n[ \t]*(?:\*|#|\.\\\")?[ \t]*)"

Word = collections.namedtuple("Word", "pattern instead scope example")
Allowed = collections.namedtuple("Allowed", "path text reason")


def read_table(name, row):
    """The rows of a table of this folder, as tuples of one type."""
    rows = []
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                rows.append(row(*line.split("\t")))
    return rows


def compile_word(word):
    """The regular expression of a row: whole words, also as parts of a name with underscores."""
    return re.compile(r"(?<![A-Za-z])(?:%s)(?![A-Za-z])" % word.pattern.replace(" ", BETWEEN))


def files_below(top, folders):
    """The paths of all text files in some folders, relative to top."""
    for folder in folders:
        path = os.path.join(top, folder)
        if os.path.isfile(path):
            yield folder
        for parent, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                found = os.path.relpath(os.path.join(parent, name), top)
                if not NOT_TEXT.search("/" + found):
                    yield found


def comments_of(path, text):
    """The text with everything but comments replaced by blanks; lines stay where they are."""
    if path.endswith((".c", ".h", ".cpp")):
        spans = [m.span() for m in C_TOKEN.finditer(text) if m.group("comment")]
    else:
        spans = [m.span() for m in SCRIPT_COMMENT.finditer(text)]
    kept, end = [], 0
    for begin, after in spans:
        kept.append(re.sub(r"[^\n]", " ", text[end:begin]))
        kept.append(text[begin:after])
        end = after
    kept.append(re.sub(r"[^\n]", " ", text[end:]))
    return "".join(kept)


def main():
    top = sys.argv[1]
    words = [(word, compile_word(word)) for word in read_table("words.tsv", Word)]
    allowed = read_table("words-allowed.tsv", Allowed)
    used, errors, files = set(), 0, 0

    for word, pattern in words:
        if not pattern.search(word.example):
            print("words.tsv: '%s' does not find its example" % word.pattern)
            errors += 1
    for path in list(files_below(top, PRODUCT)) + list(files_below(top, TOOLS)):
        try:
            with open(os.path.join(top, path), encoding="utf-8") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue
        files += 1
        comments = comments_of(path, text) if path.split("/")[0] in TOOLS else text
        for word, pattern in words:
            searched = text if word.scope == "names" else comments
            for match in pattern.finditer(searched):
                line = text[text.rfind("\n", 0, match.start()) + 1:]
                line = line[:line.find("\n")] if "\n" in line else line
                reasons = [number for number, entry in enumerate(allowed)
                           if re.search(entry.path, path) and re.search(entry.text, line)]
                used.update(reasons)
                if not reasons:
                    print("%s:%d: '%s': %s" % (path, text.count("\n", 0, match.start()) + 1,
                                               " ".join(match.group().split()), word.instead))
                    errors += 1
    for number, entry in enumerate(allowed):
        if number not in used:
            print("words-allowed.tsv: can go: %s, %s" % (entry.path, entry.text))
    print("%d words, %d files, %d errors" % (len(words), files, errors))
    return 1 if errors or not files else 0


if __name__ == "__main__":
    sys.exit(main())
