/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the files of fakekernel share: its state. */
#ifndef WIRE_FAKEKERNEL_INTERNAL_H
#define WIRE_FAKEKERNEL_INTERNAL_H

#include "fakekernel.h"
#include "kernel.h"

#include <rdma/ib_user_mad.h>
#include <stdio.h>

#define HEADER_SIZE KERNEL_HEADER
#define MAD_SIZE    KERNEL_MAD
#define RULES_SIZE  4096
#define MAX_AGENTS  32
#define MAX_TIDS    256

struct fakekernel_state {
	fakekernel_response_fn *response; /* NULL: the rules say what follows a write */
	bool hides_smp_data;
	char rules[RULES_SIZE];
	char *step;
	int owners[MAX_AGENTS]; /* of agents: the number of the device and 1 more, 0 for none */
	int register_errno;
	int register2_errno;
	uint32_t tids[MAX_TIDS];
	int tid_count;
};

extern struct fakekernel_state fakekernel;

/* fakekernel-rules.c: what the rules say of a write; the errno that it ends with, or 0. */
int fakekernel_response(int device, const uint8_t *packet, size_t size);

/* fakekernel.c: has a MAD come, or (error) the read of it fail. */
void fakekernel_queue(int device, int error, int delay_ms, const void *bytes, size_t size);

#endif
