/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Replacements of the functions of pthreads: the objects are libc's, but their first words hold the
 * simulated state. Everything that POSIX leaves open is the scheduler's choice: which waiter a
 * signal wakes, who gets a mutex that several wait for, wake-ups without a signal.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "invariants.h"
#include "races.h"
#include "requests.h"
#include "scheduler.h"
#include "threads.h"

#define REALTIME_OFFSET (INT64_C(1700000000) * SIM_S)

struct mutex {
	uint32_t owner; /* number of the thread and one; 0: nobody */
	uint32_t destroyed;
};

struct condition {
	uint32_t monotonic; /* deadlines are of CLOCK_MONOTONIC */
	uint32_t waiters;
	uint32_t destroyed;
};

_Static_assert(sizeof(struct mutex) <= sizeof(pthread_mutex_t), "fits a mutex");
_Static_assert(sizeof(struct condition) <= sizeof(pthread_cond_t), "fits a condition variable");

enum { DESTROYED = 0x0dead0dd };

#define WHERE __builtin_return_address(0)

/* Mutexes */

static bool is_free(const void *subject)
{
	return !((const struct mutex *)subject)->owner;
}

static void lock(struct mutex *mutex)
{
	sim_races_access(mutex, sizeof(*mutex), SIM_ATOMIC, WHERE);
	if (mutex->destroyed == DESTROYED)
		sim_broken("destroyed", "%s locks a mutex that was destroyed", sim.current->name);
	if (mutex->owner == sim.current->number + 1)
		sim_broken("lock-twice", "%s locks a mutex that it holds", sim.current->name);
	while (mutex->owner)
		sim_wait("a mutex", is_free, mutex, SIM_NEVER, false);
	mutex->owner = sim.current->number + 1;
	sim.current->locks++;
	sim_races_acquire(mutex);
}

static void unlock(struct mutex *mutex)
{
	if (mutex->owner != sim.current->number + 1) {
		sim_broken("unlock", "%s unlocks a mutex that it does not hold", sim.current->name);
		return;
	}
	sim_races_release(mutex);
	mutex->owner = 0;
	sim.current->locks--;
}

REPLACED(int, pthread_mutex_init, pthread_mutex_t *mutex,
	 UNUSED const pthread_mutexattr_t *attributes)
{
	memset(mutex, 0, sizeof(*mutex));
	return 0;
}

REPLACED(int, pthread_mutex_destroy, pthread_mutex_t *mutex)
{
	struct mutex *own = (struct mutex *)mutex;

	if (own->owner && !sim.is_child)
		sim_broken("destroyed", "%s destroys a mutex that is locked", sim.current->name);
	own->destroyed = DESTROYED;
	return 0;
}

REPLACED(int, pthread_mutex_lock, pthread_mutex_t *mutex)
{
	sim_step();
	lock((struct mutex *)mutex);
	return 0;
}

REPLACED(int, pthread_mutex_unlock, pthread_mutex_t *mutex)
{
	unlock((struct mutex *)mutex);
	sim_step();
	return 0;
}

/* Condition variables */

REPLACED(int, pthread_condattr_init, pthread_condattr_t *attributes)
{
	memset(attributes, 0, sizeof(*attributes));
	return 0;
}

REPLACED(int, pthread_condattr_setclock, pthread_condattr_t *attributes, clockid_t clock)
{
	*(uint32_t *)(void *)attributes = clock == CLOCK_MONOTONIC;
	return 0;
}

/* A fork handler initialises anew what was a condition variable already: no C library fails there.
 */
REPLACED(int, pthread_cond_init, pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
	if (!sim_is_in_fork_handler && sim_fails_for_memory())
		return ENOMEM;
	memset(condition, 0, sizeof(*condition));
	if (attributes)
		((struct condition *)condition)->monotonic =
			*(const uint32_t *)(const void *)attributes;
	return 0;
}

REPLACED(int, pthread_cond_destroy, pthread_cond_t *condition)
{
	struct condition *own = (struct condition *)condition;

	if (own->waiters) /* a child would wait for the parent's waiters */
		sim_broken(sim.is_child ? "condition-left" : "destroyed",
			   "%s destroys a condition variable with %u waiters", sim.current->name,
			   own->waiters);
	own->destroyed = DESTROYED;
	return 0;
}

static bool was_signalled(const void *thread)
{
	return ((const struct sim_thread *)thread)->cond_signalled;
}

/* Wakes none, one or all of the waiters. In the child of a fork, a condition variable that other
 * threads of the parent waited for is to be initialised anew before its use: a real one would wake
 * these, or wait for them. */
static void wake(struct condition *condition, unsigned most)
{
	struct sim_thread *found[SIM_THREADS];
	unsigned count = 0, there = 0;

	sim_races_access(condition, sizeof(*condition), SIM_ATOMIC, WHERE);
	if (condition->destroyed == DESTROYED)
		sim_broken("destroyed", "%s uses a condition variable that was destroyed",
			   sim.current->name);
	for (unsigned i = 0; i < sim.thread_count; i++) {
		struct sim_thread *thread = &sim.threads[i];

		if (thread->waiting_for != condition || thread->ended)
			continue;
		there++;
		if (!thread->cond_signalled)
			found[count++] = thread;
	}
	if (there < condition->waiters)
		sim_broken("condition-left", "%s uses a condition variable with %u lost waiters",
			   sim.current->name, condition->waiters - there);
	for (unsigned i = 0; most > 1 && i < count; i++)
		found[i]->cond_signalled = true;
	if (most == 1 && count)
		found[sim_random_below(&sim.choices, count)]->cond_signalled = true;
}

REPLACED(int, pthread_cond_signal, pthread_cond_t *condition)
{
	wake((struct condition *)condition, 1);
	sim_step();
	return 0;
}

REPLACED(int, pthread_cond_broadcast, pthread_cond_t *condition)
{
	wake((struct condition *)condition, SIM_THREADS);
	sim_step();
	return 0;
}

static int wait_for(struct condition *condition, struct mutex *mutex, int64_t deadline)
{
	struct sim_thread *thread = sim.current;
	int64_t began = sim.now;
	enum sim_outcome outcome;

	wake(condition, 0);
	thread->cond_signalled = sim_random_once_in(&sim.choices, sim.schedule.spurious_once_in);
	thread->waiting_for = condition;
	condition->waiters++;
	unlock(mutex);
	outcome = sim_wait(deadline == SIM_NEVER ? "a condition variable, without a limit"
						 : "a condition variable",
			   was_signalled, thread, deadline, true);
	sim_check_cancellable(began);
	condition->waiters--;
	thread->waiting_for = NULL;
	if (outcome == SIM_CANCELLED && thread->cond_signalled) /* the signal must not be lost */
		wake(condition, 1);
	thread->cond_signalled = false;
	lock(mutex);
	if (outcome == SIM_CANCELLED)
		sim_cancel_self();
	return outcome == SIM_TIMED_OUT ? ETIMEDOUT : 0;
}

REPLACED(int, pthread_cond_wait, pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	return wait_for((struct condition *)condition, (struct mutex *)mutex, SIM_NEVER);
}

static int64_t deadline_on(bool monotonic, const struct timespec *time)
{
	int64_t deadline;

	if (time->tv_sec >= INT64_MAX / SIM_S)
		return SIM_NEVER - 1;
	deadline = (int64_t)time->tv_sec * SIM_S + time->tv_nsec;
	return monotonic ? deadline : deadline - REALTIME_OFFSET;
}

REPLACED(int, pthread_cond_timedwait, pthread_cond_t *condition, pthread_mutex_t *mutex,
	 const struct timespec *until)
{
	struct condition *own = (struct condition *)condition;

	return wait_for(own, (struct mutex *)mutex, deadline_on(own->monotonic, until));
}

/* Threads */

REPLACED(int, pthread_create, pthread_t *thread, UNUSED const pthread_attr_t *attributes,
	 void *(*start)(void *), void *argument)
{
	int number = sim_fails_for_memory() ? -1 : sim_start_thread("library", start, argument);

	if (number < 0)
		return EAGAIN;
	*thread = (pthread_t)number + 1;
	sim_step();
	return 0;
}

REPLACED(int, pthread_join, pthread_t thread, void **result)
{
	void *got;

	sim_cancellation_point("pthread_join");
	got = sim_join_thread((int)thread - 1);
	if (result)
		*result = got;
	return 0;
}

REPLACED(pthread_t, pthread_self, void)
{
	return (pthread_t)sim.current->number + 1;
}

REPLACED(int, pthread_equal, pthread_t one, pthread_t other)
{
	return one == other;
}

REPLACED(int, pthread_sigmask, UNUSED int how, UNUSED const sigset_t *set, sigset_t *before)
{
	if (before)
		memset(before, 0, sizeof(*before));
	return 0;
}

/* Clocks and sleep */

REPLACED(int, clock_gettime, clockid_t clock, struct timespec *time)
{
	int64_t now;

	sim_step();
	sim.current->clock_read_at = sim.now;
	now = sim.now + (clock == CLOCK_REALTIME ? REALTIME_OFFSET : 0);
	time->tv_sec = now / SIM_S;
	time->tv_nsec = now % SIM_S;
	return 0;
}

int replaced_nanosleep(const struct timespec *wanted, struct timespec *left)
{
	int64_t ns = (int64_t)wanted->tv_sec * SIM_S + wanted->tv_nsec;

	if (left)
		memset(left, 0, sizeof(*left));
	if (sim_wait("the end of its nanosleep()", sim_is_never, NULL, sim.now + ns, true) ==
	    SIM_CANCELLED)
		sim_cancel_self();
	return 0;
}

/* fork() */

enum { FORK_HANDLERS = 8 };

/* The functions for before a fork, after it in the parent, and in the child. */
static void (*fork_handlers[FORK_HANDLERS][3])(void);
static int fork_handler_count;
static int fork_handlers_prepared; /* handlers registered later do not run for this fork */
bool sim_is_in_fork_handler;

void sim_exits_clear(void)
{
	fork_handler_count = 0;
}

REPLACED(int, pthread_atfork, void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
	if (fork_handler_count == FORK_HANDLERS)
		return ENOMEM;
	fork_handlers[fork_handler_count][0] = prepare;
	fork_handlers[fork_handler_count][1] = parent;
	fork_handlers[fork_handler_count++][2] = child;
	return 0;
}

void sim_before_fork(void)
{
	fork_handlers_prepared = fork_handler_count;
	for (int i = fork_handlers_prepared - 1; i >= 0; i--)
		if (fork_handlers[i][0])
			fork_handlers[i][0]();
}

void sim_after_fork(bool child)
{
	sim_is_in_fork_handler = true;
	for (int i = 0; i < fork_handlers_prepared; i++)
		if (fork_handlers[i][1 + child])
			fork_handlers[i][1 + child]();
	sim_is_in_fork_handler = false;
}

/* Cancellation. pthread_cleanup_push() of C programs saves where to jump to in a list. A handler of
 * a simulated program is in the same list, and names itself there. */

REPLACED(void, __pthread_register_cancel, __pthread_unwind_buf_t *buffer)
{
	buffer->__pad[0] = sim.current->cleanup;
	buffer->__pad[1] = NULL;
	sim.current->cleanup = buffer;
}

REPLACED(void, __pthread_unregister_cancel, __pthread_unwind_buf_t *buffer)
{
	sim.current->cleanup = buffer->__pad[0];
}

void sim_cleanup_push(struct sim_cleanup *cleanup, void (*routine)(void *argument), void *argument)
{
	cleanup->routine = routine;
	cleanup->argument = argument;
	replaced___pthread_register_cancel(&cleanup->place);
	cleanup->place.__pad[1] = cleanup;
}

void sim_cleanup_pop(struct sim_cleanup *cleanup)
{
	replaced___pthread_unregister_cancel(&cleanup->place);
}

/* Calls the handlers of programs up to the innermost one of the libraries, and that, which comes
 * back here; ends the thread where there is none. */
static void __attribute__((noreturn)) unwind(void)
{
	__pthread_unwind_buf_t *buffer;
	jmp_buf to;

	while ((buffer = sim.current->cleanup) && buffer->__pad[1]) {
		const struct sim_cleanup *cleanup = buffer->__pad[1];

		sim.current->cleanup = buffer->__pad[0];
		cleanup->routine(cleanup->argument);
	}
	if (!buffer)
		sim_end_thread(PTHREAD_CANCELED);
	sim.current->cleanup = buffer->__pad[0];
	memset(to, 0, sizeof(to)); /* the buffer has no space for a signal mask */
	memcpy(to, buffer->__cancel_jmp_buf, sizeof(buffer->__cancel_jmp_buf));
	longjmp(to, 1);
}

REPLACED(void, __pthread_unwind_next, UNUSED __pthread_unwind_buf_t *buffer)
{
	unwind();
}

void sim_cancel_self(void)
{
	sim_log("is cancelled");
	sim.current->cancel_requested = false;
	sim.current->cancel_disabled = true;
	unwind();
}

static bool has_to_end(void)
{
	return sim.current->cancel_requested && !sim.current->cancel_disabled;
}

void sim_cancellation_point(const char *call)
{
	if (!has_to_end())
		return;
	sim_broken("cancelled-in", "%s is cancelled in %s(), and does not wait for a MAD",
		   sim.current->name, call);
	sim_cancel_self();
}

void sim_check_cancellable(int64_t since)
{
	const struct sim_thread *thread = sim.current;

	if (!thread->cancel_requested || !thread->cancel_disabled)
		return;
	if (since < thread->cancel_requested_at)
		since = thread->cancel_requested_at;
	if (sim.now - since > sim_excused_since(since))
		sim_broken("cancelled-late", "%s waits for %.3f ms, and is to end", thread->name,
			   (double)(sim.now - since) / SIM_MS);
}

void replaced_pthread_testcancel(void)
{
	if (has_to_end())
		sim_cancel_self();
}

REPLACED(int, pthread_setcancelstate, int state, int *before)
{
	if (before)
		*before = sim.current->cancel_disabled ? PTHREAD_CANCEL_DISABLE
						       : PTHREAD_CANCEL_ENABLE;
	sim.current->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
	return 0;
}

void sim_cancel_thread(int number)
{
	sim_log("cancels %s", sim.threads[number].name);
	sim.threads[number].cancel_requested = true;
	sim.threads[number].cancel_requested_at = sim.now;
	sim_step();
}
