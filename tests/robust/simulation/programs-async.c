/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Programs with asynchronous requests: an owner, who creates and destroys, and helpers, who submit,
 * cancel and dispatch on the same struct mad_async.
 */
#include <errno.h>

#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "programs-async.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

enum {
	HELPERS_MAX = 2,
	THREADS_WITH_HELPERS = 12, /* with more, no helper starts: other threads need places, too */
};

void sim_async_watch(struct async_program *program, int more)
{
	program->watchers += more;
	sim_async_update_gaps(program);
}

/* The thread no longer waits for the descriptor, or is cancelled there. */
static void end_watch(void *program)
{
	sim_async_watch(program, -1);
}

/* Late: it lasts longer than it was to wait, or than there were requests. */
static void check_duration(const struct async_program *program, int called, int timeout_ms,
			   int64_t began, int64_t callbacks)
{
	int64_t lasted = sim.now - began - (program->in_callbacks - callbacks);
	int64_t idle = program->idle_since > began ? program->idle_since : began;

	if (sim_memory_has_failed())
		return;
	if (timeout_ms >= 0 && lasted > timeout_ms * SIM_MS + sim_excused_since(began))
		sim_broken("dispatch-late", "mad_async_dispatch(%d) lasts %.3f ms", timeout_ms,
			   (double)lasted / SIM_MS);
	if (!called && program->idle_since != SIM_NEVER && sim.now - idle > sim_excused_since(idle))
		sim_broken("dispatch-late",
			   "mad_async_dispatch(%d) ends %.3f ms after the last request", timeout_ms,
			   (double)(sim.now - program->idle_since) / SIM_MS);
}

void sim_async_dispatch(struct async_program *program, int timeout_ms)
{
	int64_t began = sim.now, in_callbacks = program->in_callbacks;
	unsigned max = sim_world.shares_queue ? sim_plan(3) : 0;
	struct sim_cleanup cleanup;
	int called;

	sim_log("dispatches for %d ms, %u callbacks", timeout_ms, max);
	program->dispatchers++;
	sim_async_update_gaps(program);
	errno = 0;
	sim_cleanup_push(&cleanup, sim_async_end_dispatch, program);
	called = mad_async_dispatch(program->async, max, timeout_ms);
	sim_cleanup_pop(&cleanup);
	sim_async_end_dispatch(program);
	sim_log("has dispatched %d", called);
	if (max && called > (int)max)
		sim_broken("dispatch", "mad_async_dispatch() runs %d callbacks, at most %u", called,
			   max);
	if (called < 0 && errno == ENOMEM)
		sim_memory_note_error("mad_async_dispatch()");
	if (called < 0 && !sim_things_fail())
		sim_broken("dispatch", "mad_async_dispatch() fails with %d", errno);
	check_duration(program, called, timeout_ms, began, in_callbacks);
	if (timeout_ms < 0 && !called && program->waiting && !program->has_helper)
		sim_broken("dispatch", "mad_async_dispatch(-1) returns 0 with %u requests left",
			   program->waiting);
}

/* A poll loop for a while. */
static void use_descriptor(struct async_program *program)
{
	int64_t until = sim.now + sim_plan(100) * SIM_MS;
	struct sim_cleanup cleanup;
	int fd;

	sim_log("asks for a descriptor");
	fd = mad_async_get_fd(program->async);
	if (fd < 0 && !sim_memory_has_failed())
		sim_broken("dispatch", "mad_async_get_fd() fails with %d", errno);
	if (fd < 0)
		return;
	while (program->waiting && sim.now < until) {
		sim_async_watch(program, 1);
		sim_cleanup_push(&cleanup, end_watch, program);
		sim_wait_for(&fd, 1, (int)((until - sim.now + SIM_MS - 1) / SIM_MS));
		sim_cleanup_pop(&cleanup);
		end_watch(program);
		sim_async_dispatch(program, 0);
	}
}

static void check_pending(struct async_program *program)
{
	unsigned pending;

	if (program->has_helper)
		return;
	pending = mad_async_pending(program->async);
	if (pending != program->waiting)
		sim_broken("pending", "mad_async_pending() is %u, and %u requests wait", pending,
			   program->waiting);
}

static void act(struct async_program *program)
{
	bool helpers_go_on = sim_world.cancels_dispatchers || sim_world.shares_queue;
	uint32_t number = sim_plan(12);

	if (sim_world.shares_queue && number > 7 && sim_plan(2))
		number = 7;
	if (number < 4)
		sim_async_submit(program, 1 + sim_plan(program->most / 8));
	else if (number < 6)
		sim_async_dispatch(program, (int)sim_plan(60));
	else if (number == 6)
		sim_async_dispatch(program, 0);
	else if (number == 7) /* -1 where there is something to wait for */
		sim_async_dispatch(program,
				   program->waiting && (!program->has_helper || helpers_go_on) ? -1
											       : 5);
	else if (number == 8)
		sim_sleep(sim_plan(150) * SIM_MS);
	else if (number == 9)
		sim_async_cancel_one(program);
	else if (number == 10 && !sim_plan(3))
		sim_async_cancel_all(program);
	else if (number == 11 && !sim_plan(2))
		use_descriptor(program);
	else if (number == 11)
		check_pending(program);
}

static void *help(void *argument)
{
	struct async_program *program = argument;

	for (uint32_t acts = 2 + sim_plan(8); acts; acts--)
		act(program);
	return NULL;
}

/* Returns how many. */
static unsigned start_helpers(struct async_program *program, int *helpers)
{
	unsigned count = 0, wanted = 1;

	program->has_helper =
		sim_world.cancels_dispatchers || sim_world.shares_queue || !sim_plan(3);
	if (sim_world.cancels_dispatchers || sim_world.shares_queue)
		wanted = sim.thread_count > THREADS_WITH_HELPERS ? 0 : 1 + sim_plan(HELPERS_MAX);
	while (program->has_helper && count < wanted)
		helpers[count++] = sim_start_thread("helper", help, program);
	return count;
}

static void join_helpers(struct async_program *program, const int *helpers, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		sim_join_thread(helpers[i]);
	program->has_helper = false;
	if (!sim_world.cancels_dispatchers)
		return;
	/* no thread but this one uses the object now, and all that it counts has to be right */
	check_pending(program);
	for (uint32_t acts = sim_plan(6); acts; acts--)
		act(program);
}

static struct mad_async *create(struct async_program *program)
{
	static const unsigned windows[] = { 0, 1, 2, 8, 64 };
	struct mad_async_options options = {
		.window = windows[sim_plan(5)],
		.max_queued = sim_plan(5) ? 0 : 1 + sim_plan(6),
		.attempts = (int)sim_plan(4),
	};

	program->window = options.window ? options.window : MAD_ASYNC_DEFAULT_WINDOW;
	program->max_queued = options.max_queued;
	program->retries = options.attempts;
	sim_log("creates a struct mad_async: window %u, at most %u, %d tries", options.window,
		options.max_queued, options.attempts);
	return mad_async_create(sim_shared.port, &options);
}

void sim_async_destroy(struct async_program *program)
{
	int64_t began = sim.now, in_callbacks = program->in_callbacks;
	struct sim_cleanup cleanup;
	int64_t lasted;

	sim_log("destroys with %u requests left", program->waiting);
	for (unsigned i = 0; i < program->count; i++)
		program->requests[i]->cancels += !program->requests[i]->ended;
	program->closing = true;
	program->dispatchers++;
	sim_async_update_gaps(program);
	sim_cleanup_push(&cleanup, sim_async_end_dispatch, program);
	mad_async_free(program->async);
	sim_cleanup_pop(&cleanup);
	program->destroyed = true;
	lasted = sim.now - began - (program->in_callbacks - in_callbacks);
	if (lasted > sim_excused_since(began))
		sim_broken("destroy-late", "mad_async_free() lasts %.3f ms",
			   (double)lasted / SIM_MS);
}

static void *destroy_as_helper(void *argument)
{
	sim_async_destroy(argument);
	return NULL;
}

/* A helper that destroys the object may be cancelled in a callback; this thread does the rest. */
static void have_destroyed(struct async_program *program)
{
	int helper = -1;

	if (sim_world.cancels_dispatchers && sim_plan(2))
		helper = sim_start_thread("helper", destroy_as_helper, program);
	sim_join_thread(helper);
	if (!program->destroyed)
		sim_async_destroy(program);
}

struct async_program *sim_async_begin(void)
{
	struct async_program *program = sim_world_alloc(sizeof(*program));

	program->most = sim_plan(20) ? USUAL_REQUESTS : OWN_REQUESTS; /* few have many short ones */
	if (sim_world.has_silent_lids)
		program->most = OWN_REQUESTS;
	program->restless = sim_plan(2) || sim_world.shares_queue ? sim_plan(60) : 0;
	program->gaps.work.since = program->gaps.delivery.since = sim.now;
	program->async = create(program);
	if (!program->async) {
		if (errno == ENOMEM)
			sim_memory_note_error("mad_async_create()");
		if (!sim_things_fail())
			sim_broken("submission", "mad_async_create() fails with %d", errno);
		return NULL;
	}
	sim_async_update_gaps(program);
	return program;
}

void *sim_async_program(UNUSED void *unused)
{
	struct async_program *program;
	int helpers[HELPERS_MAX];
	unsigned helper_count;

	if (sim_shared.pair) /* the ports of a pair have different classes */
		return NULL;
	program = sim_async_begin();
	if (!program)
		return NULL;
	helper_count = start_helpers(program, helpers);
	for (uint32_t acts = 3 + sim_plan(14); acts; acts--)
		act(program);
	join_helpers(program, helpers, helper_count);
	while (program->waiting && (sim_world.has_silent_lids || sim_plan(4)))
		sim_async_dispatch(program, sim_plan(3) ? -1 : (int)sim_plan(300));
	have_destroyed(program);
	return NULL;
}
