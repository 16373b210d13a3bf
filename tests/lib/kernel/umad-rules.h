/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The rules of Linux's umad device, for all fakes of it: this kernel and that of
 * tests/robust/simulation. tests/lib/umad-cases compares the fakes with real kernels. Nothing here
 * has state. Packets begin with a umad header of `header` bytes, 64 or 56.
 */
#ifndef TESTS_LIB_UMAD_RULES_H
#define TESTS_LIB_UMAD_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	UMAD_RULES_AGENTS = 32, /* of an open file */
	UMAD_RULES_MAD = 256,
	UMAD_RULES_QUEUE = 512,	      /* entries of the receive queue */
	UMAD_RULES_RETURNED = 24,     /* bytes of the MAD of a request that is returned */
	UMAD_RULES_TIMED_OUT = 110,   /* the status of such a request */
	UMAD_RULES_RECEIVED = 200000, /* MADs that may wait to be read, since Linux 6.10 */
	UMAD_RULES_ALL_AGENTS = UINT32_MAX,
};

/* The errno of a write, or 0. agents has a bit for each ID that is registered. Whether the
 * transaction ID is free is for the caller to know. */
int umad_rules_write(const uint8_t *packet, size_t size, size_t header, uint32_t agents,
		     bool removed);

/* A read of a packet that waits: copies what fits into buffer. Returns the bytes read; -EINVAL or
 * -ENOSPC (the header and the first 256 bytes of the MAD are copied), and the packet stays. */
ssize_t umad_rules_read(const uint8_t *packet, size_t packet_size, size_t header, void *buffer,
			size_t size);

/* The events that poll() reports. */
short umad_rules_events(bool removed, bool readable);

/* The errno of an ioctl after the removal of the device, or 0. */
int umad_rules_removed_ioctl(unsigned long request);

/* Makes of a written packet what a read returns when the request has timed out: the header as it
 * was written but for the status, and 24 bytes of MAD. Returns the size. */
size_t umad_rules_return(uint8_t *packet, size_t header);

/* The ID that an agent gets: the lowest that is free, -ENOMEM without one. */
int umad_rules_agent(uint32_t agents);

/* How many requests of an agent for a class Linux sends before one of them ends, from 6.17 on, with
 * a receive queue of so many entries, 512 by default; 0: any number. */
unsigned umad_rules_limit(uint8_t mgmt_class, unsigned receive_queue);

/* The agent whose request a MAD that arrives may be the response to, by the upper half of the
 * transaction ID, which Linux has made; -1: Linux drops the MAD. */
int umad_rules_response(const uint8_t *mad);

#endif
