/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See fabric.h: what other hosts send to our server, and what they get from it and from programs
 * that send messages. */
#include <string.h>

#include <infiniband/mad.h>

#include "fabric.h"
#include "invariants.h"
#include "kernel.h"
#include "requests.h"
#include "scheduler.h"
#include "world.h"

enum { REMOTES = 128, LONG_MAD = 600, LONGEST_MAD = 5000 };

/* Requests of other hosts to our server. */
static struct sim_packet *remotes[REMOTES];
static unsigned remote_count;

void sim_fabric_clear_server(void)
{
	remote_count = 0;
}

struct sim_packet *sim_fabric_remote(uint32_t token)
{
	uint32_t number = token & ~SIM_REMOTE_TOKEN;

	return token & SIM_REMOTE_TOKEN && number < remote_count ? remotes[number] : NULL;
}

static bool has_right_data(uint32_t token, const uint8_t *mad, size_t length)
{
	size_t offset = sim_data_offset(mad[MAD_CLASS_AT]);

	return length < offset || sim_data_is_right(token, mad + offset, length - offset);
}

void sim_fabric_check_sent_message(const uint8_t *mad, size_t length)
{
	if (mad[MAD_CLASS_AT] == SIM_SERVER_CLASS &&
	    !has_right_data(sim_token_of(mad), mad, length))
		sim_broken("message", "the message 0x%x, of %zu bytes, is not as it was sent",
			   sim_token_of(mad), length);
}

/* Our server repeats the data of the request, or sends more of the same. */
void sim_fabric_take_response(const uint8_t *mad, size_t length)
{
	uint32_t token = sim_token_of(mad);
	struct sim_packet *remote = sim_fabric_remote(token);

	if (!remote || !remote->received)
		sim_broken("response-to-nobody", "a response to what nobody has requested (0x%x)",
			   token);
	else if (++remote->responses > remote->received)
		sim_broken("response-twice", "two responses to the request 0x%x", token);
	else if (!has_right_data(token, mad, length) ||
		 memcmp(mad + MAD_TID_LOW_AT, remote->mad + MAD_TID_LOW_AT, 4) != 0)
		sim_broken("message", "the response to 0x%x, of %zu bytes, is not as it was sent",
			   token, length);
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
	uint32_t token = SIM_REMOTE_TOKEN | remote_count;
	struct sim_packet *packet = sim_packet_new(file, length);
	int64_t delay = sim_random_between(&sim_world.chances, 0, 300 * SIM_MS);
	uint8_t *mad = packet->mad;

	if (remote_count == REMOTES)
		return;
	remotes[remote_count++] = packet;
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
	mad_put_be32(mad + MAD_MODIFIER_AT, token);
	mad_put_be32(mad + 36, SIM_OUI);
	if (is_long)
		sim_make_rmpp(mad, length);
	sim_fill_data(token, mad + offset, length - offset);
	sim_packet_send(packet, delay);
}

/* A response to no request: an arbitrary TID, or one near to ours. */
static void plan_stray(struct sim_file *file)
{
	struct sim_packet *packet = sim_packet_new(file, SIM_MAD);
	uint8_t *mad = packet->mad;

	packet->is_stray = true;
	mad[0] = 1;
	mad[MAD_CLASS_AT] = file->first_class;
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
	uint32_t token = sim_token_of(mad);
	struct sim_packet *remote = sim_fabric_remote(token);
	struct sim_request *request = sim_request_find(token);

	if (request)
		request->received++;
	if (request && request->kind == SIM_REQUEST_SENT_ONLY)
		return NULL; /* mad_send_via(): whoever receives gets what becomes of it */
	if (request)
		return status ? "our own request, which the kernel has returned"
			      : "a response to our own request";
	if (!remote)
		return mad[MAD_METHOD_AT] & IB_MAD_RESPONSE ? NULL : "what nobody has sent";
	return ++remote->received > 1 ? "the same request twice" : NULL;
}

void sim_fabric_check_all_received(void)
{
	for (unsigned i = 0; i < remote_count && !sim_things_fail(); i++)
		if (remotes[i]->was_read && !remotes[i]->received)
			sim_broken("message-lost",
				   "request 0x%x of %zu bytes was read, and nobody received it",
				   SIM_REMOTE_TOKEN | i, remotes[i]->length);
}

int64_t sim_fabric_oldest_unreceived(bool with_long)
{
	int64_t oldest = SIM_NEVER;

	for (unsigned i = 0; i < remote_count; i++)
		if (remotes[i]->readable_at && !remotes[i]->received &&
		    (with_long || remotes[i]->length <= SIM_MAD) &&
		    remotes[i]->readable_at < oldest)
			oldest = remotes[i]->readable_at;
	return oldest;
}

unsigned sim_fabric_long_requests(void)
{
	unsigned count = 0;

	for (unsigned i = 0; i < remote_count; i++)
		count += remotes[i]->readable_at && remotes[i]->length > SIM_MAD;
	return count;
}
