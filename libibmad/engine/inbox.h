/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The MADs waiting for mad_receive_via(): unsolicited ones, and responses to mad_send_via().
 * Bounded in number and in bytes, since any node of the fabric may send any number of MADs.
 */
#ifndef LIBIBMAD_INBOX_H
#define LIBIBMAD_INBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "libibmad/engine/buffers.h"

#define MAD_INBOX_MAX	    256
#define MAD_INBOX_BYTES_MAX (64 << 20)

STAILQ_HEAD(mad_buffer_queue, mad_buffer);

struct mad_inbox {
	struct mad_buffer_queue queue; /* oldest first */
	unsigned length;
	size_t bytes; /* of MADs */
};

void mad_inbox_init(struct mad_inbox *inbox);
void mad_inbox_free(struct mad_inbox *inbox);

/* Whether one more MAD of that many bytes fits; if necessary, drops one that was refused for its
 * length. */
bool mad_inbox_make_space(struct mad_inbox *inbox, size_t bytes);
void mad_inbox_put(struct mad_inbox *inbox, struct mad_buffer *buffer);

/* Decides whether the caller takes a MAD. Returns 0, or the error with which the call ends. */
typedef int mad_inbox_accept(const struct mad_buffer *buffer, void *context);

/*
 * Takes the oldest MAD of at most size_max bytes, if accept() does; else it stays, for any call. A
 * longer one fails with -ENOSPC the first time, and is skipped from then on. Returns 0, -ENOSPC,
 * -EAGAIN or the error of accept().
 */
int mad_inbox_take(struct mad_inbox *inbox, size_t size_max, mad_inbox_accept *accept,
		   void *context, struct mad_buffer **taken);

/* Whether mad_inbox_take() has something to return or to report. */
bool mad_inbox_has(const struct mad_inbox *inbox, size_t size_max);

#endif
