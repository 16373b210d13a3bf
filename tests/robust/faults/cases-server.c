/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-server.c - sending without waiting, receiving, responding. A received MAD is not lost when
 * a receive fails, unless the read of it did.
 */
#include "fabric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/mad_message.h>

#define PORT ((struct ibmad_port *)run->state)

/* The functions without a port argument are for the default port, which is that of the scene. */
#define IS_DEFAULT (run->test->scene == &fabric_default)

static void receive(struct fault_run *run, bool own_buffer)
{
	uint8_t *umad = own_buffer ? mad_alloc() : NULL, *taken, *again;

	fabric_ask_us();
	fault_begin(run);
	taken = fault_pointer(run, IS_DEFAULT ? mad_receive(umad, 2000)
					      : mad_receive_via(umad, 2000, PORT));
	FAULT_EXPECT(run, !taken || !umad || taken == umad);
	if (taken)
		memcpy(run->output, taken, umad_size() + IB_MAD_SIZE);
	again = taken ? NULL : mad_receive_via(NULL, 2000, PORT);
	FAULT_EXPECT(run, taken || again);
	mad_free(again);
	mad_free(umad ? umad : taken);
	fabric_drop_all(PORT);
}

static void call_receive(struct fault_run *run)
{
	receive(run, false);
}

/* A request in a buffer, as if it had come. */
static uint8_t *get_request(struct ibmad_port *port)
{
	fabric_ask_us();
	return mad_receive_via(NULL, 2000, port);
}

static void call_respond(struct fault_run *run)
{
	uint8_t *umad = get_request(PORT);

	fault_begin(run);
	fault_minus_one(run, IS_DEFAULT ? mad_respond(umad, NULL, 0)
					: mad_respond_via(umad, NULL, 0, PORT));
	mad_free(umad);
	fabric_drop_all(PORT);
}

static void call_send(struct fault_run *run)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS,
			 .method = IB_MAD_METHOD_GET,
			 .attr = { .id = IB_GSI_PORT_COUNTERS } };
	ib_portid_t to = { .lid = 7, .qp = 1 };

	fault_begin(run);
	fault_minus_one(run, IS_DEFAULT ? mad_send(&rpc, &to, NULL, NULL)
					: mad_send_via(&rpc, &to, NULL, NULL, PORT));
	fabric_drop_all(PORT);
}

/* The first transaction ID of a process is one of random numbers, or of the clock. */
FAULT(mad_trid, NULL, fabric_bare, FAULT_FRESH)
{
	uint64_t first, second;

	fault_begin(run);
	first = mad_trid();
	second = mad_trid();
	fault_cannot_fail(run);
	FAULT_EXPECT(run, first && second && first != second);
}

FAULT_DO(call_receive(run), mad_receive_via, NULL, fabric_port, FAULT_UNTOUCHED)
FAULT_DO(receive(run, true), mad_receive_via, "into a buffer", fabric_port, FAULT_UNTOUCHED)
FAULT_DO(call_respond(run), mad_respond_via, NULL, fabric_port, 0)

FAULT(mad_message_respond_table, NULL, fabric_port, 0)
{
	static const uint8_t records[10][64];
	uint8_t *umad = get_request(PORT), before[512], *mad = umad_get_mad(umad);

	mad[1] = FABRIC_VENDOR2;
	memcpy(before, umad, umad_size() + IB_MAD_SIZE);
	fault_begin(run);
	fault_minus_one(run, mad_message_respond_table(PORT, NULL, umad, 0, records, 64, 10));
	FAULT_EXPECT(run, !memcmp(before, umad, umad_size() + IB_MAD_SIZE));
	mad_free(umad);
	fabric_drop_all(PORT);
}

FAULT_DO(call_send(run), mad_send_via, NULL, fabric_port, 0)
FAULT_DO(call_receive(run), mad_receive, NULL, fabric_default, FAULT_UNTOUCHED)
FAULT_DO(call_respond(run), mad_respond, NULL, fabric_default, 0)
FAULT_DO(call_send(run), mad_send, NULL, fabric_default, 0)
