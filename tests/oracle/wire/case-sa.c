/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: sa_rpc_call(), sa_call(), path and node queries. */
#include "wire.h"

static void run(ib_sa_call_t sa, ib_portid_t portid, const char *rules)
{
	struct ibmad_port *port = wire_port();
	uint8_t data[256];

	memset(data, WIRE_UNTOUCHED, sizeof(data));
	for (int i = 0; i < 200; i++)
		data[i] = (uint8_t)i;
	fakekernel_rules(rules);
	mad_rpc_set_retries(port, 1);
	errno = 0;
	show_result("sa_rpc_call", sa_rpc_call(port, data, &portid, &sa, 20), data, sizeof(data));
	printf("  sa: attrid %#x mod %#x mask %#llx method %#x trid %s recsz %u\n", sa.attrid,
	       sa.mod, (unsigned long long)sa.mask, sa.method, sa.trid ? "set" : "0", sa.recsz);
	show_rmpp(&sa.rmpp);
	show_portid("portid", &portid);
}

static ib_sa_call_t get(void)
{
	return (ib_sa_call_t){
		.attrid = 0x35, .mod = 0x99, .mask = 0x123456789abcdef0, .method = 1, .recsz = 8
	};
}

static ib_sa_call_t table(void)
{
	ib_sa_call_t sa = get();

	sa.method = 0x12;
	sa.rmpp.type = IB_RMPP_TYPE_DATA;
	sa.rmpp.flags = IB_RMPP_FLAG_ACTIVE;
	return sa;
}

static void plain(void)
{
	run(get(), wire_lid(4), "reply at=44:0008");
}

static void with_trid(void)
{
	ib_sa_call_t sa = get();

	sa.trid = 0x1122334455667788;
	run(sa, wire_lid(4), "reply at=44:0008");
}

static void full_portid(void)
{
	ib_portid_t portid = wire_lid(4);

	portid.qp = 3;
	portid.qkey = 0x4444;
	portid.sl = 5;
	portid.pkey_idx = 2;
	portid.grh_present = 1;
	memset(portid.gid, 0xab, 16);
	run(get(), portid, "reply");
}

static void route(void)
{
	run(get(), wire_route(2), "reply");
}

static void negative_lid(void)
{
	run(get(), wire_lid(-1), "reply");
}

static void bad_status(void)
{
	run(get(), wire_lid(4), "reply status=0x0300");
}

static void nothing(void)
{
	run(get(), wire_lid(4), "none");
}

static void table_one_packet(void)
{
	run(table(), wire_lid(4), "reply at=24:01010700 at=28:00000001 at=32:00000080 at=44:000d");
}

static void table_large(void)
{
	run(table(), wire_lid(4),
	    "reply len=836 at=24:01010700 at=28:00000001 at=32:00000320 at=44:000d");
}

static void table_bad_status(void)
{
	run(table(), wire_lid(4), "reply status=0x0300 at=24:01010700");
}

static void table_aborted(void)
{
	run(table(), wire_lid(4), "reply at=24:01040178 at=28:00000000 at=32:00000000");
}

static void default_port(void)
{
	ib_sa_call_t sa = get();
	ib_portid_t portid = wire_lid(4);
	uint8_t data[256] = { 0 };

	wire_default_port();
	fakekernel_rules("reply at=44:0003");
	errno = 0;
	show_result("sa_call", sa_call(data, &portid, &sa, 0), data, sizeof(data));
}

static uint8_t src[16] = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
static uint8_t dst[16] = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2 };

static void path(const char *rules)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t sm = wire_lid(7);
	uint8_t data[256];

	sm.sl = 2;
	mad_rpc_set_retries(port, 1);
	mad_rpc_set_timeout(port, 20);
	memset(data, 0, sizeof(data));
	fakekernel_rules(rules);
	errno = 0;
	show_int("ib_path_query_via", ib_path_query_via(port, src, dst, &sm, data));
	show_bytes("data", data, sizeof(data));
	show_portid("sm", &sm);
}

static void path_found(void)
{
	path("reply at=96:00210022");
}

static void path_lid_ffff(void)
{
	path("reply at=96:ffff0022");
}

static void path_lid_0(void)
{
	path("reply at=96:00000022");
}

static void path_bad_status(void)
{
	path("reply status=0x0300");
}

static void path_nothing(void)
{
	path("none");
}

static void path_default_port(void)
{
	ib_portid_t sm = wire_lid(7);
	uint8_t data[256];

	memset(data, 0, sizeof(data));
	wire_default_port();
	fakekernel_rules("reply at=96:00210022");
	errno = 0;
	show_int("ib_path_query", ib_path_query(src, dst, &sm, data));
	show_bytes("data", data, sizeof(data));
}

static void path_buffer(void)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t sm = wire_lid(7);
	uint8_t data[256];

	memset(data, WIRE_UNTOUCHED, sizeof(data));
	fakekernel_rules("reply");
	ib_path_query_via(port, src, dst, &sm, data);
}

static void node(const char *rules)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t sm = wire_lid(7);
	uint8_t data[256];

	sm.sl = 2;
	mad_rpc_set_retries(port, 1);
	mad_rpc_set_timeout(port, 20);
	memset(data, 0, sizeof(data));
	fakekernel_rules(rules);
	errno = 0;
	show_int("ib_node_query_via", ib_node_query_via(port, 0x1122334455667788, &sm, data));
	show_bytes("data", data, sizeof(data));
	show_portid("sm", &sm);
}

static void node_found(void)
{
	node("reply");
}

static void node_bad_status(void)
{
	node("reply status=0x0300");
}

static void node_nothing(void)
{
	node("none");
}

const struct wire_case sa_cases[] = {
	{ "sa-plain", plain },
	{ "sa-with-trid", with_trid },
	{ "sa-full-portid", full_portid },
	{ "sa-route", route },
	{ "sa-negative-lid", negative_lid },
	{ "sa-bad-status", bad_status },
	{ "sa-nothing", nothing },
	{ "sa-table-one-packet", table_one_packet },
	{ "sa-table-large", table_large },
	{ "sa-table-bad-status", table_bad_status },
	{ "sa-table-aborted", table_aborted },
	{ "sa-default-port", default_port },
	{ "sa-path", path_found },
	{ "sa-path-lid-ffff", path_lid_ffff },
	{ "sa-path-lid-0", path_lid_0 },
	{ "sa-path-bad-status", path_bad_status },
	{ "sa-path-nothing", path_nothing },
	{ "sa-path-default-port", path_default_port },
	{ "sa-path-buffer", path_buffer },
	{ "sa-node", node_found },
	{ "sa-node-bad-status", node_bad_status },
	{ "sa-node-nothing", node_nothing },
	{ 0 },
};
