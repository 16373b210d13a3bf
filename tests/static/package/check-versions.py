# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-versions.py VERSION: debian/changelog, the spec file and CHANGELOG.md are of the project's
version, and all that must name an address of the maintainers name the same one, which no document names."""
import pathlib
import re
import sys


def found(file, pattern):
    """The first match's group in a file."""
    with open(file, encoding="utf-8") as text:
        match = re.search(pattern, text.read(), re.MULTILINE)
    if not match:
        sys.exit(f"{file}: nothing like {pattern}")
    return match.group(1)


VERSION = sys.argv[1]
SPEC = "redhat/ibmad-libs.spec"
STATUS = 0
for where, pattern in (("debian/changelog", r"\Aibmad-libs \((.*?)\+ibmad\d+\) "),
                       (SPEC, r"^Version: +(\S+)$"),
                       (SPEC, r"(?s)^%changelog\n\* [^\n]* - (\S+?)-\d+\n"),
                       ("CHANGELOG.md", r"^## (\S+)$")):
    version = found(where, pattern)
    print(f"{where}: {version}")
    if version != VERSION:
        print(f"{where}: {version}, but the project's version is {VERSION}")
        STATUS = 1
ADDRESSES = {file: found(file, pattern) for file, pattern in (
    ("debian/control", r"^Maintainer: [^<]*<(\S+)>$"),
    ("debian/changelog", r"^ -- [^<]*<(\S+)>  "),
    (SPEC, r"^\* [^<]*<(\S+)> - "))}
for document in (*pathlib.Path(".").glob("*.md"), *pathlib.Path("docs").glob("*.md")):
    for address in re.findall(r"[\w.+-]+@[\w-]+\.[\w.-]+", document.read_text(encoding="utf-8")):
        print(f"{document} names {address}")
        STATUS = 1
print("maintainers:", *set(ADDRESSES.values()))
if len(set(ADDRESSES.values())) > 1:
    print(ADDRESSES)
    STATUS = 1
sys.exit(STATUS)
