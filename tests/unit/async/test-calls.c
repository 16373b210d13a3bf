/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the calls refuse: missing arguments, options, structures of other versions. What is sent and
 * received is in requests.tbl, which requests are refused in steps.tbl.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <limits.h>

static const ib_rpc_t raw = {
	.mgtclass = IB_SMI_CLASS,
	.method = IB_MAD_METHOD_GET,
	.attr = { .id = 0x20, .mod = 1 },
	.dataoffs = 64,
	.datasz = 64,
};

static const ib_sa_call_t sa_query = {
	.attrid = IB_SA_ATTR_PATHRECORD,
	.method = IB_MAD_METHOD_GET_TABLE,
};

static const ib_vendor_call_t vendor_range2 = {
	.method = IB_MAD_METHOD_SET,
	.mgmt_class = 0x32,
	.attrid = 0x10,
	.oui = 0x001405,
};

#define assert_refused(call)                     \
	do {                                     \
		errno = 0;                       \
		assert_int_equal((call), -1);    \
		assert_int_equal(errno, EINVAL); \
	} while (0)

PORT_TEST(missing_arguments_are_refused)
{
	struct mad_async *async = create_async(*state, 0, 0, 0);
	ib_portid_t to = { .lid = 4 }, path = { .drpath.cnt = 1 };
	ib_vendor_call_t call = vendor_range2;
	mad_async_callback back = ignore_outcome;

	assert_refused(mad_async_submit(NULL, ASYNC_TO(&to, back, NULL), &raw, NULL));
	assert_refused(mad_async_submit(async, ASYNC_TO(&to, back, NULL), NULL, NULL));
	assert_refused(mad_async_submit(async, ASYNC_TO(NULL, back, NULL), &raw, NULL));
	assert_refused(mad_async_submit(async, ASYNC_TO(&to, NULL, NULL), &raw, NULL));
	assert_refused(mad_async_smp(NULL, ASYNC_TO(&to, back, NULL), 0x11, 0, NULL));
	assert_refused(mad_async_smp(async, ASYNC_TO(NULL, back, NULL), 0x11, 0, NULL));
	assert_refused(mad_async_perf_get(async, ASYNC_TO(NULL, back, NULL), 0x12, 1));
	assert_refused(mad_async_perf_reset(async, ASYNC_TO(NULL, back, NULL), 0x12, 1, 0));
	assert_refused(mad_async_perf_reset(async, ASYNC_TO(&to, back, NULL), 0x12, 258, 0));
	assert_refused(mad_async_perf_get(async, ASYNC_TO(&to, back, NULL), 0x12, UINT_MAX));
	assert_refused(mad_async_smp(async, ASYNC_TO(&to, back, NULL), 0x10011, 0, NULL));
	assert_refused(mad_async_sa(async, ASYNC_TO(&path, back, NULL), &sa_query, NULL));
	assert_refused(mad_async_sa(async, ASYNC_TO(&to, back, NULL), NULL, NULL));
	assert_refused(mad_async_cc(async, ASYNC_TO(NULL, back, NULL), 0x12, 0, 0, NULL));
	call.oui = 0;
	assert_refused(mad_async_vendor(async, ASYNC_TO(&to, back, NULL), &call, NULL));
	call = vendor_range2;
	call.mgmt_class = 0x04;
	assert_refused(mad_async_vendor(async, ASYNC_TO(&to, back, NULL), &call, NULL));
	call = vendor_range2;
	call.method = IB_MAD_METHOD_SEND;
	assert_refused(mad_async_vendor(async, ASYNC_TO(&to, back, NULL), &call, NULL));
	assert_refused(mad_async_vendor(async, ASYNC_TO(&to, back, NULL), NULL, NULL));
	assert_refused(mad_async_dispatch(NULL, 0, 0));
	assert_refused(mad_async_get_fd(NULL));
	assert_refused(mad_async_pending(NULL));
	assert_refused(mad_async_cancel(NULL, MAD_ASYNC_ALL));
	assert_refused(mad_async_cancel(async, -1)); /* what a submission that fails returns */
	assert_refused(mad_async_cancel(NULL, 2));
	assert_refused(mad_async_cancel(async, 0));
	assert_refused(mad_async_cancel(async, -3));
	assert_int_equal(mad_async_cancel(async, MAD_ASYNC_ALL), 0);
	assert_int_equal(responder_writes(), 0);
	mad_async_free(async);
	mad_async_free(NULL);
}

PORT_TEST(bad_options_are_refused)
{
	const struct mad_async_options good = { 0 };
	struct mad_async_options bad[] = { good, good, good, good };

	bad[0].flags = MAD_ASYNC_THREAD << 1;
	bad[1].window = MAD_ASYNC_MAX_WINDOW + 1;
	bad[2].timeout_ms = -1;
	bad[3].attempts = -1;
	for (size_t i = 0; i < COUNT(bad); i++) {
		errno = 0;
		assert_null(mad_async_create(*state, &bad[i], sizeof(bad[i])));
		assert_int_equal(errno, EINVAL);
	}
	errno = 0;
	assert_null(mad_async_create(NULL, NULL, 0));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(mad_async_create_pair(NULL, NULL, 0));
	assert_int_equal(errno, EINVAL);
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
	struct mad_async *async = mad_async_create(*state, &options.options, sizeof(options));
	struct outcome outcome = { .calls = 0 };
	ib_portid_t to = { .lid = 3 };

	assert_non_null(async);
	later.req = (struct mad_async_request){ &to, note_outcome, &outcome, 0, 0, 0, 0 };
	assert_true(mad_async_smp(async, &later.req, sizeof(later), 0x11, 0, NULL) > 0);
	later.more = 1;
	errno = 0;
	assert_int_equal(mad_async_smp(async, &later.req, sizeof(later), 0x11, 0, NULL), -1);
	assert_int_equal(errno, E2BIG);
	errno = 0;
	assert_int_equal(mad_async_smp(async, &later.req, sizeof(later.req) - 1, 0x11, 0, NULL),
			 -1);
	assert_int_equal(errno, EINVAL);
	dispatch_all(async);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
	options.more = 1;
	errno = 0;
	assert_null(mad_async_create(*state, &options.options, sizeof(options)));
	assert_int_equal(errno, E2BIG);
	errno = 0;
	assert_null(mad_async_create(*state, &options.options, sizeof(options.options) - 1));
	assert_int_equal(errno, EINVAL);
}
