/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: mad_rpc() and madrpc() with plain requests, attempts, timeouts, redirects. */
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
	errno = 0;
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

static void plain(void)
{
	run("reply", perf_rpc(), gsi_lid(4), 0);
}

static void with_trid(void)
{
	ib_rpc_t rpc = perf_rpc();

	rpc.trid = 0x1122334455667788;
	run("reply", rpc, gsi_lid(4), 0);
	printf("trid as given\n");
}

static void grh(void)
{
	ib_portid_t dport = gsi_lid(4);

	dport.grh_present = 1;
	memset(dport.gid, 0xab, 16);
	run("reply", perf_rpc(), dport, 0);
}

static void set_method(void)
{
	ib_rpc_t rpc = perf_rpc();

	rpc.method = IB_MAD_METHOD_SET;
	run("reply", rpc, gsi_lid(4), 0);
}

static void small_data(void)
{
	ib_rpc_t rpc = perf_rpc();

	rpc.dataoffs = 100;
	rpc.datasz = 10;
	run("reply", rpc, gsi_lid(4), 0);
}

static void request_ends_where_data_ends(void)
{
	ib_rpc_t rpc = perf_rpc();

	rpc.datasz = 0;
	run("reply", rpc, gsi_lid(4), 0);
}

static void retries_0(void)
{
	run_tries("none", 0);
}

static void retries_1(void)
{
	run_tries("none", 1);
}

static void retries_2(void)
{
	run_tries("none", 2);
}

static void retries_5(void)
{
	run_tries("none", 5);
}

static void retries_1_timed_out(void)
{
	run_tries("timeout", 1);
}

static void retries_5_timed_out(void)
{
	run_tries("timeout", 5);
}

static void answered_at_second_try(void)
{
	run_tries("none;reply", 0);
}

static void timed_out_mad_then_answer(void)
{
	run_tries("timeout;reply", 0);
}

static void timed_out_mads(void)
{
	run_tries("timeout", 0);
}

static void wrong_tid_then_right(void)
{
	run_slowly("reply tid=1 + reply delay=5");
}

static void timeout_of_rpc_0(void)
{
	ib_rpc_t rpc = perf_rpc();

	rpc.timeout = 0;
	run("reply", rpc, gsi_lid(4), 0);
}

static void redirect(void)
{
	/* ClassPortInfo: RedirectSL 5 at 24, LID 9 at 28, P_Key 0xffff, QP 7 at 32, Q_Key at 36 */
	run("reply status=2 zero at=88:00500000 at=92:0009ffff at=96:00000007 "
	    "at=100:12345678;reply",
	    perf_rpc(), gsi_lid(4), 0);
}

static void redirect_without_lid(void)
{
	run("reply status=2 zero at=72:fe800000000000000002c90300000001 at=88:00500000 "
	    "at=92:0000ffff at=96:00000007 at=100:12345678;"
	    "reply zero at=82:0022 at=100:05;reply zero at=84:1122334455667788;"
	    "reply zero at=96:0033 at=109:04;reply",
	    perf_rpc(), gsi_lid(4), 0);
}

static void redirect_with_other_status(void)
{
	run("reply status=0x1e zero at=92:0009ffff;reply", perf_rpc(), gsi_lid(4), 0);
}

static void redirect_of_smp(void)
{
	ib_rpc_t rpc = perf_rpc();

	rpc.mgtclass = IB_SMI_CLASS;
	rpc.datasz = 64;
	run("reply status=2 zero at=88:00500000 at=92:0009ffff at=96:00000007;reply", rpc,
	    wire_lid(4), 0);
}

static void default_port(void)
{
	ib_rpc_t rpc = perf_rpc();
	ib_portid_t dport = gsi_lid(4);
	uint8_t got[256];

	memset(got, WIRE_UNTOUCHED, sizeof(got));
	wire_default_port();
	errno = 0;
	show_result("madrpc", madrpc(&rpc, &dport, NULL, got), got, sizeof(got));
	show_rpc(&rpc);
	errno = 0;
	show_success("madrpc without rcvdata", madrpc(&rpc, &dport, NULL, NULL) != NULL);
}

static void timeouts_and_retries(void)
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

static void port_timeout_counts(void)
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
	errno = 0;
	show_result("mad_rpc", mad_rpc(port, &rpc, &dport, NULL, got), got, sizeof(got));
	show_rpc(&rpc);
}

static void reply_of_other_class(void)
{
	run_slowly("reply class=5 + reply delay=5");
}

static void class_not_registered(void)
{
	ib_rpc_t rpc = perf_rpc();

	rpc.mgtclass = IB_DEVICE_MGMT_CLASS;
	run("reply", rpc, gsi_lid(4), 0);
}

static void path_of_64_hops(void)
{
	ib_rpc_t rpc = perf_rpc();

	rpc.mgtclass = IB_SMI_DIRECT_CLASS;
	rpc.datasz = 64;
	run("reply", rpc, wire_route(64), 0);
}

static void save_mad(void)
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

const struct wire_case rpc_cases[] = {
	{ "rpc-plain", plain },
	{ "rpc-with-trid", with_trid },
	{ "rpc-grh", grh },
	{ "rpc-set", set_method },
	{ "rpc-small-data", small_data },
	{ "rpc-no-data", request_ends_where_data_ends },
	{ "rpc-retries-0", retries_0 },
	{ "rpc-retries-1", retries_1 },
	{ "rpc-retries-2", retries_2 },
	{ "rpc-retries-5", retries_5 },
	{ "rpc-retries-1-timed-out", retries_1_timed_out },
	{ "rpc-retries-5-timed-out", retries_5_timed_out },
	{ "rpc-answered-at-second-try", answered_at_second_try },
	{ "rpc-timed-out-mad-then-answer", timed_out_mad_then_answer },
	{ "rpc-timed-out-mads", timed_out_mads },
	{ "rpc-wrong-tid-then-right", wrong_tid_then_right },
	{ "rpc-timeout-0", timeout_of_rpc_0 },
	{ "rpc-redirect", redirect },
	{ "rpc-redirect-without-lid", redirect_without_lid },
	{ "rpc-redirect-with-other-status", redirect_with_other_status },
	{ "rpc-redirect-of-smp", redirect_of_smp },
	{ "rpc-default-port", default_port },
	{ "rpc-timeouts-and-retries", timeouts_and_retries },
	{ "rpc-port-timeout-counts", port_timeout_counts },
	{ "rpc-reply-of-other-class", reply_of_other_class },
	{ "rpc-class-not-registered", class_not_registered },
	{ "rpc-path-of-64-hops", path_of_64_hops },
	{ "rpc-save-mad", save_mad },
	{ 0 },
};
