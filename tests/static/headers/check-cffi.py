# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""check-cffi.py INCLUDE: cffi parses all public headers, without a compiler.

Every structure then has the layout of ../abi/structs.csv, every function and object of the lists is
declared and found in its library, and the exported form of each inline function returns what the
header's does. python/ibmad_cffi.py reads the headers, as a program would have it do.
"""
import os
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../../../python"))
import compilecheck  # noqa: E402
import ibmad_cffi  # noqa: E402


def wrong_layouts(ffi):
    """The layouts that differ between cffi and structs.csv."""
    wrong = []
    for row in compilecheck.rows(os.path.join(here, "../abi/structs.csv")):
        if row["ctype"] == "function" or "{anonymous}" in row["member"]:
            continue
        if row["kind"] == "member":
            found = ffi.offsetof(row["type"], *row["member"].split("."))
            expected = int(row["offset"])
        else:
            found, expected = ffi.sizeof(row["type"]), int(row["size"])
        if found != expected:
            wrong.append(f"{row['type']} {row['member']}: {found}, not {expected}")
    return wrong


# Structures that programs fill in: a later member takes no byte that they may have left as it was.
FILLED_IN = ["mad_async_options", "mad_async_request", "mad_fabric_node", "mad_fabric_port",
             "mad_fabric_options", "mad_fabric_description", "mad_sa_request", "mad_sa_mc_request",
             "mad_sa_mc_member"]


def wrong_buffer(ffi, umad):
    """A buffer as bindings make it: umad_alloc() is none of the library's functions."""
    size = umad.umad_size()
    buffer = ffi.new("char[]", size + 256)
    found = ffi.cast("char *", umad.umad_get_mad(buffer)) - buffer
    return [] if found == size else [f"the MAD of a buffer is at {found}, not {size}"]


def padded(ffi):
    """The structures that end with padding."""
    wrong = []
    for name in FILLED_IN:
        kind = ffi.typeof("struct " + name)
        last = kind.fields[-1][1]
        if last.offset + ffi.sizeof(last.type) != ffi.sizeof(kind):
            wrong.append(f"struct {name} ends with padding")
    return wrong


def wrong_generated(ffi, include):
    """The differences of the generated declarations of the package ibmad."""
    with tempfile.TemporaryDirectory() as folder:
        ibmad_cffi.main(folder, include)
        sys.path.insert(0, folder)
        from ibmad.declarations import ffi as generated  # pylint: disable=all
    return wrong_layouts(generated) if ffi.sizeof("void *") == 8 else []


def missing_symbols(libraries):
    """The names of the lists that cffi does not find."""
    wrong, count = [], 0
    for name in ("symbols", "extensions"):
        for row in compilecheck.rows(os.path.join(here, f"../abi/{name}.csv")):
            count += 1
            if not hasattr(libraries[row["library"]], row["name"]):
                wrong.append(f"{row['name']}: not declared, or not exported")
    if count < 300:
        wrong.append(f"only {count} rows in the lists")
    return wrong


def wrong_inlines(ffi, umad, mad):
    """The exported forms of inline functions that return something else."""
    info = ffi.new("struct umad_class_port_info *")
    info.cap_mask2_resp_time = int.from_bytes((0x12345 << 5 | 9).to_bytes(4, "big"), sys.byteorder)
    record = ffi.new("struct umad_sa_mcmember_record *")
    record.scope_state, record.proxy_join = 0x21, 0x80
    sl, hop, scope, state = (ffi.new("uint8_t *") for _ in range(4))
    label = ffi.new("uint32_t *")
    packed = umad.umad_sa_mcm_set_sl_flow_hop(3, 0x54321, 7)
    umad.umad_sa_mcm_get_sl_flow_hop(packed, sl, label, hop)
    umad.umad_sa_mcm_get_scope_state(0x21, scope, state)
    umad.umad_sa_mcm_set_join_state(record, 4)
    to = ffi.new("ib_portid_t *", {"grh_present": 1})
    same = {
        "umad_class_cap_mask2": umad.umad_class_cap_mask2(info) == 0x12345,
        "umad_class_resp_time": umad.umad_class_resp_time(info) == 9,
        "umad_sa_get_rate_mtu_or_life": umad.umad_sa_get_rate_mtu_or_life(0x84) == 4,
        "umad_sa_set_rate_mtu_or_life": umad.umad_sa_set_rate_mtu_or_life(2, 4) == 0x84,
        "umad_sa_mcm_set_sl_flow_hop": packed.to_bytes(4, sys.byteorder) == b"\x35\x43\x21\x07",
        "umad_sa_mcm_get_sl_flow_hop": (sl[0], label[0], hop[0]) == (3, 0x54321, 7),
        "umad_sa_mcm_get_scope_state": (scope[0], state[0]) == (2, 1),
        "umad_sa_mcm_set_scope_state": umad.umad_sa_mcm_set_scope_state(2, 1) == 0x21,
        "umad_sa_mcm_set_join_state": record.scope_state == 0x24,
        "umad_sa_mcm_get_proxy_join": umad.umad_sa_mcm_get_proxy_join(record) == 1,
        "ib_portid_set": (mad.ib_portid_set(to, 5, 1, 2), to.lid, to.qp, to.qkey,
                          to.grh_present) == (0, 5, 1, 2, 0),
        "mad_is_vendor_range1": bool(mad.mad_is_vendor_range1(9)) and not mad.mad_is_vendor_range1(8),
        "mad_is_vendor_range2": bool(mad.mad_is_vendor_range2(0x4f)) and not mad.mad_is_vendor_range2(9),
    }
    rows = compilecheck.rows(os.path.join(here, "inlines.csv"))
    listed = {row["name"] for row in rows if row["symbol"]}
    found = {row["name"] for row in rows if hasattr(umad, row["name"]) or hasattr(mad, row["name"])}
    return [f"{name}: is a symbol, or is none and should be" for name in listed ^ found] + \
        [f"{name}: is not compared" for name in listed ^ set(same)] + \
        [f"{name}: is not what the header has" for name, right in same.items() if not right]


def main(include):
    ffi, umad, mad = ibmad_cffi.load(*compilecheck.headers(include), include=[include])
    wrong = missing_symbols({"libibumad": umad, "libibmad": mad,
                             "libibmad-fabric": ffi.dlopen("libibmad-fabric.so.0")})
    wrong += wrong_inlines(ffi, umad, mad) + wrong_buffer(ffi, umad) + wrong_generated(ffi, include)
    if ffi.sizeof("void *") == 8:
        wrong += wrong_layouts(ffi) + padded(ffi)
    print("\n".join(wrong) or "cffi takes every declaration")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
