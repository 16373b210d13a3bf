/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * madrpc_lock() and the safe_* calls. While a thread is between madrpc_lock() and madrpc_unlock(),
 * safe_* calls of other threads wait. safe_* calls do not exclude each other, because all calls on
 * a port may run concurrently.
 */
#include <pthread.h>
#include <stdbool.h>

#include "libibmad/base/fork.h"
#include "libibmad/internal.h"

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	pthread_t owner;	 /* valid while depth is above 0 */
	unsigned depth;		 /* madrpc_lock() calls of the owner */
	unsigned calls;		 /* safe_* calls in progress, in threads without the lock */
	unsigned waiting_owners; /* in madrpc_lock(), with priority over new calls */
	unsigned waiting_calls;
	unsigned admitted; /* calls that waited when the lock was released: before owners */
} program = { .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static bool is_owner(void)
{
	return program.depth && pthread_equal(program.owner, pthread_self());
}

/* The child has only the thread that forked. */
static void forget_threads(void)
{
	program.calls = program.waiting_owners = program.waiting_calls = program.admitted = 0;
	if (!is_owner())
		program.depth = 0;
	pthread_cond_init(&program.changed, NULL);
}

/* Without memory for the handlers of fork(), forks are no safer than without them. */
static void lock_program(void)
{
	static struct mad_fork_member member = { .rank = MAD_FORK_LEAF, .lock = &program.mutex };
	static atomic_bool is_registered;

	mad_fork_add(&member);
	if (!atomic_load(&is_registered))
		mad_fork_in_child(&is_registered, forget_threads);
	pthread_mutex_lock(&program.mutex);
}

/* A waiting thread is being cancelled; it holds the mutex. */
static void stop_waiting(void *waiting)
{
	unsigned *count = waiting;

	--*count;
	if (program.admitted > program.waiting_calls)
		program.admitted = program.waiting_calls;
	pthread_cond_broadcast(&program.changed);
	pthread_mutex_unlock(&program.mutex);
}

/* Waits for a change, counted in *waiting. */
static void wait_for_change(unsigned *waiting)
{
	++*waiting;
	pthread_cleanup_push(stop_waiting, waiting);
	pthread_cond_wait(&program.changed, &program.mutex);
	pthread_cleanup_pop(0);
	--*waiting;
}

void madrpc_lock(void)
{
	lock_program();
	while (!is_owner() && (program.depth || program.calls || program.admitted))
		wait_for_change(&program.waiting_owners);
	program.owner = pthread_self();
	program.depth++;
	pthread_mutex_unlock(&program.mutex);
}

/* Has no effect in a thread that does not hold the lock. */
void madrpc_unlock(void)
{
	lock_program();
	if (is_owner() && !--program.depth) {
		program.admitted = program.waiting_calls;
		pthread_cond_broadcast(&program.changed);
	}
	pthread_mutex_unlock(&program.mutex);
}

static bool has_to_wait(void)
{
	return program.depth || (program.waiting_owners && !program.admitted);
}

/* Returns whether the caller has to call end_call(). */
static bool begin_call(void)
{
	bool counted;

	lock_program();
	counted = !is_owner();
	if (counted) {
		while (has_to_wait())
			wait_for_change(&program.waiting_calls);
		program.admitted -= program.admitted > 0;
		program.calls++;
	}
	pthread_mutex_unlock(&program.mutex);
	return counted;
}

static void end_call(void *counted)
{
	pthread_mutex_lock(&program.mutex);
	if (*(bool *)counted && !--program.calls)
		pthread_cond_broadcast(&program.changed);
	pthread_mutex_unlock(&program.mutex);
}

/* Calls one of the functions without a port while no other thread has the lock. */
#define SAFELY(call)                              \
	bool counted = begin_call();              \
	uint8_t *response;                        \
                                                  \
	pthread_cleanup_push(end_call, &counted); \
	response = call;                          \
	pthread_cleanup_pop(1);                   \
	return response

uint8_t *safe_smp_query(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
			unsigned timeout)
{
	SAFELY(smp_query(rcvbuf, portid, attrid, mod, timeout));
}

uint8_t *safe_smp_set(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
		      unsigned timeout)
{
	SAFELY(smp_set(rcvbuf, portid, attrid, mod, timeout));
}

uint8_t *safe_sa_call(void *rcvbuf, ib_portid_t *portid, ib_sa_call_t *sa, unsigned timeout)
{
	SAFELY(sa_call(rcvbuf, portid, sa, timeout));
}
