/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * madrpc_lock() and the safe_* calls. A thread between madrpc_lock() and madrpc_unlock() is alone:
 * safe_* calls of other threads wait for it. Among themselves safe_* calls do not wait, since all
 * calls on a port may run at the same time anyway.
 */
#include <pthread.h>
#include <stdbool.h>

#include "internal.h"

static struct {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	pthread_t owner; /* where depth is above 0 */
	unsigned depth;	 /* madrpc_lock() calls of the owner */
	unsigned calls;	 /* safe_* calls under way, of threads without the lock */
} program = { .mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static bool is_owner(void)
{
	return program.depth && pthread_equal(program.owner, pthread_self());
}

void madrpc_lock(void)
{
	pthread_mutex_lock(&program.mutex);
	while (!is_owner() && (program.depth || program.calls))
		pthread_cond_wait(&program.changed, &program.mutex);
	program.owner = pthread_self();
	program.depth++;
	pthread_mutex_unlock(&program.mutex);
}

/* Does nothing in a thread that does not hold the lock. */
void madrpc_unlock(void)
{
	pthread_mutex_lock(&program.mutex);
	if (is_owner() && !--program.depth)
		pthread_cond_broadcast(&program.changed);
	pthread_mutex_unlock(&program.mutex);
}

/* Returns whether the call has to be ended with end_call(). */
static bool begin_call(void)
{
	bool counted;

	pthread_mutex_lock(&program.mutex);
	counted = !is_owner();
	if (counted) {
		while (program.depth)
			pthread_cond_wait(&program.changed, &program.mutex);
		program.calls++;
	}
	pthread_mutex_unlock(&program.mutex);
	return counted;
}

static void end_call(bool counted)
{
	pthread_mutex_lock(&program.mutex);
	if (counted && !--program.calls)
		pthread_cond_broadcast(&program.changed);
	pthread_mutex_unlock(&program.mutex);
}

uint8_t *safe_smp_query(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
			unsigned timeout)
{
	bool counted = begin_call();
	uint8_t *answer = smp_query(rcvbuf, portid, attrid, mod, timeout);

	end_call(counted);
	return answer;
}

uint8_t *safe_smp_set(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
		      unsigned timeout)
{
	bool counted = begin_call();
	uint8_t *answer = smp_set(rcvbuf, portid, attrid, mod, timeout);

	end_call(counted);
	return answer;
}

uint8_t *safe_sa_call(void *rcvbuf, ib_portid_t *portid, ib_sa_call_t *sa, unsigned timeout)
{
	bool counted = begin_call();
	uint8_t *answer = sa_call(rcvbuf, portid, sa, timeout);

	end_call(counted);
	return answer;
}
