# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""manpage - the contents of a page of man/: names, sections, prototypes, and the tables of its sections.

Knows the few mdoc macros that these pages use. Reads the files it is given and nothing else.
"""
import glob
import os
import re
import shlex
import sys

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

sys.path.insert(0, os.path.join(PROJECT, "tests", "static", "headers"))
import headerparse  # pylint: disable=wrong-import-position


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
        self.headers = []
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        current = []
        for line in lines:
            if line.startswith(".Sh "):
                current = self.sections.setdefault(line[4:], [])
            elif line.startswith('.\\" @EXAMPLE '):
                self.examples.append(line.split()[2])
                current.append("(example)")
            elif line.startswith('.\\" @SYNOPSIS '):
                self.headers = line.split()[2:]
                self.sections["LIBRARY"] = self.sections["SYNOPSIS"] = ["(made)"]
            elif not line.startswith('.\\"'):
                current.append(line)
        self.names = [arguments(line)[0] for line in self.lines("NAME") if line.startswith(".Nm")]

    def lines(self, section):
        return self.sections.get(section, [])

    def prototypes(self):
        """Yields (name, header, declaration, parameter names): what the headers of the page declare of
        its names or, of a page as it is installed, its synopsis."""
        for header in self.headers:
            for item in headerparse.read(os.path.join(PROJECT, "include", "infiniband", header)):
                if item.name in self.names and item.kind in ("function", "inline", "object"):
                    inside = item.text.partition("(")[2].rpartition(")")[0]
                    yield (item.name, "infiniband/" + header, item.text + ";",
                           parameter_names(inside.split(",")))
        header, result = None, None
        for line in self.lines("SYNOPSIS") if not self.headers else []:
            words = arguments(line) if line.startswith(".") else []
            macro = line[1:3] if words else "object"
            if macro == "In":
                header = words[0]
            elif macro == "Ft":
                result = words[0]
            elif macro == "Fn":
                name, *parameters = words
                yield name, header, declaration(result, name, parameters), parameter_names(parameters)
            elif macro == "object":
                for text, name in re.findall(r"^([\w ]*\b(\w+);)", line):
                    yield name, header, text, []
            elif macro not in ("Bd", "Ed"):
                raise ValueError("%s: in the synopsis: %s" % (self.file, line))

    def described(self):
        """The names of all parameters and members that a list of the page describes."""
        found = set()
        for lines in self.sections.values():
            for line in lines:
                if line.startswith(".It Fa "):
                    found.update(re.findall(r"[a-z]\w*", line[4:].replace("Fa ", "")))
        return found

    def safety(self):
        """{name: thread safety} of the section ATTRIBUTES, whose first line is of all names but those
        that a list says more of."""
        first, *lines = self.lines("ATTRIBUTES")
        return {**dict.fromkeys(self.names, first.replace(", except:", "")), **dict(items(lines))}

    def versions(self):
        """{name: version node} of a page as it is installed."""
        return dict(items("\n".join(self.lines("ATTRIBUTES")).partition("\nSymbol versions:\n")[2].split("\n")))

    def references(self):
        """Yields (title, section) of all cross references."""
        for lines in self.sections.values():
            for line in lines:
                for title, section in re.findall(r"\bXr (\S+) (\d)", line):
                    yield title, section


def items(lines):
    """Yields (name, item) for each name that an item of a list has."""
    item = None
    for line in lines:
        if line.startswith(".It "):
            item = line[4:]
        elif line.startswith((".Fn ", ".Va ")):
            yield line.split()[1], item


def declaration(result, name, parameters):
    space = "" if result.endswith("*") else " "
    return "%s%s%s(%s);" % (result, space, name, ", ".join(parameters))


def parameter_names(parameters):
    """The last word of each that is no array bound."""
    return [re.findall(r"[A-Za-z_]\w*", re.sub(r"\[.*?\]", "", parameter))[-1]
            for parameter in parameters if parameter.strip() not in ("", "void")]


def pages(folder=os.path.join(PROJECT, "man")):
    """The pages of a folder, in order, without the links to them."""
    found = [page for page in map(Page, sorted(glob.glob(os.path.join(folder, "*.[378]")))) if page.names]
    if not found:
        raise SystemExit("no page in " + folder)
    return found


def page_name(name):
    """Pages call a function that takes sizes as the inline function in C that leaves them out."""
    return name[:-len("_sized")] if name.endswith("_sized") else name


def version_nodes():
    """{name: (library, version node)} of the version scripts, as pages call them."""
    found = {}
    for library in ("libibumad", "libibmad", "libibmad-fabric"):
        path = os.path.join(PROJECT, library, library + ".map")
        with open(path, encoding="utf-8") as script:
            text = re.sub(r"/\*.*?\*/", "", script.read(), flags=re.S)
        for node, body in re.findall(r"([\w.]+)\s*\{(.*?)\}", text, re.S):
            exported = body.split("local:")[0]
            for name in re.findall(r"(\w+);", exported):
                found[page_name(name)] = (library, node)
    return found
