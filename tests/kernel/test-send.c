/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sending and receiving single MADs through a real port: addresses, timeouts, waits, refusals.
 */
#include <endian.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "loop.h"
#include "sys.h"
#include "tap.h"

enum {
	TID = 0x12345678,
	RETURNED_SIZE = 24, /* of a request that comes back, the kernel keeps the header only */
};

/* Two ports, a client and a server, each with a buffer. */
struct setup {
	int client_fd, server_fd;
	int client, server;
	void *request, *received;
};

static void set_up(struct setup *setup)
{
	setup->client_fd = loop_open(LOOP_DEVICE);
	setup->server_fd = loop_open(LOOP_DEVICE);
	setup->client = loop_client(setup->client_fd, LOOP_CLASS, 0);
	setup->server = loop_server(setup->server_fd, LOOP_CLASS, 0);
	setup->request = loop_alloc(LOOP_MAD_SIZE);
	setup->received = loop_alloc(LOOP_MAD_SIZE);
	loop_request(setup->request, LOOP_DEVICE, LOOP_CLASS, METHOD_GET, TID);
}

static void tear_down(struct setup *setup)
{
	check_equal(umad_close_port(setup->client_fd), 0);
	check_equal(umad_close_port(setup->server_fd), 0);
	free(setup->request);
	free(setup->received);
}

static int send_request(struct setup *setup, int timeout_ms, int retries)
{
	return umad_send(setup->client_fd, setup->client, setup->request, LOOP_MAD_SIZE, timeout_ms,
			 retries);
}

static void check_own_grh(const struct ib_mad_addr *address)
{
	uint8_t gid[16];

	sys_read_gid(LOOP_DEVICE, gid);
	check_equal(address->grh_present, 1);
	check(!memcmp(address->gid, gid, sizeof(gid)));
	check_equal(address->gid_index, 0);
	check_equal(address->hop_limit, 64);
	check_equal(be32toh(address->qpn), 1);
	check_equal(address->pkey_index, 0);
}

TEST(a_request_arrives_with_its_GRH)
{
	struct setup setup;

	set_up(&setup);
	loop_mad(setup.request)[LOOP_MAD_SIZE - 1] = 0xa5;
	check_equal(send_request(&setup, 1000, 0), 0);
	check_equal(loop_receive(setup.server_fd, setup.received, setup.server), LOOP_MAD_SIZE);
	check_equal(umad_status(setup.received), 0);
	check_own_grh(umad_get_mad_addr(setup.received));
	check_equal(loop_get32(loop_mad(setup.received) + MAD_TID_LOW), TID);
	check_equal(loop_mad(setup.received)[LOOP_MAD_SIZE - 1], 0xa5);
	tear_down(&setup);
}

TEST(a_response_arrives_with_its_GRH)
{
	struct setup setup;

	set_up(&setup);
	check_equal(send_request(&setup, 1000, 0), 0);
	loop_receive(setup.server_fd, setup.received, setup.server);
	loop_response(setup.received);
	check_equal(umad_send(setup.server_fd, setup.server, setup.received, LOOP_MAD_SIZE, 0, 0),
		    0);
	memset(setup.received, 0xff, umad_size() + LOOP_MAD_SIZE);
	check_equal(loop_receive(setup.client_fd, setup.received, setup.client), LOOP_MAD_SIZE);
	check_equal(umad_status(setup.received), 0);
	check_own_grh(umad_get_mad_addr(setup.received));
	check_equal(loop_get32(loop_mad(setup.received) + MAD_TID_LOW), TID);
	check_equal(loop_mad(setup.received)[MAD_METHOD], METHOD_GET | METHOD_RESPONSE);
	check(loop_is_quiet(setup.client_fd));
	check(loop_is_quiet(setup.server_fd));
	tear_down(&setup);
}

TEST(clients_get_no_requests)
{
	struct setup setup;

	set_up(&setup);
	check_equal(umad_unregister(setup.server_fd, setup.server), 0);
	check_equal(send_request(&setup, 0, 0), 0);
	check(loop_is_quiet(setup.client_fd));
	check(loop_is_quiet(setup.server_fd));
	tear_down(&setup);
}

static unsigned count_received(int fd, void *umad)
{
	unsigned count = 0;
	int length;

	for (;;) {
		length = LOOP_MAD_SIZE;
		if (umad_recv(fd, umad, &length, LOOP_QUIET_MS) < 0)
			return count;
		count++;
	}
}

/* Comes back after timeout times attempts, and has been sent as often as that. */
static void check_timeout(struct setup *setup, int timeout_ms, int retries)
{
	int64_t start = sys_now_ms(), took;
	uint8_t *mad = loop_mad(setup->received);

	check_equal(send_request(setup, timeout_ms, retries), 0);
	check_equal(loop_receive(setup->client_fd, setup->received, setup->client), RETURNED_SIZE);
	took = sys_now_ms() - start;
	tap_note("%d ms and %d retries: back after %d ms", timeout_ms, retries, (int)took);
	check(took >= timeout_ms * (retries + 1));
	check(took <= (timeout_ms + timeout_ms / 8 + 20) * (retries + 1)); /* timer wheel */
	check_equal(umad_status(setup->received), ETIMEDOUT);
	check_equal(mad[MAD_METHOD], METHOD_GET);
	check_equal(loop_get32(mad + MAD_TID_LOW), TID);
	check_equal(count_received(setup->server_fd, setup->received), retries + 1);
}

TEST(the_kernel_retries_as_often_as_requested)
{
	struct setup setup;

	set_up(&setup);
	check_timeout(&setup, 60, 1);
	check_timeout(&setup, 40, 5);
	tear_down(&setup);
}

TEST(receives_without_waiting)
{
	struct setup setup;
	int length = 77;

	set_up(&setup);
	errno = 0;
	check_equal(umad_recv(setup.client_fd, setup.received, &length, 0), -EWOULDBLOCK);
	check_equal(errno, EWOULDBLOCK);
	check_equal(length, 77);
	check_equal(send_request(&setup, 10, 0), 0);
	sys_sleep_ms(100);
	length = LOOP_MAD_SIZE;
	check_equal(umad_recv(setup.client_fd, setup.received, &length, 0), setup.client);
	check_equal(umad_recv(setup.client_fd, setup.received, &length, 0), -EWOULDBLOCK);
	tear_down(&setup);
}

TEST(waits_as_long_as_requested)
{
	int length = LOOP_MAD_SIZE;
	struct setup setup;
	int64_t start;

	set_up(&setup);
	start = sys_now_ms();
	errno = 0;
	check_equal(umad_recv(setup.client_fd, setup.received, &length, 120), -ETIMEDOUT);
	check_equal(errno, ETIMEDOUT);
	check(sys_now_ms() - start >= 120 && sys_now_ms() - start < 2000);
	start = sys_now_ms();
	check_equal(umad_poll(setup.client_fd, 120), -ETIMEDOUT);
	check(sys_now_ms() - start >= 120 && sys_now_ms() - start < 2000);
	tear_down(&setup);
}

TEST(poll_tells_what_has_come)
{
	struct setup setup;

	set_up(&setup);
	check_equal(umad_poll(setup.server_fd, 0), -ETIMEDOUT);
	check_equal(send_request(&setup, 0, 0), 0);
	check_equal(umad_poll(setup.server_fd, LOOP_WAIT_MS), 0);
	check_equal(umad_poll(setup.server_fd, -1), 0);
	tear_down(&setup);
}

static void on_signal(int number)
{
	(void)number;
}

/* Servers stop by a handler that sets a flag. */
TEST(a_signal_ends_a_wait)
{
	struct sigaction action = { .sa_handler = on_signal };
	int length = LOOP_MAD_SIZE;
	struct setup setup;

	set_up(&setup);
	sigaction(SIGALRM, &action, NULL);
	ualarm(10000, 10000);
	errno = 0;
	check_equal(umad_recv(setup.client_fd, setup.received, &length, -1), -EIO);
	check_equal(errno, EINTR);
	errno = 0;
	check_equal(umad_poll(setup.client_fd, -1), -EIO);
	check_equal(errno, EINTR);
	ualarm(0, 0);
	tear_down(&setup);
}

TEST(a_GID_without_a_route_is_refused)
{
	struct ib_mad_addr *address;
	struct setup setup;
	int result;

	set_up(&setup);
	address = umad_get_mad_addr(setup.request);
	memset(address->gid, 0x20, sizeof(address->gid));
	result = send_request(&setup, 50, 0);
	tap_note("to a GID without a route: %d, errno %d (%s)", result, errno, strerror(errno));
	check_equal(result, -EIO);
	check(errno > 0);
	tear_down(&setup);
}
