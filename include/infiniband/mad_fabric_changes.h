/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What differs between two fabrics: mad_fabric_compare(3). A result is as <infiniband/mad_fabric.h>
 * says: plain data that does not change any more.
 */
#ifndef INFINIBAND_MAD_FABRIC_CHANGES_H
#define INFINIBAND_MAD_FABRIC_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad_fabric.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What differs between two fabrics. */
struct mad_fabric_changes;

/* What can differ. */
enum mad_fabric_change_kind {
	MAD_FABRIC_CHANGE_NODE_APPEARED = 1, /* new_node */
	MAD_FABRIC_CHANGE_NODE_DISAPPEARED,  /* old_node */
	MAD_FABRIC_CHANGE_NODE_RENAMED,	     /* another description */
	MAD_FABRIC_CHANGE_LINK_APPEARED, /* new_port, between nodes of both fabrics or new ones */
	MAD_FABRIC_CHANGE_LINK_DISAPPEARED, /* old_port */
	MAD_FABRIC_CHANGE_LINK_MOVED, /* one end of the link stayed, the other is at another port:
				       * old_port and new_port are the end that stayed */
	MAD_FABRIC_CHANGE_LINK_SPEED, /* another width or speed */
	MAD_FABRIC_CHANGE_LINK_STATE, /* PortState of old_port differs from that of new_port */
	MAD_FABRIC_CHANGE_LID,	      /* of old_port and new_port */
	MAD_FABRIC_CHANGE_NODE_UNREACHABLE, /* old_node, which the newer discovery could not look
					     * for: it is behind what did not respond, or the
					     * discovery ended early */
	MAD_FABRIC_CHANGE_NODE_REACHABLE, /* new_node, which the older discovery could not look for
					   */
	MAD_FABRIC_CHANGE_NODE_REPLACED,  /* new_node has the cables of old_node, which is gone */
	MAD_FABRIC_CHANGE_NODE_DEVICE,	  /* another number of ports, vendor, device or revision */
};

/* A difference. Pointers are into the two fabrics; what the kind does not have is NULL. */
struct mad_fabric_change {
	uint32_t kind; /* enum mad_fabric_change_kind */
	const struct mad_fabric_node *old_node;
	const struct mad_fabric_node *new_node;
	const struct mad_fabric_port *old_port;
	const struct mad_fabric_port *new_port;
};

/*
 * What differs between an older and a newer fabric, which must both outlive the result. Nodes are
 * the same if they have the same GUID. Links of nodes that only one discovery could reach are no
 * changes. A node on all cables of one that is gone has replaced it, and its links and names are no
 * further changes. Of two results of mad_fabric_merge(), what changed while something was out of
 * reach is a change once it is in reach again. Returns the changes, to be freed with
 * mad_fabric_changes_free(); NULL with ENOMEM.
 */
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
