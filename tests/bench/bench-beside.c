/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How the kinds of requests get on with each other and with the least that a program can do. On a
 * device that returns each packet at once as its own response: CPU time of asynchronous requests
 * beside a bare loop of write, poll and read on the same descriptor. Against a responder that
 * responds to each after 0.3 ms: what silent requests in flight cost others, blocking calls and
 * asynchronous ones, and how late a short timeout ends beside a longer wait. Fails where a request
 * fails, never for being slow.
 */
#include "echo.h"
#include "figures.h"

#include <endian.h>
#include <errno.h>
#include <getopt.h>
#include <infiniband/mad.h>
#include "../lib/async-request.h"
#include <infiniband/umad.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DELAY_US    300
#define WINDOW	    64
#define PORTS	    1000 /* that requests go to */
#define TIMEOUT_MS  5000
#define LONG_MS	    600000
#define THREADS	    16
#define IN_FLIGHT   1024 /* silent requests */
#define SHORT_MS    5
#define TIMEOUTS    21
#define PACKET_SIZE (64 + IB_MAD_SIZE)

static struct {
	unsigned requests; /* of a round */
	unsigned rounds;
	const char *csv;
} options = { .requests = 40000, .rounds = 5 };

static atomic_uint failures;

static void give_up(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static struct mad_async *create(struct ibmad_port *port, unsigned window, int timeout_ms)
{
	struct mad_async_options settings = {
		.window = window,
		.timeout_ms = timeout_ms,
		.attempts = 1,
	};
	struct mad_async *async = mad_async_create(port, &settings, sizeof(settings));

	if (!async)
		give_up("mad_async_create");
	return async;
}

static void count_failure(struct mad_async *async, const struct mad_async_result *result,
			  void *context)
{
	(void)async;
	(void)context;
	if (result->error && result->error != ECANCELED)
		atomic_fetch_add(&failures, 1);
}

static void submit(struct mad_async *async, int lid, unsigned mod, mad_async_callback callback,
		   void *context, int64_t *id)
{
	ib_portid_t to = { .lid = lid };

	int64_t given = mad_async_smp(async, ASYNC_TO(&to, callback, context), IB_ATTR_NODE_INFO,
				      mod, NULL);

	if (given < 0)
		give_up("mad_async_smp");
	if (id)
		*id = given;
}

/* Requests of a round that are still to be submitted: each callback submits one, as the bare loops
 * write another request for each response. */
struct round {
	unsigned submitted;
	unsigned requests;
};

static void submit_next(struct mad_async *async, struct round *round);

static void note_response(struct mad_async *async, const struct mad_async_result *result,
			  void *context)
{
	struct round *round = context;

	if (result->error)
		atomic_fetch_add(&failures, 1);
	if (round->submitted < round->requests)
		submit_next(async, round);
}

static void submit_next(struct mad_async *async, struct round *round)
{
	unsigned number = round->submitted++;

	submit(async, 1 + (int)(number % PORTS), number, note_response, round, NULL);
}

static struct sample run_async(struct mad_async *async, unsigned window, unsigned requests)
{
	struct round round = { .requests = requests };
	struct meter meter;

	meter_start(&meter);
	while (round.submitted < window)
		submit_next(async, &round);
	while (mad_async_pending(async))
		if (mad_async_dispatch(async, 0, -1) < 0)
			give_up("mad_async_dispatch");
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
	number = htobe32(number);
	memcpy(mad + 12, &number, sizeof(number));
	if (write(fd, packet, sizeof(packet)) != sizeof(packet))
		give_up("write");
}

static void wait_bare(int fd)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };

	if (poll(&polled, 1, -1) != 1)
		give_up("poll");
}

static bool read_bare(int fd)
{
	uint8_t packet[PACKET_SIZE];
	ssize_t count = read(fd, packet, sizeof(packet));

	if (count != sizeof(packet) && (count >= 0 || errno != EAGAIN))
		give_up("read");
	return count > 0;
}

static struct sample run_bare(int fd, unsigned requests)
{
	struct meter meter;
	unsigned written = 0;

	meter_start(&meter);
	for (; written < WINDOW; written++)
		write_bare(fd, written);
	for (unsigned i = 0; i < requests; i++) {
		wait_bare(fd);
		read_bare(fd);
		if (written < requests)
			write_bare(fd, written++);
	}
	return meter_stop(&meter, requests);
}

/* The same, but reads all there is before it polls again. */
static struct sample run_greedy(int fd, unsigned requests)
{
	unsigned written = 0, done = 0;
	struct meter meter;

	meter_start(&meter);
	for (; written < WINDOW; written++)
		write_bare(fd, written);
	while (done < requests) {
		wait_bare(fd);
		while (read_bare(fd)) {
			done++;
			if (written < requests)
				write_bare(fd, written++);
		}
	}
	return meter_stop(&meter, requests);
}

static void compare_with_bare_loop(struct ibmad_port *port, const char *what, double cost_target,
				   struct sample (*run)(int fd, unsigned requests))
{
	struct mad_async *async = create(port, WINDOW, TIMEOUT_MS);
	struct comparison comparison = { .what = what, .rounds = options.rounds };

	run_async(async, WINDOW, WINDOW * 4);
	run(mad_rpc_portid(port), WINDOW * 4);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run(mad_rpc_portid(port), options.requests);
		comparison.other[i] = run_async(async, WINDOW, options.requests);
	}
	figures_title(what, "bare", "async");
	figures_compare(&comparison, 0, cost_target);
	mad_async_free(async);
}

/* Silent requests in flight, and a thread that waits for them. */
struct silence {
	struct mad_async *async;
	pthread_t thread;
	atomic_bool ends;
};

static void *dispatch(void *context)
{
	struct silence *silence = context;

	while (!atomic_load(&silence->ends))
		mad_async_dispatch(silence->async, 0, -1);
	return NULL;
}

static int64_t start_silence(struct silence *silence, struct ibmad_port *port, unsigned count)
{
	int64_t last = 0;

	*silence = (struct silence){ .async = create(port, IN_FLIGHT, LONG_MS) };
	for (unsigned i = 0; i < count; i++)
		submit(silence->async, 1 + (int)i, ECHO_SILENT, count_failure, NULL, &last);
	errno = pthread_create(&silence->thread, NULL, dispatch, silence);
	if (errno)
		give_up("pthread_create");
	return last;
}

static void end_silence(struct silence *silence, int64_t last)
{
	atomic_store(&silence->ends, true);
	mad_async_cancel(silence->async, last);
	pthread_join(silence->thread, NULL);
	mad_async_free(silence->async);
}

struct caller {
	pthread_t thread;
	struct ibmad_port *port;
	unsigned requests;
};

static void *query(void *context)
{
	struct caller *caller = context;

	for (unsigned i = 0; i < caller->requests; i++) {
		ib_portid_t to = { .lid = 1 + (int)(i % PORTS) };
		uint8_t data[IB_SMP_DATA_SIZE] = { 0 };

		if (!smp_query_via(data, &to, IB_ATTR_NODE_INFO, i, TIMEOUT_MS, caller->port))
			atomic_fetch_add(&failures, 1);
	}
	return NULL;
}

static struct sample run_threads(struct ibmad_port *port, unsigned requests)
{
	struct caller callers[THREADS];
	struct meter meter;

	meter_start(&meter);
	for (int i = 0; i < THREADS; i++) {
		callers[i] = (struct caller){ .port = port, .requests = requests / THREADS };
		errno = pthread_create(&callers[i].thread, NULL, query, &callers[i]);
		if (errno)
			give_up("pthread_create");
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(callers[i].thread, NULL);
	return meter_stop(&meter, requests / THREADS * THREADS);
}

static void compare_threads(struct ibmad_port *port)
{
	struct comparison comparison = {
		.what = "16 blocking threads beside 1,024 silent requests",
		.rounds = options.rounds,
	};

	run_threads(port, options.requests / 16);
	for (unsigned i = 0; i < options.rounds; i++) {
		struct silence silence;
		int64_t last;

		comparison.base[i] = run_threads(port, options.requests / 4);
		last = start_silence(&silence, port, IN_FLIGHT);
		comparison.other[i] = run_threads(port, options.requests / 4);
		end_silence(&silence, last);
	}
	figures_title(comparison.what, "alone", "beside");
	figures_compare(&comparison, 0.5, 2);
}

/*
 * Requests that get a response and are submitted again, all the time: some 50,000 a second, so that
 * neither the responder nor the descriptor has a queue that others would have to wait in.
 */
static atomic_bool refills;

static void submit_again(struct mad_async *async, const struct mad_async_result *result,
			 void *context)
{
	count_failure(async, result, context);
	if (atomic_load(&refills))
		submit(async, result->from->lid, ECHO_SLOW, submit_again, context, NULL);
	else
		atomic_fetch_sub((atomic_uint *)context, 1);
}

static void compare_busy_threads(struct ibmad_port *port)
{
	struct comparison comparison = {
		.what = "16 blocking threads beside 1,024 requests that take 20 ms",
		.rounds = options.rounds,
	};

	for (unsigned i = 0; i < options.rounds; i++) {
		struct silence busy = { .async = create(port, IN_FLIGHT, TIMEOUT_MS) };
		atomic_uint left = IN_FLIGHT;

		comparison.base[i] = run_threads(port, options.requests / 4);
		atomic_store(&refills, true);
		for (unsigned j = 0; j < IN_FLIGHT; j++)
			submit(busy.async, 1 + (int)j, ECHO_SLOW, submit_again, &left, NULL);
		errno = pthread_create(&busy.thread, NULL, dispatch, &busy);
		if (errno)
			give_up("pthread_create");
		comparison.other[i] = run_threads(port, options.requests / 4);
		atomic_store(&busy.ends, true);
		atomic_store(&refills, false);
		pthread_join(busy.thread, NULL);
		while (mad_async_pending(busy.async))
			mad_async_dispatch(busy.async, 0, -1);
		mad_async_free(busy.async);
	}
	figures_title(comparison.what, "alone", "beside");
	figures_compare(&comparison, 0.5, 0);
}

/* Threads in blocking calls that get no response. */
static void *query_silent(void *port)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t to = { .lid = 1 };

	smp_query_via(data, &to, IB_ATTR_NODE_INFO, ECHO_SILENT, LONG_MS, port);
	atomic_fetch_add(&failures, 1);
	return NULL;
}

static void start_waiters(pthread_t *waiters, unsigned count, struct ibmad_port *port)
{
	for (unsigned i = 0; i < count; i++) {
		errno = pthread_create(&waiters[i], NULL, query_silent, port);
		if (errno)
			give_up("pthread_create");
	}
	usleep(20000);
}

static void end_waiters(const pthread_t *waiters, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		pthread_cancel(waiters[i]);
	for (unsigned i = 0; i < count; i++)
		pthread_join(waiters[i], NULL);
}

static void compare_beside_waiters(struct ibmad_port *port, unsigned window, const char *what)
{
	struct mad_async *async = create(port, window, TIMEOUT_MS);
	struct comparison comparison = { .what = what, .rounds = options.rounds };
	unsigned requests = options.requests / WINDOW * window;
	pthread_t waiters[THREADS];

	run_async(async, window, requests / 10);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run_async(async, window, requests);
		start_waiters(waiters, THREADS, port);
		comparison.other[i] = run_async(async, window, requests);
		end_waiters(waiters, THREADS);
	}
	figures_title(what, "alone", "beside");
	figures_compare(&comparison, 0, 2);
	mad_async_free(async);
}

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void note_end(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	(void)async;
	if (result->error != ETIMEDOUT)
		atomic_fetch_add(&failures, 1);
	atomic_store((_Atomic int64_t *)context, now_us());
}

static int compare_numbers(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

/* Submitted beside a thread in dispatch(-1): when it ends, in us after its timeout. */
static int64_t time_out(struct mad_async *async)
{
	_Atomic int64_t ended = 0;
	ib_portid_t to = { .lid = 2 };
	ib_rpc_t rpc = {
		.mgtclass = IB_SMI_CLASS,
		.method = IB_MAD_METHOD_GET,
		.attr = { .id = IB_ATTR_NODE_INFO, .mod = ECHO_SILENT },
		.timeout = SHORT_MS,
		.datasz = IB_SMP_DATA_SIZE,
		.dataoffs = IB_SMP_DATA_OFFS,
	};
	int64_t started = now_us();

	if (mad_async_submit(async, ASYNC_TO(&to, note_end, &ended), &rpc, NULL) < 0)
		give_up("mad_async_submit");
	while (!atomic_load(&ended))
		usleep(500);
	return ended - started - SHORT_MS * 1000;
}

static void measure_lateness(struct ibmad_port *port)
{
	static const char what[] = "a timeout of 5 ms beside dispatch(-1)";
	int64_t late[TIMEOUTS];
	struct silence silence;
	int64_t last = start_silence(&silence, port, 1);

	usleep(100000);
	for (int i = 0; i < TIMEOUTS; i++)
		late[i] = time_out(silence.async);
	end_silence(&silence, last);
	qsort(late, TIMEOUTS, sizeof(late[0]), compare_numbers);
	figures_title(what, "timeout", "late by");
	figures_print(what, "ms, the middle of 21", SHORT_MS, (double)late[TIMEOUTS / 2] / 1e3);
	figures_print(what, "ms, the latest of 21", SHORT_MS, (double)late[TIMEOUTS - 1] / 1e3);
}

static struct ibmad_port *open_port(void)
{
	int classes[] = { IB_SMI_CLASS };
	char name[] = "mlx5_0";
	struct ibmad_port *port = mad_rpc_open_port(name, 1, classes, 1);

	if (!port)
		give_up("mad_rpc_open_port");
	mad_rpc_set_retries(port, 1);
	return port;
}

static void check_started(int error)
{
	if (!error)
		return;
	fprintf(stderr, "no device: %s\n", strerror(-error));
	exit(EXIT_FAILURE);
}

static void run_on_loopback(void)
{
	struct ibmad_port *port;

	check_started(echo_start_loopback());
	port = open_port();
	compare_with_bare_loop(port, "window 64 against a bare loop of write, poll and read", 1.5,
			       run_bare);
	compare_with_bare_loop(port, "window 64 against a bare loop that reads all there is", 0,
			       run_greedy);
	mad_rpc_close_port(port);
	echo_stop();
}

static void run_on_responder(void)
{
	struct ibmad_port *port;

	check_started(echo_start(DELAY_US));
	port = open_port();
	compare_threads(port);
	compare_busy_threads(port);
	compare_beside_waiters(port, WINDOW, "window 64 beside 16 threads in blocking calls");
	compare_beside_waiters(port, 1, "window 1 beside 16 threads in blocking calls");
	measure_lateness(port);
	mad_rpc_close_port(port);
	echo_stop();
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
	run_on_loopback();
	run_on_responder();
	if (failures)
		fprintf(stderr, "%u requests failed\n", failures);
	return figures_close() || failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
