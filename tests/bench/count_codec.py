# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""Instructions of the field codec and the formatters, libc's included, a call."""
import meters
from figures import Figure
from pairs import both, own, program, with_libc

CODEC = ["mad_get_field", "mad_set_field", "mad_get_field64", "mad_set_field64",
         "mad_decode_field", "mad_encode_field"]
PRINTING = ["mad_dump_portinfo", "mad_dump_perfcounters", "mad_dump_perfcounters_ext",
            "mad_dump_nodeinfo", "mad_dump_field", "mad_dump_val"]


def count(setup):
    def measure(pair):
        counts = meters.callgrind(program(setup, "bench-works", pair))
        calls = {label: with_libc(pair, counted) / counted.calls
                 for label, counted in counts.items() if label}
        calls["growth"] = own(pair, counts["many"]) / own(pair, counts["few"])
        return calls

    first, second = both(setup, measure)
    for comparison, names in ("codec", CODEC), ("printing", PRINTING):
        for name in names:
            yield Figure(comparison, name + ", instructions", first[name], second[name])
    yield Figure("growth of the field table", "mad_get_field: last 64 fields / first 64, instructions",
                 first["growth"], second["growth"])
