/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Messages of any length from and to the caller's own buffers. Received messages come from the
 * fabric, unchecked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "common/sized.h"
#include "libibmad/engine/port.h"
#include "libibmad/keys/keys.h"
#include "libibmad/engine/debug.h"
#include "libibmad/requests/requests.h"
#include "libibmad/wire/packet.h"

#define MESSAGE_MAX (INT32_MAX / 2) /* bytes of MAD */

/* The offset of the data in MADs of a class. */
static size_t data_offset(int mgmt_class)
{
	return mad_class_has_rmpp(mgmt_class) ? mad_class_rmpp_data((uint8_t)mgmt_class)
					      : MAD_HEADER_END;
}

/* The bytes of all parts together, or -EINVAL. */
static int64_t count_bytes(const struct iovec *parts, unsigned part_count)
{
	int64_t bytes = 0;

	if (part_count && !parts)
		return mad_refuse(MAD_REFUSED_PARTS);
	for (unsigned i = 0; i < part_count; i++) {
		if (parts[i].iov_len > (uint64_t)(MESSAGE_MAX - bytes) ||
		    (parts[i].iov_len && !parts[i].iov_base))
			return mad_refuse(MAD_REFUSED_PARTS);
		bytes += parts[i].iov_len;
	}
	return bytes;
}

static void gather(uint8_t *to, const struct iovec *parts, unsigned part_count)
{
	for (unsigned i = 0; i < part_count; i++) {
		if (parts[i].iov_len)
			memcpy(to, parts[i].iov_base, parts[i].iov_len);
		to += parts[i].iov_len;
	}
}

static void scatter(const uint8_t *from, size_t length, const struct iovec *parts)
{
	for (; length; parts++) {
		size_t size = parts->iov_len < length ? parts->iov_len : length;

		if (size)
			memcpy(parts->iov_base, from, size);
		from += size;
		length -= size;
	}
}

/* Encodes the message into memory of zeros that holds all of it, and sends that. */
static int build_and_send(const struct ibmad_port *port, int agent, ib_rpc_t *rpc,
			  const ib_portid_t *dport, const struct iovec *parts, unsigned part_count,
			  void *umad, size_t length)
{
	static const ib_rmpp_hdr_t rmpp = { .type = IB_RMPP_TYPE_DATA,
					    .flags = IB_RMPP_FLAG_ACTIVE };
	uint8_t *mad = umad_get_mad(umad);
	int mgmt_class = mad_packet_class(rpc);
	int error = mad_packet_build(umad, umad_size(), length, rpc, dport, &rmpp, NULL, 0);

	if (error)
		return error;
	if (mgmt_class == IB_SA_CLASS)
		mad_put_be16(mad + SA_ATTR_OFFSET, (uint16_t)rpc->recsz);
	gather(mad + data_offset(mgmt_class), parts, part_count);
	if (mad_port_is_adjusting(port))
		mad_keys_stamp(port, mad, dport);
	return mad_send_packet("mad_message_send", port, agent, umad, length, rpc);
}

/* The thread cannot be cancelled here, so memory is freed. */
static int send_message(const struct ibmad_port *port, ib_rpc_t *rpc, const ib_portid_t *dport,
			const struct iovec *parts, unsigned part_count)
{
	int64_t bytes = count_bytes(parts, part_count);
	int mgmt_class = mad_packet_class(rpc), error;
	int agent = mad_port_agent(port, mgmt_class);
	size_t length;
	void *umad;

	if (bytes < 0)
		return (int)bytes;
	if (!mad_class_has_rmpp(mgmt_class))
		return mad_refuse(MAD_REFUSED_RMPP_CLASS);
	if (agent < 0)
		return mad_refuse(MAD_REFUSED_PORT_CLASS);
	length = data_offset(mgmt_class) + (size_t)bytes;
	umad = calloc(1, umad_size() + (length > IB_MAD_SIZE ? length : IB_MAD_SIZE));
	if (!umad)
		return -ENOMEM;
	error = build_and_send(port, agent, rpc, dport, parts, part_count, umad, length);
	free(umad);
	return error;
}

int mad_message_send(struct ibmad_port *port, const ib_portid_t *to, ib_rpc_t *rpc,
		     const struct iovec *parts, unsigned part_count)
{
	return mad_zero_or_error(!port	? mad_refuse(MAD_REFUSED_PORT)
				 : !to	? mad_refuse(MAD_REFUSED_TO)
				 : !rpc ? mad_refuse(MAD_REFUSED_RPC)
					: send_message(port, rpc, to, parts, part_count));
}

/* The umad header says where a MAD came from. */
static void read_sender(void *umad, ib_portid_t *from)
{
	const struct ib_mad_addr *address = umad_get_mad_addr(umad);

	*from = (ib_portid_t){
		.lid = be16toh(address->lid),
		.qp = be32toh(address->qpn),
		.qkey = be32toh(address->qkey),
		.sl = address->sl,
		.pkey_idx = (unsigned)umad_get_pkey(umad),
		.grh_present = address->grh_present,
	};
	if (address->grh_present)
		memcpy(from->gid, address->gid, sizeof(from->gid));
	if (!from->qkey && from->qp)
		from->qkey = IB_DEFAULT_QP1_QKEY;
}

/* A message shorter than its headers consists of headers only. */
static void describe(const struct mad_buffer *received, struct mad_message *message)
{
	const uint8_t *mad = umad_get_mad((void *)received->umad);
	uint8_t header[MAD_HEADER_END] = { 0 };
	size_t offset;

	memset(message, 0, sizeof(*message));
	memcpy(header, mad, received->length < sizeof(header) ? received->length : sizeof(header));
	read_sender((void *)received->umad, &message->from);
	message->error = (int)mad_packet_status(received->umad);
	message->mgmt_class = header[MAD_CLASS];
	message->method = header[MAD_METHOD];
	message->status = mad_response_status(header);
	message->attr_id = mad_get_be16(header + MAD_ATTR_ID);
	message->attr_mod = mad_get_be32(header + MAD_ATTR_MOD);
	message->tid = mad_get_be64(header + MAD_TID);
	offset = data_offset(message->mgmt_class);
	if (offset > received->length)
		offset = received->length;
	message->header_size = offset;
	message->data_size = received->length - offset;
	memcpy(message->header, mad, offset);
	if (received->length <= IB_MAD_SIZE && received->length >= RMPP_END &&
	    mad_class_has_rmpp(message->mgmt_class) &&
	    received->length >= data_offset(message->mgmt_class))
		mad_packet_count_rmpp_data(mad, offset, &message->data_size);
}

struct receipt {
	struct mad_message *message;
	uint64_t space; /* bytes */
};

static int describe_if_it_fits(const struct mad_buffer *received, void *context)
{
	const struct receipt *receipt = context;

	describe(received, receipt->message);
	return receipt->message->data_size > receipt->space ? mad_refuse(MAD_REFUSED_SPACE) : 0;
}

static int receive_message(const struct ibmad_port *port, struct mad_message *message,
			   const struct iovec *parts, unsigned part_count, int timeout_ms)
{
	struct mad_engine *engine = mad_port_engine(port);
	int64_t space = count_bytes(parts, part_count);
	struct receipt receipt = { .message = message, .space = (uint64_t)space };
	struct mad_buffer *received;
	int error = space < 0 ? (int)space
			      : mad_engine_receive(engine, timeout_ms, SIZE_MAX,
						   describe_if_it_fits, &receipt, &received);

	if (error)
		return error;
	scatter((uint8_t *)umad_get_mad(received->umad) + message->header_size, message->data_size,
		parts);
	if (mad_debug_is_on())
		mad_debug_packet("mad_message_receive", true, received->umad, received->length, 0);
	mad_buffer_free(received);
	return 0;
}

int mad_message_receive_sized(struct ibmad_port *port, struct mad_message *message, size_t size,
			      const struct iovec *parts, unsigned part_count, int timeout_ms)
{
	struct mad_message received = { .error = 0 };
	int error = sized_check(message, size, SIZED_TO(message, header));

	if (!error)
		error = port ? receive_message(port, &received, parts, part_count, timeout_ms)
			     : mad_refuse(MAD_REFUSED_PORT);
	if (!error || error == -EMSGSIZE)
		SIZED_GIVE(message, size, header, &received);
	return mad_zero_or_error(error);
}
