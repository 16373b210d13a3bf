# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""manpage - what a page of man/ says: names, sections, prototypes, and the tables of its sections.

Knows the few mdoc macros that these pages use. Reads the files it is given and nothing else.
"""
import glob
import os
import re
import shlex

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


def arguments(line):
    """The arguments of a macro line, quotes taken off."""
    return shlex.split(line.replace("'", "\\'"))[1:]


class Page:
    """names; sections as {title: lines}; comments are left out."""

    def __init__(self, path):
        self.path = path
        self.file = os.path.basename(path)
        self.title, self.section = self.file.rsplit(".", 1)
        self.sections = {}
        self.examples = []
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        current = []
        for line in lines:
            if line.startswith(".Sh "):
                current = self.sections.setdefault(line[4:], [])
            elif line.startswith('.\\" @EXAMPLE '):
                self.examples.append(line.split()[2])
                current.append("(example)")
            elif not line.startswith('.\\"'):
                current.append(line)
        self.names = [arguments(line)[0] for line in self.lines("NAME") if line.startswith(".Nm")]

    def lines(self, section):
        return self.sections.get(section, [])

    def prototypes(self):
        """Yields (name, header, declaration, parameter names) of the synopsis, in its order."""
        header, result = None, None
        for line in self.lines("SYNOPSIS"):
            words = arguments(line) if line.startswith(".") else []
            macro = line[1:3] if line.startswith(".") else ""
            if macro == "In":
                header = words[0]
            elif macro == "Ft":
                result = words[0]
            elif macro == "Fn":
                name, *parameters = words
                yield (name, header, declaration(result, name, parameters),
                       [parameter_name(p) for p in parameters if p != "void"])
            elif macro == "Vt":
                text = " ".join(word for word in words if word != ";")
                yield re.findall(r"\w+", text)[-1], header, text + ";", []
            elif macro not in ("Pp",):
                raise ValueError("%s: in the synopsis: %s" % (self.file, line))

    def described(self):
        """The names of all parameters and members that a list of the page describes."""
        found = set()
        for lines in self.sections.values():
            for line in lines:
                if line.startswith(".It Fa "):
                    found.update(re.findall(r"[a-z]\w*", line[4:].replace("Fa ", "")))
        return found

    def attributes(self):
        """{name: (thread safety, version node or "inline")} of the section ATTRIBUTES."""
        found, said = {}, None
        for line in self.lines("ATTRIBUTES"):
            words = arguments(line)
            if words and line.startswith(".It "):
                node, safety = line[4:].split(", ", 1)
                said = safety, node
            elif line.startswith((".Fn ", ".Va ")):
                found[words[0]] = said
        return found

    def references(self):
        """Yields (title, section) of all cross references."""
        for lines in self.sections.values():
            for line in lines:
                for title, section in re.findall(r"\bXr (\S+) (\d)", line):
                    yield title, section


def declaration(result, name, parameters):
    space = "" if result.endswith("*") else " "
    return "%s%s%s(%s);" % (result, space, name, ", ".join(parameters))


def parameter_name(parameter):
    """The last word that is no array bound."""
    return re.findall(r"[A-Za-z_]\w*", re.sub(r"\[.*?\]", "", parameter))[-1]


def pages(folder=os.path.join(PROJECT, "man")):
    """The pages of a folder, in order."""
    found = [Page(path) for path in sorted(glob.glob(os.path.join(folder, "*.[378]")))]
    if not found:
        raise SystemExit("no page in " + folder)
    return found


def version_nodes():
    """{name: (library, version node)} of both version scripts."""
    found = {}
    for library in ("libibumad", "libibmad"):
        path = os.path.join(PROJECT, library, library + ".map")
        with open(path, encoding="utf-8") as script:
            text = re.sub(r"/\*.*?\*/", "", script.read(), flags=re.S)
        for node, body in re.findall(r"([\w.]+)\s*\{(.*?)\}", text, re.S):
            exported = body.split("local:")[0]
            for name in re.findall(r"(\w+);", exported):
                found[name] = (library, node)
    return found
