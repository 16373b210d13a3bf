/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Servers and senders of messages of any length, from and to parts of memory. */
#include <errno.h>
#include <string.h>

#include <infiniband/mad_message.h>

#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "programs.h"
#include "world.h"

enum {
	SPACE = 8192, /* of all parts; more than the longest message needs */
	PARTS_MAX = 3,
	UNTOUCHED = 0xee,
	LONGEST_SENT = 3000,
	REST_MS = 50,
};

/* The memory of a call: parts that lie one behind the other, each with a gap behind it. */
struct parts {
	struct iovec iov[PARTS_MAX];
	int count;
	size_t space;
	uint8_t memory[SPACE + PARTS_MAX];
};

static struct parts parts_of_threads[SIM_THREADS];

/* Splits `space` bytes into one to three parts, of which some are empty. */
static struct parts *plan_parts(size_t space)
{
	struct parts *parts = &parts_of_threads[sim.current->number];
	uint8_t *at = parts->memory;
	size_t left = space;

	memset(parts->memory, UNTOUCHED, sizeof(parts->memory));
	parts->space = space;
	parts->count = 1 + (int)sim_plan(PARTS_MAX);
	for (int i = 0; i < parts->count; i++) {
		size_t size = i == parts->count - 1 ? left : sim_plan((uint32_t)left + 1);

		parts->iov[i] = (struct iovec){ at, size };
		at += size + 1;
		left -= size;
	}
	return parts;
}

/* Byte i of the data, or NULL behind the last part. */
static uint8_t *byte_at(const struct parts *parts, size_t i)
{
	for (int part = 0; part < parts->count; part++) {
		if (i < parts->iov[part].iov_len)
			return (uint8_t *)parts->iov[part].iov_base + i;
		i -= parts->iov[part].iov_len;
	}
	return NULL;
}

static void fill_parts(const struct parts *parts, uint32_t token)
{
	uint8_t data[SPACE];

	sim_fill_data(token, data, parts->space);
	for (size_t i = 0; i < parts->space; i++)
		*byte_at(parts, i) = data[i];
}

/* Whether the parts hold the data of the token, so many bytes, and all else is as it was. */
static bool hold_exactly(struct parts *parts, uint32_t token, size_t length)
{
	uint8_t data[SPACE];

	for (size_t i = 0; i < length; i++) {
		uint8_t *byte = byte_at(parts, i);

		if (!byte)
			return false;
		data[i] = *byte;
		*byte = UNTOUCHED;
	}
	for (size_t i = 0; i < sizeof(parts->memory); i++)
		if (parts->memory[i] != UNTOUCHED)
			return false;
	return sim_data_is_right(token, data, length);
}

/* Responds with data of any length. */
static void respond(const struct mad_message *message)
{
	struct parts *parts = plan_parts(sim_plan(LONGEST_SENT));
	ib_rpc_t rpc = { .mgtclass = SIM_SERVER_CLASS,
			 .method = IB_MAD_METHOD_GET_RESPONSE,
			 .attr = { .id = message->attr_id, .mod = message->attr_mod },
			 .trid = message->tid,
			 .oui = SIM_OUI };

	if (!(message->attr_mod & SIM_REMOTE_TOKEN) || !sim_plan(4))
		return;
	fill_parts(parts, message->attr_mod);
	sim_log("responds to 0x%x with %zu bytes", message->attr_mod, parts->space);
	sim_check_sent("mad_message_send", mad_message_send(sim_shared.port, &message->from, &rpc,
							    parts->iov, parts->count));
}

static bool describes(const struct mad_message *message, const struct sim_packet *packet)
{
	const uint8_t *mad = packet->mad;

	return !message->error && !message->status && message->from.lid == packet->lid &&
	       message->from.qp == 1 && message->mgmt_class == mad[MAD_CLASS_AT] &&
	       message->method == mad[MAD_METHOD_AT] && message->attr_id == 0x15 &&
	       (uint32_t)message->tid == mad_get_be32(mad + MAD_TID_LOW_AT) &&
	       message->header_size == IB_VENDOR_RANGE2_DATA_OFFS &&
	       !memcmp(message->header, mad, IB_VENDOR_RANGE2_DATA_OFFS) &&
	       message->data_size == packet->length - IB_VENDOR_RANGE2_DATA_OFFS;
}

/* Messages of ours and responses to them have known data; malformed messages have any. */
static bool has_known_data(const struct mad_message *message)
{
	return message->header[0] == 1 && message->mgmt_class == SIM_SERVER_CLASS &&
	       message->attr_id == 0x15 && !message->status && sim_request_find(message->attr_mod);
}

/* Of all messages the kernel returns only ours, with ETIMEDOUT. */
static bool agrees_with_headers(const struct mad_message *message)
{
	bool is_returned = !(message->header[MAD_METHOD_AT] & IB_MAD_RESPONSE) &&
			   !(message->attr_mod & SIM_REMOTE_TOKEN);

	return message->attr_mod == sim_token_of(message->header) &&
	       message->error == (is_returned ? ETIMEDOUT : 0);
}

static void check_message(const struct mad_message *message, struct parts *parts)
{
	uint32_t token = message->attr_mod;
	const struct sim_packet *packet = sim_fabric_remote(token);

	if (!agrees_with_headers(message) || (packet && !describes(message, packet)))
		sim_broken("message", "mad_message_receive() describes 0x%x wrongly", token);
	if ((packet || has_known_data(message)) && !hold_exactly(parts, token, message->data_size))
		sim_broken("message", "mad_message_receive() returns the %zu bytes of 0x%x wrongly",
			   message->data_size, token);
}

/* Returns 0 or an errno. */
static int call_receive(struct mad_message *message, struct parts *parts, int timeout_ms)
{
	int64_t began = sim.now;
	int error;

	memset(message, UNTOUCHED, sizeof(*message));
	sim_log("calls mad_message_receive() with %d parts of %zu bytes", parts->count,
		parts->space);
	sim_shared.receives[sim.current->number] = true;
	errno = 0;
	error = mad_message_receive(sim_shared.port, message, parts->iov, parts->count, timeout_ms)
			? errno
			: 0;
	sim_shared.receives[sim.current->number] = false;
	if (!error) {
		sim_check_received("mad_message_receive", message->header, (unsigned)message->error,
				   began);
		check_message(message, parts);
	} else if (!hold_exactly(parts, 0, 0)) {
		sim_broken("message", "mad_message_receive() fails with %d, and writes data",
			   error);
	} else if (error == EMSGSIZE && message->data_size <= parts->space) {
		sim_broken("message", "mad_message_receive() has space for %zu bytes, and %zu came",
			   parts->space, message->data_size);
	} else if (error != EMSGSIZE) {
		sim_check_nothing_received("mad_message_receive", error, timeout_ms, began, false);
	}
	return error;
}

/* The message that did not fit is the next one for the only receiver. */
static int receive_with_space(struct mad_message *message)
{
	uint32_t token = message->attr_mod;
	int error = call_receive(message, plan_parts(SPACE), 0);

	if (sim_shared.servers < 2 && !sim_memory_has_failed() &&
	    (error || message->attr_mod != token))
		sim_broken("message", "0x%x did not fit, and is not the next message (%d)", token,
			   error);
	return error;
}

int sim_receive_message(int timeout_ms)
{
	static const size_t spaces[] = { 0, 64, 216, 216, 1000, SPACE, SPACE, SPACE };
	struct mad_message message;
	int error = call_receive(&message, plan_parts(spaces[sim_plan(8)]), timeout_ms);

	if (error == EMSGSIZE && sim_plan(4))
		error = receive_with_space(&message);
	if (!error)
		respond(&message);
	return error;
}

/* Until it is cancelled, or the port is gone. */
void *sim_endless_server_program(UNUSED void *unused)
{
	int error;

	sim_shared.servers++;
	do
		error = sim_receive_message(-1);
	while (!error || error == EMSGSIZE);
	return NULL;
}

int sim_send_message(void)
{
	struct sim_request *request =
		sim_request_new(SIM_REQUEST_SENT_ONLY, sim_plan_timeout(), 1, NULL);
	struct parts *parts = plan_parts(sim_plan(LONGEST_SENT));
	ib_portid_t to = { .lid = 4, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	ib_rpc_t rpc = { .mgtclass = SIM_SERVER_CLASS,
			 .method = sim_plan(3) ? IB_MAD_METHOD_GET : IB_MAD_METHOD_SEND,
			 .attr.id = 0x15,
			 .oui = SIM_OUI };

	if (!request)
		return -1;
	rpc.attr.mod = request->token;
	rpc.timeout = request->timeout_ms;
	fill_parts(parts, request->token);
	sim_log("sends message 0x%x of %zu bytes in %d parts", request->token, parts->space,
		parts->count);
	sim_check_sent("mad_message_send",
		       mad_message_send(sim_shared.port, &to, &rpc, parts->iov, parts->count));
	return 0;
}

void sim_receive_rest(void)
{
	struct mad_message message;

	sim_shared.servers = 1;
	while (!call_receive(&message, plan_parts(SPACE), REST_MS))
		;
	sim_fabric_check_all_received();
	sim_requests_check_all_received();
}
