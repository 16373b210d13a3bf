/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How each class helper fills in its request: the same for a blocking call and an asynchronous one.
 * Each function sets all of rpc and completes the address, and returns 0 or -EINVAL.
 */
#ifndef LIBIBMAD_REQUESTS_H
#define LIBIBMAD_REQUESTS_H

#include <errno.h>

#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/wire/packet.h"

/* The result of a class helper: data, or NULL with errno set from error (-errno). */
#define mad_data_or_null(error, data) mad_end_helper(__func__, error, data)
static inline void *mad_end_helper(const char *function, int error, void *data)
{
	if (!error)
		return data;
	mad_fail_again(function, error);
	return NULL;
}

/* The result of a class helper that refuses its request. */
#define mad_refuse_call(error) mad_data_or_null(mad_state_refuse(error), NULL)

/* call.c: as mad_rpc(). Returns 0 or -errno. */
int mad_call_adjusted(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		      const void *payload, void *rcvdata) __attribute__((cold));
static inline int mad_call(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
			   const void *payload, void *rcvdata)
{
	if (port && mad_port_is_adjusting(port))
		return mad_call_adjusted(port, rpc, dport, payload, rcvdata);
	return mad_rpc_call(port, rpc, dport, payload, rcvdata);
}

/* As smp_query_via(). Returns 0 or -errno. */
int mad_smp_get(const struct ibmad_port *port, void *data, ib_portid_t *portid, unsigned attrid,
		unsigned mod, unsigned timeout);

/* gsi.c: data is the attribute to send, of IB_PC_DATA_SZ bytes */
int mad_perf_request(ib_rpc_v1_t *rpc, ib_portid_t *portid, int method, int port, unsigned attrid);
void mad_perf_select_counters(void *data, int port, unsigned mask, unsigned attrid);
void mad_cc_request(ib_rpc_cc_t *rpc, ib_portid_t *portid, int method, unsigned attrid,
		    unsigned mod, uint64_t cckey);
int mad_vendor_request(ib_rpc_v1_t *rpc, ib_portid_t *portid, const ib_vendor_call_t *call);

/* sa.c: gets the PathRecord between two GIDs; buf has IB_SA_DATA_SIZE bytes. Returns 0 or -errno.
 */
int mad_path_query(const struct ibmad_port *port, ibmad_gid_t source, ibmad_gid_t destination,
		   ib_portid_t *sm_id, void *buf);

/* resolve.c: writes the address of the SA at sm, or of the local port's (NULL). Returns 0 or
 * -errno. */
int mad_sa_address(const struct ibmad_port *port, const ib_portid_t *sm, ib_portid_t *address);

/* keys.c: as mad_sa_check_key(). Returns 0 or -errno. */
int mad_sa_check(const struct ibmad_port *port, const ib_portid_t *sm, int timeout_ms);

/* table.c: all records of a response. */
struct mad_sa_table {
	unsigned count;
	unsigned attr_id;   /* of the records: PathRecord also for those of a MultiPathRecord */
	size_t record_size; /* bytes from one record to the next, padding included */
	bool is_truncated;
	const uint8_t *records; /* network byte order */
};
/* As mad_sa_query(), without its size; prints nothing. Returns 0 or -errno. */
int mad_table_query(const struct ibmad_port *port, const ib_portid_t *sm,
		    const struct mad_sa_request *request, struct mad_sa_table **table,
		    unsigned *status);

/* The number and size of the records of a response with length bytes of MAD, whose headers are
 * checked. Returns 0, -EBADMSG or -ECONNABORTED. */
int mad_table_measure(unsigned method, const uint8_t *mad, size_t length,
		      struct mad_sa_table *table);

/* records.c: as mad_sa_get_node() and others, by the attribute that the structure is for. Fills all
 * of it. Returns 0 or -errno. */
int mad_record_get(const struct mad_sa_table *table, unsigned index, unsigned attr_id,
		   void *values);

/* server.c: sends a packet that an agent has encoded. rpc: NULL, or a request, which waits for its
 * response where there is one. Returns 0 or -errno. */
int mad_send_packet(const char *function, const struct ibmad_port *port, int agent, void *umad,
		    size_t length, const ib_rpc_t *rpc);
/* as mad_send_via(). Returns 0 or -errno. */
int mad_send_request(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		     const ib_rmpp_hdr_t *rmpp, const void *data);

#endif
