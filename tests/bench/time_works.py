# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""How long the field codec, the formatters and requests take: nanoseconds a call on both pairs, and
asynchronous requests of the second against blocking ones and beside them, each response after a
millisecond, and against a bare loop of system calls."""
import hosts
import meters
import trees
from figures import of_rounds
from pairs import program


def lines(command, environment=None):
    return [line.split("\t") for line in meters.run(command, environment).splitlines()]


def time_codec(setup):
    works = {}
    for comparison, name, *took in lines(program(setup, "bench-works", (str(setup.rounds),),
                                                 *setup.first, *setup.second)):
        works.setdefault((comparison, name), []).append(list(map(float, took)))
    for (comparison, name), rounds in works.items():
        yield of_rounds(comparison, name + ", ns", rounds)


def time_asynchronous(setup):
    with hosts.shown(trees.HOSTS["one_hca"], setup.redirect) as environment:
        found = lines(program(setup, "bench-rpc", setup.second, "times"), environment)
    comparisons = {}
    for comparison, *took in found:
        comparisons.setdefault(comparison, []).append(list(map(float, took)))
    for comparison, rounds in comparisons.items():
        columns = (("alone", "beside") if " beside " in comparison else
                   ("bare" if " bare " in comparison else "blocking", "async"))
        for name, rows in (("requests a second", [(1 / a[0], 1 / a[2]) for a in rounds]),
                           ("CPU a request, us", [(a[1] * 1e6, a[3] * 1e6) for a in rounds])):
            yield of_rounds(comparison, name, rows, columns)
