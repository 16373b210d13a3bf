/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Tables of the SA, in one MAD and in many, and what reads the records. */
#include <errno.h>

#include <infiniband/mad_sa.h>

#include "call.h"

/* Every record may be read in whole, and every reader gives texts that end. */
static void check_table(const struct mad_sa_table *table)
{
	struct mad_sa_port_info port_info;
	struct mad_sa_mc_member mc_member;
	struct mad_sa_service service;
	struct mad_sa_sm_info sm_info;
	struct mad_sa_node node;
	struct mad_sa_link link;
	struct mad_sa_path path;
	unsigned count = mad_sa_table_count(table), i;
	size_t size = 0;

	for (i = 0; i < count && i < 3; i++) {
		fuzz_touch(mad_sa_table_record(table, i, &size), size);
		FUZZ_CHECK(size && count * size <= fuzz_kernel_longest());
		if (!mad_sa_get_node(table, i, &node, sizeof(node)))
			FUZZ_CHECK(strnlen(node.description, sizeof(node.description)) < 65);
		if (!mad_sa_get_port_info(table, i, &port_info, sizeof(port_info)))
			fuzz_touch(port_info.port_info, 64);
		if (!mad_sa_get_service(table, i, &service, sizeof(service)))
			FUZZ_CHECK(strnlen(service.name, sizeof(service.name)) < 65);
		mad_sa_get_link(table, i, &link, sizeof(link));
		mad_sa_get_path(table, i, &path, sizeof(path));
		mad_sa_get_sm_info(table, i, &sm_info, sizeof(sm_info));
		mad_sa_get_mc_member(table, i, &mc_member, sizeof(mc_member));
	}
	if (count)
		fuzz_touch(mad_sa_table_record(table, count - 1, NULL), size);
	FUZZ_CHECK(!mad_sa_table_record(table, count, NULL));
	errno = 0;
	FUZZ_CHECK(mad_sa_get_node(table, count, &node, sizeof(node)) < 0);
	FUZZ_CHECK(errno == ENOENT || errno == EINVAL);
}

/* Without a timeout of the caller's, a table that does not arrive is waited for up to 21.6 minutes.
 */
static void end_time_of_table(struct fuzz_call *call)
{
	if (!call->timeout_ms)
		call->timeout_ms = 1296000;
	fuzz_call_end(call);
}

static void take_table(struct fuzz_call *call, struct mad_sa_table *table)
{
	int error = errno;

	end_time_of_table(call);
	FUZZ_CHECK(table || error > 0);
	if (table)
		check_table(table);
	mad_sa_table_free(table);
}

static void query_table(struct ibmad_port *port, struct fuzz_input *input)
{
	static const uint8_t methods[] = { 0, 1, 0x12, 0x13, 0x14 };
	uint8_t which = fuzz_u8(input), data[300];
	struct mad_sa_request query = {
		.method = which & 4 ? fuzz_u8(input) : methods[(which & 3) + (which >> 7)],
		.attr_id = fuzz_u16(input),
		.mask = which & 8 ? fuzz_u64(input) : 0,
		.sm_key = which & 16 ? 1 : 0,
		.data = data,
		.data_size = which & 32 ? fuzz_u8(input) + (fuzz_u8(input) & 32U) : 0,
	};
	struct mad_sa_table *table;
	struct fuzz_call call;
	ib_portid_t sm;

	fuzz_portid(input, &sm);
	memset(data, which, sizeof(data));
	fuzz_call_begin(&call, port, input);
	query.timeout_ms = call.timeout_ms;
	table = mad_sa_query(port, which & 64 ? NULL : &sm, &query, sizeof(query), NULL);
	take_table(&call, table);
}

static void query_all(struct ibmad_port *port, struct fuzz_input *input)
{
	static const uint8_t attributes[] = { 0x11, 0x12, 0x20, 0x18, 0x38, 0x31 };
	struct mad_sa_table *table;
	struct fuzz_call call;
	ibmad_gid_t gid = { 0xfe, 0x80 };
	uint8_t which;
	ib_portid_t sm;

	fuzz_portid(input, &sm);
	fuzz_call_begin(&call, port, input);
	which = fuzz_u8(input) % 7;
	if (which == 6)
		table = mad_sa_query_paths(port, &sm, gid, gid, (int)call.timeout_ms);
	else
		table = mad_sa_query_all(port, &sm, attributes[which], (int)call.timeout_ms);
	take_table(&call, table);
}

void fuzz_target(struct fuzz_input *input)
{
	struct ibmad_port *port = fuzz_open_port(input);
	int calls = 4;

	do {
		if (fuzz_u8(input) & 2)
			query_all(port, input);
		else
			query_table(port, input);
	} while (input->left && --calls);
	mad_rpc_close_port(port);
}
