/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Programs with asynchronous requests: an owner, who creates and destroys, and helpers, who submit,
 * cancel and dispatch on the same struct mad_async. Callbacks do what they may.
 */
#include <errno.h>
#include <string.h>

#include "fabric.h"
#include "files.h"
#include "invariants.h"
#include "kernel.h"
#include "log.h"
#include "memory.h"
#include "programs.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

enum {
	OWN_REQUESTS = 150,
	USUAL_REQUESTS = 48,
	HELPERS_MAX = 2,
	THREADS_WITH_HELPERS = 12, /* so that those of the library find places */
};

struct async_program {
	struct mad_async *async;
	struct sim_gaps gaps;
	char queues[2]; /* whose addresses stand for the queues: of a pair, its SMI side and the
			   other */
	unsigned window;
	int dispatchers; /* threads in mad_async_dispatch() and in no callback */
	int watchers;	 /* threads that wait for the descriptor */
	bool pumped;
	bool closing;
	bool destroyed;
	bool has_helper;
	int fd;
	unsigned max_queued;
	int retries;
	int timeout_ms;	     /* of the options; 0: the port's */
	unsigned cancelling; /* threads in mad_async_cancel_all() */
	unsigned waiting;    /* submitted, callback not begun */
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

static void update_gaps(struct async_program *program)
{
	bool delivers = program->dispatchers || (program->pumped && program->watchers);

	if (delivers)
		sim_gap_ends(&program->gaps.delivery);
	else
		sim_gap_begins(&program->gaps.delivery);
	if (program->pumped || program->dispatchers)
		sim_gap_ends(&program->gaps.work);
	else
		sim_gap_begins(&program->gaps.work);
}

/* The thread leaves mad_async_dispatch(), or is cancelled there. */
static void end_dispatch(void *argument)
{
	struct async_program *program = argument;

	program->dispatchers--;
	update_gaps(program);
}

/* The same for a wait for the descriptor. */
static void end_watch(void *argument)
{
	struct async_program *program = argument;

	program->watchers--;
	update_gaps(program);
}

static void submit(struct async_program *program);
static void dispatch(struct async_program *program, int timeout_ms);

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
	if (result && errno != ENOENT)
		sim_broken("cancel", "mad_async_cancel() fails with %d", errno);
	if (result)
		request->cancels--;
	else if (!request->ended)
		request->must_be_cancelled = true;
}

static void cancel_all(struct async_program *program)
{
	unsigned cancelled;

	for (unsigned i = 0; i < program->count; i++)
		program->requests[i]->cancels += !program->requests[i]->ended;
	program->cancelling++;
	cancelled = mad_async_cancel_all(program->async);
	program->cancelling--;
	sim_log("has cancelled %u requests", cancelled);
}

static void act_in_callback(struct async_program *program)
{
	switch (sim_plan(program->closing ? 3 : 7)) {
	case 0:
	case 1:
		submit(program);
		break;
	case 2:
		cancel_one(program);
		break;
	case 3:
		cancel_all(program);
		break;
	case 4:
		dispatch(program, sim_plan(2) ? 0 : (int)sim_plan(10));
		break;
	default:
		sim_make_blocking_call();
		break;
	}
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
	there = result->mad_length > there ? result->mad_length - there : 0;
	if (result->data_length > there)
		sim_broken("data-length", "request 0x%x has %zu bytes of data, and gets %zu",
			   request->token, result->data_length, there);
	else
		there = result->data_length;
	if (!result->error && !sim_data_is_right(request->token, result->data, there))
		sim_broken("wrong-response", "request 0x%x gets the data of another",
			   request->token);
}

/* A callback that runs. */
struct run {
	struct async_program *program;
	int64_t began;
};

/* It returns, or its thread is cancelled in it. */
static void end_callback(void *argument)
{
	const struct run *run = argument;

	run->program->in_callbacks += sim.now - run->began;
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
	sim_cleanup_push(&cleanup, end_callback, &run);
	program->waiting--;
	sim_log("is called back for request 0x%x", own->request->token);
	if (sim.current->locks)
		sim_broken("lock-held", "%s holds %u mutexes in a callback", sim.current->name,
			   sim.current->locks);
	if (async != program->async && program->async)
		sim_broken("wrong-id", "a callback comes from another struct mad_async");
	check_result(own->request, result);
	/* what was due before this callback began is not late through it */
	sim_request_ended(own->request, result->error, result->status != 0);
	if (sim_plan(100) < program->restless)
		act_in_callback(program);
	if (sim_world.cancels_dispatchers)
		sim_meet_cancellation();
	sim_cleanup_pop(&cleanup);
	end_callback(&run);
}

static void check_submission(const struct async_program *program, unsigned waiting, int error)
{
	switch (error) {
	case ECANCELED:
		if (program->closing)
			return;
		break;
	case ENOMEM:
		if (sim_memory_has_failed())
			return;
		break;
	case ENOBUFS:
		if (program->max_queued && (waiting >= program->max_queued || program->has_helper))
			return;
		break;
	case EIO:
	case ENODEV:
		if (sim_kernel_is_removed() || sim_world.write_fails_once_in)
			return;
		break;
	default:
		break;
	}
	sim_broken("submission", "a request is refused with %d, %u of %u wait", error, waiting,
		   program->max_queued);
}

/* For the rules of queue.c: a request that is about to be submitted. */
static void enqueue(struct async_program *program, struct sim_request *request, const ib_rpc_t *rpc,
		    const ib_portid_t *to)
{
	bool smi = rpc->mgtclass == IB_SMI_CLASS || rpc->mgtclass == IB_SMI_DIRECT_CLASS;

	request->queue = &program->queues[sim_shared.pair && !smi];
	request->window = program->window;
	request->destination = (unsigned)to->lid << 1 | (rpc->mgtclass == IB_SMI_DIRECT_CLASS);
	request->submission_began = sim.steps;
}

static void submit(struct async_program *program)
{
	int timeout_ms = program->most == OWN_REQUESTS ? 1 : sim_plan_timeout();
	struct context *context;
	struct sim_request *request;
	unsigned waiting = program->waiting;
	uint8_t payload[IB_MAD_SIZE] = { 0 };
	ib_portid_t to;
	ib_rpc_t rpc;

	if (program->count == program->most)
		return;
	request = sim_request_new(SIM_REQUEST_ASYNC, timeout_ms,
				  program->retries ? program->retries : sim_shared.retries,
				  &program->gaps);
	if (!request)
		return;
	program->requests[program->count++] = request;
	context = sim_world_alloc(sizeof(*context));
	*context = (struct context){ program, request };
	sim_plan_rpc(&rpc, &to, request);
	if (!sim_plan(6)) {
		rpc.mgtclass = IB_SA_CLASS;
		rpc.method = IB_MAD_METHOD_GET_TABLE;
		rpc.dataoffs = IB_SA_DATA_OFFS;
		rpc.datasz = IB_SA_DATA_SIZE;
		to.lid = 3;
		to.qp = 1;
		to.qkey = IB_DEFAULT_QP1_QKEY;
	}
	enqueue(program, request, &rpc, &to);
	request->submitted = true;
	request->cancels += program->cancelling;
	program->waiting++;
	sim_log("submits request 0x%x, class 0x%02x, %d ms, %d tries", request->token, rpc.mgtclass,
		timeout_ms, request->tries);
	errno = 0;
	if (!mad_async_submit(program->async, &rpc, &to, payload, call_back, context,
			      &request->id)) {
		request->submission_ended = sim.steps;
		if (program->max_queued && waiting >= program->max_queued && !program->has_helper)
			sim_broken("submission", "a request is taken, %u of %u wait", waiting,
				   program->max_queued);
		return;
	}
	program->waiting--;
	request->submitted = false;
	request->id = 0;
	sim_log("is refused: %s", strerror(errno));
	check_submission(program, waiting, errno);
}

static void dispatch(struct async_program *program, int timeout_ms)
{
	int64_t began = sim.now, in_callbacks = program->in_callbacks;
	struct sim_cleanup cleanup;
	int64_t lasted;
	int called;

	sim_log("dispatches for %d ms", timeout_ms);
	program->dispatchers++;
	update_gaps(program);
	errno = 0;
	sim_cleanup_push(&cleanup, end_dispatch, program);
	called = mad_async_dispatch(program->async, timeout_ms);
	sim_cleanup_pop(&cleanup);
	end_dispatch(program);
	sim_log("has dispatched %d", called);
	lasted = sim.now - began - (program->in_callbacks - in_callbacks);
	if (called < 0 && !sim_kernel_is_removed() && !sim_memory_has_failed())
		sim_broken("dispatch", "mad_async_dispatch() fails with %d", errno);
	if (timeout_ms >= 0 && lasted > timeout_ms * SIM_MS + sim_excused_since(began) &&
	    !sim_memory_has_failed())
		sim_broken("dispatch-late", "mad_async_dispatch(%d) lasts %.3f ms", timeout_ms,
			   (double)lasted / SIM_MS);
	if (timeout_ms < 0 && !called && program->waiting && !program->has_helper)
		sim_broken("dispatch", "mad_async_dispatch(-1) returns 0 with %u requests left",
			   program->waiting);
}

/* Has the library start its thread, and waits for the descriptor. */
static void use_descriptor(struct async_program *program)
{
	struct sim_cleanup cleanup;
	int fd;

	sim_log("asks for a descriptor");
	fd = mad_async_get_fd(program->async);
	if (fd < 0 && !sim_memory_has_failed())
		sim_broken("dispatch", "mad_async_get_fd() fails with %d", errno);
	if (fd < 0)
		return;
	program->pumped = true;
	program->watchers++;
	update_gaps(program);
	sim_cleanup_push(&cleanup, end_watch, program);
	if (program->waiting)
		sim_wait_for_eventfd(fd, (int)sim_plan(100));
	sim_cleanup_pop(&cleanup);
	end_watch(program);
	dispatch(program, 0);
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

/* Whether mad_async_dispatch(-1) has something to wait for. */
static bool may_wait_for_ever(const struct async_program *program)
{
	return program->waiting && (!program->has_helper || sim_world.cancels_dispatchers);
}

static void act(struct async_program *program)
{
	uint32_t more;

	switch (sim_plan(12)) {
	case 0:
	case 1:
	case 2:
	case 3:
		for (more = 1 + sim_plan(program->most / 8); more; more--)
			submit(program);
		break;
	case 4:
	case 5:
		dispatch(program, (int)sim_plan(60));
		break;
	case 6:
		dispatch(program, 0);
		break;
	case 7:
		dispatch(program, may_wait_for_ever(program) ? -1 : 5);
		break;
	case 8:
		sim_sleep(sim_plan(150) * SIM_MS);
		break;
	case 9:
		cancel_one(program);
		break;
	case 10:
		if (!sim_plan(3))
			cancel_all(program);
		break;
	default:
		if (!sim_plan(2))
			use_descriptor(program);
		else
			check_pending(program);
		break;
	}
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

	program->has_helper = sim_world.cancels_dispatchers || !sim_plan(3);
	if (sim_world.cancels_dispatchers)
		wanted = sim.thread_count > THREADS_WITH_HELPERS ? 0 : 1 + sim_plan(HELPERS_MAX);
	while (program->has_helper && count < wanted)
		helpers[count++] = sim_start_thread("helper", help, program);
	return count;
}

static void join_helpers(struct async_program *program, const int *helpers, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (helpers[i] >= 0)
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
		.size = sizeof(options),
		.window = windows[sim_plan(5)],
		.max_queued = sim_plan(5) ? 0 : 1 + sim_plan(6),
		.retries = (int)sim_plan(4),
	};

	program->window = options.window ? options.window : MAD_ASYNC_DEFAULT_WINDOW;
	program->max_queued = options.max_queued;
	program->retries = options.retries;
	sim_log("creates a struct mad_async: window %u, at most %u, %d tries", options.window,
		options.max_queued, options.retries);
	if (!sim_shared.pair)
		return mad_async_create(sim_shared.port, &options);
	program->pumped = true;
	return mad_async_create_pair(sim_shared.pair, &options);
}

static void destroy(struct async_program *program)
{
	int64_t began = sim.now, in_callbacks = program->in_callbacks;
	struct sim_cleanup cleanup;
	int64_t lasted;

	sim_log("destroys with %u requests left", program->waiting);
	for (unsigned i = 0; i < program->count; i++)
		program->requests[i]->cancels += !program->requests[i]->ended;
	program->closing = true;
	program->dispatchers++;
	update_gaps(program);
	sim_cleanup_push(&cleanup, end_dispatch, program);
	mad_async_destroy(program->async);
	sim_cleanup_pop(&cleanup);
	program->destroyed = true;
	lasted = sim.now - began - (program->in_callbacks - in_callbacks);
	if (lasted > sim_excused_since(began))
		sim_broken("destroy-late", "mad_async_destroy() lasts %.3f ms",
			   (double)lasted / SIM_MS);
}

static void *destroy_as_helper(void *argument)
{
	destroy(argument);
	return NULL;
}

/* Where the thread that destroys is cancelled in a callback, another one destroys the rest. */
static void have_destroyed(struct async_program *program)
{
	int helper = -1;

	if (sim_world.cancels_dispatchers && sim_plan(2))
		helper = sim_start_thread("helper", destroy_as_helper, program);
	if (helper >= 0)
		sim_join_thread(helper);
	if (!program->destroyed)
		destroy(program);
}

void *sim_async_program(void *unused)
{
	struct async_program *program = sim_world_alloc(sizeof(*program));
	int helpers[HELPERS_MAX];
	unsigned helper_count;

	(void)unused;
	program->most = sim_plan(20) ? USUAL_REQUESTS : OWN_REQUESTS; /* few have many short ones */
	program->restless = sim_plan(2) ? sim_plan(60) : 0;
	program->gaps.work.since = program->gaps.delivery.since = sim.now;
	program->async = create(program);
	if (!program->async) {
		if (!sim_memory_has_failed() && !sim_kernel_is_removed())
			sim_broken("submission", "mad_async_create() fails with %d", errno);
		return NULL;
	}
	update_gaps(program);
	helper_count = start_helpers(program, helpers);
	for (uint32_t acts = 3 + sim_plan(14); acts; acts--)
		act(program);
	join_helpers(program, helpers, helper_count);
	while (program->waiting && sim_plan(4))
		dispatch(program, sim_plan(3) ? -1 : (int)sim_plan(300));
	have_destroyed(program);
	return NULL;
}
