/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Memory for received MADs. A port reads into `incoming`; whoever keeps what was read takes that
 * buffer, and a port keeps one spare of the usual size, so that as a rule nothing is allocated.
 */
#ifndef LIBIBMAD_BUFFERS_H
#define LIBIBMAD_BUFFERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <infiniband/umad.h>

#include "internal.h"

/* A umad packet: the umad header and length bytes of MAD. */
struct mad_buffer {
	STAILQ_ENTRY(mad_buffer) link;
	size_t capacity; /* bytes of MAD that fit */
	size_t length;	 /* bytes of MAD that are there */
	bool refused;	 /* in the inbox: a caller's buffer was too small for it */
	_Alignas(uint64_t) uint8_t umad[];
};

/* The buffers of one port, guarded by the lock of its engine. */
struct mad_buffers {
	struct mad_buffer *incoming; /* what the next read fills; never NULL */
	struct mad_buffer *spare;    /* of IB_MAD_SIZE bytes, or NULL */
};

/* What the kernel reports of a packet: 0, or why it returns a request. */
static inline unsigned mad_buffer_status(const struct mad_buffer *buffer)
{
	return ((const struct ib_user_mad *)(const void *)buffer->umad)->status;
}

struct mad_buffer *mad_buffer_new(size_t capacity);
void mad_buffer_free(struct mad_buffer *buffer);

int mad_buffers_init(struct mad_buffers *buffers);
void mad_buffers_free(struct mad_buffers *buffers);

/* Gives away what was just read and puts another buffer in its place; NULL without memory. */
struct mad_buffer *mad_buffers_take_incoming(struct mad_buffers *buffers);

/* Makes room for a MAD of length bytes. Returns 0, -ENOSPC where there is that room, or -ENOMEM. */
int mad_buffers_enlarge(struct mad_buffers *buffers, int length);

/* Replaces `incoming` by a buffer of IB_MAD_SIZE bytes, or keeps it where there is no memory. */
void mad_buffers_replace_long(struct mad_buffers *buffers);

/* After what was read has been delivered: no port keeps the memory of a long MAD. */
static inline void mad_buffers_shrink(struct mad_buffers *buffers)
{
	if (buffers->incoming->capacity > IB_MAD_SIZE)
		mad_buffers_replace_long(buffers);
}

/* Takes back a buffer that mad_buffers_take_incoming() gave away. */
void mad_buffers_give_back(struct mad_buffers *buffers, struct mad_buffer *buffer);

#endif
