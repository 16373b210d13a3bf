/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Received MADs that are kept, and those of them that wait for mad_receive_via(): unsolicited ones,
 * and responses to mad_send_via(). The receive queue is bounded in number and in bytes, since any
 * node of the fabric may send any number of MADs.
 */
#ifndef LIBIBMAD_RECEIVE_H
#define LIBIBMAD_RECEIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <infiniband/umad.h>

#include "libibmad/engine/wakeup.h"
#include "libibmad/internal.h"

/* Of so many requests of mad_send_via() that were sent last, responses are recognised. */
#define MAD_RECEIVE_EXPECTED  1024
#define MAD_RECEIVE_MAX	      256
#define MAD_RECEIVE_BYTES_MAX (64 << 20)

/* A umad packet: the umad header and length bytes of MAD. */
struct mad_buffer {
	STAILQ_ENTRY(mad_buffer) link;
	size_t length;
	bool refused; /* in the receive queue: did not fit a caller's buffer */
	_Alignas(uint64_t) uint8_t umad[];
};

struct mad_receive_queue {
	STAILQ_HEAD(, mad_buffer) buffers; /* oldest first */
	unsigned count;
	size_t bytes;				 /* of MADs */
	struct mad_buffer *spare;		 /* for a MAD of the usual size; or NULL */
	uint64_t expected[MAD_RECEIVE_EXPECTED]; /* keys of what was sent; or 0 */
	unsigned sends;				 /* the number of these */
	struct mad_watch watch; /* mad_receive_get_fd(), once a program has called that */
};

struct mad_engine;

/* The status that the kernel reports with a packet: 0, or why it returned a request. */
static inline unsigned mad_packet_status(const void *umad)
{
	return ((const struct ib_user_mad *)umad)->status;
}

/* With memory for length bytes of MAD; NULL without memory. */
struct mad_buffer *mad_buffer_new(size_t length);
/* Overwrites the MAD first, since responses repeat and report keys. NULL is ignored. */
void mad_buffer_free(struct mad_buffer *buffer);

void mad_receive_init(struct mad_receive_queue *queue);
void mad_receive_free(struct mad_receive_queue *queue);

/* In the child of a fork. */
void mad_receive_reopen_fd(struct mad_engine *engine);

/* With the lock held: keeps the MAD just read, which belongs to no request. */
void mad_receive_keep(struct mad_engine *engine);

/* With the lock held: whether a response, or a request that the kernel returns, is one of
 * mad_send_via(), which is then over. */
bool mad_receive_expects(struct mad_engine *engine, uint64_t key);
/* With the lock held: takes a MAD out of the queue; makes the descriptor readable while there is a
 * MAD that a call would take. */
void mad_receive_take_off(struct mad_receive_queue *queue, struct mad_buffer *buffer);
void mad_receive_show(struct mad_receive_queue *queue);

/* Decides whether the caller takes a MAD. Returns 0, or the error with which the call ends. */
typedef int mad_receive_accept(const struct mad_buffer *buffer, void *context);

/*
 * Receives a MAD that belongs to no request, waiting up to timeout_ms (negative: no limit; 0: not
 * at all). The caller frees *received. A MAD longer than size_max bytes is reported once (-ENOSPC),
 * and then waits for a call with a larger size_max. accept() decides with the lock held whether
 * this call takes the MAD: if it were taken and put back, another thread could begin to wait in
 * between.
 */
int mad_engine_receive(struct mad_engine *engine, int timeout_ms, size_t size_max,
		       mad_receive_accept *accept, void *context, struct mad_buffer **received);

/*
 * Sends one umad packet without waiting. With a timeout, mad_engine_receive() returns the response,
 * or the request itself if the kernel returns it. Returns 0 or -errno.
 */
int mad_engine_send(struct mad_engine *engine, int agent, void *umad, int length, int timeout_ms);

#endif
