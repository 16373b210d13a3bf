/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vhca: virtual InfiniBand HCAs without hardware, for tests of the kernel's MAD layer. Each has QP0
 * and QP1 of its ports and nothing else. All but late frames (faults.c) is done in the calling
 * thread, under vhca_lock.
 */
#ifndef TESTS_KERNEL_HCA_MODULE_H
#define TESTS_KERNEL_HCA_MODULE_H

#include "fabric.h"

#include <linux/spinlock.h>
#include <linux/version.h>
#include <rdma/ib_verbs.h>

enum { VHCA_MAX_NODES = 2048 };

/* The part of its node that a device has: everything, or as on hosts whose ports have several
 * planes, one port without subnet management or all ports with that alone. */
enum vhca_part { VHCA_WHOLE, VHCA_GSI, VHCA_SMI };

struct vhca_device {
	struct ib_device ib;
	struct vhca_node *node;
	enum vhca_part part;
};

struct vhca_node {
	struct fnode node;
	char name[IB_DEVICE_NAME_MAX];
	char smi_name[IB_DEVICE_NAME_MAX]; /* of a second device, or "" */
	struct vhca_device *device;	   /* once it is registered; switches have none */
	struct vhca_device *smi;
	struct vhca_qp *qps[FNODE_MAX_PORTS + 1][2];
	int failing_sends; /* the number of sends that will complete with an error */
};

extern spinlock_t vhca_lock; /* of all nodes, queues and frames */
extern struct fabric vhca_fabric;
extern struct vhca_node *vhca_nodes[VHCA_MAX_NODES];

static inline struct vhca_node *vhca_node_of(struct fnode *node)
{
	return container_of(node, struct vhca_node, node);
}

/* ---- verbs.c ---- */

/* Registers the devices of a node, which has software from then on. Sleeps. */
int vhca_register(struct vhca_node *node);
void vhca_unregister(struct vhca_node *node);

/* A frame for the software of a node, at one of its ports. With vhca_lock. */
void vhca_deliver(struct fabric_place place, const struct vhca_frame *frame);

/* ---- wire.c; all but open and close with vhca_lock ---- */

int vhca_wire_open(void);
void vhca_wire_close(void);

/* Sends a frame from a place through the fabric. */
void vhca_send(struct fabric_place place, struct vhca_frame *frame);

/* Reports what has changed at the nodes: events of devices, and traps. And lets frames go on. */
void vhca_settle(void);

/* ---- faults.c; vhca_pass() and vhca_pass_next() with vhca_lock ---- */

/* Carries out a command, of which more is the rest: -ENOENT if it is none of faults.c. */
int vhca_fault(const char *verb, const char *value, const char *more);

/* A frame leaves a device at this place, or arrives at one, as soon as vhca_settle() is called. */
void vhca_pass(struct fabric_place place, const struct vhca_frame *frame, bool arrives);

/* Lets the next frame go on; false: none is due. */
bool vhca_pass_next(void);

void vhca_faults_end(void);

#endif
