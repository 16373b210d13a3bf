/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Servers, and programs that send without waiting: MADs, and messages of any length from and to
 * parts of memory. */
#include <errno.h>
#include <string.h>

#include <infiniband/mad_message.h>
#include <infiniband/umad.h>

#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "programs.h"
#include "threads.h"
#include "world.h"

enum {
	SPACE = 8192, /* of all parts; more than the longest message needs */
	PARTS_MAX = 3,
	UNTOUCHED = 0xee,
	LONGEST_SENT = 3000,
	REST_MS = 50,
};

static void check_sent(const char *function, int result)
{
	if (result && !sim_things_fail() && !sim_world.write_fails_once_in)
		sim_broken("server", "%s() fails with %d", function, errno);
}

static void respond(void *umad)
{
	const uint8_t *mad = umad_get_mad(umad);

	if (mad[MAD_METHOD_AT] & IB_MAD_RESPONSE || umad_status(umad) ||
	    !(sim_token_of(mad) & SIM_REMOTE_TOKEN) || !sim_plan(4))
		return;
	sim_log("responds to 0x%x", sim_token_of(mad));
	check_sent("mad_respond_via", mad_respond_via(umad, NULL, 0, sim_shared.port));
}

/* Whether another thread runs in a receive, and so may have taken what it has not returned yet. */
static bool another_takes(void)
{
	for (unsigned i = 0; i < sim.thread_count; i++) {
		const struct sim_thread *thread = &sim.threads[i];

		if (thread != sim.current && !thread->ended && sim_shared.receives[i] &&
		    (!thread->waits || !strcmp(thread->waits, "a mutex")))
			return true;
	}
	return false;
}

/* A receive that ends without a MAD. */
static void check_nothing_received(const char *function, int error, int timeout_ms, int64_t began,
				   bool own_buffer)
{
	int64_t lasted = sim.now - began, waiting;

	if (sim_things_fail() || sim_stalled_since(began - SIM_MS))
		return;
	if (error != ETIMEDOUT && error != EAGAIN && (error != ENOSPC || !own_buffer))
		sim_broken("server", "%s() fails with %d", function, error);
	if (error == ENOSPC)
		return;
	if (timeout_ms < 0 || lasted < timeout_ms * SIM_MS)
		sim_broken("receive-early", "%s(%d) gives up after %.3f ms", function, timeout_ms,
			   (double)lasted / SIM_MS);
	else if (lasted > timeout_ms * SIM_MS + sim_excused_since(began))
		sim_broken("receive-late", "%s(%d) lasts %.3f ms", function, timeout_ms,
			   (double)lasted / SIM_MS);
	waiting = sim_fabric_oldest_unreceived(!own_buffer);
	if (waiting != SIM_NEVER && waiting < sim.now - sim_excused_since(sim.now) &&
	    !another_takes())
		sim_broken("server-ignored", "%s(%d) gives up, and a request waits for %.3f ms",
			   function, timeout_ms, (double)(sim.now - waiting) / SIM_MS);
}

/* A request that came while a thread waited for one is received at once. */
static void check_received(const char *function, const uint8_t *mad, unsigned status, int64_t began)
{
	const struct sim_packet *remote = sim_fabric_remote(sim_token_of(mad));
	int64_t since = remote && remote->readable_at > began ? remote->readable_at : began;
	const char *wrong = sim_fabric_check_received(mad, status);

	sim_log("receives 0x%x, status %u", sim_token_of(mad), status);
	if (remote && !sim_things_fail() && sim.now - since > sim_excused_since(since))
		sim_broken("received-late", "%s() returns a request %.3f ms late", function,
			   (double)(sim.now - since) / SIM_MS);
	if (wrong)
		sim_broken("server-stranger", "a server receives %s", wrong);
}

/* Returns 0, or why nothing was received. */
static int receive(bool own_buffer, int timeout_ms)
{
	void *buffer = own_buffer ? mad_alloc() : NULL, *got;
	const struct sim_packet *remote;
	int64_t began = sim.now;
	const uint8_t *mad;
	struct sim_cleanup cleanup;
	int error;

	if (own_buffer && !buffer)
		return ENOMEM;
	errno = 0;
	sim_shared.receives[sim.current->number] = true;
	sim_cleanup_push(&cleanup, mad_free, buffer);
	got = mad_receive_via(buffer, timeout_ms, sim_shared.port);
	sim_cleanup_pop(&cleanup);
	sim_shared.receives[sim.current->number] = false;
	error = errno;
	if (!got) {
		check_nothing_received("mad_receive_via", error, timeout_ms, began, own_buffer);
		mad_free(buffer);
		return error;
	}
	mad = umad_get_mad(got);
	check_received("mad_receive_via", mad, (unsigned)umad_status(got), began);
	remote = sim_fabric_remote(sim_token_of(mad));
	if (remote && memcmp(mad, remote->mad, remote->length) != 0)
		sim_broken("message", "mad_receive_via() returns 0x%x in part", sim_token_of(mad));
	respond(got);
	mad_free(got);
	return 0;
}

/* Messages */

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

/* Copies so many bytes from the data into the parts, or from the parts, which are blank then. */
static void move(const struct parts *parts, uint8_t *data, size_t length, bool out)
{
	for (int i = 0; i < parts->count; i++) {
		const struct iovec *part = &parts->iov[i];
		size_t size = length < part->iov_len ? length : part->iov_len;

		memcpy(out ? data : part->iov_base, out ? part->iov_base : data, size);
		if (out)
			memset(part->iov_base, UNTOUCHED, size);
		data += size;
		length -= size;
	}
}

static void fill_parts(const struct parts *parts, uint32_t token)
{
	uint8_t data[SPACE];

	sim_fill_data(token, data, parts->space);
	move(parts, data, parts->space, false);
}

/* Whether the parts hold the data of the token, so many bytes, and all else is as it was. */
static bool hold_exactly(struct parts *parts, uint32_t token, size_t length)
{
	uint8_t data[SPACE];

	if (length > parts->space)
		return false;
	move(parts, data, length, true);
	for (size_t i = 0; i < sizeof(parts->memory); i++)
		if (parts->memory[i] != UNTOUCHED)
			return false;
	return sim_data_is_right(token, data, length);
}

/* Responds with data of any length. */
static void respond_by_message(const struct mad_message *message)
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
	check_sent("mad_message_send", mad_message_send(sim_shared.port, &message->from, &rpc,
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
		check_received("mad_message_receive", message->header, (unsigned)message->error,
			       began);
		check_message(message, parts);
	} else if (!hold_exactly(parts, 0, 0)) {
		sim_broken("message", "mad_message_receive() fails with %d, and writes data",
			   error);
	} else if (error == EMSGSIZE && message->data_size <= parts->space) {
		sim_broken("message", "mad_message_receive() has space for %zu bytes, and %zu came",
			   parts->space, message->data_size);
	} else if (error != EMSGSIZE) {
		check_nothing_received("mad_message_receive", error, timeout_ms, began, false);
	}
	return error;
}

/* The message that did not fit is the next one for the only receiver. */
static int receive_message(int timeout_ms)
{
	static const size_t spaces[] = { 0, 64, 216, 216, 1000, SPACE, SPACE, SPACE };
	struct mad_message message;
	int error = call_receive(&message, plan_parts(spaces[sim_plan(8)]), timeout_ms);

	if (error == EMSGSIZE && sim_plan(4)) {
		uint32_t token = message.attr_mod;

		error = call_receive(&message, plan_parts(SPACE), 0);
		if (sim_shared.servers < 2 && !sim_memory_has_failed &&
		    (error || message.attr_mod != token))
			sim_broken("message", "0x%x did not fit, and is not the next message (%d)",
				   token, error);
	}
	if (!error)
		respond_by_message(&message);
	return error;
}

/* Until it is cancelled, or the port is gone. */
void *sim_endless_server_program(UNUSED void *unused)
{
	int error;

	sim_shared.servers++;
	do
		error = receive_message(-1);
	while (!error || error == EMSGSIZE);
	return NULL;
}

static void send_message(struct sim_request *request, ib_rpc_t *rpc, ib_portid_t *to)
{
	struct parts *parts = plan_parts(sim_plan(LONGEST_SENT));

	rpc->mgtclass = SIM_SERVER_CLASS;
	rpc->method = sim_plan(3) ? IB_MAD_METHOD_GET : IB_MAD_METHOD_SEND;
	rpc->oui = SIM_OUI;
	fill_parts(parts, request->token);
	sim_log("sends message 0x%x of %zu bytes in %d parts", request->token, parts->space,
		parts->count);
	check_sent("mad_message_send",
		   mad_message_send(sim_shared.port, to, rpc, parts->iov, parts->count));
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

/* Programs */

/* A request that does not fit a server's buffer is reported once, to one of the servers. */
static void check_reported_long(void)
{
	unsigned came = sim_fabric_long_requests();

	if (++sim_shared.reported_long > came)
		sim_broken("server-blocked", "%u requests are reported as too long, and %u are",
			   sim_shared.reported_long, came);
}

void *sim_server_program(UNUSED void *unused)
{
	bool own_buffers = sim_plan(2);
	/* of four calls so many are mad_message_receive() */
	uint32_t messages = sim_world.has_messages ? sim_plan(5) : 0;

	sim_shared.servers++;
	for (uint32_t calls = 3 + sim_plan(25); calls; calls--) {
		int timeout_ms = (int)sim_plan(60);
		int error = messages && sim_plan(4) < messages ? receive_message(timeout_ms)
							       : receive(own_buffers, timeout_ms);

		if (error == ENOSPC)
			check_reported_long();
		if (error == EIO || error == ENODEV)
			break;
	}
	return NULL;
}

static void send_request(struct sim_request *request, ib_rpc_t *rpc, ib_portid_t *to)
{
	uint8_t data[IB_PC_DATA_SZ] = { 0 };

	rpc->mgtclass = sim_world.sends_to_sa ? IB_SA_CLASS : IB_PERFORMANCE_CLASS;
	rpc->method = IB_MAD_METHOD_GET;
	rpc->dataoffs = IB_PC_DATA_OFFS;
	rpc->datasz = IB_PC_DATA_SZ;
	sim_log("sends request 0x%x without waiting", request->token);
	check_sent("mad_send_via", mad_send_via(rpc, to, NULL, data, sim_shared.port));
}

void *sim_sender_program(UNUSED void *unused)
{
	for (uint32_t calls = 1 + sim_plan(5); calls; calls--) {
		bool is_message = sim_world.has_messages && sim_plan(4);
		struct sim_request *request =
			sim_request_new(SIM_REQUEST_SENT_ONLY, sim_plan_timeout(), 1, NULL);
		ib_portid_t to = { .lid = 4, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
		ib_rpc_t rpc = { .attr.id = 0x15 };

		if (!request)
			break;
		rpc.attr.mod = request->token;
		rpc.timeout = request->timeout_ms;
		(is_message ? send_message : send_request)(request, &rpc, &to);
		sim_sleep(sim_plan(40) * SIM_MS);
	}
	return NULL;
}
