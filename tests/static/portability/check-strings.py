#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-strings.py compile_commands.json

No array is too short for the NUL of the string that it begins with: gcc 15 and clang 21 warn of it,
and older gcc with -Wc++-compat, since C++ has always refused that. Compiles each file of the build
once more with gcc. Exits with 77 if the build's compiler is another one.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile

COMPLAINTS = ("too long for C++", "truncates NUL terminator")
SAMPLE = 'extern const char sample[];\nconst char sample[3] = "abc";\n'


def complaints(command, folder):
    run = subprocess.run(command + ["-fsyntax-only", "-Wc++-compat"], cwd=folder,
                         capture_output=True, text=True, check=False)
    return [line for line in run.stderr.splitlines() if any(text in line for text in COMPLAINTS)]


def command_of(entry):
    words = shlex.split(entry["command"])
    output = words.index("-o")
    return [word for word in words[:output] + words[output + 2:] if word not in ("-c", "-Werror")]


def shows_itself(compiler):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "sample.c"), "w", encoding="utf-8") as file:
            file.write(SAMPLE)
        return complaints([compiler, "sample.c"], folder)


def main(path):
    with open(path, encoding="utf-8") as file:
        entries = {entry["file"]: entry for entry in json.load(file)
                   if entry["file"].endswith(".c")}
    if not entries:
        sys.exit("no C file in " + path)
    compiler = shlex.split(next(iter(entries.values()))["command"])[0]
    if "Free Software" not in subprocess.run([compiler, "--version"], capture_output=True, text=True,
                                             check=True).stdout:
        print("skipped: %s is not gcc" % compiler)
        return 77
    if not shows_itself(compiler):
        sys.exit("a string that is too long was accepted: this check no longer finds anything")

    wrong = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda entry: complaints(command_of(entry), entry["directory"]),
                              entries.values()):
            wrong += found
    if wrong:
        sys.exit("\n".join(sorted(set(wrong))))
    print("%d files" % len(entries))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
