# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""The ways in which scripts/mutate breaks the code: one small change in one line each.

Reads C as .clang-format lays it out: binary operators between blanks, one statement a line. What is in
comments, strings (but those of tables), preprocessor lines and assertions is left alone.
"""
import collections
import re

Mutant = collections.namedtuple("Mutant", "path line kind before after")

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
LOGIC = {"&&": "||", "||": "&&"}
ARITHMETIC = {"+": "-", "-": "+", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "%": "/"}
ASSIGNMENTS = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|="}
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)(?=[uUlL]*(?![\w.]))")
DECLARATION = re.compile(r"\s*[A-Za-z_]\w*(\s+\w+)*\s+\**\w")
RETURNS_NUMBER = re.compile(r"(static |inline |NOT_INLINED )*(unsigned( int| long)?|u?int\d+_t|int|long|s?size_t)"
                            r" \w+\(")
RETURNS_BOOL = re.compile(r"(static |inline )*bool \w+\(")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def without_text(source, strings=True):
    """The source with comments (and strings, if wanted) blanked, at the same places."""
    pattern = r"/\*.*?\*/|//[^\n]*"
    if strings:
        pattern += r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    else:
        pattern = r"\"(?:\\.|[^\"\\\n])*\"|(" + pattern + ")"
        return re.sub(pattern, lambda m: blank(m) if m.group(1) else m.group(), source,
                      flags=re.S)
    return re.sub(pattern, blank, source, flags=re.S)


class Places:
    """The scope of a line: in a function, in the data of a table, or in neither."""

    def __init__(self):
        self.stack = []
        self.tail = ""
        self.returns = ""

    def enter(self, line):
        if not self.stack and RETURNS_NUMBER.match(line):
            self.returns = "number"
        elif not self.stack and RETURNS_BOOL.match(line):
            self.returns = "bool"
        elif not self.stack and re.match(r"\w.*\(", line):
            self.returns = ""

    def kind(self):
        if "assert" in self.stack:
            return "none"
        for place in reversed(self.stack):
            if place in ("data", "block", "enum"):
                return place
        return "none"

    def leave(self, line):
        for character in line:
            if character == "{":
                self.stack.append(self.opened())
            elif character == "}" and self.stack:
                self.stack.pop()
            self.tail = (self.tail + character)[-400:]
        self.tail += "\n"

    def opened(self):
        before = self.tail.rstrip()
        if before.endswith((")", "else", "do")):
            return "block"
        if re.search(r"\benum( \w+)?$", before):
            return "enum"
        if before.endswith(("=", "{", ",")) or (self.stack and self.stack[-1] == "data"):
            return "data"
        if before.endswith(":"):
            return "block"
        return "struct"


def replacements(code, table, pattern):
    for match in re.finditer(pattern, code):
        if match.group(1) in table:
            yield match.start(1), match.end(1), table[match.group(1)]


def neighbours(text):
    """Numbers beside a number, in its own notation."""
    value = int(text, 0) if not re.fullmatch(r"0\d+", text) else int(text, 8)
    form = (lambda n: hex(n)) if text[:2] in ("0x", "0X") else str
    return [form(value + 1)] + ([form(value - 1)] if value > 0 else [])


def of_operators(code):
    spaced = r"(?<=[ )])(%s)(?= |$)"
    yield from (("comparison",) + r for r in replacements(
        code, COMPARISONS, spaced % "<=|>=|==|!=|<|>"))
    yield from (("logic",) + r for r in replacements(code, LOGIC, spaced % r"&&|\|\|"))
    yield from (("arithmetic",) + r for r in replacements(
        code, ARITHMETIC, r"(?<=\S )(<<|>>|[-+&|%])(?= )"))
    yield from (("arithmetic",) + r for r in replacements(
        code, ASSIGNMENTS, r"(?<= )([-+|&]=)(?= )"))


def of_numbers(code, kind):
    sizes = DECLARATION.match(code)  # an array that is longer by a byte makes no difference
    for match in NUMBER.finditer(code):
        if sizes and code[:match.start()].endswith("[") and code[match.end():].startswith("]"):
            continue
        for other in neighbours(match.group()):
            yield kind, match.start(), match.end(), other


def of_condition(code):
    match = re.fullmatch(r"(\s*(?:\} else )?(?:if|while) \()(.*)(\)(?: \{)?)\s*", code)
    if match and match.group(2).count("(") == match.group(2).count(")"):
        yield "condition", match.start(2), match.end(2), "!(" + match.group(2) + ")"


def of_return(code, raw, returns):
    match = re.fullmatch(r"(\s*return )(.+);\s*", code)
    if not match:
        return
    value = raw[match.start(2):match.end(2)]
    if value in ("true", "false"):
        other = "false" if value == "true" else "true"
    elif re.fullmatch(r"-E[A-Z]+", value):
        other = "0"
    elif returns == "bool":
        other = "!(" + value + ")"
    elif returns == "number":
        other = "(" + value + ") + 1"
    else:
        return
    yield "return", match.start(2), match.end(2), other


def of_statement(code, before):
    """A whole statement in one line, or an empty one in its place."""
    text = code.strip()
    if not text.endswith(";") or text.count("(") != text.count(")") or text == ";":
        return
    if re.match(r"(return|goto|case|default|typedef|else|do|for|if|while)\b", text):
        return
    if not before.endswith((";", "{", "}", ":", ")", "else", "do")) or "}" in text:
        return
    if text not in ("break;", "continue;") and (
            DECLARATION.match(code) or not re.search(r"[=(]|\+\+|--", text)):
        return
    start = len(code) - len(code.lstrip())
    yield "line", start, len(code.rstrip()), ";"


def of_text(code):
    """The last character of a string in a table."""
    for match in re.finditer(r"\"((?:\\.|[^\"\\])+)\"", code):
        last = match.end() - 2
        if code[last - 1] != "\\" and code[last].isalnum():
            yield "table", last, last + 1, "x" if code[last] != "x" else "y"


def in_line(place, returns, code, raw, before):
    if place == "rows":
        yield from of_numbers(code, "table")
        yield from of_text(raw)
    elif place in ("data", "enum"):
        yield from of_numbers(code, "table" if place == "data" else "constant")
        yield from of_text(raw)
        yield from of_operators(code)
    elif place == "block":
        yield from of_operators(code)
        yield from of_numbers(code, "constant")
        yield from of_condition(code)
        yield from of_return(code, raw, returns)
        yield from of_statement(code, before)


def mutants_of(path, source):
    """Every mutant of a file, in order."""
    places, before, continued = Places(), "", False
    rows = path.endswith("_rows.h")
    lines = zip(source.split("\n"), without_text(source).split("\n"),
                without_text(source, strings=False).split("\n"))
    for number, (raw, code, with_strings) in enumerate(lines, 1):
        if continued or code.lstrip().startswith("#"):
            continued = raw.endswith("\\")
            continue
        places.enter(code)
        place = "rows" if rows else places.kind()
        opens_data = re.search(r"= \{", code) and place in ("none", "block")
        if not re.match(r"\s*_Static_assert|\s*\"", code) and not opens_data:
            for kind, start, end, other in in_line(place, places.returns, code, with_strings,
                                                   before):
                after = raw[:start] + other + raw[end:]
                yield Mutant(path, number, kind, raw.strip(), after.strip())
        places.leave(code)
        before = code.strip() or before


def change(source, mutant):
    """The source with the mutant in it."""
    lines = source.split("\n")
    raw = lines[mutant.line - 1]
    lines[mutant.line - 1] = raw[:len(raw) - len(raw.lstrip())] + mutant.after
    return "\n".join(lines)
