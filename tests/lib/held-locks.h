/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How many mutexes the calling thread has locked and not unlocked. For programs that replace
 * pthread_mutex_lock, _trylock and _unlock at link time (-Wl,--wrap).
 */
#ifndef TESTS_LIB_HELD_LOCKS_H
#define TESTS_LIB_HELD_LOCKS_H

int held_locks(void);

#endif
