/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See run.h. */
#include "run.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fabric.h"
#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "programs.h"
#include "races.h"
#include "requests.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

/* The libraries' variables: link-libraries put them into sections of these names. */
extern char __start_library_data[], __stop_library_data[];
extern char __start_library_bss[], __stop_library_bss[];

static char *initial_data;
static sigjmp_buf after_crash;
static volatile sig_atomic_t is_running;
static uint64_t runs;

/* The findings of the child, in memory that both share; rules are texts that both have. */
static struct {
	unsigned count;
	struct sim_finding of[SIM_FINDINGS];
} * shared;

static void note_crash(int number)
{
	siglongjmp(after_crash, number);
}

/* Once in each second of processor time. In a loop without an end there is no further step. */
static void look_for_progress(int number)
{
	static uint64_t last_run, last_step;

	if (is_running && last_run == runs && last_step == sim.steps)
		siglongjmp(after_crash, number);
	last_run = runs;
	last_step = sim.steps;
}

static void watch_progress(void)
{
	static const struct itimerval second = { .it_interval = { 1, 0 }, .it_value = { 1, 0 } };
	struct sigaction action = { .sa_handler = look_for_progress,
				    .sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART };

	sigaction(SIGVTALRM, &action, NULL);
	setitimer(ITIMER_VIRTUAL, &second, NULL);
}

static void catch_crashes(void)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL };
	static char stack[64 * 1024]; /* a coroutine's own may be full */
	stack_t own = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_handler = note_crash, .sa_flags = SA_ONSTACK | SA_NODEFER };

	sigaltstack(&own, NULL);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}

void sim_prepare(void)
{
	size_t size = (size_t)(__stop_library_data - __start_library_data);

	catch_crashes();
	watch_progress();
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	initial_data = malloc(size + 1);
	if (!initial_data || shared == MAP_FAILED)
		exit(EXIT_FAILURE);
	memcpy(initial_data, __start_library_data, size);
}

/*
 * A simulated fork is a real one of the whole simulation. In the child, which has no timers, only
 * the thread that forked goes on, with the kernel and the fabric as they were; its findings go to
 * the parent.
 */
static pid_t child;

bool sim_child_fork(void)
{
	sim_log("forks");
	sim_before_fork();
	fflush(stdout);
	if (child || (child = fork()) < 0) {
		child = 0;
		sim_after_fork(false);
		return false;
	}
	if (!child) {
		watch_progress();
		sim_become_child();
		sim_files_share();
		sim_finding_count = 0;
		sim_after_fork(true);
		sim_spoil_vanished();
		sim.current->name = "child";
		return true;
	}
	sim_after_fork(false);
	return false;
}

static void finish_child(void)
{
	static char rules[SIM_FINDINGS][40];
	int status = 0;

	if (sim.is_child) {
		memcpy(shared->of, sim_findings, sizeof(sim_findings));
		shared->count = sim_finding_count;
		fflush(stdout);
		_exit(EXIT_SUCCESS);
	}
	if (!child)
		return;
	if (waitpid(child, &status, 0) != child || status)
		sim_broken("child-crash", "the child of the fork ended with status 0x%x", status);
	for (unsigned i = 0; i < shared->count; i++) {
		snprintf(rules[i], sizeof(rules[i]), "child-%s", shared->of[i].rule);
		sim_broken(rules[i], "%s", shared->of[i].text);
	}
	shared->count = 0;
}

/* Puts the libraries' variables to what they are when a program starts. */
static void reset_libraries(void)
{
	memcpy(__start_library_data, initial_data,
	       (size_t)(__stop_library_data - __start_library_data));
	memset(__start_library_bss, 0, (size_t)(__stop_library_bss - __start_library_bss));
}

static void reset_world(void)
{
	sim_finding_count = 0;
	sim_exits_clear();
	sim_files_clear();
	sim_kernel_clear();
	sim_fabric_clear();
	sim_requests_end = sim_requests;
	child = 0;
	sim_memory_clear();
	sim_races_clear();
	reset_libraries();
}

/* The default port is never closed. */
static void check_what_is_left(void)
{
	bool whole = !sim_shared.locks;

	if (sim.is_child || !sim.threads[0].ended)
		return;
	sim_memory_check(whole);
	if (whole)
		sim_files_check();
}

static void report_crash(int number)
{
	if (number == SIGVTALRM)
		sim_broken("livelock", "thread %s is in a loop without an end", sim.current->name);
	else
		sim_broken("crash", "signal %d in thread %s", number, sim.current->name);
}

static void run(void *(*program)(void *))
{
	int crash;

	reset_world();
	runs++;
	crash = sigsetjmp(after_crash, 1);
	if (crash) {
		report_crash(crash);
	} else {
		is_running = true;
		sim_world_log();
		sim_run(program, NULL);
		check_what_is_left();
	}
	is_running = false;
	finish_child();
}

void sim_run_seed(uint64_t seed)
{
	sim_world_choose(seed);
	run(sim_main_program);
}

void sim_run_cases(const char *pattern)
{
	sim_cases_pattern = pattern;
	sim_world_choose_cases();
	run(sim_cases_program);
}
