/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * bench-rpc LIBIBUMAD LIBIBMAD JOB: the cost of requests. The device (mirror.h) responds at once;
 * in the jobs waiters and silent not to directed routes, in the job times after a millisecond. A
 * preloaded library shows the host. heap, stack, kept and large print a name and a figure a line;
 * times and bare print seconds; the other jobs make the requests between marks (marks.h). tables,
 * queued, ports, waiters and silent measure few and many. Ends with PAIR_HAS_NONE where the pair
 * has no such function.
 */
#include "../lib/async-request.h"
#include "costs.h"
#include "marks.h"
#include "mirror.h"
#include "pair.h"
#include "../lib/memory-in-use.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WARM	      100
#define REQUESTS      1000
#define FEW	      1000 /* records, queued requests */
#define MANY	      10000
#define WINDOW	      64
#define PEERS	      100 /* destinations of queued requests */
#define PORTS_MANY    32
#define NODE_SIZE     112 /* of a NodeRecord with its padding */
#define WAITERS	      1000
#define WAITERS_FEW   16
#define STACK	      (64 << 10) /* of a thread that waits */
#define HOUR_MS	      3600000
#define SILENT_FEW    30000
#define SILENT_MANY   200000
#define KEPT_FEW      10000
#define KEPT_MANY     1000000
#define LARGE	      (32 << 20) /* bytes of a response */
#define ROUTES_A_HOP  200	 /* ports of a switch that routes here go through */
#define LARGE_REPEATS 3
#define DELAY_US      1000
#define TIMES_ROUNDS  5
#define TIMES_CALLS   500 /* of a round; so many asynchronous requests for each of the window */
#define BARE_REQUESTS 40000
#define PACKET_SIZE   (64 + IB_MAD_SIZE)

static struct pair pair;
static struct ibmad_port *port;
static unsigned silent_requests;

static void give_up(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static struct ibmad_port *open_port(void)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_port *opened =
		pair.mad_rpc_open_port(NULL, 0, classes, sizeof(classes) / sizeof(classes[0]));

	if (!opened)
		give_up("mad_rpc_open_port");
	return opened;
}

/* The requests. Their frames are small, since stack_used() includes them. */

static void query_by_lid(void *context)
{
	static ib_portid_t to = { .lid = 7 };
	static uint8_t data[IB_SMP_DATA_SIZE];

	(void)context;
	if (!pair.smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 1000, port))
		give_up("smp_query_via");
}

static void query_by_route(void *context)
{
	static ib_portid_t to = { .drpath = { .cnt = 3, .p = { 0, 1, 2, 3 } } };
	static uint8_t data[IB_SMP_DATA_SIZE];

	(void)context;
	if (!pair.smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 1000, port))
		give_up("smp_query_via, directed route");
}

static void query_counters(void *context)
{
	static ib_portid_t to = { .lid = 7, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	static uint8_t data[1024];

	(void)context;
	if (!pair.pma_query_via(data, &to, 1, 1000, IB_GSI_PORT_COUNTERS, port))
		give_up("pma_query_via");
}

static void call_sa_with(ib_sa_call_t *sa)
{
	static ib_portid_t to = { .lid = 7, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	static uint8_t data[1024];

	sa->trid = 0;
	if (!pair.sa_rpc_call(port, data, &to, sa, 10000))
		give_up("sa_rpc_call");
}

static void call_sa(void *context)
{
	static ib_sa_call_t sa = { .attrid = IB_SA_ATTR_PATHRECORD, .method = IB_MAD_METHOD_GET };

	(void)context;
	call_sa_with(&sa);
}

static void call_sa_for_table(void)
{
	static ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD,
				   .method = IB_MAD_METHOD_GET_TABLE };

	call_sa_with(&sa);
}

static const struct {
	const char *name;
	void (*make)(void *context);
} requests[] = {
	{ "smp_query_via", query_by_lid },
	{ "smp_query_via by directed route", query_by_route },
	{ "pma_query_via", query_counters },
	{ "sa_rpc_call", call_sa },
};

static void repeat(void (*make)(void *context), unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		make(NULL);
}

static void mark_repeated(const char *name, void (*make)(void *context))
{
	repeat(make, WARM);
	mark_begin(name, REQUESTS);
	repeat(make, REQUESTS);
	mark_end();
}

static void mark_instructions(void)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		mark_repeated(requests[i].name, requests[i].make);
}

static void print_heap(void)
{
	unsigned long calls = heap_calls();

	pair.mad_rpc_close_port(open_port());
	if (heap_calls() == calls) {
		fprintf(stderr, "opening a port allocates, and no allocation was counted\n");
		exit(EXIT_FAILURE);
	}
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		unsigned long before;

		repeat(requests[i].make, WARM);
		before = heap_calls();
		repeat(requests[i].make, REQUESTS);
		printf("%s\t%g\n", requests[i].name, (double)(heap_calls() - before) / REQUESTS);
	}
}

static void print_stack(void)
{
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		repeat(requests[i].make, WARM);
		printf("%s\t%zu\n", requests[i].name, stack_used(requests[i].make, NULL));
	}
}

/* A table of so many NodeRecords. */
static struct mad_sa_table *query_table(unsigned count)
{
	struct mad_sa_request query = { .attr_id = IB_SA_ATTR_NODERECORD, .timeout_ms = 10000 };
	ib_portid_t sm = { .lid = 7 };
	struct mad_sa_table *table =
		pair.mad_sa_query_sized(port, &sm, &query, sizeof(query), NULL);

	if (!table)
		give_up("mad_sa_query");
	if (pair.mad_sa_table_count(table) != count) {
		fprintf(stderr, "%u records came\n", pair.mad_sa_table_count(table));
		exit(EXIT_FAILURE);
	}
	return table;
}

static void read_table(unsigned count)
{
	struct mad_sa_table *table = query_table(count);
	struct mad_sa_node node;

	for (unsigned i = 0; i < count; i++)
		if (pair.mad_sa_get_node_sized(table, i, &node, sizeof(node)))
			give_up("mad_sa_get_node");
	pair.mad_sa_table_free(table);
}

static void mark_table(unsigned count, const char *name)
{
	if (mirror_set_records(count, NODE_SIZE))
		give_up("records");
	read_table(count);
	mark_begin(name, count);
	read_table(count);
	mark_end();
}

static void mark_tables(void)
{
	mark_table(FEW, "few");
	mark_table(MANY, "many");
}

static struct mad_async *create(unsigned window)
{
	struct mad_async_options options = { .window = window,
					     .timeout_ms = HOUR_MS,
					     .attempts = 1 };
	struct mad_async *async = pair.mad_async_create_sized(port, &options, sizeof(options));

	if (!async)
		give_up("mad_async_create");
	return async;
}

static void check_result(struct mad_async *async, const struct mad_async_result *result,
			 void *context)
{
	(void)async;
	(void)context;
	errno = result->error;
	if (errno)
		give_up("asynchronous request");
}

static void submit(struct mad_async *async, const ib_portid_t *to, mad_async_callback callback,
		   void *context, unsigned attr_mod)
{
	if (pair.mad_async_smp_sized(async, ASYNC_TO(to, callback, context),
				     sizeof(struct mad_async_request), IB_ATTR_NODE_INFO, attr_mod,
				     NULL) < 0)
		give_up("mad_async_smp");
}

static void dispatch_all(struct mad_async *async)
{
	while (pair.mad_async_pending(async))
		if (pair.mad_async_dispatch(async, 0, -1) < 0)
			give_up("mad_async_dispatch");
}

/* Submits so many requests, which get their responses, and waits for all. */
static void run_queued(struct mad_async *async, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		submit(async, &(ib_portid_t){ .lid = 1 + (int)(i % PEERS) }, check_result, NULL, i);
	dispatch_all(async);
}

static void mark(struct mad_async *async, const char *name, unsigned count)
{
	mark_begin(name, count);
	run_queued(async, count);
	mark_end();
}

static void mark_queued(void)
{
	struct mad_async *async = create(WINDOW);

	run_queued(async, MANY);
	mark(async, "few", FEW);
	mark(async, "many", MANY);
	pair.mad_async_free(async);
}

static void mark_ports(void)
{
	struct ibmad_port *others[PORTS_MANY];

	mark_repeated("few", query_by_lid);
	for (unsigned i = 0; i < PORTS_MANY; i++)
		others[i] = open_port();
	mark_repeated("many", query_by_lid);
	for (unsigned i = 0; i < PORTS_MANY; i++)
		pair.mad_rpc_close_port(others[i]);
}

/* Threads in blocking calls that get no response. */

static void *wait_an_hour(void *context)
{
	ib_portid_t to = { .drpath = { .cnt = 1, .p = { 0, 1 } } };
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };

	(void)context;
	pair.smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, HOUR_MS, port);
	return NULL;
}

static pthread_t waiters[WAITERS];

static void start_waiters(unsigned count)
{
	unsigned before = mirror_ignored();
	pthread_attr_t attributes;

	if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, STACK))
		give_up("attributes of threads");
	for (unsigned i = 0; i < count; i++) {
		errno = pthread_create(&waiters[i], &attributes, wait_an_hour, NULL);
		if (errno)
			give_up("pthread_create");
	}
	pthread_attr_destroy(&attributes);
	while (mirror_ignored() < before + count)
		usleep(1000);
	usleep(20000); /* the last one waits now */
}

static void end_waiters(unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		pthread_cancel(waiters[i]);
	for (unsigned i = 0; i < count; i++)
		pthread_join(waiters[i], NULL);
}

static void mark_waiters(void)
{
	struct mad_async *async = create(WINDOW);

	run_queued(async, WARM);
	mark(async, "0 waiting threads", REQUESTS);
	start_waiters(WAITERS);
	run_queued(async, WARM);
	mark(async, "1,000 waiting threads", REQUESTS);
	_exit(EXIT_SUCCESS); /* with all of them */
}

/* Requests to one port each, as many in flight as the largest window allows. */
static void start_silent(unsigned count)
{
	struct mad_async *async = NULL;

	mark_pause();
	for (; silent_requests < count; silent_requests++) {
		unsigned n = silent_requests;
		ib_portid_t to = { .drpath = { .cnt = 3 } };

		for (int hop = 1; hop <= to.drpath.cnt; hop++, n /= ROUTES_A_HOP)
			to.drpath.p[hop] = (uint8_t)(1 + n % ROUTES_A_HOP);
		if (!async || silent_requests % MAD_ASYNC_MAX_WINDOW == 0)
			async = create(MAD_ASYNC_MAX_WINDOW);
		submit(async, &to, check_result, NULL, 0);
	}
	mark_resume();
	if (mirror_ignored() != count) {
		fprintf(stderr, "%u requests of %u went out\n", mirror_ignored(), count);
		exit(EXIT_FAILURE);
	}
}

/* Asynchronous requests, and blocking ones. */
static void mark_beside(struct mad_async *async, const char *name, const char *blocking)
{
	run_queued(async, WARM);
	mark(async, name, REQUESTS);
	mark_repeated(blocking, query_by_lid);
}

static void mark_silent(void)
{
	struct mad_async *async = create(WINDOW);

	mark_beside(async, "0 silent requests", "blocking, 0 silent requests");
	start_silent(SILENT_FEW);
	mark_beside(async, "30,000 silent requests", "blocking, 30,000 silent requests");
	start_silent(SILENT_MANY);
	mark_beside(async, "200,000 silent requests", "blocking, 200,000 silent requests");
	_exit(EXIT_SUCCESS);
}

/* Prints how much resident memory has grown when many requests, submitted at once, have completed.
 */
static void print_kept(void)
{
	static const unsigned counts[] = { KEPT_FEW, KEPT_MANY };
	size_t before = memory_resident();

	for (int i = 0; i < 2; i++) {
		struct mad_async *async = create(WINDOW);

		run_queued(async, counts[i]);
		printf("%s\t%.0f\n", i ? "many" : "few",
		       (double)memory_resident() - (double)before);
		pair.mad_async_free(async);
	}
}

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A way to make requests. */
struct way {
	void (*make)(struct mad_async *async, unsigned count);
	unsigned count;
	bool has_waiters;
};

/* Prints the seconds, and those of the processor, that a request takes. */
static void print_time(const struct way *way, struct mad_async *async)
{
	double start, cpu;

	if (way->has_waiters) {
		start_waiters(WAITERS_FEW);
		way->make(async, way->count / 10); /* until all of them sleep */
	}
	start = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	way->make(async, way->count);
	printf("\t%g\t%g", (seconds(CLOCK_MONOTONIC) - start) / way->count,
	       (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / way->count);
	if (way->has_waiters)
		end_waiters(WAITERS_FEW);
}

/* Prints a line for each round, in which both ways have their turn. */
static void compare_times(const char *what, unsigned window, const struct way *one,
			  const struct way *other)
{
	struct mad_async *async = create(window);

	one->make(async, 4 * window);
	other->make(async, 4 * window);
	for (int round = 0; round < TIMES_ROUNDS; round++) {
		printf("%s", what);
		print_time(one, async);
		print_time(other, async);
		printf("\n");
	}
	pair.mad_async_free(async);
}

static void run_blocking(struct mad_async *async, unsigned count)
{
	(void)async;
	repeat(query_by_lid, count);
}

/* A callback submits a request, as the bare loop writes one for each response. */
static void submit_next(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	ib_portid_t to = { .lid = 1 };
	unsigned *left = context;

	if (result)
		check_result(async, result, NULL);
	if (!*left)
		return;
	to.lid += (int)(--*left % PEERS);
	submit(async, &to, submit_next, left, *left);
}

static void run_refilled(struct mad_async *async, unsigned count, unsigned window)
{
	unsigned left = count;

	for (unsigned i = 0; i < window; i++)
		submit_next(async, NULL, &left);
	dispatch_all(async);
}

static void run_window(struct mad_async *async, unsigned count)
{
	run_refilled(async, count, WINDOW);
}

static void run_one_by_one(struct mad_async *async, unsigned count)
{
	run_refilled(async, count, 1);
}

static void print_times(void)
{
	static const struct way blocking = { run_blocking, TIMES_CALLS, false };
	static const struct way queued = { run_queued, TIMES_CALLS * WINDOW, false };
	static const struct way queued_one = { run_queued, TIMES_CALLS, false };
	static const struct way alone = { run_window, TIMES_CALLS * WINDOW, false };
	static const struct way beside = { run_window, TIMES_CALLS * WINDOW, true };
	static const struct way one_alone = { run_one_by_one, TIMES_CALLS, false };
	static const struct way one_beside = { run_one_by_one, TIMES_CALLS, true };

	compare_times("dispatch against blocking calls", WINDOW, &blocking, &queued);
	compare_times("window 1 against blocking calls", 1, &blocking, &queued_one);
	compare_times("window 64 beside 16 threads in blocking calls", WINDOW, &alone, &beside);
	compare_times("window 1 beside 16 threads in blocking calls", 1, &one_alone, &one_beside);
}

/* Requests without the libraries: WINDOW of them out, and another one for each response that is
 * read. */
static void write_bare(int fd, unsigned number)
{
	uint8_t packet[PACKET_SIZE] = { 0 };
	struct ib_user_mad *umad = (void *)packet;
	uint8_t *mad = packet + 64;

	umad->timeout_ms = HOUR_MS;
	umad->addr.lid = htobe16((uint16_t)(1 + number % PEERS));
	mad[0] = mad[1] = mad[2] = mad[3] = 1;
	*(uint32_t *)(void *)(mad + 12) = htobe32(number);
	if (write(fd, packet, sizeof(packet)) != sizeof(packet))
		give_up("write");
}

static void run_bare(struct mad_async *async, unsigned count)
{
	struct pollfd polled = { .fd = pair.mad_rpc_portid(port), .events = POLLIN };
	uint8_t packet[PACKET_SIZE];
	unsigned written = 0;

	(void)async;
	for (; written < WINDOW; written++)
		write_bare(polled.fd, written);
	for (unsigned done = 0; done < count; done++) {
		if (poll(&polled, 1, -1) != 1 ||
		    read(polled.fd, packet, sizeof(packet)) != sizeof(packet))
			give_up("poll or read");
		if (written < count)
			write_bare(polled.fd, written++);
	}
}

static void print_bare(void)
{
	static const struct way bare = { run_bare, BARE_REQUESTS, false };
	static const struct way window = { run_window, BARE_REQUESTS, false };

	compare_times("window 64 against a bare loop of write, poll and read", WINDOW, &bare,
		      &window);
}

/* Responses of LARGE bytes: to a call that takes all, and to one that takes the first MAD. */
static void print_large(void)
{
	long kept, most = 0;
	size_t before;

	if (mirror_set_records(LARGE / NODE_SIZE, NODE_SIZE))
		give_up("records");
	before = memory_in_use();
	for (int i = 0; i < 2 * LARGE_REPEATS; i++) {
		if (i % 2)
			call_sa_for_table();
		else
			pair.mad_sa_table_free(query_table(LARGE / NODE_SIZE));
		kept = (long)(memory_in_use() - before);
		most = kept > most ? kept : most;
	}
	printf("response\t%ld\n", most);
}

static const struct {
	const char *name;
	void (*make)(void);
	bool is_ours; /* only our pair has the functions */
	bool ignores_routes;
	int64_t delay_us;
} jobs[] = {
	{ "instructions", mark_instructions, false, false, 0 },
	{ "heap", print_heap, false, false, 0 },
	{ "stack", print_stack, false, false, 0 },
	{ "ports", mark_ports, false, false, 0 },
	{ "tables", mark_tables, true, false, 0 },
	{ "queued", mark_queued, true, false, 0 },
	{ "kept", print_kept, true, false, 0 },
	{ "large", print_large, true, false, 0 },
	{ "waiters", mark_waiters, true, true, 0 },
	{ "silent", mark_silent, true, true, 0 },
	{ "times", print_times, true, true, DELAY_US },
	{ "bare", print_bare, true, false, 0 },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 4 && i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		if (strcmp(jobs[i].name, argv[3]) != 0)
			continue;
		pair_load(&pair, argv[1], argv[2], false);
		if (jobs[i].is_ours && (!pair.mad_async_create_sized || !pair.mad_sa_query_sized))
			return PAIR_HAS_NONE;
		if (jobs[i].ignores_routes)
			mirror_ignore_class(IB_SMI_DIRECT_CLASS);
		mirror_set_delay(jobs[i].delay_us);
		port = open_port();
		jobs[i].make();
		pair.mad_rpc_close_port(port);
		return EXIT_SUCCESS;
	}
	fprintf(stderr, "usage: %s LIBIBUMAD LIBIBMAD JOB, one of", argv[0]);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++)
		fprintf(stderr, " %s", jobs[i].name);
	fprintf(stderr, "\n");
	return 2;
}
