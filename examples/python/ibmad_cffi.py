# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Both libraries for Python, by cffi and what the installed headers declare.

    ffi, umad, mad = ibmad_cffi.load("mad.h", "mad_fabric.h")

It needs a C preprocessor ($CC, or cc) and compiles nothing: inline functions are symbols as well,
but for umad_alloc() and umad_free(). A umad buffer is memory of the program's own,

    buffer = ffi.new("char[]", umad.umad_size() + 256)
    mad = umad.umad_get_mad(buffer)
"""
import os
import re
import subprocess

import cffi

# What the headers take from those of the system, which cffi cannot parse.
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


def load(*headers, include=()):
    """Returns the FFI that knows the headers, libibumad and libibmad."""
    ffi = cffi.FFI()
    ffi.cdef(SYSTEM)
    for text in declarations(*headers, include=include):
        text, packed = re.subn(r"__attribute__ *\(\(.*\)\)", "", text)
        ffi.cdef(text, pack=4 if packed else None)  # umad_gid, which is aligned to 4 bytes
    return ffi, ffi.dlopen("libibumad.so.3"), ffi.dlopen("libibmad.so.5")
