/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests and their responses: each row of tests/lib/requests, with the blocking call and with the
 * asynchronous one.
 */
#include "listen.h"
#include "test.h"

#include "completion.h"
#include "fakeumad.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void run_blocking(void **state)
{
	const struct request_row *row = *state;
	struct request_call call;
	struct request_script script = { row, &call, false };
	struct ibmad_port *port = set_up(&call, row);

	request_expect(&script);
	madrpc_show_errors((int)call.shows_errors);
	ibdebug = (int)call.debug_level;
	listen_begin();
	request_call_make(&call, port);
	listen_end();
	madrpc_show_errors(ibdebug = 0);
	request_check(&script, port);
	if (row->says)
		listen_assert(row->says);
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
	request_expect(&script);
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
