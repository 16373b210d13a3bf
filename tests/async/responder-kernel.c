/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The fabric and the kernel of responder.h: what comes of each write, and when. */
#include "responder-internal.h"

#include <endian.h>
#include <errno.h>
#include <rdma/ib_user_mad.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TIMED_OUT 110 /* the status with which the kernel gives a request back */
#define NEVER	  (INT64_MAX / 2)

struct responder responder = { .lock = PTHREAD_MUTEX_INITIALIZER };

int64_t responder_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
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

static bool is_sooner(const struct responder_event *one, const struct responder_event *other)
{
	if (one->due_us != other->due_us)
		return one->due_us < other->due_us;
	return one->sequence < other->sequence;
}

static void push(struct responder_event *event)
{
	unsigned place;

	if (responder.heap_count + 1 >= responder.heap_room) {
		responder.heap_room = responder.heap_room ? responder.heap_room * 2 : 1024;
		responder.heap =
			realloc(responder.heap, responder.heap_room * sizeof(responder.heap[0]));
		if (!responder.heap)
			abort();
	}
	place = ++responder.heap_count;
	for (; place > 1 && is_sooner(event, responder.heap[place / 2]); place /= 2)
		responder.heap[place] = responder.heap[place / 2];
	responder.heap[place] = event;
}

static struct responder_event *pop(void)
{
	struct responder_event *first = responder.heap[1];
	struct responder_event *last = responder.heap[responder.heap_count--];
	unsigned place = 1, child;

	while ((child = place * 2) <= responder.heap_count) {
		if (child < responder.heap_count &&
		    is_sooner(responder.heap[child + 1], responder.heap[child]))
			child++;
		if (!is_sooner(responder.heap[child], last))
			break;
		responder.heap[place] = responder.heap[child];
		place = child;
	}
	responder.heap[place] = last;
	return first;
}

static struct responder_event *new_event(size_t size)
{
	struct responder_event *event = responder.spare;

	if (event)
		responder.spare = event->next;
	else
		event = malloc(sizeof(*event));
	if (!event)
		abort();
	memset(event, 0, offsetof(struct responder_event, own));
	event->size = size;
	event->packet = size > sizeof(event->own) ? malloc(size) : event->own;
	if (!event->packet)
		abort();
	memset(event->packet, 0, size);
	event->sequence = responder.sequence++;
	return event;
}

void responder_drop_event(struct responder_event *event)
{
	if (event->packet != event->own)
		free(event->packet);
	event->next = responder.spare;
	responder.spare = event;
}

static struct responder_event **bucket_of(uint32_t tid)
{
	return &responder.held[tid % RESPONDER_BUCKETS];
}

static bool is_held(int device, int agent, uint32_t tid)
{
	const struct responder_event *event = *bucket_of(tid);

	for (; event; event = event->in_hold)
		if (event->tid == tid && event->agent == agent && event->device == device)
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

static void make_readable(struct responder_event *event)
{
	struct responder_device *device = &responder.devices[event->device];

	end_hold(event);
	event->next = NULL;
	if (device->last)
		device->last->next = event;
	else
		device->first = event;
	device->last = event;
}

/* Makes everything that is due readable. */
void responder_advance(void)
{
	int64_t now = responder_now_us();
	bool moved = false;

	while (responder.heap_count && responder.heap[1]->due_us <= now) {
		make_readable(pop());
		moved = true;
	}
	if (moved)
		responder_notify();
}

/* Those who wait have to look again where the new event is the first. */
static void send_on_its_way(struct responder_event *event)
{
	push(event);
	if (responder.heap[1] == event)
		responder_notify();
}

static void fill_answer(struct responder_event *event, const struct responder_request *request,
			const struct responder_answer *answer)
{
	struct ib_user_mad_hdr *header = (void *)event->packet;
	uint8_t *mad = event->packet + RESPONDER_HEADER;

	memcpy(event->packet, request->packet,
	       request->size < event->size ? request->size : event->size);
	header->status = answer->returned;
	header->length = (uint32_t)event->size;
	if (answer->returned)
		return;
	mad[3] = mad[3] == 2 ? 0x81 : mad[3] | 0x80; /* the response to Set is GetResp */
	mad[4] = (uint8_t)(answer->status >> 8 | (mad[1] == 0x81 ? 0x80 : 0));
	mad[5] = (uint8_t)answer->status;
	if (answer->attr_id) {
		mad[16] = (uint8_t)(answer->attr_id >> 8);
		mad[17] = (uint8_t)answer->attr_id;
	}
	if (answer->data)
		memcpy(mad + answer->data_offset, answer->data, answer->data_size);
}

/* An event: the response to the request, or its return. */
static struct responder_event *respond(const struct responder_request *request,
				       const struct responder_answer *answer, int64_t due_us)
{
	size_t length = answer->length ? answer->length : RESPONDER_MAD;
	struct responder_event *event = new_event(RESPONDER_HEADER + length);

	event->due_us = due_us;
	event->device = request->device;
	event->agent = (int)((const struct ib_user_mad_hdr *)request->packet)->id;
	event->tid = request->tid;
	event->record = responder.taken;
	fill_answer(event, request, answer);
	return event;
}

/* If the kernel's timeout passes before a response arrives, the response is lost. */
static bool is_lost(const struct responder_request *request, const struct responder_answer *answer)
{
	if (answer->silent)
		return true;
	return responder.gives_back && request->timeout_ms > 0 &&
	       answer->delay_us >= (int64_t)request->timeout_ms * 1000;
}

static void give_back(const struct responder_request *request, int64_t now)
{
	struct responder_answer timed_out = { .returned = TIMED_OUT };
	int64_t wait_us = (int64_t)request->timeout_ms * 1000 + responder.late_us;
	struct responder_event *event =
		respond(request, &timed_out, request->timeout_ms > 0 ? now + wait_us : NEVER);

	event->ends = true;
	hold(event);
	send_on_its_way(event);
}

static void answer_request(const struct responder_request *request,
			   const struct responder_answer *answer, int64_t now)
{
	for (int i = 0; i < (answer->copies ? answer->copies : 1); i++) {
		struct responder_event *event = respond(request, answer, now + answer->delay_us);

		event->ends = !i;
		if (!i && responder.gives_back)
			hold(event);
		send_on_its_way(event);
	}
}

static void record(const struct responder_request *request, int64_t now)
{
	struct responder_device *device = &responder.devices[request->device];

	if (++device->in_flight > device->most_in_flight)
		device->most_in_flight = device->in_flight;
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
	struct responder_answer answer = { 0 };
	int64_t now = responder_now_us();

	if (size < RESPONDER_HEADER + 24)
		return EINVAL;
	if (responder.devices[device].gone)
		return responder.devices[device].gone;
	responder.writes++;
	responder_advance();
	responder_describe(&request, device, packet, size);
	if (is_held(device, (int)header->id, request.tid)) {
		responder.refused++;
		return EINVAL;
	}
	if (responder.plan)
		responder.plan(&request, &answer, responder.plan_context);
	if (answer.write_error)
		return answer.write_error;
	record(&request, now);
	if (!is_lost(&request, &answer))
		answer_request(&request, &answer, now);
	else if (responder.gives_back)
		give_back(&request, now);
	return 0;
}

void responder_clear_device(int device)
{
	struct responder_event *event;
	unsigned kept = 0, count = responder.heap_count;

	while ((event = responder.devices[device].first)) {
		responder.devices[device].first = event->next;
		responder_drop_event(event);
	}
	responder.devices[device].last = NULL;
	for (unsigned i = 1; i <= count; i++) {
		event = responder.heap[i];
		if (event->device == device) {
			end_hold(event);
			responder_drop_event(event);
		} else {
			responder.heap[++kept] = event;
		}
	}
	responder.heap_count = 0;
	for (unsigned i = 1; i <= kept; i++)
		push(responder.heap[i]);
}

void responder_deliver(int device, const void *packet, size_t size)
{
	struct responder_event *event;

	pthread_mutex_lock(&responder.lock);
	event = new_event(size);
	memcpy(event->packet, packet, size);
	event->device = device;
	event->due_us = responder_now_us();
	send_on_its_way(event);
	pthread_mutex_unlock(&responder.lock);
}
