/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What callbacks may do: call everything but destroy, blocking calls on the same port included. The
 * simulation shows that no lock is held in them.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <stdio.h>

/* What a callback may do: everything but destroy. */
struct everything {
	struct ibmad_port *port;
	bool with_descriptor;
	int failures;
	int calls;
	struct outcome submitted;
	struct outcome cancelled;
	struct outcome nested;
};

#define check(everything, condition)                                           \
	do {                                                                   \
		if (!(condition)) {                                            \
			(everything)->failures++;                              \
			fprintf(stderr, "callback: not so: %s\n", #condition); \
		}                                                              \
	} while (0)

static void call_submitters(struct mad_async *async, struct everything *everything)
{
	ib_portid_t lid = { .lid = 3 }, path = { .drpath = { .cnt = 1, .p = { 0, 1 } } };
	ib_sa_call_t sa = { .attrid = 0x35, .method = 1 };
	ib_vendor_call_t vendor = { .mgmt_class = 0x0a, .method = 1, .attrid = 1 };
	ib_rpc_t rpc = { .mgtclass = 0x04, .method = 1, .dataoffs = 64, .datasz = 192 };
	mad_async_callback back = ignore_outcome;
	uint8_t data[256] = { 0 };

	check(everything, (mad_async_smp(async, ASYNC_TO(&path, back, NULL), 0x11, 0, NULL) > 0));
	check(everything, (mad_async_smp(async, ASYNC_TO(&lid, back, NULL), 0x15, 1, data) > 0));
	check(everything, (mad_async_perf_get(async, ASYNC_TO(&lid, back, NULL), 0x12, 1) > 0));
	check(everything,
	      (mad_async_perf_reset(async, ASYNC_TO(&lid, back, NULL), 0x12, 1, 0) > 0));
	check(everything, (mad_async_sa(async, ASYNC_TO(&lid, back, NULL), &sa, NULL) > 0));
	check(everything, (mad_async_cc(async, ASYNC_TO(&lid, back, NULL), 0x11, 0, 0, NULL) > 0));
	check(everything, (mad_async_cc(async, ASYNC_TO(&lid, back, NULL), 0x15, 0, 0, data) > 0));
	check(everything, (mad_async_vendor(async, ASYNC_TO(&lid, back, NULL), &vendor, NULL) > 0));
	check(everything, (mad_async_submit(async, ASYNC_TO(&lid, back, NULL), &rpc, NULL) > 0));
}

static void call_everything(struct mad_async *async, const struct mad_async_result *result,
			    void *context)
{
	struct everything *everything = context;
	ib_portid_t to = { .lid = 4 };
	uint8_t data[64] = { 0 };
	struct mad_async *other;
	int64_t id = 0;

	everything->calls++;
	check(everything, !result->error);
	check(everything, mad_async_pending(async) >= 1);
	call_submitters(async, everything);
	check(everything, (mad_async_smp(async, ASYNC_TO(&to, note_outcome, &everything->submitted),
					 0x11, 1, NULL) > 0));
	check(everything,
	      ((id = mad_async_smp(async, ASYNC_TO(&to, note_outcome, &everything->cancelled), 0x11,
				   2, NULL)) > 0));
	check(everything, mad_async_cancel(async, id) == 1);
	check(everything, smp_query_via(data, &to, 0x11, 0, PATIENCE_MS, everything->port));
	if (everything->with_descriptor)
		check(everything, mad_async_get_fd(async) >= 0);
	check(everything, mad_async_dispatch(async, 0, 0) >= 0);
	check(everything, (mad_async_smp(async, ASYNC_TO(&to, note_outcome, &everything->nested),
					 0x11, 3, NULL) > 0));
	while (!atomic_load(&everything->nested.calls))
		check(everything, mad_async_dispatch(async, 0, 100) >= 0);
	other = mad_async_create(everything->port, NULL, 0);
	check(everything, other);
	check(everything,
	      (mad_async_smp(other, ASYNC_TO(&to, ignore_outcome, NULL), 0x11, 4, NULL) > 0));
	check(everything, mad_async_dispatch(other, 0, -1) == 1);
	mad_async_free(other);
	check(everything, result->mad && result->data); /* still good */
	check(everything, result->mad[3] == 0x81 && result->data_size == 64);
}

THREAD_TEST(callbacks_may_call_everything)
{
	for (int with_descriptor = 0; with_descriptor < 2; with_descriptor++) {
		struct mad_async *async = (with_descriptor ? create_threaded : create_async)(
			*state, 4, PATIENCE_MS, 1);
		struct everything everything = { .port = *state,
						 .with_descriptor = with_descriptor };

		responder_plan(respond_unevenly, NULL);
		submit_with(async, 1, 1, call_everything, &everything);
		dispatch_all(async);
		mad_async_free(async);
		assert_int_equal(everything.calls, 1);
		assert_int_equal(everything.failures, 0);
		assert_outcome(&everything.submitted, 0);
		assert_outcome(&everything.cancelled, ECANCELED);
		assert_outcome(&everything.nested, 0);
	}
}

/* Waiting without an end in a callback, with nothing else there to wait for. */
static void dispatch_again(struct mad_async *async, const struct mad_async_result *result,
			   void *context)
{
	(void)result;
	*(int *)context = mad_async_dispatch(async, 0, -1);
}

static void dispatch_in_callback(void)
{
	void *port;

	setup_threads(&port);
	for (int with_thread = 0; with_thread < 2; with_thread++) {
		struct mad_async *async =
			(with_thread ? create_threaded : create_async)(port, 2, PATIENCE_MS, 1);
		int result = -2;

		submit_with(async, 1, 1, dispatch_again, &result);
		assert_int_equal(dispatch_all(async), 1);
		assert_int_equal(result, 0);
		mad_async_free(async);
	}
	teardown_port(&port);
}

TEST(callback_dispatches_where_nothing_is_left)
{
	run_in_child(dispatch_in_callback);
}
