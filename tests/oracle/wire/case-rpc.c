/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: mad_rpc() and madrpc() with attempts, timeouts, and what belongs to no one request. */
#include "wire.h"

static ib_rpc_t perf_rpc(void)
{
	ib_rpc_t rpc = { 0 };

	rpc.mgtclass = IB_PERFORMANCE_CLASS;
	rpc.method = IB_MAD_METHOD_GET;
	rpc.attr.id = 0x12;
	rpc.attr.mod = 0x01020304;
	rpc.dataoffs = 64;
	rpc.datasz = 192;
	rpc.timeout = 20;
	return rpc;
}

static ib_portid_t gsi_lid(int lid)
{
	ib_portid_t portid = wire_lid(lid);

	portid.qp = 1;
	portid.qkey = IB_DEFAULT_QP1_QKEY;
	portid.sl = 3;
	portid.pkey_idx = 2;
	return portid;
}

static void call(const char *rules, ib_rpc_t rpc, ib_portid_t dport, int retries, void *payload)
{
	uint8_t got[256];
	struct ibmad_port *port = wire_port();

	memset(got, WIRE_UNTOUCHED, sizeof(got));
	mad_rpc_set_retries(port, retries);
	fakekernel_rules(rules);
	show_result("mad_rpc", mad_rpc(port, &rpc, &dport, payload, got), got, sizeof(got));
	show_rpc(&rpc);
	show_portid("dport", &dport);
	mad_rpc_close_port(port);
}

static void run(const char *rules, ib_rpc_t rpc, ib_portid_t dport, int retries)
{
	uint8_t payload[256];

	for (int i = 0; i < 256; i++)
		payload[i] = (uint8_t)(255 - i);
	call(rules, rpc, dport, retries, payload);
}

static void run_tries(const char *rules, int retries)
{
	call(rules, perf_rpc(), gsi_lid(4), retries, NULL);
}

/* With a timeout that no machine is too slow for. */
static void run_slowly(const char *rules)
{
	ib_rpc_t rpc = perf_rpc();

	rpc.timeout = 10000;
	run(rules, rpc, gsi_lid(4), 0);
}

TEST_CALL(rpc_retries_0, run_tries("none", 0))
TEST_CALL(rpc_retries_1, run_tries("none", 1))
TEST_CALL(rpc_retries_2, run_tries("none", 2))
TEST_CALL(rpc_retries_5, run_tries("none", 5))
TEST_CALL(rpc_retries_1_timed_out, run_tries("timeout", 1))
TEST_CALL(rpc_retries_5_timed_out, run_tries("timeout", 5))

TEST(rpc_response_at_second_try)
{
	run_tries("none;reply", 0);
}

TEST(rpc_timed_out_mad_then_response)
{
	run_tries("timeout;reply", 0);
}

TEST_CALL(rpc_timed_out_mads, run_tries("timeout", 0))
TEST_CALL(rpc_wrong_tid_then_right, run_slowly("reply tid=1 + reply delay=5"))

TEST(rpc_timeout_0)
{
	ib_rpc_t rpc = perf_rpc();

	rpc.timeout = 0;
	run("reply", rpc, gsi_lid(4), 0);
}

TEST(rpc_default_port)
{
	ib_rpc_t rpc = perf_rpc();
	ib_portid_t dport = gsi_lid(4);
	uint8_t got[256];

	memset(got, WIRE_UNTOUCHED, sizeof(got));
	wire_default_port();
	show_result("madrpc", madrpc(&rpc, &dport, NULL, got), got, sizeof(got));
	show_rpc(&rpc);
	show_success("madrpc without rcvdata", madrpc(&rpc, &dport, NULL, NULL) != NULL);
}

TEST(rpc_timeouts_and_retries)
{
	struct ibmad_port *port = wire_port();

	show_int("mad_get_timeout", mad_get_timeout(port, 0));
	show_int("mad_get_timeout 5", mad_get_timeout(port, 5));
	show_int("mad_get_retries", mad_get_retries(port));
	mad_rpc_set_timeout(port, 77);
	mad_rpc_set_retries(port, 7);
	show_int("mad_get_timeout", mad_get_timeout(port, 0));
	show_int("mad_get_timeout -1", mad_get_timeout(port, -1));
	show_int("mad_get_retries", mad_get_retries(port));
	mad_rpc_set_timeout(port, 0);
	mad_rpc_set_retries(port, 0);
	show_int("madrpc_set_retries 0", madrpc_set_retries(0));
	show_int("madrpc_set_retries -3", madrpc_set_retries(-3));
	show_int("madrpc_set_retries 9", madrpc_set_retries(9));
	show_int("madrpc_set_timeout 55", madrpc_set_timeout(55));
	show_int("mad_get_timeout", mad_get_timeout(port, 0));
	show_int("mad_get_retries", mad_get_retries(port));
	show_int("madrpc_set_timeout 0", madrpc_set_timeout(0));
	show_int("mad_get_timeout", mad_get_timeout(port, 0));
	show_int("madrpc_set_timeout -4", madrpc_set_timeout(-4));
	show_int("mad_get_timeout", mad_get_timeout(port, 0));
	mad_rpc_set_timeout(port, -2);
	mad_rpc_set_retries(port, -2);
	show_int("mad_get_timeout", mad_get_timeout(port, 0));
	show_int("mad_get_retries", mad_get_retries(port));
}

TEST(rpc_port_timeout_counts)
{
	ib_rpc_t rpc = perf_rpc();
	ib_portid_t dport = gsi_lid(4);
	uint8_t got[256];
	struct ibmad_port *port = wire_port();

	rpc.timeout = 0;
	mad_rpc_set_timeout(port, 15);
	mad_rpc_set_retries(port, 1);
	fakekernel_rules("none");
	memset(got, WIRE_UNTOUCHED, sizeof(got));
	show_result("mad_rpc", mad_rpc(port, &rpc, &dport, NULL, got), got, sizeof(got));
	show_rpc(&rpc);
}

TEST_CALL(rpc_reply_of_other_class, run_slowly("reply class=5 + reply delay=5"))

TEST(rpc_save_mad)
{
	ib_rpc_t rpc = perf_rpc();
	ib_portid_t dport = gsi_lid(4);
	uint8_t saved[256], got[256];
	struct ibmad_port *port = wire_port();

	memset(saved, WIRE_UNTOUCHED, sizeof(saved));
	madrpc_save_mad(saved, 100);
	mad_rpc(port, &rpc, &dport, NULL, got);
	memset(saved + 8, 0, 8);
	show_bytes("saved", saved, sizeof(saved));
	memset(saved, WIRE_UNTOUCHED, sizeof(saved));
	rpc.trid = 0;
	mad_rpc(port, &rpc, &dport, NULL, got);
	show_bytes("saved by the second", saved, sizeof(saved));
	madrpc_save_mad(NULL, 10);
	rpc.trid = 0;
	mad_rpc(port, &rpc, &dport, NULL, got);
}
