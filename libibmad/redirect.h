/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Redirects: a response with the status "redirect" carries ClassPortInfo, which says where requests
 * of its class are to be sent (13.4.8.1). The rules here hold for blocking calls and asynchronous
 * requests alike.
 */
#ifndef LIBIBMAD_REDIRECT_H
#define LIBIBMAD_REDIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "internal.h"

struct mad_redirect {
	int lid; /* 0: to be found by the GID */
	int sl;
	uint32_t qp;
	uint32_t qkey;
	uint32_t flow_label;
	uint16_t pkey; /* 0: not given */
	uint8_t traffic_class;
	bool has_gid; /* the way leads over a GRH */
	ibmad_gid_t gid;
};

/* Reads a redirect out of the first IB_MAD_SIZE bytes of a response that has length bytes. Returns
 * 0, or -EBADMSG for one that leads nowhere. */
int mad_redirect_read(const uint8_t *mad, size_t length, struct mad_redirect *redirect);

/* Whether a redirect of this request may be resolved through the SA: not that of the query which
 * resolving takes, since that would never end. */
bool mad_redirect_is_resolvable(int mgmt_class, unsigned attr_id);

/*
 * Makes *to, and the umad header of the request to be sent on, the address of a redirect that has a
 * LID. The P_Key index stays where the redirect gives no P_Key, or one that the port does not have.
 */
void mad_redirect_apply(const struct ibmad_port *port, const struct mad_redirect *redirect,
			int mgmt_class, ib_portid_t *to, void *umad);

#endif
