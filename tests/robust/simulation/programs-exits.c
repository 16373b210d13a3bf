/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Programs that end in the middle of something, or have others wait: cancellation, fork, locks. */
#include "../../lib/async-request.h"
#include <string.h>
#include <time.h>

#include "invariants.h"
#include "programs.h"
#include "run.h"
#include "threads.h"
#include "world.h"

void sim_cancel_program(unsigned number)
{
	if (sim_shared.current[number])
		sim_shared.current[number]->abandoned = true;
	sim_shared.was_cancelled[number] = true;
	sim_cancel_thread((int)number);
}

void sim_meet_cancellation(void)
{
	struct timespec pause = { .tv_nsec = sim_plan(5000) * 1000 };
	uint32_t kind = sim_plan(8);

	if (kind < 2)
		replaced_pthread_testcancel();
	else if (kind == 2)
		replaced_nanosleep(&pause, NULL);
	else if (kind == 3 && !strcmp(sim.current->name, "helper") && !sim_plan(8))
		sim_cancel_program(sim.current->number);
}

static bool is_a(const struct sim_thread *thread, const char *name)
{
	return !thread->ended && !strcmp(thread->name, name);
}

/* Cancels one of the threads that wait in blocking calls. */
void *sim_cancelling_program(UNUSED void *unused)
{
	sim_sleep(sim_plan(30000) * SIM_US);
	for (int i = 0; i < 4; i++) {
		unsigned number = sim_plan(sim.thread_count);
		const struct sim_thread *victim = &sim.threads[number];

		if (!is_a(victim, "blocking") && !is_a(victim, "server"))
			continue;
		sim_cancel_program(number);
		break;
	}
	return NULL;
}

/* Any of the threads that dispatch and run callbacks, or receive. */
static void cancel_a_waiter(void)
{
	unsigned victims[SIM_THREADS], count = 0;

	for (unsigned i = 0; i < sim.thread_count; i++)
		if (!sim.threads[i].cancel_requested &&
		    ((sim_world.cancels_dispatchers && is_a(&sim.threads[i], "helper")) ||
		     (sim_world.has_messages && is_a(&sim.threads[i], "server"))))
			victims[count++] = i;
	if (count)
		sim_cancel_program(victims[sim_plan(count)]);
}

/* Threads wait most of the time, and are cancelled there after a sleep; some steps later they may
 * be anywhere. */
void *sim_waiters_cancelling_program(UNUSED void *unused)
{
	for (uint32_t times = 1 + sim_plan(6); times; times--) {
		sim_sleep(sim_plan(sim_plan(2) ? 40000 : 2000) * SIM_US);
		for (uint32_t steps = sim_plan(60); steps; steps--)
			sim_step();
		cancel_a_waiter();
	}
	return NULL;
}

/* The thread that is called back, or another one, may fork meanwhile. */
static void ignore(UNUSED struct mad_async *async, UNUSED const struct mad_async_result *result,
		   UNUSED void *context)
{
	sim_sleep(sim_plan(2) * SIM_MS);
}

/* In the parent or the child, beside the thread that forks. */
static void *dispatch_some(void *async)
{
	while (mad_async_dispatch(async, 1, (int)sim_plan(40)) > 0)
		;
	return NULL;
}

/* The parent's requests end with the first dispatch in the child. */
static void end_parents(struct mad_async *async)
{
	mad_async_dispatch(async, 0, 0);
	if (mad_async_pending(async))
		sim_broken("pending", "the child has %d requests of its parent",
			   mad_async_pending(async));
}

/* In the child no other thread goes on; new ones may begin. What was created before the fork can be
 * used and destroyed. */
static void run_child(struct mad_async *async)
{
	ib_portid_t to = { .lid = 2 };
	int other = -1;

	if (sim_plan(2))
		end_parents(async);
	if (sim_plan(2))
		other = sim_start_thread("dispatching", dispatch_some, async);
	if (sim_shared.locks) { /* a thread of the parent may have had the lock */
		madrpc_lock();
		madrpc_unlock();
	}
	sim_make_blocking_call();
	sim_make_blocking_call();
	if (sim_plan(2))
		mad_async_smp(async, ASYNC_TO(&to, ignore, NULL), 0x15, 0, NULL);
	while (sim_plan(8) && mad_async_pending(async) && mad_async_dispatch(async, 0, -1) >= 0)
		;
	sim_join_thread(other);
	mad_async_free(async);
}

void *sim_forking_program(UNUSED void *unused)
{
	struct mad_async_options options = { .window = sim_plan(3) };
	struct mad_async *async = mad_async_create(sim_shared.port, &options);
	ib_portid_t to = { .lid = 2 };
	int other = -1;

	if (!async)
		return NULL;
	if (sim_plan(2))
		mad_async_get_fd(async);
	for (uint32_t more = 1 + sim_plan(12); more; more--)
		mad_async_smp(async, ASYNC_TO(&to, ignore, NULL), 0x15, 0, NULL);
	if (sim_plan(2))
		other = sim_start_thread("dispatching", dispatch_some, async);
	sim_sleep(sim_plan(20000) * SIM_US);
	if (sim_child_fork()) {
		run_child(async);
		sim_give_up();
	}
	sim_join_thread(other);
	mad_async_free(async);
	return NULL;
}

/* madrpc_lock() */

static struct {
	bool waits;	 /* somebody has called madrpc_lock() */
	unsigned waiter; /* the thread */
	unsigned number; /* of that call */
	unsigned held;	 /* the number, while somebody has the lock; else 0 */
	unsigned holder; /* the thread */
	int64_t since;	 /* the waiter has been seen waiting; SIM_NEVER: not yet */
} lock;

/* The waiter may be kept from running, too, before it waits. */
static bool has_waited_long(void)
{
	if (lock.waits && lock.since == SIM_NEVER && sim.threads[lock.waiter].waiting_for)
		lock.since = sim.now;
	return lock.waits && lock.since < sim.now - SIM_RUNNING;
}

static void call_safely(unsigned *begun_later)
{
	struct sim_request *request = sim_begin_call("safe_smp_query", sim_shared.retries);
	ib_portid_t to = { .lid = 5 };
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	bool began_later = has_waited_long();
	unsigned number = lock.number, held = lock.held;
	void *response;

	if (!request)
		return;
	request->call_end = SIM_NEVER;			/* the call also waits for others' lock */
	request->is_resolved = sim_world.receive_queue; /* no bound on its wait for a place */
	response = safe_smp_query(data, &to, 0x15, request->token, (unsigned)request->timeout_ms);
	sim_end_call(request, response, NULL, to.lid, data, sizeof(data));
	if (held && lock.held == held && lock.holder != sim.current->number)
		sim_broken("lock-passed",
			   "a safe_smp_query() begins and ends under another's lock");
	*begun_later = began_later && lock.waits && lock.number == number ? *begun_later + 1 : 0;
	if (*begun_later > 2 && !sim_stalled_since(lock.since))
		sim_broken("starved", "%u calls of one thread pass a thread in madrpc_lock()",
			   *begun_later);
}

static void *call_all_the_time(UNUSED void *unused)
{
	unsigned begun_later = 0;

	for (uint32_t calls = 4 + sim_plan(12); calls; calls--)
		call_safely(&begun_later);
	return NULL;
}

void *sim_locking_program(void *unused)
{
	int others[] = { -1, -1 };
	unsigned count = 1 + sim_plan(2);
	unsigned begun_later = 0;

	memset(&lock, 0, sizeof(lock));
	for (unsigned i = 0; i < count; i++)
		others[i] = sim_start_thread("safe", call_all_the_time, unused);
	for (uint32_t times = 1 + sim_plan(4); times; times--) {
		sim_sleep(sim_plan(2) * sim_plan(10000) * SIM_US);
		lock.waits = true;
		lock.number++;
		lock.waiter = sim.current->number;
		lock.since = SIM_NEVER;
		sim_log("calls madrpc_lock()");
		madrpc_lock();
		sim_log("has the lock");
		lock.waits = false;
		lock.held = lock.number;
		lock.holder = sim.current->number;
		call_safely(&begun_later);
		lock.held = 0;
		/* the victim may wait for the lock */
		if (!sim_plan(4) && others[0] >= 0 && !sim.threads[others[0]].ended)
			sim_cancel_program((unsigned)others[0]);
		madrpc_unlock();
	}
	for (int i = 0; i < 2; i++)
		sim_join_thread(others[i]);
	return NULL;
}
