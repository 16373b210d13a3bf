/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The kernel of the fuzz targets: that of tests/lib/kernel, with a policy that follows the input
 * and a clock that moves only when a thread waits. kernel-responses.c decides what a write causes.
 */
#ifndef TESTS_FUZZ_KERNEL_H
#define TESTS_FUZZ_KERNEL_H

#include "fuzz.h"
#include "../../lib/kernel/kernel.h"

enum {
	FUZZ_HEADER = 64, /* bytes before the MAD in a umad packet */
	FUZZ_MAD = 256,
	FUZZ_PACKET_MAX = FUZZ_HEADER + 1280, /* of what arrives */
};

struct fuzz_kernel {
	struct fuzz_input *input;
	int preferred; /* -1: none; else half of all responses are of this kind */
	unsigned writes;
	size_t arrival_count;
	uint8_t last_write[FUZZ_PACKET_MAX];
	size_t last_size;
	const char *stack; /* top of the stack when the execution began */
};
extern struct fuzz_kernel fuzz_kernel;

/* An execution begins: nothing is open, sysfs is empty, the clock is at one second. */
void fuzz_kernel_start(struct fuzz_input *input);
/* The execution ends: everything that was opened must be closed. */
void fuzz_kernel_end(void);

int64_t fuzz_kernel_ms(void); /* the clock, in milliseconds */
int fuzz_kernel_errno(struct fuzz_input *input);

void fuzz_kernel_one_hca(void); /* in sysfs: mlx5_0, port 1, umad0 */

/* Umad devices. */
void fuzz_kernel_ask(int fd); /* an unsolicited request arrives at a device */

/* Whether a response to the last write was read that has these bytes from offset on; behind its
 * end come zeros. */
bool fuzz_kernel_responded(const void *bytes, size_t offset, size_t size);
/* Whether a MAD that was read has these bytes from offset on; behind its end come zeros. */
bool fuzz_kernel_delivered(const void *bytes, size_t offset, size_t size);
/* The length of the longest MAD that was read. */
size_t fuzz_kernel_longest(void);

/* Between the files of this kernel */

enum {
	MAX_ARRIVALS = 48,    /* in an execution */
	STACK_MAX = 32 << 10, /* of calls that send; the sanitizers' padding is the most of it */
};

/* kernel-responses.c: what follows a write; 0, the error that it fails with, or -1: it is cut. */
int fuzz_response(int device, const uint8_t *packet, size_t size);

/* kernel-history.c: keeps a MAD that was read. */
bool fuzz_delivered(struct kernel_arrival *arrival);
void fuzz_forget_delivered(void);

#endif
