/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The effect of asynchronous requests, against a responder that responds to each after 1 ms:
 * throughput and CPU time a request beside those of blocking calls, and what 100,000 queued
 * requests cost. Each figure comes with its counterpart of the same run and their ratio: of each,
 * the best of several rounds that alternate between the two, since what else runs on a machine
 * makes things slower, and never faster. Fails where a request fails, never for being slow.
 */
#include "echo.h"
#include "figures.h"
#include "../lib/memory-in-use.h"

#include <errno.h>
#include <getopt.h>
#include <infiniband/mad.h>
#include "../lib/async-request.h"
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PORTS	   1000 /* that requests go to */
#define TIMEOUT_MS 5000
#define FEW	   1000 /* queued requests that many are compared with */

static struct {
	int64_t delay_us;
	unsigned window;
	unsigned requests; /* of an asynchronous round; a blocking one has a fortieth */
	unsigned queued;   /* the many */
	unsigned rounds;
	const char *csv;
} options = {
	.delay_us = 1000,
	.window = 64,
	.requests = 40000,
	.queued = 100000,
	.rounds = 5,
};

static unsigned failures;
static unsigned given_up; /* requests to a port with losses, beyond what was to be lost */

static void count_failure(struct mad_async *async, const struct mad_async_result *result,
			  void *context)
{
	(void)async;
	(void)context;
	if (result->error) {
		failures++;
		fprintf(stderr, "request failed: %s\n", strerror(result->error));
	}
}

static struct mad_async *create(struct ibmad_port *port, unsigned window, int timeout_ms)
{
	struct mad_async_options settings = {
		.window = window,
		.timeout_ms = timeout_ms,
		.attempts = 5,
	};
	struct mad_async *async = mad_async_create(port, &settings, sizeof(settings));

	if (!async) {
		perror("mad_async_create");
		exit(EXIT_FAILURE);
	}
	return async;
}

static void submit(struct mad_async *async, unsigned number)
{
	ib_portid_t to = { .lid = 1 + (int)(number % PORTS) };

	if (mad_async_smp(async, ASYNC_TO(&to, count_failure, NULL), IB_ATTR_NODE_INFO, number,
			  NULL) < 0) {
		failures++;
		perror("mad_async_smp");
	}
}

static struct sample run_blocking(struct ibmad_port *port, unsigned requests)
{
	struct meter meter;

	meter_start(&meter);
	for (unsigned i = 0; i < requests; i++) {
		ib_portid_t to = { .lid = 1 + (int)(i % PORTS) };
		uint8_t data[IB_SMP_DATA_SIZE] = { 0 };

		failures += !smp_query_via(data, &to, IB_ATTR_NODE_INFO, i, 5000, port);
	}
	return meter_stop(&meter, requests);
}

static void finish(struct mad_async *async, int fd)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };

	while (mad_async_pending(async)) {
		if (fd >= 0)
			poll(&polled, 1, -1);
		if (mad_async_dispatch(async, 0, fd >= 0 ? 0 : -1) < 0) {
			perror("mad_async_dispatch");
			exit(EXIT_FAILURE);
		}
	}
}

/* All submitted at once, then dispatched; fd -1: without a descriptor. */
static struct sample run_async(struct mad_async *async, unsigned requests, int fd)
{
	struct meter meter;

	meter_start(&meter);
	for (unsigned i = 0; i < requests; i++)
		submit(async, i);
	finish(async, fd);
	return meter_stop(&meter, requests);
}

static void compare_with_blocking(struct ibmad_port *port, bool with_descriptor)
{
	struct mad_async *async = create(port, options.window, TIMEOUT_MS);
	int fd = with_descriptor ? mad_async_get_fd(async) : -1;
	struct comparison comparison = {
		.what = with_descriptor ? "descriptor and poll against blocking calls"
					: "dispatch against blocking calls",
		.rounds = options.rounds,
	};

	run_blocking(port, 20);
	run_async(async, options.window * 4, fd);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run_blocking(port, options.requests / 40);
		comparison.other[i] = run_async(async, options.requests, fd);
	}
	figures_title(comparison.what, "blocking", "async");
	figures_compare(&comparison, with_descriptor ? 0 : 40, with_descriptor ? 0 : 1.5);
	mad_async_free(async);
}

static void compare_windows(struct ibmad_port *port)
{
	static const unsigned windows[] = { 1, 4, 16, 128 };

	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		struct mad_async *async = create(port, windows[i], TIMEOUT_MS);
		char what[40];
		struct comparison comparison = { .what = what, .rounds = options.rounds };

		snprintf(what, sizeof(what), "window %u against blocking calls", windows[i]);
		run_async(async, windows[i] * 4, -1);
		for (unsigned j = 0; j < options.rounds; j++) {
			comparison.base[j] = run_blocking(port, options.requests / 80);
			comparison.other[j] =
				run_async(async, options.requests / 80 * windows[i], -1);
		}
		figures_title(what, "blocking", "async");
		figures_compare(&comparison, 0, 0);
		mad_async_free(async);
	}
}

/* So many requests to one port, of which each 100th is lost once: it holds up the others. */
static void count_lost(struct mad_async *async, const struct mad_async_result *result,
		       void *context)
{
	if (result->error == ETIMEDOUT)
		given_up++;
	else
		count_failure(async, result, context);
}

static void submit_lossy(struct mad_async *async, unsigned number)
{
	unsigned mod = number % 100 == 99 ? ECHO_LOST : number;
	ib_portid_t to = { .lid = 1 };

	if (mad_async_smp(async, ASYNC_TO(&to, count_lost, NULL), IB_ATTR_NODE_INFO, mod, NULL) <
	    0) {
		failures++;
		perror("mad_async_smp");
	}
}

/* As many times at_once requests as make up all. */
static struct sample run_in_parts(struct mad_async *async, unsigned all, unsigned at_once,
				  void (*submit_one)(struct mad_async *async, unsigned number))
{
	struct meter meter;

	meter_start(&meter);
	for (unsigned i = 0; i < all; i += at_once) {
		for (unsigned j = 0; j < at_once; j++)
			submit_one(async, j);
		finish(async, -1);
	}
	return meter_stop(&meter, all);
}

/* Many queued requests against few, all in all as many. */
static void compare_queues(struct ibmad_port *port, unsigned many, bool lossy)
{
	struct mad_async *async = create(port, options.window, lossy ? 20 : TIMEOUT_MS);
	void (*submit_one)(struct mad_async *, unsigned) = lossy ? submit_lossy : submit;
	char what[80], base[20], other[20];
	struct comparison comparison = { .what = what, .rounds = options.rounds };

	snprintf(what, sizeof(what), "%u queued requests%s against %u", many,
		 lossy ? " to one port with losses" : "", FEW);
	snprintf(base, sizeof(base), "%u", FEW);
	snprintf(other, sizeof(other), "%u", many);
	run_in_parts(async, many, many, submit_one);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run_in_parts(async, many, FEW, submit_one);
		comparison.other[i] = run_in_parts(async, many, many, submit_one);
	}
	figures_title(what, base, other);
	figures_compare(&comparison, lossy ? 0 : 0.95, 0);
	if (lossy)
		printf("  %-42s %25u\n", "requests given up in all rounds", given_up);
	mad_async_free(async);
}

/* Bytes for each of so many queued requests, the fixed costs among them. */
static double measure_memory(struct ibmad_port *port, unsigned requests)
{
	size_t before = memory_resident(), queued;
	struct mad_async *async = create(port, options.window, TIMEOUT_MS);

	for (unsigned i = 0; i < requests; i++)
		submit(async, i);
	queued = memory_resident();
	finish(async, -1);
	mad_async_free(async);
	return (double)(queued - before) / requests;
}

static void compare_memory(struct ibmad_port *port)
{
	double few = measure_memory(port, FEW), many = measure_memory(port, options.queued);
	char what[80], base[20], other[20];

	snprintf(what, sizeof(what), "memory of %u queued requests against %u", options.queued,
		 FEW);
	snprintf(base, sizeof(base), "%u", FEW);
	snprintf(other, sizeof(other), "%u", options.queued);
	figures_title(what, base, other);
	figures_print(what, "bytes a request", few, many);
}

static void usage(const char *program)
{
	fprintf(stderr,
		"usage: %s [-q] [-c FILE] [-w WINDOW] [-d DELAY] [-n REQUESTS] [-r ROUNDS]\n"
		"  -q  quickly: less of all, for figures that mean little\n"
		"  -c  writes the figures as CSV, too\n"
		"  -w  requests in flight (64)\n"
		"  -d  microseconds until a response comes (1000)\n"
		"  -n  requests of a round (40000)\n"
		"  -r  rounds (5, at most %d)\n",
		program, ROUNDS_MAX);
	exit(2);
}

static unsigned parse_number(const char *text, unsigned least, unsigned most, const char *program)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(text, &end, 10);
	if (errno || *end || end == text || number < least || number > most)
		usage(program);
	return (unsigned)number;
}

static void parse_options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "qc:w:d:n:r:")) >= 0) {
		switch (option) {
		case 'q':
			options.requests = 2000;
			options.queued = 10000;
			options.rounds = 2;
			break;
		case 'c':
			options.csv = optarg;
			break;
		case 'w':
			options.window = parse_number(optarg, 1, 128, argv[0]);
			break;
		case 'd':
			options.delay_us = parse_number(optarg, 0, 100000, argv[0]);
			break;
		case 'n':
			options.requests = parse_number(optarg, 400, 10000000, argv[0]);
			break;
		case 'r':
			options.rounds = parse_number(optarg, 1, ROUNDS_MAX, argv[0]);
			break;
		default:
			usage(argv[0]);
		}
	}
	if (optind != argc)
		usage(argv[0]);
}

static void run_all(void)
{
	int classes[] = { IB_SMI_CLASS };
	char name[] = "mlx5_0";
	struct ibmad_port *port = mad_rpc_open_port(name, 1, classes, 1);

	if (!port) {
		perror("mad_rpc_open_port");
		exit(EXIT_FAILURE);
	}
	mad_rpc_set_retries(port, 1);
	printf("responses come after %ld us; window %u; the best of %u rounds each\n",
	       (long)options.delay_us, options.window, options.rounds);
	compare_with_blocking(port, false);
	compare_with_blocking(port, true);
	compare_windows(port);
	compare_queues(port, options.queued, false);
	compare_queues(port, options.queued / 2, true);
	compare_memory(port);
	mad_rpc_close_port(port);
}

int main(int argc, char **argv)
{
	int error;

	parse_options(argc, argv);
	error = echo_start(options.delay_us);
	if (error) {
		fprintf(stderr, "no responder: %s\n", strerror(-error));
		return EXIT_FAILURE;
	}
	if (figures_open(options.csv))
		return EXIT_FAILURE;
	run_all();
	echo_stop();
	if (failures)
		fprintf(stderr, "%u requests failed\n", failures);
	return figures_close() || failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
