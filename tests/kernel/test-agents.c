/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Several agents, several descriptors, several processes on one real port.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "loop.h"
#include "sys.h"
#include "tap.h"

enum { TID = 0x0a0b0c0d, CLIENTS = 4, OTHER_CLASS = 0x33 };

/* Sends a Get of a class through an agent; the attribute modifier identifies the requester. */
static void ask(int fd, int agent, int mgmt_class, uint32_t requester, int timeout_ms)
{
	void *umad = loop_alloc(LOOP_MAD_SIZE);

	loop_request(umad, LOOP_DEVICE, mgmt_class, METHOD_GET, TID);
	loop_put32(loop_mad(umad) + MAD_ATTR_MOD, requester);
	check_equal(umad_send(fd, agent, umad, LOOP_MAD_SIZE, timeout_ms, 0), 0);
	free(umad);
}

/* Receives a request for an agent and responds to it; returns the requester. */
static uint32_t serve(int fd, int agent)
{
	void *umad = loop_alloc(LOOP_MAD_SIZE);
	uint32_t requester;

	check_equal(loop_receive(fd, umad, agent), LOOP_MAD_SIZE);
	requester = loop_get32(loop_mad(umad) + MAD_ATTR_MOD);
	loop_response(umad);
	check_equal(umad_send(fd, agent, umad, LOOP_MAD_SIZE, 0, 0), 0);
	free(umad);
	return requester;
}

static void check_response(int fd, int agent, uint32_t requester)
{
	void *umad = loop_alloc(LOOP_MAD_SIZE);

	check_equal(loop_receive(fd, umad, agent), LOOP_MAD_SIZE);
	check_equal(umad_status(umad), 0);
	check_equal(loop_get32(loop_mad(umad) + MAD_ATTR_MOD), requester);
	check_equal(loop_get32(loop_mad(umad) + MAD_TID_LOW), TID);
	free(umad);
}

TEST(client_and_server_on_one_descriptor)
{
	int fd = loop_open(LOOP_DEVICE);
	int client = loop_client(fd, LOOP_CLASS, 0), server = loop_server(fd, LOOP_CLASS, 0);

	ask(fd, client, LOOP_CLASS, 1, 1000);
	check_equal(serve(fd, server), 1);
	check_response(fd, client, 1);
	check_equal(umad_close_port(fd), 0);
}

TEST(each_agent_gets_the_requests_of_its_class)
{
	int fd = loop_open(LOOP_DEVICE), client_fd = loop_open(LOOP_DEVICE);
	int server = loop_server(fd, LOOP_CLASS, 0), other = loop_server(fd, OTHER_CLASS, 0);
	int plain = loop_server(fd, LOOP_PLAIN_CLASS, 0);

	ask(client_fd, loop_client(client_fd, OTHER_CLASS, 0), OTHER_CLASS, 1, 0);
	check_equal(serve(fd, other), 1);
	ask(client_fd, loop_client(client_fd, LOOP_PLAIN_CLASS, 0), LOOP_PLAIN_CLASS, 2, 0);
	check_equal(serve(fd, plain), 2);
	ask(client_fd, loop_client(client_fd, LOOP_CLASS, 0), LOOP_CLASS, 3, 0);
	check_equal(serve(fd, server), 3);
	check_equal(umad_close_port(fd), 0);
	check_equal(umad_close_port(client_fd), 0);
}

/* All with the same transaction ID, as libraries that know nothing of each other may have. */
TEST(each_descriptor_gets_its_responses)
{
	int server_fd = loop_open(LOOP_DEVICE), server = loop_server(server_fd, LOOP_CLASS, 0);
	int fds[CLIENTS], agents[CLIENTS];

	for (int i = 0; i < CLIENTS; i++) {
		fds[i] = loop_open(LOOP_DEVICE);
		agents[i] = loop_client(fds[i], LOOP_CLASS, 0);
		ask(fds[i], agents[i], LOOP_CLASS, i, 1000);
	}
	for (int i = 0; i < CLIENTS; i++)
		check_equal(serve(server_fd, server), i);
	for (int i = CLIENTS - 1; i >= 0; i--) {
		check_response(fds[i], agents[i], i);
		check(loop_is_quiet(fds[i]));
		check_equal(umad_close_port(fds[i]), 0);
	}
	check_equal(umad_close_port(server_fd), 0);
}

TEST(closing_ends_requests_that_are_out)
{
	int server_fd = loop_open(LOOP_DEVICE), server = loop_server(server_fd, LOOP_CLASS, 0);
	int64_t start = sys_now_ms();
	unsigned fds = sys_count_fds();
	int fd, client;

	for (int round = 0; round < 10; round++) {
		fd = loop_open(LOOP_DEVICE);
		client = loop_client(fd, LOOP_CLASS, 0);
		ask(fd, client, LOOP_CLASS, round, 60000);
		check_equal(umad_close_port(fd), 0);
	}
	check(sys_now_ms() - start < 2000);
	check_equal(sys_count_fds(), fds);
	fd = loop_open(LOOP_DEVICE);
	loop_client(fd, LOOP_CLASS, 0);
	for (int round = 0; round < 10; round++)
		check_equal(serve(server_fd, server), round);
	check(loop_is_quiet(fd)); /* those responses were for others, which are gone */
	check_equal(umad_close_port(fd), 0);
	check_equal(umad_close_port(server_fd), 0);
}

/* Closed while a message of many MADs is on its way. */
TEST(closing_ends_a_transfer)
{
	enum { SIZE = 60000 };
	int server_fd = loop_open(LOOP_DEVICE), fd = loop_open(LOOP_DEVICE);
	int client = loop_client(fd, LOOP_CLASS, 1), length = SIZE;
	void *umad = loop_alloc(SIZE);

	loop_server(server_fd, LOOP_CLASS, 1);
	loop_request(umad, LOOP_DEVICE, LOOP_CLASS, METHOD_SET, TID);
	loop_fill_rmpp(umad, SIZE, 1);
	check_equal(umad_send(fd, client, umad, SIZE, 1000, 0), 0);
	check_equal(umad_close_port(fd), 0);
	check_equal(umad_recv(server_fd, umad, &length, 500) < 0, 1);
	check_equal(umad_close_port(server_fd), 0);
	free(umad);
}

static bool wait_for_success(pid_t child)
{
	int status;

	return waitpid(child, &status, 0) == child && check_equal(status, 0);
}

/* A child uses its parent's port, and the port stays when one of the two closes it. */
TEST(a_forked_child_uses_its_parents_port)
{
	int fd = loop_open(LOOP_DEVICE), server = loop_server(fd, LOOP_CLASS, 0);
	int client_fd = loop_open(LOOP_DEVICE), client = loop_client(client_fd, LOOP_CLASS, 0);
	pid_t child = fork();

	if (!child) {
		bool served = serve(fd, server) == 1;

		_exit(served && umad_close_port(fd) == 0 ? 0 : 1);
	}
	ask(client_fd, client, LOOP_CLASS, 1, 2000);
	check_response(client_fd, client, 1);
	check(wait_for_success(child));
	ask(client_fd, client, LOOP_CLASS, 2, 2000);
	check_equal(serve(fd, server), 2);
	check_response(client_fd, client, 2);
	check_equal(umad_close_port(fd), 0);
	check_equal(umad_close_port(client_fd), 0);
}

/* A child that opens the port itself has agents of its own. */
TEST(a_forked_child_opens_its_own_port)
{
	int fd = loop_open(LOOP_DEVICE), server = loop_server(fd, LOOP_CLASS, 0);
	pid_t child = fork();

	if (!child) {
		int own = loop_open(LOOP_DEVICE), client = loop_client(own, LOOP_CLASS, 0);

		ask(own, client, LOOP_CLASS, 7, 2000);
		check_response(own, client, 7);
		_exit(umad_close_port(own) == 0 ? 0 : 1);
	}
	check_equal(serve(fd, server), 7);
	check(wait_for_success(child));
	check_equal(umad_close_port(fd), 0);
}

TEST(other_programs_do_not_inherit_ports)
{
	int fd = loop_open(LOOP_DEVICE);

	check(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	check_equal(umad_close_port(fd), 0);
}
