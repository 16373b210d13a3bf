/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Several descriptors and several processes on one real port.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "loop.h"
#include "tap.h"

enum { TID = 0x0a0b0c0d, CLIENTS = 4 };

/* Sends a Get through an agent; the attribute modifier identifies the requester. */
static void ask(int fd, int agent, uint32_t requester, int timeout_ms)
{
	void *umad = loop_alloc(LOOP_MAD_SIZE);

	loop_request(umad, LOOP_DEVICE, LOOP_CLASS, METHOD_GET, TID);
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

/* All with the same transaction ID, as libraries that know nothing of each other may have. */
TEST(each_descriptor_gets_its_responses)
{
	int server_fd = loop_open(LOOP_DEVICE), server = loop_server(server_fd, LOOP_CLASS, 0);
	int fds[CLIENTS], agents[CLIENTS];

	for (int i = 0; i < CLIENTS; i++) {
		fds[i] = loop_open(LOOP_DEVICE);
		agents[i] = loop_client(fds[i], LOOP_CLASS, 0);
		ask(fds[i], agents[i], i, 1000);
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
	ask(client_fd, client, 1, 2000);
	check_response(client_fd, client, 1);
	check(wait_for_success(child));
	ask(client_fd, client, 2, 2000);
	check_equal(serve(fd, server), 2);
	check_response(client_fd, client, 2);
	check_equal(umad_close_port(fd), 0);
	check_equal(umad_close_port(client_fd), 0);
}
