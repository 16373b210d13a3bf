/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests on a pair: SMPs go out on the SMI device (1 of the responder), all other
 * classes on the GSI device (0).
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#define SMI 1
#define GSI 0

struct pair_state {
	struct ibmad_ports_pair *pair;
	struct mad_async *async;
};

static int setup_pair(void **state)
{
	struct mad_async_options options = { .window = 4,
					     .timeout_ms = PATIENCE_MS,
					     .attempts = 2 };
	struct pair_state *pair_state = calloc(1, sizeof(*pair_state));

	assert_non_null(pair_state);
	responder_reset();
	use_clock(false);
	pair_state->pair = open_pair();
	assert_string_equal(pair_state->pair->smi.ca_name, "mlx5_1");
	assert_string_equal(pair_state->pair->gsi.ca_name, "mlx5_0");
	pair_state->async = mad_async_create_pair(pair_state->pair, &options, sizeof(options));
	assert_non_null(pair_state->async);
	*state = pair_state;
	return 0;
}

static int teardown_pair(void **state)
{
	struct pair_state *pair_state = *state;

	mad_async_free(pair_state->async);
	mad_rpc_close_port2(pair_state->pair);
	free(pair_state);
	responder_finish();
	return 0;
}

/* Number i: every class in turn. */
static int64_t submit_any(struct mad_async *async, int i, struct outcome *outcome)
{
	ib_portid_t lid = { .lid = 1 + i % 30 }, path = { .drpath = { .cnt = 1 } };
	ib_sa_call_t sa = { .attrid = 0x35, .method = 1 };
	int64_t id = 0;

	path.drpath.p[1] = 1 + i % 30;
	if (i % 4 < 2)
		id = mad_async_smp(async, ASYNC_TO(i % 4 ? &path : &lid, note_outcome, outcome),
				   0x11, i, NULL);
	else if (i % 4 == 2)
		id = mad_async_sa(async, ASYNC_TO(&lid, note_outcome, outcome), &sa, NULL);
	else
		id = mad_async_perf_get(async, ASYNC_TO(&lid, note_outcome, outcome), 0x12, 1);
	assert_true(id > 0);
	return id;
}

#define CASE(name) TEST_WITH(name, setup_pair, teardown_pair)

CASE(each_class_on_its_device)
{
	struct mad_async *async = ((struct pair_state *)*state)->async;
	struct outcome *outcomes = calloc(2000, sizeof(*outcomes));

	assert_non_null(outcomes);
	responder_plan(respond_unevenly, NULL);
	for (int i = 0; i < 2000; i++)
		submit_any(async, i, &outcomes[i]);
	/* The window counts for each of the two. */
	assert_int_equal(responder_in_flight(SMI), 4);
	assert_int_equal(responder_in_flight(GSI), 4);
	assert_int_equal(dispatch_all(async), 2000);
	for (int i = 0; i < 2000; i++)
		assert_outcome(&outcomes[i], 0);
	for (unsigned i = 1; i <= 2000; i++) {
		struct responder_record record = responder_record(i);
		bool smi = record.mgmt_class == 0x01 || record.mgmt_class == 0x81;

		assert_int_equal(record.device, smi ? SMI : GSI);
	}
	free(outcomes);
}

/* The SM_Key of SA requests is that of the port which sends them. */
CASE(key_of_the_gsi_port)
{
	static const uint8_t key[] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 };
	struct pair_state *pair_state = *state;
	ib_portid_t to = { .lid = 7 };
	ib_sa_call_t sa = { .attrid = 0x35, .method = 1 };
	struct outcome outcome = { .calls = 0 };
	uint8_t packet[RESPONDER_PACKET];

	sa_key_set(pair_state->pair->smi.port, UINT64_MAX);
	sa_key_set(pair_state->pair->gsi.port, 0x1122334455667788);
	assert_true(mad_async_sa(pair_state->async, ASYNC_TO(&to, note_outcome, &outcome), &sa,
				 NULL) > 0);
	assert_int_equal(dispatch_all(pair_state->async), 1);
	assert_outcome(&outcome, 0);
	responder_written(1, packet);
	assert_memory_equal(packet + RESPONDER_HEADER + 36, key, sizeof(key));
}

/* The descriptor signals both, and the library's thread sees to both. */
CASE(descriptor_and_thread)
{
	struct pair_state *pair_state = *state;
	struct mad_async_options options = { .timeout_ms = 50, .attempts = 2 };

	for (unsigned flags = 0; flags <= MAD_ASYNC_THREAD; flags += MAD_ASYNC_THREAD) {
		struct outcome outcomes[200] = { { .calls = 0 } };
		struct pollfd polled = { .events = POLLIN };
		struct mad_async *async;

		options.flags = flags;
		async = mad_async_create_pair(pair_state->pair, &options, sizeof(options));
		assert_non_null(async);
		polled.fd = mad_async_get_fd(async);
		assert_true(polled.fd >= 0);
		responder_plan(flags ? never_respond : respond_unevenly, NULL);
		for (int i = 0; i < (flags ? 8 : 200); i++)
			submit_any(async, i, &outcomes[i]);
		while (mad_async_pending(async)) {
			assert_int_equal(poll(&polled, 1, PATIENCE_MS), 1);
			assert_true(mad_async_dispatch(async, 0, 0) >= 0);
		}
		for (int i = 0; i < (flags ? 8 : 200); i++)
			assert_outcome(&outcomes[i], flags ? ETIMEDOUT : 0);
		mad_async_free(async);
	}
}

/* One of the two is gone: the other works on until its requests are over. */
CASE(one_device_gone)
{
	struct mad_async *async = ((struct pair_state *)*state)->async;
	struct outcome outcomes[100] = { { .calls = 0 } };
	ib_portid_t to = { .lid = 1 };
	int called = 0;

	responder_plan(respond_unevenly, NULL);
	responder_remove_device(SMI, ENODEV);
	for (int i = 0; i < 100; i++) {
		ib_sa_call_t sa = { .attrid = 0x35, .method = 1 };
		int64_t result =
			i % 2 ? mad_async_sa(async, ASYNC_TO(&to, note_outcome, &outcomes[i]), &sa,
					     NULL)
			      : mad_async_smp(async, ASYNC_TO(&to, note_outcome, &outcomes[i]),
					      0x11, i, NULL);

		if (i % 2)
			assert_true(result > 0);
		else if (result < 0)
			outcomes[i] = (struct outcome){ .calls = 1, .error = errno };
		called += result < 0; /* refused, once it is known */
	}
	while (called < 100) {
		int result = mad_async_dispatch(async, 0, 100);

		called += result > 0 ? result : 0;
	}
	for (int i = 0; i < 100; i++)
		assert_outcome(&outcomes[i], i % 2 ? 0 : ENODEV);
	assert_int_equal(mad_async_pending(async), 0);
	responder_remove_device(SMI, 0);
}

CASE(half_a_pair_is_refused)
{
	const struct ibmad_ports_pair whole = *((struct pair_state *)*state)->pair;
	struct ibmad_ports_pair halves[2] = { whole, whole };

	halves[0].gsi.port = NULL;
	halves[1].smi.port = NULL;
	for (int i = 0; i < 2; i++) {
		errno = 0;
		assert_null(mad_async_create_pair(&halves[i], NULL, 0));
		assert_int_equal(errno, EINVAL);
	}
}
