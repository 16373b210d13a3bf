/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What a discovery did not find because it could not look there. */
#ifndef LIBIBMAD_FABRIC_OUT_OF_REACH_H
#define LIBIBMAD_FABRIC_OUT_OF_REACH_H

#include "libibmad/fabric/fabric.h"

/*
 * Which nodes of a fabric, by place, the other one may have without having found them. The caller
 * frees the array; NULL: out of memory.
 */
bool *fabric_find_out_of_reach(const struct mad_fabric *fabric, const struct mad_fabric *other);
/* Whether a link of a fabric may be there in the other one, which could not look. */
bool fabric_link_is_out_of_reach(const bool *nodes, const struct mad_fabric *other,
				 const struct mad_fabric_port *link);

#endif
