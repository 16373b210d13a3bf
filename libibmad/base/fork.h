/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Supports fork() while other threads use the library: all its locks are taken meanwhile, in one
 * order, so that the child finds consistent data. What the parent's other threads were doing each
 * layer settles in the child, which has only the thread that forked, so that every object can be
 * used and destroyed.
 */
#ifndef LIBIBMAD_FORK_H
#define LIBIBMAD_FORK_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/queue.h>

/* What has a lock, in the order in which threads take them; nothing takes two of one kind. The
 * registry's own lock is taken before all of these, and with none of them held. */
enum mad_fork_rank {
	MAD_FORK_ENGINE, /* a port */
	MAD_FORK_LEAF,	 /* with its lock no other is taken */
};

#define MAD_FORK_SETTLE_FUNCTIONS 4

struct mad_fork_member {
	TAILQ_ENTRY(mad_fork_member) link;
	enum mad_fork_rank rank;
	atomic_bool is_added;
	pthread_mutex_t *lock;
};

/* A member that is there already stays. Returns 0 or -ENOMEM. */
int mad_fork_add(struct mad_fork_member *member);
void mad_fork_remove(struct mad_fork_member *member);

/*
 * From now on settle() is called in the child of a fork, when the locks are free again, after what
 * was registered before: at most MAD_FORK_SETTLE_FUNCTIONS of them. Nothing happens where
 * *is_registered says that it is. Returns 0 or -ENOMEM.
 */
int mad_fork_in_child(atomic_bool *is_registered, void (*settle)(void));
/* For settle(): the first member of that rank after another one (NULL: of all), or NULL. */
struct mad_fork_member *mad_fork_next(enum mad_fork_rank rank,
				      const struct mad_fork_member *member);

#endif
