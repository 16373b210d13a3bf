#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Comments, names and documents use the field's terms, and comments name their subject.

usage: check-words.py TOP

words.tsv lists words to avoid, each with the term to use instead, where the check looks for the word ("names":
in everything, "text": in tests and scripts in comments only, "begin": at the beginning of comments, "line": at
the beginning of lines in comments of C), and an example that the check must find. words-allowed.tsv lists
the places where such a word is right, 30 at most; the check names entries there that allow nothing any more.
"""

import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

PRODUCT = ("libibumad", "libibmad", "libibmad-fabric", "common", "include", "man", "docs", "examples", "cmake",
           "debian", "redhat", "tools", "python", "CMakeLists.txt", "README.md", "CONTRIBUTING.md", "SECURITY.md",
           "MAINTAINERS.md", "CHANGELOG.md")
TOOLS = ("tests", "scripts")
# Data and generated files, and output of other projects' programs.
NOT_TEXT = re.compile(r"\.(xz|patch|svg|net|topology|pcap|gz)$|/__pycache__/|/\.")
TABLE = re.compile(r"\.(tsv|csv|txt)$")  # of which only the beginnings of comments count
C_SUFFIXES = (".c", ".h", ".cpp")
MOST_ALLOWED = 30

C_TOKEN = re.compile(r"""(?P<comment>/\*.*?\*/|//[^\n]*)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""",
                     re.S)
SCRIPT_COMMENT = re.compile(r'(?m)(?:^|(?<=\s))#[^\n]*|"""(?:.|\n)*?"""')
# A comment of several lines in a script, a comment behind code, or a docstring.
SCRIPT_BLOCK = re.compile(r'(?m)^[ \t]*#(?!!)[^\n]*(?:\n[ \t]*#[^\n]*)*|(?<=\S)[ \t]+# [^\n]*|^[ \t]*"""(?:.|\n)*?"""')
# Before the first word of a comment: what opens it, and its SPDX line.
OPENING = re.compile(r'(?:[ \t\n]|/\*+<?|\*(?!/)|//|#|"""|SPDX-License-Identifier:[^\n]*)*')
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
    whole = r"(?:%s)(?![A-Za-z])" % word.pattern.replace(" ", BETWEEN)
    if word.scope == "begin":
        return re.compile(whole, re.IGNORECASE)
    if word.scope == "line":
        return re.compile(r"(?m)^[ \t]*" + whole)
    return re.compile(r"(?<![A-Za-z])" + whole)


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
    if path.endswith(C_SUFFIXES):
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


def beginnings_of(path, text):
    """The offsets of the first words of comments."""
    is_c = path.endswith(C_SUFFIXES)
    for match in (C_TOKEN if is_c else SCRIPT_BLOCK).finditer(text):
        begin = OPENING.match(text, match.start()).end()
        if begin < match.end() and (not is_c or match.group("comment")):
            yield begin


def matches_of(word, pattern, path, text, comments):
    """The places of a word in a file."""
    if word.scope == "line":
        if path.endswith(C_SUFFIXES):
            yield from pattern.finditer(comments_of(path, text))
    elif word.scope == "begin":
        if path.endswith((".md", ".3", ".7", ".8")):
            return
        for begin in beginnings_of(path, text):
            match = pattern.match(text, begin)
            if match:
                yield match
    elif not TABLE.search(path):
        yield from pattern.finditer(text if word.scope == "names" else comments)


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
            for match in matches_of(word, pattern, path, text, comments):
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
    if len(allowed) > MOST_ALLOWED:
        print("words-allowed.tsv: more than %d places" % MOST_ALLOWED)
        errors += 1
    print("%d words, %d files, %d errors" % (len(words), files, errors))
    return 1 if errors or not files else 0


if __name__ == "__main__":
    sys.exit(main())
