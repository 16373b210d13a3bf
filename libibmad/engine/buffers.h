/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Memory for received MADs. A port reads into `incoming`; code that keeps a MAD takes that buffer.
 * A port keeps one spare buffer of the usual size, so that reading rarely allocates.
 */
#ifndef LIBIBMAD_BUFFERS_H
#define LIBIBMAD_BUFFERS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <infiniband/umad.h>

#include "libibmad/internal.h"

/* A umad packet: the umad header and length bytes of MAD. */
struct mad_buffer {
	STAILQ_ENTRY(mad_buffer) link;
	size_t capacity; /* bytes of MAD that fit */
	size_t length;	 /* bytes of MAD received */
	bool refused;	 /* in the inbox: did not fit a caller's buffer */
	_Alignas(uint64_t) uint8_t umad[];
};

/* The buffers of one port, guarded by the lock of its engine. */
struct mad_buffers {
	struct mad_buffer *incoming; /* what the next read fills; never NULL */
	struct mad_buffer *spare;    /* of IB_MAD_SIZE bytes, or NULL */
};

/* The status that the kernel reports with a packet: 0, or why it returned a request. */
static inline unsigned mad_buffer_status(const struct mad_buffer *buffer)
{
	return ((const struct ib_user_mad *)(const void *)buffer->umad)->status;
}

struct mad_buffer *mad_buffer_new(size_t capacity);
void mad_buffer_free(struct mad_buffer *buffer);

int mad_buffers_init(struct mad_buffers *buffers);
void mad_buffers_free(struct mad_buffers *buffers);

/* Hands over the buffer just read and replaces it; NULL if out of memory. */
struct mad_buffer *mad_buffers_take_incoming(struct mad_buffers *buffers);

/* Prepares `incoming` for a MAD of length bytes. Returns 0, -ENOSPC if it is large enough already,
 * or -ENOMEM. */
int mad_buffers_enlarge(struct mad_buffers *buffers, int length);

/* Replaces `incoming` by a buffer of IB_MAD_SIZE bytes; keeps it if out of memory. */
void mad_buffers_replace_long(struct mad_buffers *buffers);

/* Called after the MAD just read has been delivered, so that no port keeps the memory of a long
 * MAD. */
static inline void mad_buffers_shrink(struct mad_buffers *buffers)
{
	if (buffers->incoming->capacity > IB_MAD_SIZE)
		mad_buffers_replace_long(buffers);
}

/* Returns a buffer that mad_buffers_take_incoming() handed over. */
void mad_buffers_give_back(struct mad_buffers *buffers, struct mad_buffer *buffer);

#endif
