/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A program of one thread, which waits for the descriptors of two asynchronous objects of one port,
 * and dispatches without waiting for those that are readable.
 */
#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "programs-async.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

enum { OBJECTS = 2, ROUNDS = 2000 };

struct loop {
	struct async_program *programs[OBJECTS];
	int descriptors[OBJECTS];
};

/* A dispatch without waiting reads everything that had arrived, and calls back. Beside other
 * threads this cannot be checked: they may be about to do so. */
static void check_all_taken(const struct async_program *program, int64_t began)
{
	const struct sim_file *file = sim_kernel_file(mad_rpc_portid(sim_shared.port));

	if (!sim_world.is_alone || sim_things_fail())
		return;
	began--; /* at the time of the call something may arrive during it */
	if (file && file->first && file->first->readable_at <= began)
		sim_broken("left-unread", "mad_async_dispatch(0) leaves MADs that had arrived");
	for (unsigned i = 0; i < program->count; i++) {
		const struct sim_request *request = program->requests[i];

		if (request->response.at <= began && !request->ended && request->submitted &&
		    !request->redirects_planned && !sim_request_is_disturbed(request))
			sim_broken("left-unread",
				   "mad_async_dispatch(0) does not call back request 0x%x",
				   request->token);
	}
}

static void dispatch(struct async_program *program)
{
	int64_t began = sim.now;

	sim_async_dispatch(program, 0);
	check_all_taken(program, began);
}

static void wait(const struct loop *loop, int timeout_ms)
{
	unsigned readable;

	for (int i = 0; i < OBJECTS; i++)
		sim_async_watch(loop->programs[i], 1);
	sim_log("waits for two descriptors");
	readable = sim_wait_for(loop->descriptors, OBJECTS, timeout_ms);
	for (int i = 0; i < OBJECTS; i++)
		sim_async_watch(loop->programs[i], -1);
	for (int i = 0; i < OBJECTS; i++)
		if (readable >> i & 1)
			dispatch(loop->programs[i]);
}

static void act(const struct loop *loop)
{
	struct async_program *program = loop->programs[sim_plan(OBJECTS)];
	uint32_t number = sim_plan(12);

	if (number < 3)
		sim_async_submit(program, 1 + sim_plan(program->most / 3));
	else if (number == 3)
		sim_async_cancel_one(program);
	else if (number == 4 && !sim_plan(3))
		sim_async_cancel_all(program);
	else if (number == 5)
		sim_sleep(sim_plan(150) * SIM_MS);
	else if (number == 6)
		sim_make_blocking_call();
	else if (number == 7)
		dispatch(program);
	for (uint32_t times = number > 7 ? 1 + sim_plan(10) : 0; times; times--)
		wait(loop, (int)sim_plan(60));
}

static void run(struct loop *loop)
{
	for (int i = 0; i < OBJECTS; i++)
		loop->descriptors[i] = mad_async_get_fd(loop->programs[i]->async);
	for (uint32_t acts = 5 + sim_plan(20); acts; acts--)
		act(loop);
	if (sim_plan(2))
		return;
	for (int i = 0; i < ROUNDS && (loop->programs[0]->waiting || loop->programs[1]->waiting);
	     i++)
		wait(loop, 100);
}

void *sim_loop_program(UNUSED void *unused)
{
	struct loop loop = { .programs = { NULL } };

	if (sim_shared.pair)
		return NULL;
	for (int i = 0; i < OBJECTS; i++)
		loop.programs[i] = sim_async_begin();
	if (loop.programs[0] && loop.programs[1])
		run(&loop);
	for (int i = 0; i < OBJECTS; i++)
		if (loop.programs[i])
			sim_async_destroy(loop.programs[i]);
	return NULL;
}
