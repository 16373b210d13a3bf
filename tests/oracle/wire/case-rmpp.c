/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: requests with an RMPP header: responses of one packet, of many, aborted, cut. */
#include "wire.h"

#define CAPACITY 2048

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

static void run(const char *rules, ib_rmpp_hdr_t *rmpp)
{
	uint8_t data[CAPACITY];
	ib_rpc_t rpc = table_rpc();
	ib_portid_t dport = wire_lid(4);
	struct ibmad_port *port = wire_port();

	memset(data, WIRE_UNTOUCHED, sizeof(data));
	for (int i = 0; i < 200; i++)
		data[i] = (uint8_t)(200 - i);
	dport.qp = 1;
	dport.qkey = IB_DEFAULT_QP1_QKEY;
	mad_rpc_set_retries(port, 1);
	madrpc_show_errors(1);
	fakekernel_rules(rules);
	errno = 0;
	show_result("mad_rpc_rmpp", mad_rpc_rmpp(port, &rpc, &dport, rmpp, data), data,
		    sizeof(data));
	show_rpc(&rpc);
	if (rmpp)
		show_rmpp(rmpp);
	mad_rpc_close_port(port);
}

static void run_with_header(const char *rules)
{
	ib_rmpp_hdr_t rmpp = request_header();

	run(rules, &rmpp);
}

TEST_CALL(rmpp_no_header, run("reply at=24:0101070001020304 at=44:000d", NULL))

TEST(rmpp_empty_header)
{
	ib_rmpp_hdr_t rmpp = { 0 };

	run("reply at=24:0101070001020304 at=44:000d", &rmpp);
}

TEST_CALL(rmpp_one_packet,
	  run_with_header("reply at=24:01010700 at=28:00000001 at=32:00000080 at=44:000d"))
TEST_CALL(rmpp_one_packet_without_active,
	  run_with_header("reply at=24:01000000 at=28:00000000 at=32:00000000 at=44:000d"))
TEST_CALL(rmpp_one_packet_type_0,
	  run_with_header("reply at=24:00000000 at=28:00000000 at=32:00000000 at=44:000d"))
TEST_CALL(rmpp_one_packet_paylen_0,
	  run_with_header("reply at=24:01010700 at=28:00000001 at=32:00000000 at=44:000d"))
TEST_CALL(rmpp_first_of_many,
	  run_with_header("reply at=24:01010300 at=28:00000001 at=32:00000300 at=44:000d"))
TEST_CALL(rmpp_large,
	  run_with_header("reply len=836 at=24:01010700 at=28:00000001 at=32:00000320 at=44:000d"))
TEST_CALL(rmpp_larger_than_the_callers,
	  run_with_header("reply len=3056 at=24:01010700 at=28:00000001 at=32:00000ba8 at=44:000d"))
TEST_CALL(rmpp_just_a_packet,
	  run_with_header("reply len=257 at=24:01010700 at=28:00000001 at=32:00000320 at=44:000d"))
TEST_CALL(rmpp_aborted,
	  run_with_header("reply at=24:01040178 at=28:00000000 at=32:00000000 at=44:000d"))
TEST_CALL(rmpp_stopped,
	  run_with_header("reply at=24:01030101 at=28:00000000 at=32:00000000 at=44:000d"))
TEST_CALL(rmpp_acknowledged,
	  run_with_header("reply at=24:01020100 at=28:00000001 at=32:00000040 at=44:000d"))
TEST_CALL(rmpp_data_with_rmpp_status,
	  run_with_header("reply at=24:01010776 at=28:00000001 at=32:00000080 at=44:000d"))
TEST_CALL(rmpp_bad_status,
	  run_with_header("reply status=0x0300 at=24:01010700 at=28:00000001 at=32:00000080"))
TEST_CALL(rmpp_nothing, run_with_header("none"))
TEST_CALL(rmpp_timed_out, run_with_header("timeout"))

TEST(rmpp_default_port)
{
	uint8_t data[CAPACITY];
	ib_rpc_t rpc = table_rpc();
	ib_rmpp_hdr_t rmpp = request_header();
	ib_portid_t dport = wire_lid(4);

	memset(data, WIRE_UNTOUCHED, sizeof(data));
	wire_default_port();
	fakekernel_rules("reply at=24:01010700 at=28:00000001 at=32:00000080 at=44:000d");
	errno = 0;
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
	errno = 0;
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
