/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <errno.h>
#include <pthread.h>

#include "libibmad/base/fork.h"
#include "libibmad/internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool has_handlers;
/* libc would not run handlers of its own that are registered when a fork has begun, and waits for
 * locks. */
static void (*settle_functions[MAD_FORK_SETTLE_FUNCTIONS])(void);
static unsigned settle_count;
static TAILQ_HEAD(mad_fork_members, mad_fork_member) members = TAILQ_HEAD_INITIALIZER(members);

static void before_fork(void)
{
	struct mad_fork_member *member;

	pthread_mutex_lock(&lock);
	TAILQ_FOREACH(member, &members, link)
	pthread_mutex_lock(member->lock);
}

static void after_fork(void)
{
	struct mad_fork_member *member;

	TAILQ_FOREACH(member, &members, link)
	pthread_mutex_unlock(member->lock);
	pthread_mutex_unlock(&lock);
}

static void settle_child(void)
{
	after_fork();
	for (unsigned i = 0; i < settle_count; i++)
		settle_functions[i]();
}

/* With the lock. Returns 0 or -ENOMEM. */
static int add_handlers(void)
{
	int error = has_handlers ? 0 : -pthread_atfork(before_fork, after_fork, settle_child);

	has_handlers = !error;
	return error;
}

int mad_fork_add(struct mad_fork_member *member)
{
	int error;

	if (atomic_load(&member->is_added))
		return 0;

	pthread_mutex_lock(&lock);
	error = add_handlers();
	if (!error && !atomic_load(&member->is_added)) {
		if (member->rank == MAD_FORK_ENGINE)
			TAILQ_INSERT_HEAD(&members, member, link);
		else
			TAILQ_INSERT_TAIL(&members, member, link);
		atomic_store(&member->is_added, true);
	}
	pthread_mutex_unlock(&lock);
	return error;
}

void mad_fork_remove(struct mad_fork_member *member)
{
	pthread_mutex_lock(&lock);
	TAILQ_REMOVE(&members, member, link);
	pthread_mutex_unlock(&lock);
}

int mad_fork_in_child(atomic_bool *is_registered, void (*settle)(void))
{
	int error;

	pthread_mutex_lock(&lock);
	error = add_handlers();
	if (!error && !atomic_load(is_registered)) {
		if (settle_count < MAD_FORK_SETTLE_FUNCTIONS)
			settle_functions[settle_count++] = settle;
		else
			error = -ENOMEM;
	}
	atomic_store(is_registered, !error);
	pthread_mutex_unlock(&lock);
	return error;
}

struct mad_fork_member *mad_fork_next(enum mad_fork_rank rank, const struct mad_fork_member *member)
{
	struct mad_fork_member *next = member ? TAILQ_NEXT(member, link) : TAILQ_FIRST(&members);

	while (next && next->rank != rank)
		next = TAILQ_NEXT(next, link);
	return next;
}
