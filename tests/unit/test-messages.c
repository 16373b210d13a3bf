/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The lines that libibmad prints on standard error, word for word, and when: users of tools know
 * them, and scripts search for them. tests/oracle/wire compares all that calls print; here are
 * retries, errors that a program wants to see, and debugging.
 */
#include "test.h"
#include "fakeumad.h"
#include "listen.h"

#include "tests/lib/async-request.h"
#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define WARNED	 "ibwarn: [#] "
#define DEBUGGED "ibdebug: [#] "
#define GAVE_UP	 WARNED "mad_rpc: _do_madrpc failed; dport (Lid 5)\n"

static uint8_t data[512];

/* The lines are those of the pattern, where # stands for any number. */
static void assert_said(const char *pattern)
{
	const char *at = said, *end = pattern;
	size_t length;

	for (; *end; end++) {
		length = *end == '#' ? strspn(at, "0123456789abcdef") : *at == *end;
		if (!length)
			fail_msg("\"%s\" is not \"%s\"", said, pattern);
		at += length;
	}
	assert_string_equal(at, "");
}

#define assert_says(call, pattern)    \
	do {                          \
		listen(call);         \
		assert_said(pattern); \
	} while (0)

static ib_portid_t by_lid(void)
{
	return (ib_portid_t){ .lid = 5, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
}

static int refuse(const struct fakeumad_request *request, void *context)
{
	(void)request, (void)context;
	return ENODEV;
}

/* Refuses all but the first. */
static int refuse_again(const struct fakeumad_request *request, void *context)
{
	int *writes = context;

	(void)request;
	return (*writes)++ ? ENODEV : 0;
}

static int respond_with(const struct fakeumad_request *request, void *context)
{
	fakeumad_reply(request, context);
	return 0;
}

static int end(void **state)
{
	madrpc_show_errors(0);
	ibdebug = 0;
	return fakeumad_teardown(state);
}

#define CASE(name) TEST_WITH(name, fakeumad_setup, end)

CASE(directed_request_without_a_path)
{
	ib_rpc_t rpc = { .mgtclass = IB_SMI_DIRECT_CLASS };

	assert_says(mad_encode(data, &rpc, NULL, NULL),
		    WARNED "mad_encode: encoding dr mad without drpath (null)\n");
}

CASE(send_that_fails)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS, .method = IB_MAD_METHOD_TRAP };
	ib_portid_t to = by_lid();

	fakeumad_respond_with(refuse, NULL);
	assert_says(mad_send_via(&rpc, &to, NULL, NULL, *state), "");
	madrpc_show_errors(1);
	assert_says(mad_send_via(&rpc, &to, NULL, NULL, *state),
		    WARNED "mad_send_via: send failed; No such device\n");
}

CASE(requests_that_fail)
{
	struct fakeumad_reply timed_out = FAKEUMAD_TIMED_OUT;
	ib_portid_t to = by_lid();
	int writes = 0;

	fakeumad_respond_with(refuse_again, &writes);
	assert_says(smp_query_via(data, &to, 0x11, 0, 20, *state),
		    WARNED "_do_madrpc: send failed; No such device\n" GAVE_UP);
	mad_rpc_set_retries(*state, 1);
	fakeumad_respond_with(respond_with, &timed_out);
	assert_says(smp_query_via(data, &to, 0x11, 0, 20, *state), GAVE_UP);
	madrpc_show_errors(1);
	assert_says(smp_query_via(data, &to, 0x11, 0, 20, *state),
		    WARNED "_do_madrpc: timeout after 1 retries, # ms\n" GAVE_UP);
	mad_rpc_set_retries(*state,
			    3); /* each attempt returns at once, and the line has that time */
	listen(smp_query_via(data, &to, 0x11, 0, 600000, *state));
	assert_null(strstr(said, "800000 ms"));
	assert_non_null(strstr(said, "timeout after 3 retries, "));
	fakeumad_respond_with(NULL, NULL);
	assert_says(smp_query_via(data, &to, 0x11, 0, 5, *state),
		    WARNED "_do_madrpc: retry 1 (timeout 5 ms)\n" WARNED
			   "_do_madrpc: retry 2 (timeout 5 ms)\n" WARNED
			   "_do_madrpc: recv failed: Connection timed out\n" GAVE_UP);
}

/* A bad status is printed where errors are to be shown; a status of an earlier call is not. */
CASE(statuses)
{
	struct fakeumad_reply bad = { .status = 0x1c }, broken = { .error = ENODEV };
	ib_rpc_t rpc = { .mgtclass = 4, .method = 1, .timeout = 20, .rstatus = 0x5555 };
	ib_portid_t to = by_lid();

	fakeumad_respond_with(respond_with, &bad);
	assert_says(pma_query_via(data, &to, 1, 20, 0x12, *state), "");
	madrpc_show_errors(1);
	assert_says(pma_query_via(data, &to, 1, 20, 0x12, *state),
		    WARNED "mad_rpc: MAD completed with error status 0x1c; dport (Lid 5)\n");
	fakeumad_respond_with(respond_with, &broken);
	assert_says(mad_rpc(*state, &rpc, &to, NULL, data),
		    WARNED "_do_madrpc: recv failed: No such device\n" GAVE_UP);
}

/* An accessor of the wrong width prints a line only for debugging. */
CASE(fields_of_more_bits)
{
	assert_says(mad_get_field(data, 0, IB_NODE_GUID_F), "");
	ibdebug = 1;
	assert_says(mad_get_field(data, 0, IB_NODE_TYPE_F), "");
	assert_says(mad_get_field(data, 0, IB_NODE_GUID_F),
		    DEBUGGED "mad_get_field: field: Guid has 64 bits, for mad_get_field64()\n");
	assert_says(mad_get_field(data, 0, IB_NODE_DESC_F),
		    DEBUGGED "mad_get_field: field: NodeDesc has 512 bits, for mad_get_array()\n");
	assert_says(mad_set_field(data, 0, IB_NODE_GUID_F, 1),
		    DEBUGGED "mad_set_field: field: Guid has 64 bits, for mad_set_field64()\n");
}

/* Errors of the program are printed only where errors are to be shown. */
CASE(requests_that_can_not_be)
{
	ib_rpc_t rpc = { .mgtclass = 6, .method = IB_MAD_METHOD_GET };
	ib_portid_t to = by_lid();

	assert_says(mad_rpc(*state, &rpc, &to, NULL, data), "");
	madrpc_show_errors(1);
	assert_says(mad_rpc(*state, &rpc, &to, NULL, data),
		    WARNED "mad_rpc: class 0x6 is not registered on this port\n");
	rpc.mgtclass = IB_PERFORMANCE_CLASS;
	rpc.dataoffs = 200;
	rpc.datasz = 57;
	assert_says(mad_rpc(*state, &rpc, &to, NULL, data),
		    WARNED "mad_rpc: 57 bytes of data at 200 do not fit a MAD\n");
	assert_says(mad_encode(data, &rpc, NULL, data),
		    WARNED "mad_encode: 57 bytes of data at 200 do not fit a MAD\n");
	assert_says(mad_respond_via(NULL, &to, 0, *state),
		    WARNED "mad_respond_via: send failed; Invalid argument\n");
	assert_says(mad_register_client_via(256, 0, *state),
		    WARNED "mad_register: can't register class 0x100: error 22\n");
}

CASE(more_classes_than_there_are)
{
	static int classes[256] = { IB_SMI_CLASS };

	assert_says(mad_rpc_open_port(NULL, 0, classes, 256),
		    WARNED "mad_rpc_open_port: too many classes 256 requested\n");
}

CASE(numbers_that_no_formatter_takes)
{
	uint32_t value = 0x11;
	char text[64];

	assert_says(mad_dump_linkwidth(text, sizeof(text), &value, 4),
		    WARNED "mad_dump_linkwidth: bad width 17\n");
	assert_says(mad_dump_int(text, sizeof(text), &value, 9),
		    WARNED "mad_dump_int: bad int sz 9\n");
	assert_says(mad_dump_hex(text, sizeof(text), &value, 0),
		    WARNED "mad_dump_hex: bad int sz 0\n");
	value = 2;
	assert_says(mad_dump_linkwidth(text, sizeof(text), &value, 4), "");
}

/* Functions that cannot fail leave errno unchanged, also when nothing can be printed. */
CASE(warnings_leave_errno_unchanged)
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

/* Lines that ibdebug adds (libibmad/engine/debug.c). */

#define MODIFIER_AND_TID ", modifier 0x0, TID 0x#, to Lid 5: "

CASE(debugging_of_requests)
{
	static const struct {
		unsigned attribute;
		const char *line;
	} rows[] = {
		{ 0x11, DEBUGGED "mad_rpc: Subn Get NodeInfo" MODIFIER_AND_TID },
		{ 0xff17, DEBUGGED "mad_rpc: Subn Get GeneralInfo" MODIFIER_AND_TID },
		{ 0xff20, DEBUGGED "mad_rpc: Subn Get AdaptiveRoutingInfo" MODIFIER_AND_TID },
		{ 0xff00, DEBUGGED "mad_rpc: Subn Get attribute 0xff00" MODIFIER_AND_TID },
	};
	struct fakeumad_reply good = { 0 }, bad = { .status = 0x1c };
	ib_portid_t to = by_lid();
	char line[200];

	ibdebug = 1;
	fakeumad_respond_with(respond_with, &good);
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(line, sizeof(line), "%sSuccess, #.# ms\n", rows[i].line);
		assert_says(smp_query_via(data, &to, rows[i].attribute, 0, 20, *state), line);
	}
	ibdebug = 2;
	assert_says(smp_query_via(data, &to, 0x11, 7, 20, *state),
		    DEBUGGED "mad_rpc: Subn Get NodeInfo, modifier 0x7, to Lid 5 begins: QP 0, 64 "
			     "bytes at 64, up to 3 attempts of 20 ms\n" DEBUGGED
			     "mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			     "Success, 256 bytes, #.# ms\n");
	ibdebug = 1;
	fakeumad_respond_with(respond_with, &bad);
	assert_says(smp_query_via(data, &to, 0x11, 7, 20, *state),
		    WARNED "mad_rpc: MAD completed with error status 0x1c; dport (Lid 5)\n" DEBUGGED
			   "mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			   "status 0x1c Invalid attribute/modifier field, #.# ms\n");
	fakeumad_respond_with(refuse, NULL);
	assert_says(smp_query_via(data, &to, 0x11, 7, 20, *state),
		    WARNED "_do_madrpc: send failed; No such device\n" GAVE_UP DEBUGGED
			   "mad_rpc: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid 5: "
			   "No such device, #.# ms\n");
}

CASE(debugging_of_servers)
{
	static const char sent[] = DEBUGGED "mad_send_via: sent Perf Send PortCounters, modifier "
					    "0x0, TID 0x77, to LID 5 QP 1, 256 bytes\n";
	ib_rpc_t rpc = {
		.mgtclass = IB_PERFORMANCE_CLASS, .method = 3, .attr = { 0x12, 0 }, .trid = 0x77
	};
	uint8_t packet[FAKEUMAD_PACKET];
	ib_portid_t to = by_lid();
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
	assert_says(umad = mad_receive_via(NULL, 1000, *state),
		    DEBUGGED "mad_receive_via: received Perf Get PortCounters, modifier 0x0, TID "
			     "0x1234, from LID 6 QP 1\n");
	assert_says(mad_respond_via(umad, NULL, 0x1c, *state),
		    DEBUGGED "mad_respond_via: sent Perf GetResp PortCounters, modifier 0x0, TID "
			     "0x1234, to LID 6 QP 1, status 0x1c Invalid attribute/modifier "
			     "field\n");
	ibdebug = 2;
	assert_says(mad_send_via(&rpc, &to, NULL, NULL, *state), sent);
	fakeumad_respond_with(refuse, NULL);
	listen(mad_send_via(&rpc, &to, NULL, NULL, *state));
	assert_non_null(strstr(said, ", 256 bytes: No such device\n"));
	mad_free(umad);
}

/* Leaves the second request without a response. */
static int respond_once(const struct fakeumad_request *request, void *context)
{
	if (request->number == 1)
		fakeumad_reply(request, context);
	return 0;
}

static void ignore(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	(void)async, (void)result, (void)context;
}

static void get_asynchronously(struct mad_async *async)
{
	ib_portid_t to = by_lid();

	assert_true(mad_async_smp(async, ASYNC_TO(&to, ignore, NULL), 0x11, 7, NULL) > 0);
	while (mad_async_pending(async))
		mad_async_dispatch(async, 0, -1);
}

/* A completed request has one line. */
CASE(debugging_of_asynchronous_requests)
{
	const struct mad_async_options options = { .timeout_ms = 20, .attempts = 1 };
	struct mad_async *async = mad_async_create(*state, &options);
	struct fakeumad_reply refusal = { .status = 0x1c };
	static const char *const outcomes[] = { "status 0x1c Invalid attribute/modifier field",
						"Connection timed out" };
	char line[200];

	for (ibdebug = 1; ibdebug >= 0; ibdebug--) {
		fakeumad_respond_with(respond_once, &refusal);
		for (int i = 0; i < 2; i++) {
			snprintf(line, sizeof(line),
				 DEBUGGED
				 "mad_async: Subn Get NodeInfo, modifier 0x7, TID 0x#, to Lid "
				 "5: %s, attempt 1, #.# ms\n",
				 outcomes[i]);
			assert_says(get_asynchronously(async), ibdebug ? line : "");
		}
	}
	mad_async_free(async);
}
