#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-layers.py SOURCES LAYERS NM OBJECT...: no layer of the libraries uses one above it.

LAYERS is layers.txt. Reads from the object files which symbols a file uses and which file
defines them, and from the sources which headers a file includes. Of two folders only the one further
down in LAYERS may use the other, and no files may use each other in a circle. A library includes
headers of its own, of common and public ones. A structure of a header
has no pointer to a function, by which a layer could call one above it.
"""
import collections
import os
import re
import subprocess
import sys

DEFINED = set("TDBRVWCtdbrvwc")

STRUCTURE = re.compile(r"\bstruct \w+ \{\n(.*?)\n\}", re.DOTALL)
FUNCTION = re.compile(r"\(\*\s*(?:\w+\s+)*(\w+)\)\(")


def read_layers(path):
    """The folders, in order."""
    with open(path, encoding="utf-8") as file:
        return [line.split()[0] for line in file if line.strip() and not line.startswith("#")]


def source_of(obj):
    """libibumad/base/sys.c, of .../libibumad/CMakeFiles/ibumad-objects.dir/base/sys.c.o"""
    match = re.search(r"(lib[\w-]+)/CMakeFiles/[\w-]+-objects\.dir/(.+)\.(?:o|obj)$", obj)
    assert match, f"{obj} is no object of a library"
    return os.path.normpath(f"{match[1]}/{match[2]}".replace("/__/", "/../"))


def read_symbols(nm, objects):
    """{symbol: file that defines it}, {file: symbols it uses}"""
    definitions, uses = {}, collections.defaultdict(set)
    for obj in objects:
        source = source_of(obj)
        output = subprocess.run([nm, "--extern-only", obj], check=True, capture_output=True,
                                text=True).stdout
        for line in output.splitlines():
            kind, symbol = line.split()[-2:]
            if kind in DEFINED:
                definitions[symbol] = source
            elif kind in "Uw":
                uses[source].add(symbol)
    return definitions, uses


def references(definitions, uses):
    """{(user, used): symbol} for each pair of files"""
    found = {}
    for user, symbols in uses.items():
        for symbol in sorted(symbols):
            used = definitions.get(symbol)
            if used and used != user:
                found.setdefault((user, used), symbol)
    return found


def inclusions(top, layers):
    """{(file, header): what it includes} for the headers of the project, but the public ones"""
    found = {}
    for layer in layers:
        for name in os.listdir(os.path.join(top, layer)):
            if not name.endswith((".c", ".h")):
                continue
            with open(os.path.join(top, layer, name), encoding="utf-8") as file:
                for header in re.findall(r'^\s*#\s*include\s+"([^"]+)"', file.read(), re.M):
                    found[f"{layer}/{name}", header] = f'#include "{header}"'
    return found


def complain_of_files(top, layers, objects):
    """Sources that no library is made of, and folders that are no layer."""
    compiled = {source_of(obj) for obj in objects}
    found = set()
    for library in sorted({path.split("/")[0] for path in compiled}):
        for folder, _, names in os.walk(os.path.join(top, library)):
            found |= {os.path.relpath(os.path.join(folder, name), top)
                      for name in names if name.endswith((".c", ".h"))}
    return ([f"{path}: no library is made of it" for path in sorted(found - compiled)
             if path.endswith(".c")] +
            [f"{path}: its folder is no layer" for path in sorted(found)
             if os.path.dirname(path) not in layers])


def complain_of_layers(layers, pairs):
    complaints = []
    for (user, used), what in sorted(pairs.items()):
        folders = [os.path.dirname(path) for path in (user, used)]
        unknown = [folder for folder in folders if folder not in layers]
        if unknown:
            complaints.append(f"{user} -> {used} ({what}): no layer is called {unknown[0]!r}")
        elif layers.index(folders[0]) < layers.index(folders[1]):
            complaints.append(f"{user} -> {used} ({what}): {folders[0]} is below {folders[1]}")
    return complaints


def complain_of_libraries(included):
    """Headers of another library that are not public."""
    return [f"{user} includes {used} of another library" for user, used in sorted(included)
            if used.split("/")[0] not in ("common", user.split("/")[0])]


def function_members(text):
    return [name for body in STRUCTURE.findall(text) for name in FUNCTION.findall(body)]


def complain_of_upward_calls(top, layers):
    found = set()
    for layer in layers:
        for name in os.listdir(os.path.join(top, layer)):
            if name.endswith(".h"):
                with open(os.path.join(top, layer, name), encoding="utf-8") as file:
                    found |= {(f"{layer}/{name}", member)
                              for member in function_members(file.read())}
    return [f"{header}: {member}() may call upwards" for header, member in sorted(found)]


def reach(start, follow):
    seen, waiting = set(), [start]
    while waiting:
        for path in follow[waiting.pop()]:
            if path not in seen:
                seen.add(path)
                waiting.append(path)
    return seen


def circles(pairs):
    """Sets of files of which each leads to all others."""
    follow = collections.defaultdict(set)
    for user, used in pairs:
        follow[user].add(used)
    reached = {path: reach(path, follow) for path in list(follow)}
    found = {frozenset(other for other in reached[path] if path in reached.get(other, ()))
             for path in reached if path in reached[path]}
    return sorted(found, key=sorted)


def complain_of_circles(pairs):
    complaints = []
    for circle in circles(pairs):
        complaints.append(f"{len(circle)} files in a circle:")
        complaints += [f"    {user} -> {used} ({what})"
                       for (user, used), what in sorted(pairs.items())
                       if user in circle and used in circle]
    return complaints


def check_the_check():
    """The check finds exactly the faults in artificial pairs."""
    layers = ["low", "high"]
    assert not complain_of_layers(layers, {("high/a.c", "low/b.c"): "f"})
    assert complain_of_layers(layers, {("low/b.c", "high/a.c"): "f"})
    assert complain_of_layers(layers, {("high/a.c", "other/c.c"): "f"})
    assert not complain_of_libraries({("liba/b/c.c", "liba/d.h"): "", ("liba/c.c", "common/d.h"): ""})
    assert complain_of_libraries({("liba-b/c.c", "liba/d.h"): ""})
    chain = {("low/a.c", "low/b.c"): "f", ("low/b.c", "low/c.c"): "g"}
    assert not complain_of_circles(chain)
    assert len(circles({**chain, ("low/c.c", "low/a.c"): "h"})) == 1
    assert function_members("struct a {\n\tint (*_Atomic b)(int c);\n};\nint f(int (*g)(void));"
                            ) == ["b"]


def main():
    check_the_check()
    top, layers_path, nm, *objects = sys.argv[1:]
    layers = read_layers(layers_path)
    calls = references(*read_symbols(nm, objects))
    included = inclusions(top, layers)
    complaints = (complain_of_files(top, layers, objects) +
                  complain_of_layers(layers, calls) + complain_of_circles(calls) +
                  complain_of_layers(layers, included) + complain_of_circles(included) +
                  complain_of_libraries(included) +
                  complain_of_upward_calls(top, layers))
    for complaint in complaints:
        print(complaint)
    print(f"{len(objects)} files of code, {len(calls)} pairs of which one uses the other, "
          f"{len(included)} inclusions, {len(complaints)} complaints")
    assert calls and included
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main())
