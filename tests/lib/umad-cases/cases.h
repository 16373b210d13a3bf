/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The table umad.tbl has cases of Linux's umad device, through libibumad, for every kernel that
 * tests use: the real one with virtual HCAs (tests/kernel), the fake one (tests/lib/kernel) and
 * that of tests/robust/simulation. Each implements this header for the fabric behind its port.
 * Waiting is done by reads and polls of libibumad alone, so the clock may be virtual.
 */
#ifndef TESTS_LIB_UMAD_CASES_H
#define TESTS_LIB_UMAD_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A MAD on the wire. */
struct cases_frame {
	uint16_t slid, dlid;
	uint32_t sqpn, dqpn;
	uint32_t qkey;
	uint8_t mad[256];
};

/* Features that a fake kernel may do without, with their names in umad.tbl. */
enum cases_feature {
	CASES_SEGMENTS, /* segments: messages travel in segments */
	CASES_AGENTS,	/* agents: requests are for the agent that wants them */
	CASES_FAILING,	/* failing: sends that complete with an error */
	CASES_FILES,	/* files: a device may be open more than once */
	CASES_LATE_TID, /* late-tids: an ID is free later than its response is readable */
	CASES_REPEATS,	/* repeats: the fabric sees each attempt of a request */
};

/* Begins a case: port 1 of the device is Active, with LID 5, on a fabric that is silent. */
void cases_begin(void);
void cases_end(void);
extern const char *const cases_device;

/* NULL, or why the kernel does not have the feature. */
const char *cases_missing(enum cases_feature feature);

/* How many requests of an agent for a class the kernel sends before one of them ends, if it holds
 * back the others; else 0. */
unsigned cases_window(int mgmt_class);

/* Takes the next MAD that has left the port; false: none has. */
bool cases_take(struct cases_frame *frame);

/* A MAD arrives at the port, of so many bytes: more than 256 are a message of the SA. The frame has
 * the addresses. */
void cases_put(const struct cases_frame *frame, const uint8_t *mad, size_t length);

/* Makes the response to a request of at least 256 bytes in mad, and its addresses. */
void cases_make_response(const struct cases_frame *request, struct cases_frame *addresses,
			 uint8_t *mad);

/* Removes the device, until the next case begins. */
void cases_remove(void);

/* Makes the next send complete with an error. */
void cases_fail_send(void);

/* Returns the events that poll() reports of a port now. */
short cases_poll(int fd, short events);

#endif
