/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Asynchronous requests of a program: submitted, cancelled, called back. */
#include "../../lib/async-request.h"
#include <errno.h>
#include <string.h>

#include "fabric.h"
#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "programs-async.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

struct context {
	struct async_program *program;
	struct sim_request *request;
};

void sim_async_update_gaps(struct async_program *program)
{
	bool watches = program->watchers && sim_world.kernel != SIM_KERNEL_SIMULATOR;
	bool delivers = program->dispatchers || (watches && !program->callbacks);

	if (delivers)
		sim_gap_ends(&program->gaps.delivery);
	else
		sim_gap_begins(&program->gaps.delivery);
	if (program->dispatchers || watches)
		sim_gap_ends(&program->gaps.work);
	else
		sim_gap_begins(&program->gaps.work);
}

void sim_async_end_dispatch(void *argument)
{
	struct async_program *program = argument;

	program->dispatchers--;
	sim_async_update_gaps(program);
}

void sim_async_cancel_one(struct async_program *program)
{
	struct sim_request *request;
	int result;

	if (!program->count)
		return;
	request = program->requests[sim_plan(program->count)];
	if (!request->id)
		return;
	request->cancels++;
	sim_log("cancels request 0x%x", request->token);
	result = mad_async_cancel(program->async, request->id);
	if (result != 1 && errno != ENOENT)
		sim_broken("cancel", "mad_async_cancel() fails with %d", errno);
	if (result != 1)
		request->cancels--;
	else if (!request->ended)
		request->must_be_cancelled = true;
}

void sim_async_cancel_all(struct async_program *program)
{
	unsigned cancelled;

	for (unsigned i = 0; i < program->count; i++)
		program->requests[i]->cancels += !program->requests[i]->ended;
	program->cancelling++;
	cancelled = mad_async_cancel_all(program->async);
	program->cancelling--;
	sim_log("has cancelled %u requests", cancelled);
}

static void count_waiting(struct async_program *program, int more)
{
	program->waiting += (unsigned)more;
	program->idle_since = program->waiting ? SIM_NEVER : sim.now;
}

static void act_in_callback(struct async_program *program)
{
	uint32_t number = sim_plan(program->closing ? 3 : 7);

	if (number < 2)
		sim_async_submit(program, 1);
	else if (number == 2)
		sim_async_cancel_one(program);
	else if (number == 3)
		sim_async_cancel_all(program);
	else if (number == 4)
		sim_async_dispatch(program, sim_plan(2) ? 0 : (int)sim_plan(10));
	else
		sim_make_blocking_call();
}

static void check_result(const struct sim_request *request, const struct mad_async_result *result)
{
	size_t there;

	if (request->id && result->id != request->id)
		sim_broken("wrong-id", "the callback of request 0x%x has another id",
			   request->token);
	if (result->error && result->error != EIO && result->mad)
		sim_broken("wrong-response", "request 0x%x fails with %d and has a response",
			   request->token, result->error);
	if (!result->mad)
		return;
	there = (size_t)(result->data - result->mad);
	there = result->mad_size > there ? result->mad_size - there : 0;
	if (result->data_size > there)
		sim_broken("data-length", "request 0x%x has %zu bytes of data, and gets %zu",
			   request->token, result->data_size, there);
	else
		there = result->data_size;
	if (!result->error &&
	    !sim_data_is_right(sim_data_of(request->token, result->from->lid), result->data, there))
		sim_broken("wrong-response", "request 0x%x gets the data of another",
			   request->token);
}

/* A callback that runs. */
struct run {
	struct async_program *program;
	int64_t began;
};

/* The callback returns, or its thread is cancelled in it. */
static void end_callback(void *argument)
{
	const struct run *run = argument;

	run->program->in_callbacks += sim.now - run->began;
	run->program->callbacks--;
	run->program->dispatchers++;
	sim_async_update_gaps(run->program);
}

static void call_back(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct context *own = context;
	struct async_program *program = own->program;
	struct run run = { program, sim.now };
	struct sim_cleanup cleanup;

	if (program->dispatchers <= 0)
		sim_broken("callback-outside", "request 0x%x is called back outside of dispatch",
			   own->request->token);
	sim_async_end_dispatch(program);
	program->callbacks++;
	sim_async_update_gaps(program);
	sim_cleanup_push(&cleanup, end_callback, &run);
	count_waiting(program, -1);
	sim_log("is called back for request 0x%x", own->request->token);
	if (sim.current->locks)
		sim_broken("lock-held", "%s holds %u mutexes in a callback", sim.current->name,
			   sim.current->locks);
	if (async != program->async && program->async)
		sim_broken("wrong-id", "a callback comes from another struct mad_async");
	check_result(own->request, result);
	/* a response that was due before this callback began is not late because of it */
	sim_request_ended(own->request, result->error, result->status != 0);
	if (sim_world.shares_queue && !sim_plan(4))
		sim_sleep(sim_plan(30) * SIM_MS);
	if (sim_plan(100) < program->restless)
		act_in_callback(program);
	if (sim_world.cancels_dispatchers)
		sim_meet_cancellation();
	sim_cleanup_pop(&cleanup);
	end_callback(&run);
}

/* Whether a request may be refused with this error. */
static bool may_refuse(const struct async_program *program, unsigned waiting, int error)
{
	switch (error) {
	case ECANCELED:
		return program->closing;
	case ENOMEM:
		sim_memory_note_error("a submission");
		return sim_memory_has_failed();
	case ENOBUFS:
		return program->max_queued &&
		       (waiting >= program->max_queued || program->has_helper);
	case EIO:
	case ENODEV:
		return sim_kernel_is_removed() || sim_world.write_fails_once_in;
	default:
		return false;
	}
}

/* For the rules of queue.c: a request that is about to be submitted. */
static void enqueue(struct async_program *program, struct sim_request *request, const ib_rpc_t *rpc,
		    const ib_portid_t *to)
{
	bool smi = rpc->mgtclass == IB_SMI_CLASS || rpc->mgtclass == IB_SMI_DIRECT_CLASS;

	request->queue = &program->queues[sim_shared.pair && !smi];
	request->window = program->window;
	request->destination = (unsigned)to->lid << 1 | (rpc->mgtclass == IB_SMI_DIRECT_CLASS);
	request->agent = sim_world.receive_queue ? (unsigned)rpc->mgtclass : 0;
	request->is_silent = sim_is_silent_lid(to->lid);
	request->submission_began = sim.steps;
}

static void call_submit(struct async_program *program, struct sim_request *request,
			const struct mad_async_request *req, ib_rpc_t *rpc)
{
	unsigned waiting = program->waiting;
	uint8_t payload[IB_MAD_SIZE] = { 0 };

	request->submitted = true;
	request->cancels += program->cancelling;
	count_waiting(program, 1);
	sim_log("submits request 0x%x, class 0x%02x, %d ms, %d tries", request->token,
		rpc->mgtclass, request->timeout_ms, request->tries);
	errno = 0;
	request->id = mad_async_submit(program->async, req, rpc, payload);
	if (request->id > 0) {
		request->submission_ended = sim.steps;
		if (program->max_queued && waiting >= program->max_queued && !program->has_helper)
			sim_broken("submission", "a request is taken, %u of %u wait", waiting,
				   program->max_queued);
		return;
	}
	count_waiting(program, -1);
	request->submitted = false;
	request->id = 0;
	sim_log("is refused: %s", strerror(errno));
	if (!may_refuse(program, waiting, errno))
		sim_broken("submission", "a request is refused with %d, %u of %u wait", errno,
			   waiting, program->max_queued);
}

static void submit(struct async_program *program)
{
	int timeout_ms = sim_world.has_silent_lids	 ? 200
			 : program->most == OWN_REQUESTS ? 1
							 : sim_plan_timeout();
	struct context *context;
	struct sim_request *request;
	ib_portid_t to;
	struct mad_async_request req = { .to = &to, .callback = call_back };
	ib_rpc_t rpc;

	if (program->count == program->most)
		return;
	request = sim_request_new(SIM_REQUEST_ASYNC, timeout_ms,
				  program->retries ? program->retries : sim_shared.retries,
				  &program->gaps);
	if (!request)
		return;
	program->requests[program->count++] = request;
	req.context = context = sim_world_alloc(sizeof(*context));
	*context = (struct context){ program, request };
	sim_plan_rpc(&rpc, &to, request);
	if (sim_world.in_blocks ? false
	    : sim_world.tables	? sim_plan(100) < sim_world.tables
				: !sim_plan(6)) /* long responses need memory */
		sim_plan_table(&rpc, &to);
	enqueue(program, request, &rpc, &to);
	if (sim_world.has_deadlines && sim_plan(2)) {
		req.deadline_ms = sim_plan_timeout();
		request->deadline = sim.now + req.deadline_ms * SIM_MS;
		request->inexact = true;
	}
	call_submit(program, request, &req, &rpc);
}

void sim_async_submit(struct async_program *program, unsigned count)
{
	while (count--)
		submit(program);
}
