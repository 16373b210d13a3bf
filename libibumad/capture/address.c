/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The route of a MAD: the headers of its packet, as far as a umad buffer holds them. The umad
 * header holds the address of the other side; the addresses of the local port come from sysfs when
 * they are needed, and change rarely, so those needed most are cached for a second.
 */
#include <endian.h>
#include <stdint.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibumad/base/sys.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

#define NS_PER_TENTH INT64_C(100000000)

enum {
	DEFAULT_PKEY = 0xffff,
	TENTHS_VALID = 10,
};

/* The values needed most: the LID, the first P_Key, and when they were read, in tenths of a second;
 * one number, so that threads need no lock. */
union own_address {
	struct {
		uint16_t lid;
		uint16_t pkey;
		uint32_t read_at;
	};
	uint64_t packed;
};

static union own_address read_own_address(struct umad_owner *owner)
{
	uint32_t now = (uint32_t)(umad_sys_deadline(0) / NS_PER_TENTH);
	union own_address address = { .packed = atomic_load_explicit(&owner->addresses,
								     memory_order_relaxed) };
	struct umad_port_choice port;

	if (address.packed && now - address.read_at < TENTHS_VALID)
		return address;
	umad_node_read_owner(owner, &port);
	address.lid = (uint16_t)umad_port_read_lid(port.ca_name, port.portnum);
	address.pkey = DEFAULT_PKEY;
	umad_port_read_pkey(port.ca_name, port.portnum, 0, &address.pkey);
	address.read_at = now;
	atomic_store_explicit(&owner->addresses, address.packed, memory_order_relaxed);
	return address;
}

static uint16_t read_pkey(const struct umad_owner *owner, unsigned int index)
{
	struct umad_port_choice port;
	uint16_t pkey = DEFAULT_PKEY;

	umad_node_read_owner(owner, &port);
	umad_port_read_pkey(port.ca_name, port.portnum, index, &pkey);
	return pkey;
}

/* Whether the path of the MAD is a directed route at this end, so that this end has no LID (volume
 * 1, 14.2.2). The D bit distinguishes responses from requests. */
static bool is_directed_here(const uint8_t *mad, bool received)
{
	bool is_response = mad_get_be16(mad + MAD_STATUS) & SMP_DIRECTION;
	const uint8_t *lid = mad + (is_response == received ? SMP_DR_SLID : SMP_DR_DLID);

	return mad[MAD_CLASS] == UMAD_CLASS_SUBN_DIRECTED_ROUTE &&
	       mad_get_be16(lid) == MAD_LID_PERMISSIVE;
}

static void set_grh(struct umad_packet_route *route, const struct ib_mad_addr *address,
		    const struct umad_owner *owner, bool received)
{
	union umad_gid own = { { 0 } };
	struct umad_port_choice port;

	if (owner) {
		umad_node_read_owner(owner, &port);
		umad_port_read_gid(port.ca_name, port.portnum, address->gid_index, &own);
	}
	route->grh_present = true;
	route->traffic_class = address->traffic_class;
	route->hop_limit = address->hop_limit;
	route->flow_label = be32toh(address->flow_label);
	route->source_gid = received ? address->ib_gid : own;
	route->destination_gid = received ? own : address->ib_gid;
}

/* The kernel does not report the Q_Key of a received MAD: it was that of the queue pair. */
static uint32_t find_qkey(const struct ib_mad_addr *address, bool smp, bool received)
{
	uint32_t qkey = be32toh(address->qkey);

	if (smp)
		return 0;
	return qkey || !received ? qkey : UMAD_QKEY;
}

/* Fills in the route of a MAD of at least UMAD_MAD_SIZE bytes. Unknown values are 0. */
void umad_capture_find_route(int portid, const struct ib_mad_addr *address, const uint8_t *mad,
			     bool received, struct umad_packet_route *route)
{
	struct umad_owner *owner = umad_owner_find(portid);
	union own_address own = { .pkey = DEFAULT_PKEY };
	uint16_t other_lid = be16toh(address->lid);
	bool smp = mad_class_is_smi(mad[MAD_CLASS]);

	if (owner)
		own = read_own_address(owner);
	if (owner && !smp && umad_state_pkey_layout() && address->pkey_index)
		own.pkey = read_pkey(owner, address->pkey_index);
	if (own.lid)
		own.lid |= address->path_bits & 0x7f;
	if (is_directed_here(mad, received))
		own.lid = MAD_LID_PERMISSIVE;
	*route = (struct umad_packet_route){
		.slid = received ? other_lid : own.lid,
		.dlid = received ? own.lid : other_lid,
		.source_qp = received ? be32toh(address->qpn) : !smp,
		.destination_qp = received ? !smp : be32toh(address->qpn),
		.qkey = find_qkey(address, smp, received),
		.pkey = smp ? DEFAULT_PKEY : own.pkey,
		.sl = address->sl & 0xf,
		.smp = smp,
	};
	if (address->grh_present)
		set_grh(route, address, owner, received);
}
