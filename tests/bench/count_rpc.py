# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""What a request costs: instructions of the two libraries, heap allocations, stack."""
import hosts
import meters
import trees
from figures import Figure
from pairs import both, own, program

REQUESTS = ["smp_query_via", "smp_query_via by directed route", "pma_query_via", "sa_rpc_call"]
GROWTH = [("ports", "smp_query_via: 33 ports open / 1, instructions"),
          ("queued", "mad_async_smp: one of 10,000 queued / of 1,000, instructions"),
          ("tables", "mad_sa_query, mad_sa_get_node: a record of 10,000 / of 1,000, instructions")]


def command(setup, pair, job):
    return program(setup, "bench-rpc", pair, job)


def count_instructions(setup, environment):
    def measure(pair):
        counts = meters.callgrind(command(setup, pair, "instructions"), environment)
        return [own(pair, counts[name]) / counts[name].calls for name in REQUESTS]

    for name, first, second in zip(REQUESTS, *both(setup, measure)):
        yield Figure("requests", name + ", instructions", first, second)


def count_printed(setup, environment, job, unit):
    def measure(pair):
        lines = meters.run(command(setup, pair, job), environment).splitlines()
        printed = dict(line.split("\t") for line in lines)
        return [float(printed[name]) for name in REQUESTS]

    for name, first, second in zip(REQUESTS, *both(setup, measure)):
        yield Figure("requests", "%s, %s" % (name, unit), first, second)


def count_growth(setup, environment):
    for job, name in GROWTH:
        def measure(pair, job=job):
            counts = meters.callgrind(command(setup, pair, job), environment)
            if counts is None:
                return None
            few, many = (own(pair, counts[label]) / counts[label].calls
                         for label in ("few", "many"))
            return many / few

        yield Figure("growth of ports and queues", name, *both(setup, measure))


def count(setup):
    with hosts.shown(trees.HOSTS["one_hca"], setup.redirect) as environment:
        yield from count_instructions(setup, environment)
        yield from count_printed(setup, environment, "heap", "heap allocations")
        yield from count_printed(setup, environment, "stack", "bytes of stack")
        yield from count_growth(setup, environment)
