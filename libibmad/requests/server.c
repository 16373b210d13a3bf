/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sends without waiting, and the server side: receives requests and responds to them. A received
 * MAD comes from the fabric, unchecked.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/keys/keys.h"
#include "libibmad/engine/debug.h"
#include "libibmad/requests/requests.h"
#include "libibmad/wire/packet.h"

void *mad_alloc(void)
{
	return umad_alloc(1, umad_size() + IB_MAD_SIZE);
}

void mad_free(void *umad)
{
	umad_free(umad);
}

int mad_send_packet(const char *function, const struct ibmad_port *port, int agent, void *umad,
		    size_t length, const ib_rpc_t *rpc)
{
	int timeout_ms =
		rpc && mad_request_has_response(rpc) ? mad_port_timeout(port, rpc->timeout) : 0;
	int error = mad_engine_send(mad_port_engine(port), agent, umad, (int)length, timeout_ms);

	if (mad_debug_is_on())
		mad_debug_packet(function, false, umad, length, error);
	return error;
}

static int send_via(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		    const ib_rmpp_hdr_t *rmpp, const void *data)
{
	uint64_t umad[(sizeof(struct ib_user_mad) + IB_MAD_SIZE) / sizeof(uint64_t)] = { 0 };
	int agent, error;

	if (!rpc || !dport || !port)
		return mad_refuse(!port	 ? MAD_REFUSED_PORT
				  : !rpc ? MAD_REFUSED_RPC
					 : MAD_REFUSED_TO);
	agent = mad_port_agent(port, rpc->mgtclass & 0xff);
	if (agent < 0 || rpc->datasz < 0)
		return mad_refuse(agent < 0 ? MAD_REFUSED_PORT_CLASS : MAD_REFUSED_RPC_DATA);
	error = mad_packet_build(umad, umad_size(), IB_MAD_SIZE, rpc, dport, rmpp, data,
				 rpc->datasz);
	if (error) {
		mad_packet_explain(rpc, &dport->drpath, error);
		return error;
	}
	if (mad_port_is_adjusting(port))
		mad_keys_stamp(port, umad_get_mad(umad), dport);
	return mad_send_packet("mad_send_via", port, agent, umad, IB_MAD_SIZE, rpc);
}

int mad_send_request(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		     const ib_rmpp_hdr_t *rmpp, const void *data)
{
	int error = send_via(port, rpc, dport, rmpp, data);

	if (error)
		mad_show_error("mad_send_via", "send failed; %s", strerror(-error));
	return error;
}

int mad_send_via(ib_rpc_t *rpc, ib_portid_t *dport, ib_rmpp_hdr_t *rmpp, void *data,
		 struct ibmad_port *srcport)
{
	return mad_zero_or_error(mad_send_request(srcport, rpc, dport, rmpp, data));
}

/* A MAD is received into the caller's buffer, or into a new one if there is none. */
static int prepare_buffer(const struct mad_buffer *received, void *umad)
{
	size_t size = received->length > IB_MAD_SIZE ? received->length : IB_MAD_SIZE;
	void **buffer = umad;

	if (!*buffer)
		*buffer = umad_alloc(1, umad_size() + size);
	return *buffer ? 0 : -ENOMEM;
}

static void copy_packet(const struct mad_buffer *received, void *umad)
{
	size_t header = umad_size();

	memcpy(umad, received->umad, header + received->length);
	if (received->length < IB_MAD_SIZE)
		memset((uint8_t *)umad + header + received->length, 0,
		       IB_MAD_SIZE - received->length);
}

void *mad_receive_via(void *umad, int timeout, struct ibmad_port *srcport)
{
	size_t size_max = umad ? IB_MAD_SIZE : SIZE_MAX;
	struct mad_buffer *received;
	int error = srcport ? mad_engine_receive(mad_port_engine(srcport), timeout, size_max,
						 prepare_buffer, &umad, &received)
			    : mad_refuse(MAD_REFUSED_PORT);

	if (error)
		return mad_data_or_null(error, NULL);
	copy_packet(received, umad);
	if (mad_debug_is_on())
		mad_debug_packet("mad_receive_via", true, umad, received->length, 0);
	mad_buffer_free(received);
	return umad;
}

/* The response to Set is GetResp; Send has no response; for all others the response bit is set
 * (13.4.6). */
static uint8_t response_method(uint8_t method)
{
	return method == UMAD_METHOD_SET    ? UMAD_METHOD_GET_RESP
	       : method == UMAD_METHOD_SEND ? UMAD_METHOD_SEND
					    : method | UMAD_METHOD_RESP_MASK;
}

/*
 * The response repeats neither the keys nor the RMPP header of the request; vendor range 1 has data
 * at that offset. The SM_Key of a response is 0 (C15-0.1.5).
 */
static void clear_keys(uint8_t *mad)
{
	if (!mad_is_vendor_range1(mad[MAD_CLASS]))
		memset(mad + MAD_HEADER_END, 0, sizeof(uint64_t));
	if (mad[MAD_CLASS] == IB_SA_CLASS) {
		memset(mad + SA_SM_KEY, 0, sizeof(uint64_t));
		memset(mad + SA_COMPONENT_MASK, 0, sizeof(uint64_t));
	}
}

/* Only the attribute modifier marks a Send of board management as a response (16.2). */
static void mark_response(uint8_t *mad)
{
	if (mad[MAD_CLASS] == IB_BOARD_MGMT_CLASS && mad[MAD_METHOD] == UMAD_METHOD_SEND)
		mad_put_be32(mad + MAD_ATTR_MOD,
			     mad_get_be32(mad + MAD_ATTR_MOD) | MAD_BM_RESPONSE);
}

/* Turns the request into its response, in place; all other fields (TID, attribute, path, OUI) are
 * kept. */
static void make_response(uint8_t *mad, uint32_t rstatus)
{
	mad[MAD_BASE_VERSION] = UMAD_BASE_VERSION;
	mad[MAD_METHOD] = response_method(mad[MAD_METHOD]);
	if (mad[MAD_CLASS] == IB_SMI_DIRECT_CLASS) {
		mad_put_be16(mad + MAD_STATUS, (rstatus & ~SMP_DIRECTION) | SMP_DIRECTION);
		mad[SMP_HOP_POINTER] = mad[SMP_HOP_COUNT] + 1;
	} else {
		mad_put_be16(mad + MAD_STATUS, rstatus);
	}
	mark_response(mad);
	clear_keys(mad);
}

/*
 * The umad header of a received MAD holds its source: LID, QP, SL, path bits, P_Key index and GRH.
 * The response uses them unchanged, with the Q_Key of the QP and the largest hop limit.
 */
static void address_requester(void *umad, bool smi)
{
	struct ib_mad_addr *address = umad_get_mad_addr(umad);

	if (smi) {
		address->qpn = 0;
		address->qkey = 0;
		address->sl = 0;
		umad_set_pkey(umad, 0);
		address->grh_present = 0;
		return;
	}
	if (!address->qkey)
		address->qkey = htobe32(IB_DEFAULT_QP1_QKEY);
	if (address->grh_present)
		address->hop_limit = 255;
}

/* The address that the caller passes: a QP or Q_Key of 0 is filled in, as for every request. */
static void address_portid(void *umad, int mgmt_class, ib_portid_t *portid)
{
	if (mad_class_is_smi(mgmt_class))
		portid->qp = 0;
	else
		mad_address_gsi(portid);
	mad_packet_put_destination(umad, umad_size(), mgmt_class, portid);
}

/* Turns a received umad packet into its response, headers and address. Returns the agent. */
static int prepare_response(void *umad, ib_portid_t *portid, uint32_t rstatus,
			    const struct ibmad_port *port)
{
	uint8_t *mad = umad_get_mad(umad);
	int agent = mad_port_agent(port, mad[MAD_CLASS]);

	if (agent < 0)
		return mad_refuse(MAD_REFUSED_PORT_CLASS);
	if (mad[MAD_CLASS] == IB_SMI_DIRECT_CLASS && mad[SMP_HOP_COUNT] >= IB_SUBNET_PATH_HOPS_MAX)
		return -EINVAL;
	if (portid)
		address_portid(umad, mad[MAD_CLASS], portid);
	else
		address_requester(umad, mad_class_is_smi(mad[MAD_CLASS]));
	make_response(mad, rstatus);
	((struct ib_user_mad *)umad)->status = 0;
	return agent;
}

/* The kernel makes all other RMPP headers from this one, which marks the MAD as active. */
static void activate_rmpp(uint8_t *mad, size_t record_size)
{
	mad[RMPP_VERSION] = UMAD_RMPP_VERSION;
	mad[RMPP_TYPE] = IB_RMPP_TYPE_DATA;
	mad[RMPP_RTIME_FLAGS] = RMPP_NO_RESPONSE_TIME | IB_RMPP_FLAG_ACTIVE;
	if (mad[MAD_CLASS] == IB_SA_CLASS)
		mad_put_be16(mad + SA_ATTR_OFFSET, record_size / 8);
}

/*
 * A table of records, padded to 8 bytes each for the SA, after the common header of the request;
 * without the request's keys and data.
 */
static int respond_table(void *umad, const ib_portid_t *to, uint32_t rstatus,
			 const uint8_t *records, size_t record_size, size_t count,
			 const struct ibmad_port *port)
{
	const uint8_t *request = umad_get_mad(umad);
	size_t padding = request[MAD_CLASS] == IB_SA_CLASS ? -record_size & 7 : 0;
	size_t stride = record_size + padding;
	size_t header = umad_size(), offset = mad_class_rmpp_data(request[MAD_CLASS]);
	size_t length = offset + stride * count;
	uint8_t *response = calloc(1, header + (length > IB_MAD_SIZE ? length : IB_MAD_SIZE));
	ib_portid_t portid;
	uint8_t *mad;
	int result;

	if (!response)
		return -ENOMEM;
	memcpy(response, umad, header + MAD_HEADER_END);
	mad = umad_get_mad(response);
	if (mad_is_vendor_range2(request[MAD_CLASS]))
		memcpy(mad + VENDOR2_WORD, request + VENDOR2_WORD, sizeof(uint32_t));
	if (to)
		portid = *to;
	result = prepare_response(response, to ? &portid : NULL, rstatus, port);
	if (result >= 0) {
		activate_rmpp(mad, stride);
		for (size_t i = 0; i < count; i++)
			memcpy(mad + offset + i * stride, records + i * record_size, record_size);
		result = mad_send_packet("mad_message_respond_table", port, result, response,
					 length, NULL);
	}
	free(response);
	return result;
}

static int check_table(const void *umad, unsigned status, const void *records, size_t record_size,
		       unsigned record_count, const struct ibmad_port *port)
{
	if (!port)
		return mad_refuse(MAD_REFUSED_PORT);
	if (status > UINT16_MAX)
		return mad_refuse(MAD_REFUSED_STATUS);
	if (!umad || !mad_class_has_rmpp(((const uint8_t *)umad_get_mad((void *)umad))[MAD_CLASS]))
		return mad_refuse(MAD_REFUSED_UMAD);
	return record_size > UINT16_MAX || (record_count && (!records || !record_size)) ||
			       (uint64_t)record_count * (record_size + 8) > INT32_MAX / 2
		       ? mad_refuse(MAD_REFUSED_RECORDS)
		       : 0;
}

int mad_message_respond_table(struct ibmad_port *port, const ib_portid_t *to, void *umad,
			      unsigned status, const void *records, size_t record_size,
			      unsigned record_count)
{
	int error = check_table(umad, status, records, record_size, record_count, port);

	if (!error)
		error = respond_table(umad, to, status, records, record_size, record_count, port);
	return mad_zero_or_error(error);
}

int mad_respond_via(void *umad, ib_portid_t *portid, uint32_t rstatus, struct ibmad_port *srcport)
{
	int agent = umad && srcport ? prepare_response(umad, portid, rstatus, srcport)
				    : mad_refuse(srcport ? MAD_REFUSED_PACKET : MAD_REFUSED_PORT);
	int error = agent < 0 ? agent
			      : mad_send_packet("mad_respond_via", srcport, agent, umad,
						IB_MAD_SIZE, NULL);

	if (error)
		mad_show_error("mad_respond_via", "send failed; %s", strerror(-error));
	return mad_zero_or_error(error);
}
