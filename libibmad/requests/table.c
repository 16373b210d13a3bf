/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA queries that return tables. The length, the RMPP header and the record size of a response come
 * from the wire; they must be consistent before any record is used.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/mad_keys.h>
#include <infiniband/umad.h>

#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"
#include "libibmad/requests/rpc.h"
#include "libibmad/wire/packet.h"

enum { TIMEOUT_FACTOR = 6, LONGEST_TIMEOUT_MS = 1296000 };

static bool is_single(unsigned method)
{
	return method == IB_MAD_METHOD_GET;
}

static int check(const struct mad_sa_query *query)
{
	switch (query->method) {
	case IB_MAD_METHOD_GET:
	case IB_MAD_METHOD_GET_TABLE:
	case IB_MAD_METHOD_GET_TRACE_TABLE:
		if (query->data_size > IB_SA_DATA_SIZE)
			return -EINVAL;
		break;
	case IB_MAD_METHOD_GETMULTI:
		if (query->data_size > INT32_MAX - IB_SA_DATA_OFFS)
			return -EINVAL;
		break;
	default:
		return -EINVAL;
	}
	return query->data_size && !query->data ? -EINVAL : 0;
}

/*
 * Simulators without RMPP forward the first MAD of a response as the SA wrote it: marked as active,
 * with no type yet. The total length of the response is unknown then.
 */
static bool is_cut(const uint8_t *mad)
{
	return (mad[RMPP_RTIME_FLAGS] & IB_RMPP_FLAG_ACTIVE) && mad[RMPP_TYPE] == IB_RMPP_TYPE_NONE;
}

/* Computes the number and size of the records, after a check that the headers are consistent. */
static int measure(unsigned method, const uint8_t *mad, size_t length, struct mad_sa_table *table)
{
	size_t record_size = (size_t)mad_get_be16(mad + SA_ATTR_OFFSET) * 8, bytes;
	int error = 0;

	if (length < IB_SA_DATA_OFFS)
		return -EBADMSG;
	bytes = length - IB_SA_DATA_OFFS;
	if (is_single(method) && !bytes)
		return -EBADMSG;
	if (is_single(method)) {
		table->count = 1;
		table->record_size = record_size && record_size <= bytes ? record_size : bytes;
		return 0;
	}
	if (is_cut(mad) && record_size) {
		table->truncated = 1;
		bytes -= bytes % record_size;
	} else if (length <= IB_MAD_SIZE) {
		error = mad_packet_count_rmpp_data(mad, IB_SA_DATA_OFFS, &bytes);
	}
	if (error || !bytes)
		return error;
	if (!record_size || bytes % record_size)
		return -EBADMSG;
	table->count = bytes / record_size;
	table->record_size = record_size;
	return 0;
}

/* Gives the table its records: the response buffer itself if it is large, else a copy. */
static int fill(struct mad_exchange *exchange, unsigned method, struct mad_sa_table *table)
{
	struct mad_buffer *whole = exchange->transaction.whole;
	const uint8_t *mad = whole ? umad_get_mad(whole->umad) : exchange->transaction.response;
	size_t size;
	int error = measure(method, mad, exchange->transaction.response_length, table);

	size = (size_t)table->count * table->record_size;
	if (error || !size)
		return error;
	if (whole) {
		table->memory = whole;
		table->records = mad + IB_SA_DATA_OFFS;
		exchange->transaction.whole = NULL;
		return 0;
	}
	table->memory = malloc(size);
	if (!table->memory)
		return -ENOMEM;
	memcpy(table->memory, mad + IB_SA_DATA_OFFS, size);
	table->records = table->memory;
	return 0;
}

/* Sends the query from a buffer that holds the whole attribute, and fills the table. */
static int run(const struct ibmad_port *port, ib_portid_t *sm, const struct mad_sa_query *query,
	       void *request, size_t request_length, struct mad_sa_table *table)
{
	static const ib_rmpp_hdr_t many_packets = { .type = IB_RMPP_TYPE_DATA,
						    .flags = IB_RMPP_FLAG_ACTIVE };
	uint8_t response[IB_MAD_SIZE];
	ib_rpc_t rpc = {
		.mgtclass = IB_SA_CLASS,
		.method = query->method,
		.attr = { .id = query->attr_id, .mod = query->attr_mod },
		.mask = query->mask,
		.mkey = query->sm_key ? query->sm_key : mad_port_sa_key(port),
		.timeout = query->timeout_ms,
		.dataoffs = IB_SA_DATA_OFFS,
	};
	struct mad_exchange exchange;
	int error;

	mad_exchange_prepare(&exchange, "mad_sa_query", port, &rpc, sm);
	exchange.rmpp = request_length > IB_MAD_SIZE ? &many_packets : NULL;
	exchange.payload = query->data;
	exchange.payload_size = query->data_size;
	exchange.transaction.request = request;
	exchange.transaction.request_length = (int)request_length;
	exchange.transaction.response = response;
	exchange.transaction.wants_whole = true;
	error = mad_exchange_run(&exchange);
	table->status = rpc.rstatus;
	if (!error)
		error = fill(&exchange, query->method, table);
	else if (error == -EIO && rpc.rstatus >> 8 == UMAD_SA_STATUS_NO_RECORDS)
		error = 0;
	mad_exchange_release(&exchange);
	if (error)
		*table = (struct mad_sa_table){ .status = table->status };
	return error;
}

static int send_query(const struct ibmad_port *port, ib_portid_t *sm,
		      const struct mad_sa_query *query, struct mad_sa_table *table)
{
	uint64_t one_packet[MAD_REQUEST_WORDS];
	size_t length = IB_SA_DATA_OFFS + query->data_size;
	void *request;
	int error;

	if (length <= IB_MAD_SIZE)
		return run(port, sm, query, one_packet, IB_MAD_SIZE, table);
	request = malloc(umad_size() + length);
	if (!request)
		return mad_state_refuse(-ENOMEM);
	pthread_cleanup_push(free, request); /* the thread may be cancelled while it waits */
	error = run(port, sm, query, request, length, table);
	pthread_cleanup_pop(1);
	return error;
}

/*
 * The kernel returns a request whose response has not arrived as a whole within the timeout, and
 * each lost packet of the response costs the SA's own timeout, some 2 s. So a table that does not
 * arrive is requested again with longer timeouts, for as long as the SA responds to a request that
 * needs one packet. An SA that refuses the SM_Key of the query does that, too.
 */
static int send_until_it_arrives(const struct ibmad_port *port, ib_portid_t *sm,
				 struct mad_sa_query *query, struct mad_sa_table *table)
{
	int timeout_ms = mad_port_timeout(port, (int)query->timeout_ms);
	bool is_given = query->timeout_ms || query->sm_key || is_single(query->method);
	int error = send_query(port, sm, query, table);

	while (error == -ETIMEDOUT && !is_given && timeout_ms > 0 &&
	       timeout_ms < LONGEST_TIMEOUT_MS && !mad_sa_check_key(port, sm, 0)) {
		timeout_ms = timeout_ms < LONGEST_TIMEOUT_MS / TIMEOUT_FACTOR
				     ? timeout_ms * TIMEOUT_FACTOR
				     : LONGEST_TIMEOUT_MS;
		query->timeout_ms = (unsigned)timeout_ms;
		error = send_query(port, sm, query, table);
	}
	return error;
}

static int query_records(const struct ibmad_port *srcport, ib_portid_t *sm,
			 const struct mad_sa_query *query, struct mad_sa_table *table)
{
	struct mad_sa_query asked;
	ib_portid_t local_sm;
	int error = -EINVAL;

	if (table)
		memset(table, 0, sizeof(*table));
	if (srcport && query && table) {
		asked = *query;
		if (!asked.method)
			asked.method = IB_MAD_METHOD_GET_TABLE;
		error = check(&asked);
	}
	if (error) {
		mad_state_refuse(error);
	} else if (!sm) {
		sm = &local_sm;
		error = mad_resolve_sm(srcport, 0, sm);
	}
	if (!error && sm->lid <= 0)
		error = mad_state_refuse(-EINVAL);
	if (!error) {
		mad_address_gsi(sm);
		error = send_until_it_arrives(srcport, sm, &asked, table);
	}
	return error;
}

int mad_sa_query(const struct ibmad_port *srcport, ib_portid_t *sm,
		 const struct mad_sa_query *query, struct mad_sa_table *table)
{
	return mad_zero_or_error(query_records(srcport, sm, query, table));
}

void mad_sa_table_free(struct mad_sa_table *table)
{
	if (!table)
		return;
	free(table->memory);
	memset(table, 0, sizeof(*table));
}

int mad_table_query_all(const struct ibmad_port *port, ib_portid_t *sm, unsigned attr_id,
			unsigned timeout_ms, struct mad_sa_table *table)
{
	struct mad_sa_query query = { .attr_id = attr_id, .timeout_ms = timeout_ms };

	return query_records(port, sm, &query, table);
}

int mad_sa_query_nodes(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
		       struct mad_sa_table *table)
{
	return mad_zero_or_error(
		mad_table_query_all(srcport, sm, IB_SA_ATTR_NODERECORD, timeout_ms, table));
}

int mad_sa_query_port_infos(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
			    struct mad_sa_table *table)
{
	return mad_zero_or_error(
		mad_table_query_all(srcport, sm, IB_SA_ATTR_PORTINFORECORD, timeout_ms, table));
}

int mad_sa_query_links(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
		       struct mad_sa_table *table)
{
	return mad_zero_or_error(
		mad_table_query_all(srcport, sm, IB_SA_ATTR_LINKRECORD, timeout_ms, table));
}

int mad_sa_query_sm_infos(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
			  struct mad_sa_table *table)
{
	return mad_zero_or_error(
		mad_table_query_all(srcport, sm, IB_SA_ATTR_SMINFORECORD, timeout_ms, table));
}

int mad_sa_query_mc_members(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
			    struct mad_sa_table *table)
{
	return mad_zero_or_error(
		mad_table_query_all(srcport, sm, IB_SA_ATTR_MCRECORD, timeout_ms, table));
}

int mad_sa_query_services(const struct ibmad_port *srcport, ib_portid_t *sm, unsigned timeout_ms,
			  struct mad_sa_table *table)
{
	return mad_zero_or_error(
		mad_table_query_all(srcport, sm, IB_SA_ATTR_SERVICERECORD, timeout_ms, table));
}
