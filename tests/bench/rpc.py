# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
"""The cost of requests (jobs of bench-rpc): instructions of the two libraries, heap allocations, stack; how that
grows with ports, queues, waiting threads and requests without a response; memory kept when much is over. Times of
asynchronous requests of the second pair against blocking ones and beside them, each response after a millisecond,
and against a bare loop of system calls."""
import hosts
import meters
import trees
from figures import Figure, of_rounds
from pairs import both, own, program

QUEUES, LOAD = "growth of ports and queues", "growth of the load of a port"
THREADS_MAX = 1100  # valgrind's own limit is 500
KB = 1024

# Comparison, job, figure, two of the job's marks: the instructions of a call under one are divided by those under
# the other.
GROWTH = [(QUEUES, "ports", "smp_query_via: 33 ports open / 1, instructions", "many", "few"),
          (QUEUES, "queued", "mad_async_smp: one of 10,000 queued / of 1,000, instructions", "many", "few"),
          (QUEUES, "tables", "mad_sa_query, mad_sa_get_node: a record of 10,000 / of 1,000, instructions",
           "many", "few"),
          (LOAD, "waiters", "mad_async_smp: beside 1,000 waiting threads / none, instructions",
           "1,000 waiting threads", "0 waiting threads")]
GROWTH += [(LOAD, "silent", "%s: beside %s silent requests / none, instructions" % (call, count),
            "%s%s silent requests" % (begin, count), begin + "0 silent requests")
           for call, begin in (("mad_async_smp", ""), ("smp_query_via", "blocking, "))
           for count in ("30,000", "200,000")]


def instructions(setup, environment, pair, job):
    """{mark: instructions a call}; None if the pair has no such functions."""
    counts = meters.callgrind(program(setup, "bench-rpc", pair, job), environment)
    return counts and {label: own(pair, counted) / counted.calls
                       for label, counted in counts.items() if label}


def printed(setup, environment, pair, job):
    """{name: figure} as the program prints them; None if the pair has no such functions."""
    found = meters.lines(program(setup, "bench-rpc", pair, job), environment)
    return found and {name: float(value) for name, value in found}


def divided(found, one, other):
    return found and found[one] / found[other]


def measure(setup, environment, method, job):
    return both(setup, lambda pair: method(setup, environment, pair, job))


def count_requests(setup):
    with hosts.shown(trees.HOSTS["one_hca"], setup.redirect) as environment:
        for method, job, unit in (instructions, "instructions", ", instructions"), (printed, "costs", ""):
            first, second = measure(setup, environment, method, job)
            for name in first:
                yield Figure("requests", name + unit, first[name], second[name])


def count_growth(setup):
    with hosts.shown(trees.HOSTS["one_hca"], setup.redirect) as environment:
        environment["VALGRIND_OPTS"] = "--max-threads=%d" % THREADS_MAX
        jobs = {job: measure(setup, environment, instructions, job)
                for job in dict.fromkeys(row[1] for row in GROWTH)}
        for comparison, job, name, *marks in GROWTH:
            yield Figure(comparison, name, *(divided(found, *marks) for found in jobs[job]))
        kept = measure(setup, environment, printed, "kept")
        yield Figure(LOAD, "memory kept after 1,000,000 queued requests / after 10,000",
                     *(divided(found, "many", "few") for found in kept))
        large = measure(setup, environment, printed, "large")
        yield Figure(LOAD, "kB kept after a response of 32 MiB",
                     *(found and found["response"] / KB for found in large))


def time_asynchronous(setup):
    comparisons = {}
    with hosts.shown(trees.HOSTS["one_hca"], setup.redirect) as environment:
        for comparison, *took in meters.lines(program(setup, "bench-rpc", setup.second, "times"), environment):
            comparisons.setdefault(comparison, []).append(list(map(float, took)))
    for comparison, rounds in comparisons.items():
        columns = (("alone", "beside") if " beside " in comparison else
                   ("bare" if " bare " in comparison else "blocking", "async"))
        for name, rows in (("requests a second", [(1 / a[0], 1 / a[2]) for a in rounds]),
                           ("CPU a request, us", [(a[1] * 1e6, a[3] * 1e6) for a in rounds])):
            yield of_rounds(comparison, name, rows, columns)
