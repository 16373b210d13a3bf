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

TEST_CALL(sa_plain, run(get(), wire_lid(4), "reply at=44:0008"))

TEST(sa_with_trid)
{
	ib_sa_call_t sa = get();

	sa.trid = 0x1122334455667788;
	run(sa, wire_lid(4), "reply at=44:0008");
}

TEST(sa_full_portid)
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

TEST_CALL(sa_route, run(get(), wire_route(2), "reply"))
TEST_CALL(sa_negative_lid, run(get(), wire_lid(-1), "reply"))
TEST_CALL(sa_bad_status, run(get(), wire_lid(4), "reply status=0x0300"))
TEST_CALL(sa_nothing, run(get(), wire_lid(4), "none"))
TEST_CALL(sa_table_one_packet, run(table(), wire_lid(4),
				   "reply at=24:01010700 at=28:00000001 at=32:00000080 at=44:000d"))
TEST_CALL(sa_table_large,
	  run(table(), wire_lid(4),
	      "reply len=836 at=24:01010700 at=28:00000001 at=32:00000320 at=44:000d"))
TEST_CALL(sa_table_bad_status, run(table(), wire_lid(4), "reply status=0x0300 at=24:01010700"))
TEST_CALL(sa_table_aborted,
	  run(table(), wire_lid(4), "reply at=24:01040178 at=28:00000000 at=32:00000000"))

TEST(sa_default_port)
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

TEST_CALL(sa_path, path("reply at=96:00210022"))
TEST_CALL(sa_path_lid_ffff, path("reply at=96:ffff0022"))
TEST_CALL(sa_path_lid_0, path("reply at=96:00000022"))
TEST_CALL(sa_path_bad_status, path("reply status=0x0300"))
TEST_CALL(sa_path_nothing, path("none"))

TEST(sa_path_default_port)
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

TEST(sa_path_buffer)
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

TEST_CALL(sa_node, node("reply"))
TEST_CALL(sa_node_bad_status, node("reply status=0x0300"))
TEST_CALL(sa_node_nothing, node("none"))
