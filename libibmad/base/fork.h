/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Supports fork() while other threads use a port. The child has only the thread that forked: the
 * registered functions forget the others there, so that every object can be used and destroyed.
 */
#ifndef LIBIBMAD_FORK_H
#define LIBIBMAD_FORK_H

#include <sys/queue.h>

enum mad_fork_moment {
	MAD_FORK_BEFORE, /* take the locks, so that the child finds consistent data */
	MAD_FORK_CHILD,	 /* in the child: forget the other threads */
	MAD_FORK_AFTER,	 /* in both: release the locks */
};

struct mad_fork_member {
	TAILQ_ENTRY(mad_fork_member) link;
	void (*at_fork)(struct mad_fork_member *member, enum mad_fork_moment moment);
};

/* The functions are called in the order of registration, which is their lock order. Returns 0 or
 * -ENOMEM. */
int mad_fork_add(struct mad_fork_member *member);
void mad_fork_remove(struct mad_fork_member *member);

#endif
