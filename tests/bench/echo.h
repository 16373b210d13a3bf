/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A responder in a process of its own: what is written to /dev/infiniband/umad0 (mlx5_0 port 1)
 * comes back as a response after a fixed time. The device is a socket, so that reading, writing and
 * waiting are real system calls, and the responder's CPU time is not the caller's.
 */
#ifndef TESTS_BENCH_ECHO_H
#define TESTS_BENCH_ECHO_H

#include <stdint.h>

/* The attribute modifier of requests that get no response. */
#define ECHO_SILENT 0x7fffffff

/* Starts the process; before the port is opened. Returns 0 or -errno. */
int echo_start(int64_t delay_us);

/* Starts a device that needs no responder: each packet comes back at once, as its own response. No
 * other process competes for a processor or a lock. Returns 0 or -errno. */
int echo_start_loopback(void);

/* Ends the process; after the port is closed. */
void echo_stop(void);

#endif
