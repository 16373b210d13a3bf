/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * on-fabric.c - rows of the table of requests on any kernel that plays umad.tbl: the asynchronous
 * form of the call is made, what leaves the port is compared, and the row's responses arrive there.
 * Each is a test "requests/ROW".
 */
#include "completion.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "cases.h"
#include "common/bytes.h"
#include "common/mad_layout.h"
#include "tests/lib/test-list.h"

enum { MOST_ROWS = 1000, SA = UMAD_CLASS_SUBN_ADM, SMP = UMAD_CLASS_SUBN_DIRECTED_ROUTE };

/* Rows that name the transaction ID are skipped. */
uint64_t request_written_trid(void)
{
	return 0;
}

/* Beginnings of words that no real kernel or fabric can follow, and why. */
struct limit {
	const char *word, *why;
};
static const struct limit request_limits[] = {
	{ " gid=", "the fabric has no GRHs" },
	{ " pkey=", "the port has one P_Key" },
	{ " trid=", "the kernel makes one half of the transaction ID" },
	{ " rmpp=", "the kernel makes segments" },
	{ " 3:05", "the response to a Trap is for the kernel" },
	{ NULL, NULL },
};
static const struct limit response_limits[] = {
	{ " read=", "reads of this kernel do not fail" },
	{ " write=", "writes of this kernel do not fail" },
	{ " tid=", "the kernel drops what is no response" },
	{ " class=", "the kernel drops what is no response" },
	{ " base=", "the kernel drops what is no response" },
	{ " method=", "the kernel drops what is no response" },
	{ " 24:0103", "the kernel handles RMPP" },
	{ " 24:0104", "the kernel handles RMPP" },
	{ " length=", "a MAD has 256 bytes on the wire" },
	{ NULL, NULL },
};

static void skip_impossible(const char *text, const struct limit *limits)
{
	for (; limits->word; limits++)
		if (strstr(text, limits->word))
			test_skip(limits->why);
}

static void skip_impossible_write(const uint8_t *mad)
{
	bool begins_here =
		mad[MAD_CLASS] == SMP && mad_get_be16(mad + SMP_DR_SLID) == MAD_LID_PERMISSIVE;

	if (begins_here && !mad[SMP_HOP_COUNT])
		test_skip("the local port responds itself");
	if (begins_here && mad[SMP_INITIAL_PATH + 1] != 1)
		test_skip("the port has the number 1, by which the path does not leave");
	if (mad[MAD_CLASS] == SA && mad[MAD_METHOD] == 1 && mad[MAD_ATTR_ID + 1] == 1)
		test_skip("the kernel asks the SA for ClassPortInfo itself");
}

static void skip_impossible_row(const struct request_script *script)
{
	const struct request_row *row = script->row;
	uint8_t packet[FAKEUMAD_PACKET], *mad = packet + FAKEUMAD_HEADER;

	skip_impossible(row->call, request_limits);
	skip_impossible(row->result, request_limits);
	for (int i = 0; i < row->step_count; i++) {
		skip_impossible(row->steps[i].write, request_limits);
		skip_impossible(row->steps[i].response, response_limits);
		request_write(script, i, packet);
		skip_impossible_write(mad);
	}
}

static void check_frame(const struct request_script *script, int step,
			const struct cases_frame *frame)
{
	uint8_t packet[FAKEUMAD_PACKET], *mad = packet + FAKEUMAD_HEADER;
	const struct ib_user_mad *umad = (void *)packet;

	request_write(script, step, packet);
	test_assert_equal(frame->dlid, be16toh(umad->addr.lid));
	test_assert_equal(frame->dqpn, be32toh(umad->addr.qpn));
	for (size_t i = 0; i < FAKEUMAD_MAD; i++) {
		bool is_of_kernel = (i >= MAD_TID && i < MAD_ATTR_ID) ||
				    (i == SMP_HOP_POINTER && mad[MAD_CLASS] == SMP);

		if (frame->mad[i] != mad[i] && !is_of_kernel)
			test_fail("write %d: byte %zu of the MAD is 0x%02x, not 0x%02x", step, i,
				  frame->mad[i], mad[i]);
	}
}

static void respond(const struct request_script *script, int step, const struct cases_frame *frame)
{
	static struct request_outcome outcome;
	uint8_t packet[FAKEUMAD_PACKET], mad[FAKEUMAD_MAD];
	struct cases_frame addresses;

	request_write(script, step, packet);
	request_response(script, step, packet, &outcome);
	if (outcome.nothing || outcome.reply.umad_status)
		return;
	cases_make_response(frame, &addresses, mad);
	mad_put_be16(mad + 4, mad_get_be16(mad + 4) | outcome.reply.status);
	memcpy(mad + outcome.reply.data_offset, outcome.reply.data,
	       FAKEUMAD_MAD - outcome.reply.data_offset);
	cases_put(&addresses, mad, sizeof(mad));
}

static void run_row(void **state)
{
	const struct request_row *row = *state;
	int classes[] = { 0x01, 0x81, 0x03, 0x04, 0x05, 0x21, 0x0a, 0x32 };
	struct request_call call;
	struct request_script script = { row, &call, true };
	struct request_completion completion = { .call = &call, .script = &script };
	struct mad_async_options options = { 0 };
	struct mad_async *async;
	struct ibmad_port *port;
	struct cases_frame frame;

	request_call_read(&call, row->call, NULL);
	skip_impossible_row(&script);
	cases_begin();
	port = mad_rpc_open_port((char *)(uintptr_t)cases_device, 1, classes, 8);
	test_assert(port);
	mad_rpc_set_retries(port, 1);
	mad_rpc_set_timeout(port, REQUEST_TIMEOUT_MS);
	request_call_read(&call, row->call, port);
	options.timeout_ms = (int)call.timeout_ms;
	async = mad_async_create(port, &options);
	test_assert(async);
	request_begin(&completion, async);
	for (int step = 0; !completion.calls;) {
		if (step < row->step_count && cases_take(&frame)) {
			check_frame(&script, step, &frame);
			respond(&script, step++, &frame);
		}
		test_assert(mad_async_dispatch(async, 0, 10) >= 0);
	}
	request_check(&script, port);
	mad_async_free(async);
	mad_rpc_close_port(port);
	cases_end();
}

static void __attribute__((constructor)) add_rows(void)
{
	static struct test tests[MOST_ROWS], *next = tests;
	struct request_call call;

	for (struct request_row *row = request_table_read(REQUESTS_TABLE); row; row = row->next) {
		char *name = NULL;

		request_call_read(&call, row->call, NULL);
		if (!request_is_asynchronous(&call))
			continue;
		if (next == tests + MOST_ROWS || asprintf(&name, "requests/%s", row->name) < 0)
			table_error("too many rows", row->name);
		*next = (struct test){ .name = name,
				       .file = "~", /* behind the table of umad */
				       .line = (int)(next - tests),
				       .run = run_row,
				       .context = row };
		test_register(next++);
	}
}
