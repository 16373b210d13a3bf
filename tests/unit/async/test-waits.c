/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Waits beside MADs without end. What is sent and received is in requests.tbl.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>

/* Unsolicited MADs that are always there to be read extend no wait. */
THREAD_TEST(flood)
{
	struct mad_async *async = create_async(*state, 16, 100, 1), *patient;
	struct outcome outcomes[16] = { { .calls = 0 } };
	uint8_t packet[RESPONDER_PACKET] = { [RESPONDER_HEADER] = 1, 0x04, 1, 1 };

	responder_plan(never_respond, NULL);
	packet[RESPONDER_HEADER + 15] = 0x77;
	responder_flood(0, packet, sizeof(packet));
	for (int i = 0; i < 16; i++)
		submit_get(async, 1 + i, i, &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < 16; i++)
		assert_outcome(&outcomes[i], ETIMEDOUT);
	mad_rpc_set_retries(*state, 1);
	assert_false(query_node(*state, 2, 100));
	assert_int_equal(errno, ETIMEDOUT);
	patient = create_async(*state, 16, PATIENCE_MS, 1);
	submit_get(patient, 1, 1, NULL);
	assert_int_equal(mad_async_dispatch(patient, 0, 0), 0);
	assert_int_equal(mad_async_dispatch(patient, 0, 20), 0);
	mad_async_free(patient);
	responder_flood(0, NULL, 0);
	mad_async_free(async);
}
