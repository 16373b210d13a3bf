/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What libibmad says on standard error, word for word, and when it says nothing: tools' users know
 * these lines, and scripts look for them. On the scripted kernel of fakeumad.
 */
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define MAX_TEXT 1024

static char said[MAX_TEXT];
static int memory, standard_error;

/* Between these two, what goes to standard error is kept. */
static void listen_begin(void)
{
	fflush(stderr);
	memory = memfd_create("stderr", 0);
	standard_error = dup(STDERR_FILENO);
	assert_true(memory >= 0 && standard_error >= 0);
	dup2(memory, STDERR_FILENO);
}

static void listen_end(void)
{
	ssize_t count;

	fflush(stderr);
	dup2(standard_error, STDERR_FILENO);
	count = pread(memory, said, sizeof(said) - 1, 0);
	said[count > 0 ? count : 0] = '\0';
	close(memory);
	close(standard_error);
}

#define listen(call)            \
	do {                    \
		listen_begin(); \
		(void)(call);   \
		listen_end();   \
	} while (0)

/* The line is there with our process id, whole, and alone. */
static void assert_said(const char *line)
{
	char expected[MAX_TEXT];

	snprintf(expected, sizeof(expected), "ibwarn: [%d] %s\n", (int)getpid(), line);
	assert_string_equal(said, expected);
}

static void assert_silence(void)
{
	assert_string_equal(said, "");
}

static ib_portid_t by_lid(void)
{
	return (ib_portid_t){ .lid = 5, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
}

static void helpers_that_want_a_lid(void **state)
{
	ib_portid_t to = { .lid = 0 };
	ib_bm_call_t bm = { .method = IB_MAD_METHOD_GET, .attrid = IB_BM_ATTR_BKEYINFO };
	ib_sa_call_t sa = { .method = IB_MAD_METHOD_GET, .attrid = IB_SA_ATTR_NODERECORD };
	uint8_t data[256] = { 0 };

	listen(bm_call_via(data, &to, &bm, *state));
	assert_said("bm_call_via: only lid routes are supported");
	listen(sa_rpc_call(*state, data, &to, &sa, 0));
	assert_said("sa_rpc_call: only lid routes are supported");
	to.lid = -1;
	listen(pma_query_via(data, &to, 1, 0, IB_GSI_PORT_COUNTERS, *state));
	assert_said("pma_query_via: only lid routed is supported");
	listen(performance_reset_via(data, &to, 1, 0xf, 0, IB_GSI_PORT_COUNTERS, *state));
	assert_said("performance_reset_via: only lid routed is supported");
}

/* A mistake of the program is told by errno alone. */
static void helpers_without_an_address(void **state)
{
	ib_bm_call_t bm = { .method = IB_MAD_METHOD_GET, .attrid = IB_BM_ATTR_BKEYINFO };
	ib_portid_t to = by_lid();
	uint8_t data[256] = { 0 };

	listen(bm_call_via(data, NULL, &bm, *state));
	assert_silence();
	listen(bm_call_via(data, &to, NULL, *state));
	assert_silence();
	assert_int_equal(fakeumad_writes(), 0);
}

static void addresses_of_no_kind(void **state)
{
	char text[] = "4";
	ib_portid_t to;

	listen(ib_resolve_portid_str_via(&to, text, (enum MAD_DEST)9, NULL, *state));
	assert_said("ib_resolve_portid_str_via: bad dest_type 9");
}

static void routes_that_do_not_fit_a_mad(void **state)
{
	ib_portid_t to = { .drpath = { .cnt = IB_SUBNET_PATH_HOPS_MAX } };
	ib_rpc_t rpc = { .mgtclass = IB_SMI_DIRECT_CLASS };
	uint8_t mad[256];

	(void)state;
	listen(mad_encode(mad, &rpc, NULL, NULL));
	assert_said("mad_encode: encoding dr mad without drpath (null)");
	listen(mad_encode(mad, &rpc, &to.drpath, NULL));
	assert_said("mad_encode: dr path with hop count 64");
	to.drpath.cnt = -1;
	listen(mad_encode(mad, &rpc, &to.drpath, NULL));
	assert_said("mad_encode: dr path with hop count -1");
	to.drpath.cnt = IB_SUBNET_PATH_HOPS_MAX - 1;
	listen(mad_encode(mad, &rpc, &to.drpath, NULL));
	assert_silence();
}

static int refuse(const struct fakeumad_request *request, void *context)
{
	(void)request, (void)context;
	return ENODEV;
}

static void send_that_fails(void **state)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS, .method = IB_MAD_METHOD_TRAP };
	ib_portid_t to = by_lid();

	fakeumad_answer_with(refuse, NULL);
	listen(mad_send_via(&rpc, &to, NULL, NULL, *state));
	assert_silence(); /* until errors are to be shown */
	madrpc_show_errors(1);
	listen(mad_send_via(&rpc, &to, NULL, NULL, *state));
	madrpc_show_errors(0);
	assert_said("mad_send_via: send failed; No such device");
}

/* Refuses all but the first. */
static int refuse_again(const struct fakeumad_request *request, void *context)
{
	int *writes = context;

	(void)request;
	return (*writes)++ ? ENODEV : 0;
}

static int give_back(const struct fakeumad_request *request, void *context)
{
	const struct fakeumad_reply timed_out = FAKEUMAD_TIMED_OUT;

	(void)context;
	fakeumad_reply(request, &timed_out);
	return 0;
}

/* A request that fails says why, and which one it is. */
static void assert_request_said(const char *why)
{
	char lines[MAX_TEXT];

	snprintf(lines, sizeof(lines), "_do_madrpc: %s\nibwarn: [%d] %s", why, (int)getpid(),
		 "mad_rpc: _do_madrpc failed; dport (Lid 5)");
	assert_said(lines);
}

static void requests_that_fail(void **state)
{
	ib_portid_t to = by_lid();
	uint8_t data[64] = { 0 };
	int writes = 0;

	fakeumad_answer_with(refuse, NULL);
	listen(smp_query_via(data, &to, 0x11, 0, 20, *state));
	assert_request_said("send failed; No such device");
	fakeumad_answer_with(refuse_again, &writes);
	listen(smp_query_via(data, &to, 0x11, 0, 20, *state));
	assert_request_said("send failed; No such device");
	mad_rpc_set_retries(*state, 1);
	fakeumad_answer_with(NULL, NULL);
	listen(smp_query_via(data, &to, 0x11, 0, 20, *state));
	assert_request_said("recv failed: Connection timed out");
	fakeumad_answer_with(give_back, NULL);
	madrpc_show_errors(1);
	listen(smp_query_via(data, &to, 0x11, 0, 20, *state));
	madrpc_show_errors(0);
	assert_request_said("timeout after 1 retries, 20 ms");
}

/*
 * Debugging
 */

/* What was said is the pattern, where # stands for any number. */
static void assert_debugged(const char *pattern)
{
	const char *at = said;
	size_t length;

	for (; *pattern; pattern++) {
		length = *pattern == '#' ? strspn(at, "0123456789abcdef") : *at == *pattern;
		if (!length)
			fail_msg("'%s' is not '%s'", at, pattern);
		at += length;
	}
	assert_string_equal(at, "");
}

static int answer_at_once(const struct fakeumad_request *request, void *context)
{
	fakeumad_reply(request, context);
	return 0;
}

static void requests_with_debugging(void **state)
{
	struct fakeumad_reply good = { 0 }, bad = { .status = 0x1c };
	ib_portid_t to = by_lid();
	uint8_t data[64] = { 0 };

	ibdebug = 1;
	fakeumad_answer_with(answer_at_once, &good);
	listen(smp_query_via(data, &to, 0x11, 7, 20, *state));
	assert_debugged("ibdebug: [#] mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			"Success, #.# ms\n");
	ibdebug = 2;
	listen(smp_query_via(data, &to, 0x11, 7, 20, *state));
	assert_debugged("ibdebug: [#] mad_rpc: Subn Get NodeInfo, modifier 0x7, to Lid 5 begins: "
			"QP 0, 64 bytes at 64, up to 3 tries of 20 ms\n"
			"ibdebug: [#] mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			"Success, 256 bytes, #.# ms\n");
	ibdebug = 1;
	fakeumad_answer_with(answer_at_once, &bad);
	listen(smp_query_via(data, &to, 0x11, 7, 20, *state));
	assert_debugged("ibwarn: [#] mad_rpc: MAD completed with error status 0x1c; dport (Lid 5)\n"
			"ibdebug: [#] mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			"status 0x1c Invalid attribute/modifier field, #.# ms\n");
	fakeumad_answer_with(refuse, NULL);
	listen(smp_query_via(data, &to, 0x11, 7, 20, *state));
	assert_debugged("ibwarn: [#] _do_madrpc: send failed; No such device\n"
			"ibwarn: [#] mad_rpc: _do_madrpc failed; dport (Lid 5)\n"
			"ibdebug: [#] mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			"No such device, #.# ms\n");
	ibdebug = 0;
}

static void servers_with_debugging(void **state)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS, .method = 3, .attr = { 0x12, 0 } };
	uint8_t packet[FAKEUMAD_PACKET];
	ib_portid_t to = by_lid();
	void *umad = NULL;

	ibdebug = 1;
	fakeumad_answer_with(NULL, NULL);
	fakeumad_build(packet, &(struct fakeumad_packet){ .agent = 3,
							  .lid = 6,
							  .qpn = 1,
							  .mgmt_class = IB_PERFORMANCE_CLASS,
							  .method = 1,
							  .attr_id = 0x12,
							  .tid = 0x1234 });
	fakeumad_deliver(packet, sizeof(packet), 0);
	listen(umad = mad_receive_via(NULL, 1000, *state));
	assert_debugged("ibdebug: [#] mad_receive_via: received Perf Get PortCounters, modifier "
			"0x0, TID 0x1234, from Lid 6 QP 1\n");
	listen(mad_respond_via(umad, NULL, 0x1c, *state));
	assert_debugged(
		"ibdebug: [#] mad_respond_via: sent Perf GetResp PortCounters, modifier 0x0, TID "
		"0x1234, to Lid 6 QP 1, status 0x1c Invalid attribute/modifier field\n");
	ibdebug = 2;
	rpc.trid = 0x77;
	listen(mad_send_via(&rpc, &to, NULL, NULL, *state));
	assert_debugged("ibdebug: [#] mad_send_via: sent Perf Send PortCounters, modifier 0x0, TID "
			"0x77, to Lid 5 QP 1, 256 bytes\n");
	fakeumad_answer_with(refuse, NULL);
	listen(mad_send_via(&rpc, &to, NULL, NULL, *state));
	assert_debugged("ibdebug: [#] mad_send_via: sent Perf Send PortCounters, modifier 0x0, TID "
			"0x77, to Lid 5 QP 1, 256 bytes: No such device\n"
			"ibwarn: [#] mad_send_via: send failed; No such device\n");
	ibdebug = 0;
	mad_free(umad);
}

static void classes_that_no_port_has(void **state)
{
	int classes[] = { 256 };
	struct ibmad_port *port;

	(void)state;
	listen(port = mad_rpc_open_port(NULL, 0, classes, 1));
	assert_null(port);
	assert_int_equal(errno, EINVAL);
	assert_said("mad_rpc_open_port: client_register for mgmt 256 failed");
}

static void numbers_that_no_formatter_takes(void **state)
{
	uint32_t value = 0x11;
	char text[64];

	(void)state;
	listen(mad_dump_linkwidth(text, sizeof(text), &value, 4));
	assert_said("mad_dump_linkwidth: bad width 17");
	listen(mad_dump_int(text, sizeof(text), &value, 9));
	assert_said("mad_dump_int: bad int sz 9");
	listen(mad_dump_hex(text, sizeof(text), &value, 0));
	assert_said("mad_dump_hex: bad int sz 0");
	value = 2;
	listen(mad_dump_linkwidth(text, sizeof(text), &value, 4));
	assert_silence();
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, fakeumad_setup, fakeumad_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(helpers_that_want_a_lid),	CASE(helpers_without_an_address),
		CASE(addresses_of_no_kind),	CASE(routes_that_do_not_fit_a_mad),
		CASE(send_that_fails),		CASE(requests_that_fail),
		CASE(requests_with_debugging),	CASE(servers_with_debugging),
		CASE(classes_that_no_port_has), CASE(numbers_that_no_formatter_takes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
