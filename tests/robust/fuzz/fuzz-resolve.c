/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Addresses that users type, of every kind, and the queries that lead from them to LIDs. A call
 * that fails leaves the address as it was.
 */
#include <errno.h>

#include "call.h"

enum { TEXT_SIZE = 200 };

static void resolve_text(const struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	char text[TEXT_SIZE], *copy;
	ib_portid_t portid, before, sm = { .lid = which & 0x40 ? 0 : 2 };
	struct fuzz_call call;
	int result;

	fuzz_portid(input, &portid);
	fuzz_text(input, text, sizeof(text));
	copy = fuzz_guard(strlen(text) + 1);
	strcpy(copy, text);
	before = portid;
	fuzz_call_begin(&call, port, input);
	result = ib_resolve_portid_str_via(&portid, copy, (enum MAD_DEST)(which % 7),
					   which & 0x80 ? &sm : NULL, port);
	fuzz_call_end(&call);
	FUZZ_CHECK(result == 0 || (result == -1 && errno > 0));
	FUZZ_CHECK(!result || !memcmp(&portid, &before, sizeof(before)));
	FUZZ_CHECK(!strcmp(text, copy));
	if (!result) {
		FUZZ_CHECK(portid.lid >= 0 && portid.lid < 0xc000);
		FUZZ_CHECK(portid.drpath.cnt >= 0 && portid.drpath.cnt < IB_SUBNET_PATH_HOPS_MAX);
		FUZZ_CHECK(strlen(portid2str(&portid)) > 4);
	}
}

static void resolve_other(const struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	ib_portid_t portid, before, sm = { .lid = which & 8 ? 0 : 2 };
	uint64_t guid = fuzz_u32(input);
	ibmad_gid_t gid = { 0xfe, 0x80 };
	struct fuzz_call call;
	int result, number = -1;

	fuzz_portid(input, &portid);
	before = portid;
	fuzz_call_begin(&call, port, input);
	switch (which & 3) {
	case 0:
		result = ib_resolve_smlid_via(&portid, (int)call.timeout_ms, port);
		break;
	case 1:
		result = ib_resolve_guid_via(&portid, &guid, which & 4 ? &sm : NULL,
					     (int)call.timeout_ms, port);
		break;
	case 2:
		result = ib_resolve_gid_via(&portid, gid, which & 4 ? &sm : NULL,
					    (int)call.timeout_ms, port);
		break;
	default:
		result = ib_resolve_self_via(which & 4 ? &portid : NULL, &number, &gid, port);
		FUZZ_CHECK(result || (number >= 0 && number < 256));
	}
	fuzz_call_end(&call);
	FUZZ_CHECK(result == 0 || (result == -1 && errno > 0));
	FUZZ_CHECK(!result || !memcmp(&portid, &before, sizeof(before)));
}

void fuzz_target(struct fuzz_input *input)
{
	struct ibmad_port *port = fuzz_open_port(input);
	int calls = 3;

	do {
		if (fuzz_u8(input) & 1)
			resolve_other(port, input);
		else
			resolve_text(port, input);
	} while (input->left && --calls);
	mad_rpc_close_port(port);
}
