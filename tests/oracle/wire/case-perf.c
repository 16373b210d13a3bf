/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: pma_query_via() of every attribute, performance_reset_via() with masks. */
#include "wire.h"

static void query(struct ibmad_port *port, ib_portid_t dest, int portnum, unsigned id,
		  const char *rules)
{
	uint8_t data[256];
	char text[60];

	memset(data, WIRE_UNTOUCHED, sizeof(data));
	for (int i = 0; i < 200; i++)
		data[i] = (uint8_t)(i + 1);
	fakekernel_rules(rules);
	mad_rpc_set_retries(port, 1);
	snprintf(text, sizeof(text), "pma_query_via port %d id %#x", portnum, id);
	errno = 0;
	show_result(text, pma_query_via(data, &dest, portnum, 20, id, port), data, sizeof(data));
	show_portid("dest", &dest);
}

TEST(perf_query_all)
{
	static const unsigned ids[] = {
		CLASS_PORT_INFO,
		IB_GSI_PORT_SAMPLES_CONTROL,
		IB_GSI_PORT_SAMPLES_RESULT,
		IB_GSI_PORT_COUNTERS,
		IB_GSI_PORT_RCV_ERROR_DETAILS,
		IB_GSI_PORT_XMIT_DISCARD_DETAILS,
		IB_GSI_PORT_PORT_OP_RCV_COUNTERS,
		IB_GSI_PORT_PORT_FLOW_CTL_COUNTERS,
		IB_GSI_PORT_PORT_VL_OP_PACKETS,
		IB_GSI_PORT_PORT_VL_OP_DATA,
		IB_GSI_PORT_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS,
		IB_GSI_PORT_PORT_VL_XMIT_WAIT_COUNTERS,
		IB_GSI_PORT_COUNTERS_EXT,
		IB_GSI_PORT_EXT_SPEEDS_COUNTERS,
		IB_GSI_SW_PORT_VL_CONGESTION,
		IB_GSI_PORT_RCV_CON_CTRL,
		IB_GSI_PORT_SL_RCV_FECN,
		IB_GSI_PORT_SL_RCV_BECN,
		IB_GSI_PORT_XMIT_CON_CTRL,
		IB_GSI_PORT_VL_XMIT_TIME_CONG,
		IB_GSI_PORT_XMIT_DATA_SL,
		IB_GSI_PORT_RCV_DATA_SL,
	};
	struct ibmad_port *port = wire_port();

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		query(port, wire_lid(4), 2, ids[i], "reply");
	query(port, wire_lid(4), 255, IB_GSI_PORT_COUNTERS, "reply");
	query(port, wire_lid(4), 0x101, IB_GSI_PORT_COUNTERS, "reply");
}

TEST(perf_query_full_portid)
{
	ib_portid_t dest = wire_lid(4);

	dest.qp = 3;
	dest.qkey = 0x4444;
	dest.sl = 5;
	dest.pkey_idx = 2;
	dest.grh_present = 1;
	memset(dest.gid, 0xab, 16);
	query(wire_port(), dest, 1, IB_GSI_PORT_COUNTERS, "reply");
}

TEST_CALL(perf_query_lid_0, query(wire_port(), wire_route(2), 1, IB_GSI_PORT_COUNTERS, "reply"))
TEST_CALL(perf_query_negative_lid,
	  query(wire_port(), wire_lid(-1), 1, IB_GSI_PORT_COUNTERS, "reply"))
TEST_CALL(perf_query_bad_status,
	  query(wire_port(), wire_lid(4), 1, IB_GSI_PORT_COUNTERS, "reply status=0x0c"))
TEST_CALL(perf_query_nothing, query(wire_port(), wire_lid(4), 1, IB_GSI_PORT_COUNTERS, "none"))
TEST_CALL(perf_query_timed_out, query(wire_port(), wire_lid(4), 1, IB_GSI_PORT_COUNTERS, "timeout"))
TEST_CALL(perf_query_write_fails,
	  query(wire_port(), wire_lid(4), 1, IB_GSI_PORT_COUNTERS, "writeerr=22"))

TEST(perf_query_redirected)
{
	query(wire_port(), wire_lid(4), 1, IB_GSI_PORT_COUNTERS,
	      "reply status=2 zero at=88:00500000 at=92:0009ffff at=96:00000007 "
	      "at=100:12345678;reply");
}

static void reset(struct ibmad_port *port, unsigned mask, unsigned id, const char *rules)
{
	ib_portid_t dest = wire_lid(4);
	uint8_t data[256];
	char text[60];

	memset(data, WIRE_UNTOUCHED, sizeof(data));
	fakekernel_rules(rules);
	mad_rpc_set_retries(port, 1);
	snprintf(text, sizeof(text), "performance_reset_via mask %#x id %#x", mask, id);
	errno = 0;
	show_result(text, performance_reset_via(data, &dest, 3, mask, 20, id, port), data,
		    IB_PC_DATA_SZ);
	show_portid("dest", &dest);
}

TEST(perf_reset_masks)
{
	static const unsigned ids[] = { 0x12, 0x1d, 0x1f, 0x15, 0x16, 0x36, 0x37, 0x10, 0x31 };
	static const unsigned masks[] = { 0, 0xffff, 0x00010001, 0xfffff, 0x12345678, 0xffffffff };
	struct ibmad_port *port = wire_port();

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		for (size_t k = 0; k < sizeof(masks) / sizeof(masks[0]); k++)
			reset(port, masks[k], ids[i], "reply");
}

TEST_CALL(perf_reset_bad_status, reset(wire_port(), 0xffff, 0x12, "reply status=0x0c"))
TEST_CALL(perf_reset_nothing, reset(wire_port(), 0xffff, 0x12, "none"))
