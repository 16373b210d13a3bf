/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See fabric.h: what other hosts send to our server, and what they get from it and from programs
 * that send messages. */
#include <string.h>

#include <infiniband/mad.h>

#include "fabric.h"
#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "requests.h"
#include "scheduler.h"
#include "world.h"

enum { REMOTES = 128, LONG_MAD = 600, LONGEST_MAD = 5000 };

/* A request of another host to our server. */
struct remote {
	const struct sim_packet *packet;
	int64_t came_at; /* readable; 0: not yet */
	bool is_long;
	unsigned received;
	unsigned responses;
};

static struct remote remotes[REMOTES];
static unsigned remote_count;

void sim_fabric_clear_server(void)
{
	memset(remotes, 0, sizeof(remotes));
	remote_count = 0;
}

static struct remote *find_remote(uint32_t token)
{
	uint32_t number = token & ~SIM_REMOTE_TOKEN;

	return token & SIM_REMOTE_TOKEN && number < remote_count ? &remotes[number] : NULL;
}

static bool has_right_data(uint32_t token, const uint8_t *mad, size_t length)
{
	size_t offset = sim_data_offset(mad[MAD_CLASS_AT]);

	return length < offset || sim_data_is_right(token, mad + offset, length - offset);
}

/* Our server repeats the data of the request, or sends more of the same. */
static void check_response(const struct sim_packet *request, const uint8_t *mad, size_t length)
{
	uint32_t token = mad_get_be32(mad + MAD_MODIFIER_AT);

	if (!has_right_data(token, mad, length) ||
	    memcmp(mad + MAD_TID_LOW_AT, request->mad + MAD_TID_LOW_AT, 4) != 0)
		sim_broken("message", "the response to 0x%x, of %zu bytes, is not as it was sent",
			   token, length);
}

void sim_fabric_check_sent_message(const uint8_t *mad, size_t length)
{
	if (mad[MAD_CLASS_AT] == SIM_SERVER_CLASS &&
	    !has_right_data(mad_get_be32(mad + MAD_MODIFIER_AT), mad, length))
		sim_broken("message", "the message 0x%x, of %zu bytes, is not as it was sent",
			   mad_get_be32(mad + MAD_MODIFIER_AT), length);
}

void sim_fabric_take_response(const uint8_t *mad, size_t length)
{
	struct remote *remote = find_remote(mad_get_be32(mad + MAD_MODIFIER_AT));

	if (remote)
		check_response(remote->packet, mad, length);
	if (!remote || !remote->received)
		sim_broken("response-to-nobody", "a response to what nobody has requested (0x%x)",
			   mad_get_be32(mad + MAD_MODIFIER_AT));
	else if (++remote->responses > remote->received)
		sim_broken("response-twice", "two responses to the request 0x%x",
			   mad_get_be32(mad + MAD_MODIFIER_AT));
}

static void note_arrival(void *subject)
{
	((struct remote *)subject)->came_at = sim.now;
}

/* Of a request of several packets. */
static size_t choose_long_length(void)
{
	if (!sim_world.has_messages)
		return LONG_MAD;
	return (size_t)sim_random_between(&sim_world.chances, SIM_MAD + 1, LONGEST_MAD);
}

static void plan_remote(struct sim_file *file, uint8_t mgmt_class)
{
	bool is_long = sim_random_once_in(&sim_world.chances, sim_world.long_once_in);
	size_t offset = sim_data_offset(mgmt_class),
	       length = is_long ? choose_long_length() : SIM_MAD;
	struct sim_packet *packet = sim_packet_new(file, length);
	int64_t delay = sim_random_between(&sim_world.chances, 0, 300 * SIM_MS);
	uint8_t *mad = packet->mad;

	if (remote_count == REMOTES)
		return;
	if (sim_world.in_bursts)
		delay -= delay % (60 * SIM_MS);
	packet->agent = file->agent_count - 1;
	packet->lid = 77;
	mad[0] = 1;
	mad[MAD_CLASS_AT] = mgmt_class;
	mad[2] = 1;
	mad[MAD_METHOD_AT] = IB_MAD_METHOD_GET;
	mad_put_be32(mad + MAD_TID_AT, (uint32_t)sim_random_next(&sim_world.chances));
	mad_put_be32(mad + MAD_TID_LOW_AT, (uint32_t)sim_random_next(&sim_world.chances));
	mad_put_be16(mad + MAD_ATTRIBUTE_AT, 0x15);
	mad_put_be32(mad + MAD_MODIFIER_AT, SIM_REMOTE_TOKEN | remote_count);
	mad_put_be32(mad + 36, 0x001405); /* OUI */
	remotes[remote_count].is_long = is_long;
	remotes[remote_count].packet = packet;
	if (is_long)
		sim_make_rmpp(mad, length);
	sim_fill_data(SIM_REMOTE_TOKEN | remote_count, mad + offset, length - offset);
	sim_packet_send(packet, delay);
	sim_at(sim.now + delay, note_arrival, &remotes[remote_count++]);
}

/* A response to no request: an arbitrary TID, or one near to ours. */
static void plan_stray(struct sim_file *file)
{
	struct sim_packet *packet = sim_packet_new(file, SIM_MAD);
	uint8_t *mad = packet->mad;

	packet->is_stray = true;
	mad[0] = 1;
	mad[MAD_CLASS_AT] = file->agent_class[0];
	packet->agent = 0;
	mad[MAD_METHOD_AT] = IB_MAD_METHOD_GET_RESPONSE;
	mad_put_be32(mad + MAD_TID_LOW_AT, (uint32_t)sim_random_next(&sim_world.chances));
	packet->loses = sim_world.kernel == SIM_KERNEL_REAL;
	sim_packet_send(packet, sim_random_between(&sim_world.chances, 0, sim_world.stray_spread));
}

void sim_fabric_server_begins(struct sim_file *file, uint8_t mgmt_class)
{
	for (uint32_t i = 0; i < sim_world.remote_requests; i++)
		plan_remote(file, mgmt_class);
	for (uint32_t i = 0; i < sim_world.stray_responses; i++)
		plan_stray(file);
}

const char *sim_fabric_check_received(const uint8_t *mad, unsigned status)
{
	uint32_t token = mad_get_be32(mad + MAD_MODIFIER_AT);
	struct remote *remote = find_remote(token);
	struct sim_request *request = sim_request_find(token);

	if (request)
		request->received++;
	if (request && sim_request_is_sent_only(request))
		return NULL; /* mad_send_via(): whoever receives gets what becomes of it */
	if (request)
		return status ? "our own request, which the kernel has returned"
			      : "a response to our own request";
	if (!remote)
		return mad[MAD_METHOD_AT] & IB_MAD_RESPONSE ? NULL : "what nobody has sent";
	remote->received++;
	return remote->received > 1 ? "the same request twice" : NULL;
}

const struct sim_packet *sim_fabric_remote_packet(uint32_t token)
{
	const struct remote *remote = find_remote(token);

	return remote ? remote->packet : NULL;
}

bool sim_fabric_is_whole(const uint8_t *mad)
{
	const struct sim_packet *packet =
		sim_fabric_remote_packet(mad_get_be32(mad + MAD_MODIFIER_AT));

	return !packet || !memcmp(mad, packet->mad, packet->length);
}

void sim_fabric_check_all_received(void)
{
	if (sim_kernel_is_removed() || sim_memory_has_failed())
		return; /* messages lost then are nobody's fault */
	for (unsigned i = 0; i < remote_count; i++)
		if (remotes[i].packet->was_read && !remotes[i].received)
			sim_broken("message-lost",
				   "request 0x%x of %zu bytes was read, and nobody received it",
				   SIM_REMOTE_TOKEN | i, remotes[i].packet->length);
}

int64_t sim_fabric_came_at(const uint8_t *mad)
{
	const struct remote *remote = find_remote(mad_get_be32(mad + MAD_MODIFIER_AT));

	return remote ? remote->came_at : SIM_NEVER;
}

int64_t sim_fabric_oldest_unreceived(bool with_long)
{
	int64_t oldest = SIM_NEVER;

	for (unsigned i = 0; i < remote_count; i++)
		if (remotes[i].came_at && !remotes[i].received &&
		    (with_long || !remotes[i].is_long) && remotes[i].came_at < oldest)
			oldest = remotes[i].came_at;
	return oldest;
}

unsigned sim_fabric_long_requests(void)
{
	unsigned count = 0;

	for (unsigned i = 0; i < remote_count; i++)
		count += remotes[i].came_at && remotes[i].is_long;
	return count;
}
