/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The state of the complete fabric, read on one port, with which soak.c compares later responses.
 * It holds only what neither a link that goes down nor a new subnet manager changes.
 */
#ifndef TESTS_SOAK_FABRIC_H
#define TESTS_SOAK_FABRIC_H

#include <infiniband/mad.h>
#include <stdbool.h>
#include <stdint.h>

#define NODES_MAX 256

struct node {
	ib_portid_t by_lid;
	ib_portid_t by_route; /* directed; hops 0 for our own */
	uint64_t node_guid;
	uint64_t port_guid;
	unsigned ports;
	unsigned port; /* one that counts: 1 for a host's */
	bool is_switch;
	uint8_t info[IB_SMP_DATA_SIZE]; /* without the port on which the request arrived */
	uint8_t description[IB_SMP_DATA_SIZE];
	uint32_t errors;  /* symbol errors of `port`, set in the simulator */
	uint32_t dropped; /* VL15 drops of it */
};

struct fabric {
	struct node nodes[NODES_MAX];
	unsigned count;
	ib_portid_t sm;
	ibmad_gid_t own_gid;
};

/* Learns the fabric through an open port. Returns false, and says why on standard error. */
bool fabric_learn(struct fabric *fabric, struct ibmad_port *port);

/* Of a NodeInfo: all but the port on which the request arrived. */
void fabric_mask_info(uint8_t *info);

/* The node with this port GUID or with this LID; NULL for none. */
const struct node *fabric_find_guid(const struct fabric *fabric, uint64_t port_guid);
const struct node *fabric_find_lid(const struct fabric *fabric, unsigned lid);

/* The GID of a node's port. */
void fabric_gid(const struct fabric *fabric, const struct node *node, ibmad_gid_t gid);

#endif
