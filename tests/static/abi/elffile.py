# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""elffile - the dynamic symbols of a shared library, as readelf prints them.

Runs readelf on the file given and nothing else; without readelf the program ends with 77.
"""
import collections
import os
import re
import shutil
import subprocess
import sys

Symbol = collections.namedtuple("Symbol", "name node default type size defined")


def readelf(option, path):
    if not shutil.which("readelf"):
        print("skipped: no readelf")
        sys.exit(77)
    run = subprocess.run(["readelf", "-W", option, path], env=dict(os.environ, LC_ALL="C"),
                         capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit("readelf %s %s: %s" % (option, path, run.stderr))
    return run.stdout


def symbols(path):
    """Returns every Symbol of the dynamic symbol table, version nodes themselves left out."""
    found = []
    for line in readelf("--dyn-syms", path).splitlines():
        words = line.split()
        if len(words) < 8 or not re.match(r"\d+:$", words[0]):
            continue
        kind, bind, section, name = words[3], words[4], words[6], words[7]
        if section == "ABS" or bind == "LOCAL":
            continue
        name, _, node = name.partition("@")
        found.append(Symbol(name, node.lstrip("@"), node.startswith("@"), kind,
                            int(words[2], 0), section != "UND"))
    return found


def exports(path):
    return [symbol for symbol in symbols(path) if symbol.defined]


def imports(path):
    return [symbol for symbol in symbols(path) if not symbol.defined]


def dynamic(path, tag):
    """Returns the values of the entries of one tag (SONAME, NEEDED, ...) of the dynamic section."""
    return re.findall(r"\(%s\).*\[(.*)\]" % tag, readelf("-d", path))


def nodes(path):
    """Returns the version nodes that the library defines, that of the library itself left out."""
    defined, inside = [], False
    for line in readelf("-V", path).splitlines():
        if line.startswith("Version "):
            inside = line.startswith("Version definition section")
        elif inside and "Flags: BASE" not in line:
            defined += re.findall(r"Rev:.*Name: (\S+)", line)
    return defined
