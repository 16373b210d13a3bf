/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-loops.c - programs with a loop of their own: poll(), epoll, and when the descriptor is
 * readable.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static bool is_readable(int fd)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };

	return poll(&polled, 1, 0) == 1;
}

/* A program that waits in poll(): a callback submits the next request, 1000 times in 8 chains. */
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
		chain->errors += mad_async_smp_get(async, &to, 0x11, chain->left, submit_next,
						   chain, NULL) != 0;
}

static void start_chains(struct mad_async *async, struct chain chains[8], int length)
{
	for (int i = 0; i < 8; i++) {
		chains[i] = (struct chain){ .left = length, .lid = 1 + i };
		submit_with(async, 1 + i, length, submit_next, &chains[i]);
	}
}

static void assert_chains_ended(const struct chain chains[8])
{
	for (int i = 0; i < 8; i++) {
		assert_int_equal(chains[i].left, 0);
		assert_int_equal(chains[i].errors, 0);
	}
}

PORT_TEST(poll_loop)
{
	struct mad_async *async = create_async(*state, 4, 20000, 0);
	int fd = mad_async_get_fd(async), called = 0;
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	struct chain chains[8];

	assert_true(fd >= 0);
	assert_int_equal(mad_async_get_fd(async), fd);
	responder_plan(respond_unevenly, NULL);
	start_chains(async, chains, 200);
	while (mad_async_pending(async)) {
		int result;

		assert_int_equal(poll(&polled, 1, 10000), 1);
		result = mad_async_dispatch(async, 0);
		assert_true(result > 0);
		called += result;
	}
	assert_int_equal(called, 1600);
	assert_chains_ended(chains);
	assert_false(is_readable(fd));
	mad_async_destroy(async);
}

PORT_TEST(epoll_loop)
{
	struct mad_async *first = create_async(*state, 4, 20000, 0);
	struct mad_async *second = create_async(*state, 2, 20000, 0);
	struct mad_async *both[2] = { first, second };
	struct chain chains[2][8];
	int epoll = epoll_create1(EPOLL_CLOEXEC), called[2] = { 0 };

	responder_plan(respond_unevenly, NULL);
	for (int i = 0; i < 2; i++) {
		struct epoll_event event = { .events = EPOLLIN, .data.u32 = i };
		int fd = mad_async_get_fd(both[i]);

		assert_true(fd >= 0);
		assert_int_equal(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), 0);
		start_chains(both[i], chains[i], 100 + 100 * i);
	}
	while (mad_async_pending(first) || mad_async_pending(second)) {
		struct epoll_event event;
		int result;

		assert_int_equal(epoll_wait(epoll, &event, 1, 10000), 1);
		result = mad_async_dispatch(both[event.data.u32], 0);
		assert_true(result > 0);
		called[event.data.u32] += result;
	}
	assert_int_equal(called[0], 800);
	assert_int_equal(called[1], 1600);
	assert_chains_ended(chains[0]);
	assert_chains_ended(chains[1]);
	mad_async_destroy(first);
	mad_async_destroy(second);
	close(epoll);
}

/* Readable exactly while a callback is due. */
PORT_TEST(descriptor_tells_what_is_due)
{
	struct mad_async *async = create_async(*state, 4, 20000, 0);
	uint64_t id;
	int fd = mad_async_get_fd(async);

	assert_false(is_readable(fd));
	respond_after(50);
	submit_get(async, 1, 1, NULL);
	submit_get(async, 2, 1, NULL);
	assert_false(is_readable(fd));
	sleep_ms(150);
	assert_true(is_readable(fd));
	assert_int_equal(mad_async_dispatch(async, 0), 2);
	assert_false(is_readable(fd));
	respond_after(10000);
	id = submit_get(async, 1, 2, NULL);
	assert_int_equal(mad_async_cancel(async, id), 0);
	assert_true(is_readable(fd));
	assert_int_equal(mad_async_dispatch(async, 0), 1);
	assert_false(is_readable(fd));
	mad_async_destroy(async);
}

/* Asked for while requests are out, and while some of them are done. */
/* The thread behind the descriptor has all signals blocked, and the caller those that it had. */
PORT_TEST(descriptor_and_signals)
{
	struct mad_async *async = create_async(*state, 4, 20000, 0);
	sigset_t before, after;

	sigemptyset(&before);
	sigaddset(&before, SIGUSR1);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
	assert_true(mad_async_get_fd(async) >= 0);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
	for (int number = 1; number < SIGRTMIN; number++)
		assert_int_equal(sigismember(&after, number), number == SIGUSR1);
	mad_async_destroy(async);
	sigemptyset(&after);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, &after, NULL), 0);
}

PORT_TEST(descriptor_asked_for_late)
{
	struct mad_async *async = create_async(*state, 4, 20000, 0);
	struct outcome outcomes[10] = { { .calls = 0 } };
	int64_t end = now_ms() + PATIENCE_MS;
	int fd;

	respond_after(50);
	for (int i = 0; i < 10; i++)
		submit_get(async, 1 + i, i, &outcomes[i]);
	mad_async_cancel_all(async);
	for (int i = 0; i < 9; i++)
		submit_get(async, 1 + i, i, NULL);
	fd = mad_async_get_fd(async);
	assert_true(is_readable(fd));
	assert_int_equal(mad_async_dispatch(async, 0), 10);
	assert_false(is_readable(fd));
	while (mad_async_pending(async) && now_ms() < end) {
		struct pollfd polled = { .fd = fd, .events = POLLIN };

		assert_int_equal(poll(&polled, 1, 10000), 1);
		mad_async_dispatch(async, 0);
	}
	assert_int_equal(mad_async_pending(async), 0);
	mad_async_destroy(async);
}

/* Two on one port, each with a window of its own; neither gets what is the other's. */
PORT_TEST(two_on_one_port)
{
	struct mad_async *first = create_async(*state, 4, 20000, 0);
	struct mad_async *second = create_async(*state, 4, 20000, 0);
	struct outcome outcomes[2][200] = { { { .calls = 0 } } };

	responder_plan(respond_unevenly, NULL);
	for (int i = 0; i < 200; i++) {
		submit_get(first, 1 + i % 7, i, &outcomes[0][i]);
		submit_get(second, 1 + i % 5, i, &outcomes[1][i]);
	}
	assert_int_equal(dispatch_all(first), 200);
	assert_int_equal(dispatch_all(second), 200);
	mad_async_destroy(first);
	mad_async_destroy(second);
	for (int i = 0; i < 200; i++) {
		assert_outcome(&outcomes[0][i], 0);
		assert_outcome(&outcomes[1][i], 0);
	}
}
