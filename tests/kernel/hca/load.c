/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests on port 1 of a device, each of which must complete exactly once:
 *
 *	load DEVICE SECONDS	SMPs by directed route and tables of the SA, through removals of the
 *				device: the port is opened again as soon as it is there
 *	load DEVICE cancelled|timed-out|waiting|sent
 *				fills the places that the kernel has for directed-route SMPs (128
 *				from Linux 6.17 on; an older kernel has no limit) with requests that
 *				get no response, and ends these in a way. Then ten blocking calls to
 *				the switch at the other end of the cable must get a response.
 *
 * Prints the outcome of the requests; status 1 if one ended in another way. And one blocking query:
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
	PLACES = 128,
	CALLS = 10,
	CALL_MS = 1000,
	SILENT_MS = 300,
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
	struct request requests[PLACES];
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
	struct mad_async_options options = { .window = 2 * PLACES, .attempts = retries };

	load->port = mad_rpc_open_port(device, 1, classes, 2);
	if (!load->port)
		return false;
	load->async = mad_async_create(load->port, &options);
	load->opened++;
	return load->async;
}

static void open_or_exit(struct load *load, char *device, int attempts)
{
	if (open_port(load, device, attempts))
		return;
	perror("load: open");
	exit(1);
}

static void close_port(struct load *load)
{
	mad_async_free(load->async);
	mad_rpc_close_port(load->port);
	for (int i = 0; i < PLACES; i++)
		load->wrong += load->requests[i].is_in_flight;
}

/* All NodeRecords. */
static int64_t submit_table(struct load *load, struct request *request)
{
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS,
			 .method = IB_MAD_METHOD_GET_TABLE,
			 .attr.id = IB_SA_ATTR_NODERECORD,
			 .timeout = TIMEOUT_MS,
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
	if ((number % 8 ? submit_smp(load, number, request) : submit_table(load, request)) > 0)
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

/* The switch at the other end of the cable has no such ports: nothing responds. */
static ib_portid_t silent_port(int number)
{
	return (ib_portid_t){ .drpath = { .cnt = 2, .p = { 0, 1, (uint8_t)(100 + number) } } };
}

static bool send_silent(struct load *load, int number)
{
	ib_portid_t to = silent_port(number);
	ib_rpc_t rpc = { .mgtclass = IB_SMI_DIRECT_CLASS,
			 .method = IB_MAD_METHOD_GET,
			 .attr.id = IB_ATTR_NODE_INFO,
			 .timeout = SILENT_MS,
			 .dataoffs = IB_SMP_DATA_OFFS,
			 .datasz = IB_SMP_DATA_SIZE };

	return mad_send_via(&rpc, &to, NULL, NULL, load->port) == 0;
}

static bool submit_silent(struct load *load, int number)
{
	ib_portid_t to = silent_port(number);

	load->requests[number] = (struct request){ load, true };
	return mad_async_smp(load->async,
			     ASYNC_FOR(&to, note, &load->requests[number], 0, SILENT_MS),
			     IB_ATTR_NODE_INFO, 0, NULL) > 0;
}

static void run_in_full_places(struct load *load, char *device, const char *way)
{
	ib_portid_t peer = { .drpath = { .cnt = 1, .p = { 0, 1 } } };
	bool is_sent = !strcmp(way, "sent");
	uint8_t info[IB_SMP_DATA_SIZE];

	open_or_exit(load, device, 1);
	for (int i = 0; i < PLACES; i++)
		load->wrong += !(is_sent ? send_silent : submit_silent)(load, i);
	if (!strcmp(way, "cancelled"))
		load->wrong += mad_async_cancel_all(load->async) != PLACES;
	while (!strcmp(way, "timed-out") && load->timeouts < PLACES && !load->wrong)
		load->wrong += mad_async_dispatch(load->async, 0, -1) <= 0;
	for (int i = 0; i < CALLS; i++)
		if (smp_query_via(info, &peer, IB_ATTR_NODE_INFO, 0, CALL_MS, load->port))
			load->responses++;
	load->wrong += load->responses != CALLS;
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
		fprintf(stderr, "usage: load DEVICE "
				"SECONDS|cancelled|timed-out|waiting|sent|paths\n");
		return 2;
	}
	umad_init();
	if (!strcmp(argv[2], "paths"))
		return query_paths(argv[1]);
	if (atoi(argv[2]))
		run_through_removals(&load, argv[1], atoi(argv[2]));
	else
		run_in_full_places(&load, argv[1], argv[2]);
	printf("%lu responses, %lu timeouts, %lu ended by a removal, %lu at the end, %lu wrong; "
	       "opened %lu times\n",
	       load.responses, load.timeouts, load.gone, load.cancelled, load.wrong, load.opened);
	return load.wrong || !(load.responses + load.timeouts);
}
