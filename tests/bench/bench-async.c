/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How long asynchronous requests take, each figure beside its counterpart of the same rounds. On a
 * device that returns each packet at once as its own response: against bare loops of write, poll
 * and read on the same descriptor. On one that responds after a millisecond: against blocking
 * calls, with several windows, and beside threads that wait in such calls for nothing. Of each, the
 * best of several rounds that alternate between the two, since what else runs on a machine makes
 * things slower, and never faster. Fails where a request fails, never for being slow. What queues
 * and the load of a port cost is counted: bench-rpc.c. The host is that of hosts.py.
 */
#include "figures.h"
#include "mirror.h"
#include "../lib/async-request.h"

#include <endian.h>
#include <errno.h>
#include <getopt.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define DELAY_US    1000
#define WINDOW	    64
#define PORTS	    1000 /* that requests go to */
#define THREADS	    16
#define FOR_LONG_MS 3600000
#define TIMEOUT_MS  5000
#define PACKET_SIZE (64 + IB_MAD_SIZE)

static struct {
	unsigned requests; /* of a round */
	unsigned rounds;
	const char *csv;
} options = { .requests = 40000, .rounds = 5 };

static struct ibmad_port *port;
static unsigned failures;

static void give_up(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static struct mad_async *create(unsigned window)
{
	struct mad_async_options settings = { .window = window,
					      .timeout_ms = TIMEOUT_MS,
					      .attempts = 1 };
	struct mad_async *async = mad_async_create(port, &settings, sizeof(settings));

	if (!async)
		give_up("mad_async_create");
	return async;
}

static void submit(struct mad_async *async, unsigned number, mad_async_callback callback,
		   void *context)
{
	ib_portid_t to = { .lid = 1 + (int)(number % PORTS) };

	if (mad_async_smp(async, ASYNC_TO(&to, callback, context), IB_ATTR_NODE_INFO, number,
			  NULL) < 0)
		give_up("mad_async_smp");
}

static void count_failure(struct mad_async *async, const struct mad_async_result *result,
			  void *context)
{
	(void)async;
	(void)context;
	failures += result->error != 0;
}

/* All responses; fd -1: without a descriptor. */
static void finish(struct mad_async *async, int fd)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };

	while (mad_async_pending(async)) {
		if (fd >= 0)
			poll(&polled, 1, -1);
		if (mad_async_dispatch(async, 0, fd >= 0 ? 0 : -1) < 0)
			give_up("mad_async_dispatch");
	}
}

static struct sample run_blocking(unsigned requests)
{
	struct meter meter;

	meter_start(&meter);
	for (unsigned i = 0; i < requests; i++) {
		ib_portid_t to = { .lid = 1 + (int)(i % PORTS) };
		uint8_t data[IB_SMP_DATA_SIZE] = { 0 };

		failures += !smp_query_via(data, &to, IB_ATTR_NODE_INFO, i, TIMEOUT_MS, port);
	}
	return meter_stop(&meter, requests);
}

/* All are submitted at once and then dispatched. */
static struct sample run_at_once(struct mad_async *async, unsigned requests, int fd)
{
	struct meter meter;

	meter_start(&meter);
	for (unsigned i = 0; i < requests; i++)
		submit(async, i, count_failure, NULL);
	finish(async, fd);
	return meter_stop(&meter, requests);
}

/* Each callback submits one, as the bare loops write another request for each response. */
struct refilled {
	unsigned submitted;
	unsigned requests;
};

static void submit_next(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct refilled *refilled = context;

	if (result)
		count_failure(async, result, NULL);
	if (refilled->submitted < refilled->requests)
		submit(async, refilled->submitted++, submit_next, refilled);
}

static struct sample run_refilled(struct mad_async *async, unsigned window, unsigned requests)
{
	struct refilled refilled = { .requests = requests };
	struct meter meter;

	meter_start(&meter);
	for (unsigned i = 0; i < window; i++)
		submit_next(async, NULL, &refilled);
	finish(async, -1);
	return meter_stop(&meter, requests);
}

/* The same requests without the libraries: WINDOW of them out, and for each read another one. */
static void write_bare(int fd, unsigned number)
{
	uint8_t packet[PACKET_SIZE] = { 0 };
	struct ib_user_mad *umad = (void *)packet;
	uint8_t *mad = packet + 64;

	umad->timeout_ms = TIMEOUT_MS;
	umad->addr.lid = htobe16((uint16_t)(1 + number % PORTS));
	mad[0] = mad[1] = mad[2] = mad[3] = 1;
	*(uint32_t *)(void *)(mad + 12) = htobe32(number);
	if (write(fd, packet, sizeof(packet)) != sizeof(packet))
		give_up("write");
}

static bool read_bare(int fd)
{
	uint8_t packet[PACKET_SIZE];
	ssize_t count = read(fd, packet, sizeof(packet));

	if (count != sizeof(packet) && (count >= 0 || errno != EAGAIN))
		give_up("read");
	return count > 0;
}

/* greedy: reads all there is before it polls again. */
static struct sample run_bare(int fd, unsigned requests, bool greedy)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	unsigned written = 0, done = 0;
	struct meter meter;

	meter_start(&meter);
	for (; written < WINDOW; written++)
		write_bare(fd, written);
	while (done < requests) {
		if (poll(&polled, 1, -1) != 1)
			give_up("poll");
		while (done < requests && read_bare(fd)) {
			done++;
			if (written < requests)
				write_bare(fd, written++);
			if (!greedy)
				break;
		}
	}
	return meter_stop(&meter, requests);
}

static void compare_with_bare_loop(const char *what, bool greedy)
{
	struct mad_async *async = create(WINDOW);
	struct comparison comparison = { .what = what, .rounds = options.rounds };
	int fd = mad_rpc_portid(port);

	run_refilled(async, WINDOW, WINDOW * 4);
	run_bare(fd, WINDOW * 4, greedy);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run_bare(fd, options.requests, greedy);
		comparison.other[i] = run_refilled(async, WINDOW, options.requests);
	}
	figures_compare(&comparison, "bare", "async");
	mad_async_free(async);
}

static void compare_with_blocking(unsigned window, bool with_descriptor, const char *what)
{
	struct mad_async *async = create(window);
	int fd = with_descriptor ? mad_async_get_fd(async) : -1;
	struct comparison comparison = { .what = what, .rounds = options.rounds };

	run_blocking(20);
	run_at_once(async, window * 4, fd);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run_blocking(options.requests / 80);
		comparison.other[i] = run_at_once(async, options.requests / 80 * window, fd);
	}
	figures_compare(&comparison, "blocking", "async");
	mad_async_free(async);
}

/* A blocking call that gets no response. */
static void *query_silent(void *context)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t to = { .drpath = { .cnt = 1, .p = { 0, 1 } } };

	(void)context;
	smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, FOR_LONG_MS, port);
	give_up("a request that should get no response ended");
	return NULL;
}

static struct sample run_beside_threads(struct mad_async *async, unsigned window, unsigned requests)
{
	pthread_t threads[THREADS];
	struct sample sample;

	for (int i = 0; i < THREADS; i++) {
		errno = pthread_create(&threads[i], NULL, query_silent, NULL);
		if (errno)
			give_up("pthread_create");
	}
	run_refilled(async, window, requests / 10); /* until they wait */
	sample = run_refilled(async, window, requests);
	for (int i = 0; i < THREADS; i++)
		pthread_cancel(threads[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return sample;
}

static void compare_beside_threads(unsigned window, const char *what)
{
	struct mad_async *async = create(window);
	struct comparison comparison = { .what = what, .rounds = options.rounds };
	unsigned requests = options.requests / WINDOW * window;

	run_refilled(async, window, requests / 10);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run_refilled(async, window, requests);
		comparison.other[i] = run_beside_threads(async, window, requests);
	}
	figures_compare(&comparison, "alone", "beside");
	mad_async_free(async);
}

static void run_on_loopback(void)
{
	compare_with_bare_loop("window 64 against a bare loop of write, poll and read", false);
	compare_with_bare_loop("window 64 against a bare loop that reads all there is", true);
}

static void run_on_responder(void)
{
	compare_with_blocking(WINDOW, false, "dispatch against blocking calls");
	compare_with_blocking(WINDOW, true, "descriptor and poll against blocking calls");
	compare_with_blocking(1, false, "window 1 against blocking calls");
	compare_with_blocking(128, false, "window 128 against blocking calls");
	compare_beside_threads(WINDOW, "window 64 beside 16 threads in blocking calls");
	compare_beside_threads(1, "window 1 beside 16 threads in blocking calls");
}

static void run_on_device(void (*run)(void), int64_t delay_us)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS };

	mirror_set_delay(delay_us);
	port = mad_rpc_open_port(NULL, 0, classes, 2);
	if (!port)
		give_up("mad_rpc_open_port");
	mad_rpc_set_retries(port, 1);
	run();
	mad_rpc_close_port(port);
}

static void parse_options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "qc:")) >= 0) {
		if (option == 'q') {
			options.requests = 4000;
			options.rounds = 2;
		} else if (option == 'c') {
			options.csv = optarg;
		} else {
			fprintf(stderr, "usage: %s [-q] [-c FILE]: quickly; writes CSV, too\n",
				argv[0]);
			exit(2);
		}
	}
}

int main(int argc, char **argv)
{
	parse_options(argc, argv);
	if (figures_open(options.csv))
		return EXIT_FAILURE;
	mirror_ignore_class(IB_SMI_DIRECT_CLASS);
	run_on_device(run_on_loopback, 0);
	run_on_device(run_on_responder, DELAY_US);
	if (failures)
		fprintf(stderr, "%u requests failed\n", failures);
	return figures_close() || failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
