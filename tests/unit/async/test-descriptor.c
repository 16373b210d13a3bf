/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Programs with a loop of their own: when the descriptor of mad_async_get_fd() is readable, on
 * devices of the kernel (which epoll can wait for), on those of a simulator, and with the library's
 * thread; the most callbacks of a dispatch; freeing in callbacks.
 */
#include "fixture.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

static int setup_device(void **state)
{
	setup_threads(state);
	mad_rpc_close_port(*state);
	kernel_act_as_chardev();
	*state = open_port("mlx5_0");
	return 0;
}

#define DEVICE_TEST(name) TEST_WITH(name, setup_device, teardown_port)

static bool is_readable_in(int fd, int ms)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };

	return poll(&polled, 1, ms) == 1;
}

static bool is_readable(int fd)
{
	return is_readable_in(fd, 0);
}

/* A program that waits: each callback submits the next request of its chain. */
struct chain {
	int left;
	int errors;
	int lid;
};

static void submit_next(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct chain *chain = context;
	ib_portid_t to = { .lid = chain->lid };

	chain->errors += result->error != 0;
	if (--chain->left > 0)
		chain->errors += mad_async_smp(async, ASYNC_TO(&to, submit_next, chain), 0x11,
					       chain->left, NULL) < 0;
}

/* Both wait in one epoll descriptor. A dispatch without a callback is one that read, sent again, or
 * saw to timers; there are no more of these than there are packets, and a few. */
static void run_loop(struct mad_async *both[2], int length, int most_idle)
{
	struct chain chains[2][8];
	int epoll = epoll_create1(EPOLL_CLOEXEC), idle = 0, called = 0;

	for (int i = 0; i < 2; i++) {
		struct epoll_event event = { .events = EPOLLIN, .data.u32 = i };
		int fd = mad_async_get_fd(both[i]);

		assert_int_equal(mad_async_get_fd(both[i]), fd);
		assert_int_equal(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), 0);
		for (int j = 0; j < 8; j++) {
			chains[i][j] = (struct chain){ .left = length, .lid = 1 + j };
			submit_with(both[i], 1 + j, length, submit_next, &chains[i][j]);
		}
	}
	while (mad_async_pending(both[0]) || mad_async_pending(both[1])) {
		struct epoll_event event;
		int result;

		assert_int_equal(epoll_wait(epoll, &event, 1, 10000), 1);
		result = mad_async_dispatch(both[event.data.u32], 0, 0);
		assert_true(result >= 0);
		called += result;
		idle += !result;
	}
	assert_int_equal(called, 2 * 8 * length);
	assert_true(idle <= most_idle);
	for (int i = 0; i < 8; i++)
		assert_int_equal(chains[0][i].left + chains[0][i].errors + chains[1][i].left +
					 chains[1][i].errors,
				 0);
	for (int i = 0; i < 2; i++)
		assert_false(is_readable_in(mad_async_get_fd(both[i]), 120));
	close(epoll);
}

static void loop_with(struct ibmad_port *port, bool with_thread, int most_idle)
{
	struct mad_async *both[2];

	for (int i = 0; i < 2; i++)
		both[i] = (with_thread ? create_threaded : create_async)(port, 4, 20000, 0);
	responder_plan(respond_unevenly, NULL);
	run_loop(both, 200, most_idle);
	for (int i = 0; i < 2; i++)
		mad_async_free(both[i]);
}

DEVICE_TEST(loop_on_a_device)
{
	loop_with(*state, false, 2 * 3200);
}

THREAD_TEST(loop_on_a_simulator)
{
	loop_with(*state, false, INT_MAX);
}

DEVICE_TEST(loop_with_the_thread)
{
	loop_with(*state, true, 2 * 3200);
}

/* Readable when there is something to do, and not after that, in every state. */
DEVICE_TEST(readable_when_there_is_work)
{
	struct mad_async *async = create_async(*state, 4, 300, 2);
	struct outcome outcomes[3] = { { .calls = 0 } };
	ib_portid_t to = { .lid = 3 };
	int fd = mad_async_get_fd(async);
	uint8_t data[64] = { 0 };
	int64_t id;

	assert_false(is_readable_in(fd, 20));
	respond_after(20);
	submit_get(async, 1, 1, &outcomes[0]);
	assert_false(is_readable(fd));
	assert_true(is_readable_in(fd, 10000)); /* a response */
	assert_int_equal(mad_async_dispatch(async, 0, 0), 1);
	assert_false(is_readable_in(fd, 100)); /* and its timer is over */

	id = submit_get(async, 2, 1, &outcomes[1]);
	assert_int_equal(mad_async_cancel(async, id), 1);
	assert_true(is_readable(fd)); /* a callback is due */
	assert_int_equal(mad_async_dispatch(async, 0, 0), 1);
	while (is_readable_in(fd, 100)) /* the response is dropped, once it comes */
		assert_int_equal(mad_async_dispatch(async, 0, 0), 0);

	submit_get(async, 2, 1, &outcomes[2]); /* a blocking call reads its response */
	assert_non_null(smp_query_via(data, &to, 0x11, 0, 5000, *state));
	for (int i = 0; !outcomes[2].calls && i < 10; i++) {
		assert_true(is_readable_in(fd, 10000));
		assert_true(mad_async_dispatch(async, 0, 0) >= 0);
	}
	for (int i = 0; i < 3; i++)
		assert_outcome(&outcomes[i], i == 1 ? ECANCELED : 0);
	assert_false(is_readable_in(fd, 100));
	mad_async_free(async);
}

/* Timers alone: the request is sent again, and given up. A few dispatches do it. */
DEVICE_TEST(readable_for_timers)
{
	struct mad_async *async = create_async(*state, 4, 60, 3);
	struct outcome outcome = { .calls = 0 };
	int fd = mad_async_get_fd(async), dispatches = 0;

	responder_plan(never_respond, NULL);
	submit_get(async, 1, 1, &outcome);
	for (; !outcome.calls; dispatches++) {
		assert_true(is_readable_in(fd, 10000));
		mad_async_dispatch(async, 0, 0);
	}
	assert_outcome(&outcome, ETIMEDOUT);
	assert_int_equal(outcome.tries, 3);
	assert_true(dispatches <= 16);
	mad_async_free(async);
}

/* The descriptor is asked for when requests are in flight, queued and completed. */
DEVICE_TEST(asked_for_late)
{
	struct mad_async *async = create_async(*state, 4, 20000, 0);
	int fd;

	respond_after(30);
	for (int i = 0; i < 10; i++)
		submit_get(async, 1 + i, i, NULL);
	mad_async_cancel(async, MAD_ASYNC_ALL);
	for (int i = 0; i < 9; i++)
		submit_get(async, 1 + i, i, NULL);
	fd = mad_async_get_fd(async);
	assert_true(is_readable(fd));
	assert_int_equal(mad_async_dispatch(async, 4, 0), 4);
	assert_true(is_readable(fd)); /* six are left */
	assert_int_equal(mad_async_dispatch(async, 0, 0), 6);
	while (mad_async_pending(async)) {
		assert_true(is_readable_in(fd, 10000));
		mad_async_dispatch(async, 1, 0);
	}
	mad_async_free(async);
}

/* The port is gone: requests end, and the descriptor says nothing any more. */
DEVICE_TEST(after_a_removal)
{
	struct mad_async *async = create_async(*state, 4, 20000, 0);
	struct outcome outcomes[9] = { { .calls = 0 } };
	int fd = mad_async_get_fd(async), called = 0;

	responder_plan(never_respond, NULL);
	for (int i = 0; i < 9; i++)
		submit_get(async, 1 + i, i, &outcomes[i]);
	responder_remove_device(0, ENODEV);
	while (called < 9) {
		int result;

		assert_true(is_readable_in(fd, 10000));
		result = mad_async_dispatch(async, 2, 0);
		called += result > 0 ? result : 0;
	}
	assert_false(is_readable_in(fd, 50));
	assert_int_equal(mad_async_dispatch(async, 0, 0), -1);
	for (int i = 0; i < 9; i++)
		assert_int_not_equal(outcomes[i].error, 0);
	mad_async_free(async);
	responder_remove_device(0, 0);
}

/* A child and its parent have descriptors of their own with one number. */
DEVICE_TEST(child)
{
	struct mad_async *async = create_async(*state, 4, 20000, 0);
	struct outcome outcome = { .calls = 0 };
	int fd = mad_async_get_fd(async), status;
	pid_t child;

	respond_after(10);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		alarm(20);
		submit_get(async, 2, 1, &outcome);
		while (!outcome.calls && is_readable_in(fd, 10000))
			mad_async_dispatch(async, 0, 0);
		_exit(outcome.calls == 1 && !outcome.error && !is_readable_in(fd, 50) ? 0 : 1);
	}
	assert_false(is_readable_in(fd, 100)); /* whatever the child does */
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	submit_get(async, 2, 1, &outcome);
	while (!outcome.calls && is_readable_in(fd, 10000))
		mad_async_dispatch(async, 0, 0);
	assert_outcome(&outcome, 0);
	mad_async_free(async);
}

/* The library's thread has all signals blocked, and the caller those that it had. */
THREAD_TEST(signals)
{
	struct mad_async *async;
	sigset_t before, after;

	sigemptyset(&before);
	sigaddset(&before, SIGUSR1);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
	async = create_threaded(*state, 4, 20000, 0);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
	for (int number = 1; number < SIGRTMIN; number++)
		assert_int_equal(sigismember(&after, number), number == SIGUSR1);
	mad_async_free(async);
	sigemptyset(&after);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, &after, NULL), 0);
}

/* mad_async_free() in callbacks: of the only thread, nested, and of several at once. */
static void free_it(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	atomic_int *calls = context;

	(void)result;
	atomic_fetch_add(calls, 1);
	mad_async_free(async);
	errno = 0;
	assert_int_equal(mad_async_dispatch(async, 0, -1), -1);
	assert_int_equal(errno, ECANCELED);
	mad_async_free(async);
	errno = 0;
	assert_int_equal(
		mad_async_smp(async, ASYNC_TO(result->from, free_it, context), 0x11, 0, NULL), -1);
	assert_int_equal(errno, ECANCELED);
}

THREAD_TEST(freed_in_a_callback)
{
	for (int with_thread = 0; with_thread < 2; with_thread++) {
		struct mad_async *async =
			(with_thread ? create_threaded : create_async)(*state, 2, 20000, 0);
		struct outcome outcomes[20] = { { .calls = 0 } };
		atomic_int calls = 0;

		responder_plan(silence_for_9, NULL);
		for (int i = 0; i < 20; i++)
			submit_get(async, 9, i, &outcomes[i]);
		submit_with(async, 1, 1, free_it, &calls);
		submit_with(async, 1, 2, free_it, &calls);
		errno = 0;
		assert_int_equal(mad_async_dispatch(async, 1, -1), -1);
		assert_int_equal(errno, ECANCELED);
		assert_int_equal(calls, 2);
		for (int i = 0; i < 20; i++)
			assert_outcome(&outcomes[i], ECANCELED);
	}
}

/* A callback of mad_async_free() may free, too. */
THREAD_TEST(freed_while_being_freed)
{
	struct mad_async *async = create_async(*state, 2, 20000, 0);
	atomic_int calls = 0;

	responder_plan(never_respond, NULL);
	for (int i = 0; i < 5; i++)
		submit_with(async, 1, i, free_it, &calls);
	mad_async_free(async);
	assert_int_equal(calls, 5);
}
