/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests on port 1 of a device, each of which must complete exactly once:
 *
 *	load DEVICE SECONDS	SMPs by directed route and tables of the SA, through removals of the
 *				device: the port is opened again as soon as it is there
 *	load DEVICE silent	requests to an SA that there is not: each must end with ETIMEDOUT
 *				after its last attempt
 *
 * Prints what has become of them; status 1 if one ended in another way. And one blocking query:
 *
 *	load DEVICE paths	all PathRecords, with the timeouts that the library chooses
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
	SILENT_LID = 0xbff0,
	SILENT_MS = 300,
	SILENT_ATTEMPTS = 3,
	TIMEOUT_MS = 2000,
	ABSENT_US = 20000, /* before a device that is not there is looked for again */
};

struct request {
	struct load *load;
	bool is_in_flight;
};

struct load {
	struct ibmad_port *port;
	struct mad_async *async;
	ib_portid_t sm;
	struct request requests[REQUESTS];
	bool is_gone;
	unsigned long responses, timeouts, gone, cancelled, wrong, opened;
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void note(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct request *request = context;
	struct load *load = request->load;

	(void)async;
	if (!request->is_in_flight)
		load->wrong++;
	request->is_in_flight = false;
	if (result->error == ENODEV || result->error == EIO) {
		load->gone++;
		load->is_gone = true;
	} else if (!result->error)
		load->responses++;
	else if (result->error == ETIMEDOUT)
		load->timeouts++;
	else if (result->error == ECANCELED)
		load->cancelled++;
	else if (load->wrong++ == 0)
		fprintf(stderr, "load: a request ended with %s, status 0x%x\n",
			strerror(result->error), result->status);
}

static bool open_port(struct load *load, char *device, int retries)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct mad_async_options options = { .window = REQUESTS, .attempts = retries };

	load->port = mad_rpc_open_port(device, 1, classes, 2);
	if (!load->port)
		return false;
	load->async = mad_async_create(load->port, &options);
	load->opened++;
	return load->async;
}

static void close_port(struct load *load)
{
	mad_async_free(load->async);
	mad_rpc_close_port(load->port);
	for (int i = 0; i < REQUESTS; i++)
		load->wrong += load->requests[i].is_in_flight;
}

/* All NodeRecords. */
static int64_t submit_table(struct load *load, unsigned timeout_ms, struct request *request)
{
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS,
			 .method = IB_MAD_METHOD_GET_TABLE,
			 .attr.id = IB_SA_ATTR_NODERECORD,
			 .timeout = (int)timeout_ms,
			 .dataoffs = IB_SA_DATA_OFFS,
			 .datasz = IB_SA_DATA_SIZE };

	return mad_async_submit(load->async, ASYNC_TO(&load->sm, note, request), &rpc, NULL);
}

/* NodeInfo of the local port, of its neighbour, or of a port behind that. */
static int64_t submit_smp(struct load *load, int number, struct request *request)
{
	ib_portid_t route = { .drpath = { .cnt = number % 3,
					  .p = { 0, 1, (uint8_t)(number % 9) } } };

	return mad_async_smp(load->async, ASYNC_TO(&route, note, request), IB_ATTR_NODE_INFO, 0,
			     NULL);
}

static bool submit(struct load *load, int number)
{
	struct request *request = &load->requests[number];

	*request = (struct request){ load, true };
	if ((number % 8 ? submit_smp(load, number, request)
			: submit_table(load, TIMEOUT_MS, request)) > 0)
		return true;
	request->is_in_flight = false;
	return false;
}

/* Keeps all requests in flight until the time is over, or the device is gone. */
static void run(struct load *load, int64_t end_ms)
{
	load->is_gone = ib_resolve_smlid_via(&load->sm, TIMEOUT_MS, load->port) != 0;
	load->sm.qp = 1;
	load->sm.qkey = IB_DEFAULT_QP1_QKEY;
	while (!load->is_gone && now_ms() < end_ms) {
		for (int i = 0; !load->is_gone && i < REQUESTS; i++)
			if (!load->requests[i].is_in_flight)
				load->is_gone = !submit(load, i);
		if (mad_async_dispatch(load->async, 0, 100) < 0)
			load->is_gone = true;
	}
}

static void run_through_removals(struct load *load, char *device, int seconds)
{
	int64_t end_ms = now_ms() + seconds * INT64_C(1000);

	while (now_ms() < end_ms) {
		if (open_port(load, device, 0)) {
			run(load, end_ms);
			close_port(load);
		}
		usleep(ABSENT_US);
	}
}

static void run_silent(struct load *load, char *device)
{
	if (!open_port(load, device, SILENT_ATTEMPTS)) {
		perror("load: open");
		exit(1);
	}
	ib_portid_set(&load->sm, SILENT_LID, 1, IB_DEFAULT_QP1_QKEY);
	for (int i = 0; i < REQUESTS; i++) {
		load->requests[i] = (struct request){ load, true };
		if (submit_table(load, SILENT_MS, &load->requests[i]) < 0)
			load->wrong++;
	}
	while (mad_async_dispatch(load->async, 0, -1) > 0)
		;
	load->wrong += load->timeouts != REQUESTS;
	close_port(load);
}

static int query_paths(char *device)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SA_CLASS };
	struct ibmad_port *port = mad_rpc_open_port(device, 1, classes, 2);
	int64_t begin_ms = now_ms();
	struct mad_sa_table *table;

	if (!port) {
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
	static struct load load;

	if (argc != 3) {
		fprintf(stderr, "usage: load DEVICE SECONDS|silent|paths\n");
		return 2;
	}
	umad_init();
	if (!strcmp(argv[2], "paths"))
		return query_paths(argv[1]);
	if (!strcmp(argv[2], "silent"))
		run_silent(&load, argv[1]);
	else
		run_through_removals(&load, argv[1], atoi(argv[2]));
	printf("%lu responses, %lu timeouts, %lu ended by a removal, %lu at the end, %lu wrong; "
	       "opened %lu times\n",
	       load.responses, load.timeouts, load.gone, load.cancelled, load.wrong, load.opened);
	return load.wrong || !(load.responses + load.timeouts);
}
