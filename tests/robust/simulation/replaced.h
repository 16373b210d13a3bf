/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The functions that the libraries reach in the place of libc's: see calls.txt. */
#ifndef TESTS_SIMULATION_REPLACED_H
#define TESTS_SIMULATION_REPLACED_H

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
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

#endif
