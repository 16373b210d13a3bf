# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""The libraries for Python, by cffi and the declarations of the installed headers.

    ffi, umad, mad = ibmad_cffi.load("mad.h", "mad_fabric.h")

It needs a C preprocessor ($CC, or cc) and compiles nothing: inline functions are symbols as well,
but for umad_alloc() and umad_free(). A umad buffer is memory of the program's own,

    buffer = ffi.new("char[]", umad.umad_size() + 256)
    mad = umad.umad_get_mad(buffer)

ibmad_cffi.py FOLDER [INCLUDE] installs the package ibmad in FOLDER, which needs neither headers nor a
preprocessor then.
"""
import os
import re
import shutil
import subprocess
import sys

import cffi

HEADERS = ["mad.h", "mad_address.h", "mad_async.h", "mad_fabric.h", "mad_fabric_changes.h",
           "mad_fabric_counters.h", "mad_keys.h", "mad_message.h", "mad_osd.h", "mad_sa.h", "umad.h",
           "umad_capture.h", "umad_cm.h", "umad_monitor.h", "umad_port_states.h", "umad_sa.h",
           "umad_sa_mcm.h", "umad_sm.h", "umad_str.h", "umad_types.h"]

# Types that the headers take from the system's, which cffi cannot parse.
SYSTEM = """typedef uint8_t __u8; typedef uint16_t __be16; typedef uint32_t __be32;
typedef uint64_t __be64; struct iovec { void *iov_base; size_t iov_len; };"""


def declarations(*headers, include=()):
    """The declarations of the headers and of those of ours that they include, in their order."""
    text = "".join(f"#include <infiniband/{name}>\n" for name in ("umad.h", *headers))
    command = [os.environ.get("CC", "cc"), "-E", *(f"-I{folder}" for folder in include), "-"]
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    ours, kept = False, []
    for line in done.splitlines():
        if line.startswith("# "):
            ours = "/infiniband/" in line
        elif ours:
            kept.append(line.replace("__extension__", ""))
    text = re.sub(r"\[[^]]*sizeof[^]]*\]", "[]", "\n".join(kept))  # of parameters: pointers
    text = re.sub(r"static inline ([^;{]*)\n\{.*?\n\}", r"\1;", text, flags=re.S)  # bodies
    return re.findall(r"[^;{}]+(?:\{(?:[^{}]|\{[^{}]*\})*\}[^;{}]*)?;", text)


def declare(*headers, include=(), packs=True):
    """Returns an FFI that knows the headers. packs: union umad_gid, which is aligned to 4 bytes, is
    packed; otherwise, since no generated module can have that, its numbers are of two words each."""
    ffi = cffi.FFI()
    ffi.cdef(SYSTEM)
    for text in declarations(*headers, include=include):
        text, packed = re.subn(r"__attribute__ *\(\(.*\)\)", "", text)
        if packed and not packs:
            text = re.sub(r"__be64 (\w+);", r"__be32 \1[2];", text)
        ffi.cdef(text, pack=4 if packed and packs else None)
    return ffi


def load(*headers, include=()):
    """Returns the FFI that knows the headers, libibumad and libibmad."""
    ffi = declare(*headers, include=include)
    return ffi, ffi.dlopen("libibumad.so.3"), ffi.dlopen("libibmad.so.5")


def main(folder, *include):
    """Copies the package ibmad to FOLDER, with the declarations that it needs instead of a compiler."""
    package = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ibmad")
    shutil.copytree(package, os.path.join(folder, "ibmad"), dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("__pycache__"))
    ffi = declare(*HEADERS, include=include, packs=False)
    ffi.set_source("ibmad.declarations", None)
    ffi.emit_python_code(os.path.join(folder, "ibmad", "declarations.py"))


if __name__ == "__main__":
    main(*sys.argv[1:])
