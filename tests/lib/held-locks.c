/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See held-locks.h. */
#include "held-locks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { HELD_MAX = 64 };

static _Thread_local int held;
static _Thread_local struct {
	const pthread_mutex_t *mutex;
	const void *locked_at;
} locks[HELD_MAX];

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

int held_locks(void)
{
	return held;
}

/* Names the function, where the machine has a program for that. */
static void report_kept(const void *locked_at)
{
	char command[128];
	Dl_info info;

	if (!dladdr(locked_at, &info))
		abort();
	fprintf(stderr, "a lock is kept, and now locked again; it was locked in %s+0x%lx:\n",
		info.dli_fname, (unsigned long)((uintptr_t)locked_at - (uintptr_t)info.dli_fbase));
	snprintf(command, sizeof(command), "addr2line -f -p -e /proc/%d/exe 0x%lx >&2", getpid(),
		 (unsigned long)((uintptr_t)locked_at - (uintptr_t)info.dli_fbase));
	if (system(command)) /* NOLINT(cert-env33-c,concurrency-mt-unsafe) */
		fputs("(no addr2line)\n", stderr);
	abort();
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int error;

	for (int i = 0; i < held && i < HELD_MAX; i++)
		if (locks[i].mutex == mutex)
			report_kept(locks[i].locked_at);
	error = __real_pthread_mutex_lock(mutex);
	if (!error && held < HELD_MAX) {
		locks[held].mutex = mutex;
		locks[held].locked_at = __builtin_return_address(0);
	}
	held += !error;
	return error;
}

static void forget(const pthread_mutex_t *mutex)
{
	int i = held - 1;

	while (i >= 0 && (i >= HELD_MAX || locks[i].mutex != mutex))
		i--;
	for (; i >= 0 && i + 1 < held && i + 1 < HELD_MAX; i++)
		locks[i] = locks[i + 1];
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	int error = __real_pthread_mutex_unlock(mutex);

	if (!error)
		forget(mutex);
	held -= !error;
	return error;
}
