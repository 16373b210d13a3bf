/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: congestion control, board management and vendor calls. */
#include "wire.h"

static void fill(uint8_t *data, size_t size)
{
	memset(data, WIRE_UNTOUCHED, size);
	for (size_t i = 0; i < 240; i++)
		data[i] = (uint8_t)(i + 1);
}

static ib_portid_t full_portid(int lid)
{
	ib_portid_t portid = wire_lid(lid);

	portid.qp = 3;
	portid.qkey = 0x4444;
	portid.sl = 5;
	portid.pkey_idx = 2;
	return portid;
}

static void cc_query(struct ibmad_port *port, unsigned id, ib_portid_t portid, const char *rules)
{
	uint8_t data[300];
	int status = 0x5555;

	fill(data, sizeof(data));
	fakekernel_rules(rules);
	errno = 0;
	show_result(
		"cc_query_status_via",
		cc_query_status_via(data, &portid, id, 0x77, 20, &status, port, 0x1122334455667788),
		data, sizeof(data));
	printf("  attribute %#x rstatus %#x\n", id, (unsigned)status);
	show_portid("portid", &portid);
}

TEST(cc_query_all)
{
	struct ibmad_port *port = wire_port();

	for (unsigned id = IB_CC_ATTR_CONGESTION_INFO; id <= IB_CC_ATTR_TIMESTAMP; id++)
		cc_query(port, id, wire_lid(4), "reply");
	cc_query(port, 1, wire_lid(4), "reply");
}

TEST(cc_query_errors)
{
	struct ibmad_port *port = wire_port();

	mad_rpc_set_retries(port, 1);
	cc_query(port, 0x11, full_portid(4), "reply status=0x1c");
	cc_query(port, 0x11, wire_lid(4), "none");
	cc_query(port, 0x11, wire_lid(4), "timeout");
	cc_query(port, 0x11, wire_route(2), "reply");
}

TEST(cc_config)
{
	struct ibmad_port *port = wire_port();

	for (unsigned id = IB_CC_ATTR_CONGESTION_INFO; id <= IB_CC_ATTR_TIMESTAMP; id++) {
		uint8_t payload[300], data[300];
		ib_portid_t portid = wire_lid(4);
		int status = 0x5555;

		fill(payload, sizeof(payload));
		memset(data, WIRE_UNTOUCHED, sizeof(data));
		fakekernel_rules(id == 0x12 ? "reply status=0x4" : "reply");
		errno = 0;
		show_result("cc_config_status_via",
			    cc_config_status_via(payload, data, &portid, id, 0x77, 20, &status,
						 port, 0x1122334455667788),
			    data, sizeof(data));
		printf("  attribute %#x rstatus %#x\n", id, (unsigned)status);
	}
}

TEST(cc_status_null)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t portid = wire_lid(4);
	uint8_t data[300] = { 0 };

	errno = 0;
	show_success("cc_query_status_via",
		     cc_query_status_via(data, &portid, 0x11, 0, 20, NULL, port, 0) == data);
	fakekernel_rules("reply status=0x4");
	errno = 0;
	show_success("cc_query_status_via",
		     cc_query_status_via(data, &portid, 0x11, 0, 20, NULL, port, 0) == data);
}

static void bm(ib_bm_call_t call, ib_portid_t portid, const char *rules)
{
	struct ibmad_port *port = wire_port();
	uint8_t data[300];

	fill(data, sizeof(data));
	fakekernel_rules(rules);
	mad_rpc_set_retries(port, 1);
	errno = 0;
	show_result("bm_call_via", bm_call_via(data, &portid, &call, port), data, sizeof(data));
	show_portid("portid", &portid);
	mad_rpc_close_port(port);
}

static ib_bm_call_t bm_get(void)
{
	return (ib_bm_call_t){ .method = 1,
			       .attrid = IB_BM_ATTR_READ_VPD,
			       .mod = 5,
			       .timeout = 20,
			       .bkey = 0x1122334455667788 };
}

TEST(bm_calls)
{
	ib_bm_call_t call = bm_get();

	bm(call, wire_lid(4), "reply");
	bm(call, full_portid(4), "reply");
	call.method = 2;
	bm(call, wire_lid(4), "reply");
	call.method = 3;
	bm(call, wire_lid(4), "none"); /* with bit 0 of the modifier: a response */
	call.mod &= ~1U;
	bm(call, wire_lid(4), "reply");
	call.method = 5;
	bm(call, wire_lid(4), "reply");
	call.method = 7;
	bm(call, wire_lid(4), "none");
	call.method = 0;
	bm(call, wire_lid(4), "reply");
}

TEST_CALL(bm_route, bm(bm_get(), wire_route(2), "reply"))

TEST(bm_errors)
{
	bm(bm_get(), wire_lid(4), "reply status=0x0c");
	bm(bm_get(), wire_lid(4), "none");
	bm(bm_get(), wire_lid(4), "timeout");
	bm(bm_get(), wire_lid(4), "writeerr=22");
}

static void vendor(ib_vendor_call_t call, ib_portid_t portid, const char *rules)
{
	struct ibmad_port *port = wire_port();
	uint8_t data[300];

	fill(data, sizeof(data));
	fakekernel_rules(rules);
	mad_rpc_set_retries(port, 1);
	errno = 0;
	uint8_t *result = ib_vendor_call_via(data, &portid, &call, port);

	printf("class %#x method %#x ", call.mgmt_class, call.method);
	show_result("ib_vendor_call_via", result, data, sizeof(data));
	if (result && result != data)
		printf("  the result is %p\n", (void *)result);
	show_rmpp(&call.rmpp);
	show_portid("portid", &portid);
	mad_rpc_close_port(port);
}

static ib_vendor_call_t range1(unsigned method)
{
	return (ib_vendor_call_t){ .method = method,
				   .mgmt_class = 0x0a,
				   .attrid = 0x50,
				   .mod = 0x51525354,
				   .oui = 0x00abcdef,
				   .timeout = 20 };
}

static ib_vendor_call_t range2(unsigned method)
{
	ib_vendor_call_t call = range1(method);

	call.mgmt_class = 0x32;
	return call;
}

static void vendor_methods(ib_vendor_call_t (*make)(unsigned))
{
	static const unsigned methods[] = { 1, 2, 5, 3, 6, 7, 0x12, 0x81, 0 };

	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		vendor(make(methods[i]), wire_lid(4), "reply");
}

TEST_CALL(vendor_range_1, vendor_methods(range1))
TEST_CALL(vendor_range_2, vendor_methods(range2))

TEST(vendor_portids)
{
	vendor(range1(1), full_portid(4), "reply");
	vendor(range2(1), full_portid(4), "reply");
}

TEST(vendor_route)
{
	vendor(range2(1), wire_route(2), "reply");
	vendor(range2(1), wire_lid(-1), "reply");
}

static ib_vendor_call_t rmpp_call(unsigned method)
{
	ib_vendor_call_t call = range2(method);

	call.rmpp.flags = IB_RMPP_FLAG_ACTIVE;
	call.rmpp.type = IB_RMPP_TYPE_DATA;
	call.rmpp.d1.u = 3;
	call.rmpp.d2.u = 4;
	return call;
}

TEST_CALL(vendor_rmpp,
	  vendor(rmpp_call(1), wire_lid(4), "reply at=24:01010700 at=28:00000001 at=32:00000080"))
TEST_CALL(vendor_rmpp_large, vendor(rmpp_call(1), wire_lid(4),
				    "reply len=656 at=24:01010700 at=28:00000001 at=32:00000280"))

TEST(vendor_rmpp_not_active)
{
	ib_vendor_call_t call = range2(1);

	vendor(rmpp_call(3), wire_lid(4), "none");
	call.rmpp.type = IB_RMPP_TYPE_DATA;
	vendor(call, wire_lid(4), "reply");
	call.rmpp.flags = IB_RMPP_FLAG_FIRST;
	vendor(call, wire_lid(4), "reply");
}

TEST(vendor_rmpp_range_1)
{
	ib_vendor_call_t call = rmpp_call(1);

	call.mgmt_class = 0x0a;
	vendor(call, wire_lid(4), "reply");
}

TEST(vendor_errors)
{
	vendor(range2(1), wire_lid(4), "reply status=0x0c");
	vendor(range2(1), wire_lid(4), "none");
	vendor(range2(1), wire_lid(4), "writeerr=22");
}

TEST(vendor_timed_out)
{
	vendor(range2(1), wire_lid(4), "timeout");
	vendor(range2(3), wire_lid(4), "writeerr=22");
}

TEST(vendor_without_oui)
{
	ib_vendor_call_t call = range1(1);

	call.oui = 0;
	vendor(call, wire_lid(4), "reply");
	call = range2(1);
	call.oui = 0;
	vendor(call, wire_lid(4), "reply");
}

TEST(vendor_other_classes)
{
	ib_vendor_call_t call = range1(1);

	call.mgmt_class = 4;
	vendor(call, wire_lid(4), "reply");
	call = range2(3);
	call.mgmt_class = 0x33;
	vendor(call, wire_lid(4), "reply");
}

TEST(vendor_default_port)
{
	ib_vendor_call_t call = range2(1);
	ib_portid_t portid = wire_lid(4);
	uint8_t data[300];

	fill(data, sizeof(data));
	wire_default_port();
	errno = 0;
	show_result("ib_vendor_call", ib_vendor_call(data, &portid, &call), data, sizeof(data));
}
