/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-requests.c - each row of the table of requests, blocking and asynchronous. A request that
 * fails leaves the caller's data and address as they were; an accepted asynchronous one completes
 * exactly once.
 */
#include "fabric.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "scenes.h"
#include "test.h"

/* The functions of a kind of request, or of all whose names begin so. */
static const struct functions {
	const char *kind, *blocking, *asynchronous;
} functions[] = {
	{ "smp_get", "smp_query_status_via", "mad_async_smp" },
	{ "smp_query", "smp_query_via", NULL },
	{ "smp_set_via", "smp_set_via", NULL },
	{ "smp_set", "smp_set_status_via", "mad_async_smp" },
	{ "perf_get", "pma_query_via", "mad_async_perf_get" },
	{ "perf_reset", "performance_reset_via", "mad_async_perf_reset" },
	{ "cc_get", "cc_query_status_via", "mad_async_cc" },
	{ "cc_set", "cc_config_status_via", "mad_async_cc" },
	{ "vendor", "ib_vendor_call_via", "mad_async_vendor" },
	{ "sa", "sa_rpc_call", "mad_async_sa" },
	{ "query_paths", "mad_sa_query_paths", NULL },
	{ "query_all", "mad_sa_query_all", NULL },
	{ "query", "mad_sa_query", NULL },
	{ "path", "ib_path_query_via", NULL },
	{ "node", "ib_node_query_via", NULL },
	{ "bm", "bm_call_via", NULL },
	{ "rpc_rmpp", "mad_rpc_rmpp", NULL },
	{ "rpc", "mad_rpc", "mad_async_submit" },
	{ "send", "mad_send_via", NULL },
	{ "resolve_sm", "ib_resolve_smlid_via", NULL },
	{ "resolve_self", "ib_resolve_self_via", NULL },
	{ "resolve_guid", "ib_resolve_guid_via", NULL },
	{ "resolve_gid", "ib_resolve_gid_via", NULL },
	{ "resolve_text", "ib_resolve_portid_str_via", NULL },
	{ "mc_join", "mad_sa_mc_join", NULL },
	{ "mc_leave", "mad_sa_mc_leave", NULL },
	{ "check_key", "mad_sa_check_key", NULL },
};

/* Only a blocking request of one attempt always reports exhausted memory. */
static const struct fault_rule rules[] = { MEMORY_RULES(ETIMEDOUT) };

/* A call of a row, and what an asynchronous one came to. */
struct row_run {
	struct request_call call;
	struct request_script script;
	int completions;
};

/* Whether the row expects this error, or has a probe for a rejected key: if that fails, the request
 * timed out. */
static bool expects(const struct request_row *row, int error)
{
	const char *text = row->result, *value;
	char name[REQUEST_WORD] = "";

	request_word(&text, name, &value);
	return error == (name[0] == 'E' ? (int)scene_number(name) : 0) ||
	       (error == ETIMEDOUT &&
		(!strncmp(row->name, "ring_silence", strlen("ring_silence")) ||
		 !strncmp(row->name, "check_key", strlen("check_key"))));
}

static void begin(struct fault_run *run, struct row_run *row, bool asynchronous)
{
	mad_rpc_set_retries(PORT, 1);
	mad_rpc_set_timeout(PORT, REQUEST_TIMEOUT_MS);
	row->script = (struct request_script){ run->test->context, &row->call, asynchronous };
	row->completions = 0;
	request_call_read(&row->call, row->script.row->call, PORT);
	fabric_follow(&row->script);
}

static void check(struct fault_run *run, const struct row_run *row)
{
	const struct request_call *call = &row->call;
	bool in_place = call->kind->flags & REQUEST_IN_PLACE && !row->script.asynchronous;

	run->saved_errno = call->error;
	fault_minus_one(run, call->failed && !expects(row->script.row, call->error) ? -1 : 0);
	if (call->failed && !in_place)
		FAULT_EXPECT(run, !memcmp(call->data, call->given, sizeof(call->data)));
	if (call->failed)
		FAULT_EXPECT(run, !memcmp(&call->found, &call->found_before, sizeof(call->found)));
	memcpy(run->output, call->data, sizeof(call->data));
	memcpy(run->output + sizeof(call->data), &call->found, sizeof(call->found));
	fabric_follow(NULL);
	fabric_drop_all(PORT);
}

static void make(struct fault_run *run)
{
	static struct row_run row;

	begin(run, &row, false);
	fault_begin(run);
	request_call_make(&row.call, PORT);
	fault_end(run);
	check(run, &row);
}

static void complete(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct row_run *row = context;
	size_t size = row->call.size;

	(void)async;
	row->completions++;
	row->call.failed = result->error;
	row->call.error = result->error;
	if (!result->error)
		memcpy(row->call.data, result->data,
		       result->data_size < size ? result->data_size : size);
}

static void submit(struct fault_run *run)
{
	static struct row_run row;
	struct mad_async_options options = { 0 };
	struct mad_async *async;
	int64_t id;

	begin(run, &row, true);
	options.timeout_ms = (int)row.call.timeout_ms;
	async = mad_async_create(PORT, &options);
	fault_begin(run);
	id = request_submit(&row.call, async, complete, &row);
	row.call.failed = id < 0;
	row.call.error = id < 0 ? errno : 0;
	while (id > 0 && !row.completions && mad_async_dispatch(async, 0, -1) >= 0)
		;
	fault_end(run);
	while (id > 0 && !row.completions && mad_async_dispatch(async, 0, -1) >= 0)
		;
	mad_async_free(async);
	FAULT_EXPECT(run, row.completions == (id > 0));
	check(run, &row);
}

static void add(const struct request_row *row, const char *function,
		void (*call)(struct fault_run *run))
{
	struct fault_case *added = calloc(1, sizeof(*added));

	*added = (struct fault_case){ .function = function,
				      .how = row->name,
				      .scene = &fabric_port,
				      .call = call,
				      .context = row,
				      .rules = rules,
				      .rule_count = call == submit || row->step_count > 1
							    ? COUNT(rules)
							    : 0 };
	fault_add(added);
}

static void __attribute__((constructor)) add_rows(void)
{
	static struct request_call call;

	for (const struct request_row *row = request_table_read(REQUESTS_TABLE); row;
	     row = row->next) {
		const struct functions *of = functions;

		request_call_read(&call, row->call, NULL);
		if (request_misses(&call, "port") || call.class_count < COUNT(call.classes) ||
		    call.kind->flags & REQUEST_REGISTERS) /* changes the port for all others */
			continue;
		while (strncmp(call.kind->name, of->kind, strlen(of->kind)) != 0)
			of++;
		add(row, of->blocking, make);
		if (of->asynchronous && request_is_asynchronous(&call))
			add(row, of->asynchronous, submit);
	}
}
