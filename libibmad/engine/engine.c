/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The engine of an open port: its lifetime, sending, and receiving MADs that belong to no
 * transaction. Reading is in reading.c, waiting in waiting.c.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "libibmad/engine/engine.h"
#include "libibmad/engine/inflight.h"
#include "libibmad/engine/port.h"

/* In the child of a fork. */
static void settle_child(void)
{
	struct mad_fork_member *member = NULL;

	while ((member = mad_fork_next(MAD_FORK_ENGINE, member))) {
		struct mad_engine *engine =
			(void *)((char *)member - offsetof(struct mad_engine, fork_member));
		int cancel_state = mad_engine_lock(engine);

		mad_engine_forget_threads(engine);
		mad_inflight_forget_threads(engine);
		mad_engine_unlock(engine, cancel_state);
	}
}

/* From now on fork() handles this engine. */
static int prepare_forks(struct mad_engine *engine)
{
	static atomic_bool is_registered;
	int error;

	engine->fork_member.rank = MAD_FORK_ENGINE;
	engine->fork_member.lock = &engine->lock;
	error = mad_fork_add(&engine->fork_member);
	if (error)
		return error;
	error = mad_fork_in_child(&is_registered, settle_child);
	if (error)
		mad_fork_remove(&engine->fork_member);
	return error;
}

int mad_engine_init(struct mad_engine *engine, int fd)
{
	int error;

	memset(engine, 0, sizeof(*engine));
	engine->fd = fd;
	engine->header_size = umad_size();
	error = mad_buffers_init(&engine->buffers);
	if (error)
		return error;
	error = -pthread_mutex_init(&engine->lock, NULL);
	if (error)
		goto err_buffers;
	TAILQ_INIT(&engine->waiters);
	mad_engine_init_group(&engine->receivers);
	TAILQ_INIT(&engine->unwaited);
	mad_hash_init(&engine->in_flight);
	mad_inbox_init(&engine->inbox);
	mad_wakeup_init(&engine->wakeup);
	mad_agents_init(engine);
	error = prepare_forks(engine);
	if (!error)
		return 0;
	pthread_mutex_destroy(&engine->lock);
err_buffers:
	mad_buffers_free(&engine->buffers);
	return error;
}

void mad_engine_destroy(struct mad_engine *engine)
{
	mad_fork_remove(&engine->fork_member);
	mad_inflight_forget_unwaited(engine);
	mad_hash_free(&engine->in_flight);
	mad_inbox_free(&engine->inbox);
	mad_buffers_free(&engine->buffers);
	mad_wakeup_close(&engine->wakeup);
	mad_engine_free_conditions(engine);
	pthread_mutex_destroy(&engine->lock);
}

int mad_engine_send(struct mad_engine *engine, int agent, void *umad, int length, int timeout_ms)
{
	int cancel_state = mad_engine_lock(engine);
	int error = timeout_ms ? mad_inflight_add_unwaited(engine, umad) : 0;

	if (error) {
		mad_engine_unlock(engine, cancel_state);
		return error;
	}
	mad_engine_release(engine);
	error = mad_engine_write(engine, agent, umad, length, timeout_ms);
	pthread_mutex_lock(&engine->lock);
	if (error && timeout_ms)
		mad_inflight_drop_unwaited(engine, umad);
	if (error)
		engine->statistics.errors++;
	else
		engine->statistics.sent++;
	mad_engine_unlock(engine, cancel_state);
	return error;
}

/* Without a buffer for the next read, a MAD just read would have to be dropped: do not read it. */
static int reserve_spare(struct mad_engine *engine, size_t size_max)
{
	if (mad_inbox_has(&engine->inbox, size_max))
		return 0;
	if (!engine->buffers.spare)
		engine->buffers.spare = mad_buffer_new(IB_MAD_SIZE);
	return engine->buffers.spare ? 0 : -ENOMEM;
}

int mad_engine_receive(struct mad_engine *engine, int timeout_ms, size_t size_max,
		       mad_inbox_accept *accept, void *context, struct mad_buffer **received)
{
	struct mad_waiter waiter = { .group = &engine->receivers };
	int64_t until = mad_clock_after(mad_clock_now(), timeout_ms);
	int error;

	mad_engine_enter(engine, &waiter);
	engine->receivers.awake++;
	error = reserve_spare(engine, size_max);
	while (!error && !mad_inbox_has(&engine->inbox, size_max))
		error = mad_engine_wait(engine, &waiter, until);
	if (!error)
		error = mad_inbox_take(&engine->inbox, size_max, accept, context, received);
	engine->receivers.awake--;
	mad_engine_leave(engine, &waiter);
	return error == -ETIMEDOUT && !timeout_ms ? -EAGAIN : error;
}

void mad_engine_recycle(struct mad_engine *engine, struct mad_buffer *buffer)
{
	int cancel_state = mad_engine_lock(engine);

	mad_buffers_give_back(&engine->buffers, buffer);
	mad_engine_unlock(engine, cancel_state);
}

int mad_rpc_get_statistics(const struct ibmad_port *srcport, struct mad_rpc_statistics *statistics,
			   size_t size)
{
	struct mad_engine *engine;
	int cancel_state;

	if (!srcport || !statistics) {
		errno = EINVAL;
		return -1;
	}
	engine = mad_port_engine(srcport);
	memset(statistics, 0, size);
	cancel_state = mad_engine_lock(engine);
	memcpy(statistics, &engine->statistics,
	       size < sizeof(*statistics) ? size : sizeof(*statistics));
	mad_engine_unlock(engine, cancel_state);
	return 0;
}
