/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: what a failed request leaves in errno, rstatus and error, and what is printed. */
#include "wire.h"

struct failure {
	const char *rules;
	int tries;
	int version;
	uint32_t rstatus; /* before the call */
};

static void call(const struct failure *failure)
{
	uint8_t got[256];
	ib_portid_t dport = wire_lid(4);
	ib_rpc_v1_t rpc = { 0 };
	struct ibmad_port *port = wire_port();

	rpc.mgtclass = IB_BOARD_MGMT_CLASS | failure->version;
	rpc.method = IB_MAD_METHOD_GET;
	rpc.attr.id = 0x10;
	rpc.dataoffs = 64;
	rpc.datasz = 192;
	rpc.timeout = 20;
	rpc.rstatus = failure->rstatus;
	rpc.error = 0x5555;
	mad_rpc_set_retries(port, failure->tries);
	memset(got, WIRE_UNTOUCHED, sizeof(got));
	fakekernel_rules(failure->rules);
	show_result("mad_rpc", mad_rpc(port, (ib_rpc_t *)(void *)&rpc, &dport, NULL, got), got,
		    sizeof(got));
	show_rpc((ib_rpc_t *)(void *)&rpc);
	mad_rpc_close_port(port);
}

/* Quietly, with madrpc_show_errors(), and with ibdebug. */
static void call_thrice(const char *rules, int tries)
{
	struct failure failure = { .rules = rules, .tries = tries };

	call(&failure);
	printf("with madrpc_show_errors:\n");
	madrpc_show_errors(1);
	call(&failure);
	madrpc_show_errors(0);
	printf("with ibdebug 1:\n");
	ibdebug = 1;
	call(&failure);
	ibdebug = 0;
}

TEST_CALL(error_success, call_thrice("reply", 2))
TEST_CALL(error_bad_status, call_thrice("reply status=0x1c", 2))
TEST_CALL(error_bad_status_with_high_bit, call_thrice("reply status=0x8004", 2))
TEST_CALL(error_nothing, call_thrice("none", 1))
TEST_CALL(error_nothing_twice, call_thrice("none", 2))
TEST_CALL(error_timed_out, call_thrice("timeout", 1))
TEST_CALL(error_timed_out_twice, call_thrice("timeout", 2))
TEST_CALL(error_write_fails, call_thrice("writeerr=22", 2))

TEST(error_second_write_fails)
{
	call_thrice("timeout;writeerr=13", 3);
}

TEST_CALL(error_read_fails, call_thrice("readerr=5", 2))
TEST_CALL(error_no_such_device, call_thrice("readerr=19", 2))
TEST_CALL(error_other_umad_status, call_thrice("reply ustatus=5", 2))
TEST_CALL(error_very_short_reply, call_thrice("reply len=10", 1))

TEST(error_stale_status)
{
	static const char *const rules[] = { "reply", "reply status=0x1c", "none", "writeerr=22" };

	madrpc_show_errors(1);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		call(&(struct failure){ .rules = rules[i], .tries = 1, .rstatus = 0x5555 });
}

TEST(error_version_1)
{
	static const char *const rules[] = { "reply",	"reply status=0x1c", "none",
					     "timeout", "writeerr=22",	     "readerr=19" };

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		call(&(struct failure){
			.rules = rules[i], .tries = 1, .version = IB_MAD_RPC_VERSION1 });
}
