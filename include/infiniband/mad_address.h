/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What addresses are made of on fabrics with partitions and planes: the index of a P_Key
 * (mad_pkey_index(3)), and the directed route to a LID (mad_route_resolve(3)).
 */
#ifndef INFINIBAND_MAD_ADDRESS_H
#define INFINIBAND_MAD_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/mad.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Finds a P_Key (host byte order) in the P_Key table of the port, for portid->pkey_idx of blocking
 * and asynchronous requests and of mad_send_via() and mad_respond_via(), and for umad_set_pkey().
 * The lower 15 bits decide, as in the kernel: where the table has the partition with full and with
 * limited membership, the full one is taken, and where it has one of the two, that one, whatever
 * bit 15 of pkey is. *entry (or NULL) is then the entry, whose bit 15 is the membership. The table
 * is read anew each time, from sysfs; an SM may change it at any time. The port is the one that
 * umad_get_port() finds by the names that this one was opened with. Returns the index, 0 or more;
 * -1 with EINVAL (NULL, more than 16 bits, or partition 0), ENOENT where the table does not have
 * it, or as umad_get_port().
 */
int mad_pkey_index(struct ibmad_port *port, unsigned pkey, uint16_t *entry);

/*
 * Finds the directed route to a LID: follows the linear forwarding tables from the local port on,
 * by directed route SMPs; where they do not lead to the LID (the response of the last node has to
 * have it), searches the fabric link by link. The port needs class 0x81 (IB_SMI_DIRECT_CLASS).
 * timeout_ms is per attempt, 0: that of the port. What was learned (nodes, links, LIDs, blocks of
 * forwarding tables, routes of a search) is kept with the port for 30 seconds, so that a further
 * route costs few requests or none, and may be of a fabric that has changed since. A search asks
 * every switch for each of its ports, and a call with a LID that no node has makes one. *route is
 * then an address for SMPs, with the port GUID of its end in the lower half of gid for the lookup
 * of keys (mad_keys.h), and grh_present 0; its drpath.cnt is 0 where the LID is that of the local
 * port. Returns 0; -1, *route as it was, with EINVAL (NULL, no unicast LID, no class 0x81),
 * ENETUNREACH (no node that responds has the LID), ENOMEM, or as smp_query_via() where the local
 * node does not respond.
 */
int mad_route_resolve(struct ibmad_port *port, unsigned lid, ib_portid_t *route, int timeout_ms);

/* Forgets what mad_route_resolve() has learned by this port, after a change of the fabric. Returns
 * 0; -1 with EINVAL for NULL. */
int mad_route_forget(struct ibmad_port *port);

/*
 * Whether the port sends SMPs of class 0x01 by directed route, as mad_route_resolve() finds it:
 * those of smp_query_via() and its like, mad_rpc() and asynchronous requests. The caller's address
 * stays as it is, and keys are those of its LID. Where no route is found, the request fails with
 * ENETUNREACH; after one that times out, everything is learned anew. The submission of an
 * asynchronous request blocks while its route is found: mad_route_resolve() before it avoids that.
 * The address in the result is the route. Returns 0; -1 with EINVAL (NULL, or no class 0x81).
 */
int mad_route_use(struct ibmad_port *port, bool use);

#ifdef __cplusplus
}
#endif

#endif
