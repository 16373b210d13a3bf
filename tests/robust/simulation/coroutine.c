/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See scheduler.h. A swapcontext() asks the kernel for the signal mask, which takes a tenth of the
 * time of a run: not enough for code of our own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "memory.h"
#include "scheduler.h"

enum { GUARD_SIZE = 4096, USED_SIZE = 32 * 1024 };

static ucontext_t contexts[SIM_THREADS + 1];

void *sim_map(size_t size)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (map == MAP_FAILED) {
		perror("simulate: no memory");
		exit(EXIT_FAILURE);
	}
	return map;
}

/* Each stack has a guard page below it. */
char *sim_stacks(void)
{
	static char *stacks;

	if (stacks)
		return stacks;
	stacks = sim_map((size_t)SIM_STACK_SIZE * SIM_THREADS);
	for (size_t i = 0; i < SIM_THREADS; i++)
		if (mprotect(stacks + i * SIM_STACK_SIZE, GUARD_SIZE, PROT_NONE))
			abort();
	return stacks;
}

void sim_coroutine_prepare(unsigned number, void (*entry)(void))
{
	ucontext_t *context = &contexts[number];

	if (getcontext(context))
		abort();
	context->uc_stack.ss_sp = sim_stacks() + (size_t)SIM_STACK_SIZE * number;
	context->uc_stack.ss_size = SIM_STACK_SIZE;
	context->uc_link = NULL;
	makecontext(context, entry, 0);
}

void sim_coroutine_spoil(unsigned number)
{
	memset(sim_stacks() + (size_t)SIM_STACK_SIZE * (number + 1) - USED_SIZE, 0xdd, USED_SIZE);
}

void sim_coroutine_switch(unsigned from, unsigned to)
{
	swapcontext(&contexts[from], &contexts[to]);
}
