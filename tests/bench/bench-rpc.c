/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * bench-rpc LIBIBUMAD LIBIBMAD JOB: the cost of requests. The device (mirror.h) responds at once;
 * in the jobs waiters, silent and times not to directed routes. A preloaded library shows the host.
 * costs, kept and large print a name and a figure a line; times prints seconds; the other jobs make
 * the requests between marks (marks.h). tables, queued, ports, waiters and silent measure few and
 * many. Ends with PAIR_HAS_NONE where the pair has no such function.
 */
#include "../lib/async-request.h"
#include "marks.h"
#include "mirror.h"
#include "pair.h"
#include "../lib/memory-in-use.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WARM	     100
#define REQUESTS     1000
#define FEW	     1000 /* records, queued requests */
#define MANY	     10000
#define WINDOW	     64
#define PEERS	     100 /* destinations of queued requests */
#define NODE_SIZE    112 /* of a NodeRecord with its padding */
#define WAITERS	     1000
#define STACK	     (64 << 10) /* of a thread */
#define HOUR_MS	     3600000
#define LARGE	     (32 << 20) /* bytes of a response */
#define ROUTES_A_HOP 200	/* ports of a switch that routes here go through */
#define DELAY_US     1000
#define TIMES_ROUNDS 5
#define TIMES_CALLS  500 /* of a round */
#define PACKET_SIZE  (64 + IB_MAD_SIZE)
#define STACK_FRAME  128 /* bytes that print_stack() has on its stack, at most */
#define STACK_COLOR  UINT64_C(0xa5a55a5ac3c33c3c)

static struct pair pair;
static struct ibmad_port *port;
static alignas(4096) uint8_t stacks[WAITERS][STACK];

static void give_up(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

/* Ends the program if a call fails. */
#define MUST(call) ((call) ? (void)0 : give_up(#call))

static struct ibmad_port *open_port(void)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS };
	struct ibmad_port *opened = pair.mad_rpc_open_port(NULL, 0, classes, 4);

	MUST(opened);
	return opened;
}

/* The requests. Their frames are small, since print_costs() includes them. */

static void query_by_lid(void)
{
	static ib_portid_t to = { .lid = 7 };
	static uint8_t data[IB_SMP_DATA_SIZE];

	MUST(pair.smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 1000, port));
}

static void query_by_route(void)
{
	static ib_portid_t to = { .drpath = { .cnt = 3, .p = { 0, 1, 2, 3 } } };
	static uint8_t data[IB_SMP_DATA_SIZE];

	MUST(pair.smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, 1000, port));
}

static void query_counters(void)
{
	static ib_portid_t to = { .lid = 7, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	static uint8_t data[1024];

	MUST(pair.pma_query_via(data, &to, 1, 1000, IB_GSI_PORT_COUNTERS, port));
}

static void call_sa_for(unsigned attr_id, unsigned method)
{
	static ib_portid_t to = { .lid = 7, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	static ib_sa_call_t call;
	static uint8_t data[1024];

	call = (ib_sa_call_t){ .attrid = attr_id, .method = method };
	MUST(pair.sa_rpc_call(port, data, &to, &call, 10000));
}

static void call_sa(void)
{
	call_sa_for(IB_SA_ATTR_PATHRECORD, IB_MAD_METHOD_GET);
}

static const struct {
	const char *name;
	void (*make)(void);
} requests[] = {
	{ "smp_query_via", query_by_lid },
	{ "smp_query_via by directed route", query_by_route },
	{ "pma_query_via", query_counters },
	{ "sa_rpc_call", call_sa },
};
#define REQUEST_KINDS (sizeof(requests) / sizeof(requests[0]))

static void repeat(void (*make)(void), unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		make();
}

static void mark_repeated(const char *name, void (*make)(void))
{
	repeat(make, WARM);
	mark_begin(name, REQUESTS);
	repeat(make, REQUESTS);
	mark_end();
}

static void mark_instructions(void)
{
	for (size_t i = 0; i < REQUEST_KINDS; i++)
		mark_repeated(requests[i].name, requests[i].make);
}

/* The allocating functions here replace libc's, since this program exports its symbols. */
static atomic_ulong heap_calls;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size)
{
	heap_calls++;
	return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	heap_calls++;
	return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	heap_calls++;
	return __libc_realloc(block, size);
}

static pthread_t start_thread(void *(*function)(void *argument), void *argument, void *stack)
{
	pthread_attr_t attributes;
	pthread_t thread;

	MUST(!pthread_attr_init(&attributes));
	MUST(!pthread_attr_setstack(&attributes, stack, STACK));
	MUST(!pthread_create(&thread, &attributes, function, argument));
	pthread_attr_destroy(&attributes);
	return thread;
}

/* Prints how many bytes below this function's frame a request writes to: paints all of the stack
 * but the frame before. */
static void *print_stack(void *argument)
{
	volatile uint64_t *const lowest = (void *)stacks[0], *word = lowest;
	volatile uint64_t *const frame = __builtin_frame_address(0);
	const size_t kind = *(const size_t *)argument;

	requests[kind].make(); /* the first call of a thread does more */
	while (word < frame - STACK_FRAME / sizeof(*word))
		*word++ = STACK_COLOR;
	requests[kind].make();
	for (word = lowest; word < frame && *word == STACK_COLOR;)
		word++;
	printf("%s, bytes of stack\t%zu\n", requests[kind].name,
	       (size_t)(frame - word) * sizeof(*word));
	return NULL;
}

static void print_costs(void)
{
	unsigned long calls = heap_calls;

	pair.mad_rpc_close_port(open_port());
	MUST(heap_calls > calls); /* opening a port allocates */
	for (size_t i = 0; i < REQUEST_KINDS; i++) {
		repeat(requests[i].make, WARM);
		calls = heap_calls;
		repeat(requests[i].make, REQUESTS);
		printf("%s, heap allocations\t%g\n", requests[i].name,
		       (double)(heap_calls - calls) / REQUESTS);
	}
	for (size_t i = 0; i < REQUEST_KINDS; i++)
		pthread_join(start_thread(print_stack, &i, stacks[0]), NULL);
}

/* A table of so many NodeRecords. */
static struct mad_sa_table *query_table(unsigned count)
{
	struct mad_sa_request query = { .attr_id = IB_SA_ATTR_NODERECORD, .timeout_ms = 10000 };
	ib_portid_t sm = { .lid = 7 };
	struct mad_sa_table *table =
		pair.mad_sa_query_sized(port, &sm, &query, sizeof(query), NULL);

	MUST(table && pair.mad_sa_table_count(table) == count);
	return table;
}

static void read_table(unsigned count)
{
	struct mad_sa_table *table = query_table(count);
	struct mad_sa_node node;

	for (unsigned i = 0; i < count; i++)
		MUST(!pair.mad_sa_get_node_sized(table, i, &node, sizeof(node)));
	pair.mad_sa_table_free(table);
}

static void mark_table(unsigned count, const char *name)
{
	MUST(!mirror_set_records(count, NODE_SIZE));
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

	MUST(async);
	return async;
}

static void submit(struct mad_async *async, const ib_portid_t *to, mad_async_callback callback,
		   unsigned *left, unsigned attr_mod)
{
	const struct mad_async_request *request = ASYNC_TO(to, callback, left);

	MUST(pair.mad_async_smp_sized(async, request, sizeof(*request), IB_ATTR_NODE_INFO, attr_mod,
				      NULL) > 0);
}

/* Submits a request of those that are left, and the callback of its response the next one. */
static void submit_next(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	ib_portid_t to = { .lid = 1 };
	unsigned *left = context;

	MUST(!result || !result->error);
	if (!*left)
		return;
	to.lid += (int)(--*left % PEERS);
	submit(async, &to, submit_next, left, *left);
}

/* Makes so many requests, which get their responses, some at a time. */
static void run(struct mad_async *async, unsigned count, unsigned at_a_time)
{
	unsigned left = count;

	for (unsigned i = 0; i < at_a_time; i++)
		submit_next(async, NULL, &left);
	while (pair.mad_async_pending(async))
		MUST(pair.mad_async_dispatch(async, 0, -1) >= 0);
}

static void mark(struct mad_async *async, const char *name, unsigned count)
{
	mark_begin(name, count);
	run(async, count, count);
	mark_end();
}

static void mark_queued(void)
{
	struct mad_async *async = create(WINDOW);

	run(async, MANY, MANY);
	mark(async, "few", FEW);
	mark(async, "many", MANY);
	pair.mad_async_free(async);
}

static void mark_ports(void)
{
	struct ibmad_port *others[32];

	mark_repeated("few", query_by_lid);
	for (unsigned i = 0; i < 32; i++)
		others[i] = open_port();
	mark_repeated("many", query_by_lid);
	for (unsigned i = 0; i < 32; i++)
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
	unsigned before = mirror.ignored;

	mirror.ignored_class = IB_SMI_DIRECT_CLASS;
	for (unsigned i = 0; i < count; i++)
		waiters[i] = start_thread(wait_an_hour, NULL, stacks[i]);
	while (mirror.ignored < before + count)
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

	run(async, WARM, WARM);
	mark(async, "0 waiting threads", REQUESTS);
	start_waiters(WAITERS);
	run(async, WARM, WARM);
	mark(async, "1,000 waiting threads", REQUESTS);
	_exit(EXIT_SUCCESS); /* with all of them */
}

/* Requests to one port each, as many in flight as the largest window allows. */
static void start_silent(unsigned count)
{
	struct mad_async *async = NULL;

	mirror.ignored_class = IB_SMI_DIRECT_CLASS;
	mark_pause();
	for (unsigned i = mirror.ignored; i < count; i++) {
		ib_portid_t to = { .drpath = { .cnt = 3 } };
		unsigned n = i;

		for (int hop = 1; hop <= to.drpath.cnt; hop++, n /= ROUTES_A_HOP)
			to.drpath.p[hop] = (uint8_t)(1 + n % ROUTES_A_HOP);
		if (!async || i % MAD_ASYNC_MAX_WINDOW == 0)
			async = create(MAD_ASYNC_MAX_WINDOW);
		submit(async, &to, submit_next, NULL, 0);
	}
	mark_resume();
	MUST(mirror.ignored == count); /* all have gone out */
}

/* Asynchronous requests, and blocking ones. */
static void mark_beside(struct mad_async *async, const char *name, const char *blocking)
{
	run(async, WARM, WARM);
	mark(async, name, REQUESTS);
	mark_repeated(blocking, query_by_lid);
}

static void mark_silent(void)
{
	struct mad_async *async = create(WINDOW);

	mark_beside(async, "0 silent requests", "blocking, 0 silent requests");
	start_silent(30000);
	mark_beside(async, "30,000 silent requests", "blocking, 30,000 silent requests");
	start_silent(200000);
	mark_beside(async, "200,000 silent requests", "blocking, 200,000 silent requests");
	_exit(EXIT_SUCCESS);
}

/* Prints how much resident memory has grown when many requests, submitted at once, have completed.
 */
static void print_kept(void)
{
	static const unsigned counts[] = { 10000, 1000000 };
	size_t before = memory_resident();

	for (int i = 0; i < 2; i++) {
		struct mad_async *async = create(WINDOW);

		run(async, counts[i], counts[i]);
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

/* Ways to make requests: so many calls, or for each of them a window of asynchronous requests. They
 * return how many requests that were. */

static unsigned run_blocking(struct mad_async *async, unsigned calls, unsigned window)
{
	(void)async;
	(void)window;
	repeat(query_by_lid, calls);
	return calls;
}

static unsigned run_queued(struct mad_async *async, unsigned calls, unsigned window)
{
	run(async, calls * window, calls * window);
	return calls * window;
}

static unsigned run_refilled(struct mad_async *async, unsigned calls, unsigned window)
{
	run(async, calls * window, window);
	return calls * window;
}

/* Requests without the libraries: `window` of them out, and another one for each response that is
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
	MUST(write(fd, packet, sizeof(packet)) == sizeof(packet));
}

static unsigned run_bare(struct mad_async *async, unsigned calls, unsigned window)
{
	struct pollfd polled = { .fd = pair.mad_rpc_portid(port), .events = POLLIN };
	uint8_t packet[PACKET_SIZE];
	unsigned written = 0, count = calls * window;

	(void)async;
	for (; written < window; written++)
		write_bare(polled.fd, written);
	for (unsigned done = 0; done < count; done++) {
		MUST(poll(&polled, 1, -1) == 1);
		MUST(read(polled.fd, packet, sizeof(packet)) == sizeof(packet));
		if (written < count)
			write_bare(polled.fd, written++);
	}
	return count;
}

/* clang-format off */
static const struct comparison {
	const char *name;
	unsigned window;
	unsigned (*make[2])(struct mad_async *async, unsigned calls, unsigned window);
	int64_t delay_us;
	unsigned waiters; /* beside the second way */
} comparisons[] = {
	{ "window 64 against a bare loop of write, poll and read", WINDOW, { run_bare, run_refilled }, 0, 0 },
	{ "dispatch against blocking calls", WINDOW, { run_blocking, run_queued }, DELAY_US, 0 },
	{ "window 1 against blocking calls", 1, { run_blocking, run_queued }, DELAY_US, 0 },
	{ "window 64 beside 16 threads in blocking calls", WINDOW, { run_refilled, run_refilled }, DELAY_US, 16 },
	{ "window 1 beside 16 threads in blocking calls", 1, { run_refilled, run_refilled }, DELAY_US, 16 },
};
/* clang-format on */

/* Prints the seconds, and those of the processor, that a request takes. */
static void print_time(const struct comparison *comparison, int way, struct mad_async *async)
{
	const unsigned waiting = way ? comparison->waiters : 0;
	double start, cpu;
	unsigned count;

	start_waiters(waiting);
	comparison->make[way](async, TIMES_CALLS / 10,
			      comparison->window); /* until all of them sleep */
	start = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	count = comparison->make[way](async, TIMES_CALLS, comparison->window);
	printf("\t%g\t%g", (seconds(CLOCK_MONOTONIC) - start) / count,
	       (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) / count);
	end_waiters(waiting);
}

/* Prints a line for each round, in which both ways have their turn. */
static void compare_times(const struct comparison *comparison)
{
	struct mad_async *async;

	mirror.delay_us = comparison->delay_us;
	port = open_port();
	async = create(comparison->window);
	for (int round = 0; round < TIMES_ROUNDS; round++) {
		printf("%s", comparison->name);
		print_time(comparison, 0, async);
		print_time(comparison, 1, async);
		printf("\n");
	}
	pair.mad_async_free(async);
	pair.mad_rpc_close_port(port);
}

static void print_times(void)
{
	struct ibmad_port *before = port;

	for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++)
		compare_times(&comparisons[i]);
	port = before;
}

/* Responses of LARGE bytes: to a call that takes all, and to one that takes the first MAD. */
static void print_large(void)
{
	long kept, most = 0;
	size_t before;

	MUST(!mirror_set_records(LARGE / NODE_SIZE, NODE_SIZE));
	before = memory_in_use();
	for (int i = 0; i < 6; i++) {
		if (i % 2)
			call_sa_for(IB_SA_ATTR_NODERECORD, IB_MAD_METHOD_GET_TABLE);
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
} jobs[] = {
	{ "instructions", mark_instructions, false },
	{ "costs", print_costs, false },
	{ "ports", mark_ports, false },
	{ "tables", mark_tables, true },
	{ "queued", mark_queued, true },
	{ "kept", print_kept, true },
	{ "large", print_large, true },
	{ "waiters", mark_waiters, true },
	{ "silent", mark_silent, true },
	{ "times", print_times, true },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 4 && i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		if (strcmp(jobs[i].name, argv[3]) != 0)
			continue;
		pair_load(&pair, argv[1], argv[2], false);
		if (jobs[i].is_ours && (!pair.mad_async_create_sized || !pair.mad_sa_query_sized))
			return PAIR_HAS_NONE;
		port = open_port();
		jobs[i].make();
		pair.mad_rpc_close_port(port);
		return EXIT_SUCCESS;
	}
	fprintf(stderr, "usage: %s LIBIBUMAD LIBIBMAD JOB: see the head of bench-rpc.c\n", argv[0]);
	return 2;
}
