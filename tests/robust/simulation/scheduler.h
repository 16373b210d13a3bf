/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The simulated process: threads that are coroutines, a clock that moves only when no thread can
 * run (and a little with each step), and a seeded choice of who runs next at each simulated call.
 */
#ifndef TESTS_SIMULATION_SCHEDULER_H
#define TESTS_SIMULATION_SCHEDULER_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SIM_THREADS = 24,
	SIM_STACK_SIZE = 256 * 1024,
	SIM_STALLS = 64,
	SIM_DELAYS = 64,
	SIM_TLS_SIZE = 1024,
};

#define UNUSED __attribute__((unused))

#define SIM_US	  INT64_C(1000)
#define SIM_MS	  INT64_C(1000000)
#define SIM_S	  INT64_C(1000000000)
#define SIM_NEVER INT64_MAX

/* Numbers that follow from a seed, the same on every machine. */
struct sim_random {
	uint64_t state;
};

/* SplitMix64: every seed, 0 too, begins a sequence of its own. */
static inline uint64_t sim_random_next(struct sim_random *random)
{
	uint64_t value = random->state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

/* A number from 0 to limit - 1. */
static inline uint32_t sim_random_below(struct sim_random *random, uint32_t limit)
{
	return (uint32_t)((sim_random_next(random) >> 32) * limit >> 32);
}

/* A number from low to high. */
static inline int64_t sim_random_between(struct sim_random *random, int64_t low, int64_t high)
{
	return low + (int64_t)(sim_random_next(random) % (uint64_t)(high - low + 1));
}

/* True once in `in` times on average; never for 0. */
static inline bool sim_random_once_in(struct sim_random *random, uint32_t in)
{
	return in && !sim_random_below(random, in);
}

/* Whether what the thread waits for is there; subject is what sim_wait() was called with. */
typedef bool sim_ready_fn(const void *subject);

enum sim_outcome { SIM_READY, SIM_TIMED_OUT, SIM_CANCELLED };

struct sim_thread {
	unsigned number;
	const char *name;
	bool ended;
	bool vanished; /* a fork by another thread left it in the parent */
	void *(*start)(void *argument);
	void *argument;
	void *result;
	const void *frame; /* of the function in which another thread's turn came */
	int saved_errno;
	unsigned char saved_tls[SIM_TLS_SIZE];

	/* While it waits: for ready(subject) or the deadline; `waits` names that for reports. */
	const char *waits;
	sim_ready_fn *ready;
	const void *subject;
	int64_t deadline;
	bool cancellable;

	int64_t clock_read_at; /* when it last looked at the clock */
	int64_t in_write;      /* for how long so far the kernel has it wait in a write */
	int64_t frozen_until;
	uint32_t priority;
	unsigned locks; /* mutexes that it holds */

	bool cancel_requested;
	int64_t cancel_requested_at;
	bool cancel_disabled;
	void *cleanup;		 /* threads.c: the innermost handler of pthread_cleanup_push() */
	const void *waiting_for; /* condition variable, or NULL */
	bool cond_signalled;
};

/* How a seed schedules. 0 as "once in" number: never. */
struct sim_schedule {
	bool by_priority; /* the thread with the highest priority runs, which changes now and then
			   */
	uint32_t switch_once_in;   /* steps; 1: at each */
	uint32_t stop_once_in;	   /* the process is stopped, as by SIGSTOP */
	uint32_t freeze_once_in;   /* a single thread gets no processor */
	int64_t pause_max;	   /* ns of a stop or freeze */
	int64_t step_cost;	   /* ns that each step takes */
	uint32_t spurious_once_in; /* wake-ups of condition variables without a signal */
};

/* A time in which threads that could run did not: the process was stopped, or one was frozen. */
struct sim_stall {
	int64_t from;
	int64_t to;
};

struct sim_process {
	struct sim_random choices; /* of the scheduler */
	struct sim_schedule schedule;
	struct sim_thread threads[SIM_THREADS];
	unsigned thread_count;
	struct sim_thread *current;
	int64_t now;	 /* ns, CLOCK_MONOTONIC */
	int64_t started; /* the clock when the run began */
	struct sim_stall stalls[SIM_STALLS + SIM_DELAYS];
	unsigned stall_count;
	uint64_t steps;
	uint64_t trace; /* a hash of all decisions: equal runs have equal ones */
	bool over;
	bool is_child; /* of a simulated fork */
};

extern struct sim_process sim;

/* Runs the simulation of one process: main(argument) as its first thread, until that returns or the
 * run is given up. */
void sim_run(void *(*main)(void *), void *argument);

/* Ends the run at once, whatever its threads are doing. */
void sim_give_up(void) __attribute__((noreturn));

/* A step of the current thread: another may run before this returns. */
void sim_step(void);

/* Waits until ready(subject) or the deadline (or, if cancellable, a pthread_cancel()). */
enum sim_outcome sim_wait(const char *waits, sim_ready_fn *ready, const void *subject,
			  int64_t deadline, bool cancellable);

bool sim_is_never(const void *subject); /* for a wait until the deadline */
void sim_sleep(int64_t ns);

/* Starts a thread; returns its number, or -1 if there are too many. */
int sim_start_thread(const char *name, void *(*start)(void *), void *argument);
/* Waits for its end; does nothing for -1. */
void *sim_join_thread(int number);
/* Ends the current thread. */
void sim_end_thread(void *result) __attribute__((noreturn));

/* Has happen(subject) called when the clock reaches due. It runs on behalf of the world, on
 * whatever stack, and must not wait. */
void sim_at(int64_t due, void (*happen)(void *subject), void *subject);

/* How much of the time since then threads were stalled. */
int64_t sim_stalled_since(int64_t from);

/* The current thread was to go on at that time, and does now: an earlier stall made it late. */
void sim_note_late(int64_t since);

/* After a simulated fork, in the child: no other thread is left. */
void sim_become_child(void);

/* In the child, when the handlers of the fork have run: the stacks of those threads are reused. */
void sim_spoil_vanished(void);

/* The stacks of all threads, one behind the other. */
char *sim_stacks(void);

#endif
