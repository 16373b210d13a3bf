// SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
/* See node.h. Numbers of chapters are those of the InfiniBand specification, volume 1. */
#include "node.h"

#define STATUS_VERSION	 0x04
#define STATUS_ATTRIBUTE 0x0c /* not supported with this method */
#define STATUS_VALUE	 0x1c
#define DEVICE_ID	 0x7a70
#define VENDOR_ID	 0x02ff /* no vendor has this ID */

enum {
	HEADER_STATUS = 4,
	HEADER_ATTRIBUTE = 16,
	HEADER_MODIFIER = 20,
	HEADER_MKEY = 24,
	DATA = 64
};

void fnode_change(struct fnode *node, int port, uint8_t changes)
{
	node->ports[port].changes |= changes;
	if (node->is_changed)
		return;
	node->is_changed = true;
	node->next_changed = node->fabric->changed;
	node->fabric->changed = node;
}

void fnode_raise_trap(struct fnode *node, int port, uint16_t number, uint8_t changes)
{
	node->ports[port].trap = number;
	node->ports[port].trap_changes |= changes;
	fnode_change(node, port, 0);
}

static void set_state(struct fport *port, int state, int phys)
{
	port->info[PI_STATE] = (uint8_t)((port->info[PI_STATE] & 0xf0) | state);
	port->info[PI_PHYS] = (uint8_t)((port->info[PI_PHYS] & 0x0f) | phys << 4);
}

void fnode_set_link(struct fnode *node, int port, bool up)
{
	struct fport *p = &node->ports[port];
	int down = fport_phys(p) == FPORT_DISABLED ? FPORT_DISABLED : FPORT_POLLING;

	set_state(p, up ? FPORT_INIT : FPORT_DOWN, up ? FPORT_LINK_UP : down);
	p->info[PI_WIDTH_ACTIVE] = up ? 2 : 1;
	p->info[PI_SPEED] = (uint8_t)((p->info[PI_SPEED] & 15) | (up ? 4 : 1) << 4);
	p->info[PI_SPEED_EXT] = (uint8_t)((up ? 2 : 0) << 4 | 3);
	fnode_change(node, port, FPORT_STATE_CHANGED);
	if (node->type == FNODE_SWITCH) {
		node->switch_info[11] |= 4; /* PortStateChange, for the SM's light sweeps */
		fnode_raise_trap(node, 0, 128, 0);
	}
}

/* Traps, SL mapping, system image GUID and extended speeds; CAs have connection management and
 * client reregistration as well. */
static uint32_t capabilities(int type, int port)
{
	uint32_t every = 1U << 3 | 1U << 6 | 1U << 11 | 1U << 14;

	if (type == FNODE_CA)
		return every | 1U << 16 | 1U << 25;
	return port == 0 ? every : 0;
}

static void init_port(struct fnode *node, int number)
{
	struct fport *port = &node->ports[number];
	uint8_t *info = port->info;

	port->guids[0] = node->guid + (node->type == FNODE_SWITCH ? 0 : (uint64_t)number);
	port->pkeys[0] = 0xffff;
	be_put(info + PI_PREFIX, 8, 0xfe80000000000000ULL);
	be_put(info + PI_CAPABILITIES, 4, capabilities(node->type, number));
	info[PI_WIDTH_ENABLED] = info[PI_WIDTH_SUPPORTED] = 3; /* 1x, 4x */
	info[PI_STATE] = 7 << 4;
	info[PI_PHYS] = FPORT_POLLING;
	info[PI_SPEED] = 7;
	info[PI_MTU_SL] = 4 << 4;
	info[PI_VL_CAP] = 4 << 4;
	info[PI_VLARB_HIGH] = info[PI_VLARB_LOW] = 8;
	info[PI_MTU_CAP] = 5;
	info[PI_VLS] = 4 << 4;
	info[PI_GUID_CAP] = FNODE_GUIDS;
	info[PI_RESPONSE_TIME] = 16;
	info[PI_ERRORS] = 8 << 4 | 8;
	info[PI_SPEED_EXT_ENABLED] = 3; /* FDR, EDR */
	for (int i = 0; i < 8; i++)
		port->sl_to_vl[i] = (uint8_t)((i * 2 & 7) << 4 | ((i * 2 + 1) & 7));
	fnode_set_link(node, number, false);
	if (node->type == FNODE_SWITCH && number == 0)
		set_state(port, FPORT_ACTIVE, FPORT_LINK_UP);
}

void fnode_init(struct fnode *node, struct fabric *fabric, int type, int number_of_ports,
		uint64_t guid, const char *description)
{
	node->fabric = fabric;
	node->type = (uint8_t)type;
	node->number_of_ports = (uint8_t)number_of_ports;
	node->guid = guid;
	for (int i = 0; i < 63 && description[i]; i++)
		node->description[i] = (uint8_t)description[i];
	be_put(node->switch_info, 2, FNODE_LFT - 1);
	node->switch_info[8] = 255;	 /* default port */
	node->switch_info[11] = 18 << 3; /* LifeTimeValue */
	be_put(node->switch_info + 14, 2, FNODE_PKEYS);
	if (type == FNODE_SWITCH)
		memset(node->lft, 255, FNODE_LFT);
	for (int i = 0; i <= number_of_ports; i++)
		init_port(node, i);
}

/* ---- SMA: chapter 14.2.5 ---- */

/* Sets the members that only a port with a LID has. */
static void set_end_port(struct fnode *node, int number, const uint8_t *data)
{
	uint8_t *info = node->ports[number].info, changes = 0;

	if (memcmp(info + PI_LID, data + PI_LID, 2) || ((info[PI_LMC] ^ data[PI_LMC]) & 7))
		changes |= FPORT_LID_CHANGED;
	if (memcmp(info + PI_SM_LID, data + PI_SM_LID, 2) ||
	    ((info[PI_MTU_SL] ^ data[PI_MTU_SL]) & 15))
		changes |= FPORT_SM_CHANGED;
	if (memcmp(info + PI_PREFIX, data + PI_PREFIX, 8))
		changes |= FPORT_GIDS_CHANGED;
	if (data[PI_TIMEOUT] & 0x80)
		changes |= FPORT_REREGISTER;
	memcpy(info, data, PI_CAPABILITIES); /* M_Key, GID prefix, LID, LID of the SM */
	memcpy(info + PI_LEASE, data + PI_LEASE, 2);
	info[PI_LMC] = data[PI_LMC] & 0xc7;
	info[PI_TIMEOUT] = data[PI_TIMEOUT] & 0x1f;
	fnode_change(node, number, changes);
}

/* The new state that a Set wants; 0: none, -1: the port cannot go there. */
static int wanted_state(const struct fport *port, const uint8_t *data)
{
	int wanted = data[PI_STATE] & 15, now = fport_state(port);

	if (wanted == 0 || wanted == now)
		return 0;
	if (wanted == FPORT_DOWN || (wanted == FPORT_ARMED && now == FPORT_INIT) ||
	    (wanted == FPORT_ACTIVE && now == FPORT_ARMED))
		return wanted;
	return -1;
}

/* The cable's two ends are as before, the link between them has to come up again. */
static void retrain(struct fnode *node, int number)
{
	struct fport *port = &node->ports[number];
	struct fport *peer = port->peer ? &port->peer->ports[port->peer_port] : NULL;
	bool up = fport_phys(port) != FPORT_DISABLED &&
		  (port->outside || (peer && fport_phys(peer) != FPORT_DISABLED));

	fnode_set_link(node, number, up);
	if (peer)
		fnode_set_link(port->peer, port->peer_port, up);
}

static void set_link_fields(struct fport *port, const uint8_t *data)
{
	uint8_t *info = port->info;

	if (data[PI_WIDTH_ENABLED] && data[PI_WIDTH_ENABLED] != 0xff)
		info[PI_WIDTH_ENABLED] = data[PI_WIDTH_ENABLED] & info[PI_WIDTH_SUPPORTED];
	if (data[PI_PHYS] & 15)
		info[PI_PHYS] = (info[PI_PHYS] & 0xf0) | (data[PI_PHYS] & 15);
	if ((data[PI_SPEED] & 15) && (data[PI_SPEED] & 15) != 15)
		info[PI_SPEED] = (info[PI_SPEED] & 0xf0) | (data[PI_SPEED] & 7);
	info[PI_MTU_SL] = data[PI_MTU_SL];
	info[PI_VL_HIGH] = data[PI_VL_HIGH];
	info[PI_MTU_CAP] = (data[PI_MTU_CAP] & 0xf0) | (info[PI_MTU_CAP] & 15);
	info[PI_STALL] = data[PI_STALL];
	if (data[PI_VLS] >> 4)
		info[PI_VLS] = data[PI_VLS];
	memcpy(info + PI_MKEY_VIOLATIONS, data + PI_MKEY_VIOLATIONS, 6);
	info[PI_ERRORS] = data[PI_ERRORS];
	if (data[PI_SPEED_EXT_ENABLED] & 31)
		info[PI_SPEED_EXT_ENABLED] = data[PI_SPEED_EXT_ENABLED] & 3;
}

static uint16_t set_port_info(struct fnode *node, int number, const uint8_t *data)
{
	struct fport *port = &node->ports[number];
	int state = wanted_state(port, data), phys = data[PI_PHYS] >> 4;
	bool is_base = node->type == FNODE_SWITCH && number == 0;

	if (state < 0 || be_get(data + PI_LID, 2) >= FNODE_LFT)
		return STATUS_VALUE;
	if (node->type == FNODE_CA || is_base)
		set_end_port(node, number, data);
	set_link_fields(port, data);
	if (is_base)
		return 0;
	if (phys == FPORT_POLLING || phys == FPORT_DISABLED || state == FPORT_DOWN) {
		if (phys)
			set_state(port, FPORT_DOWN, phys);
		retrain(node, number);
	} else if (state) {
		set_state(port, state, FPORT_LINK_UP);
		fnode_change(node, number, FPORT_STATE_CHANGED);
	}
	return 0;
}

static void get_node_info(struct fnode *node, int port, uint8_t *data)
{
	memset(data, 0, 64);
	data[0] = data[1] = 1; /* base and class version */
	data[2] = node->type;
	data[3] = node->number_of_ports;
	be_put(data + 4, 8, node->guid); /* of the system */
	be_put(data + 12, 8, node->guid);
	be_put(data + 20, 8, fnode_end_port(node, port)->guids[0]);
	be_put(data + 28, 2, FNODE_PKEYS);
	be_put(data + 30, 2, DEVICE_ID);
	be_put(data + 32, 4, 1); /* revision */
	data[36] = (uint8_t)port;
	be_put(data + 37, 3, VENDOR_ID);
}

static void switch_info(struct fnode *node, bool set, uint8_t *data)
{
	uint8_t *info = node->switch_info;

	if (set) {
		memcpy(info + 6, data + 6, 5); /* LinearFDBTop, default ports */
		info[11] = (uint8_t)((data[11] & 0xf8) | (info[11] & 4 & ~data[11]));
	}
	memset(data, 0, 64);
	memcpy(data, info, sizeof(node->switch_info));
}

/* GUID 0 is fixed. */
static void guid_info(struct fnode *node, int number, bool set, uint8_t *data)
{
	struct fport *port = &node->ports[number];

	for (int i = 0; i < FNODE_GUIDS; i++) {
		if (set && i)
			port->guids[i] = be_get(data + 8 * i, 8);
		be_put(data + 8 * i, 8, port->guids[i]);
	}
	if (set)
		fnode_change(node, number, FPORT_GIDS_CHANGED);
}

static void pkey_table(struct fnode *node, int number, bool set, uint8_t *data)
{
	struct fport *port = &node->ports[number];

	for (int i = 0; i < FNODE_PKEYS; i++) {
		if (set)
			port->pkeys[i] = (uint16_t)be_get(data + 2 * i, 2);
		be_put(data + 2 * i, 2, port->pkeys[i]);
	}
	if (set)
		fnode_change(node, number, FPORT_PKEYS_CHANGED);
}

static void exchange(uint8_t *table, size_t size, bool set, uint8_t *data)
{
	if (set)
		memcpy(table, data, size);
	memset(data, 0, 64);
	memcpy(data, table, size);
}

/* Attributes of the node. */
static uint16_t node_attribute(struct fnode *node, int port, bool set, unsigned attribute,
			       uint32_t modifier, uint8_t *data)
{
	bool is_switch = node->type == FNODE_SWITCH;

	switch (attribute) {
	case 0x10:
	case 0x11:
		if (set)
			return STATUS_ATTRIBUTE;
		if (modifier)
			return STATUS_VALUE;
		if (attribute == 0x10)
			memcpy(data, node->description, 64);
		else
			get_node_info(node, port, data);
		return 0;
	case 0x12:
		if (!is_switch)
			return STATUS_ATTRIBUTE;
		if (modifier)
			return STATUS_VALUE;
		switch_info(node, set, data);
		return 0;
	case 0x19:
		if (!is_switch)
			return STATUS_ATTRIBUTE;
		if (modifier >= FNODE_LFT / 64)
			return STATUS_VALUE;
		exchange(node->lft + (size_t)64 * modifier, 64, set, data);
		return 0;
	}
	return STATUS_ATTRIBUTE;
}

/* Attributes of a port, whose number is in the modifier; CAs have those of the receiving one. */
static uint16_t port_attribute(struct fnode *node, int arrived, bool set, unsigned attribute,
			       uint32_t modifier, uint8_t *data)
{
	bool is_switch = node->type == FNODE_SWITCH;
	unsigned number = (attribute == 0x16 ? modifier >> 16 : modifier) & 0xff;
	unsigned block = attribute == 0x16 ? modifier & 0xffff : modifier >> 16;
	uint16_t status = 0;

	if (attribute == 0x14)
		number = is_switch ? 0 : (unsigned)arrived;
	else if (!is_switch && (attribute != 0x15 || number == 0))
		number = (unsigned)arrived;
	if (number > node->number_of_ports)
		return STATUS_VALUE;
	switch (attribute) {
	case 0x14:
		if (modifier)
			return STATUS_VALUE;
		guid_info(node, (int)number, set, data);
		return 0;
	case 0x15:
		if (set)
			status = set_port_info(node, (int)number, data);
		memcpy(data, node->ports[number].info, 64);
		data[PI_LOCAL_PORT] = (uint8_t)arrived;
		return status;
	case 0x16:
		if (block)
			return STATUS_VALUE;
		pkey_table(node, (int)number, set, data);
		return 0;
	case 0x17:
		exchange(node->ports[number].sl_to_vl, 8, set, data);
		return 0;
	case 0x18:
		if (block < 1 || block > 4)
			return STATUS_VALUE;
		exchange(node->ports[number].vl_arbitration[block - 1], 64, set, data);
		return 0;
	}
	return STATUS_ATTRIBUTE;
}

static void count_violation(uint8_t *counter)
{
	uint64_t value = be_get(counter, 2);

	if (value < 0xffff)
		be_put(counter, 2, value + 1);
}

/* Whether the port's M_Key allows the request (14.2.4). The lease never expires: there is no timer.
 */
static bool check_mkey(struct fport *port, const uint8_t *mad)
{
	uint64_t key = be_get(port->info + PI_MKEY, 8);

	if (!key || be_get(mad + HEADER_MKEY, 8) == key)
		return true;
	if (mad[3] == MAD_GET && port->info[PI_LMC] >> 6 < 2)
		return true;
	count_violation(port->info + PI_MKEY_VIOLATIONS);
	return false;
}

enum fnode_result fnode_smp(struct fnode *node, int port, const uint8_t *in, uint8_t *out)
{
	unsigned attribute = (unsigned)be_get(in + HEADER_ATTRIBUTE, 2);
	uint32_t modifier = (uint32_t)be_get(in + HEADER_MODIFIER, 4);
	struct fport *end = fnode_end_port(node, port);
	uint8_t method = in[3];
	bool set = method == MAD_SET;
	uint16_t status;

	if (method == MAD_TRAP_REPRESS)
		return FNODE_CONSUMED;
	if ((method != MAD_GET && !set) || attribute == 0x20)
		return FNODE_PASSED;
	if (!check_mkey(end, in))
		return FNODE_CONSUMED;
	memcpy(out, in, FNODE_MAD);
	if (in[2] != 1)
		status = STATUS_VERSION;
	else if (attribute >= 0x14 && attribute <= 0x18)
		status = port_attribute(node, port, set, attribute, modifier, out + DATA);
	else
		status = node_attribute(node, port, set, attribute, modifier, out + DATA);
	if (attribute == 0x15 && end->info[PI_LMC] >> 6 == 1 &&
	    memcmp(in + HEADER_MKEY, end->info + PI_MKEY, 8) != 0)
		memset(out + DATA + PI_MKEY, 0, 8);
	out[3] = MAD_GET | MAD_RESPONSE;
	be_put(out + HEADER_STATUS, 2, status | (in[1] == MAD_CLASS_DIRECTED ? 0x8000U : 0U));
	return FNODE_RESPONDED;
}

/* ---- PMA: chapter 16.1 ---- */

static uint64_t at_most(uint64_t value, uint64_t most)
{
	return value < most ? value : most;
}

static void get_counters(const struct fport *port, uint8_t *data)
{
	be_put(data + 4, 2, at_most(port->symbol_errors, 0xffff));
	be_put(data + 14, 2, at_most(port->xmit_discards, 0xffff));
	be_put(data + 22, 2, at_most(port->vl15_dropped, 0xffff));
	be_put(data + 24, 4, at_most(port->xmit_data, 0xffffffff));
	be_put(data + 28, 4, at_most(port->rcv_data, 0xffffffff));
	be_put(data + 32, 4, at_most(port->xmit_packets, 0xffffffff));
	be_put(data + 36, 4, at_most(port->rcv_packets, 0xffffffff));
}

static void get_extended_counters(const struct fport *port, uint8_t *data)
{
	be_put(data + 8, 8, port->xmit_data);
	be_put(data + 16, 8, port->rcv_data);
	be_put(data + 24, 8, port->xmit_packets);
	be_put(data + 32, 8, port->rcv_packets);
	be_put(data + 40, 8, port->xmit_packets); /* unicast */
	be_put(data + 48, 8, port->rcv_packets);
}

/* A Set clears the counters that CounterSelect names: errors by all but its last four bits. */
static void clear_counters(struct fport *port, const uint8_t *data, bool extended)
{
	unsigned selected = (unsigned)be_get(data + 2, 2);

	if (!extended && (selected & 0x0fff))
		port->symbol_errors = port->vl15_dropped = port->xmit_discards = 0;
	if (extended ? selected & 0x00ff : selected & 0xf000)
		port->xmit_data = port->rcv_data = port->xmit_packets = port->rcv_packets = 0;
}

static void get_class_port_info(uint8_t *data)
{
	memset(data, 0, 192);
	data[0] = data[1] = 1;
	be_put(data + 2, 2, 0x0200); /* PortCountersExtended */
	data[7] = 18;
}

static uint16_t counters(struct fnode *node, bool set, bool extended, uint8_t *data)
{
	uint8_t number = data[1];
	struct fport *port = &node->ports[number <= node->number_of_ports ? number : 0];

	if (number > node->number_of_ports || (number == 0 && node->type == FNODE_CA))
		return STATUS_VALUE;
	if (set)
		clear_counters(port, data, extended);
	memset(data, 0, 192);
	data[1] = number;
	(extended ? get_extended_counters : get_counters)(port, data);
	return 0;
}

enum fnode_result fnode_pma(struct fnode *node, const uint8_t *in, uint8_t *out)
{
	unsigned attribute = (unsigned)be_get(in + HEADER_ATTRIBUTE, 2);
	bool set = in[3] == MAD_SET;
	uint16_t status = STATUS_ATTRIBUTE;

	if (in[3] != MAD_GET && !set)
		return FNODE_PASSED;
	memcpy(out, in, FNODE_MAD);
	if (attribute == 1 && !set) {
		get_class_port_info(out + DATA);
		status = 0;
	} else if (attribute == 0x12 || attribute == 0x1d) {
		status = counters(node, set, attribute == 0x1d, out + DATA);
	}
	out[3] = MAD_GET | MAD_RESPONSE;
	be_put(out + HEADER_STATUS, 2, status);
	return FNODE_RESPONDED;
}
