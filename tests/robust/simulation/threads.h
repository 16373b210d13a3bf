/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The functions that the libraries reach instead of libc's (see calls.txt), and operations on
 * threads that simulated programs use and the libraries do not. */
#ifndef TESTS_SIMULATION_THREADS_H
#define TESTS_SIMULATION_THREADS_H

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/* Begins the function that the libraries get in the place of libc's. */
#define REPLACED(type, name, ...)          \
	type replaced_##name(__VA_ARGS__); \
	type replaced_##name(__VA_ARGS__)

/* Replacements that the simulation calls, too. */
int replaced_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
int replaced_nanosleep(const struct timespec *wanted, struct timespec *left);
void replaced_pthread_testcancel(void);

/* Before a run: no fork handlers. */
void sim_exits_clear(void);

/* pthread_cancel() of a thread by its number. */
void sim_cancel_thread(int number);
/* Ends the current thread, as a cancellation point does. */
void sim_cancel_self(void) __attribute__((noreturn));
/* The library makes a call of libc that is a cancellation point and no wait: the thread ends there
 * if its cancellation is requested and possible, and that violates a rule. */
void sim_cancellation_point(const char *call);

/* The library makes a call that may wait, other than a write to a port, and holds no lock. */
void sim_check_locks(const char *call);

/* The thread has waited in the kernel or for a condition variable since then: violates a rule if
 * its cancellation should have ended that. */
void sim_check_cancellable(int64_t since);

/* A handler of a program, as of pthread_cleanup_push(): it and those of the libraries run from the
 * innermost to the outermost when the thread is cancelled. */
struct sim_cleanup {
	__pthread_unwind_buf_t place;
	void (*routine)(void *argument);
	void *argument;
};

void sim_cleanup_push(struct sim_cleanup *cleanup, void (*routine)(void *argument), void *argument);
void sim_cleanup_pop(struct sim_cleanup *cleanup);

/* The handlers of pthread_atfork(), which the caller of fork() runs. */
void sim_before_fork(void);
void sim_after_fork(bool child);
extern bool sim_is_in_fork_handler;

/* Whether a call that needs memory is to fail now. */
bool sim_fails_for_memory(void);

#endif
