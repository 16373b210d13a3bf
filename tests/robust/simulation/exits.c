/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Replacements of the functions of pthreads that concern fork() and threads that are cancelled. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

#include "invariants.h"
#include "replaced.h"
#include "requests.h"
#include "scheduler.h"
#include "threads.h"

enum { FORK_HANDLERS = 8 };

/* The functions for before a fork, after it in the parent, and in the child. */
static void (*fork_handlers[FORK_HANDLERS][3])(void);
static int fork_handler_count;
static int fork_handlers_prepared; /* handlers registered later do not run for this fork */
static bool in_fork_handler;

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

bool sim_is_in_fork_handler(void)
{
	return in_fork_handler;
}

void sim_after_fork(bool child)
{
	in_fork_handler = true;
	for (int i = 0; i < fork_handlers_prepared; i++)
		if (fork_handlers[i][1 + child])
			fork_handlers[i][1 + child]();
	in_fork_handler = false;
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
