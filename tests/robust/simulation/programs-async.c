/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Programs with asynchronous requests: an owner, who creates and destroys, and helpers, who submit,
 * cancel and dispatch on the same struct mad_async; and a thread with a poll loop over two objects.
 */
#include <errno.h>
#include <string.h>

#include "../../lib/async-request.h"
#include "fabric.h"
#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "programs.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

enum {
	HELPERS_MAX = 2,
	THREADS_WITH_HELPERS = 12, /* with more, no helper starts: other threads need places, too */
	OWN_REQUESTS = 150,
	USUAL_REQUESTS = 48,
	OBJECTS = 2, /* of a poll loop */
	ROUNDS = 2000,
};

struct async_program {
	struct mad_async *async;
	struct sim_gaps gaps;
	char queues[2]; /* addresses that stand for the queues: of a pair, the SMI side and the
			   other */
	unsigned window;
	int dispatchers; /* threads in mad_async_dispatch() and in no callback */
	int watchers;  /* threads that wait for the descriptor, and dispatch when it is readable */
	int callbacks; /* running */
	bool closing;
	bool destroyed;
	bool has_helper;
	unsigned max_queued;
	int retries;
	unsigned cancelling; /* threads in mad_async_cancel_all() */
	unsigned waiting;    /* submitted, callback not begun */
	int64_t idle_since;  /* no request waits; SIM_NEVER: some do */
	int64_t in_callbacks;
	uint32_t restless; /* of a hundred callbacks so many do something */
	struct sim_request *requests[OWN_REQUESTS];
	unsigned count;
	unsigned most; /* requests that it makes */
};

struct context {
	struct async_program *program;
	struct sim_request *request;
};

static void submit_some(struct async_program *program, unsigned count);
static void dispatch(struct async_program *program, int timeout_ms);

static void update_gaps(struct async_program *program)
{
	bool watches = program->watchers && sim_world.kernel != SIM_KERNEL_SIMULATOR;

	sim_gap_lasts(&program->gaps.work, !program->dispatchers && !watches);
	sim_gap_lasts(&program->gaps.delivery,
		      !program->dispatchers && !(watches && !program->callbacks));
}

static void end_dispatch(void *argument)
{
	struct async_program *program = argument;

	program->dispatchers--;
	update_gaps(program);
}

static void cancel_one(struct async_program *program)
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

static void expect_cancellation(struct async_program *program)
{
	for (unsigned i = 0; i < program->count; i++)
		program->requests[i]->cancels += !program->requests[i]->ended;
}

static void cancel_all(struct async_program *program)
{
	unsigned cancelled;

	expect_cancellation(program);
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
		submit_some(program, 1);
	else if (number == 2)
		cancel_one(program);
	else if (number == 3)
		cancel_all(program);
	else if (number == 4)
		dispatch(program, sim_plan(2) ? 0 : (int)sim_plan(10));
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
	update_gaps(run->program);
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
	end_dispatch(program);
	program->callbacks++;
	update_gaps(program);
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
		return sim_memory_has_failed;
	case ENOBUFS:
		return program->max_queued &&
		       (waiting >= program->max_queued || program->has_helper);
	case EIO:
	case ENODEV:
		return sim_kernel_is_removed || sim_world.write_fails_once_in;
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

static void submit_some(struct async_program *program, unsigned count)
{
	while (count--)
		submit(program);
}

static void watch(struct async_program *program, int more)
{
	program->watchers += more;
	update_gaps(program);
}

/* The thread no longer waits for the descriptor, or is cancelled there. */
static void end_watch(void *program)
{
	watch(program, -1);
}

/* Late: it lasts longer than it was to wait, or than there were requests. */
static void check_duration(const struct async_program *program, int called, int timeout_ms,
			   int64_t began, int64_t callbacks)
{
	int64_t lasted = sim.now - began - (program->in_callbacks - callbacks);
	int64_t idle = program->idle_since > began ? program->idle_since : began;

	if (sim_memory_has_failed)
		return;
	if (timeout_ms >= 0 && lasted > timeout_ms * SIM_MS + sim_excused_since(began))
		sim_broken("dispatch-late", "mad_async_dispatch(%d) lasts %.3f ms", timeout_ms,
			   (double)lasted / SIM_MS);
	if (!called && program->idle_since != SIM_NEVER && sim.now - idle > sim_excused_since(idle))
		sim_broken("dispatch-late",
			   "mad_async_dispatch(%d) ends %.3f ms after the last request", timeout_ms,
			   (double)(sim.now - program->idle_since) / SIM_MS);
}

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
				   "request 0x%x has a response, and is not called back",
				   request->token);
	}
}

static void dispatch(struct async_program *program, int timeout_ms)
{
	int64_t began = sim.now, in_callbacks = program->in_callbacks;
	unsigned max = sim_world.shares_queue ? sim_plan(3) : 0;
	struct sim_cleanup cleanup;
	int called;

	sim_log("dispatches for %d ms, %u callbacks", timeout_ms, max);
	program->dispatchers++;
	update_gaps(program);
	errno = 0;
	sim_cleanup_push(&cleanup, end_dispatch, program);
	called = mad_async_dispatch(program->async, max, timeout_ms);
	sim_cleanup_pop(&cleanup);
	end_dispatch(program);
	sim_log("has dispatched %d", called);
	if (max && called > (int)max)
		sim_broken("dispatch", "mad_async_dispatch() runs %d callbacks, at most %u", called,
			   max);
	if (called < 0 && errno == ENOMEM)
		sim_memory_note_error("mad_async_dispatch()");
	if (called < 0 && !sim_things_fail())
		sim_broken("dispatch", "mad_async_dispatch() fails with %d", errno);
	check_duration(program, called, timeout_ms, began, in_callbacks);
	if (!timeout_ms)
		check_all_taken(program, began);
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
	if (fd < 0 && !sim_memory_has_failed)
		sim_broken("dispatch", "mad_async_get_fd() fails with %d", errno);
	if (fd < 0)
		return;
	while (program->waiting && sim.now < until) {
		watch(program, 1);
		sim_cleanup_push(&cleanup, end_watch, program);
		sim_wait_for(&fd, 1, (int)((until - sim.now + SIM_MS - 1) / SIM_MS));
		sim_cleanup_pop(&cleanup);
		end_watch(program);
		dispatch(program, 0);
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
		submit_some(program, 1 + sim_plan(program->most / 8));
	else if (number < 6)
		dispatch(program, (int)sim_plan(60));
	else if (number == 6)
		dispatch(program, 0);
	else if (number == 7) /* -1 where there is something to wait for */
		dispatch(program,
			 program->waiting && (!program->has_helper || helpers_go_on) ? -1 : 5);
	else if (number == 8)
		sim_sleep(sim_plan(150) * SIM_MS);
	else if (number == 9)
		cancel_one(program);
	else if (number == 10 && !sim_plan(3))
		cancel_all(program);
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

static void destroy(struct async_program *program)
{
	int64_t began = sim.now, in_callbacks = program->in_callbacks;
	struct sim_cleanup cleanup;
	int64_t lasted;

	sim_log("destroys with %u requests left", program->waiting);
	expect_cancellation(program);
	program->closing = true;
	program->dispatchers++;
	update_gaps(program);
	sim_cleanup_push(&cleanup, end_dispatch, program);
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
	destroy(argument);
	return NULL;
}

static struct async_program *begin(void)
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
	update_gaps(program);
	return program;
}

void *sim_async_program(UNUSED void *unused)
{
	struct async_program *program;
	int helpers[HELPERS_MAX];
	unsigned helper_count;

	if (sim_shared.pair) /* the ports of a pair have different classes */
		return NULL;
	program = begin();
	if (!program)
		return NULL;
	helper_count = start_helpers(program, helpers);
	for (uint32_t acts = 3 + sim_plan(14); acts; acts--)
		act(program);
	join_helpers(program, helpers, helper_count);
	while (program->waiting && (sim_world.has_silent_lids || sim_plan(4)))
		dispatch(program, sim_plan(3) ? -1 : (int)sim_plan(300));
	/* A helper that destroys the object may be cancelled in a callback; this thread does the
	 * rest. */
	if (sim_world.cancels_dispatchers && sim_plan(2))
		sim_join_thread(sim_start_thread("helper", destroy_as_helper, program));
	if (!program->destroyed)
		destroy(program);
	return NULL;
}

/* A thread with a poll loop */

struct loop {
	struct async_program *programs[OBJECTS];
	int descriptors[OBJECTS];
};

static void wait_in_loop(const struct loop *loop, int timeout_ms)
{
	unsigned readable;

	for (int i = 0; i < OBJECTS; i++)
		watch(loop->programs[i], 1);
	sim_log("waits for two descriptors");
	readable = sim_wait_for(loop->descriptors, OBJECTS, timeout_ms);
	for (int i = 0; i < OBJECTS; i++)
		watch(loop->programs[i], -1);
	for (int i = 0; i < OBJECTS; i++)
		if (readable >> i & 1)
			dispatch(loop->programs[i], 0);
}

static void act_in_loop(const struct loop *loop)
{
	struct async_program *program = loop->programs[sim_plan(OBJECTS)];
	uint32_t number = sim_plan(12);

	if (number < 3)
		submit_some(program, 1 + sim_plan(program->most / 3));
	else if (number == 3)
		cancel_one(program);
	else if (number == 4 && !sim_plan(3))
		cancel_all(program);
	else if (number == 5)
		sim_sleep(sim_plan(150) * SIM_MS);
	else if (number == 6)
		sim_make_blocking_call();
	else if (number == 7)
		dispatch(program, 0);
	for (uint32_t times = number > 7 ? 1 + sim_plan(10) : 0; times; times--)
		wait_in_loop(loop, (int)sim_plan(60));
}

static void run_loop(struct loop *loop)
{
	for (int i = 0; i < OBJECTS; i++)
		loop->descriptors[i] = mad_async_get_fd(loop->programs[i]->async);
	for (uint32_t acts = 5 + sim_plan(20); acts; acts--)
		act_in_loop(loop);
	if (sim_plan(2))
		return;
	for (int i = 0; i < ROUNDS && (loop->programs[0]->waiting || loop->programs[1]->waiting);
	     i++)
		wait_in_loop(loop, 100);
}

void *sim_loop_program(UNUSED void *unused)
{
	struct loop loop = { .programs = { NULL } };

	if (sim_shared.pair)
		return NULL;
	for (int i = 0; i < OBJECTS; i++)
		loop.programs[i] = begin();
	if (loop.programs[0] && loop.programs[1])
		run_loop(&loop);
	for (int i = 0; i < OBJECTS; i++)
		if (loop.programs[i])
			destroy(loop.programs[i]);
	return NULL;
}
