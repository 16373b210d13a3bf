/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Opens and closes the engine of a port, and settles it in the child of a fork, which shares the
 * descriptor with its parent, but has only the thread that forked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/sized.h"
#include "libibmad/engine/async.h"
#include "libibmad/engine/port.h"
#include "libibmad/engine/request.h"

static bool note_call(struct mad_hash_node *node, void *context)
{
	struct mad_request *request = (struct mad_request *)node;

	if (request->waiter)
		mad_engine_change(context, request);
	return true;
}

static struct mad_request *find_call(const struct mad_engine *engine)
{
	struct mad_request *request;

	TAILQ_FOREACH(request, &engine->changed, link_changed)
	if (request->waiter)
		break;
	return request;
}

/* Takes away the requests of blocking calls, which the child has not: their memory is on stacks
 * that nothing uses. */
static void end_calls(struct mad_engine *engine)
{
	struct mad_request *request;

	mad_hash_filter(&engine->in_flight, note_call, engine);
	while ((request = find_call(engine)))
		mad_rule_end(request);
}

static void settle_engine(struct mad_engine *engine)
{
	bool has_event = engine->wakeup.event_fd >= 0;
	struct mad_async *async;

	engine->holder = engine->poller = NULL;
	TAILQ_INIT(&engine->callers);
	TAILQ_INIT(&engine->receivers);
	engine->sleeping = 0;
	mad_wake_free_all(engine, true);
	mad_wakeup_close(&engine->wakeup);
	if (has_event)
		mad_wakeup_open_event(&engine->wakeup);
	mad_receive_reopen_fd(engine);
	LIST_FOREACH(async, &engine->asyncs, link)
	{
		TAILQ_INIT(&async->dispatchers);
		mad_async_end_callbacks(async);
		mad_async_end_all(async, -ECANCELED);
		mad_async_reopen_fd(async);
	}
	end_calls(engine);
	mad_engine_carry_out(engine);
}

static void settle_child(void)
{
	struct mad_fork_member *member = NULL;

	while ((member = mad_fork_next(MAD_FORK_ENGINE, member))) {
		struct mad_engine *engine =
			(void *)((char *)member - offsetof(struct mad_engine, fork_member));

		mad_engine_lock(engine);
		settle_engine(engine);
		mad_engine_unlock(engine);
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
	TAILQ_INIT(&engine->callers);
	TAILQ_INIT(&engine->receivers);
	TAILQ_INIT(&engine->changed);
	mad_hash_init(&engine->in_flight);
	mad_hash_init(&engine->held);
	mad_receive_init(&engine->received);
	mad_engine_read_into(engine, NULL);
	error = -pthread_mutex_init(&engine->lock, NULL);
	if (error)
		return error;
	error = mad_wakeup_open(&engine->wakeup, fd);
	if (!error)
		error = mad_line_init(engine);
	if (!error)
		error = prepare_forks(engine);
	if (error) {
		mad_line_free(engine);
		mad_wakeup_close(&engine->wakeup);
		pthread_mutex_destroy(&engine->lock);
	}
	return error;
}

void mad_engine_destroy(struct mad_engine *engine)
{
	mad_fork_remove(&engine->fork_member);
	mad_wakeup_close(&engine->wakeup);
	mad_line_free(engine);
	mad_hash_free(&engine->in_flight);
	mad_receive_free(&engine->received);
	mad_wake_free_all(engine, false);
	pthread_mutex_destroy(&engine->lock);
	mad_engine_read_into(engine, NULL);
	/* MADs may hold keys */
	explicit_bzero(engine->incoming.usual, sizeof(engine->incoming.usual));
}

int mad_rpc_get_statistics_sized(const struct ibmad_port *srcport,
				 struct mad_rpc_statistics *statistics, size_t size)
{
	struct mad_rpc_statistics now;
	struct mad_engine *engine;

	if (!srcport)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_PORT));
	engine = mad_port_engine(srcport);
	mad_engine_lock(engine);
	now = engine->statistics;
	mad_engine_unlock(engine);
	return mad_zero_or_error(SIZED_GIVE(statistics, size, errors, &now));
}
