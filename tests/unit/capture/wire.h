/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * wire.h - a umad port without a kernel: the two ends of a socket pair that keeps packets apart.
 * What is sent on one is received on the other.
 */
#ifndef TESTS_CAPTURE_WIRE_H
#define TESTS_CAPTURE_WIRE_H

#include <stdint.h>

#include <infiniband/umad.h>
#include <infiniband/umad_types.h>

enum { WIRE_HEADER = 64, WIRE_MAD = 256, WIRE_LID = 7, WIRE_AGENT = 3 };

struct wire {
	int near; /* the tests send here */
	int far;
};

struct wire_packet {
	struct ib_user_mad umad;
	union {
		struct umad_hdr header;
		uint8_t bytes[WIRE_MAD];
	} mad;
};

/* Each returns 0, or -1 with errno. Descriptors are above those of the standard streams. */
int wire_open(struct wire *wire);
void wire_close(struct wire *wire);

/* Sends a request with this transaction ID from the near end; receives it at the far end. */
int wire_send(const struct wire *wire, uint32_t tid);
int wire_receive(const struct wire *wire, struct wire_packet *packet);

#endif
