/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: the calls that take no port, on the default port. The table of requests has those with
 * one. */
#include "wire.h"

#define CAPACITY 2048

TEST(smp_default_port)
{
	uint8_t data[64] = { 0 };
	ib_portid_t portid = wire_lid(4);

	wire_default_port();
	show_result("smp_query", smp_query(data, &portid, 0x11, 7, 0), data, sizeof(data));
	show_result("smp_set", smp_set(data, &portid, 0x11, 7, 33), data, sizeof(data));
}

TEST(vendor_default_port)
{
	ib_vendor_call_t call = { .method = 1,
				  .mgmt_class = 0x32,
				  .attrid = 0x50,
				  .mod = 0x51525354,
				  .oui = 0x00abcdef,
				  .timeout = 20 };
	ib_portid_t portid = wire_lid(4);
	uint8_t data[300] = { 1, 2, 3 };

	wire_default_port();
	show_result("ib_vendor_call", ib_vendor_call(data, &portid, &call), data, sizeof(data));
}

TEST(sa_default_port)
{
	ib_sa_call_t sa = {
		.attrid = 0x35, .mod = 0x99, .mask = 0x123456789abcdef0, .method = 1, .recsz = 8
	};
	ib_portid_t portid = wire_lid(4);
	uint8_t data[256] = { 0 };

	wire_default_port();
	fakekernel_rules("reply at=44:0003");
	show_result("sa_call", sa_call(data, &portid, &sa, 0), data, sizeof(data));
}

TEST(sa_path_default_port)
{
	uint8_t src[16] = { 0xfe, 0x80, [8] = 1, 2, 3, 4, 5, 6, 7, 8 };
	uint8_t dst[16] = { 0xfe, 0x80, [8] = 9, 8, 7, 6, 5, 4, 3, 2 };
	ib_portid_t sm = wire_lid(7);
	uint8_t data[256] = { 0 };

	wire_default_port();
	fakekernel_rules("reply at=96:00210022");
	show_int("ib_path_query", ib_path_query(src, dst, &sm, data));
	show_bytes("data", data, sizeof(data));
}

static ib_rpc_t table_rpc(void)
{
	ib_rpc_t rpc = { 0 };

	rpc.mgtclass = IB_SA_CLASS;
	rpc.method = IB_MAD_METHOD_GET_TABLE;
	rpc.attr.id = IB_SA_ATTR_NODERECORD;
	rpc.dataoffs = IB_SA_DATA_OFFS;
	rpc.datasz = IB_SA_DATA_SIZE;
	rpc.timeout = 20;
	rpc.mask = 0x8000000000000011;
	rpc.recsz = 14;
	return rpc;
}

static ib_rmpp_hdr_t request_header(void)
{
	ib_rmpp_hdr_t rmpp = { 0 };

	rmpp.type = IB_RMPP_TYPE_DATA;
	rmpp.flags = IB_RMPP_FLAG_ACTIVE;
	rmpp.status = 0x11;
	rmpp.d1.u = 0x12131415;
	rmpp.d2.u = 0x22232425;
	return rmpp;
}

TEST(rmpp_default_port)
{
	uint8_t data[CAPACITY];
	ib_rpc_t rpc = table_rpc();
	ib_rmpp_hdr_t rmpp = request_header();
	ib_portid_t dport = wire_lid(4);

	memset(data, WIRE_UNTOUCHED, sizeof(data));
	wire_default_port();
	fakekernel_rules("reply at=24:01010700 at=28:00000001 at=32:00000080 at=44:000d");
	show_result("madrpc_rmpp", madrpc_rmpp(&rpc, &dport, &rmpp, data), data, sizeof(data));
	show_rpc(&rpc);
	show_rmpp(&rmpp);
}

static void run_version_1(const char *rules)
{
	uint8_t data[CAPACITY];
	ib_rpc_t rpc = table_rpc();
	ib_rmpp_hdr_t rmpp = request_header();
	ib_portid_t dport = wire_lid(4);
	ib_rpc_v1_t one = { 0 };

	memset(data, WIRE_UNTOUCHED, sizeof(data));
	memcpy(&one, &rpc, sizeof(rpc));
	one.error = 0x5555;
	one.mgtclass |= IB_MAD_RPC_VERSION1;
	wire_default_port();
	fakekernel_rules(rules);
	show_result("madrpc_rmpp", madrpc_rmpp((ib_rpc_t *)(void *)&one, &dport, &rmpp, data), data,
		    sizeof(data));
	show_rpc((ib_rpc_t *)(void *)&one);
	show_rmpp(&rmpp);
}

TEST_CALL(rmpp_version_1,
	  run_version_1("reply at=24:01010700 at=28:00000001 at=32:00000080 at=44:000d"))
TEST_CALL(rmpp_version_1_bad_status, run_version_1("reply status=0x0300"))

TEST(rmpp_stale_status)
{
	uint8_t data[CAPACITY] = { 0 };
	ib_rpc_t rpc = table_rpc();
	ib_portid_t dport = wire_lid(4);

	rpc.rstatus = 0x5555;
	wire_default_port();
	madrpc_rmpp(&rpc, &dport, NULL, data);
	show_rpc(&rpc);
}
