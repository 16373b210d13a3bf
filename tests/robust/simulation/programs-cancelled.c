/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cancels threads that wait for others: that dispatch and run callbacks, or receive. */
#include <string.h>
#include <time.h>

#include "programs.h"
#include "replaced.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

void sim_cancel_program(unsigned number)
{
	if (sim_shared.current[number])
		sim_shared.current[number]->abandoned = true;
	sim_shared.was_cancelled[number] = true;
	sim_cancel_thread((int)number);
}

void sim_meet_cancellation(void)
{
	struct timespec pause = { .tv_nsec = sim_plan(5000) * 1000 };

	switch (sim_plan(8)) {
	case 0:
	case 1:
		replaced_pthread_testcancel();
		break;
	case 2:
		replaced_nanosleep(&pause, NULL);
		break;
	case 3:
		if (!strcmp(sim.current->name, "helper") && !sim_plan(8))
			sim_cancel_program(sim.current->number);
		break;
	default:
		break;
	}
}

static bool is_victim(const struct sim_thread *thread)
{
	if (thread->ended || thread->cancel_requested)
		return false;
	return (sim_world.cancels_dispatchers && !strcmp(thread->name, "helper")) ||
	       (sim_world.has_messages && !strcmp(thread->name, "server"));
}

/* Any of those threads. */
static void cancel_a_victim(void)
{
	unsigned victims[SIM_THREADS], count = 0;

	for (unsigned i = 0; i < sim.thread_count; i++)
		if (is_victim(&sim.threads[i]))
			victims[count++] = i;
	if (count)
		sim_cancel_program(victims[sim_plan(count)]);
}

/* Threads wait most of the time, and are cancelled there after a sleep; some steps later they may
 * be anywhere. */
void *sim_waiters_cancelling_program(void *unused)
{
	(void)unused;
	for (uint32_t times = 1 + sim_plan(6); times; times--) {
		sim_sleep(sim_plan(sim_plan(2) ? 40000 : 2000) * SIM_US);
		for (uint32_t steps = sim_plan(60); steps; steps--)
			sim_step();
		cancel_a_victim();
	}
	return NULL;
}
