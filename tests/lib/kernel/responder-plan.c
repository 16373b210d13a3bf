/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The fabric and the kernel of responder.h: what follows each write, and when. */
#include "responder-internal.h"
#include "umad-rules.h"

#include "common/bytes.h"

#include <endian.h>
#include <errno.h>
#include <rdma/ib_user_mad.h>
#include <string.h>

#define NEVER	  (INT64_MAX / 4)
#define NS_PER_US 1000

struct responder responder;

int64_t responder_now_us(void)
{
	return kernel_now_ns() / NS_PER_US;
}

void responder_describe(struct responder_request *request, int device, const void *packet,
			size_t size)
{
	const struct ib_user_mad_hdr *header = packet;
	const uint8_t *mad = (const uint8_t *)packet + RESPONDER_HEADER;

	*request = (struct responder_request){
		.packet = packet,
		.mad = mad,
		.size = size,
		.number = responder.writes,
		.device = device,
		.lid = be16toh(header->lid),
		.mgmt_class = mad[1],
		.attr_mod = mad_get_be32(mad + 20),
		.tid = mad_get_be32(mad + 12),
		.timeout_ms = (int)header->timeout_ms,
		.retries = header->retries,
	};
}

static struct responder_event **bucket_of(uint32_t tid)
{
	return &responder.held[tid % RESPONDER_BUCKETS];
}

static struct responder_event *find_held(int device, int agent, uint32_t tid)
{
	struct responder_event *event = *bucket_of(tid);

	for (; event; event = event->in_hold)
		if (event->tid == tid && event->agent == agent && event->arrival.device == device)
			return event;
	return NULL;
}

static bool is_held(int device, int agent, uint32_t tid, int64_t now)
{
	for (unsigned i = 0; i < RESPONDER_FREED; i++) {
		const struct responder_freed *freed = &responder.freed[i];

		if (now < freed->until_us && freed->tid == tid && freed->agent == agent &&
		    freed->device == device)
			return true;
	}
	return find_held(device, agent, tid);
}

static void hold(struct responder_event *event)
{
	event->holds = true;
	event->in_hold = *bucket_of(event->tid);
	*bucket_of(event->tid) = event;
}

static void end_hold(struct responder_event *event)
{
	struct responder_event **place = bucket_of(event->tid);

	if (!event->holds)
		return;
	while (*place != event)
		place = &(*place)->in_hold;
	*place = event->in_hold;
	event->holds = false;
}

/* The kernel makes a response readable first, and then frees the transaction ID. */
static void free_late(const struct responder_event *event)
{
	responder.freed[responder.freed_count++ % RESPONDER_FREED] = (struct responder_freed){
		.device = event->arrival.device,
		.agent = event->agent,
		.tid = event->tid,
		.until_us = responder_now_us() + responder.freed_late_us,
	};
}

static void forget_agent(struct responder_agent *agent)
{
	struct responder_event *event;

	while ((event = agent->first)) {
		agent->first = event->next_back;
		responder.holds_back--;
		end_hold(event);
		kernel_arrival_drop(&event->arrival);
	}
	agent->outstanding = 0;
}

void responder_unregistered(int device, unsigned agent)
{
	for (unsigned i = 0; i < RESPONDER_BUCKETS; i++) {
		struct responder_event *event = responder.held[i], *next;

		for (; event; event = next) {
			next = event->in_hold;
			if (event->agent != (int)agent || event->arrival.device != device)
				continue;
			event->over = true;
			event->counts = false;
			end_hold(event);
			responder.in_flight[device]--;
		}
	}
	forget_agent(&responder.agents[device][agent % RESPONDER_AGENTS]);
}

unsigned responder_limit_of(unsigned mgmt_class)
{
	return responder.limits_agents ? umad_rules_limit((uint8_t)mgmt_class, UMAD_RULES_QUEUE)
				       : 0;
}

static struct responder_agent *agent_of(const struct responder_event *event)
{
	return &responder.agents[event->arrival.device][event->agent % RESPONDER_AGENTS];
}

static void hold_back(struct responder_agent *agent, struct responder_event *event)
{
	responder.held_back++;
	responder.holds_back++;
	if (agent->first)
		agent->last->next_back = event;
	else
		agent->first = event;
	agent->last = event;
}

/* The request leaves the host, at once or when the kernel lets it; the event follows. */
static void leave(struct responder_event *event, unsigned mgmt_class, int64_t after_us)
{
	struct responder_agent *agent = agent_of(event);
	unsigned limit = responder_limit_of(mgmt_class);

	event->counts = limit;
	event->after_us = after_us;
	if (limit && agent->outstanding >= limit) {
		hold_back(agent, event);
		return;
	}
	agent->outstanding += event->counts;
	kernel_arrival_send(&event->arrival);
}

/* A request has ended: the next that was held back leaves. */
static void leave_next(const struct responder_event *ended)
{
	struct responder_agent *agent = agent_of(ended);
	struct responder_event *event = agent->first;

	if (!event) {
		agent->outstanding -= agent->outstanding > 0;
		return;
	}
	agent->first = event->next_back;
	responder.holds_back--;
	event->arrival.due_ns = ended->arrival.due_ns + event->after_us * NS_PER_US;
	kernel_arrival_send(&event->arrival);
}

/* The device is closed, or a test begins. */
void responder_forget_agents(int device)
{
	for (int i = 0; i < RESPONDER_AGENTS; i++)
		forget_agent(&responder.agents[device][i]);
}

bool responder_arrived(struct kernel_arrival *arrival)
{
	struct responder_event *event = (struct responder_event *)arrival;

	if (event->holds && event->is_response && responder.freed_late_us)
		free_late(event);
	end_hold(event);
	if (event->counts)
		leave_next(event);
	return !event->over;
}

bool responder_taken(struct kernel_arrival *arrival)
{
	const struct responder_event *event = (struct responder_event *)arrival;

	if (event->ends) {
		responder.in_flight[arrival->device]--;
		if (event->record && event->record <= RESPONDER_RECORDS)
			responder.records[event->record - 1].read_us = responder_now_us();
	}
	return false;
}

static void fill_response(struct responder_event *event, const struct responder_request *request,
			  const struct responder_response *response)
{
	struct ib_user_mad_hdr *header = (void *)event->arrival.packet;
	uint8_t *mad = event->arrival.packet + RESPONDER_HEADER;

	memcpy(event->arrival.packet, request->packet,
	       request->size < event->arrival.size ? request->size : event->arrival.size);
	if (response->returned) {
		header->status = response->returned;
		if (response->length > UMAD_RULES_RETURNED)
			header->lid = htobe16(RESPONDER_LID);
		return;
	}
	header->status = 0;
	header->length = (uint32_t)event->arrival.size;
	mad[3] = mad[3] == 2 ? 0x81 : mad[3] | 0x80; /* the response to Set is GetResp */
	mad_put_be16(mad + 4, response->status | (mad[1] == 0x81 ? 0x8000 : 0));
	if (response->attr_id)
		mad_put_be16(mad + 16, response->attr_id);
	if (response->data)
		memcpy(mad + response->data_offset, response->data, response->data_size);
}

/* An event: the response to the request, or its return. */
static struct responder_event *respond(const struct responder_request *request,
				       const struct responder_response *response, int64_t due_us)
{
	size_t length = response->length     ? response->length
			: response->returned ? UMAD_RULES_RETURNED
					     : RESPONDER_MAD;
	struct responder_event *event = (struct responder_event *)kernel_arrival_new(
		request->device, RESPONDER_HEADER + length);

	event->arrival.due_ns = due_us * NS_PER_US;
	event->agent = (int)((const struct ib_user_mad_hdr *)request->packet)->id;
	event->tid = request->tid;
	event->mgmt_class = (uint8_t)request->mgmt_class;
	event->arrival.returned = response->returned;
	event->is_response = !response->returned;
	event->record = responder.taken;
	fill_response(event, request, response);
	return event;
}

/* How long the kernel waits for a response, and how much later it returns the request. */
static int64_t wait_us(const struct responder_request *request)
{
	return (int64_t)request->timeout_ms * 1000 * (1 + request->retries);
}

static int64_t late_us(const struct responder_request *request)
{
	return responder.late_us + (responder.limits_agents ? wait_us(request) / 8 : 0);
}

/* If the kernel returns the request before a response arrives, the response is lost. */
static bool is_lost(const struct responder_request *request,
		    const struct responder_response *response)
{
	if (response->silent)
		return true;
	return responder.gives_back && request->timeout_ms > 0 &&
	       response->delay_us >= wait_us(request) + late_us(request);
}

static void give_back(const struct responder_request *request, int64_t now)
{
	struct responder_response timed_out = { .returned = UMAD_RULES_TIMED_OUT };
	int64_t due_us = request->timeout_ms > 0 ? now + wait_us(request) + late_us(request)
						 : NEVER / NS_PER_US;
	struct responder_event *event = respond(request, &timed_out, due_us);

	event->ends = true;
	hold(event);
	leave(event, request->mgmt_class, due_us - now);
}

static void respond_to_request(const struct responder_request *request,
			       const struct responder_response *response, int64_t now)
{
	for (int i = 0; i < (response->copies ? response->copies : 1); i++) {
		struct responder_event *event =
			respond(request, response, now + response->delay_us);

		event->ends = !i;
		if (!i && responder.gives_back)
			hold(event);
		if (i)
			kernel_arrival_send(&event->arrival);
		else
			leave(event, request->mgmt_class, response->delay_us);
	}
}

static void record(const struct responder_request *request, int64_t now)
{
	unsigned in_flight = ++responder.in_flight[request->device];

	if (in_flight > responder.most_in_flight[request->device])
		responder.most_in_flight[request->device] = in_flight;
	if (responder.taken < RESPONDER_KEPT)
		memcpy(responder.kept[responder.taken], request->packet,
		       request->size < RESPONDER_PACKET ? request->size : RESPONDER_PACKET);
	if (responder.taken < RESPONDER_RECORDS)
		responder.records[responder.taken] = (struct responder_record){
			.written_us = now,
			.attr_mod = request->attr_mod,
			.tid = request->tid,
			.lid = (uint16_t)request->lid,
			.mgmt_class = (uint8_t)request->mgmt_class,
			.device = (uint8_t)request->device,
		};
	responder.taken++;
}

static struct responder_event *match(int device, const uint8_t *mad)
{
	struct responder_event *event =
		find_held(device, umad_rules_response(mad), mad_get_be32(mad + 12));

	return event && event->mgmt_class == mad[1] ? event : NULL;
}

void responder_take_arrival(int device, const uint8_t *mad, size_t length)
{
	struct responder_event *request, *response;
	struct ib_user_mad_hdr *header;

	kernel_advance();
	request = match(device, mad);
	if (!request)
		return;
	response = (struct responder_event *)kernel_arrival_new(device, RESPONDER_HEADER + length);
	memcpy(response->arrival.packet, request->arrival.packet, RESPONDER_HEADER);
	memcpy(response->arrival.packet + RESPONDER_HEADER, mad, length);
	header = (void *)response->arrival.packet;
	header->status = 0;
	header->length = (uint32_t)response->arrival.size;
	response->agent = request->agent;
	response->tid = request->tid;
	response->record = request->record;
	response->is_response = response->ends = true;
	response->counts = request->counts;
	request->counts = false;
	request->over = true;
	end_hold(request);
	hold(response);
	kernel_arrival_send(&response->arrival);
}

int responder_take_write(int device, const uint8_t *packet, size_t size)
{
	const struct ib_user_mad_hdr *header = (const void *)packet;
	struct responder_request request;
	struct responder_response response = { 0 };
	int64_t now = responder_now_us();

	int error = umad_rules_write(packet, size, RESPONDER_HEADER, kernel.devices[device].agents,
				     kernel.devices[device].gone);

	if (error)
		return kernel.devices[device].gone && error == EIO ? kernel.devices[device].gone
								   : error;
	responder.writes++;
	kernel_advance();
	responder_describe(&request, device, packet, size);
	if (is_held(device, (int)header->id, request.tid, now)) {
		responder.refused++;
		return EINVAL;
	}
	if (responder.plan && !responder.fails_send)
		responder.plan(&request, &response, responder.plan_context);
	if (response.write_error)
		return response.write_error;
	response.send_fails |= responder.fails_send;
	responder.fails_send = false;
	record(&request, now);
	if (!request.timeout_ms || response.send_fails) { /* no response is taken */
		responder.in_flight[device]--;
		return 0;
	}
	if (!is_lost(&request, &response))
		respond_to_request(&request, &response, now);
	else if (responder.gives_back)
		give_back(&request, now);
	return 0;
}
