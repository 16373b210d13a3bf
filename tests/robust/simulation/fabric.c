/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See fabric.h: what becomes of our requests, then what other hosts send to our server, and what
 * they get from it and from programs that send messages. */
#include <string.h>

#include <infiniband/mad.h>
#include <infiniband/umad_types.h>

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

enum { FIRST_REDIRECT_LID = 0x100, RMPP_AT = 24, RMPP_LENGTH = 12 };

static uint16_t next_redirect_lid;

void sim_fabric_clear(void)
{
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

uint32_t sim_data_of(uint32_t token, int lid)
{
	return IB_LID_VALID(lid) && lid >= FIRST_REDIRECT_LID ? token + (uint32_t)lid * 13 : token;
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

bool sim_is_silent_lid(int lid)
{
	return sim_world.has_silent_lids && lid >= SIM_FIRST_SILENT_LID &&
	       lid < SIM_FIRST_SILENT_LID + SIM_SILENT_LIDS;
}

/* How long the response to a request takes; SIM_NEVER if there is none. */
static int64_t choose_delay(int64_t end)
{
	uint32_t chance = sim_chance(100), shares = sim_world.never;

	if (chance < shares)
		return SIM_NEVER;
	if (chance < (shares += sim_world.late))
		return sim_chance_between(end, 3 * end + SIM_MS);
	if (chance < (shares += sim_world.at_the_end))
		return sim_chance_between(end > 2 * SIM_MS ? end - 2 * SIM_MS : 0,
					  end + 2 * SIM_MS);
	if (chance < (shares += sim_world.slowly))
		return sim_chance_between(0, end);
	return sim_chance_between(0, sim_world.usual_delay);
}

static struct sim_packet *new_response(const struct sim_packet *sent, size_t length)
{
	struct sim_packet *packet = sim_packet_new(sent->file, length);
	uint8_t *response = packet->mad;

	packet->request = sent->request;
	packet->attempt = sent->attempt;
	packet->agent = sent->agent;
	packet->lid = sent->lid;
	packet->loses = sim_world.kernel == SIM_KERNEL_REAL;
	memcpy(response, sent->mad, length < SIM_MAD ? length : SIM_MAD);
	response[MAD_METHOD_AT] = sent->mad[MAD_METHOD_AT] == IB_MAD_METHOD_SET
					  ? IB_MAD_METHOD_GET_RESPONSE
					  : sent->mad[MAD_METHOD_AT] | IB_MAD_RESPONSE;
	if (response[MAD_CLASS_AT] == IB_SMI_DIRECT_CLASS)
		response[MAD_STATUS_AT] |= 0x80;
	mad_put_be32(response + MAD_TID_AT, (uint32_t)sent->agent + 1); /* the kernel's half */
	/* the response is a single MAD, however long the message */
	if (response[MAD_CLASS_AT] == SIM_SERVER_CLASS)
		memset(response + RMPP_AT, 0, RMPP_LENGTH);
	return packet;
}

static void make_rmpp(uint8_t *mad, size_t length)
{
	mad[24] = 1; /* version */
	mad[25] = IB_RMPP_TYPE_DATA;
	mad[26] = 0xf8 | IB_RMPP_FLAG_ACTIVE | IB_RMPP_FLAG_FIRST | IB_RMPP_FLAG_LAST;
	mad_put_be32(mad + 28, 1);
	mad_put_be32(mad + 32, (uint32_t)(length - 36));
	mad_put_be16(mad + 44, 8); /* attribute offset: records of 64 bytes */
}

/* Of requests for a table: any number of records. Others have one MAD. */
static size_t choose_length(const uint8_t *mad)
{
	if (mad[MAD_CLASS_AT] != IB_SA_CLASS || mad[MAD_METHOD_AT] != IB_MAD_METHOD_GET_TABLE)
		return SIM_MAD;
	return IB_SA_DATA_OFFS + 64 * sim_chance(40);
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
		sim_fill_data(sim_data_of(token, packet->lid), mad + offset,
			      packet->length - offset);
	if ((mad[MAD_METHOD_AT] & 0x7f) == IB_MAD_METHOD_GET_TABLE)
		make_rmpp(mad, packet->length);
}

static void make_redirect(struct sim_packet *packet)
{
	uint8_t *mad = packet->mad;
	uint8_t *info = mad + sim_data_offset(mad[MAD_CLASS_AT]);

	packet->redirects = true;
	mad_put_be16(mad + MAD_STATUS_AT, IB_MAD_STS_REDIRECT);
	mad_put_be16(mad + MAD_ATTRIBUTE_AT, 1); /* ClassPortInfo */
	memset(info, 0, 72);
	if (sim_percent(sim_world.by_gid)) {
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
static void make_malformed(struct sim_packet *packet, uint32_t token)
{
	switch (sim_chance(4)) {
	case 0:
		packet->mad[0] = 2; /* base version */
		break;
	case 1:
		packet->mad[MAD_ATTRIBUTE_AT] ^= 0x55;
		break;
	case 2:
		packet->mad[MAD_CLASS_AT] ^= 0x40; /* matches no request */
		mad_put_be32(packet->mad + MAD_MODIFIER_AT, 0);
		break;
	default:
		packet->length = sim_chance(SIM_MAD_HEADER);
		if (token % 2) /* all but the data */
			packet->length = sim_data_offset(packet->mad[MAD_CLASS_AT]) - 1;
		break;
	}
}

static bool may_redirect(const uint8_t *mad)
{
	return mad[MAD_CLASS_AT] != IB_SMI_CLASS && mad[MAD_CLASS_AT] != IB_SMI_DIRECT_CLASS &&
	       mad[MAD_METHOD_AT] != IB_MAD_METHOD_GET_TABLE;
}

static void respond(const struct sim_packet *sent, int64_t delay)
{
	uint32_t token = sim_token_of(sent->mad);
	struct sim_request *request = sent->request;
	bool status = sim_percent(sim_world.with_status);
	struct sim_packet *packet = new_response(sent, status ? SIM_MAD : choose_length(sent->mad));

	if (sim_percent(sim_world.malformed)) {
		make_malformed(packet, token);
	} else if (may_redirect(sent->mad) && sim_percent(sim_world.redirected)) {
		make_redirect(packet);
	} else if (sent->mad[MAD_CLASS_AT] == IB_SA_CLASS && sim_percent(sim_world.busy)) {
		packet->mad[MAD_STATUS_AT + 1] = UMAD_STATUS_BUSY;
		packet->length = SIM_MAD;
		packet->is_busy = true;
	} else if (status) {
		packet->must_be_taken = true;
		packet->length = choose_status_length(token);
		packet->mad[MAD_STATUS_AT + 1] = 0x0c; /* attribute is not supported */
	} else {
		make_good(packet, token);
	}
	if (request) {
		request->redirects_planned += packet->redirects;
		request->expects_status |= status && packet->must_be_taken;
		request->is_resolved |= packet->by_gid || packet->is_busy;
	}
	sim_packet_send(packet, delay);
}

void sim_fabric_take_request(const struct sim_packet *sent)
{
	int64_t timeout = sent->timeout_ms * SIM_MS, delay;

	if (!timeout)
		return;
	delay = sim_is_silent_lid(sent->lid) ? SIM_NEVER : choose_delay(timeout);
	if (delay != SIM_NEVER && !sim_chance_once_in(sim_world.drop_once_in))
		respond(sent, delay);
	if (delay != SIM_NEVER && sim_percent(sim_world.twice))
		respond(sent, delay + sim_chance_between(0, 3 * timeout));
}

/* Other hosts */

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
	return (size_t)sim_chance_between(SIM_MAD + 1, LONGEST_MAD);
}

static void plan_remote(struct sim_file *file, uint8_t mgmt_class)
{
	bool is_long = sim_chance_once_in(sim_world.long_once_in);
	size_t offset = sim_data_offset(mgmt_class),
	       length = is_long ? choose_long_length() : SIM_MAD;
	uint32_t token = SIM_REMOTE_TOKEN | remote_count;
	struct sim_packet *packet = sim_packet_new(file, length);
	int64_t delay = sim_chance_between(0, 300 * SIM_MS);
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
		make_rmpp(mad, length);
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
	sim_packet_send(packet, sim_chance_between(0, sim_world.stray_spread));
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
				   "request 0x%x of %zu bytes was read, and not received",
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
