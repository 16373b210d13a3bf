# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""The field codec and the formatters on both pairs (bench-works): instructions of a call, libc's included, and
nanoseconds."""
import meters
from figures import Figure, of_rounds
from pairs import both, own, program, with_libc


def count(setup):
    def measure(pair):
        counts = meters.callgrind(program(setup, "bench-works", pair))
        calls = {label: with_libc(pair, counted) / counted.calls
                 for label, counted in counts.items() if label and label.startswith("mad_")}
        return calls, own(pair, counts["many"]) / own(pair, counts["few"])

    (first, first_growth), (second, second_growth) = both(setup, measure)
    for name in first:
        yield Figure("printing" if name.startswith("mad_dump") else "codec", name + ", instructions",
                     first[name], second[name])
    yield Figure("growth of the field table", "mad_get_field: last 64 fields / first 64, instructions",
                 first_growth, second_growth)


def time(setup):
    works = {}
    for comparison, name, *took in meters.lines(program(setup, "bench-works", (str(setup.rounds),),
                                                        *setup.first, *setup.second)):
        works.setdefault((comparison, name), []).append(list(map(float, took)))
    for (comparison, name), rounds in works.items():
        yield of_rounds(comparison, name + ", ns", rounds)
