/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What asynchronous requests cost, each figure beside its counterpart of the same rounds. On a
 * device that returns each packet at once as its own response: against bare loops of write, poll
 * and read on the same descriptor. Against a responder that responds after a fixed time: against
 * blocking calls, with several windows, with many queued requests, and in one port with blocking
 * calls and with requests that get no response. Of each, the best of several rounds that alternate
 * between the two, since what else runs on a machine makes things slower, and never faster. Fails
 * where a request fails, never for being slow.
 */
#include "echo.h"
#include "figures.h"
#include "../lib/async-request.h"
#include "../lib/memory-in-use.h"

#include <endian.h>
#include <errno.h>
#include <getopt.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DELAY_US      1000
#define SHORT_US      300 /* the responder's delay where threads compete */
#define WINDOW	      64
#define PORTS	      1000 /* that requests go to */
#define TIMEOUT_MS    5000
#define FEW	      1000 /* queued requests that many are compared with */
#define LOSSY_MS      20
#define FOR_LONG_MS   600000
#define THREADS	      16
#define IN_FLIGHT     1024 /* silent requests */
#define SHORT_MS      5
#define SHORT_REPEATS 21
#define PACKET_SIZE   (64 + IB_MAD_SIZE)

static struct {
	unsigned requests; /* of a round */
	unsigned queued;   /* the many */
	unsigned rounds;
	const char *csv;
} options = { .requests = 40000, .queued = 100000, .rounds = 5 };

static struct ibmad_port *port;
static atomic_uint failures;

static void give_up(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static struct mad_async *create(unsigned window, int timeout_ms)
{
	struct mad_async_options settings = {
		.window = window,
		.timeout_ms = timeout_ms,
		.attempts = timeout_ms == LOSSY_MS ? 5 : 1,
	};
	struct mad_async *async = mad_async_create(port, &settings, sizeof(settings));

	if (!async)
		give_up("mad_async_create");
	return async;
}

static int64_t submit(struct mad_async *async, unsigned lid, unsigned mod,
		      mad_async_callback callback, void *context)
{
	ib_portid_t to = { .lid = (int)lid };
	int64_t id = mad_async_smp(async, ASYNC_TO(&to, callback, context), IB_ATTR_NODE_INFO, mod,
				   NULL);

	if (id < 0)
		give_up("mad_async_smp");
	return id;
}

static void count_failure(struct mad_async *async, const struct mad_async_result *result,
			  void *context)
{
	(void)async;
	(void)context;
	if (result->error && result->error != ECANCELED)
		atomic_fetch_add(&failures, 1);
}

static void submit_usual(struct mad_async *async, unsigned number)
{
	submit(async, 1 + number % PORTS, number, count_failure, NULL);
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

		if (!smp_query_via(data, &to, IB_ATTR_NODE_INFO, i, TIMEOUT_MS, port))
			atomic_fetch_add(&failures, 1);
	}
	return meter_stop(&meter, requests);
}

/* All of them in parts, each of which is submitted at once and then dispatched. */
static struct sample run_in_parts(struct mad_async *async, unsigned all, unsigned at_once, int fd,
				  void (*submit_one)(struct mad_async *async, unsigned number))
{
	struct meter meter;

	meter_start(&meter);
	for (unsigned i = 0; i < all; i += at_once) {
		for (unsigned j = 0; j < at_once; j++)
			submit_one(async, j);
		finish(async, fd);
	}
	return meter_stop(&meter, all);
}

static struct sample run_at_once(struct mad_async *async, unsigned requests, int fd)
{
	return run_in_parts(async, requests, requests, fd, submit_usual);
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
	unsigned number = refilled->submitted;

	if (result)
		count_failure(async, result, NULL);
	if (number >= refilled->requests)
		return;
	refilled->submitted++;
	submit(async, 1 + number % PORTS, number, submit_next, refilled);
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
	number = htobe32(number);
	memcpy(mad + 12, &number, sizeof(number));
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

static void compare_with_bare_loop(const char *what, double cost_target, bool greedy)
{
	struct mad_async *async = create(WINDOW, TIMEOUT_MS);
	struct comparison comparison = { .what = what, .rounds = options.rounds };
	int fd = mad_rpc_portid(port);

	run_refilled(async, WINDOW, WINDOW * 4);
	run_bare(fd, WINDOW * 4, greedy);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run_bare(fd, options.requests, greedy);
		comparison.other[i] = run_refilled(async, WINDOW, options.requests);
	}
	figures_title(what, "bare", "async");
	figures_compare(&comparison, 0, cost_target);
	mad_async_free(async);
}

static void compare_with_blocking(unsigned window, bool with_descriptor, const char *what)
{
	struct mad_async *async = create(window, TIMEOUT_MS);
	int fd = with_descriptor ? mad_async_get_fd(async) : -1;
	struct comparison comparison = { .what = what, .rounds = options.rounds };

	run_blocking(20);
	run_at_once(async, window * 4, fd);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run_blocking(options.requests / 80);
		comparison.other[i] = run_at_once(async, options.requests / 80 * window, fd);
	}
	figures_title(what, "blocking", "async");
	figures_compare(&comparison, 0, 0);
	mad_async_free(async);
}

/* Requests to one port, of which each 100th is lost once: it holds up the others. That it is lost
 * several times, on a busy machine, is no failure. */
static void count_but_timeouts(struct mad_async *async, const struct mad_async_result *result,
			       void *context)
{
	if (result->error != ETIMEDOUT)
		count_failure(async, result, context);
}

static void submit_lossy(struct mad_async *async, unsigned number)
{
	submit(async, 1, number % 100 == 99 ? ECHO_LOST : number, count_but_timeouts, NULL);
}

/* Many queued requests against few, all in all as many. */
static void compare_queues(unsigned many, bool lossy)
{
	struct mad_async *async = create(WINDOW, lossy ? LOSSY_MS : TIMEOUT_MS);
	void (*submit_one)(struct mad_async *, unsigned) = lossy ? submit_lossy : submit_usual;
	char what[80], base[20], other[20];
	struct comparison comparison = { .what = what, .rounds = options.rounds };

	snprintf(what, sizeof(what), "%u queued requests%s against %u", many,
		 lossy ? " to one port with losses" : "", FEW);
	snprintf(base, sizeof(base), "%u", FEW);
	snprintf(other, sizeof(other), "%u", many);
	run_in_parts(async, many, many, -1, submit_one);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run_in_parts(async, many, FEW, -1, submit_one);
		comparison.other[i] = run_in_parts(async, many, many, -1, submit_one);
	}
	figures_title(what, base, other);
	figures_compare(&comparison, 0, 0);
	mad_async_free(async);
}

/* Bytes for each of so many queued requests, the fixed costs among them. */
static double measure_memory(unsigned requests)
{
	size_t before = memory_resident(), queued;
	struct mad_async *async = create(WINDOW, TIMEOUT_MS);

	for (unsigned i = 0; i < requests; i++)
		submit_usual(async, i);
	queued = memory_resident();
	finish(async, -1);
	mad_async_free(async);
	return (double)(queued - before) / requests;
}

static void compare_memory(void)
{
	double few = measure_memory(FEW), many = measure_memory(options.queued);
	char what[80], other[20];

	snprintf(what, sizeof(what), "memory of %u queued requests against %u", options.queued,
		 FEW);
	snprintf(other, sizeof(other), "%u", options.queued);
	figures_title(what, "1000", other);
	figures_print(what, "bytes a request", few, many);
}

static void start_thread(pthread_t *thread, void *(*run)(void *context), void *context)
{
	errno = pthread_create(thread, NULL, run, context);
	if (errno)
		give_up("pthread_create");
}

/* Other requests of the port, and a thread that waits for them. */
struct others {
	struct mad_async *async;
	pthread_t thread;
	atomic_bool ends;
	int64_t last; /* the ID of the request that was submitted last */
};

static void *dispatch(void *context)
{
	struct others *others = context;

	while (!atomic_load(&others->ends))
		mad_async_dispatch(others->async, 0, -1);
	return NULL;
}

/* Requests that get a response and are submitted again, all the time: some 50,000 a second, so that
 * neither the responder nor the descriptor has a queue that others would have to wait in. */
static void submit_again(struct mad_async *async, const struct mad_async_result *result,
			 void *context)
{
	struct others *others = context;

	count_failure(async, result, NULL);
	if (!atomic_load(&others->ends))
		submit(async, (unsigned)result->from->lid, ECHO_SLOW, submit_again, others);
}

static void start_others(struct others *others, unsigned count, unsigned mod)
{
	*others = (struct others){ .async = create(IN_FLIGHT,
						   mod == ECHO_SILENT ? FOR_LONG_MS : TIMEOUT_MS) };
	for (unsigned i = 0; i < count; i++)
		others->last = submit(others->async, 1 + i, mod,
				      mod == ECHO_SILENT ? count_failure : submit_again, others);
	start_thread(&others->thread, dispatch, others);
}

static void end_others(struct others *others)
{
	atomic_store(&others->ends, true);
	mad_async_cancel(others->async, others->last);
	pthread_join(others->thread, NULL);
	mad_async_free(others->async);
}

static void *query(void *context)
{
	struct sample ignored = run_blocking(*(unsigned *)context);

	(void)ignored;
	return NULL;
}

static struct sample run_threads(unsigned requests)
{
	unsigned of_each = requests / THREADS;
	pthread_t threads[THREADS];
	struct meter meter;

	meter_start(&meter);
	for (int i = 0; i < THREADS; i++)
		start_thread(&threads[i], query, &of_each);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return meter_stop(&meter, of_each * THREADS);
}

static void compare_threads(unsigned mod, const char *what)
{
	struct comparison comparison = { .what = what, .rounds = options.rounds };

	run_threads(options.requests / 16);
	for (unsigned i = 0; i < options.rounds; i++) {
		struct others others;

		comparison.base[i] = run_threads(options.requests / 4);
		start_others(&others, IN_FLIGHT, mod);
		comparison.other[i] = run_threads(options.requests / 4);
		end_others(&others);
	}
	figures_title(comparison.what, "alone", "beside");
	figures_compare(&comparison, 0.5, mod == ECHO_SILENT ? 2 : 0);
}

/* Threads in blocking calls that get no response. */
static void *query_silent(void *context)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t to = { .lid = 1 };

	(void)context;
	smp_query_via(data, &to, IB_ATTR_NODE_INFO, ECHO_SILENT, FOR_LONG_MS, port);
	atomic_fetch_add(&failures, 1);
	return NULL;
}

static struct sample run_beside_threads(struct mad_async *async, unsigned window, unsigned requests)
{
	pthread_t threads[THREADS];
	struct sample sample;

	for (int i = 0; i < THREADS; i++)
		start_thread(&threads[i], query_silent, NULL);
	usleep(20000); /* they wait now */
	sample = run_refilled(async, window, requests);
	for (int i = 0; i < THREADS; i++)
		pthread_cancel(threads[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return sample;
}

static void compare_beside_threads(unsigned window, const char *what)
{
	struct mad_async *async = create(window, TIMEOUT_MS);
	struct comparison comparison = { .what = what, .rounds = options.rounds };
	unsigned requests = options.requests / WINDOW * window;

	run_refilled(async, window, requests / 10);
	for (unsigned i = 0; i < options.rounds; i++) {
		comparison.base[i] = run_refilled(async, window, requests);
		comparison.other[i] = run_beside_threads(async, window, requests);
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
	int64_t started = now_us();

	if (mad_async_smp(async, ASYNC_FOR(&to, note_end, &ended, 0, SHORT_MS), IB_ATTR_NODE_INFO,
			  ECHO_SILENT, NULL) < 0)
		give_up("mad_async_smp");
	while (!atomic_load(&ended))
		usleep(500);
	return ended - started - SHORT_MS * 1000;
}

static void measure_lateness(void)
{
	static const char what[] = "a timeout of 5 ms beside dispatch(-1)";
	int64_t late[SHORT_REPEATS];
	struct others others;

	start_others(&others, 1, ECHO_SILENT);
	usleep(100000); /* its thread waits now */
	for (int i = 0; i < SHORT_REPEATS; i++)
		late[i] = time_out(others.async);
	end_others(&others);
	qsort(late, SHORT_REPEATS, sizeof(late[0]), compare_numbers);
	figures_title(what, "timeout", "late by");
	figures_print(what, "ms, the middle of 21", SHORT_MS,
		      (double)late[SHORT_REPEATS / 2] / 1e3);
	figures_print(what, "ms, the latest of 21", SHORT_MS,
		      (double)late[SHORT_REPEATS - 1] / 1e3);
}

static void run_on_loopback(void)
{
	compare_with_bare_loop("window 64 against a bare loop of write, poll and read", 1, false);
	compare_with_bare_loop("window 64 against a bare loop that reads all there is", 0, true);
}

static void run_on_responder(void)
{
	compare_with_blocking(WINDOW, false, "dispatch against blocking calls");
	compare_with_blocking(WINDOW, true, "descriptor and poll against blocking calls");
	compare_with_blocking(1, false, "window 1 against blocking calls");
	compare_with_blocking(128, false, "window 128 against blocking calls");
	compare_queues(options.queued, false);
	compare_queues(options.queued / 2, true);
	compare_memory();
}

static void run_beside_others(void)
{
	compare_threads(ECHO_SILENT, "16 blocking threads beside 1,024 silent requests");
	compare_threads(ECHO_SLOW, "16 blocking threads beside 1,024 requests that take 20 ms");
	compare_beside_threads(WINDOW, "window 64 beside 16 threads in blocking calls");
	compare_beside_threads(1, "window 1 beside 16 threads in blocking calls");
	measure_lateness();
}

/* delay_us: -1 for the device without a responder. */
static void run_on_device(void (*run)(void), int64_t delay_us)
{
	int error = delay_us < 0 ? echo_start_loopback() : echo_start(delay_us);
	int classes[] = { IB_SMI_CLASS };
	char name[] = "mlx5_0";

	if (error) {
		errno = -error;
		give_up("no device");
	}
	port = mad_rpc_open_port(name, 1, classes, 1);
	if (!port)
		give_up("mad_rpc_open_port");
	mad_rpc_set_retries(port, 1);
	run();
	mad_rpc_close_port(port);
	echo_stop();
}

static void parse_options(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "qc:")) >= 0) {
		if (option == 'q') {
			options.requests = 4000;
			options.queued = 10000;
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
	run_on_device(run_on_loopback, -1);
	run_on_device(run_on_responder, DELAY_US);
	run_on_device(run_beside_others, SHORT_US);
	if (failures)
		fprintf(stderr, "%u requests failed\n", failures);
	return figures_close() || failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
