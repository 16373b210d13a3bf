/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What ibdebug prints of requests and servers (libibmad/rpc/debug.c), word for word. */
#include "test.h"
#include "fakeumad.h"
#include "listen.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

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

static int refuse(const struct fakeumad_request *request, void *context)
{
	(void)request, (void)context;
	return ENODEV;
}

static int respond_at_once(const struct fakeumad_request *request, void *context)
{
	fakeumad_reply(request, context);
	return 0;
}

FAKEUMAD_TEST(requests_with_debugging)
{
	struct fakeumad_reply good = { 0 }, bad = { .status = 0x1c };
	ib_portid_t to = { .lid = 5, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	uint8_t data[64] = { 0 };

	ibdebug = 1;
	fakeumad_respond_with(respond_at_once, &good);
	listen(smp_query_via(data, &to, 0x11, 7, 20, *state));
	assert_debugged("ibdebug: [#] mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			"Success, #.# ms\n");
	listen(smp_query_via(data, &to, 0xff17, 0, 20, *state));
	assert_debugged("ibdebug: [#] mad_rpc: Subn Get GeneralInfo, modifier 0x0, TID 0x#, to Lid "
			"5: Success, #.# ms\n");
	listen(smp_query_via(data, &to, 0xff20, 0, 20, *state));
	assert_debugged("ibdebug: [#] mad_rpc: Subn Get AdaptiveRoutingInfo, modifier 0x0, TID "
			"0x#, to Lid 5: Success, #.# ms\n");
	listen(smp_query_via(data, &to, 0xff90, 0, 20, *state));
	assert_debugged("ibdebug: [#] mad_rpc: Subn Get ExtendedPortInfo, modifier 0x0, TID 0x#, "
			"to Lid 5: Success, #.# ms\n");
	listen(smp_query_via(data, &to, 0xff00, 0, 20, *state));
	assert_debugged("ibdebug: [#] mad_rpc: Subn Get attribute 0xff00, modifier 0x0, TID 0x#, "
			"to Lid 5: Success, #.# ms\n");
	ibdebug = 2;
	listen(smp_query_via(data, &to, 0x11, 7, 20, *state));
	assert_debugged("ibdebug: [#] mad_rpc: Subn Get NodeInfo, modifier 0x7, to Lid 5 begins: "
			"QP 0, 64 bytes at 64, up to 3 attempts of 20 ms\n"
			"ibdebug: [#] mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			"Success, 256 bytes, #.# ms\n");
	ibdebug = 1;
	fakeumad_respond_with(respond_at_once, &bad);
	listen(smp_query_via(data, &to, 0x11, 7, 20, *state));
	assert_debugged("ibwarn: [#] mad_rpc: MAD completed with error status 0x1c; dport (Lid 5)\n"
			"ibdebug: [#] mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			"status 0x1c Invalid attribute/modifier field, #.# ms\n");
	fakeumad_respond_with(refuse, NULL);
	listen(smp_query_via(data, &to, 0x11, 7, 20, *state));
	assert_debugged("ibwarn: [#] _do_madrpc: send failed; No such device\n"
			"ibwarn: [#] mad_rpc: _do_madrpc failed; dport (Lid 5)\n"
			"ibdebug: [#] mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			"No such device, #.# ms\n");
	ibdebug = 0;
}

FAKEUMAD_TEST(servers_with_debugging)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS, .method = 3, .attr = { 0x12, 0 } };
	uint8_t packet[FAKEUMAD_PACKET];
	ib_portid_t to = { .lid = 5, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	void *umad = NULL;

	ibdebug = 1;
	fakeumad_respond_with(NULL, NULL);
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
			"0x0, TID 0x1234, from LID 6 QP 1\n");
	listen(mad_respond_via(umad, NULL, 0x1c, *state));
	assert_debugged(
		"ibdebug: [#] mad_respond_via: sent Perf GetResp PortCounters, modifier 0x0, TID "
		"0x1234, to LID 6 QP 1, status 0x1c Invalid attribute/modifier field\n");
	ibdebug = 2;
	rpc.trid = 0x77;
	listen(mad_send_via(&rpc, &to, NULL, NULL, *state));
	assert_debugged("ibdebug: [#] mad_send_via: sent Perf Send PortCounters, modifier 0x0, TID "
			"0x77, to LID 5 QP 1, 256 bytes\n");
	fakeumad_respond_with(refuse, NULL);
	listen(mad_send_via(&rpc, &to, NULL, NULL, *state));
	assert_debugged("ibdebug: [#] mad_send_via: sent Perf Send PortCounters, modifier 0x0, TID "
			"0x77, to LID 5 QP 1, 256 bytes: No such device\n"
			"ibwarn: [#] mad_send_via: send failed; No such device\n");
	ibdebug = 0;
	mad_free(umad);
}
