/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * rpcs COUNT: so many requests on the scripted kernel of tests/unit, one after the other and in
 * asynchronous batches, of all classes. Each response has the requested data, and is checked; one
 * in a thousand requests times out in the kernel and is sent again, one gets a response twice, one
 * is preceded by a response to another request. Exits 1 after a wrong response, or when memory in
 * use has grown from the first tenth to the end.
 */
#include "fakeumad.h"
#include "../../lib/memory-in-use.h"

#include <infiniband/mad.h>
#include "../../lib/async-request.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH	     64
#define DATA_SIZE    64	  /* of a response's data: what the pattern fills */
#define MEMORY_SLACK 1024 /* bytes: buffers of stdio */

static struct ibmad_port *port;
static unsigned long wrong, done;

/* What a response holds: made of the attribute modifier, which differs for each request. */
static void fill(uint8_t data[DATA_SIZE], uint32_t modifier)
{
	for (unsigned i = 0; i < DATA_SIZE; i++)
		data[i] = (uint8_t)(modifier >> 8 * (i % 4)) ^ (uint8_t)i;
}

static size_t data_offset(uint8_t mgmt_class)
{
	return mgmt_class == IB_SA_CLASS ? 56 : 64;
}

static int respond(const struct fakeumad_request *request, void *context)
{
	static unsigned long number;
	const uint8_t *mad = request->mad;
	uint32_t modifier = (uint32_t)mad[20] << 24 | mad[21] << 16 | mad[22] << 8 | mad[23];
	uint8_t data[DATA_SIZE];
	struct fakeumad_reply reply = { .data = data,
					.data_size = sizeof(data),
					.data_offset = data_offset(mad[1]) };

	(void)context;
	fill(data, modifier);
	number++;
	if (number % 1000 == 0) {
		fakeumad_reply(request, &(struct fakeumad_reply)FAKEUMAD_TIMED_OUT);
		return 0;
	}
	if (number % 1000 == 1)
		reply.copies = 2;
	if (number % 1000 == 2)
		fakeumad_reply(request, &(struct fakeumad_reply){ .tid_change = 12345 });
	fakeumad_reply(request, &reply);
	return 0;
}

static void check(const uint8_t *data, uint32_t modifier)
{
	uint8_t expected[DATA_SIZE];

	fill(expected, modifier);
	done++;
	if (data && !memcmp(data, expected, sizeof(expected)))
		return;
	if (wrong++ < 10)
		fprintf(stderr, "wrong response, or none, to request %u\n", modifier);
}

static void ask(uint32_t modifier)
{
	ib_portid_t to = { .lid = 5, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	ib_sa_call_t sa = { .attrid = IB_SA_ATTR_NODERECORD,
			    .mod = modifier,
			    .method = IB_MAD_METHOD_GET };
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS,
			 .method = IB_MAD_METHOD_GET,
			 .attr = { IB_GSI_PORT_COUNTERS, modifier },
			 .dataoffs = IB_PC_DATA_OFFS,
			 .datasz = IB_PC_DATA_SZ };
	uint8_t data[256] = { 0 };
	const uint8_t *came;

	switch (modifier % 4) {
	case 0:
		came = sa_rpc_call(port, data, &to, &sa, 0);
		break;
	case 1:
		came = mad_rpc(port, &rpc, &to, NULL, data);
		break;
	case 2:
		to.qp = 0;
		came = smp_query_via(data, &to, IB_ATTR_NODE_INFO, modifier, 0, port);
		break;
	default:
		to = (ib_portid_t){ .drpath = { .cnt = 1, .p = { 0, 1 }, .drslid = 0 } };
		came = smp_query_via(data, &to, IB_ATTR_NODE_INFO, modifier, 0, port);
	}
	check(came ? data : NULL, modifier);
}

static void take(struct mad_async *async, const struct mad_async_result *result, void *modifier)
{
	(void)async;
	check(result->error ? NULL : result->data, (uint32_t)(uintptr_t)modifier);
}

static void ask_batch(struct mad_async *async, uint32_t modifier)
{
	ib_portid_t to = { .lid = 5 };

	for (uint32_t i = modifier; i < modifier + BATCH; i++)
		if (mad_async_smp(async, ASYNC_TO(&to, take, (void *)(uintptr_t)i),
				  IB_ATTR_NODE_INFO, i, NULL) < 0)
			wrong++;
	while (mad_async_dispatch(async, 0, -1) > 0)
		;
}

int main(int argc, char **argv)
{
	unsigned long count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	size_t memory = 0, end;
	struct mad_async *async;
	uint32_t next = 1;

	if (!count) {
		fprintf(stderr, "usage: rpcs COUNT\n");
		return 2;
	}
	fakeumad_reset();
	fakeumad_respond_with(respond, NULL);
	port = fakeumad_port();
	async = mad_async_create(port, NULL, 0);
	if (!async) {
		perror("rpcs");
		return 1;
	}
	while (done < count) {
		for (int i = 0; i < BATCH; i++)
			ask(next++);
		ask_batch(async, next);
		next += BATCH;
		if (!memory && done >= count / 10)
			memory = memory_in_use();
	}
	end = memory_in_use();
	mad_async_free(async);
	mad_rpc_close_port(port);
	fakeumad_finish();
	printf("%lu requests, %lu wrong or missing responses, %zu bytes in use after a tenth and "
	       "%zu at the end\n",
	       done, wrong, memory, end);
	return wrong || end > memory + MEMORY_SLACK;
}
