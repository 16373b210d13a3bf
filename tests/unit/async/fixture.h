/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Common to the tests of asynchronous requests: a port on the responder, a callback that
 * notes what became of a request, and loops that wait for all of them.
 */
#ifndef TESTS_ASYNC_FIXTURE_H
#define TESTS_ASYNC_FIXTURE_H

#include "tests/lib/async-request.h"
#include "responder.h"
#include "test.h"

#include <infiniband/mad.h>
#include <infiniband/mad_async.h>
#include <stdatomic.h>

#define PATIENCE_MS 30000 /* a test that takes so long hangs */

/* The outcome of a request: the context of note_outcome(). */
struct outcome {
	atomic_int calls;
	int order; /* 1: the first that completed since reset_order() */
	int64_t at_us;
	int64_t id;
	int error;
	unsigned status;
	unsigned tries;
	int lid;
	bool has_mad;
	bool has_data;
	size_t mad_length;
	size_t data_length;
	uint8_t data[IB_MAD_SIZE]; /* as much as fits */
};

async_callback note_outcome;

/* A blocking call for the NodeInfo of a LID: whether it succeeds. */
bool query_node(struct ibmad_port *port, int lid, int timeout_ms);

/* Does nothing: for requests that are not looked at. */
async_callback ignore_outcome;

void reset_order(void);

/* Plans of the responder: no response; LID 9 never responds and others after a ms. */
responder_plan_fn never_respond, silence_for_9;

/* Makes the response one that redirects to QP 1 of LID 9. */
void redirect_to_9(struct responder_response *response, unsigned pkey);

/*
 * cmocka's set-up and tear-down: an open port (mlx5_0) in *state. PORT_TEST() runs on the virtual
 * clock, in one thread; THREAD_TEST() in real time, where a busy machine may delay anything.
 */
int setup_port(void **state);
int setup_threads(void **state);
int teardown_port(void **state);
#define PORT_TEST(name)	  TEST_WITH(name, setup_port, teardown_port)
#define THREAD_TEST(name) TEST_WITH(name, setup_threads, teardown_port)

/* Opens a port for classes 01 81 03 04 05 21 0a 32. */
struct ibmad_port *open_port(const char *ca_name);

/* mad_async_create() that has to work, with a window (0: the default) and ms per attempt. */
struct mad_async *create_async(struct ibmad_port *port, unsigned window, int timeout_ms,
			       int attempts);

/* An SMP Get that has to be taken: NodeInfo, attribute modifier mod, from a LID. Returns its id. */
uint64_t submit_get(struct mad_async *async, int lid, unsigned mod, struct outcome *outcome);

/* A request with any callback and context. */
uint64_t submit_with(struct mad_async *async, int lid, unsigned mod, mad_async_callback callback,
		     void *context);

/* Dispatches until nothing is pending; returns the number of callbacks. */
int dispatch_all(struct mad_async *async);

/* Dispatches until at least that many callbacks have been called. */
void dispatch_at_least(struct mad_async *async, int callbacks);

/* Sends and reads what can be, calling what callbacks are due, for ms. */
void dispatch_for(struct mad_async *async, int ms);

/* Fails unless the request completed exactly once, with this errno (0: with a response). */
#define assert_outcome(outcome, expected)                            \
	do {                                                         \
		assert_int_equal(atomic_load(&(outcome)->calls), 1); \
		assert_int_equal((outcome)->error, (expected));      \
	} while (0)

/* After responder_reset(): whether time is that of the fake kernel, or real. */
void use_clock(bool of_kernel);

/* Of the test's clock: in virtual time sleep_ms() moves it. */
int64_t now_ms(void);
void sleep_ms(int ms);

/* Until every other thread of the process waits for something, and not for a processor; until one
 * of them reads the port. */
void wait_until_others_sleep(void);
void wait_for_reader(void);

/*
 * Runs a test in a process of its own, for what could hang; fails where that ends otherwise than
 * well, or not within PATIENCE_MS. Assertions there end it with a message.
 */
void run_in_child(void (*test)(void));

#endif
