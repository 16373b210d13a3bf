// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* See fabric.h. */
#include "fabric.h"

enum { MAX_HOPS = 64, FRAME_WORDS = (FNODE_MAD + 24) / 4, DROP = -1 };

/* Offsets in a directed-route SMP. */
enum {
	HOP_POINTER = 6,
	HOP_COUNT = 7,
	DR_SLID = 32,
	DR_DLID = 34,
	INITIAL_PATH = 128,
	RETURN_PATH = 192
};

void fabric_unplug(struct fnode *node, int port)
{
	struct fport *p = &node->ports[port];

	if (!p->peer && !p->outside)
		return;
	if (p->peer) {
		p->peer->ports[p->peer_port].peer = NULL;
		fnode_set_link(p->peer, p->peer_port, false);
	}
	p->peer = NULL;
	p->outside = false;
	fnode_set_link(node, port, false);
}

static void connect(struct fnode *node, int port, struct fnode *peer, int peer_port)
{
	struct fport *p = &node->ports[port];

	p->peer = peer;
	p->peer_port = (uint8_t)peer_port;
	p->outside = !peer;
	fnode_set_link(node, port, true);
}

void fabric_plug(struct fnode *node, int port, struct fnode *peer, int peer_port)
{
	fabric_unplug(node, port);
	if (peer) {
		fabric_unplug(peer, peer_port);
		connect(peer, peer_port, node, port);
	}
	connect(node, port, peer, peer_port);
}

static int egress_by_lid(const struct fnode *node, uint16_t lid)
{
	uint8_t port = lid < FNODE_LFT ? node->lft[lid] : 255;

	return port <= node->number_of_ports ? port : DROP;
}

static int valid_port(const struct fnode *node, uint8_t port)
{
	return port && port <= node->number_of_ports ? port : DROP;
}

/*
 * A directed-route request has arrived (14.2.2): the port by which it leaves, 0 when its directed
 * part ends here, or DROP.
 */
static int egress_of_request(const struct fnode *node, int arrived, uint8_t *mad)
{
	uint8_t pointer = mad[HOP_POINTER], count = mad[HOP_COUNT];

	if (count == 0)
		return pointer <= 1 ? 0 : DROP;
	if (pointer == 0) { /* the part before was routed by LID */
		mad[HOP_POINTER] = 1;
		return valid_port(node, mad[INITIAL_PATH + 1]);
	}
	if (pointer > count)
		return pointer == count + 1 ? 0 : DROP;
	mad[RETURN_PATH + pointer] = (uint8_t)arrived;
	mad[HOP_POINTER]++;
	if (pointer == count)
		return 0;
	return node->type == FNODE_SWITCH ? valid_port(node, mad[INITIAL_PATH + pointer + 1])
					  : DROP;
}

static int egress_of_response(const struct fnode *node, uint8_t *mad)
{
	uint8_t pointer = mad[HOP_POINTER], count = mad[HOP_COUNT];

	if (pointer >= 2 && pointer <= count + 1) {
		mad[HOP_POINTER] = --pointer;
		return node->type == FNODE_SWITCH ? valid_port(node, mad[RETURN_PATH + pointer])
						  : DROP;
	}
	if (pointer > 1)
		return DROP;
	mad[HOP_POINTER] = 0;
	return 0;
}

static bool is_response(const uint8_t *mad)
{
	return mad[4] & 0x80; /* the D bit */
}

/* The LID to which a directed-route SMP goes on once its directed part has ended; FNODE_PERMISSIVE:
 * none. */
static uint16_t lid_after_route(const uint8_t *mad)
{
	uint8_t end = is_response(mad) ? 0 : (uint8_t)(mad[HOP_COUNT] + 1);

	if (mad[HOP_COUNT] && mad[HOP_POINTER] != end)
		return FNODE_PERMISSIVE;
	return (uint16_t)be_get(mad + (is_response(mad) ? DR_SLID : DR_DLID), 2);
}

/* The directed part of a route begins, goes on or ends at a node: the port by which the SMP leaves,
 * 0 when it is for the node itself, or DROP. */
static int egress_by_route(struct fnode *node, int arrived, struct vhca_frame *frame)
{
	uint8_t *mad = frame->mad;
	uint16_t lid;
	int egress;

	if (mad[HOP_COUNT] >= MAX_HOPS)
		return DROP;
	egress = is_response(mad) ? egress_of_response(node, mad)
				  : egress_of_request(node, arrived, mad);
	if (egress > 0)
		frame->slid = frame->dlid = FNODE_PERMISSIVE;
	if (egress || node->type != FNODE_SWITCH)
		return egress;
	lid = lid_after_route(mad);
	if (lid == FNODE_PERMISSIVE || fport_has_lid(&node->ports[0], lid))
		return 0;
	frame->dlid = lid;
	frame->slid = fport_lid(&node->ports[0]);
	return egress_by_lid(node, lid);
}

/* The port by which a frame leaves that has arrived; 0: it is for the node itself; or DROP. */
static int egress_of(struct fnode *node, int arrived, struct vhca_frame *frame)
{
	bool directed = frame->dqpn == 0 && frame->mad[1] == MAD_CLASS_DIRECTED;
	bool is_local = fport_has_lid(fnode_end_port(node, arrived), frame->dlid);

	if (frame->dlid == FNODE_PERMISSIVE && frame->dqpn)
		return DROP;
	if (!is_local && frame->dlid != FNODE_PERMISSIVE)
		return node->type == FNODE_SWITCH ? egress_by_lid(node, frame->dlid) : DROP;
	if (node->has_software || !directed)
		return 0;
	return egress_by_route(node, arrived, frame);
}

bool fabric_check_keys(struct fport *port, const struct vhca_frame *frame, uint16_t *pkey_index)
{
	uint8_t *counter = port->info + PI_PKEY_VIOLATIONS;

	for (uint16_t i = 0; i < FNODE_PKEYS; i++) {
		if (!(frame->pkey & 0x7fff) || ((port->pkeys[i] ^ frame->pkey) & 0x7fff) ||
		    !((port->pkeys[i] | frame->pkey) & 0x8000))
			continue;
		*pkey_index = i;
		if (frame->qkey == (uint32_t)FNODE_QKEY)
			return true;
		counter = port->info + PI_QKEY_VIOLATIONS;
		break;
	}
	be_put(counter, 2, be_get(counter, 2) + (be_get(counter, 2) < 0xffff));
	return false;
}

static void exchange_addresses(struct vhca_frame *frame)
{
	struct vhca_frame before = *frame;

	frame->slid = before.dlid;
	frame->dlid = before.slid;
	frame->sqpn = before.dqpn;
	frame->dqpn = before.sqpn;
	memcpy(frame->grh + 8, before.grh + 24, 16);
	memcpy(frame->grh + 24, before.grh + 8, 16);
}

/* Makes a frame the response of a node to it; returns the port by which that leaves, or DROP. */
static int respond(struct fnode *node, int arrived, struct vhca_frame *frame)
{
	bool is_routed = frame->dlid == FNODE_PERMISSIVE; /* up to this node */
	enum fnode_result result = FNODE_PASSED;
	uint8_t out[FNODE_MAD], count;
	uint16_t pkey_index;

	if (frame->dqpn == 0)
		result = fnode_smp(node, arrived, frame->mad, out);
	else if (frame->mad[1] == MAD_CLASS_PERF &&
		 fabric_check_keys(fnode_end_port(node, arrived), frame, &pkey_index))
		result = fnode_pma(node, frame->mad, out);
	if (result != FNODE_RESPONDED)
		return DROP;
	memcpy(frame->mad, out, FNODE_MAD);
	exchange_addresses(frame);
	count = out[HOP_COUNT];
	if (is_routed && out[1] == MAD_CLASS_DIRECTED) {
		frame->mad[HOP_POINTER] = count;
		return count ? valid_port(node, out[RETURN_PATH + count]) : DROP;
	}
	return node->type == FNODE_SWITCH ? egress_by_lid(node, frame->dlid) : arrived;
}

static bool leave(struct fport *port, const struct vhca_frame *frame)
{
	if (fport_phys(port) != FPORT_LINK_UP ||
	    (frame->vl != 15 && fport_state(port) != FPORT_ACTIVE)) {
		port->xmit_discards++;
		return false;
	}
	port->xmit_packets++;
	port->xmit_data += FRAME_WORDS;
	return true;
}

static bool enter(struct fport *port, const struct vhca_frame *frame)
{
	if (fport_phys(port) != FPORT_LINK_UP)
		return false;
	port->rcv_packets++;
	port->rcv_data += FRAME_WORDS;
	return frame->vl == 15 || fport_state(port) >= FPORT_ARMED;
}

enum fabric_end fabric_arrive(struct fabric_place *place, struct vhca_frame *frame)
{
	for (int hops = 0; hops < 2 * MAX_HOPS; hops++) {
		struct fport *port = &place->node->ports[place->port];
		int egress;

		if (!enter(port, frame))
			return FABRIC_DROPPED;
		egress = egress_of(place->node, place->port, frame);
		if (egress == 0 && place->node->has_software)
			return FABRIC_TO_SOFTWARE;
		if (egress == 0)
			egress = respond(place->node, place->port, frame);
		if (egress <= 0)
			return FABRIC_DROPPED;
		place->port = egress;
		port = &place->node->ports[egress];
		if (!leave(port, frame))
			return FABRIC_DROPPED;
		if (port->outside)
			return FABRIC_OUTSIDE;
		*place = (struct fabric_place){ port->peer, port->peer_port };
	}
	return FABRIC_DROPPED;
}

enum fabric_end fabric_send(struct fabric_place *place, struct vhca_frame *frame)
{
	struct fnode *node = place->node;
	struct fport *end = fnode_end_port(node, place->port), *port;

	if (fport_has_lid(end, frame->dlid))
		return node->has_software && (frame->vl == 15 || fport_state(end) == FPORT_ACTIVE)
			       ? FABRIC_TO_SOFTWARE
			       : FABRIC_DROPPED;
	if (node->type == FNODE_SWITCH)
		place->port = egress_by_lid(node, frame->dlid);
	if (place->port <= 0)
		return FABRIC_DROPPED;
	port = &node->ports[place->port];
	if (!leave(port, frame))
		return FABRIC_DROPPED;
	if (port->outside)
		return FABRIC_OUTSIDE;
	*place = (struct fabric_place){ port->peer, port->peer_port };
	return fabric_arrive(place, frame);
}

struct fnode *fabric_next_changed(struct fabric *fabric)
{
	struct fnode *node = fabric->changed;

	if (node) {
		fabric->changed = node->next_changed;
		node->is_changed = false;
	}
	return node;
}

/* Notices: 14.2.5.1. Trap 144 has the capability mask and what else has changed. */
static void fill_notice(const struct fnode *node, const struct fport *port, uint8_t *data)
{
	uint8_t *details = data + 10;

	data[0] = 0x80 | (port->trap == 128 ? 1 : 4); /* generic; urgent or informational */
	data[3] = node->type;
	be_put(data + 4, 2, port->trap);
	be_put(data + 6, 2, fport_lid(port));
	if (port->trap == 128) {
		be_put(details, 2, fport_lid(port));
		return;
	}
	be_put(details + 2, 2, fport_lid(port));
	details[5] = port->trap_changes ? 1 : 0;
	memcpy(details + 6, port->info + PI_CAPABILITIES, 4);
	be_put(details + 10, 2, port->trap_changes);
}

static void make_trap(struct fnode *node, const struct fport *port, struct vhca_frame *frame)
{
	memset(frame, 0, sizeof(*frame));
	frame->vl = 15;
	frame->slid = fport_lid(port);
	frame->dlid = (uint16_t)be_get(port->info + PI_SM_LID, 2);
	frame->sl = port->info[PI_MTU_SL] & 15;
	frame->mad[0] = frame->mad[1] = frame->mad[2] = 1;
	frame->mad[3] = MAD_TRAP;
	be_put(frame->mad + 12, 4, ++node->trap_tid);
	frame->mad[17] = 2; /* Notice */
	fill_notice(node, port, frame->mad + 64);
}

bool fabric_next_trap(struct fabric_place *place, struct vhca_frame *frame)
{
	struct fnode *node = place->node;

	for (int i = 0; i <= node->number_of_ports; i++) {
		struct fport *port = &node->ports[i];
		bool has_sm = fport_lid(port) && be_get(port->info + PI_SM_LID, 2) &&
			      fport_state(port) == FPORT_ACTIVE;

		if (port->trap && has_sm) {
			make_trap(node, port, frame);
			place->port = i;
		}
		if (port->trap) {
			port->trap = 0;
			port->trap_changes = 0;
			if (has_sm)
				return true;
		}
	}
	return false;
}
