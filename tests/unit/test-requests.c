/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests and their responses: each row of tests/lib/requests, with the blocking call and with the
 * asynchronous one.
 */
#include "listen.h"
#include "test.h"

#include "completion.h"
#include "libibmad/internal.h"
#include "fakeumad.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Has fakeumad expect the writes of a row, and deliver their outcomes. */
static void expect(const struct request_script *script)
{
	static struct request_outcome
		outcomes[REQUEST_STEPS]; /* the script refers to their bytes */
	const long reports[16 / sizeof(long)] = { 1L << IB_MAD_METHOD_REPORT };

	if (script->call->kind->flags & REQUEST_REGISTERS && script->row->step_count)
		fakeumad_expect_register(IB_SA_CLASS, 2, 1, 0, reports,
					 request_agent(script->call, IB_SA_CLASS), 0);
	for (int i = 0; i < script->row->step_count; i++) {
		struct request_outcome *outcome = &outcomes[i];
		uint8_t packet[FAKEUMAD_PACKET];

		request_write(script, i, packet);
		request_response(script, i, packet, outcome);
		if (outcome->write_error)
			fakeumad_expect_write_error(packet, sizeof(packet), outcome->write_error);
		else
			fakeumad_expect_write(packet, sizeof(packet), &outcome->reply,
					      !outcome->nothing);
	}
}

uint64_t request_written_trid(void)
{
	const uint8_t *packet = fakeumad_written(fakeumad_writes());

	return mad_get_field64((void *)(packet + FAKEUMAD_HEADER), 0, IB_MAD_TRID_F);
}

/* Opens a port with the classes of the row, and reads the call. */
static struct ibmad_port *set_up(struct request_call *call, const struct request_row *row)
{
	int classes[sizeof(call->classes)];
	struct ibmad_port *port;

	request_call_read(call, row->call, NULL);
	for (unsigned i = 0; i < call->class_count; i++)
		classes[i] = call->classes[i];
	fakeumad_reset();
	port = mad_rpc_open_port(NULL, 0, classes, (int)call->class_count);
	assert_non_null(port);
	mad_rpc_set_retries(port, 1);
	mad_rpc_set_timeout(port, REQUEST_TIMEOUT_MS); /* of calls without one */
	request_call_read(call, row->call, port);
	return port;
}

static void tear_down(struct ibmad_port *port)
{
	mad_rpc_close_port(port);
	fakeumad_finish();
}

/* Whether a call of this kind may make no request that waits for a response. */
static bool may_only_send(const char *kind)
{
	static const char *const kinds[] = { "send", "vendor", "bm", "resolve" };

	for (size_t i = 0; i < COUNT(kinds); i++)
		if (!strncmp(kind, kinds[i], strlen(kinds[i])))
			return true;
	return false;
}

/* The buffer of madrpc_save_mad() has the response to a single request, or else what was in it. No
 * later call writes to the buffer, however this one ended. */
static void check_saved(const struct request_script *script, const uint8_t saved[IB_MAD_SIZE])
{
	static const uint8_t untouched[IB_MAD_SIZE];
	const struct request_row *row = script->row;
	uint8_t mad[REQUEST_LONGEST];
	size_t length;

	if (may_only_send(script->call->kind->name) && strncmp(row->result, "data", 4) != 0)
		return;
	assert_false(atomic_load(&mad_state_reply_wanted));
	if (row->step_count != 1 ||
	    (script->call->failed && !strstr(row->steps[0].response, "status="))) {
		if (!row->step_count || script->call->error == ETIMEDOUT)
			assert_memory_equal(saved, untouched, IB_MAD_SIZE);
		return;
	}
	length = request_last_mad(script, true, mad);
	assert_memory_equal(saved + 16, mad + 16,
			    (length < IB_MAD_SIZE ? length : IB_MAD_SIZE) - 16);
}

static void run_blocking(void **state)
{
	const struct request_row *row = *state;
	struct request_call call;
	struct request_script script = { row, &call, false };
	struct ibmad_port *port = set_up(&call, row);
	uint8_t saved[IB_MAD_SIZE] = { 0 };

	expect(&script);
	madrpc_show_errors((int)call.shows_errors);
	ibdebug = (int)call.debug_level;
	madrpc_save_mad(saved, sizeof(saved));
	listen_begin();
	request_call_make(&call, port);
	listen_end();
	madrpc_show_errors(ibdebug = 0);
	request_check(&script, port);
	if (row->says)
		listen_assert(row->says);
	check_saved(&script, saved);
	madrpc_save_mad(NULL, 0);
	tear_down(port);
}

static void run_asynchronous(void **state)
{
	const struct request_row *row = *state;
	struct request_call call;
	struct request_script script = { row, &call, true };
	struct request_completion completion = { .call = &call, .script = &script };
	struct mad_async_options options = { 0 };
	struct mad_async *async;
	struct ibmad_port *port = set_up(&call, row);

	options.timeout_ms = (int)call.timeout_ms;
	async = mad_async_create(port, &options);
	assert_non_null(async);
	expect(&script);
	listen_begin();
	request_begin(&completion, async);
	while (!completion.calls && mad_async_dispatch(async, 0, -1) >= 0)
		;
	listen_end();
	assert_string_equal(said, ""); /* asynchronous requests print nothing */
	request_check(&script, port);
	mad_async_free(async);
	assert_int_equal(completion.calls, 1);
	tear_down(port);
}

static void add(const struct request_row *row, const char *form, void (*run)(void **state))
{
	static struct test tests[2000], *next = tests;
	char *name = NULL;

	if (next == tests + COUNT(tests) || asprintf(&name, "%s%s", row->name, form) < 0)
		table_error("too many rows", row->name);
	*next = (struct test){ .name = name,
			       .file = "",
			       .line = (int)(next - tests),
			       .run = run,
			       .context = (void *)row };
	test_register(next++);
}

static void __attribute__((constructor)) add_rows(void)
{
	struct request_call call;

	for (const struct request_row *row = request_table_read(REQUESTS_TABLE); row;
	     row = row->next) {
		add(row, "", run_blocking);
		request_call_read(&call, row->call, NULL);
		if (request_is_asynchronous(&call) || request_has_table(&call))
			add(row, ", asynchronous", run_asynchronous);
	}
}
