/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A program with a loop of its own that waits in epoll for the descriptors of mad_async_get_fd(),
 * on a device of the kernel; signals and descriptors of the library's thread. When the descriptor
 * is readable, on which device and in which state, is in the simulation.
 */
#include "fixture.h"

#include <errno.h>
#include <infiniband/mad_message.h>
#include <infiniband/umad.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

static int setup_device(void **state)
{
	setup_threads(state);
	mad_rpc_close_port(*state);
	kernel_act_as_chardev(false);
	*state = open_port("mlx5_0");
	return 0;
}

#define DEVICE_TEST(name) TEST_WITH(name, setup_device, teardown_port)

static bool is_readable_in(int fd, int ms)
{
	struct pollfd polled = { .fd = fd, .events = POLLIN };

	return poll(&polled, 1, ms) == 1;
}

static void respond_together(const struct responder_request *request,
			     struct responder_response *response, void *context)
{
	int64_t ms = *(int64_t *)context + 200 - now_ms();

	(void)request;
	response->delay_us = ms > 0 ? ms * 1000 : 0;
}

/* A loop to which the kernel reports arrivals once. The responses to requests that have been under
 * way for some time arrive together. */
DEVICE_TEST(edge_triggered_loop)
{
	struct mad_async *async = create_async(*state, 64, PATIENCE_MS, 1);
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	struct outcome outcomes[64] = { { .calls = 0 } };
	int epoll = epoll_create1(EPOLL_CLOEXEC), fd = mad_async_get_fd(async);
	int64_t began = now_ms();

	responder_plan(respond_together, &began);
	assert_int_equal(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event), 0);
	for (int i = 0; i < 64; i++)
		submit_get(async, 1 + i, i, &outcomes[i]);
	while (mad_async_pending(async)) {
		if (epoll_wait(epoll, &event, 1, PATIENCE_MS / 3) != 1)
			fail_msg("the loop sleeps, %u requests are pending, %u MADs unread",
				 mad_async_pending(async), responder_unread(0));
		assert_true(mad_async_dispatch(async, 0, 0) >= 0);
		sleep_ms(2); /* more arrives meanwhile */
	}
	for (int i = 0; i < 64; i++)
		assert_outcome(&outcomes[i], 0);
	close(epoll);
	mad_async_free(async);
}

/* Descriptors of an object are closed on exec, and only the epoll descriptor, which no call reads,
 * may block. */
DEVICE_TEST(descriptors)
{
	static bool is_known[1024];

	struct mad_async *async;
	int blocking = 0;

	for (int fd = 0; fd < 1024; fd++)
		is_known[fd] = fcntl(fd, F_GETFD) >= 0;
	async = create_async(*state, 4, 20000, 1);
	for (int fd = 0; fd < 1024; fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (is_known[fd] || flags < 0)
			continue;
		assert_true(flags & FD_CLOEXEC);
		blocking += !(fcntl(fd, F_GETFL) & O_NONBLOCK);
	}
	assert_int_equal(blocking, 1);
	mad_async_free(async);
}

/* A request of another node arrives. */
static void deliver_request(void)
{
	uint8_t packet[RESPONDER_HEADER + IB_MAD_SIZE] = { 0 };
	uint8_t *mad = packet + RESPONDER_HEADER;

	mad[0] = mad[2] = mad[3] = 1; /* Get of PerfMgt */
	mad[1] = IB_PERFORMANCE_CLASS;
	responder_deliver(0, packet, sizeof(packet));
}

static int receive(struct ibmad_port *port)
{
	struct mad_message message;
	uint8_t data[IB_MAD_SIZE];
	const struct iovec part = { data, sizeof(data) };

	errno = 0;
	return mad_message_receive(port, &message, &part, 1, 0) ? errno : 0;
}

/* A server's loop: readable for what arrives, and for what another call has read; then not. */
static void receive_in_loop(struct ibmad_port *port, bool is_device)
{
	int fd = mad_receive_get_fd(port);

	assert_true(fd >= 0);
	assert_int_equal(mad_receive_get_fd(port), fd);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	for (int i = 0; i < 3; i++) {
		deliver_request();
		assert_true(is_readable_in(fd, PATIENCE_MS));
		assert_int_equal(receive(port), 0);
		assert_int_equal(receive(port), EAGAIN);
		if (is_device)
			assert_false(is_readable_in(fd, 20));
	}
	deliver_request();
	deliver_request();
	assert_true(query_node(port, 4, 20000)); /* the blocking call reads them */
	assert_true(is_readable_in(fd, PATIENCE_MS));
	assert_int_equal(receive(port), 0);
	assert_true(is_readable_in(fd, PATIENCE_MS));
	assert_int_equal(receive(port), 0);
	assert_int_equal(receive(port), EAGAIN);
	assert_int_equal(is_readable_in(fd, 20), !is_device);
}

DEVICE_TEST(requests_that_arrive_at_a_device)
{
	receive_in_loop(*state, true);
}

THREAD_TEST(requests_that_arrive_at_a_simulator)
{
	receive_in_loop(*state, false);
}

/* In a child, the descriptor has the same number and is its own: it is readable there for what is
 * in the queue, and not for what the parent does. */
DEVICE_TEST(requests_that_are_there_when_a_process_forks)
{
	int fd = mad_receive_get_fd(*state), status;
	pid_t child;

	deliver_request();
	assert_true(query_node(*state, 4, 20000)); /* the blocking call reads it */
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		bool is_right = mad_receive_get_fd(*state) == fd &&
				is_readable_in(fd, PATIENCE_MS) && !receive(*state) &&
				!is_readable_in(fd, 20);

		_exit(!is_right);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(is_readable_in(fd, PATIENCE_MS)); /* the child has taken its own */
	assert_int_equal(receive(*state), 0);
	assert_false(is_readable_in(fd, 20));
}

/* A message that was too long for one call is not announced to the next. */
DEVICE_TEST(a_message_that_did_not_fit)
{
	uint8_t packet[RESPONDER_HEADER + 300] = { 0 }, one[RESPONDER_HEADER + IB_MAD_SIZE];
	uint8_t *mad = packet + RESPONDER_HEADER;
	int fd = mad_receive_get_fd(*state);
	void *whole;

	((struct ib_user_mad *)packet)->length = sizeof(packet);
	mad[0] = mad[2] = mad[3] = mad[24] = mad[25] = 1; /* RMPP: DATA, active */
	mad[1] = 0x32;
	mad[26] = 1;
	responder_deliver(0, packet, sizeof(packet));
	assert_true(is_readable_in(fd, PATIENCE_MS));
	errno = 0;
	assert_null(mad_receive_via(one, 0, *state));
	assert_int_equal(errno, ENOSPC);
	assert_false(is_readable_in(fd, 20));
	whole = mad_receive_via(NULL, 0, *state);
	assert_non_null(whole);
	mad_free(whole);
}
