/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * One ib_rpc_t for one port after the other, as programs use it: mad_rpc() writes the transaction
 * ID into it, which the next request finds there. Late responses and returned requests of the last
 * port are not the next one's. In virtual time, but for the test with two threads.
 */
#include "tests/lib/async-request.h"
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#define TIMEOUT_MS 50
#define LATE_MS	   40 /* by which the kernel returns requests later than their timeout */
#define LATE_LID   5
#define BAD_LID	   4
#define CHOSEN	   0x5eed /* a transaction ID that the program has chosen */
#define LIDS	   10

static struct ibmad_port *port;
static int64_t late_us;	 /* when LATE_LID responds; 0: never */
static int64_t delay_us; /* of the responses of all others */

/* Every port responds with its LID, and the kernel refuses the address BAD_LID. */
static void tell_lid(const struct responder_request *request, struct responder_response *response,
		     void *context)
{
	static uint8_t lid;

	(void)context;
	lid = (uint8_t)request->lid;
	response->data = &lid;
	response->data_size = 1;
	response->data_offset = IB_SMP_DATA_OFFS;
	response->write_error = lid == BAD_LID ? EINVAL : 0;
	response->delay_us = delay_us;
	if (lid == LATE_LID) {
		response->silent = !late_us;
		response->delay_us = late_us;
	}
}

static void prepare(void *opened)
{
	responder_gives_back(LATE_MS);
	responder_plan(tell_lid, NULL);
	late_us = delay_us = 0;
	port = opened;
	mad_rpc_set_retries(port, 1);
}

static int setup_virtual(void **state)
{
	setup_port(state);
	prepare(*state);
	return 0;
}

static int setup_real(void **state)
{
	setup_threads(state);
	prepare(*state);
	return 0;
}

#define CASE(name) TEST_WITH(name, setup_virtual, teardown_port)

/* trid 0: the library chooses one. */
static ib_rpc_t new_rpc(uint64_t trid)
{
	ib_rpc_t rpc = { .mgtclass = IB_SMI_CLASS, .method = IB_MAD_METHOD_GET, .trid = trid };

	rpc.attr.id = IB_ATTR_NODE_INFO;
	rpc.dataoffs = IB_SMP_DATA_OFFS;
	rpc.datasz = IB_SMP_DATA_SIZE;
	rpc.timeout = TIMEOUT_MS;
	return rpc;
}

/* The LID in the response, or -errno. */
static int ask(ib_rpc_t *rpc, int lid)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t to = { .lid = lid };

	return mad_rpc(port, rpc, &to, NULL, data) ? data[0] : -errno;
}

/* The kernel still holds the first request when the second is sent; its response comes then. */
static void late_response(uint64_t trid)
{
	ib_rpc_t rpc = new_rpc(trid);

	late_us = (TIMEOUT_MS + LATE_MS / 2) * 1000;
	assert_int_equal(ask(&rpc, LATE_LID), -ETIMEDOUT);
	for (int lid = LATE_LID + 1; lid <= LIDS; lid++)
		assert_int_equal(ask(&rpc, lid), lid);
}

CASE(late_response_of_the_last_port)
{
	late_response(0);
	late_response(CHOSEN);
}

/* The kernel returns the first request while the program pauses. */
static void return_during_pause(uint64_t trid)
{
	unsigned before = responder_tried();
	ib_rpc_t rpc = new_rpc(trid);

	assert_int_equal(ask(&rpc, LATE_LID), -ETIMEDOUT);
	responder_pass(2 * LATE_MS);
	for (int lid = LATE_LID + 1; lid <= LIDS; lid++)
		assert_int_equal(ask(&rpc, lid), lid);
	assert_int_equal(responder_tried() - before, LIDS - LATE_LID + 1);
}

CASE(return_to_the_last_port)
{
	return_during_pause(0);
	return_during_pause(CHOSEN);
}

/* The returned request has the address of the next one, and another attribute or modifier. */
static void return_of_another(ib_rpc_t *rpc)
{
	ib_rpc_t other = new_rpc(CHOSEN);

	late_us = 0;
	assert_int_equal(ask(&other, LATE_LID), -ETIMEDOUT);
	responder_pass(2 * LATE_MS);
	late_us = 1000;
	assert_int_equal(ask(rpc, LATE_LID), LATE_LID);
}

CASE(return_of_another_attribute)
{
	ib_rpc_t rpc = new_rpc(CHOSEN), with_modifier = new_rpc(CHOSEN);

	rpc.attr.id = IB_ATTR_PORT_INFO;
	return_of_another(&rpc);
	with_modifier.attr.mod = 1;
	return_of_another(&with_modifier);
}

/* A bad address is refused once. */
CASE(bad_address)
{
	ib_rpc_t rpc = new_rpc(0);

	assert_int_equal(ask(&rpc, BAD_LID), -EINVAL);
	assert_int_equal(responder_tried(), 1);
	assert_int_equal(ask(&rpc, LIDS), LIDS);
	assert_int_equal(ask(&rpc, BAD_LID), -EINVAL);
	assert_int_equal(responder_tried(), 3);
}

static void submit(struct mad_async *async, const ib_rpc_t *rpc, int lid, struct outcome *outcome)
{
	ib_portid_t to = { .lid = lid };

	memset(outcome, 0, sizeof(*outcome));
	assert_true(mad_async_submit(async, ASYNC_TO(&to, note_outcome, outcome), rpc, NULL) > 0);
}

CASE(asynchronous_requests)
{
	struct mad_async *async = create_async(port, LIDS, TIMEOUT_MS, 1);
	struct outcome outcomes[LIDS];
	ib_rpc_t rpc = new_rpc(0);

	delay_us = TIMEOUT_MS / 2 * 1000;
	assert_int_equal(ask(&rpc, LIDS), LIDS);
	for (int i = 0; i < LIDS; i++)
		submit(async, &rpc, LIDS + i, &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < LIDS; i++) {
		assert_outcome(&outcomes[i], 0);
		assert_int_equal(outcomes[i].data[0], LIDS + i);
	}
	mad_async_free(async);
}

/* Two requests with one ID that the program has chosen: the second waits, or is refused. */
CASE(asynchronous_requests_with_a_chosen_id)
{
	struct mad_async *async = create_async(port, LIDS, TIMEOUT_MS, 1);
	struct outcome outcomes[LIDS];
	ib_rpc_t rpc = new_rpc(CHOSEN);
	int done = 0;

	late_us = TIMEOUT_MS / 2 * 1000;
	for (int i = 0; i < LIDS; i++)
		submit(async, &rpc, LATE_LID + i, &outcomes[i]);
	dispatch_all(async);
	for (int i = 0; i < LIDS; i++) {
		assert_int_equal(outcomes[i].calls, 1);
		if (outcomes[i].error) {
			assert_int_equal(outcomes[i].error, EINVAL);
			continue;
		}
		assert_int_equal(outcomes[i].data[0], LATE_LID + i);
		done++;
	}
	assert_between(done, 1, LIDS);
	mad_async_free(async);
}

/* A port tells the modifier that it was asked for, in another order. */
static void tell_modifier(const struct responder_request *request,
			  struct responder_response *response, void *context)
{
	static uint8_t modifier;

	(void)context;
	modifier = (uint8_t)request->attr_mod;
	response->data = &modifier;
	response->data_size = 1;
	response->data_offset = IB_SMP_DATA_OFFS;
	response->delay_us = (modifier * 3 % LIDS + 1) * 1000;
}

/* The same to one port, of a simulator, which refuses no ID: the modifiers tell them apart. */
TEST_WITH(requests_to_one_port_with_a_chosen_id, setup_port, teardown_port)
{
	struct mad_async *async = create_async(*state, LIDS, TIMEOUT_MS, 3);
	struct outcome outcomes[LIDS];
	ib_rpc_t rpc = new_rpc(CHOSEN);

	responder_stays_silent();
	responder_plan(tell_modifier, NULL);
	for (int i = 0; i < LIDS; i++) {
		rpc.attr.mod = (unsigned)i;
		submit(async, &rpc, LIDS, &outcomes[i]);
	}
	dispatch_all(async);
	for (int i = 0; i < LIDS; i++) {
		assert_outcome(&outcomes[i], 0);
		assert_int_equal(outcomes[i].data[0], i);
	}
	mad_async_free(async);
}

/* The response of the last port is read while the kernel refuses the write to the next one. */
static struct {
	ib_rpc_t rpc;
	uint8_t packet[RESPONDER_PACKET]; /* the request to LATE_LID */
} crossing;

static uint64_t count_received(void)
{
	struct mad_rpc_statistics statistics;

	mad_rpc_get_statistics(port, &statistics, sizeof(statistics));
	return statistics.received;
}

static void deliver_late_response(const struct responder_request *request, void *context)
{
	uint64_t received = count_received();

	(void)context;
	if (request->lid != BAD_LID)
		return;
	crossing.packet[RESPONDER_HEADER + 3] |= IB_MAD_RESPONSE;
	responder_deliver(0, crossing.packet, sizeof(crossing.packet));
	while (count_received() == received)
		sleep_ms(1);
}

static void *wait_for_responses(void *stop)
{
	ib_rpc_t rpc = new_rpc(0);

	while (!atomic_load((atomic_bool *)stop))
		ask(&rpc, LATE_LID);
	return NULL;
}

TEST_WITH(late_response_during_a_refused_write, setup_real, teardown_port)
{
	atomic_bool stop = false;
	pthread_t reader;

	crossing.rpc = new_rpc(CHOSEN);
	assert_int_equal(ask(&crossing.rpc, LATE_LID), -ETIMEDOUT);
	responder_written(1, crossing.packet);
	responder_before_writes(deliver_late_response, NULL);
	assert_int_equal(pthread_create(&reader, NULL, wait_for_responses, &stop), 0);
	assert_int_equal(ask(&crossing.rpc, BAD_LID), -EINVAL);
	atomic_store(&stop, true);
	pthread_join(reader, NULL);
}
