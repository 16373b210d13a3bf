/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* completion.c - see completion.h. */
#include "completion.h"

#include <errno.h>
#include <string.h>

#include <infiniband/mad_sa.h>

#include "tests/lib/test-list.h"

bool request_has_table(const struct request_call *call)
{
	return !strcmp(call->kind->name, "query") && !call->only_blocking;
}

static void read_table(struct request_call *call, const struct mad_async_result *result)
{
	struct mad_sa_table *table;

	errno = 0;
	table = mad_sa_table_from(result);
	call->error = table ? 0 : errno;
	request_read_table(call, table, call->data);
	call->received = call->size;
	mad_sa_table_free(table);
}

static void complete(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct request_completion *completion = context;
	struct request_call *call = completion->call;
	uint8_t mad[REQUEST_LONGEST];

	(void)async;
	completion->calls++;
	test_assert_equal(result->id, completion->id);
	call->error = result->error;
	call->rstatus = (int)result->status;
	call->to = *result->from;
	call->tries = result->attempts;
	if (request_has_table(call)) {
		read_table(call, result);
		return;
	}
	if (result->error)
		return;
	test_assert_equal(result->mad_size, request_last_mad(completion->script, true, mad));
	call->received = result->data_size;
	memset(call->data, 0, call->size); /* as the blocking form does, where the response ends */
	memcpy(call->data, result->data, call->received < call->size ? call->received : call->size);
}

void request_begin(struct request_completion *completion, struct mad_async *async)
{
	struct request_call *call = completion->call, before = *call;

	errno = 0;
	completion->id = request_submit(call, request_misses(call, "port") ? NULL : async, complete,
					completion);
	if (completion->id < 0) {
		call->error = errno;
		completion->calls++;
		return;
	}
	test_assert(!memcmp(&call->to, &before.to, sizeof(before.to)));
	test_assert(!memcmp(call->data, before.data, sizeof(before.data)));
	memset(&call->to, 0xff, sizeof(call->to));
	memset(&call->rpc, 0xff, sizeof(call->rpc));
}
