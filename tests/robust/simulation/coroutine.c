/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See coroutine.h. A swapcontext() asks the kernel for the signal mask, which takes a tenth of the
 * time of a run: not enough for code of our own. */
#include "coroutine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK_SIZE = 256 * 1024, GUARD_SIZE = 4096, USED_SIZE = 32 * 1024 };

static char *stacks;
static int stack_count;

static void map_stacks(void)
{
	stacks = mmap(NULL, (size_t)STACK_SIZE * SIM_COROUTINES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (stacks == MAP_FAILED) {
		perror("simulate: no memory for stacks");
		exit(EXIT_FAILURE);
	}
}

void sim_coroutine_stacks(const char **start, const char **stop)
{
	if (!stacks)
		map_stacks();
	*start = stacks;
	*stop = stacks + (size_t)STACK_SIZE * SIM_COROUTINES;
}

static void *new_stack(void)
{
	char *stack;

	if (!stacks)
		map_stacks();
	if (stack_count == SIM_COROUTINES)
		abort();
	stack = stacks + (size_t)STACK_SIZE * (size_t)stack_count++;
	if (mprotect(stack, GUARD_SIZE, PROT_NONE)) {
		perror("simulate: no guard below a stack");
		exit(EXIT_FAILURE);
	}
	return stack;
}

static ucontext_t *context_of(struct sim_coroutine *coroutine)
{
	if (!coroutine->saved)
		coroutine->saved = calloc(1, sizeof(ucontext_t));
	if (!coroutine->saved)
		abort();
	return coroutine->saved;
}

void sim_coroutine_prepare(struct sim_coroutine *coroutine, void (*entry)(void))
{
	ucontext_t *context;

	if (!coroutine->stack)
		coroutine->stack = new_stack();
	/* A compiler expects this to return a second time, so context is set behind it. */
	if (getcontext(context_of(coroutine)))
		abort();
	context = coroutine->saved;
	context->uc_stack.ss_sp = coroutine->stack;
	context->uc_stack.ss_size = STACK_SIZE;
	context->uc_link = NULL;
	makecontext(context, entry, 0);
}

void sim_coroutine_spoil(const struct sim_coroutine *coroutine)
{
	if (coroutine->stack)
		memset((char *)coroutine->stack + STACK_SIZE - USED_SIZE, 0xdd, USED_SIZE);
}

void sim_coroutine_switch(struct sim_coroutine *from, struct sim_coroutine *to)
{
	swapcontext(context_of(from), context_of(to));
}
