/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Calls that receive MADs which belong to no request, and that send without waiting.
 */
#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "libibmad/engine/request.h"

/* A timer stands for a port that cannot be polled along with other descriptors. */
static int open_fd(struct mad_engine *engine)
{
	static const struct itimerspec slices = {
		.it_interval.tv_nsec = MAD_WAKEUP_SLICE_MS * MAD_NS_PER_MS,
		.it_value.tv_nsec = MAD_WAKEUP_SLICE_MS * MAD_NS_PER_MS,
	};
	struct mad_watch *watch = &engine->received.watch;
	bool is_pollable = mad_engine_is_pollable(engine);
	int error = mad_watch_open(watch, is_pollable ? engine->fd : -1, !is_pollable);

	if (!error && watch->timer_fd >= 0)
		timerfd_settime(watch->timer_fd, 0, &slices, NULL);
	if (!error)
		mad_receive_show(&engine->received);
	return error;
}

void mad_receive_reopen_fd(struct mad_engine *engine)
{
	if (engine->received.watch.epoll_fd >= 0)
		open_fd(engine);
}

int mad_receive_get_fd(struct ibmad_port *port)
{
	struct mad_engine *engine = port ? &port->engine : NULL;
	int error = 0, fd;

	if (!port)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_PORT));
	mad_engine_lock(engine);
	if (engine->received.watch.epoll_fd < 0)
		error = open_fd(engine);
	if (error)
		mad_watch_close(&engine->received.watch);
	fd = engine->received.watch.epoll_fd;
	mad_engine_unlock(engine);
	return error ? mad_zero_or_error(error) : fd;
}

/* A call looks for what has arrived. */
static void rearm(struct mad_watch *watch)
{
	uint64_t ignored;
	int saved_errno = errno;

	if (watch->timer_fd >= 0 && read(watch->timer_fd, &ignored, sizeof(ignored)) < 0)
		errno = saved_errno; /* the timer has not ended since */
}

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
		mad_receive_show(queue);
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
	rearm(&queue->watch);
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
	struct mad_receive_queue *queue = &engine->received;
	const uint8_t *mad = umad_get_mad(umad);
	struct mad_place *place;
	int error;

	mad_engine_lock(engine);
	error = mad_line_reserve(engine, mad, timeout_ms, &place);
	if (!error)
		error = mad_engine_write(engine, agent, umad, length, timeout_ms);
	if (place && error)
		mad_line_free_place(engine, place);
	else if (place)
		mad_line_sent(engine, place, mad, timeout_ms, mad_clock_now());
	if (!error && timeout_ms) /* replaces the oldest */
		queue->expected[queue->sends++ % MAD_RECEIVE_EXPECTED] = mad_request_key(mad);
	engine->statistics.errors += error != 0;
	engine->statistics.sent += !error;
	if (place) { /* a timer is set, or the place is free again */
		mad_engine_settle(engine);
		mad_engine_hand_over(engine);
	}
	mad_engine_unlock(engine);
	return error;
}
