/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fork.c - see fork.h.
 */
#include <pthread.h>

#include "libibmad/base/fork.h"
#include "libibmad/internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool has_handlers;
static TAILQ_HEAD(mad_fork_members, mad_fork_member) members = TAILQ_HEAD_INITIALIZER(members);

static void call_members(enum mad_fork_moment moment)
{
	struct mad_fork_member *member;

	TAILQ_FOREACH(member, &members, link)
	member->at_fork(member, moment);
}

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
	call_members(MAD_FORK_BEFORE);
}

static void in_parent(void)
{
	call_members(MAD_FORK_AFTER);
	pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
	int cancel_state = mad_hold_cancel();

	call_members(MAD_FORK_CHILD);
	mad_release_cancel(cancel_state);
	in_parent();
}

/* Behind those of its rank. */
static void insert(struct mad_fork_member *member)
{
	struct mad_fork_member *before;

	TAILQ_FOREACH_REVERSE(before, &members, mad_fork_members, link)
	if (before->rank <= member->rank)
		break;
	if (before)
		TAILQ_INSERT_AFTER(&members, before, member, link);
	else
		TAILQ_INSERT_HEAD(&members, member, link);
	atomic_store(&member->is_added, true);
}

int mad_fork_add(struct mad_fork_member *member)
{
	int error = 0;

	if (atomic_load(&member->is_added))
		return 0;

	pthread_mutex_lock(&lock);
	if (!has_handlers)
		error = -pthread_atfork(before_fork, in_parent, in_child);
	has_handlers = !error;
	if (!error && !atomic_load(&member->is_added))
		insert(member);
	pthread_mutex_unlock(&lock);
	return error;
}

void mad_fork_remove(struct mad_fork_member *member)
{
	pthread_mutex_lock(&lock);
	TAILQ_REMOVE(&members, member, link);
	pthread_mutex_unlock(&lock);
}
