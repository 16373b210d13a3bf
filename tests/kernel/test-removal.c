/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A device that is removed (rdma link delete) while requests are out on it: each ends with a clear
 * errno, nothing hangs, nothing is left behind.
 */
#include "../lib/async-request.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/memory-in-use.h"
#include "caller.h"
#include "loop.h"
#include "optional.h"
#include "responder.h"
#include "sys.h"
#include "tap.h"

#define DEVICE "rxe1"
#define NETDEV "v1"

enum {
	LONG_MS = 60000, /* of requests that only the removal can end */
	SOON_MS = 1000,
	THREADS = 8,
	REQUESTS = 40,
	ROUNDS = 20,
};

/* Each case begins and ends with the device there. */
static bool remove_device(void)
{
	return check(sys_delete_device(DEVICE));
}

static void restore_device(void)
{
	check(sys_add_device(DEVICE, NETDEV));
}

static bool is_clear(int error)
{
	return error == ENODEV || error == EIO;
}

struct waiter {
	pthread_t thread;
	int fd, result, error;
	struct ibmad_port *port;
};

static void *receive(void *argument)
{
	struct waiter *waiter = argument;
	void *umad = loop_alloc(LOOP_MAD_SIZE);
	int length = LOOP_MAD_SIZE;

	errno = 0;
	waiter->result = umad_recv(waiter->fd, umad, &length, -1);
	waiter->error = errno;
	free(umad);
	return NULL;
}

TEST(the_removal_ends_a_receive)
{
	struct waiter waiter = { .fd = loop_open(DEVICE) };
	int64_t start;

	loop_client(waiter.fd, LOOP_CLASS, 0);
	check_equal(pthread_create(&waiter.thread, NULL, receive, &waiter), 0);
	sys_sleep_ms(50);
	require(remove_device());
	start = sys_now_ms();
	pthread_join(waiter.thread, NULL);
	check(sys_now_ms() - start < SOON_MS);
	tap_note("umad_recv() without an end: %d, errno %d", waiter.result, waiter.error);
	check(waiter.result < 0 && is_clear(waiter.error));
	check_equal(umad_close_port(waiter.fd), 0);
	restore_device();
}

static void *receive_via(void *argument)
{
	struct waiter *waiter = argument;

	errno = 0;
	waiter->result = mad_receive_via(NULL, -1, waiter->port) != NULL;
	waiter->error = errno;
	return NULL;
}

TEST(the_removal_ends_a_servers_wait)
{
	struct waiter waiter = { .port = mad_rpc_open_port((char *)DEVICE, 1, NULL, 0) };
	int64_t start;

	require(waiter.port != NULL);
	check(mad_register_server_via(LOOP_CLASS, 0, NULL, LOOP_OUI, waiter.port) >= 0);
	check_equal(pthread_create(&waiter.thread, NULL, receive_via, &waiter), 0);
	sys_sleep_ms(50);
	require(remove_device());
	start = sys_now_ms();
	pthread_join(waiter.thread, NULL);
	check(sys_now_ms() - start < SOON_MS);
	tap_note("mad_receive_via() without an end: errno %d", waiter.error);
	check(!waiter.result && is_clear(waiter.error));
	mad_rpc_close_port(waiter.port);
	restore_device();
}

struct thread {
	pthread_t thread;
	struct caller *caller;
	int error;
};

static void *call(void *argument)
{
	struct thread *thread = argument;

	thread->error = caller_call(thread->caller, LONG_MS, 1);
	return NULL;
}

TEST(the_removal_ends_blocking_calls)
{
	struct responder responder = { .device = DEVICE, .drops = true };
	struct thread threads[THREADS];
	struct caller caller;
	int64_t start;

	require(responder_start(&responder) && caller_open(&caller, DEVICE));
	for (int i = 0; i < THREADS; i++) {
		threads[i].caller = &caller;
		check_equal(pthread_create(&threads[i].thread, NULL, call, &threads[i]), 0);
	}
	sys_sleep_ms(50);
	check_equal(atomic_load(&responder.requests), THREADS);
	require(remove_device());
	start = sys_now_ms();
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i].thread, NULL);
		check(is_clear(threads[i].error));
	}
	check(sys_now_ms() - start < SOON_MS);
	tap_note("mad_rpc() that was out: errno %d", threads[0].error);
	threads[0].error = caller_call(&caller, 100, 1);
	tap_note("mad_rpc() afterwards: errno %d", threads[0].error);
	check(is_clear(threads[0].error));
	caller_close(&caller);
	responder_stop(&responder);
	restore_device();
}

struct run {
	struct caller caller;
	struct mad_async *async;
	unsigned callbacks, clear;
	int error;
};

static void note_result(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct run *run = context;

	(void)async;
	run->callbacks++;
	run->clear += is_clear(result->error);
	run->error = result->error;
}

static bool begin_async(struct run *run, bool with_fd)
{
	ib_rpc_t rpc = caller_rpc(LONG_MS);

	memset(run, 0, sizeof(*run));
	if (!caller_open(&run->caller, DEVICE))
		return false;
	run->async = mad_async_create(run->caller.port, NULL, 0);
	if (!check(run->async != NULL))
		return false;
	if (with_fd)
		check(mad_async_get_fd(run->async) >= 0);
	for (int i = 0; i < REQUESTS; i++)
		check(mad_async_submit(run->async, ASYNC_TO(&run->caller.portid, note_result, run),
				       &rpc, NULL) > 0);
	mad_async_dispatch(run->async, 0, 20);
	return true;
}

/* After the removal: every request completes, and a new one is refused. */
static void end_async(struct run *run)
{
	int64_t start = sys_now_ms();
	ib_rpc_t rpc = caller_rpc(100);

	while (mad_async_pending(run->async) && sys_now_ms() - start < SOON_MS)
		mad_async_dispatch(run->async, 0, 50);
	check_equal(run->callbacks, REQUESTS);
	check_equal(run->clear, REQUESTS);
	errno = 0;
	if ((mad_async_submit(run->async, ASYNC_TO(&run->caller.portid, note_result, run), &rpc,
			      NULL) > 0)) {
		while (mad_async_pending(run->async) && sys_now_ms() - start < SOON_MS)
			mad_async_dispatch(run->async, 0, 50);
		check_equal(run->callbacks, REQUESTS + 1);
		check(is_clear(run->error));
	} else {
		check(is_clear(errno));
	}
	mad_async_free(run->async);
	caller_close(&run->caller);
}

TEST(the_removal_ends_asynchronous_requests)
{
	struct run run;

	require(begin_async(&run, false) && remove_device());
	end_async(&run);
	tap_note("asynchronous request that was out: error %d", run.error);
	restore_device();
}

TEST(the_removal_ends_what_the_service_thread_does)
{
	struct run run;

	require(begin_async(&run, true) && remove_device());
	end_async(&run);
	restore_device();
}

/* One round of everything at once. */
static void use_and_remove(void)
{
	struct responder responder = { .device = DEVICE, .drops = true };
	struct thread thread;
	struct run run;

	require(responder_start(&responder) && begin_async(&run, true));
	thread.caller = &run.caller;
	check_equal(pthread_create(&thread.thread, NULL, call, &thread), 0);
	sys_sleep_ms(10);
	require(remove_device());
	pthread_join(thread.thread, NULL);
	check(is_clear(thread.error));
	end_async(&run);
	responder_stop(&responder);
	restore_device();
}

TEST(nothing_is_left_behind)
{
	size_t before = 0, after;
	unsigned fds = 0;

	for (int i = 0; i <= ROUNDS; i++) {
		use_and_remove();
		if (!i) {
			fds = sys_count_fds();
			before = memory_in_use();
		}
	}
	after = memory_in_use();
	check_equal(sys_count_fds(), fds);
	tap_note("%zu bytes in use after the first round, %zu after %d more", before, after,
		 ROUNDS);
	check(after < before + 4096); /* less than a caller's port a round */
}

TEST(a_device_that_returns_is_as_good_as_new)
{
	struct responder responder = { .device = DEVICE };
	struct caller before, after;

	require(caller_open(&before, DEVICE) && remove_device());
	restore_device();
	require(responder_start(&responder) && caller_open(&after, DEVICE));
	check_equal(caller_call(&after, 1000, 1), 0);
	check(is_clear(caller_call(&before, 100, 1)));
	check_equal(caller_call(&after, 1000, 2), 0);
	caller_close(&before);
	check_equal(caller_call(&after, 1000, 3), 0);
	caller_close(&after);
	responder_stop(&responder);
}
