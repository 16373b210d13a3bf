/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Cables between nodes, and the way of a frame along them: directed routes, forwarding tables, and
 * the responses of nodes without software. A frame moves at once until it ends somewhere; the
 * caller does there what has to be done.
 */
#ifndef TESTS_KERNEL_HCA_FABRIC_H
#define TESTS_KERNEL_HCA_FABRIC_H

#include "frame.h"
#include "node.h"

struct fabric_place {
	struct fnode *node;
	int port;
};

/* The place at which a frame has ended. */
enum fabric_end {
	FABRIC_DROPPED,
	FABRIC_TO_SOFTWARE, /* of the node */
	FABRIC_OUTSIDE,	    /* at the end of a port's cable that leads outside */
};

/* Connects two ports, or with a NULL peer a port and the outside; what was connected there is
 * unplugged. */
void fabric_plug(struct fnode *node, int port, struct fnode *peer, int peer_port);
void fabric_unplug(struct fnode *node, int port);

/*
 * Sends a frame from the node in place, with the addresses that the caller has set: a CA by the
 * port in place, a switch by its forwarding table. Returns where it, or the response to it, has
 * ended; place is then that node and port, and frame what ends there.
 */
enum fabric_end fabric_send(struct fabric_place *place, struct vhca_frame *frame);

/* As fabric_send(), for a frame that arrives at a port from its cable. */
enum fabric_end fabric_arrive(struct fabric_place *place, struct vhca_frame *frame);

/*
 * Whether QP1 of a port takes a frame: it has the P_Key, at *pkey_index of its table, and the
 * Q_Key. Counts the violation if not.
 */
bool fabric_check_keys(struct fport *port, const struct vhca_frame *frame, uint16_t *pkey_index);

/* The next node at which something has changed since it was returned last, or NULL. The caller
 * looks at the changes of its ports and resets them. */
struct fnode *fabric_next_changed(struct fabric *fabric);

/* Makes the next trap that is due at a node, for fabric_send(): false if there is none. One that
 * has no SM to go to is dropped; none is repeated, since there is no timer. */
bool fabric_next_trap(struct fabric_place *place, struct vhca_frame *frame);

#endif
