/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-async.c - more asynchronous requests than the window has space for. An accepted request
 * completes exactly once, with a response or an error.
 */
#include "fabric.h"

#include <errno.h>

#include "tests/lib/async-request.h"

enum { REQUESTS = 5, PATIENCE = 200 /* dispatches of 100 ms */ };

static int completions[REQUESTS], error; /* of the last that failed */

static void note(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	(void)async;
	++*(int *)context;
	if (result->error)
		error = result->error;
}

static struct mad_async *submit_all(const struct fault_run *run)
{
	const struct mad_async_options options = { .window = 2 };
	struct mad_async *async = mad_async_create(PORT, &options);
	ib_portid_t to = { .lid = 7 };

	error = 0;
	for (int i = 0; i < REQUESTS; i++) {
		completions[i] = 0;
		mad_async_perf_get(async, ASYNC_TO(&to, note, &completions[i]),
				   IB_GSI_PORT_COUNTERS, 1);
	}
	return async;
}

static void check_completions(struct fault_run *run)
{
	for (int i = 0; i < REQUESTS; i++)
		FAULT_EXPECT(run, completions[i] == 1);
}

FAULT(mad_async_free, NULL, fabric_port, 0)
{
	struct mad_async *async = submit_all(run);

	FAULT_EXPECT(run, mad_async_get_fd(async) >= 0);
	fault_begin(run);
	mad_async_free(async);
	fault_cannot_fail(run);
	check_completions(run);
}

static const struct fault_rule rules[] = { MEMORY_RULES(ETIMEDOUT) };

FAULT(mad_async_dispatch, NULL, fabric_port, 0, FAULT_RULES(rules))
{
	struct mad_async *async = submit_all(run);
	int ret = 0;

	fault_begin(run);
	for (int i = 0; i < PATIENCE && mad_async_pending(async) && ret >= 0; i++)
		ret = mad_async_dispatch(async, 0, 100);
	fault_end(run);
	for (int i = 0; i < PATIENCE && mad_async_pending(async); i++)
		mad_async_dispatch(async, 0, 100);
	check_completions(run);
	if (error)
		run->saved_errno = error;
	fault_minus_one(run, error ? -1 : ret);
	mad_async_free(async);
}
