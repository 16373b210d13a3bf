/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Shared by the files of the kernel of the fuzz targets. */
#ifndef TESTS_FUZZ_KERNEL_INTERNAL_H
#define TESTS_FUZZ_KERNEL_INTERNAL_H

#include "fuzz-kernel.h"

enum {
	MAX_ARRIVALS = 48,    /* in an execution */
	STACK_MAX = 32 << 10, /* of calls that send; the sanitizers' padding is the most of it */
};

struct fuzz_kernel {
	struct fuzz_input *input;
	int preferred;
	unsigned writes;
	size_t arrival_count;
	size_t last_size;
	const char *stack; /* top of the stack when the execution began */
};

extern struct fuzz_kernel fuzz_kernel;
extern uint8_t fuzz_last_write[FUZZ_PACKET_MAX];

/* kernel-responses.c: what follows a write; 0, the error that it fails with, or -1: it is cut. */
int fuzz_response(int device, const uint8_t *packet, size_t size);

/* kernel-history.c: keeps a MAD that was read. */
bool fuzz_delivered(struct kernel_arrival *arrival);
void fuzz_forget_delivered(void);

#endif
