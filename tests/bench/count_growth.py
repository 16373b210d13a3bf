# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""What requests cost beside threads that wait and requests without a response,
and how much memory stays allocated when much is over."""
import hosts
import meters
import trees
from figures import Figure
from pairs import both, own, program

COMPARISON = "growth of the load of a port"
THREADS_MAX = 1100  # valgrind's own limit is 500

# job of bench-rpc: figures that are ratios of one mark to another
MARKED = {
    "waiters": [
        ("mad_async_smp: beside 1,000 waiting threads / none, instructions",
         "1,000 waiting threads", "0 waiting threads")],
    "silent": [
        ("%s: beside %s silent requests / none, instructions" % (call, count),
         "%s%s silent requests" % (begin, count), begin + "0 silent requests")
        for call, begin in (("mad_async_smp", ""), ("smp_query_via", "blocking, "))
        for count in ("30,000", "200,000")],
}


def command(setup, pair, job):
    return program(setup, "bench-rpc", pair, job)


def count_marked(setup, environment):
    environment = dict(environment, VALGRIND_OPTS="--max-threads=%d" % THREADS_MAX)
    for job, wanted in MARKED.items():
        def measure(pair, job=job, wanted=wanted):
            counts = meters.callgrind(command(setup, pair, job), environment)
            if counts is None:
                return [None] * len(wanted)
            return [own(pair, counts[label]) / own(pair, counts[base])
                    for _, label, base in wanted]

        for (name, _, _), first, second in zip(wanted, *both(setup, measure)):
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
