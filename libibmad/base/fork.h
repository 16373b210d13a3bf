/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Supports fork() while other threads use the library: all its locks are taken meanwhile, and the
 * registered functions settle in the child, which has only the thread that forked, what the others
 * were doing, so that every object can be used and destroyed.
 */
#ifndef LIBIBMAD_FORK_H
#define LIBIBMAD_FORK_H

#include <stdatomic.h>
#include <sys/queue.h>

enum mad_fork_moment {
	MAD_FORK_BEFORE, /* take the locks, so that the child finds consistent data */
	MAD_FORK_CHILD,	 /* in the child: forget the other threads */
	MAD_FORK_AFTER,	 /* in both: release the locks */
};

/* What has a lock, in the order in which threads take them; nothing takes two of one kind. The
 * registry's own lock is taken before all of these, and with none of them held. */
enum mad_fork_rank {
	MAD_FORK_ENGINE, /* a port */
	MAD_FORK_ASYNC,	 /* a struct mad_async */
	MAD_FORK_LEAF,	 /* with its lock no other is taken */
};

struct mad_fork_member {
	TAILQ_ENTRY(mad_fork_member) link;
	enum mad_fork_rank rank;
	atomic_bool is_added;
	void (*at_fork)(struct mad_fork_member *member, enum mad_fork_moment moment);
};

/* The functions are called in the order of their ranks. A member that is there already stays.
 * Returns 0 or -ENOMEM. */
int mad_fork_add(struct mad_fork_member *member);
void mad_fork_remove(struct mad_fork_member *member);

#endif
