/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-buffer.c - what libibumad does with the caller's memory alone: no call of it can fail.
 */
#include "cases.h"
#include "fabric.h"

#include <infiniband/umad_str.h>

#define UMAD ((void *)run->output)

#define SURE(function, ...) FAULT_CALL_SURE(call_##function, (void)run, __VA_ARGS__)

SURE(umad_init, umad_init())
SURE(umad_done, umad_done())
SURE(umad_size, (void)umad_size())
SURE(umad_get_mad, umad_get_mad(UMAD))
SURE(umad_get_mad_addr, umad_get_mad_addr(UMAD))
SURE(umad_status, (void)umad_status(UMAD))
SURE(umad_set_addr, umad_set_addr(UMAD, 7, 1, 0, 1))
SURE(umad_set_addr_net, umad_set_addr_net(UMAD, 7, 1, 0, 1))
SURE(umad_set_grh, umad_set_grh(UMAD, run->output + 64))
SURE(umad_set_grh_net, umad_set_grh_net(UMAD, run->output + 64))
SURE(umad_set_pkey, umad_set_pkey(UMAD, 1))
SURE(umad_get_pkey, (void)umad_get_pkey(UMAD))
SURE(umad_debug, umad_debug(0))
SURE(umad_addr_dump, umad_addr_dump(UMAD))
SURE(umad_dump, umad_dump(UMAD))
SURE(umad_class_str, (void)umad_class_str(3))
SURE(umad_method_str, (void)umad_method_str(3, 1))
SURE(umad_attribute_str, (void)umad_attribute_str(3, htobe16(0x11)))
SURE(umad_common_mad_status_str, (void)umad_common_mad_status_str(htobe16(4)))
SURE(umad_sa_mad_status_str, (void)umad_sa_mad_status_str(htobe16(0x300)))

#define ROW(function) FAULT_CASE(function, NULL, fabric_bare, call_##function, FAULT_PURE)

static const struct fault_case cases[] = {
	ROW(umad_init),
	ROW(umad_done),
	ROW(umad_size),
	ROW(umad_get_mad),
	ROW(umad_get_mad_addr),
	ROW(umad_status),
	ROW(umad_set_addr),
	ROW(umad_set_addr_net),
	ROW(umad_set_grh),
	ROW(umad_set_grh_net),
	ROW(umad_set_pkey),
	ROW(umad_get_pkey),
	ROW(umad_debug),
	ROW(umad_addr_dump),
	ROW(umad_dump),
	ROW(umad_class_str),
	ROW(umad_method_str),
	ROW(umad_attribute_str),
	ROW(umad_common_mad_status_str),
	ROW(umad_sa_mad_status_str),
};

const struct fault_group cases_buffer = FAULT_GROUP(cases);
