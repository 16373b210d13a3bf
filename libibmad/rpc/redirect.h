/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Redirects: a response with the status "redirect" carries ClassPortInfo with the address for
 * requests of its class (13.4.8.1).
 */
#ifndef LIBIBMAD_REDIRECT_H
#define LIBIBMAD_REDIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libibmad/engine/inflight.h"
#include "libibmad/internal.h"

struct mad_redirect {
	int lid; /* 0: to be resolved from the GID */
	int sl;
	uint32_t qp;
	uint32_t qkey;
	uint32_t flow_label;
	uint16_t pkey;	/* 0: not given */
	int pkey_index; /* in the port's table; negative: that of the request stays */
	uint8_t traffic_class;
	bool has_gid; /* the path needs a GRH */
	ibmad_gid_t gid;
};

/* Reads a redirect from the first IB_MAD_SIZE bytes of a response of length bytes. Returns 0, or
 * -EBADMSG for one without a usable address. */
int mad_redirect_read(const uint8_t *mad, size_t length, struct mad_redirect *redirect);

/* Finds the index of the redirect's P_Key in sysfs: negative if it gives none, or one that the port
 * does not have. No lock may be held. */
void mad_redirect_find_pkey(const struct ibmad_port *port, struct mad_redirect *redirect);

/* Sets the address of the transaction to that of a redirect with a LID whose P_Key has been looked
 * up. */
void mad_redirect_apply(const struct ibmad_port *port, const struct mad_redirect *redirect,
			struct mad_transaction *transaction);

#endif
