#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-refusals.py EXTENSIONS TEST: each function of ours that returns -1 fails in TEST (the source
of unit.test-refusals), which compares what it says, and no other does.
"""
import re
import sys

import compilecheck

# Functions that return int, and -1 for no error of their own.
WITHOUT_ERRORS = {
    "ib_portid_set", "mad_is_vendor_range1", "mad_is_vendor_range2", "umad_sa_mcm_get_proxy_join",
    "mad_agent_class", "mad_fec_is_rs", "mad_fabric_row_error", "mad_fabric_row_speeds_error",
    "mad_fabric_row_time_ns", "umad_set_grh_net",
    "ib_resolve_guid",  # the form of ib_resolve_guid_via() for the default port
}


def main(extensions, test):
    with open(test, encoding="utf-8") as file:
        shown = set(re.findall(r"REFUSED\(\w+,\s*(\w+)\(", file.read()))
    shown = {name.removesuffix("_sized") for name in shown}
    names = {row["name"]: row["declaration"] for row in compilecheck.rows(extensions)}
    ours = {name.removesuffix("_sized") for name, declaration in names.items()
            if re.match(r"(int|int64_t) ", declaration)} - WITHOUT_ERRORS
    wrong = [f"{name}: returns -1, and {test} does not show why" for name in sorted(ours - shown)]
    wrong += [f"{name}: has no error of its own, or does not exist"
              for name in sorted(WITHOUT_ERRORS - names.keys())]
    print("\n".join(wrong) or f"{len(ours)} functions say why they fail")
    return 1 if wrong or not ours else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
