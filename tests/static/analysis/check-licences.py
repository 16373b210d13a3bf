# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-licences.py SOURCE: each file that git knows has its SPDX line among its first lines, or is named in
.reuse/dep5 and has none; each pattern there names a file; and each licence has its text in LICENSES. `reuse lint`
checks the same and more, where that is installed. Exits 77 where git knows no files."""
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

LINE = "SPDX-License-" + "Identifier: GPL-2.0-only"  # or Linux-OpenIB, but in the module of tests/kernel
FIRST_LINES = 8  # the head of a form, and a line for the shell, may stand before it
TEXTS = {"COPYING", ".reuse/dep5", "LICENSES/GPL-2.0-only.txt", "LICENSES/Linux-OpenIB.txt"}


def patterns():
    """Of all paragraphs but that of all files (*)."""
    text = pathlib.Path(".reuse/dep5").read_text(encoding="utf-8")
    for files in re.findall(r"^Files:((?:.|\n )*)", text, re.MULTILINE):
        yield from (pattern for pattern in files.split() if pattern != "*")


def main():
    os.chdir(sys.argv[1])
    listed = subprocess.run(["git", "ls-files", "-z"], stdout=subprocess.PIPE, text=True, check=False).stdout
    files = [file for file in listed.split("\0") if file and os.path.exists(file)]
    if not files:
        print("skipped: git knows no files here")
        return 77
    listed, named, failures = list(patterns()), set(), []
    for file in set(files) - TEXTS:
        with open(file, encoding="utf-8", errors="replace") as text:
            has_line = any(LINE in line for _, line in zip(range(FIRST_LINES), text))
        matching = {pattern for pattern in listed if fnmatch.fnmatchcase(file, pattern)}
        named |= matching
        if has_line == bool(matching):
            failures.append(f"{file} {'has an SPDX line' if has_line else 'has none'}, and is "
                            f"{'' if matching else 'not '}named in .reuse/dep5")
    failures += [f".reuse/dep5: no file {pattern}" for pattern in listed if pattern not in named]
    failures += [f"no {file}" for file in TEXTS - set(files)]
    print(*sorted(failures), f"{len(files)} files", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
