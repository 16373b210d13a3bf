# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""headerparse - the declarations of a C header at its top level, with their comments.

Enough of C for headers that a compiler accepted: function bodies are only skipped. Used by the
header checks and by ../abi. Reads the files it is given and nothing else.
"""
import re

TOKEN = re.compile(
    r"(?P<comment>/\*.*?\*/|//[^\n]*)"
    r"|(?P<directive>^[ \t]*#(?:[^\n\\]|\\\n|\\.)*)"
    r"|(?P<string>\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<space>\s+)"
    r"|(?P<other>.)",
    re.S | re.M,
)


class Declaration:
    """kind: function, inline, typedef, type (struct, union, enum) or object."""

    def __init__(self, kind, name, text, line, comment_above, comment_behind):
        self.kind = kind
        self.name = name
        self.text = text
        self.line = line
        self.comment_above = comment_above
        self.comment_behind = comment_behind


def tokens(text):
    line = 1
    for match in TOKEN.finditer(text):
        yield match.lastgroup, match.group(), line
        line += match.group().count("\n")


def without_attributes(words):
    """Leaves out __attribute__((...)) and __extension__."""
    kept, depth, skipping = [], 0, False
    for word in words:
        if word in ("__attribute__", "__attribute"):
            skipping, depth = True, 0
        elif skipping:
            depth += {"(": 1, ")": -1}.get(word, 0)
            skipping = depth > 0
        elif word != "__extension__":
            kept.append(word)
    return kept


def classify(words, has_body, function_types):
    """Yields (kind, name) for each name that the words of one declaration declare."""
    words = without_attributes(words)
    if not words:
        return
    if words[0] == "typedef":
        pointers = [i for i, word in enumerate(words) if word == "("]
        if pointers and words[-1] == ")":
            function_types.add(words[pointers[0] + 1])
            yield "typedef", words[pointers[0] + 1]
        else:
            yield "typedef", [w for w in words if re.match(r"[A-Za-z_]", w)][-1]
    elif "(" in words and words[0] not in ("struct", "union", "enum") or (
        "(" in words and words.index("(") > 2
    ):
        yield ("inline" if has_body else "function"), words[words.index("(") - 1]
    elif words[0] in ("struct", "union", "enum") and (has_body or len(words) == 2):
        yield "type", words[1] if len(words) > 1 else "(unnamed)"
    else:
        kind = "function" if set(words) & function_types else "object"
        for part in " ".join(words).split(","):
            name = re.findall(r"[A-Za-z_]\w*", part.split("[")[0])[-1]
            yield kind, name


def declarations(text):
    """Returns the Declarations of a header, in its order."""
    found, function_types = [], set()
    words, start, depth, body = [], 0, 0, False
    comment_end, code_line = None, None
    stack = list(tokens(text))

    def finish(position, line):
        nonlocal words, body
        behind = False
        for kind, value, at in stack[position + 1 :]:
            if kind == "comment":
                behind = at == line
            if kind != "space" or "\n" in value:
                break
        above = comment_end == start - 1
        for kind, name in classify(words, body, function_types):
            found.append(Declaration(kind, name, " ".join(words), start, above, behind))
        words, body = [], False

    for position, (kind, value, line) in enumerate(stack):
        if kind == "comment":
            if not words and code_line != line:
                comment_end = line + value.count("\n")
            continue
        if kind not in ("directive", "space"):
            code_line = line
        if kind in ("directive", "space"):
            pass
        elif words == ["extern"] and kind == "string":
            words = ["extern", value]
        elif len(words) == 2 and words[0] == "extern" and words[1][0] == '"' and value == "{":
            words = []
        elif depth == 0 and not words and value in (";", "}"):
            pass
        elif value == "{":
            depth, body = depth + 1, True
        elif value == "}":
            depth -= 1
            # The body of a function ends the declaration, that of a type does not.
            if depth == 0 and "(" in without_attributes(words) and words[0] != "typedef":
                finish(position, line)
        elif depth:
            pass
        elif value == ";":
            finish(position, line)
        else:
            if not words:
                start = line
            words.append(value)
    return found


def read(path):
    with open(path, encoding="utf-8") as header:
        return declarations(header.read())
