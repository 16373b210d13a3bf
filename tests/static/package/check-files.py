# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-files.py WORK BUILD: installs BUILD in WORK and finds the one package that each file is in.

By debian/*.install and by the spec file's %files: each installed file is in exactly one package,
and each pattern is there for a file. So a new header or page can't be forgotten.
"""
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import sys

SPEC = "redhat/ibmad-libs.spec"


def installed(work, build):
    """The installed files, as paths below /usr whatever the prefix and the library folder are."""
    shutil.rmtree(work, ignore_errors=True)
    subprocess.run(["cmake", "--install", build, "--prefix", "/usr"], check=True,
                   env=os.environ | {"DESTDIR": os.path.abspath(work)}, stdout=subprocess.DEVNULL)
    for folder, _, names in os.walk(work):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), work)
            yield re.sub(r"^usr/lib(64|32|/[^/]*-linux-[^/]*)?/(?=(lib|cmake/|pkgconfig/))",
                         "usr/lib/ARCH/", path)


def debian_patterns():
    """(package, pattern) of debian/*.install"""
    for file in sorted(glob.glob("debian/*.install")):
        package = os.path.basename(file).removesuffix(".install")
        with open(file, encoding="utf-8") as lines:
            yield from ((package, line.split()[0]) for line in lines if line.strip() and line[0] != "#")


def spec_patterns():
    """(package, pattern) of the spec file's %files, without documents taken from the sources"""
    macros = {"%{_prefix}": "usr", "%{_libdir}": "usr/lib/*", "%{_includedir}": "usr/include", "%{_mandir}":
              "usr/share/man", "%{_sbindir}": "usr/sbin", "%{_datadir}": "usr/share"}
    package = None
    with open(SPEC, encoding="utf-8") as lines:
        for line in lines:
            words = line.split()
            if line.startswith("%"):
                macro = words[0]
                if macro == "%files":
                    package = words[2]
                elif macro in ("%changelog", "%package", "%post", "%postun"):
                    package = None
            if package and line.startswith("%{_"):
                pattern = words[0]
                for macro, value in macros.items():
                    pattern = pattern.replace(macro, value)
                yield package, pattern


def is_in(path, pattern):
    """Does the pattern, or a folder that it names, take the path? (* takes no /)"""
    parts, wanted = path.split("/"), pattern.rstrip("/").split("/")
    # rpm compresses manual pages, hence the * behind their names.
    return len(parts) >= len(wanted) and \
        all(fnmatch.fnmatchcase(part, glob_) for part, glob_ in zip(parts, wanted))


def check(where, files, patterns):
    """Says what is wrong; returns how much."""
    wrong = 0
    for path in files:
        packages = {package for package, pattern in patterns if is_in(path, pattern)}
        if len(packages) != 1:
            print(f"{where}: {path} is in {', '.join(sorted(packages)) or 'no package'}")
            wrong += 1
    for package, pattern in patterns:
        if not any(is_in(path, pattern) for path in files):
            print(f"{where}: no file for {pattern} of {package}")
            wrong += 1
    print(f"{where}: {len(files)} files, {len(patterns)} patterns, {wrong} faults")
    return wrong


def main():
    """Both kinds of packages."""
    files = sorted(installed(sys.argv[1], sys.argv[2]))
    if len(files) < 20:
        sys.exit(f"only {len(files)} files are installed")
    sys.exit(bool(check("debian", files, list(debian_patterns())) +
                  check(SPEC, files, list(spec_patterns()))))


main()
