/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Asynchronous requests on a real port, with a responder that is slow, loses requests, or is not
 * there: each completes exactly once.
 */
#include "../lib/async-request.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "caller.h"
#include "loop.h"
#include "optional.h"
#include "responder.h"
#include "sys.h"
#include "tap.h"

enum { REQUESTS_MAX = 200, WAIT_MS = 10000, LARGE = 50000, STATUS_BUSY = 0x0001 };

/* What has become of each request, by the number that its data begin with. */
struct outcome {
	unsigned callbacks;
	int error;
	unsigned tries;
	unsigned status;
	bool echoed;
};

struct run {
	struct caller caller;
	struct mad_async *async;
	struct outcome outcomes[REQUESTS_MAX];
	int64_t ids[REQUESTS_MAX];
};

static struct run run; /* 0 at the beginning of each case, which has a process of its own */

static bool set_up(const struct mad_async_options *options)
{
	if (!caller_open(&run.caller, LOOP_DEVICE))
		return false;
	run.async = mad_async_create(run.caller.port, options, sizeof(*options));
	return check(run.async != NULL);
}

static void tear_down(void)
{
	mad_async_free(run.async);
	caller_close(&run.caller);
}

static void note_result(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct outcome *outcome = context;
	uint32_t number = outcome - run.outcomes;

	(void)async;
	outcome->callbacks++;
	outcome->error = result->error;
	outcome->tries = result->attempts;
	outcome->status = result->status;
	outcome->echoed =
		result->data && result->data_size >= 4 && loop_get32(result->data) == number;
}

static void submit(unsigned number, unsigned timeout_ms)
{
	uint8_t data[CALLER_DATA_SIZE] = { 0 };
	ib_rpc_t rpc = caller_rpc(timeout_ms);

	loop_put32(data, number);
	run.ids[number] = mad_async_submit(
		run.async, ASYNC_TO(&run.caller.portid, note_result, &run.outcomes[number]), &rpc,
		data);
	check(run.ids[number] > 0);
}

static void submit_all(unsigned count, unsigned timeout_ms)
{
	for (unsigned i = 0; i < count; i++)
		submit(i, timeout_ms);
}

static void dispatch_all(void)
{
	int64_t end = sys_now_ms() + WAIT_MS;

	while (mad_async_pending(run.async) && sys_now_ms() < end)
		mad_async_dispatch(run.async, 0, 100);
	check_equal(mad_async_pending(run.async), 0);
}

/* Each of them has completed once, with that error. */
static void check_outcomes(unsigned first, unsigned count, int error)
{
	unsigned wrong = 0;

	for (unsigned i = first; i < first + count; i++) {
		const struct outcome *outcome = &run.outcomes[i];

		wrong += outcome->callbacks != 1 || outcome->error != error ||
			 (!error && !outcome->echoed);
	}
	if (!check_equal(wrong, 0))
		tap_note("the first: %u callbacks, error %d, %u tries",
			 run.outcomes[first].callbacks, run.outcomes[first].error,
			 run.outcomes[first].tries);
}

static void check_counts(unsigned sent, unsigned received, unsigned timeouts, unsigned retries)
{
	struct mad_rpc_statistics statistics;

	require(caller_statistics(&run.caller, &statistics));
	check_equal(statistics.sent, sent);
	check_equal(statistics.received, received);
	check_equal(statistics.timeouts, timeouts);
	check_equal(statistics.retries, retries);
	check_equal(statistics.errors, 0);
}

TEST(a_slow_responder_responds_to_all)
{
	struct responder responder = { .delay_ms = 3 };

	require(responder_start(&responder) && set_up(NULL));
	submit_all(REQUESTS_MAX, 2000);
	dispatch_all();
	check_outcomes(0, REQUESTS_MAX, 0);
	check_equal(atomic_load(&responder.requests), REQUESTS_MAX);
	check_counts(REQUESTS_MAX, REQUESTS_MAX, 0, 0);
	tear_down();
	responder_stop(&responder);
}

TEST(the_descriptor_tells_completions_to_epoll)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct responder responder = { .delay_ms = 5 };
	int epoll = epoll_create1(EPOLL_CLOEXEC), fd, wakeups = 0;
	const unsigned count = 50;

	require(responder_start(&responder) && set_up(NULL));
	fd = mad_async_get_fd(run.async);
	require(fd >= 0 && epoll >= 0);
	require(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
	check_equal(epoll_wait(epoll, &event, 1, 20), 0);
	submit_all(count, 2000);
	while (mad_async_pending(run.async) && epoll_wait(epoll, &event, 1, 2000) == 1) {
		check(mad_async_dispatch(run.async, 0, 0) >= 0);
		wakeups++;
	}
	tap_note("%u requests, %d wakeups", count, wakeups);
	check(wakeups > 1);
	check_outcomes(0, count, 0);
	check_equal(epoll_wait(epoll, &event, 1, 20), 0);
	check_counts(count, count, 0, 0);
	close(epoll);
	tear_down();
	responder_stop(&responder);
}

TEST(requests_without_response_end)
{
	struct mad_async_options options = { .attempts = 3 };
	struct responder responder = { .drop = RESPONDER_DROPS_ALL };
	int64_t start = sys_now_ms(), took;

	require(responder_start(&responder) && set_up(&options));
	submit(0, 100);
	dispatch_all();
	took = sys_now_ms() - start;
	tap_note("3 tries of 100 ms: %d ms", (int)took);
	check(took >= 300 && took < 420);
	check_outcomes(0, 1, ETIMEDOUT);
	check_equal(run.outcomes[0].tries, 3);
	sys_sleep_ms(100);
	check_equal(atomic_load(&responder.requests), 3);
	check_counts(3, 0, 3, 2);
	tear_down();
	responder_stop(&responder);
}

TEST(tries_of_many_seconds)
{
	static const unsigned timeouts_ms[] = { 2500, 5000, 20000 };
	struct responder responder = { .drop = RESPONDER_DROPS_ALL };
	struct mad_async_options options = { .attempts = 3 };
	int64_t start, took;

	require(responder_start(&responder) && set_up(&options));
	for (unsigned i = 0; i < sizeof(timeouts_ms) / sizeof(timeouts_ms[0]); i++) {
		start = sys_now_ms();
		submit(i, timeouts_ms[i]);
		while (mad_async_pending(run.async))
			mad_async_dispatch(run.async, 0, -1);
		took = sys_now_ms() - start;
		tap_note("3 tries of %u ms: %d ms", timeouts_ms[i], (int)took);
		check(took >= 3 * timeouts_ms[i] && took <= 3 * timeouts_ms[i] * 9 / 8 + 100);
		check_outcomes(i, 1, ETIMEDOUT);
		check_equal(run.outcomes[i].tries, 3);
		check_equal(atomic_load(&responder.requests), 3 * (i + 1));
	}
	check_counts(9, 0, 9, 6);
	tear_down();
	responder_stop(&responder);
}

TEST(lost_requests_are_sent_again)
{
	struct mad_async_options options = { .attempts = 5 };
	struct responder responder = { .lose_every = 5 };
	const unsigned count = 100;
	unsigned lost;

	require(responder_start(&responder) && set_up(&options));
	submit_all(count, 100);
	dispatch_all();
	check_outcomes(0, count, 0);
	lost = atomic_load(&responder.lost);
	check(lost >= count / 5);
	check_equal(atomic_load(&responder.requests), count + lost);
	check_counts(count + lost, count, lost, lost);
	tear_down();
	responder_stop(&responder);
}

TEST(the_window_holds)
{
	struct mad_async_options options = { .window = 4, .attempts = 1 };
	struct responder responder = { .drop = RESPONDER_DROPS_ALL };

	require(responder_start(&responder) && set_up(&options));
	submit_all(20, 1000);
	check_equal(mad_async_dispatch(run.async, 0, 30), 0);
	check(atomic_load(&responder.requests) >= 1);
	check(atomic_load(&responder.requests) <= 4);
	check_equal(mad_async_cancel(run.async, MAD_ASYNC_ALL), 20);
	dispatch_all();
	check_outcomes(0, 20, ECANCELED);
	tear_down();
	responder_stop(&responder);
}

/* What comes for it after all is dropped, and the port goes on. */
TEST(a_cancelled_request_ends_at_once)
{
	struct responder responder = { .delay_ms = 1500 };
	int64_t start = sys_now_ms();

	require(responder_start(&responder) && set_up(NULL));
	submit_all(2, 8000);
	mad_async_dispatch(run.async, 0, 10);
	check_equal(mad_async_cancel(run.async, run.ids[0]), 1);
	check_equal(mad_async_dispatch(run.async, 0, 0), 1);
	check(sys_now_ms() - start < (int64_t)responder.delay_ms);
	check_outcomes(0, 1, ECANCELED);
	errno = 0;
	check_equal(mad_async_cancel(run.async, run.ids[0]), -1);
	check_equal(errno, ENOENT);
	dispatch_all();
	check_outcomes(1, 1, 0);
	tear_down();
	responder_stop(&responder);
}

TEST(destroying_ends_requests_that_are_out)
{
	struct responder responder = { .drop = RESPONDER_DROPS_ALL };
	unsigned fds;
	int64_t start;

	require(responder_start(&responder));
	fds = sys_count_fds();
	for (int round = 0; round < 2; round++) {
		memset(&run, 0, sizeof(run));
		require(set_up(NULL));
		if (round)
			check(mad_async_get_fd(run.async) >= 0);
		submit_all(100, 60000);
		sys_sleep_ms(20);
		start = sys_now_ms();
		tear_down();
		check(sys_now_ms() - start < 10000); /* a timeout is six times as long */
		check_outcomes(0, 100, ECANCELED);
		check_equal(sys_count_fds(), fds);
	}
	responder_stop(&responder);
}

static void *call_blocking(void *results)
{
	unsigned *good = results;

	for (unsigned i = 0; i < 50; i++)
		*good += caller_call(&run.caller, 2000, i) == 0;
	return NULL;
}

TEST(blocking_calls_work_meanwhile)
{
	struct responder responder = { .delay_ms = 1 };
	pthread_t thread;
	unsigned good = 0;

	require(responder_start(&responder) && set_up(NULL));
	check_equal(pthread_create(&thread, NULL, call_blocking, &good), 0);
	submit_all(100, 2000);
	dispatch_all();
	pthread_join(thread, NULL);
	check_equal(good, 50);
	check_outcomes(0, 100, 0);
	check_counts(150, 150, 0, 0);
	tear_down();
	responder_stop(&responder);
}

TEST(status_and_redirect_are_reported)
{
	struct responder responder = {
		.redirects = 2,
		.redirect_lid = 7,
		.status = STATUS_BUSY,
	};

	require(responder_start(&responder) && set_up(NULL));
	submit(0, 1000);
	dispatch_all();
	check_outcomes(0, 1, EIO);
	check_equal(run.outcomes[0].status, STATUS_BUSY);
	check_equal(atomic_load(&responder.requests), 3);
	tear_down();
	responder_stop(&responder);
}

static void check_long_response(struct mad_async *async, const struct mad_async_result *result,
				void *context)
{
	unsigned *responses = context;

	(void)async;
	check_equal(result->error, 0);
	check_equal(result->mad_size, LARGE);
	if (result->mad && result->mad_size == LARGE)
		*responses += loop_holds_pattern(result->mad + MAD_VENDOR_DATA,
						 LARGE - MAD_VENDOR_DATA, 5);
}

TEST(responses_of_many_MADs_come_whole)
{
	struct responder responder = { .response_size = LARGE, .response_seed = 5 };
	ib_rpc_t rpc = caller_rpc(5000);
	unsigned responses = 0;

	require(responder_start(&responder) && set_up(NULL));
	check(mad_register_client_via(LOOP_CLASS, 1, run.caller.port) >= 0);
	for (int i = 0; i < 4; i++)
		check(mad_async_submit(
			      run.async,
			      ASYNC_TO(&run.caller.portid, check_long_response, &responses), &rpc,
			      NULL) > 0);
	dispatch_all();
	check_equal(responses, 4);
	tear_down();
	responder_stop(&responder);
}
