/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The locks of libibumad. While a thread holds one, all its signals are blocked and it cannot be
 * cancelled, so a signal handler may use what the lock guards. fork() waits for all of them, so
 * that the child, which has no other threads, finds them free and the guarded data consistent.
 */
#include <pthread.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

static pthread_mutex_t locks[UMAD_LOCKS] = {
	[UMAD_LOCK_LIBRARY] = PTHREAD_MUTEX_INITIALIZER,
	[UMAD_LOCK_CAPTURE] = PTHREAD_MUTEX_INITIALIZER,
};

static struct umad_lock_hold fork_hold; /* the thread that forks; guarded by all locks */

static void hold_thread(struct umad_lock_hold *hold)
{
	sigset_t all;

	sigfillset(&all);
	hold->cancel_state = umad_sys_hold_cancel();
	pthread_sigmask(SIG_SETMASK, &all, &hold->signals);
}

static void release_thread(const struct umad_lock_hold *hold)
{
	pthread_sigmask(SIG_SETMASK, &hold->signals, NULL);
	umad_sys_release_cancel(hold->cancel_state);
}

void umad_lock_take(enum umad_lock lock, struct umad_lock_hold *hold)
{
	hold_thread(hold);
	pthread_mutex_lock(&locks[lock]);
}

void umad_lock_release(enum umad_lock lock, const struct umad_lock_hold *hold)
{
	pthread_mutex_unlock(&locks[lock]);
	release_thread(hold);
}

static void before_fork(void)
{
	struct umad_lock_hold hold;

	hold_thread(&hold);
	for (int i = 0; i < UMAD_LOCKS; i++)
		pthread_mutex_lock(&locks[i]);
	fork_hold = hold;
}

static void after_fork(void)
{
	struct umad_lock_hold hold = fork_hold;

	for (int i = UMAD_LOCKS; i-- > 0;)
		pthread_mutex_unlock(&locks[i]);
	release_thread(&hold);
}

/* At load time, since another thread may fork while the first lock is being taken. If this fails
 * (out of memory), forks are no safer than without it. */
static __attribute__((constructor)) void prepare_forks(void)
{
	pthread_atfork(before_fork, after_fork, after_fork);
}
