# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""What asynchronous requests cost beside threads that wait and requests without a response,
and how much memory stays allocated when much is over."""
import hosts
import meters
import trees
from figures import Figure
from pairs import both, own, program

COMPARISON = "growth of the load of a port"
THREADS_MAX = 1100  # valgrind's own limit is 500

# job of bench-rpc: its first mark, and figures that are ratios of another mark to that
MARKED = {
    "waiters": ("0 waiting threads", [
        ("mad_async_smp: beside 1,000 waiting threads / none, instructions",
         "1,000 waiting threads")]),
    "silent": ("0 silent requests", [
        ("mad_async_smp: beside 30,000 silent requests / none, instructions",
         "30,000 silent requests"),
        ("mad_async_smp: beside 200,000 silent requests / none, instructions",
         "200,000 silent requests")]),
}


def command(setup, pair, job):
    return program(setup, "bench-rpc", pair, job)


def count_marked(setup, environment):
    environment = dict(environment, VALGRIND_OPTS="--max-threads=%d" % THREADS_MAX)
    for job, (base, wanted) in MARKED.items():
        def measure(pair, job=job, base=base, wanted=wanted):
            counts = meters.callgrind(command(setup, pair, job), environment)
            if counts is None:
                return [None] * len(wanted)
            return [own(pair, counts[label]) / own(pair, counts[base]) for _, label in wanted]

        for (name, _), first, second in zip(wanted, *both(setup, measure)):
            yield Figure(COMPARISON, name, first, second)


def read_printed(setup, environment, pair, job):
    """The figures that the program prints, in order; None if the pair has no such functions."""
    text = meters.run(command(setup, pair, job), environment)
    return text and [float(line.split("\t")[1]) for line in text.splitlines()]


def count_kept(setup, environment):
    def measure_queued(pair):
        printed = read_printed(setup, environment, pair, "kept")
        return printed and printed[1] / printed[0]

    def measure_large(pair):
        printed = read_printed(setup, environment, pair, "large")
        return printed and printed[0] / 1024

    yield Figure(COMPARISON, "memory kept after 1,000,000 queued requests / after 10,000",
                 *both(setup, measure_queued))
    yield Figure(COMPARISON, "kB kept after a response of 32 MiB", *both(setup, measure_large))


def count(setup):
    with hosts.shown(trees.HOSTS["one_hca"], setup.redirect) as environment:
        yield from count_marked(setup, environment)
        yield from count_kept(setup, environment)
