#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""grow-headers.py FOLDER HEADER...: copies the headers to FOLDER/infiniband as a later release might have
them: each structure that can grow has one member more, `grown`, at its end.

Those are all of mad_*.h and of umad_monitor.h, and what mad.h says it of.
"""
import os
import re
import sys

STRUCT = re.compile(r"^(struct (\w+) \{\n.*?\n)(\};)", re.S | re.M)
OF_OLD_HEADERS = {"mad_notice_value", "mad_rpc_statistics"}


def grown(header, text, names):
    """The text with a member more in each structure that can grow; names gets their names."""
    ours = re.match(r"mad_\w+|umad_monitor", header)

    def longer(match):
        if not ours and match.group(2) not in OF_OLD_HEADERS:
            return match.group()
        names.add(match.group(2))
        return f"{match.group(1)}\tuint64_t grown;\n{match.group(3)}"
    return STRUCT.sub(longer, text)


def main(folder, *headers):
    names = set()
    os.makedirs(os.path.join(folder, "infiniband"), exist_ok=True)
    for path in headers:
        header = os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            text = grown(header, file.read(), names)
        with open(os.path.join(folder, "infiniband", header), "w", encoding="utf-8") as file:
            file.write(text)
    if len(names) < 20 or not OF_OLD_HEADERS < names:
        sys.exit(f"only {sorted(names)} can grow")


main(*sys.argv[1:])
