/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-resolve.c - from names to addresses. A call that fails leaves the address as it was.
 */
#include "cases.h"
#include "fabric.h"

#define PORT ((struct ibmad_port *)run->state)
#define TO   ((ib_portid_t *)(void *)run->output)

FAULT_CALL_MINUS_ONE(call_ib_resolve_smlid_via, (void)run, ib_resolve_smlid_via(TO, 0, PORT))
FAULT_CALL_MINUS_ONE(call_ib_resolve_gid_via, ibmad_gid_t gid = { 0xfe },
		     ib_resolve_gid_via(TO, gid, NULL, 0, PORT))
FAULT_CALL_MINUS_ONE(call_ib_resolve_guid_via, uint64_t guid = 1,
		     ib_resolve_guid_via(TO, &guid, NULL, 0, PORT))
FAULT_CALL_MINUS_ONE(call_ib_resolve_self_via, (void)run,
		     ib_resolve_self_via(TO, (int *)(TO + 1), (void *)(TO + 2), PORT))
FAULT_CALL_MINUS_ONE(call_str_guid, char text[] = "0x0002c90300000001",
		     ib_resolve_portid_str_via(TO, text, IB_DEST_GUID, NULL, PORT))
FAULT_CALL_MINUS_ONE(call_str_gid, char text[] = "fe80::1",
		     ib_resolve_portid_str_via(TO, text, IB_DEST_GID, NULL, PORT))
FAULT_CALL_MINUS_ONE(call_str_drslid, char text[] = "7,1,6",
		     ib_resolve_portid_str_via(TO, text, IB_DEST_DRSLID, NULL, PORT))
FAULT_CALL_MINUS_ONE(call_str_lid, char text[] = "7",
		     ib_resolve_portid_str_via(TO, text, IB_DEST_LID, NULL, PORT))
#define ROW(function, flags) FAULT_CASE(function, NULL, fabric_port, call_##function, flags)

static const struct fault_case cases[] = {
	ROW(ib_resolve_smlid_via, FAULT_UNTOUCHED),
	ROW(ib_resolve_gid_via, FAULT_UNTOUCHED),
	ROW(ib_resolve_guid_via, FAULT_UNTOUCHED),
	ROW(ib_resolve_self_via, FAULT_UNTOUCHED),
	FAULT_CASE(ib_resolve_portid_str_via, "a GUID", fabric_port, call_str_guid,
		   FAULT_UNTOUCHED),
	FAULT_CASE(ib_resolve_portid_str_via, "a GID", fabric_port, call_str_gid, FAULT_UNTOUCHED),
	FAULT_CASE(ib_resolve_portid_str_via, "a route from a LID", fabric_port, call_str_drslid,
		   FAULT_UNTOUCHED),
	FAULT_CASE(ib_resolve_portid_str_via, "a LID", fabric_port, call_str_lid, FAULT_PURE),
};

const struct fault_group cases_resolve = FAULT_GROUP(cases);
