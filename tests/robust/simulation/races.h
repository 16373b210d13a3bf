/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Memory that two threads use without a lock, and memory that is gone. The program simulate-races
 * has libraries whose compiler (-fsanitize=thread) reports each access to the functions of
 * accesses.c instead of ThreadSanitizer's. Two accesses of which one writes must be ordered by a
 * mutex, an atomic operation, or the start or end of a thread, whatever order this schedule has put
 * them in; and none may reach a block that was freed or a frame of a function that has returned.
 *
 * In the program simulate all of this does nothing.
 */
#ifndef TESTS_SIMULATION_RACES_H
#define TESTS_SIMULATION_RACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_access { SIM_READ, SIM_WRITE, SIM_ATOMIC };

#ifdef SIM_RACES

/* Before a run: nobody has accessed anything. */
void sim_races_clear(void);

/* The current thread uses memory; where: the code that does, for reports. */
void sim_races_access(const void *start, size_t size, enum sim_access access, const void *where);

/* Everything that the current thread has done comes before what another does from now on. */
void sim_races_start(unsigned thread); /* started by the current one */
void sim_races_join(unsigned thread);  /* has ended, and the current one knows */
void sim_races_join_all(void);	       /* in the child of a fork, where the others are gone */

/* A mutex or an atomic variable: what came before a release comes before what follows the next
 * acquire. */
void sim_races_acquire(const void *object);
void sim_races_release(const void *object);

/* Of the libraries' heap: a block, and the memory in it that they may use. */
void sim_races_allocate(const void *block, size_t whole, const void *start, size_t size);
void sim_races_free(const void *start, size_t size, const void *where);

/* How many blocks of a kind the libraries keep for later use in this run. */
extern unsigned sim_races_spares;

#else
#define sim_races_clear()	((void)0)
#define sim_races_access(...)	((void)0)
#define sim_races_start(...)	((void)0)
#define sim_races_join(...)	((void)0)
#define sim_races_join_all()	((void)0)
#define sim_races_acquire(...)	((void)0)
#define sim_races_release(...)	((void)0)
#define sim_races_allocate(...) ((void)0)
#define sim_races_free(...)	((void)0)
#endif
#endif
