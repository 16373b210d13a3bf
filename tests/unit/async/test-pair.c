/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests on a pair: SMPs go out on the SMI device (1 of the responder), all other
 * classes on the GSI device (0). Worlds of the simulation have pairs, too.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>

#define SMI 1

static struct ibmad_ports_pair *pair;
static struct mad_async *async;

static int setup_pair(void **state)
{
	(void)state;
	responder_reset();
	use_clock(false);
	pair = open_pair();
	assert_string_equal(pair->smi.ca_name, "mlx5_1");
	assert_string_equal(pair->gsi.ca_name, "mlx5_0");
	async = mad_async_create_pair(pair, NULL, 0);
	assert_non_null(async);
	return 0;
}

static int teardown_pair(void **state)
{
	(void)state;
	mad_async_free(async);
	mad_rpc_close_port2(pair);
	responder_finish();
	return 0;
}

static int64_t submit_sa(struct outcome *outcome)
{
	const ib_sa_call_t sa = { .attrid = 0x35, .method = 1 };
	ib_portid_t to = { .lid = 7 };

	return mad_async_sa(async, ASYNC_TO(&to, note_outcome, outcome), &sa, NULL);
}

#define CASE(name) TEST_WITH(name, setup_pair, teardown_pair)

/* The SM_Key of SA requests is that of the port which sends them. */
CASE(key_of_the_gsi_port)
{
	struct outcome outcome = { .calls = 0 };
	uint8_t packet[RESPONDER_PACKET];

	sa_key_set(pair->smi.port, UINT64_MAX);
	sa_key_set(pair->gsi.port, 0x1122334455667788);
	assert_true(submit_sa(&outcome) > 0);
	assert_int_equal(dispatch_all(async), 1);
	assert_outcome(&outcome, 0);
	responder_written(1, packet);
	assert_memory_equal(packet + RESPONDER_HEADER + 36, "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
}

/* One of the two is gone: the other works on until its requests are over. */
CASE(one_device_gone)
{
	struct outcome outcomes[100] = { { .calls = 0 } };
	ib_portid_t to = { .lid = 1 };

	responder_plan(respond_unevenly, NULL);
	responder_remove_device(SMI, ENODEV);
	for (int i = 0; i < 100; i++)
		if (i % 2)
			assert_true(submit_sa(&outcomes[i]) > 0);
		else if (mad_async_smp(async, ASYNC_TO(&to, note_outcome, &outcomes[i]), 0x11, i,
				       NULL) < 0) /* refused, once it is known */
			outcomes[i] = (struct outcome){ .calls = 1, .error = errno };
	while (mad_async_pending(async))
		mad_async_dispatch(async, 0, 100);
	for (int i = 0; i < 100; i++)
		assert_outcome(&outcomes[i], i % 2 ? 0 : ENODEV);
	responder_remove_device(SMI, 0);
}

CASE(half_a_pair_is_refused)
{
	struct ibmad_ports_pair halves[2] = { *pair, *pair };

	halves[0].gsi.port = NULL;
	halves[1].smi.port = NULL;
	for (int i = 0; i < 2; i++) {
		assert_null_errno(mad_async_create_pair(&halves[i], NULL, 0), EINVAL);
	}
}
