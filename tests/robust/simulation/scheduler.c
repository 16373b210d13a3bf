/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See scheduler.h. */
#include "scheduler.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "invariants.h"
#include "memory.h"
#include "races.h"

/* The longest known run, of a simulator whose threads poll in slices for eight seconds, takes
 * 350,000. */
enum { STEPS_MAX = 1000000, EVENTS_MAX = 1 << 18, OUTSIDE = SIM_THREADS };
enum { GUARD_SIZE = 4096, USED_SIZE = 32 * 1024 };
#define LONGEST_RUN (300 * SIM_S)

struct sim_process sim;

/* Events in the order in which they are due, from first_event on. */
static struct event {
	int64_t due;
	void (*happen)(void *subject);
	void *subject;
} events[EVENTS_MAX];
static unsigned first_event, event_count;

void sim_at(int64_t due, void (*happen)(void *subject), void *subject)
{
	unsigned place = event_count++;

	if (place == EVENTS_MAX)
		abort();
	for (; place > first_event && events[place - 1].due > due; place--)
		events[place] = events[place - 1];
	events[place] = (struct event){ due, happen, subject };
}

static int64_t next_event(void)
{
	return first_event < event_count ? events[first_event].due : SIM_NEVER;
}

static void have_events_happen(void)
{
	while (next_event() <= sim.now) {
		struct event event = events[first_event++];

		event.happen(event.subject);
	}
}

/* Coroutines. A swapcontext() asks the kernel for the signal mask, which takes a tenth of the time
 * of a run: not enough for code of our own. */
static ucontext_t contexts[SIM_THREADS + 1];

/* Each stack has a guard page below it. */
char *sim_stacks(void)
{
	static char *stacks;

	if (stacks)
		return stacks;
	stacks = sim_map((size_t)SIM_STACK_SIZE * SIM_THREADS);
	for (size_t i = 0; i < SIM_THREADS; i++)
		if (mprotect(stacks + i * SIM_STACK_SIZE, GUARD_SIZE, PROT_NONE))
			abort();
	return stacks;
}

static void coroutine_prepare(unsigned number, void (*entry)(void))
{
	ucontext_t *context = &contexts[number];

	if (getcontext(context))
		abort();
	context->uc_stack.ss_sp = sim_stacks() + (size_t)SIM_STACK_SIZE * number;
	context->uc_stack.ss_size = SIM_STACK_SIZE;
	context->uc_link = NULL;
	makecontext(context, entry, 0);
}

/* Overwrites the frames of a coroutine that nobody will continue: the stack of a thread that is
 * gone may become another's. */
static void coroutine_spoil(unsigned number)
{
	memset(sim_stacks() + (size_t)SIM_STACK_SIZE * (number + 1) - USED_SIZE, 0xdd, USED_SIZE);
}

static void coroutine_switch(unsigned from, unsigned to)
{
	swapcontext(&contexts[from], &contexts[to]);
}

/* The thread-local variables of this program, which are the libraries'. */
static struct {
	void *start;
	size_t size;
} tls;

static int find_tls(struct dl_phdr_info *info, UNUSED size_t size, UNUSED void *data)
{
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS) {
			tls.size = info->dlpi_phdr[i].p_memsz;
			tls.start = info->dlpi_tls_data;
		}
	return 1; /* the first object is the program */
}

static void save_own(struct sim_thread *thread)
{
	thread->saved_errno = errno;
	memcpy(thread->saved_tls, tls.start, tls.size);
}

static void load_own(const struct sim_thread *thread)
{
	memcpy(tls.start, thread->saved_tls, tls.size);
	errno = thread->saved_errno;
}

static bool can_cancel(const struct sim_thread *thread)
{
	return thread->cancellable && thread->cancel_requested && !thread->cancel_disabled;
}

static bool can_run(const struct sim_thread *thread)
{
	if (thread->ended || thread->frozen_until > sim.now)
		return false;
	return !thread->waits || thread->deadline <= sim.now || can_cancel(thread) ||
	       thread->ready(thread->subject);
}

static void note_decision(uint64_t decision)
{
	sim.trace = (sim.trace ^ decision ^ (uint64_t)sim.now) * UINT64_C(0x100000001b3);
}

/* The thread that runs next, or NULL. */
static struct sim_thread *choose(void)
{
	struct sim_thread *able[SIM_THREADS], *chosen;
	unsigned count = 0;

	for (unsigned i = 0; i < sim.thread_count; i++)
		if (can_run(&sim.threads[i]))
			able[count++] = &sim.threads[i];
	if (!count)
		return NULL;
	chosen = able[0];
	if (!sim.schedule.by_priority)
		chosen = able[sim_random_below(&sim.choices, count)];
	for (unsigned i = 1; i < count && sim.schedule.by_priority; i++)
		if (able[i]->priority > chosen->priority)
			chosen = able[i];
	note_decision(chosen->number);
	return chosen;
}

static void report_deadlock(void)
{
	for (unsigned i = 0; i < sim.thread_count; i++)
		if (!sim.threads[i].ended)
			sim_log("%u %s waits for %s", i, sim.threads[i].name,
				sim.threads[i].waits ? sim.threads[i].waits : "the processor");
	sim_broken("deadlock", "nothing can run, and nothing is due");
	sim_give_up();
}

/* No thread can run: the clock advances to the next moment at which something happens. */
static void advance_clock(void)
{
	int64_t next = next_event();

	for (unsigned i = 0; i < sim.thread_count; i++) {
		const struct sim_thread *thread = &sim.threads[i];

		if (thread->ended)
			continue;
		if (thread->frozen_until > sim.now && thread->frozen_until < next)
			next = thread->frozen_until;
		if (thread->waits && thread->deadline > sim.now && thread->deadline < next)
			next = thread->deadline;
	}
	if (next == SIM_NEVER)
		report_deadlock();
	if (next > sim.started + LONGEST_RUN) {
		sim_broken("endless", "the run is not over after %d s", (int)(LONGEST_RUN / SIM_S));
		sim_give_up();
	}
	if (next > sim.now)
		sim.now = next;
	have_events_happen();
}

/* The thread that was cancelled last and that nobody has run after yet; or NULL. */
static struct sim_thread *cancelled;

/* The current thread runs on. */
static void continue_current(void)
{
	load_own(sim.current);
	if (cancelled)
		coroutine_spoil(cancelled->number);
	cancelled = NULL;
}

static void switch_to(struct sim_thread *next)
{
	struct sim_thread *before = sim.current;

	if (next == before)
		return;
	save_own(before);
	before->frame = __builtin_frame_address(0);
	sim.current = next;
	coroutine_switch(before->number, next->number);
	continue_current(); /* `before` is current again */
}

/* Lets threads run until it is the current one's turn. */
static void reschedule(void)
{
	struct sim_thread *next;

	while (!(next = choose()))
		advance_clock();
	switch_to(next);
}

static void note_stall(int64_t pause)
{
	sim.stalls[sim.stall_count++] = (struct sim_stall){ sim.now, sim.now + pause };
}

void sim_note_late(int64_t since)
{
	struct sim_stall *last = &sim.stalls[SIM_STALLS + SIM_DELAYS - 1];

	if (since >= sim.now)
		return;
	if (sim.stall_count < SIM_STALLS + SIM_DELAYS)
		sim.stalls[sim.stall_count++] = (struct sim_stall){ since, sim.now };
	else
		*last = (struct sim_stall){ since < last->from ? since : last->from, sim.now };
}

int64_t sim_stalled_since(int64_t from)
{
	int64_t stalled = 0;

	for (unsigned i = 0; i < sim.stall_count; i++) {
		const struct sim_stall *stall = &sim.stalls[i];
		int64_t begin = stall->from > from ? stall->from : from;
		int64_t end = stall->to < sim.now ? stall->to : sim.now;

		stalled += end > begin ? end - begin : 0;
		stalled += stall->from == sim.now; /* begun, and not to be taken for none */
	}
	return stalled;
}

/* The process is stopped: the world goes on, no thread does. */
static void stop_process(void)
{
	int64_t pause = sim_random_between(&sim.choices, SIM_US, sim.schedule.pause_max);
	int64_t end = sim.now + pause;

	note_stall(pause);
	sim_log("the process is stopped for %.3f ms", (double)pause / SIM_MS);
	while (next_event() <= end) {
		if (next_event() > sim.now)
			sim.now = next_event();
		have_events_happen();
	}
	sim.now = end;
}

static void freeze_thread(void)
{
	int64_t pause = sim_random_between(&sim.choices, SIM_US, sim.schedule.pause_max);

	sim_log("gets no processor for %.3f ms", (double)pause / SIM_MS);
	sim.current->frozen_until = sim.now + pause;
	note_stall(pause);
}

/* Steps take time, and a run has a limit of them. */
static void count_step(void)
{
	sim.now += sim.schedule.step_cost;
	if (++sim.steps > STEPS_MAX) {
		sim_broken("livelock", "the run is not over after %d steps", STEPS_MAX);
		sim_give_up();
	}
	have_events_happen();
}

void sim_step(void)
{
	count_step();
	if (sim.stall_count < SIM_STALLS &&
	    sim_random_once_in(&sim.choices, sim.schedule.stop_once_in))
		stop_process();
	if (sim.stall_count < SIM_STALLS &&
	    sim_random_once_in(&sim.choices, sim.schedule.freeze_once_in))
		freeze_thread();
	if (sim.schedule.by_priority && sim_random_once_in(&sim.choices, 32))
		sim.current->priority = (uint32_t)sim_random_next(&sim.choices) >> 2;
	if (sim.current->frozen_until > sim.now || sim.schedule.by_priority ||
	    sim_random_once_in(&sim.choices, sim.schedule.switch_once_in))
		reschedule();
}

enum sim_outcome sim_wait(const char *waits, sim_ready_fn *ready, const void *subject,
			  int64_t deadline, bool cancellable)
{
	struct sim_thread *thread = sim.current;
	enum sim_outcome outcome = SIM_TIMED_OUT;

	thread->waits = waits;
	thread->ready = ready;
	thread->subject = subject;
	thread->deadline = deadline;
	thread->cancellable = cancellable;
	count_step();
	reschedule();
	if (can_cancel(thread))
		outcome = SIM_CANCELLED;
	else if (ready(subject))
		outcome = SIM_READY;
	thread->waits = NULL;
	thread->cancellable = false;
	return outcome;
}

bool sim_is_never(UNUSED const void *subject)
{
	return false;
}

void sim_sleep(int64_t ns)
{
	sim_wait("the end of its sleep", sim_is_never, NULL, sim.now + ns, false);
}

void sim_end_thread(void *result)
{
	struct sim_thread *thread = sim.current;

	if (thread->locks)
		sim_broken("lock-left", "%s ends with %u mutexes locked", thread->name,
			   thread->locks);
	if (thread->cancel_disabled && result != PTHREAD_CANCELED)
		sim_broken("cancel-left", "%s can't be cancelled any more", thread->name);
	thread->result = result;
	thread->ended = true;
	sim_log("ends");
	if (result == PTHREAD_CANCELED)
		cancelled = thread;
	if (!thread->number)
		sim_give_up();
	reschedule();
	abort(); /* no thread continues one that has ended */
}

static void begin_thread(void)
{
	continue_current();
	sim_log("begins");
	sim_end_thread(sim.current->start(sim.current->argument));
}

int sim_start_thread(const char *name, void *(*start)(void *), void *argument)
{
	struct sim_thread *thread = &sim.threads[sim.thread_count];

	if (sim.thread_count == SIM_THREADS)
		return -1;
	memset(thread, 0, sizeof(*thread));
	thread->number = sim.thread_count++;
	thread->name = name;
	thread->start = start;
	thread->argument = argument;
	thread->priority = (uint32_t)sim_random_next(&sim.choices) >> 1;
	coroutine_prepare(thread->number, begin_thread);
	if (thread->number)
		sim_races_start(thread->number);
	return (int)thread->number;
}

static bool has_ended(const void *thread)
{
	const struct sim_thread *joined = thread;

	return joined->ended && !joined->vanished;
}

void *sim_join_thread(int number)
{
	struct sim_thread *thread = &sim.threads[number];

	if (number < 0)
		return NULL;
	sim_wait(thread->name, has_ended, thread, SIM_NEVER, false);
	sim_races_join(thread->number);
	return thread->result;
}

void sim_give_up(void)
{
	sim.over = true;
	coroutine_switch(sim.current->number, OUTSIDE);
	abort(); /* a run that is over is never continued */
}

void sim_become_child(void)
{
	for (unsigned i = 0; i < sim.thread_count; i++)
		if (&sim.threads[i] != sim.current && !sim.threads[i].ended)
			sim.threads[i].ended = sim.threads[i].vanished = true;
	sim.is_child = true;
	sim_races_join_all();
}

void sim_spoil_vanished(void)
{
	for (unsigned i = 0; i < sim.thread_count; i++)
		if (sim.threads[i].vanished)
			coroutine_spoil(i);
}

void sim_run(void *(*main)(void *), void *argument)
{
	dl_iterate_phdr(find_tls, NULL);
	if (tls.size > SIM_TLS_SIZE)
		abort();
	memset(tls.start, 0, tls.size);
	cancelled = NULL;
	first_event = event_count = 0;
	sim = (struct sim_process){ .choices = sim.choices, .schedule = sim.schedule };
	sim.started = sim.now = 1000 * SIM_S + (int64_t)sim_random_below(&sim.choices, 1000000000);
	sim_start_thread("main", main, argument);
	sim.current = &sim.threads[0];
	coroutine_switch(OUTSIDE, 0);
}
