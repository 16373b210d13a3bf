/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The interface without a port argument: each function calls the one with a port argument, on the
 * port that madrpc_init() opened; before madrpc_init() it fails with EINVAL.
 */
#include "libibmad/engine/port.h"
#include "libibmad/internal.h"

#define PORT mad_state_default_port()

/* A second call replaces the port; other threads may be using the old one, so it stays open. */
void madrpc_init(char *dev_name, int dev_port, int *mgmt_classes, int num_classes)
{
	struct ibmad_port *port = mad_rpc_open_port(dev_name, dev_port, mgmt_classes, num_classes);

	if (!port)
		IBPANIC("can't open UMAD port (%s:%d)", dev_name ? dev_name : "(null)", dev_port);
	mad_state_set_default_port(port);
}

int madrpc_portid(void)
{
	return mad_rpc_portid(PORT);
}

void *madrpc(ib_rpc_t *rpc, ib_portid_t *dport, void *payload, void *rcvdata)
{
	return mad_rpc(PORT, rpc, dport, payload, rcvdata);
}

void *madrpc_rmpp(ib_rpc_t *rpc, ib_portid_t *dport, ib_rmpp_hdr_t *rmpp, void *data)
{
	return mad_rpc_rmpp(PORT, rpc, dport, rmpp, data);
}

int mad_class_agent(int mgmt)
{
	return mad_rpc_class_agent(PORT, mgmt);
}

int mad_agent_class(int agent)
{
	const struct ibmad_port *port = PORT;

	if (!port || agent < 0) {
		errno = EINVAL;
		return -1;
	}
	return mad_port_class_of(port, agent);
}

int mad_register_client(int mgmt, uint8_t rmpp_version)
{
	return mad_register_client_via(mgmt, rmpp_version, PORT);
}

int mad_register_server(int mgmt, uint8_t rmpp_version, long method_mask[], uint32_t class_oui)
{
	return mad_register_server_via(mgmt, rmpp_version, method_mask, class_oui, PORT);
}

int mad_send(ib_rpc_t *rpc, ib_portid_t *dport, ib_rmpp_hdr_t *rmpp, void *data)
{
	return mad_send_via(rpc, dport, rmpp, data, PORT);
}

void *mad_receive(void *umad, int timeout)
{
	return mad_receive_via(umad, timeout, PORT);
}

int mad_respond(void *umad, ib_portid_t *portid, uint32_t rstatus)
{
	return mad_respond_via(umad, portid, rstatus, PORT);
}

uint8_t *smp_query(void *rcvbuf, ib_portid_t *portid, unsigned attrid, unsigned mod,
		   unsigned timeout)
{
	return smp_query_via(rcvbuf, portid, attrid, mod, timeout, PORT);
}

uint8_t *smp_set(void *data, ib_portid_t *portid, unsigned attrid, unsigned mod, unsigned timeout)
{
	return smp_set_via(data, portid, attrid, mod, timeout, PORT);
}

uint8_t *sa_call(void *rcvbuf, ib_portid_t *portid, ib_sa_call_t *sa, unsigned timeout)
{
	return sa_rpc_call(PORT, rcvbuf, portid, sa, timeout);
}

int ib_path_query(ibmad_gid_t srcgid, ibmad_gid_t destgid, ib_portid_t *sm_id, void *buf)
{
	return ib_path_query_via(PORT, srcgid, destgid, sm_id, buf);
}

uint8_t *ib_vendor_call(void *data, ib_portid_t *portid, ib_vendor_call_t *call)
{
	return ib_vendor_call_via(data, portid, call, PORT);
}

int ib_resolve_smlid(ib_portid_t *sm_id, int timeout)
{
	return ib_resolve_smlid_via(sm_id, timeout, PORT);
}

int ib_resolve_guid(ib_portid_t *portid, uint64_t *guid, ib_portid_t *sm_id, int timeout)
{
	return ib_resolve_guid_via(portid, guid, sm_id, timeout, PORT);
}

int ib_resolve_portid_str(ib_portid_t *portid, char *addr_str, enum MAD_DEST dest_type,
			  ib_portid_t *sm_id)
{
	return ib_resolve_portid_str_via(portid, addr_str, dest_type, sm_id, PORT);
}

int ib_resolve_self(ib_portid_t *portid, int *portnum, ibmad_gid_t *gid)
{
	return ib_resolve_self_via(portid, portnum, gid, PORT);
}

uint8_t *port_performance_query(void *rcvbuf, ib_portid_t *dport, int port, unsigned timeout)
{
	return pma_query_via(rcvbuf, dport, port, timeout, IB_GSI_PORT_COUNTERS, PORT);
}

uint8_t *port_performance_reset(void *rcvbuf, ib_portid_t *dport, int port, unsigned mask,
				unsigned timeout)
{
	return performance_reset_via(rcvbuf, dport, port, mask, timeout, IB_GSI_PORT_COUNTERS,
				     PORT);
}
