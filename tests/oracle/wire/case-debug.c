/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: what ibdebug and LIBIBMAD_DEBUG_LEVEL have the library print. */
#include "wire.h"

static void calls(void)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t portid = wire_lid(4), route = wire_route(1);
	ib_rpc_t rpc = { .mgtclass = 4,
			 .method = 1,
			 .attr = { 0x12, 0 },
			 .dataoffs = 64,
			 .datasz = 8,
			 .timeout = 20,
			 .trid = 0x11223344 };
	ib_sa_call_t sa = { .attrid = 0x35, .method = 1, .trid = 0x11223355 };
	ib_bm_call_t bm = { .method = 1, .attrid = 0x21, .timeout = 20 };
	ib_vendor_call_t vendor = {
		.method = 1, .mgmt_class = 0x32, .attrid = 1, .oui = 0x1405, .timeout = 20
	};
	uint8_t data[256] = { 0 };

	fakekernel_hide_smp_data();
	printf("-- ibdebug %d: mad_rpc\n", ibdebug);
	mad_rpc(port, &rpc, &portid, NULL, data);
	if (ibdebug > 1)
		return; /* what follows has transaction IDs that differ from run to run */
	printf("-- smp_query_via\n");
	smp_query_via(data, &portid, 0x11, 0, 20, port);
	printf("-- smp_set_via\n");
	smp_set_via(data, &route, 0x11, 0, 20, port);
	printf("-- sa_rpc_call\n");
	sa_rpc_call(port, data, &portid, &sa, 20);
	printf("-- pma_query_via\n");
	pma_query_via(data, &portid, 1, 20, 0x12, port);
	printf("-- performance_reset_via\n");
	performance_reset_via(data, &portid, 1, 0, 20, 0x12, port);
	printf("-- bm_call_via\n");
	bm_call_via(data, &portid, &bm, port);
	printf("-- ib_vendor_call_via\n");
	ib_vendor_call_via(data, &portid, &vendor, port);
	vendor.method = 3;
	fakekernel_rules("none;reply");
	printf("-- ib_vendor_call_via send\n");
	ib_vendor_call_via(data, &portid, &vendor, port);
	printf("-- cc_query_status_via\n");
	cc_query_status_via(data, &portid, 0x11, 0, 20, NULL, port, 0);
	printf("-- ib_resolve_smlid_via\n");
	ib_resolve_smlid_via(&route, 1000, port);
	printf("-- mad_register_client_via\n");
	mad_register_client_via(4, 0, port);
	printf("-- mad_class_agent of an unknown class %d\n", mad_rpc_class_agent(port, 7));
	mad_rpc_close_port(port);
}

TEST_CALL(debug_level_0, calls())

TEST(debug_level_1)
{
	ibdebug = 1;
	calls();
}

TEST(debug_level_2)
{
	ibdebug = 2;
	calls();
}

static void environment(const char *value)
{
	struct ibmad_port *port;

	setenv("LIBIBMAD_DEBUG_LEVEL", value, 1);
	printf("before %d\n", ibdebug);
	port = wire_port();
	printf("after opening with '%s': %d\n", value, ibdebug);
	ibdebug = 0;
	mad_rpc_close_port(port);
}

TEST(debug_environment)
{
	environment("0");
	environment("1");
	environment("2");
	environment("0x3");
	environment("junk");
	environment("-1");
	environment("");
}

TEST(debug_environment_and_init)
{
	setenv("LIBIBMAD_DEBUG_LEVEL", "1", 1);
	wire_default_port();
	printf("after madrpc_init: %d\n", ibdebug);
}

TEST(debug_server)
{
	ib_rpc_t rpc = { .mgtclass = 4,
			 .method = 3,
			 .attr = { 0x12, 0 },
			 .dataoffs = 64,
			 .datasz = 8,
			 .timeout = 20,
			 .trid = 0x11223344 };
	uint8_t packet[320] = { 0 }, *umad;
	struct ibmad_port *port = wire_port();
	ib_portid_t portid = wire_lid(4);

	memcpy(packet + 64, "\1\4\1\1", 4);
	fakekernel_rules("none");
	fakekernel_arrive(packet, sizeof(packet));
	ibdebug = 1;
	printf("-- mad_receive_via\n");
	umad = mad_receive_via(NULL, 100, port);
	printf("-- mad_respond_via\n");
	mad_respond_via(umad, NULL, 0, port);
	printf("-- mad_send_via\n");
	mad_send_via(&rpc, &portid, NULL, NULL, port);
	printf("-- mad_receive_via in vain\n");
	mad_receive_via(umad, 5, port);
	ibdebug = 0;
}
