/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What each class helper fills in: the same for a blocking call and an asynchronous one. Each sets
 * all of rpc and completes the address, and returns 0 or -EINVAL.
 */
#ifndef LIBIBMAD_REQUESTS_H
#define LIBIBMAD_REQUESTS_H

#include <errno.h>

#include "internal.h"

/* What a class helper returns: data, or NULL with errno set from error (-errno). */
static inline void *mad_data_or_null(int error, void *data)
{
	if (!error)
		return data;
	errno = -error;
	return NULL;
}

/* smp.c */
/* An SMP goes by LID where the address has one and no directed part, else along the path. */
static inline int mad_smp_class(const ib_portid_t *portid)
{
	bool directed = portid->lid <= 0 || portid->drpath.drslid == 0xffff ||
			portid->drpath.drdlid == 0xffff;

	return directed ? IB_SMI_DIRECT_CLASS : IB_SMI_CLASS;
}
int mad_smp_request(ib_rpc_t *rpc, ib_portid_t *portid, int method, unsigned attrid, unsigned mod,
		    uint64_t mkey);
/* As smp_query_via(). Returns 0 or -errno. */
int mad_smp_get(const struct ibmad_port *port, void *data, ib_portid_t *portid, unsigned attrid,
		unsigned mod, unsigned timeout);

/* perf.c: data is the attribute that goes out, of IB_PC_DATA_SZ bytes */
int mad_perf_request(ib_rpc_v1_t *rpc, ib_portid_t *portid, int method, unsigned attrid);
void mad_perf_select_port(void *data, int port);
void mad_perf_select_counters(void *data, int port, unsigned mask, unsigned attrid);

/* sa.c */
/* sm_key is that of the port (mad_port_sa_key()), host byte order. */
int mad_sa_request(ib_rpc_v1_t *rpc, ib_portid_t *portid, const ib_sa_call_t *sa, uint64_t sm_key);
/* The request for the PathRecord between two GIDs; record takes IB_SA_DATA_SIZE bytes. */
void mad_path_request(ib_sa_call_t *sa, void *record, ibmad_gid_t source, ibmad_gid_t destination);
/* Gets the PathRecord between two GIDs; buf takes IB_SA_DATA_SIZE bytes. Returns 0 or -errno. */
int mad_path_query(const struct ibmad_port *port, ibmad_gid_t source, ibmad_gid_t destination,
		   ib_portid_t *sm_id, void *buf);

/* cc.c */
int mad_cc_request(ib_rpc_cc_t *rpc, ib_portid_t *portid, int method, unsigned attrid, unsigned mod,
		   uint64_t cckey);

/* vendor.c */
int mad_vendor_request(ib_rpc_v1_t *rpc, ib_portid_t *portid, const ib_vendor_call_t *call);

/* server.c: as mad_send_via(). Returns 0 or -errno. */
int mad_send_request(const struct ibmad_port *port, ib_rpc_t *rpc, ib_portid_t *dport,
		     const ib_rmpp_hdr_t *rmpp, const void *data);

/* class.c: fills in QP 1 and the well-known Q_Key where an address of a GSI class has 0. */
void mad_address_gsi(ib_portid_t *portid);

#endif
