/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Calls refuse bad arguments, and structures of other versions. What is sent and received, and
 * missing arguments of requests, are in requests.tbl, options and other requests that are refused
 * in steps.tbl.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>

PORT_TEST(bad_arguments_are_refused)
{
	struct mad_async *async = create_async(*state, 0, 0, 0);
	mad_async_callback back = ignore_outcome;
	ib_vendor_call_t send = {
		.method = IB_MAD_METHOD_SEND, .mgmt_class = 0x32, .attrid = 0x10, .oui = 0x001405
	};
	ib_portid_t to = { .lid = 4 };
	struct mad_async_result result;

	assert_null_errno(mad_async_create(NULL, NULL), EINVAL);
	assert_errno(mad_async_next(NULL, &result), EINVAL);
	assert_errno(mad_async_next(async, NULL), EINVAL);
	assert_int_equal(mad_async_next(async, &result), 0);
	assert_errno(mad_async_perf_reset(async, ASYNC_TO(&to, back, NULL), 0x12, 258, 0), EINVAL);
	assert_errno(mad_async_vendor(async, ASYNC_TO(&to, back, NULL), &send, NULL), EINVAL);
	assert_errno(mad_async_dispatch(NULL, 0, 0), EINVAL);
	assert_errno(mad_async_get_fd(NULL), EINVAL);
	assert_errno(mad_async_pending(NULL), EINVAL);
	assert_errno(mad_async_cancel_all(NULL), EINVAL);
	assert_errno(mad_async_in_window(NULL), EINVAL);
	assert_errno(mad_async_cancel(NULL, 2), EINVAL);
	assert_errno(mad_async_cancel(async, -1),
		     EINVAL); /* the result of a submission that fails */
	assert_errno(mad_async_cancel(async, 0), EINVAL);
	assert_errno(mad_async_cancel(async, -3), EINVAL);
	assert_int_equal(mad_async_cancel_all(async), 0);
	assert_int_equal(responder_writes(), 0);
	mad_async_free(async);
	mad_async_free(NULL);
}

/* Outcomes for who takes them, one after the other, each valid until the next; what nobody takes
 * goes with the object. */
PORT_TEST(outcomes_without_callbacks)
{
	struct mad_async *async = create_async(*state, 0, 100, 1);
	struct mad_async_result result;
	int values[4], taken = 0, ended = 0;
	int64_t ids[4];

	responder_plan(silence_for_9, NULL);
	for (int i = 0; i < 4; i++)
		ids[i] = (int64_t)submit_with(async, i < 3 ? 4 : 9, i, NULL, &values[i]);
	assert_int_equal(mad_async_next(async, &result), 0);
	while (mad_async_pending(async)) {
		ended += mad_async_dispatch(async, 0, 1000);
		while (ended < 4 && mad_async_next(async, &result)) {
			int i = (int)((int *)result.context - values);

			assert_true(result.id == ids[i]);
			assert_int_equal(result.error, 0);
			assert_int_equal(result.mad[23], i); /* of the attribute modifier */
			taken++;
		}
	}
	assert_int_equal(ended, 4);
	while (mad_async_next(async, &result)) {
		taken++;
		if (result.id == ids[3])
			assert_int_equal(result.error, ETIMEDOUT);
	}
	assert_int_equal(taken, 4);
	submit_with(async, 4, 0, NULL, NULL);
	assert_int_equal(mad_async_dispatch(async, 0, 1000), 1);
	submit_with(async, 4, 0, NULL, NULL);
	mad_async_free(async);
}

/* Structures of other versions of the header. */
PORT_TEST(sizes)
{
	struct {
		struct mad_async_request req;
		uint64_t more;
	} later = { .more = 0 };
	struct {
		struct mad_async_options options;
		uint64_t more;
	} options = { .more = 0 };
	struct mad_async *async = mad_async_create_sized(*state, &options.options, sizeof(options));
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = 3 };

	assert_non_null(async);
	later.req = (struct mad_async_request){ &to, note_outcome, &outcome, 0, 0, 0, 0 };
	assert_true(mad_async_smp_sized(async, &later.req, sizeof(later), 0x11, 0, NULL) > 0);
	later.more = 1;
	assert_errno(mad_async_smp_sized(async, &later.req, sizeof(later), 0x11, 0, NULL), E2BIG);
	assert_errno(mad_async_smp_sized(async, &later.req, sizeof(later.req) - 1, 0x11, 0, NULL),
		     EINVAL);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
	options.more = 1;
	assert_null_errno(mad_async_create_sized(*state, &options.options, sizeof(options)), E2BIG);
	assert_null_errno(
		mad_async_create_sized(*state, &options.options, sizeof(options.options) - 1),
		EINVAL);
}
