/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What libibmad prints on standard error, word for word, and when it prints nothing: users of tools
 * know these lines, and scripts search for them. On the scripted kernel of fakeumad.
 */
#include "test.h"
#include "fakeumad.h"
#include "listen.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The line is there with our process id, whole, and alone. */
static void assert_said(const char *line)
{
	char expected[MAX_TEXT + 32]; /* what comes before the line */

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

FAKEUMAD_TEST(helpers_that_want_a_lid)
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

/* An error of the program is reported by errno alone. */
FAKEUMAD_TEST(helpers_without_an_address)
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

FAKEUMAD_TEST(addresses_of_no_kind)
{
	char text[] = "4";
	ib_portid_t to;

	listen(ib_resolve_portid_str_via(&to, text, (enum MAD_DEST)9, NULL, *state));
	assert_said("ib_resolve_portid_str_via: bad dest_type 9");
}

FAKEUMAD_TEST(routes_that_do_not_fit_a_mad)
{
	ib_portid_t to = { .drpath = { .cnt = IB_SUBNET_PATH_HOPS_MAX } };
	ib_rpc_t rpc = { .mgtclass = IB_SMI_DIRECT_CLASS };
	uint8_t mad[256];

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

FAKEUMAD_TEST(send_that_fails)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS, .method = IB_MAD_METHOD_TRAP };
	ib_portid_t to = by_lid();

	fakeumad_respond_with(refuse, NULL);
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

/* The message of a failed request has the reason, and which request it was. */
static void assert_request_said(const char *why)
{
	char lines[MAX_TEXT];

	snprintf(lines, sizeof(lines), "_do_madrpc: %s\nibwarn: [%d] %s", why, (int)getpid(),
		 "mad_rpc: _do_madrpc failed; dport (Lid 5)");
	assert_said(lines);
}

FAKEUMAD_TEST(requests_that_fail)
{
	ib_portid_t to = by_lid();
	uint8_t data[64] = { 0 };
	int writes = 0;

	fakeumad_respond_with(refuse, NULL);
	listen(smp_query_via(data, &to, 0x11, 0, 20, *state));
	assert_request_said("send failed; No such device");
	fakeumad_respond_with(refuse_again, &writes);
	listen(smp_query_via(data, &to, 0x11, 0, 20, *state));
	assert_request_said("send failed; No such device");
	mad_rpc_set_retries(*state, 1);
	fakeumad_respond_with(NULL, NULL);
	listen(smp_query_via(data, &to, 0x11, 0, 20, *state));
	assert_request_said("recv failed: Connection timed out");
	fakeumad_respond_with(give_back, NULL);
	madrpc_show_errors(1);
	listen(smp_query_via(data, &to, 0x11, 0, 20, *state));
	madrpc_show_errors(0);
	assert_request_said("timeout after 1 retries, 20 ms");
}

/* Errors of the program are printed once printing of errors is enabled. */
FAKEUMAD_TEST(requests_that_can_not_be)
{
	ib_rpc_t rpc = { .mgtclass = 6, .method = IB_MAD_METHOD_GET };
	ib_portid_t to = by_lid();
	uint8_t data[512] = { 0 };

	listen(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_silence();
	madrpc_show_errors(1);
	listen(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_said("mad_rpc: class 0x6 is not registered on this port");
	rpc.mgtclass = IB_PERFORMANCE_CLASS;
	rpc.dataoffs = 200;
	rpc.datasz = 57;
	listen(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_said("mad_rpc: 57 bytes of data at 200 do not fit a MAD");
	listen(mad_encode(data, &rpc, NULL, data));
	assert_said("mad_encode: 57 bytes of data at 200 do not fit a MAD");
	listen(mad_respond_via(NULL, &to, 0, *state));
	assert_said("mad_respond_via: send failed; Invalid argument");
	listen(mad_register_client_via(256, 0, *state));
	assert_said("mad_register: can't register class 0x100: error 22");
	madrpc_show_errors(0);
}

FAKEUMAD_TEST(retries_are_reported)
{
	ib_portid_t to = by_lid();
	uint8_t data[64] = { 0 };
	char lines[MAX_TEXT];

	mad_rpc_set_retries(*state, 3);
	fakeumad_respond_with(NULL, NULL);
	madrpc_show_errors(1);
	listen(smp_query_via(data, &to, 0x11, 0, 5, *state));
	madrpc_show_errors(0);
	snprintf(lines, sizeof(lines),
		 "_do_madrpc: retry 1 (timeout 5 ms)\nibwarn: [%d] "
		 "_do_madrpc: retry 2 (timeout 5 ms)\nibwarn: [%d] "
		 "_do_madrpc: recv failed: Connection timed out\nibwarn: [%d] "
		 "mad_rpc: _do_madrpc failed; dport (Lid 5)",
		 (int)getpid(), (int)getpid(), (int)getpid());
	assert_said(lines);
}

FAKEUMAD_TEST(ports_that_do_not_open)
{
	static int classes[256] = { IB_SMI_CLASS };
	char name[] = "none";

	listen(mad_rpc_open_port(name, 3, NULL, 0));
	assert_said("mad_rpc_open_port: can't open UMAD port (none:3)");
	listen(mad_rpc_open_port(NULL, 77, NULL, 0));
	assert_said("mad_rpc_open_port: can't open UMAD port ((null):77)");
	listen(mad_rpc_open_port(NULL, 0, classes, 256));
	assert_said("mad_rpc_open_port: too many classes 256 requested");
}

FAKEUMAD_TEST(classes_that_no_port_has)
{
	static const int wrong[] = { 256, 7, 0, -1 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		int classes[] = { wrong[i] };
		struct ibmad_port *port;
		char line[100];

		listen(port = mad_rpc_open_port(NULL, 0, classes, 1));
		assert_null(port);
		assert_int_equal(errno, EINVAL);
		snprintf(line, sizeof(line),
			 "mad_rpc_open_port: client_register for mgmt %d failed", wrong[i]);
		assert_said(line);
	}
}

FAKEUMAD_TEST(numbers_that_no_formatter_takes)
{
	uint32_t value = 0x11;
	char text[64];

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

/* Functions that cannot fail leave errno unchanged, also when nothing can be printed. */
FAKEUMAD_TEST(warnings_leave_errno_unchanged)
{
	int standard_error = dup(STDERR_FILENO), after;
	uint32_t value = 0x11;
	char text[64];

	assert_true(standard_error >= 0);
	close(STDERR_FILENO);
	errno = 77;
	mad_dump_linkwidth(text, sizeof(text), &value, 4);
	after = errno;
	assert_int_equal(dup2(standard_error, STDERR_FILENO), STDERR_FILENO);
	close(standard_error);
	assert_int_equal(after, 77);
}
