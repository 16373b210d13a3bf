# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Both libraries, and how their errors and names become those of Python."""
import os

from ibmad.declarations import ffi

umad = ffi.dlopen("libibumad.so.3")
mad = ffi.dlopen("libibmad.so.5")


def error(number):
    """The exception of an errno."""
    return OSError(number, os.strerror(number))


def check(result):
    """Returns the result of a call, or raises OSError if it is NULL or negative."""
    if result == ffi.NULL if isinstance(result, ffi.CData) else result < 0:
        raise error(ffi.errno)
    return result


def text(name):
    """A name (bytes, or an array of char) as a str, with U+FFFD for bytes that are no UTF-8."""
    return (name if isinstance(name, bytes) else ffi.string(name)).decode(errors="replace")
