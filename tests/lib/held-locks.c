/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See held-locks.h. */
#include "held-locks.h"

#include <pthread.h>

static _Thread_local int held;

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __real_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

int held_locks(void)
{
	return held;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int error = __real_pthread_mutex_lock(mutex);

	held += !error;
	return error;
}

int __wrap_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	int error = __real_pthread_mutex_trylock(mutex);

	held += !error;
	return error;
}

int __wrap_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
	int error = __real_pthread_mutex_timedlock(mutex, until);

	held += !error;
	return error;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	int error = __real_pthread_mutex_unlock(mutex);

	held -= !error;
	return error;
}
