/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What ibdebug prints of asynchronous requests: one line when each is over, and nothing while it is
 * 0.
 */
#include "test.h"
#include "fixture.h"
#include "listen.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void plan(const struct responder_request *request, struct responder_response *response,
		 void *context)
{
	(void)context;
	if (request->attr_mod == 2)
		response->status = IB_MAD_STS_INV_ATTR_VALUE;
	if (request->attr_mod >= 3)
		response->silent = true;
}

/* The one line about the request with this modifier: pid, TID and time stand in between. */
static void assert_line(unsigned modifier, const char *outcome)
{
	char start[100], middle[100];
	const char *line = said, *next, *found = NULL;

	snprintf(start, sizeof(start), "ibdebug: [%d] mad_async: Subn Get NodeInfo, modifier 0x%x,",
		 (int)getpid(), modifier);
	snprintf(middle, sizeof(middle), ", to Lid 7: %s, attempt ", outcome);
	for (; (next = strchr(line, '\n')); line = next + 1) {
		if (strncmp(line, start, strlen(start)) != 0)
			continue;
		assert_null(found);
		found = strstr(line, middle);
		assert_non_null(found);
		assert_true(found < next);
		assert_memory_equal(next - 3, " ms", 3);
	}
	assert_non_null(found);
}

static void run(struct ibmad_port *port, int level)
{
	struct mad_async *async = create_async(port, 8, 50, 1);
	struct outcome outcomes[4] = { { .calls = 0 } };
	int64_t id;

	responder_plan(plan, NULL);
	ibdebug = level;
	listen_begin();
	submit_get(async, 7, 1, &outcomes[0]);
	submit_get(async, 7, 2, &outcomes[1]);
	submit_get(async, 7, 3, &outcomes[2]);
	dispatch_all(async);
	id = submit_get(async, 7, 4, &outcomes[3]);
	mad_async_cancel(async, id);
	dispatch_all(async);
	listen_end();
	ibdebug = 0;
	mad_async_free(async);
}

PORT_TEST(each_request_is_a_line)
{
	const char *at;
	int lines = 0;

	run(*state, 1);
	assert_line(1, "Success");
	assert_line(2, "status 0x1c Invalid attribute/modifier field");
	assert_line(3, "Connection timed out");
	assert_line(4, "Operation canceled");
	for (at = said; (at = strchr(at, '\n')); at++)
		lines++;
	assert_int_equal(lines, 4);
}

PORT_TEST(level_0_prints_nothing)
{
	run(*state, 0);
	assert_string_equal(said, "");
}
