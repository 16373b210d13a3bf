/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Waiting without polling at intervals: a thread that waits does nothing until something happens.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>

#define LONG_MS	   (10 * PATIENCE_MS)
#define QUIET_MS   500
#define POLLS_MOST 8 /* of a thread in QUIET_MS: some for timers, none for looking */

/* A thread that dispatches until it is asked to stop. */
struct dispatcher {
	struct mad_async *async;
	pthread_t thread;
	atomic_bool ends;
	long switches; /* how often it gave up the processor */
};

static void *dispatch(void *context)
{
	struct dispatcher *dispatcher = context;
	struct rusage usage;

	while (!atomic_load(&dispatcher->ends))
		mad_async_dispatch(dispatcher->async, 0, -1);
	getrusage(RUSAGE_THREAD, &usage);
	dispatcher->switches = usage.ru_nvcsw;
	return NULL;
}

static void wait_for_poll(unsigned before)
{
	while (responder_polls(0) == before)
		sleep_ms(1);
}

static void *query_silent_port(void *port)
{
	assert_false(query_node(port, 3, 2 * QUIET_MS));
	return NULL;
}

/* A thread that waits for much later, after another that waits in a blocking call and reads for
 * both, where that is wanted. */
struct waiting {
	struct mad_async *async;
	struct dispatcher dispatcher;
	pthread_t blocking;
	bool is_blocking;
	uint64_t last;
};

static void begin(struct waiting *waiting, struct mad_async *async, struct ibmad_port *blocking)
{
	unsigned before = responder_polls(0);

	*waiting = (struct waiting){ .async = async, .is_blocking = blocking };
	if (blocking) {
		mad_rpc_set_retries(blocking, 1);
		assert_int_equal(
			pthread_create(&waiting->blocking, NULL, query_silent_port, blocking), 0);
		wait_for_poll(before);
	}
	waiting->last = submit_get(async, 2, 1, NULL);
	waiting->dispatcher.async = async;
	assert_int_equal(
		pthread_create(&waiting->dispatcher.thread, NULL, dispatch, &waiting->dispatcher),
		0);
	wait_for_poll(before);
}

static void end(struct waiting *waiting)
{
	atomic_store(&waiting->dispatcher.ends, true);
	mad_async_cancel(waiting->async, waiting->last);
	assert_int_equal(pthread_join(waiting->dispatcher.thread, NULL), 0);
	if (waiting->is_blocking)
		assert_int_equal(pthread_join(waiting->blocking, NULL), 0);
	mad_async_free(waiting->async);
}

/* Devices that can be polled along with what wakes the thread. */
static int setup_kernel(void **state)
{
	setup_threads(state);
	mad_rpc_close_port(*state);
	responder_act_as_kernel();
	*state = open_port("mlx5_0");
	responder_plan(never_respond, NULL);
	responder_stays_silent(); /* nothing that can be read signals a timeout */
	return 0;
}

/* The thread that dispatches, beside the library's thread or one that reads for a blocking call. */
TEST_WITH(waiting_is_quiet, setup_kernel, teardown_port)
{
	for (int i = 0; i < 3; i++) {
		struct mad_async *async =
			(i == 1 ? create_threaded : create_async)(*state, 16, LONG_MS, 1);
		struct waiting waiting;
		unsigned polls;

		begin(&waiting, async, i == 2 ? *state : NULL);
		polls = responder_polls(0);
		sleep_ms(QUIET_MS);
		polls = responder_polls(0) - polls;
		end(&waiting);
		print_message("%u polls, %ld switches\n", polls, waiting.dispatcher.switches);
		assert_between(polls, 0, POLLS_MOST);
		assert_between(waiting.dispatcher.switches, 0, 2 * POLLS_MOST);
	}
}

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
