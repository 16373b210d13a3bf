/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * load DEVICE SECONDS: asynchronous requests on port 1 of a device, SMPs by directed route and
 * tables of the SA, through removals of the device: the port is opened again as soon as it is
 * there. Each request must complete exactly once. Prints the outcome of the requests; status 1 if
 * one ended in another way.
 *
 * load DEVICE paths: a blocking query for all PathRecords, with the timeouts that the library
 * chooses.
 */
#include <errno.h>
#include "../../lib/async-request.h"
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	REQUESTS = 64,
	WINDOW = 256,
	TIMEOUT_MS = 2000,
	ABSENT_US = 20000, /* before a device that is not there is looked for again */
};

static struct ibmad_port *port;
static struct mad_async *async;
static bool in_flight[REQUESTS], is_gone;
static unsigned long responses, timeouts, gone, cancelled, wrong, opened;

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void note(struct mad_async *unused, const struct mad_async_result *result, void *context)
{
	bool *is_in_flight = context;

	(void)unused;
	wrong += !*is_in_flight;
	*is_in_flight = false;
	if (result->error == ENODEV || result->error == EIO) {
		gone++;
		is_gone = true;
	} else if (!result->error)
		responses++;
	else if (result->error == ETIMEDOUT)
		timeouts++;
	else if (result->error == ECANCELED)
		cancelled++;
	else if (wrong++ == 0)
		fprintf(stderr, "load: a request ended with %s, status 0x%x\n",
			strerror(result->error), result->status);
}

static bool open_port(char *device)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS };

	port = mad_rpc_open_port(device, 1, classes, 2);
	return port;
}

/* All NodeRecords. */
static int64_t submit_table(const ib_portid_t *sm, bool *context)
{
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS,
			 .method = IB_MAD_METHOD_GET_TABLE,
			 .attr.id = IB_SA_ATTR_NODERECORD,
			 .timeout = TIMEOUT_MS,
			 .dataoffs = IB_SA_DATA_OFFS,
			 .datasz = IB_SA_DATA_SIZE };

	return mad_async_submit(async, ASYNC_TO(sm, note, context), &rpc, NULL);
}

/* NodeInfo of the local port, of its neighbour, or of a port behind that. */
static int64_t submit_smp(int number, bool *context)
{
	ib_portid_t route = { .drpath = { .cnt = number % 3,
					  .p = { 0, 1, (uint8_t)(number % 9) } } };

	return mad_async_smp(async, ASYNC_TO(&route, note, context), IB_ATTR_NODE_INFO, 0, NULL);
}

static bool submit(const ib_portid_t *sm, int number)
{
	bool *context = &in_flight[number];

	*context = true;
	*context = (number % 8 ? submit_smp(number, context) : submit_table(sm, context)) > 0;
	return *context;
}

/* Keeps all requests in flight until the time is over, or the device is gone. */
static void keep_in_flight(int64_t end_ms)
{
	ib_portid_t sm = { 0 };

	is_gone = ib_resolve_smlid_via(&sm, TIMEOUT_MS, port) != 0;
	sm.qp = 1;
	sm.qkey = IB_DEFAULT_QP1_QKEY;
	while (!is_gone && now_ms() < end_ms) {
		for (int i = 0; !is_gone && i < REQUESTS; i++)
			if (!in_flight[i])
				is_gone = !submit(&sm, i);
		if (mad_async_dispatch(async, 0, 100) < 0)
			is_gone = true;
	}
}

static int run_through_removals(char *device, int seconds)
{
	int64_t end_ms = now_ms() + seconds * INT64_C(1000);
	struct mad_async_options options = { .window = WINDOW };

	for (; now_ms() < end_ms; usleep(ABSENT_US)) {
		if (!open_port(device))
			continue;
		opened++;
		async = mad_async_create(port, &options);
		if (async)
			keep_in_flight(end_ms);
		mad_async_free(async);
		mad_rpc_close_port(port);
		for (int i = 0; i < REQUESTS; i++)
			wrong += in_flight[i];
	}
	printf("%lu responses, %lu timeouts, %lu ended by a removal, %lu at the end, %lu wrong; "
	       "opened %lu times\n",
	       responses, timeouts, gone, cancelled, wrong, opened);
	return wrong || !(responses + timeouts);
}

static int query_paths(char *device)
{
	int64_t begin_ms = now_ms();
	struct mad_sa_table *table;

	if (!open_port(device)) {
		perror("load: open");
		return 1;
	}
	table = mad_sa_query_all(port, NULL, IB_SA_ATTR_PATHRECORD, 0);
	if (!table)
		perror("load: mad_sa_query_all");
	else
		printf("%u records after %lld s\n", mad_sa_table_count(table),
		       (long long)(now_ms() - begin_ms) / 1000);
	mad_sa_table_free(table);
	mad_rpc_close_port(port);
	return !table;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: load DEVICE SECONDS|paths\n");
		return 2;
	}
	umad_init();
	return strcmp(argv[2], "paths") ? run_through_removals(argv[1], atoi(argv[2]))
					: query_paths(argv[1]);
}
