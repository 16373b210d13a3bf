/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fork.c - see fork.h.
 */
#include <pthread.h>

#include "libibmad/base/fork.h"
#include "libibmad/internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool has_handlers;
static TAILQ_HEAD(, mad_fork_member) members = TAILQ_HEAD_INITIALIZER(members);

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

	mad_state_forget_trid();
	call_members(MAD_FORK_CHILD);
	mad_release_cancel(cancel_state);
	in_parent();
}

int mad_fork_add(struct mad_fork_member *member)
{
	int error = 0;

	pthread_mutex_lock(&lock);
	if (!has_handlers)
		error = -pthread_atfork(before_fork, in_parent, in_child);
	has_handlers = !error;
	if (!error)
		TAILQ_INSERT_TAIL(&members, member, link);
	pthread_mutex_unlock(&lock);
	return error;
}

void mad_fork_remove(struct mad_fork_member *member)
{
	pthread_mutex_lock(&lock);
	TAILQ_REMOVE(&members, member, link);
	pthread_mutex_unlock(&lock);
}
