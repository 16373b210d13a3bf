/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * bench-growth LIBIBUMAD LIBIBMAD waiters|silent|kept|large
 *
 * What requests cost while the port is busy with others, on a device that responds at once
 * but not to directed routes (mirror.h); the host is the one that a preloaded library shows.
 * waiters and silent make asynchronous requests between marks (marks.h): with few and with many
 * threads that wait, requests without a response. kept and large print a name and a figure a
 * line: bytes that stay allocated. Ends with PAIR_HAS_NONE where the pair has no such function.
 */
#include "../lib/async-request.h"
#include "marks.h"
#include "mirror.h"
#include "pair.h"
#include "../lib/memory-in-use.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WARM	      100
#define REQUESTS      1000
#define WINDOW	      64
#define PEERS	      100 /* that requests go to */
#define WAITERS	      1000
#define STACK	      (64 << 10) /* of a thread that waits */
#define FOR_EVER_MS   3600000
#define SILENT_FEW    30000
#define SILENT_MANY   200000
#define KEPT_FEW      10000
#define KEPT_MANY     1000000
#define LARGE	      (32 << 20) /* bytes of a response */
#define RECORD_SIZE   64
#define ROUTES_A_HOP  200 /* ports of a switch that routes here go through */
#define LARGE_REPEATS 3

static struct pair pair;
static struct ibmad_port *port;
static unsigned silent_requests;

static void give_up(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static struct mad_async *create(unsigned window)
{
	struct mad_async_options options = { .window = window,
					     .timeout_ms = FOR_EVER_MS,
					     .attempts = 1 };
	struct mad_async *async = pair.mad_async_create(port, &options, sizeof(options));

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

/* Submits so many requests, which get their responses, and waits for all. */
static void run(struct mad_async *async, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		ib_portid_t to = { .lid = 1 + (int)(i % PEERS) };

		if (pair.mad_async_smp(async, ASYNC_TO(&to, check_result, NULL), IB_ATTR_NODE_INFO,
				       i, NULL) < 0)
			give_up("mad_async_smp");
	}
	while (pair.mad_async_pending(async))
		if (pair.mad_async_dispatch(async, 0, -1) < 0)
			give_up("mad_async_dispatch");
}

static void mark(struct mad_async *async, const char *name)
{
	run(async, WARM);
	mark_begin(name, REQUESTS);
	run(async, REQUESTS);
	mark_end();
}

/* Threads in blocking calls that get no response. */

static atomic_uint waiting;

static void *wait_for_ever(void *context)
{
	ib_portid_t to = { .drpath = { .cnt = 1, .p = { 0, 1 } } };
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };

	(void)context;
	atomic_fetch_add(&waiting, 1);
	pair.smp_query_via(data, &to, IB_ATTR_NODE_INFO, 0, FOR_EVER_MS, port);
	return NULL;
}

static void start_waiters(unsigned count)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, STACK))
		give_up("attributes of threads");
	for (unsigned i = 0; i < count; i++) {
		errno = pthread_create(&thread, &attributes, wait_for_ever, NULL);
		if (errno)
			give_up("pthread_create");
		pthread_detach(thread);
	}
	pthread_attr_destroy(&attributes);
	while (mirror_ignored() < count)
		usleep(1000);
	usleep(20000); /* the last one waits now */
}

static void mark_waiters(void)
{
	struct mad_async *async = create(WINDOW);

	mark(async, "0 waiting threads");
	start_waiters(1);
	mark(async, "1 waiting thread");
	start_waiters(WAITERS);
	mark(async, "1,000 waiting threads");
	_exit(EXIT_SUCCESS); /* with all of them */
}

/* Each to a port of its own, as many in flight as the largest window allows. */
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
		if (pair.mad_async_smp(async, ASYNC_TO(&to, check_result, NULL), IB_ATTR_NODE_INFO,
				       0, NULL) < 0)
			give_up("mad_async_smp");
	}
	mark_resume();
	if (mirror_ignored() != count) {
		fprintf(stderr, "%u requests of %u went out\n", mirror_ignored(), count);
		exit(EXIT_FAILURE);
	}
}

static void mark_silent(void)
{
	struct mad_async *async = create(WINDOW);

	mark(async, "0 silent requests");
	start_silent(SILENT_FEW);
	mark(async, "30,000 silent requests");
	start_silent(SILENT_MANY);
	mark(async, "200,000 silent requests");
	_exit(EXIT_SUCCESS);
}

/* How much more memory than before is resident when so many requests, submitted at once, have
 * completed. */
static double measure_kept(unsigned count, size_t before)
{
	struct mad_async *async = create(WINDOW);
	size_t after;

	run(async, count);
	after = memory_resident();
	pair.mad_async_free(async);
	return (double)after - (double)before;
}

static void print_kept(void)
{
	size_t before = memory_resident();

	printf("%u queued requests\t%.0f\n", KEPT_FEW, measure_kept(KEPT_FEW, before));
	printf("%u queued requests\t%.0f\n", KEPT_MANY, measure_kept(KEPT_MANY, before));
}

/* Responses of LARGE bytes: to a call that takes all, and to one that takes the first MAD. */

static void take_table(void)
{
	struct mad_sa_request query = { .attr_id = IB_SA_ATTR_NODERECORD, .timeout_ms = 10000 };
	ib_portid_t sm = { .lid = 7 };
	struct mad_sa_table *table;

	table = pair.mad_sa_query(port, &sm, &query, sizeof(query), NULL);
	if (!table)
		give_up("mad_sa_query");
	if (pair.mad_sa_table_count(table) != LARGE / RECORD_SIZE) {
		fprintf(stderr, "%u records came\n", pair.mad_sa_table_count(table));
		exit(EXIT_FAILURE);
	}
	pair.mad_sa_table_free(table);
}

static void take_first_mad(void)
{
	static ib_portid_t to = { .lid = 7, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	static uint8_t data[1024];
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD, .method = IB_MAD_METHOD_GET_TABLE };

	if (!pair.sa_rpc_call(port, data, &to, &sa, 10000))
		give_up("sa_rpc_call");
}

static void print_large(void)
{
	size_t before;
	long most = 0;

	if (mirror_set_records(LARGE / RECORD_SIZE, RECORD_SIZE))
		give_up("records");
	before = memory_in_use();
	for (int i = 0; i < LARGE_REPEATS; i++) {
		long kept;

		take_table();
		kept = (long)(memory_in_use() - before);
		most = kept > most ? kept : most;
		take_first_mad();
		kept = (long)(memory_in_use() - before);
		most = kept > most ? kept : most;
	}
	printf("response\t%ld\n", most);
}

static const struct {
	const char *name;
	void (*make)(void);
} jobs[] = {
	{ "waiters", mark_waiters },
	{ "silent", mark_silent },
	{ "kept", print_kept },
	{ "large", print_large },
};

static struct ibmad_port *open_port(void)
{
	int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct ibmad_port *opened =
		pair.mad_rpc_open_port(NULL, 0, classes, sizeof(classes) / sizeof(classes[0]));

	if (!opened)
		give_up("mad_rpc_open_port");
	return opened;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 4 && i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		if (strcmp(jobs[i].name, argv[3]) != 0)
			continue;
		pair_load(&pair, argv[1], argv[2], false);
		if (!pair.mad_async_create || !pair.mad_sa_query)
			return PAIR_HAS_NONE;
		mirror_ignore_class(IB_SMI_DIRECT_CLASS);
		port = open_port();
		jobs[i].make();
		pair.mad_rpc_close_port(port);
		return EXIT_SUCCESS;
	}
	fprintf(stderr, "usage: %s LIBIBUMAD LIBIBMAD waiters|silent|kept|large\n", argv[0]);
	return 2;
}
