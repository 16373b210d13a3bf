/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The route of a MAD: the headers of its packet, as far as a umad buffer holds them. The umad
 * header holds the address of the other side; the addresses of the local port come from sysfs.
 */
#include <endian.h>
#include <stdint.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibumad/base/sys.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

enum { DEFAULT_PKEY = 0xffff, NS_PER_S = 1000000000 };

/* The LID and a P_Key of the local port, and the second of the reading: one number, so that
 * threads need no lock. Drivers ask the adapter's firmware for them, which would slow each MAD. */
union own_address {
	struct {
		uint16_t lid, pkey;
		uint16_t pkey_index, second;
	};
	uint64_t packed;
};

static union own_address read_own_address(struct umad_owner *owner, uint16_t pkey_index)
{
	uint16_t second = (uint16_t)(umad_sys_deadline(0) / NS_PER_S);
	union own_address own = { .packed = owner->addresses };
	struct umad_port_choice port;

	if (own.packed && own.second == second && own.pkey_index == pkey_index)
		return own;
	umad_node_read_owner(owner, &port);
	own.lid = (uint16_t)umad_port_read_lid(port.ca_name, port.portnum);
	own.pkey = DEFAULT_PKEY;
	umad_port_read_pkey(port.ca_name, port.portnum, pkey_index, &own.pkey);
	own.pkey_index = pkey_index;
	own.second = second;
	owner->addresses = own.packed;
	return own;
}

/* Whether the path of the MAD ends here by directed hops, so that this end has no LID (volume 1,
 * 14.2.2). The D bit distinguishes responses from requests. */
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

/* Fills in the route of a MAD of at least UMAD_MAD_SIZE bytes. Unknown values are 0. */
void umad_capture_find_route(int portid, const struct ib_mad_addr *address, const uint8_t *mad,
			     bool received, struct umad_packet_route *route)
{
	struct umad_owner *owner = umad_owner_find(portid);
	union own_address own = { .pkey = DEFAULT_PKEY };
	uint16_t other_lid = be16toh(address->lid);
	uint32_t qkey = be32toh(address->qkey);
	bool smp = mad_class_is_smi(mad[MAD_CLASS]);
	bool has_index = !smp && umad_state_pkey_layout();

	if (owner)
		own = read_own_address(owner, has_index ? address->pkey_index : 0);
	if (own.lid)
		own.lid |= address->path_bits & 0x7f;
	if (is_directed_here(mad, received))
		own.lid = MAD_LID_PERMISSIVE;
	if (received && !qkey) /* the kernel does not report it: that of the queue pair */
		qkey = UMAD_QKEY;
	*route = (struct umad_packet_route){
		.slid = received ? other_lid : own.lid,
		.dlid = received ? own.lid : other_lid,
		.source_qp = received ? be32toh(address->qpn) : !smp,
		.destination_qp = received ? !smp : be32toh(address->qpn),
		.qkey = smp ? 0 : qkey,
		.pkey = smp ? DEFAULT_PKEY : own.pkey,
		.sl = address->sl & 0xf,
		.smp = smp,
	};
	if (address->grh_present)
		set_grh(route, address, owner, received);
}
