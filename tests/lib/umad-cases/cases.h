/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * One list of cases of what Linux's umad device does, through libibumad (cases.c), for every kernel
 * that tests use: the real one with virtual HCAs (tests/kernel), the fake one (tests/lib/kernel)
 * and that of tests/robust/simulation. Each has a fabric behind the port, which this header
 * declares and which is the only part that they do not share. Waiting is done by reads and polls of
 * libibumad alone, so the clock may be virtual.
 */
#ifndef TESTS_LIB_UMAD_CASES_H
#define TESTS_LIB_UMAD_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "test-list.h"

/* A MAD on the wire. */
struct cases_frame {
	uint16_t slid, dlid;
	uint32_t sqpn, dqpn;
	uint32_t qkey;
	uint8_t mad[256];
};

/* What a fake kernel may do without. */
enum cases_feature {
	CASES_SEGMENTS, /* messages travel in segments */
	CASES_AGENTS,	/* requests are for the agent that wants them */
	CASES_FAILING,	/* sends that complete with an error */
	CASES_FILES,	/* a device may be open more than once */
	CASES_LATE_TID, /* a transaction ID is free later than its response is readable */
	CASES_REPEATS,	/* the fabric sees each attempt of a request */
	CASES_ISSM,	/* the device for subnet managers sets a bit of the port's capabilities */
};

/* Begins a case: a port that is ACTIVE, with LID 5, on a fabric that is silent. NULL, or why the
 * kernel has not got the feature. */
void cases_begin(void);
const char *cases_missing(enum cases_feature feature);
void cases_end(void);
extern const char *const cases_device; /* its name; port 1 */
/* How many requests of an agent for a class the kernel sends before one of them ends, if it holds
 * back the others; else 0. */
unsigned cases_window(int mgmt_class);

/* The next MAD that has left the port; false if there is none. */
bool cases_take(struct cases_frame *frame);
/* A MAD arrives at the port. */
void cases_put(const struct cases_frame *frame);
/* The response to a request, as a message of so many bytes after the class header: byte i of the
 * MAD is i. */
void cases_put_message(const struct cases_frame *request, size_t header, size_t data);

/* The device is removed, until the next case begins. */
void cases_remove(void);
/* The next send completes with an error. */
void cases_fail_send(void);
/* What poll() reports of a port now. */
short cases_poll(int fd, short events);

/* A check that failed, and a case that ends as skipped. */
void cases_fail(const char *what, long long got, long long want, const char *file, int line);
void cases_skip(const char *why);

#endif
