/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The lines that libibmad prints on standard error, word for word, and when: users of tools know
 * them, and scripts search for them. tests/oracle/wire compares all that calls print, and rows of
 * tests/lib/requests have the lines of requests.
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

static uint8_t data[512];

#define assert_says(call, pattern)      \
	do {                            \
		listen(call);           \
		listen_assert(pattern); \
	} while (0)

static ib_portid_t by_lid(void)
{
	return (ib_portid_t){ .lid = 5, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
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

/* Each attempt returns at once, and the line has that time. */
CASE(requests_that_return_at_once)
{
	struct fakeumad_reply timed_out = FAKEUMAD_TIMED_OUT;
	ib_portid_t to = by_lid();

	madrpc_show_errors(1);
	fakeumad_respond_with(respond_with, &timed_out);
	listen(smp_query_via(data, &to, 0x11, 0, 600000, *state));
	assert_null(strstr(said, "800000 ms"));
	assert_non_null(strstr(said, "timeout after 3 retries, "));
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
CASE(calls_that_can_not_be)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS, .dataoffs = 200, .datasz = 57 };
	ib_portid_t to = by_lid();

	madrpc_show_errors(1);
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

CASE(debugging_of_servers)
{
	uint8_t packet[FAKEUMAD_PACKET];
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
