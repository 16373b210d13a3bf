/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Calls that receive MADs which belong to no request, and that send without waiting.
 */
#include <errno.h>

#include "libibmad/engine/request.h"

/* The MAD that a call returns or reports, or NULL. */
static struct mad_buffer *find(const struct mad_receive_queue *queue, size_t size_max)
{
	struct mad_buffer *buffer;

	STAILQ_FOREACH(buffer, &queue->buffers, link)
	if (buffer->length <= size_max || !buffer->refused)
		break;
	return buffer;
}

static int take(struct mad_receive_queue *queue, struct mad_buffer *buffer, size_t size_max,
		mad_receive_accept *accept, void *context)
{
	int error;

	if (buffer->length > size_max) {
		buffer->refused = true;
		mad_receive_fd_show(queue);
		return -ENOSPC;
	}
	error = accept(buffer, context);
	if (error)
		return error;
	mad_receive_take_off(queue, buffer);
	return 0;
}

/* Without a buffer for the next MAD, it would have to be dropped: do not read it. */
static int reserve_spare(struct mad_receive_queue *queue)
{
	if (!queue->spare)
		queue->spare = mad_buffer_new(IB_MAD_SIZE);
	return queue->spare ? 0 : -ENOMEM;
}

int mad_engine_receive(struct mad_engine *engine, int timeout_ms, size_t size_max,
		       mad_receive_accept *accept, void *context, struct mad_buffer **received)
{
	struct mad_receive_queue *queue = &engine->received;
	struct mad_waiter waiter = { .list = &engine->receivers };
	int64_t until = mad_clock_after(mad_clock_now(), timeout_ms);
	struct mad_buffer *buffer;
	int error = 0;

	mad_engine_enter(engine, &waiter);
	mad_receive_fd_rearm(&queue->watch);
	buffer = find(queue, size_max);
	if (!buffer)
		error = reserve_spare(queue);
	while (!error && !buffer) {
		error = mad_engine_wait(engine, &waiter, until);
		buffer = error ? NULL : find(queue, size_max);
	}
	if (buffer)
		error = take(queue, buffer, size_max, accept, context);
	mad_engine_leave(engine, &waiter);
	*received = buffer;
	return error == -ETIMEDOUT && !timeout_ms ? -EAGAIN : error;
}

int mad_engine_send(struct mad_engine *engine, int agent, void *umad, int length, int timeout_ms)
{
	const uint8_t *mad = umad_get_mad(umad);
	int cancel_state = mad_engine_lock(engine), error;
	struct mad_place *place;

	error = mad_line_reserve(engine, mad, timeout_ms, &place);
	if (!error)
		error = mad_engine_write(engine, agent, umad, length, timeout_ms);
	if (error)
		mad_line_cancel(engine, place);
	else
		mad_line_confirm(engine, place, mad, timeout_ms);
	if (!error && timeout_ms)
		mad_receive_expect(&engine->received, umad);
	engine->statistics.errors += error != 0;
	engine->statistics.sent += !error;
	if (place) { /* a timer is set, or the place is free again */
		mad_engine_settle(engine);
		mad_engine_hand_over(engine);
	}
	mad_engine_unlock(engine, cancel_state);
	return error;
}
