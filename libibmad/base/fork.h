/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Supports fork() while other threads use the library: all its locks are taken meanwhile, in one
 * order, so that the child finds consistent data. The child has only the thread that forked: each
 * layer settles there what the parent's other threads were doing, so that every object can be used
 * and destroyed.
 */
#ifndef LIBIBMAD_FORK_H
#define LIBIBMAD_FORK_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/queue.h>

/* The order in which threads take locks; no thread takes two of one rank. The registry's own lock
 * is taken first, with no other lock held. */
enum mad_fork_rank {
	MAD_FORK_ENGINE, /* a port */
	MAD_FORK_LEAF,	 /* a thread that has its lock takes no other */
};

#define MAD_FORK_SETTLE_FUNCTIONS 4

struct mad_fork_member {
	TAILQ_ENTRY(mad_fork_member) link;
	enum mad_fork_rank rank;
	atomic_bool is_added;
	pthread_mutex_t *lock;
};

/* Adds a member, unless it has been added. Returns 0 or -ENOMEM. */
int mad_fork_add(struct mad_fork_member *member);
void mad_fork_remove(struct mad_fork_member *member);

/*
 * Has settle() called in the child of each fork, when the locks are free again, in the order of
 * registration; at most MAD_FORK_SETTLE_FUNCTIONS of them. *is_registered: whether settle() is
 * registered already. Returns 0 or -ENOMEM.
 */
int mad_fork_in_child(atomic_bool *is_registered, void (*settle)(void));
/* For settle(): the next member of a rank after `member` (NULL: the first), or NULL. */
struct mad_fork_member *mad_fork_next(enum mad_fork_rank rank,
				      const struct mad_fork_member *member);

#endif
