/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A umad device that responds to each request: the program can read back as a response what it
 * wrote. mirror.c replaces libc's open, close, read, write and ioctl in programs that are linked
 * with it and export their symbols, for any /dev/infiniband/umadN; other files are libc's. A device
 * is a socket, so reading, writing and waiting are real system calls. The device allocates nothing
 * and uses little stack: its part of a request's cost is small.
 */
#ifndef TESTS_BENCH_MIRROR_H
#define TESTS_BENCH_MIRROR_H

#include <stdatomic.h>
#include <stdint.h>

extern struct mirror {
	/* Ports that are opened from now on respond so much later, by a process of their own, whose
	 * processor time is not the caller's. 0, at first: each packet comes back at once, and no
	 * other process competes for a processor or a lock. */
	int64_t delay_us;
	int ignored_class;   /* from now on no request of this class gets a response; -1: of none */
	atomic_uint ignored; /* packets that got no response */
} mirror;

/*
 * From now on the response to a GetTable has so many records of record_size bytes (a multiple of
 * 8), as the kernel delivers a response that took many packets; not with a delay. Returns 0, or -1
 * without memory.
 */
int mirror_set_records(unsigned count, unsigned record_size);

#endif
