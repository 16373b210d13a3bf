/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Addresses on fabrics with partitions and planes: the index of a P_Key (mad_pkey_index(3)), and
 * the directed route to a LID (mad_route_resolve(3)). */
#ifndef INFINIBAND_MAD_ADDRESS_H
#define INFINIBAND_MAD_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include <infiniband/mad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Finds a P_Key (host byte order), by its lower 15 bits, in the present P_Key table of the port;
 * full membership takes precedence. Returns the index, for portid->pkey_idx and umad_set_pkey();
 * *entry (or NULL) is then the entry, with the membership in bit 15. Returns -1 with EINVAL (NULL,
 * more than 16 bits, or partition 0), ENOENT, or as umad_get_port(). */
int mad_pkey_index(struct ibmad_port *port, unsigned pkey, uint16_t *entry);

/* Finds the directed route to a LID, by forwarding tables or a search, and keeps what it learns for
 * 30 seconds. *route becomes an address for SMPs, with the port GUID of its end in the lower half
 * of gid. timeout_ms: per attempt, 0: the port's. Returns 0; -1, *route unchanged, with EINVAL
 * (NULL, no unicast LID, no class 0x81), ENETUNREACH (nothing that responds has the LID), ENOMEM,
 * or as smp_query_via(). */
int mad_route_resolve(struct ibmad_port *port, unsigned lid, ib_portid_t *route, int timeout_ms);

/* Forgets everything that mad_route_resolve() has learned by this port, after a change of the
 * fabric. Returns 0; -1 with EINVAL for NULL. */
int mad_route_forget(struct ibmad_port *port);

/* Sets whether the port sends SMPs of class 0x01 by directed route, as mad_route_resolve() finds
 * it; where no route is found, they fail with ENETUNREACH. The submission of an asynchronous
 * request blocks while its route is found. Returns 0; -1 with EINVAL (NULL, or no class 0x81). */
int mad_route_use(struct ibmad_port *port, bool use);

#ifdef __cplusplus
}
#endif

#endif
