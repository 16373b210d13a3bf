/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * agents DEVICE WAY: fills the places that the kernel has for directed route SMPs (128 from Linux
 * 6.17 on) with requests that get no response, and ends these in a WAY; then ten calls to the
 * switch at the other end of the cable have to get a response. An older kernel has no limit, and
 * delays none of them.
 */
#include <infiniband/mad.h>
#include <infiniband/mad_async.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PLACES = 128, SILENT_MS = 1000, CALLS = 10, CALL_MS = 1000, LATE_MS = 10000 };

static unsigned ended;

static void count(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	(void)async;
	(void)result;
	(void)context;
	ended++;
}

/* The switch at the other end of the cable has no such ports: nothing responds. */
static ib_portid_t silent(int number)
{
	return (ib_portid_t){ .drpath = { .cnt = 2, .p = { 0, 1, (uint8_t)(100 + number) } } };
}

static bool submit_all(struct mad_async *async)
{
	for (int i = 0; i < PLACES; i++) {
		ib_portid_t to = silent(i);
		struct mad_async_request request = {
			.to = &to, .callback = count, .timeout_ms = SILENT_MS, .attempts = 1
		};

		if (mad_async_smp(async, &request, IB_ATTR_NODE_INFO, 0, NULL) < 0)
			return false;
	}
	return true;
}

static bool send_all(struct ibmad_port *port)
{
	for (int i = 0; i < PLACES; i++) {
		ib_rpc_t rpc = { .mgtclass = IB_SMI_DIRECT_CLASS,
				 .method = IB_MAD_METHOD_GET,
				 .attr = { .id = IB_ATTR_NODE_INFO },
				 .timeout = SILENT_MS,
				 .datasz = IB_SMP_DATA_SIZE,
				 .dataoffs = IB_SMP_DATA_OFFS };
		ib_portid_t to = silent(i);

		if (mad_send_via(&rpc, &to, NULL, NULL, port))
			return false;
	}
	return true;
}

/* Returns whether the way is known and everything was sent. */
static bool fill(struct ibmad_port *port, struct mad_async *async, const char *way)
{
	if (!strcmp(way, "sent"))
		return send_all(port);
	if (!submit_all(async))
		return false;
	if (!strcmp(way, "cancelled"))
		return mad_async_cancel_all(async) == PLACES;
	while (!strcmp(way, "timed-out") && ended < PLACES)
		if (mad_async_dispatch(async, 0, LATE_MS) <= 0)
			return false;
	return !strcmp(way, "timed-out") || !strcmp(way, "waiting");
}

int main(int argc, char **argv)
{
	struct mad_async_options options = { .window = 2 * PLACES };
	int classes[] = { IB_SMI_DIRECT_CLASS }, failed = 0;
	ib_portid_t peer = { .drpath = { .cnt = 1, .p = { 0, 1 } } };
	uint8_t info[IB_SMP_DATA_SIZE];
	struct ibmad_port *port = argc == 3 ? mad_rpc_open_port(argv[1], 1, classes, 1) : NULL;
	struct mad_async *async = port ? mad_async_create(port, &options) : NULL;

	if (!async || !fill(port, async, argv[2])) {
		perror("agents DEVICE cancelled|timed-out|waiting|sent");
		return 2;
	}
	for (int i = 0; i < CALLS; i++) {
		if (smp_query_via(info, &peer, IB_ATTR_NODE_INFO, 0, CALL_MS, port))
			continue;
		perror("a call to the port that responds");
		failed = 1;
	}
	mad_async_free(async);
	mad_rpc_close_port(port);
	printf("%d calls\n", CALLS);
	return failed;
}
