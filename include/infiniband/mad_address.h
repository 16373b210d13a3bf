/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What addresses are made of on fabrics with partitions: the index of a P_Key.
 *
 *	int index = mad_pkey_index(port, 0x8005, NULL);
 *
 *	if (index < 0)
 *		err(1, "P_Key 0x8005");
 *	portid.pkey_idx = index;
 */
#ifndef INFINIBAND_MAD_ADDRESS_H
#define INFINIBAND_MAD_ADDRESS_H

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
 * umad_get_port() finds by the names that srcport was opened with. Returns the index, 0 or more; -1
 * with EINVAL (NULL, more than 16 bits, or partition 0), ENOENT where the table does not have it,
 * or as umad_get_port().
 */
int mad_pkey_index(const struct ibmad_port *srcport, unsigned pkey, uint16_t *entry);

#ifdef __cplusplus
}
#endif

#endif
