/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the files of fakekernel share: its state, all of it under its lock. */
#ifndef WIRE_FAKEKERNEL_INTERNAL_H
#define WIRE_FAKEKERNEL_INTERNAL_H

#include "fakekernel.h"

#include "../../lib/preload.h"

#include <pthread.h>
#include <rdma/ib_user_mad.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define MAD_SIZE    256
#define HEADER_SIZE sizeof(struct ib_user_mad_hdr)
#define RULES_SIZE  4096
#define MAX_DEVICES 64
#define MAX_AGENTS  32
#define MAX_TIDS    256

struct arrival {
	struct arrival *next;
	int fd;
	int error;
	struct timespec due;
	size_t size;
	uint8_t bytes[];
};

struct fakekernel_state {
	pthread_mutex_t lock;
	char root[256];
	bool hides_smp_data;
	char rules[RULES_SIZE];
	char *step;
	FILE *log;
	int devices[MAX_DEVICES];
	int flags[MAX_DEVICES];
	int device_count;
	int agents[MAX_AGENTS]; /* the device that owns each, 0 for none */
	int register_errno;
	int register2_errno;
	uint32_t tids[MAX_TIDS];
	int tid_count;
	struct arrival *arrivals;
};

extern struct fakekernel_state fakekernel;

/* fakekernel-tree.c: whether a path is one of sysfs, and where its copy is. */
bool fakekernel_redirects(const char *path, char *out, size_t size);

/* fakekernel-rules.c: what the rules say of a write; the errno that it ends with, or 0. */
int fakekernel_response(int fd, const uint8_t *packet, size_t size);

/* fakekernel.c: has a MAD come, or (error) the read of it fail. */
void fakekernel_queue(int fd, int error, int delay_ms, const void *bytes, size_t size);

#endif
