/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Messages of any length (RMPP) without a wait for a response, from and into the caller's own
 * buffers: mad_message_send(3). */
#ifndef INFINIBAND_MAD_MESSAGE_H
#define INFINIBAND_MAD_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include <infiniband/mad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A received message, without its data; numbers in host byte order. Later versions add members at
 * the end. */
struct mad_message {
	ib_portid_t from; /* the sender, as the address of a response */
	int error;	  /* 0; or the errno (ETIMEDOUT) with which the kernel returns a message
			   * that this port has sent */
	uint8_t mgmt_class;
	uint8_t method;
	uint16_t status; /* without bit 15 */
	uint16_t attr_id;
	uint32_t attr_mod;
	uint64_t tid;
	size_t data_size;   /* bytes of data that the message has */
	size_t header_size; /* 56 for class 0x03, 40 for vendor range 2, else 24 */
	uint8_t header[56]; /* the bytes of the MAD before its data; the rest is 0 */
};

/* Sends a message, and waits for nothing: headers from rpc as in mad_send_via() (recsz: attribute
 * offset of class 0x03, in units of 8 bytes; trid 0 is replaced), data from the parts, at most 1
 * GB. The class has RMPP, and is registered with version 1 of it. mad_message_receive() returns the
 * response, or the message after rpc->timeout milliseconds (0: the port's). Returns 0; -1 with
 * EINVAL, ENOMEM, or the error of the send. */
int mad_message_send(struct ibmad_port *port, const ib_portid_t *to, ib_rpc_t *rpc,
		     const struct iovec *parts, unsigned part_count);

/* mad_message_receive() for callers without a C compiler, with the size of the structure. */
int mad_message_receive_sized(struct ibmad_port *port, struct mad_message *message, size_t size,
			      const struct iovec *parts, unsigned part_count, int timeout_ms);

/* Receives the next MAD or message that no request waits for, within timeout_ms (negative: without
 * limit; 0: not at all): fills in *message, and spreads the data over the parts. Returns 0; -1 with
 * EINVAL, ETIMEDOUT (EAGAIN if timeout_ms is 0), EMSGSIZE (the parts are too small: *message is
 * filled in, and the message stays the next one), or as mad_receive_via(). */
static inline int mad_message_receive(struct ibmad_port *port, struct mad_message *message,
				      const struct iovec *parts, unsigned part_count,
				      int timeout_ms)
{
	return mad_message_receive_sized(port, message, sizeof(*message), parts, part_count,
					 timeout_ms);
}

/* Returns a descriptor for poll(), select() or epoll, readable when mad_receive_via(),
 * mad_message_receive() or mad_sa_receive_notice() with timeout 0 may have something: call one
 * until it fails with EAGAIN. The descriptor belongs to the port: do not read or close it. -1 with
 * EINVAL for NULL, EMFILE or ENOMEM. */
int mad_receive_get_fd(struct ibmad_port *port);

/* Server side: responds to the request in umad (from mad_receive_via()) with a status and a table
 * of record_count records of record_size bytes each, in as many MADs as necessary. The class is
 * registered with RMPP version 1. to NULL: the requester. Returns 0; -1 with EINVAL, ENOMEM, or the
 * error of the send. */
int mad_message_respond_table(struct ibmad_port *port, const ib_portid_t *to, void *umad,
			      unsigned status, const void *records, size_t record_size,
			      unsigned record_count);

#ifdef __cplusplus
}
#endif

#endif
