/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See fabric.h. Every choice is made with sim_world.chances, as its percentages say. */
#include "fabric.h"

#include <string.h>

#include <infiniband/mad.h>

#include "invariants.h"
#include "kernel.h"
#include "log.h"
#include "memory.h"
#include "requests.h"
#include "scheduler.h"
#include "world.h"

enum {
	REMOTES = 128,
	LONG_MAD = 600,
	LONGEST_MAD = 5000,
	FIRST_REDIRECT_LID = 0x100,
	RMPP_AT = 24,
	RMPP_LENGTH = 12,
};

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
static uint16_t next_redirect_lid;

void sim_fabric_clear(void)
{
	memset(remotes, 0, sizeof(remotes));
	remote_count = 0;
	next_redirect_lid = FIRST_REDIRECT_LID;
}

size_t sim_data_offset(uint8_t mgmt_class)
{
	switch (mgmt_class) {
	case IB_SA_CLASS:
		return IB_SA_DATA_OFFS;
	case IB_VENDOR_OPENIB_PING_CLASS:
	case SIM_SERVER_CLASS:
		return IB_VENDOR_RANGE2_DATA_OFFS;
	case 0x0a:
		return IB_VENDOR_RANGE1_DATA_OFFS;
	default:
		return IB_SMP_DATA_OFFS;
	}
}

void sim_fill_data(uint32_t token, uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		data[i] = (uint8_t)(token * 7 + i + (i >> 8));
}

bool sim_data_is_right(uint32_t token, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (data[i] != (uint8_t)(token * 7 + i + (i >> 8)))
			return false;
	return true;
}

static bool percent(uint32_t share)
{
	return sim_random_below(&sim_world.chances, 100) < share;
}

/* How long the response to a request takes; SIM_NEVER if there is none. */
static int64_t choose_delay(int64_t timeout)
{
	uint32_t chance = sim_random_below(&sim_world.chances, 100);
	int64_t end = timeout;

	if (chance < sim_world.never)
		return SIM_NEVER;
	chance -= sim_world.never;
	if (chance < sim_world.late)
		return sim_random_between(&sim_world.chances, end, 3 * end + SIM_MS);
	chance -= sim_world.late;
	if (chance < sim_world.at_the_end)
		return sim_random_between(&sim_world.chances,
					  end > 2 * SIM_MS ? end - 2 * SIM_MS : 0,
					  end + 2 * SIM_MS);
	chance -= sim_world.at_the_end;
	if (chance < sim_world.slowly)
		return sim_random_between(&sim_world.chances, 0, end);
	return sim_random_between(&sim_world.chances, 0, sim_world.usual_delay);
}

static struct sim_packet *new_response(struct sim_file *file, struct sim_request *request,
				       unsigned attempt, int agent, uint16_t lid,
				       const uint8_t *mad, size_t length)
{
	struct sim_packet *packet = sim_packet_new(file, length);
	uint8_t *response = packet->mad;

	packet->request = request;
	packet->attempt = attempt;
	packet->agent = agent;
	packet->lid = lid;
	packet->loses = sim_world.kernel == SIM_KERNEL_REAL;
	memcpy(response, mad, length < SIM_MAD ? length : SIM_MAD);
	response[MAD_METHOD_AT] = mad[MAD_METHOD_AT] == IB_MAD_METHOD_SET
					  ? IB_MAD_METHOD_GET_RESPONSE
					  : mad[MAD_METHOD_AT] | IB_MAD_RESPONSE;
	if (mad[MAD_CLASS_AT] == IB_SMI_DIRECT_CLASS)
		response[MAD_STATUS_AT] |= 0x80;
	sim_put32(response + MAD_TID_AT, (uint32_t)agent + 1); /* the kernel's half */
	if (mad[MAD_CLASS_AT] == SIM_SERVER_CLASS) /* one MAD, whatever the message had */
		memset(response + RMPP_AT, 0, RMPP_LENGTH);
	return packet;
}

static void make_rmpp(uint8_t *mad, size_t length)
{
	mad[24] = 1; /* version */
	mad[25] = IB_RMPP_TYPE_DATA;
	mad[26] = 0xf8 | IB_RMPP_FLAG_ACTIVE | IB_RMPP_FLAG_FIRST | IB_RMPP_FLAG_LAST;
	sim_put32(mad + 28, 1);
	sim_put32(mad + 32, (uint32_t)(length - 36));
	sim_put16(mad + 44, 8); /* attribute offset: records of 64 bytes */
}

/* Of requests for a table: any number of records. Others have one MAD. */
static size_t choose_length(const uint8_t *mad)
{
	if (mad[MAD_CLASS_AT] != IB_SA_CLASS || mad[MAD_METHOD_AT] != IB_MAD_METHOD_GET_TABLE)
		return SIM_MAD;
	return IB_SA_DATA_OFFS + 64 * sim_random_below(&sim_world.chances, 40);
}

/* Of a response with an error status: as a rule a whole MAD, else any part with its header. */
static size_t choose_status_length(uint32_t token)
{
	uint32_t any = token * UINT32_C(2654435761) >> 16;

	return token % 4 ? SIM_MAD : SIM_MAD_HEADER + any % (SIM_MAD - SIM_MAD_HEADER);
}

static void make_good(struct sim_packet *packet, uint32_t token)
{
	uint8_t *mad = packet->mad;
	size_t offset = sim_data_offset(mad[MAD_CLASS_AT]);

	packet->must_be_taken = true;
	if (packet->length > offset)
		sim_fill_data(token, mad + offset, packet->length - offset);
	if ((mad[MAD_METHOD_AT] & 0x7f) == IB_MAD_METHOD_GET_TABLE)
		make_rmpp(mad, packet->length);
}

static void make_redirect(struct sim_packet *packet)
{
	uint8_t *mad = packet->mad;
	uint8_t *info = mad + sim_data_offset(mad[MAD_CLASS_AT]);

	packet->redirects = true;
	sim_put16(mad + MAD_STATUS_AT, IB_MAD_STS_REDIRECT);
	sim_put16(mad + MAD_ATTRIBUTE_AT, 1); /* ClassPortInfo */
	memset(info, 0, 72);
	if (percent(sim_world.by_gid)) {
		memset(info + 8, 0xfe, 16);
		packet->by_gid = true;
	} else {
		mad_set_field(info, 0, IB_CPI_REDIRECT_LID_F, next_redirect_lid++);
	}
	mad_set_field(info, 0, IB_CPI_REDIRECT_QP_F, 1);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QKEY_F, IB_DEFAULT_QP1_QKEY);
	mad_set_field(info, 0, IB_CPI_REDIRECT_PKEY_F, 0xffff);
}

/* Something that has the request's TID and is no response to it. */
static void make_malformed(struct sim_packet *packet)
{
	switch (sim_random_below(&sim_world.chances, 4)) {
	case 0:
		packet->mad[0] = 2; /* base version */
		break;
	case 1:
		packet->mad[MAD_ATTRIBUTE_AT] ^= 0x55;
		break;
	case 2:
		packet->mad[MAD_CLASS_AT] ^= 0x40; /* so it is nobody's response */
		sim_put32(packet->mad + MAD_MODIFIER_AT, 0);
		break;
	default:
		packet->length = sim_random_below(&sim_world.chances, SIM_MAD_HEADER);
		break;
	}
}

static bool may_redirect(const uint8_t *mad)
{
	return mad[MAD_CLASS_AT] != IB_SMI_CLASS && mad[MAD_CLASS_AT] != IB_SMI_DIRECT_CLASS &&
	       mad[MAD_METHOD_AT] != IB_MAD_METHOD_GET_TABLE;
}

static void respond(struct sim_file *file, struct sim_request *request, unsigned attempt, int agent,
		    uint16_t lid, const uint8_t *mad, int64_t delay)
{
	uint32_t token = sim_get32(mad + MAD_MODIFIER_AT);
	struct sim_packet *packet;
	bool status = percent(sim_world.with_status);
	size_t length = status ? SIM_MAD : choose_length(mad);

	packet = new_response(file, request, attempt, agent, lid, mad, length);
	if (percent(sim_world.malformed)) {
		make_malformed(packet);
	} else if (may_redirect(mad) && percent(sim_world.redirected)) {
		make_redirect(packet);
	} else if (status) {
		packet->must_be_taken = true;
		packet->length = choose_status_length(token);
		packet->mad[MAD_STATUS_AT + 1] = 0x0c; /* attribute is not supported */
	} else {
		make_good(packet, token);
	}
	if (request && (packet->must_be_taken || packet->redirects))
		sim_request_response_planned(request, packet->redirects, status);
	if (request && packet->by_gid)
		request->is_resolved = true;
	sim_packet_send(packet, delay);
}

void sim_fabric_take_request(struct sim_file *file, struct sim_request *request, unsigned attempt,
			     int agent, uint16_t lid, int64_t timeout, const uint8_t *mad)
{
	int64_t delay;

	if (!timeout)
		return;
	delay = choose_delay(timeout);
	if (delay != SIM_NEVER && !sim_random_once_in(&sim_world.chances, sim_world.drop_once_in))
		respond(file, request, attempt, agent, lid, mad, delay);
	if (delay != SIM_NEVER && percent(sim_world.twice))
		respond(file, request, attempt, agent, lid, mad,
			delay + sim_random_between(&sim_world.chances, 0, 3 * timeout));
}

/* Our server */

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
	uint32_t token = sim_get32(mad + MAD_MODIFIER_AT);

	if (!has_right_data(token, mad, length) ||
	    memcmp(mad + MAD_TID_LOW_AT, request->mad + MAD_TID_LOW_AT, 4) != 0)
		sim_broken("message", "the response to 0x%x, of %zu bytes, is not as it was sent",
			   token, length);
}

void sim_fabric_check_sent_message(const uint8_t *mad, size_t length)
{
	if (mad[MAD_CLASS_AT] == SIM_SERVER_CLASS &&
	    !has_right_data(sim_get32(mad + MAD_MODIFIER_AT), mad, length))
		sim_broken("message", "the message 0x%x, of %zu bytes, is not as it was sent",
			   sim_get32(mad + MAD_MODIFIER_AT), length);
}

void sim_fabric_take_response(const uint8_t *mad, size_t length)
{
	struct remote *remote = find_remote(sim_get32(mad + MAD_MODIFIER_AT));

	if (remote)
		check_response(remote->packet, mad, length);
	if (!remote || !remote->received)
		sim_broken("response-to-nobody", "a response to what nobody has requested (0x%x)",
			   sim_get32(mad + MAD_MODIFIER_AT));
	else if (++remote->responses > remote->received)
		sim_broken("response-twice", "two responses to the request 0x%x",
			   sim_get32(mad + MAD_MODIFIER_AT));
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
	sim_put32(mad + MAD_TID_AT, (uint32_t)sim_random_next(&sim_world.chances));
	sim_put32(mad + MAD_TID_LOW_AT, (uint32_t)sim_random_next(&sim_world.chances));
	sim_put16(mad + MAD_ATTRIBUTE_AT, 0x15);
	sim_put32(mad + MAD_MODIFIER_AT, SIM_REMOTE_TOKEN | remote_count);
	sim_put32(mad + 36, 0x001405); /* OUI */
	remotes[remote_count].is_long = is_long;
	remotes[remote_count].packet = packet;
	if (is_long)
		make_rmpp(mad, length);
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
	sim_put32(mad + MAD_TID_LOW_AT, (uint32_t)sim_random_next(&sim_world.chances));
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
	uint32_t token = sim_get32(mad + MAD_MODIFIER_AT);
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
		sim_fabric_remote_packet(sim_get32(mad + MAD_MODIFIER_AT));

	return !packet || !memcmp(mad, packet->mad, packet->length);
}

void sim_fabric_check_all_received(void)
{
	if (sim_kernel_is_removed() || sim_memory_has_failed())
		return; /* what is lost then is nobody's fault */
	for (unsigned i = 0; i < remote_count; i++)
		if (remotes[i].packet->was_read && !remotes[i].received)
			sim_broken("message-lost",
				   "request 0x%x of %zu bytes was read, and nobody received it",
				   SIM_REMOTE_TOKEN | i, remotes[i].packet->length);
}

int64_t sim_fabric_came_at(const uint8_t *mad)
{
	const struct remote *remote = find_remote(sim_get32(mad + MAD_MODIFIER_AT));

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
