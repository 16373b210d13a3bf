/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Coroutines: stacks of their own, and the switch from one to another. */
#ifndef TESTS_SIMULATION_COROUTINE_H
#define TESTS_SIMULATION_COROUTINE_H

#include <stddef.h>

enum { SIM_COROUTINES = 24 };

/* Opaque; zeroed before its first use. One with stack NULL stands for the program's own stack. */
struct sim_coroutine {
	void *stack;
	void *saved;
};

/* Gives the coroutine a stack, unless it has one, and has it begin in entry(), which never returns,
 * when it is switched to. Stacks have a guard page below them and are never freed. */
void sim_coroutine_prepare(struct sim_coroutine *coroutine, void (*entry)(void));

/* The memory of all stacks, in the order in which coroutines were prepared first. */
void sim_coroutine_stacks(const char **start, const char **stop);

/* Overwrites the frames of a coroutine that nobody will continue: the stack of a thread that is
 * gone may become another's. */
void sim_coroutine_spoil(const struct sim_coroutine *coroutine);

/* Continues `to`; returns when somebody switches back to `from`. */
void sim_coroutine_switch(struct sim_coroutine *from, struct sim_coroutine *to);

#endif
