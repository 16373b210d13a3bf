/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Changes between two fabrics: mad_fabric_compare(3). A result is as <infiniband/mad_fabric.h>
 * says: plain data that does not change any more. */
#ifndef INFINIBAND_MAD_FABRIC_CHANGES_H
#define INFINIBAND_MAD_FABRIC_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad_fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The changes between two fabrics. */
struct mad_fabric_changes;

/* Kinds of changes. */
enum mad_fabric_change_kind {
	MAD_FABRIC_CHANGE_NODE_APPEARED = 1, /* new_node */
	MAD_FABRIC_CHANGE_NODE_DISAPPEARED,  /* old_node */
	MAD_FABRIC_CHANGE_NODE_RENAMED,	     /* another description */
	MAD_FABRIC_CHANGE_LINK_APPEARED, /* new_port, between nodes of both fabrics or new ones */
	MAD_FABRIC_CHANGE_LINK_DISAPPEARED, /* old_port */
	MAD_FABRIC_CHANGE_LINK_MOVED, /* an end is at another port: old_port and new_port are the
				       * end that stayed */
	MAD_FABRIC_CHANGE_LINK_SPEED, /* another width or speed */
	MAD_FABRIC_CHANGE_LINK_STATE, /* PortState of old_port differs from that of new_port */
	MAD_FABRIC_CHANGE_LID,	      /* of old_port and new_port */
	MAD_FABRIC_CHANGE_NODE_UNREACHABLE, /* old_node: the newer discovery ended early, or got no
					     * response from a node before it */
	MAD_FABRIC_CHANGE_NODE_REACHABLE, /* new_node: the older discovery could not look for it */
	MAD_FABRIC_CHANGE_NODE_REPLACED,  /* new_node has the cables of old_node, which is gone */
	MAD_FABRIC_CHANGE_NODE_DEVICE,	  /* another number of ports, vendor, device or revision */
};

/* A difference. Pointers are into the two fabrics; members that the kind does not use are NULL. */
struct mad_fabric_change {
	uint32_t kind; /* enum mad_fabric_change_kind */
	const struct mad_fabric_node *old_node;
	const struct mad_fabric_node *new_node;
	const struct mad_fabric_port *old_port;
	const struct mad_fabric_port *new_port;
};

/* Compares an older and a newer fabric, both of which must outlive the result. Nodes are the same
 * if they have the same GUID; links of nodes that only one discovery could reach are no changes.
 * Returns the changes, to be freed with mad_fabric_changes_free(); NULL with EINVAL or ENOMEM. */
struct mad_fabric_changes *mad_fabric_compare(const struct mad_fabric *older,
					      const struct mad_fabric *newer);

/* The change after change, NULL: the first; NULL after the last. Nodes come before links. */
const struct mad_fabric_change *mad_fabric_next_change(const struct mad_fabric_changes *changes,
						       const struct mad_fabric_change *change);

/* Frees changes. NULL is ignored. */
void mad_fabric_changes_free(struct mad_fabric_changes *changes);

#ifdef __cplusplus
}
#endif

#endif
