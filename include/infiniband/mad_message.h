/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Messages of any length (RMPP) without a wait for a response, from and into the caller's own
 * buffers: mad_message_send(3).
 */
#ifndef INFINIBAND_MAD_MESSAGE_H
#define INFINIBAND_MAD_MESSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include <infiniband/mad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A message that came, but for its data; numbers in host byte order. It grows at its end. */
struct mad_message {
	ib_portid_t from; /* who sent it, and how a response gets there */
	int error;	  /* 0; or the errno with which the kernel returns what we have sent
			   * (ETIMEDOUT): then this is that message itself */
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

/*
 * Sends a message, and waits for nothing. Its headers are those of rpc, as mad_send_via() takes it
 * (method, attribute, transaction ID, mask, key, oui; rpc->recsz is the attribute offset of class
 * 0x03, in units of 8 bytes; dataoffs and datasz do not matter), its data the parts one after the
 * other. The class has RMPP (0x03 and vendor range 2) and is registered with RMPP version 1, also
 * for short messages. A response, or the message itself if it gets no response within rpc->timeout
 * milliseconds (0: the port's), comes by mad_message_receive(); neither comes of methods without a
 * response. The library copies the parts, since a umad device takes a message by one write. Where
 * rpc->trid is 0, one is chosen and written there. Returns 0; -1 with EINVAL (NULL, a class without
 * RMPP or that is not registered, more than 1 GB), ENOMEM, or what the send failed with.
 */
int mad_message_send(struct ibmad_port *port, const ib_portid_t *to, ib_rpc_t *rpc,
		     const struct iovec *parts, unsigned part_count);

/* mad_message_receive() for callers without a C compiler, with the size of the structure. */
int mad_message_receive_sized(struct ibmad_port *port, struct mad_message *message, size_t size,
			      const struct iovec *parts, unsigned part_count, int timeout_ms);

/*
 * Receives the next MAD or message that no request waits for, as mad_receive_via() does: waits
 * up to timeout_ms (negative: without limit; 0: not at all), fills in *message, and spreads the
 * data over the parts. Parts that are not needed stay as they are. Returns 0; -1 with EINVAL,
 * ETIMEDOUT (EAGAIN if timeout_ms is 0), EMSGSIZE if the parts are too small (*message is filled
 * in, and the message stays the next one: call again with more space), or as mad_receive_via().
 */
static inline int mad_message_receive(struct ibmad_port *port, struct mad_message *message,
				      const struct iovec *parts, unsigned part_count,
				      int timeout_ms)
{
	return mad_message_receive_sized(port, message, sizeof(*message), parts, part_count,
					 timeout_ms);
}

/*
 * Returns a descriptor for poll(), select() or epoll that is readable when mad_receive_via(),
 * mad_message_receive() or mad_sa_receive_notice() of the port, with timeout 0, may have something:
 * a MAD that no request waits for, also one that another thread has read, or one that is not read
 * yet, of whatever kind. Call one of these until it fails with EAGAIN. The descriptor belongs to
 * the port, until that is closed: do not read or close it. In the child of a fork() it is another
 * one with the same number. The ports of a simulator cannot be waited for along with others: there
 * it is readable every 2 ms. Returns -1 with EINVAL for NULL, EMFILE or ENOMEM.
 */
int mad_receive_get_fd(struct ibmad_port *port);

/*
 * Server side: responds to the request in umad (from mad_receive_via()) with a status and a table
 * of record_count records of record_size bytes each, in as many MADs as necessary; SA records are
 * padded to a multiple of 8 bytes. The class must be registered with RMPP version 1. The response
 * goes to the address, or to the requester if that is NULL. Returns 0; -1 with EINVAL, ENOMEM, or
 * the error of the send.
 */
int mad_message_respond_table(struct ibmad_port *port, const ib_portid_t *to, void *umad,
			      unsigned status, const void *records, size_t record_size,
			      unsigned record_count);

#ifdef __cplusplus
}
#endif

#endif
