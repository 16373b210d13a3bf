/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The fabric and the kernel of responder.h: what follows each write, and when. */
#include "responder-internal.h"

#include <endian.h>
#include <errno.h>
#include <rdma/ib_user_mad.h>
#include <string.h>

#define TIMED_OUT 110 /* the status with which the kernel returns a request */
#define NEVER	  (INT64_MAX / 4)
#define NS_PER_US 1000

struct responder responder;

int64_t responder_now_us(void)
{
	return kernel_now_ns() / NS_PER_US;
}

static uint32_t get_be32(const uint8_t *from)
{
	return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
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
		.attr_mod = get_be32(mad + 20),
		.tid = get_be32(mad + 12),
		.timeout_ms = (int)header->timeout_ms,
	};
}

static struct responder_event **bucket_of(uint32_t tid)
{
	return &responder.held[tid % RESPONDER_BUCKETS];
}

static bool is_held(int device, int agent, uint32_t tid)
{
	const struct responder_event *event = *bucket_of(tid);

	for (; event; event = event->in_hold)
		if (event->tid == tid && event->agent == agent && event->arrival.device == device)
			return true;
	return false;
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

void responder_arrived(struct kernel_arrival *arrival)
{
	end_hold((struct responder_event *)arrival);
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
	header->status = response->returned;
	header->length = (uint32_t)event->arrival.size;
	if (response->returned)
		return;
	mad[3] = mad[3] == 2 ? 0x81 : mad[3] | 0x80; /* the response to Set is GetResp */
	mad[4] = (uint8_t)(response->status >> 8 | (mad[1] == 0x81 ? 0x80 : 0));
	mad[5] = (uint8_t)response->status;
	if (response->attr_id) {
		mad[16] = (uint8_t)(response->attr_id >> 8);
		mad[17] = (uint8_t)response->attr_id;
	}
	if (response->data)
		memcpy(mad + response->data_offset, response->data, response->data_size);
}

/* An event: the response to the request, or its return. */
static struct responder_event *respond(const struct responder_request *request,
				       const struct responder_response *response, int64_t due_us)
{
	size_t length = response->length ? response->length : RESPONDER_MAD;
	struct responder_event *event = (struct responder_event *)kernel_arrival_new(
		request->device, RESPONDER_HEADER + length);

	event->arrival.due_ns = due_us * NS_PER_US;
	event->agent = (int)((const struct ib_user_mad_hdr *)request->packet)->id;
	event->tid = request->tid;
	event->record = responder.taken;
	fill_response(event, request, response);
	return event;
}

/* If the kernel returns the request before a response arrives, the response is lost. */
static bool is_lost(const struct responder_request *request,
		    const struct responder_response *response)
{
	if (response->silent)
		return true;
	return responder.gives_back && request->timeout_ms > 0 &&
	       response->delay_us >= (int64_t)request->timeout_ms * 1000 + responder.late_us;
}

static void give_back(const struct responder_request *request, int64_t now)
{
	struct responder_response timed_out = { .returned = TIMED_OUT };
	int64_t wait_us = (int64_t)request->timeout_ms * 1000 + responder.late_us;
	struct responder_event *event = respond(
		request, &timed_out, request->timeout_ms > 0 ? now + wait_us : NEVER / NS_PER_US);

	event->ends = true;
	hold(event);
	kernel_arrival_send(&event->arrival);
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
		kernel_arrival_send(&event->arrival);
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

int responder_take_write(int device, const uint8_t *packet, size_t size)
{
	const struct ib_user_mad_hdr *header = (const void *)packet;
	struct responder_request request;
	struct responder_response response = { 0 };
	int64_t now = responder_now_us();

	if (size < RESPONDER_HEADER + 24)
		return EINVAL;
	if (kernel.devices[device].gone)
		return kernel.devices[device].gone;
	responder.writes++;
	kernel_advance();
	responder_describe(&request, device, packet, size);
	if (is_held(device, (int)header->id, request.tid)) {
		responder.refused++;
		return EINVAL;
	}
	if (responder.plan)
		responder.plan(&request, &response, responder.plan_context);
	if (response.write_error)
		return response.write_error;
	record(&request, now);
	if (!is_lost(&request, &response))
		respond_to_request(&request, &response, now);
	else if (responder.gives_back)
		give_back(&request, now);
	return 0;
}
