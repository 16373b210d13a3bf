/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * SA queries that return tables. The length, the RMPP header and the record size of a response come
 * from the wire; they must be consistent before any record is used.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "common/sized.h"
#include "libibmad/engine/request.h"
#include "libibmad/internal.h"
#include "libibmad/requests/requests.h"
#include "libibmad/wire/packet.h"

enum { TIMEOUT_FACTOR = 30, LONGEST_TIMEOUT_MS = 120000, CHECK_FACTOR = 3 };

/* A query and its destination; once: with one attempt instead of the port's. */
struct asking {
	const struct ibmad_port *port;
	ib_portid_t *sm;
	const struct mad_sa_request *query;
	bool once;
};

static bool is_single(unsigned method)
{
	return method == IB_MAD_METHOD_GET;
}

static int check(const struct mad_sa_request *query)
{
	size_t most = query->method == IB_MAD_METHOD_GETMULTI ? INT32_MAX - IB_SA_DATA_OFFS
							      : IB_SA_DATA_SIZE;

	if (query->attr_id > UINT16_MAX)
		return mad_refuse(MAD_REFUSED_ATTRIBUTE);
	if (query->timeout_ms < 0)
		return mad_refuse(MAD_REFUSED_TIMEOUT);
	if (query->method != IB_MAD_METHOD_GET && query->method != IB_MAD_METHOD_GET_TABLE &&
	    query->method != IB_MAD_METHOD_GET_TRACE_TABLE &&
	    query->method != IB_MAD_METHOD_GETMULTI)
		return mad_refuse(MAD_REFUSED_METHOD);
	return query->data_size > most || (query->data_size && !query->data)
		       ? mad_refuse(MAD_REFUSED_QUERY_DATA)
		       : 0;
}

/*
 * Simulators without RMPP forward the first MAD of a response as the SA wrote it: marked as active,
 * with no type yet. The total length of the response is unknown then.
 */
static bool is_cut(const uint8_t *mad)
{
	return (mad[RMPP_RTIME_FLAGS] & IB_RMPP_FLAG_ACTIVE) && mad[RMPP_TYPE] == IB_RMPP_TYPE_NONE;
}

/* Measures a response that is no table. A record that is cut off is as long as the bytes received.
 */
static int measure_single(const uint8_t *mad, size_t record_size, size_t bytes,
			  struct mad_sa_table *table)
{
	int error = is_cut(mad) ? 0 : mad_packet_count_rmpp_data(mad, IB_SA_DATA_OFFS, &bytes);

	if (error || !bytes)
		return error ? error : -EBADMSG;
	table->count = 1;
	table->record_size = record_size && record_size <= bytes ? record_size : bytes;
	return 0;
}

int mad_table_measure(unsigned method, const uint8_t *mad, size_t length,
		      struct mad_sa_table *table)
{
	size_t record_size = (size_t)mad_get_be16(mad + SA_ATTR_OFFSET) * 8, bytes;
	int error = 0;

	if (length < IB_SA_DATA_OFFS)
		return -EBADMSG;
	bytes = length - IB_SA_DATA_OFFS;
	if (is_single(method))
		return measure_single(mad, record_size, bytes, table);
	if (is_cut(mad) && record_size) {
		table->is_truncated = true;
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

/* Makes a table of records, which it copies. Returns 0 or -ENOMEM. */
static int make_table(const struct mad_sa_table *table, const uint8_t *records,
		      struct mad_sa_table **made)
{
	size_t size = (size_t)table->count * table->record_size;

	*made = malloc(sizeof(**made) + size);
	if (!*made)
		return -ENOMEM;
	**made = *table;
	(*made)->records = (uint8_t *)(*made + 1);
	if (size)
		memcpy(*made + 1, records, size);
	return 0;
}

/* Sends the query from a buffer that holds the whole attribute, and makes the table. */
static int run(const struct asking *asking, void *umad, size_t length, struct mad_sa_table **table,
	       unsigned *status)
{
	const struct mad_sa_request *query = asking->query;
	static const ib_rmpp_hdr_t many_packets = { .type = IB_RMPP_TYPE_DATA,
						    .flags = IB_RMPP_FLAG_ACTIVE };
	uint8_t response[IB_MAD_SIZE];
	ib_rpc_t rpc = {
		.mgtclass = IB_SA_CLASS,
		.method = query->method,
		.attr = { .id = query->attr_id, .mod = query->attr_mod },
		.mask = query->mask,
		.mkey = query->sm_key ? query->sm_key : mad_port_sa_key(asking->port),
		.timeout = query->timeout_ms,
		.dataoffs = IB_SA_DATA_OFFS,
	};
	struct mad_sa_table made = { .attr_id = mad_response_attribute(IB_SA_CLASS, query->method,
								       query->attr_id) };
	struct mad_request request;
	const uint8_t *mad;
	int error;

	mad_request_prepare(&request, asking->port, asking->sm, umad, response);
	request.length = (int)length;
	request.wants_whole = true;
	request.options = asking->once ? MAD_REQUEST_ONCE : 0;
	error = mad_request_run(&request, "mad_sa_query", &rpc,
				length > IB_MAD_SIZE ? &many_packets : NULL, query->data,
				query->data_size);
	*status = rpc.rstatus;
	mad = request.whole ? umad_get_mad(request.whole->umad) : response;
	if (!error)
		error = mad_table_measure(query->method, mad, request.response_length, &made);
	else if (error == -EIO && rpc.rstatus >> 8 == UMAD_SA_STATUS_NO_RECORDS)
		error = 0;
	if (!error)
		error = make_table(&made, mad + IB_SA_DATA_OFFS, table);
	mad_buffer_free(request.whole);
	return error;
}

static int send_query(const struct asking *asking, struct mad_sa_table **table, unsigned *status)
{
	uint64_t one_packet[MAD_REQUEST_WORDS];
	size_t length = IB_SA_DATA_OFFS + asking->query->data_size;
	void *request;
	int error;

	if (length <= IB_MAD_SIZE)
		return run(asking, one_packet, IB_MAD_SIZE, table, status);
	request = malloc(umad_size() + length);
	if (!request)
		return mad_state_refuse(-ENOMEM);
	pthread_cleanup_push(free, request); /* the thread may be cancelled while it waits */
	error = run(asking, request, length, table, status);
	pthread_cleanup_pop(1);
	return error;
}

/*
 * The kernel returns a request whose response has not arrived as a whole within the timeout, and
 * each lost packet of the response costs the SA's own timeout, some 2 s. So a table that does not
 * arrive is requested again with longer timeouts, once each, if the SA responds to a request that
 * needs one packet; it may have to make the tables of the earlier attempts first. The longest is
 * for an SA that begins late: 40 s after the first packet the kernel gives a response up. An SA
 * that refuses the SM_Key of the query responds, too.
 */
static int send_until_it_arrives(const struct ibmad_port *port, ib_portid_t *sm,
				 struct mad_sa_request *query, struct mad_sa_table **table,
				 unsigned *status)
{
	int timeout_ms = mad_port_timeout(port, query->timeout_ms);
	int check_ms = timeout_ms < LONGEST_TIMEOUT_MS ? timeout_ms * CHECK_FACTOR : timeout_ms;
	bool is_given = query->timeout_ms || query->sm_key || is_single(query->method);
	struct asking asking = { .port = port, .sm = sm, .query = query };
	int error = send_query(&asking, table, status);

	while (error == -ETIMEDOUT && !is_given && timeout_ms > 0 &&
	       timeout_ms < LONGEST_TIMEOUT_MS && !mad_sa_check(port, sm, check_ms)) {
		timeout_ms = timeout_ms < LONGEST_TIMEOUT_MS / TIMEOUT_FACTOR
				     ? timeout_ms * TIMEOUT_FACTOR
				     : LONGEST_TIMEOUT_MS;
		query->timeout_ms = timeout_ms;
		asking.once = true;
		error = send_query(&asking, table, status);
	}
	return error;
}

int mad_table_query(const struct ibmad_port *port, const ib_portid_t *sm,
		    const struct mad_sa_request *request, struct mad_sa_table **table,
		    unsigned *status)
{
	struct mad_sa_request query = *request;
	ib_portid_t address;
	MAD_QUIET_BLOCK;
	int error;

	*status = 0;
	if (!query.method)
		query.method = IB_MAD_METHOD_GET_TABLE;
	error = check(&query);
	if (error)
		return mad_state_refuse(error);
	error = mad_sa_address(port, sm, &address);
	return error ? error : send_until_it_arrives(port, &address, &query, table, status);
}

struct mad_sa_table *mad_sa_query_sized(struct ibmad_port *port, const ib_portid_t *sm,
					const struct mad_sa_request *request, size_t size,
					unsigned *status)
{
	struct mad_sa_table *table = NULL;
	struct mad_sa_request query;
	unsigned unused;
	int error = SIZED_TAKE(&query, data_size, request, size);

	if (!status)
		status = &unused;
	*status = 0;
	if (error)
		mad_state_refuse(error);
	else
		error = mad_table_query(port, sm, &query, &table, status);
	mad_zero_or_error(error);
	return table;
}

struct mad_sa_table *mad_sa_query_all(struct ibmad_port *port, const ib_portid_t *sm,
				      unsigned attr_id, int timeout_ms)
{
	const struct mad_sa_request request = { .attr_id = attr_id, .timeout_ms = timeout_ms };

	return mad_sa_query_sized(port, sm, &request, sizeof(request), NULL);
}

static int take_result(const struct mad_async_result *result, struct mad_sa_table **made)
{
	struct mad_sa_table table = { 0 };
	int error = result ? -result->error : mad_refuse(MAD_REFUSED_RESULT);
	unsigned method;

	if (error && (error != -EIO || result->status >> 8 != UMAD_SA_STATUS_NO_RECORDS))
		return error;
	if (!result->mad || result->mad_size < IB_SA_DATA_OFFS ||
	    result->mad[MAD_CLASS] != IB_SA_CLASS)
		return mad_refuse(MAD_REFUSED_RESULT);
	method = result->mad[MAD_METHOD] & ~IB_MAD_RESPONSE;
	table.attr_id = mad_response_attribute(IB_SA_CLASS, method,
					       mad_get_be16(result->mad + MAD_ATTR_ID));
	error = error ? 0 : mad_table_measure(method, result->mad, result->mad_size, &table);
	return error ? error : make_table(&table, result->mad + IB_SA_DATA_OFFS, made);
}

struct mad_sa_table *mad_sa_table_from(const struct mad_async_result *result)
{
	struct mad_sa_table *table = NULL;
	int error = take_result(result, &table);

	mad_zero_or_error(error);
	return table;
}

void mad_sa_table_free(struct mad_sa_table *table)
{
	free(table);
}

unsigned mad_sa_table_count(const struct mad_sa_table *table)
{
	return table ? table->count : 0;
}

unsigned mad_sa_table_attr_id(const struct mad_sa_table *table)
{
	return table ? table->attr_id : 0;
}

bool mad_sa_table_truncated(const struct mad_sa_table *table)
{
	return table && table->is_truncated;
}

const uint8_t *mad_sa_table_record(const struct mad_sa_table *table, unsigned index, size_t *size)
{
	int error = table ? 0 : mad_refuse(MAD_REFUSED_TABLE);

	if (!error && index >= table->count)
		error = mad_refuse(MAD_REFUSED_INDEX);
	if (error)
		return mad_data_or_null(error, NULL);
	if (size)
		*size = table->record_size;
	return table->records + index * table->record_size;
}
