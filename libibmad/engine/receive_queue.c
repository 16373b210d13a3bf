/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The receive queue: see receive.h.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad/engine/request.h"

/* Of a umad packet with the longest header: the first port that is opened decides how long
 * umad_size() says that it is. */
static size_t packet_size(size_t length)
{
	return sizeof(struct ib_user_mad) + length;
}

struct mad_buffer *mad_buffer_new(size_t length)
{
	struct mad_buffer *buffer =
		length <= INT_MAX ? calloc(1, sizeof(*buffer) + packet_size(length)) : NULL;

	if (buffer)
		buffer->length = length;
	return buffer;
}

void mad_buffer_free(struct mad_buffer *buffer)
{
	if (buffer)
		explicit_bzero(buffer->umad, packet_size(buffer->length));
	free(buffer);
}

void mad_receive_init(struct mad_receive_queue *queue)
{
	STAILQ_INIT(&queue->buffers);
	mad_watch_init(&queue->watch);
}

void mad_receive_show(struct mad_receive_queue *queue)
{
	struct mad_buffer *buffer;

	if (queue->watch.epoll_fd < 0)
		return;
	STAILQ_FOREACH(buffer, &queue->buffers, link)
	if (!buffer->refused)
		break;
	if (buffer)
		mad_wakeup_signal(&queue->watch.event);
	else
		mad_wakeup_clear(&queue->watch.event);
}

void mad_receive_take_off(struct mad_receive_queue *queue, struct mad_buffer *buffer)
{
	STAILQ_REMOVE(&queue->buffers, buffer, mad_buffer, link);
	queue->count--;
	queue->bytes -= buffer->length;
	mad_receive_show(queue);
}

void mad_receive_free(struct mad_receive_queue *queue)
{
	struct mad_buffer *buffer;

	while ((buffer = STAILQ_FIRST(&queue->buffers))) {
		mad_receive_take_off(queue, buffer);
		mad_buffer_free(buffer);
	}
	mad_buffer_free(queue->spare);
	mad_watch_close(&queue->watch);
}

static bool has_space(const struct mad_receive_queue *queue, size_t bytes)
{
	return !queue->count ||
	       (queue->count < MAD_RECEIVE_MAX && queue->bytes + bytes <= MAD_RECEIVE_BYTES_MAX);
}

/* If necessary, drops MADs that were refused for their length. */
static bool make_space(struct mad_receive_queue *queue, size_t bytes)
{
	struct mad_buffer *buffer;

	while (!has_space(queue, bytes)) {
		STAILQ_FOREACH(buffer, &queue->buffers, link)
		if (buffer->refused)
			break;
		if (!buffer)
			return false;
		mad_receive_take_off(queue, buffer);
		mad_buffer_free(buffer);
	}
	return true;
}

/* The MAD just read, in a buffer of its own; or NULL. */
static struct mad_buffer *copy_incoming(struct mad_engine *engine)
{
	struct mad_buffer *buffer = engine->incoming.large;

	engine->incoming.large = NULL;
	if (buffer)
		return buffer;
	buffer = engine->received.spare ? engine->received.spare : mad_buffer_new(IB_MAD_SIZE);
	engine->received.spare = NULL;
	if (buffer)
		memcpy(buffer->umad, engine->incoming.usual,
		       engine->header_size + engine->incoming.length);
	return buffer;
}

/* All threads in mad_engine_receive() look for it: only they know for which MADs they have
 * space. */
void mad_receive_keep(struct mad_engine *engine)
{
	struct mad_receive_queue *queue = &engine->received;
	struct mad_buffer *buffer = NULL;

	if (make_space(queue, engine->incoming.length))
		buffer = copy_incoming(engine);
	if (!buffer) {
		engine->statistics.unmatched++;
		return;
	}
	buffer->length = engine->incoming.length;
	buffer->refused = false;
	STAILQ_INSERT_TAIL(&queue->buffers, buffer, link);
	queue->count++;
	queue->bytes += buffer->length;
	mad_receive_show(queue);
	mad_engine_wake_list(&engine->receivers, 0);
}

bool mad_receive_expects(struct mad_engine *engine, uint64_t key)
{
	uint64_t *expected = engine->received.expected;

	for (unsigned i = 0; i < MAD_RECEIVE_EXPECTED; i++) {
		if (expected[i] == key) {
			expected[i] = 0;
			return true;
		}
	}
	return false;
}
