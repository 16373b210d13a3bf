/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Messages of libibmad through the kernel's RMPP, from and to buffers in parts; P_Keys by value; a
 * monitor's timer. Soft RoCE has no SMPs and no SA, so M_Keys, SM_Keys, routes and multicast groups
 * are not tested here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "caller.h"
#include "loop.h"
#include "optional.h"
#include "tap.h"

enum { WAIT_MS = 10000, LARGEST = 100001 };

/* A client and a server of LOOP_CLASS on the same device. */
struct setup {
	struct caller client;
	struct ibmad_port *server;
	uint8_t *sent;
	uint8_t *received;
};

static bool set_up(struct setup *setup)
{
	memset(setup, 0, sizeof(*setup));
	if (!caller_open(&setup->client, LOOP_DEVICE))
		return false;
	setup->server = mad_rpc_open_port((char *)LOOP_DEVICE, 1, NULL, 0);
	setup->sent = malloc(LARGEST);
	setup->received = malloc(LARGEST);
	for (int i = 0; setup->sent && i < LARGEST; i++)
		setup->sent[i] = (uint8_t)(i * 7 + i / 256);
	return check(setup->server && setup->sent && setup->received) &&
	       check(mad_register_client_via(LOOP_CLASS, 1, setup->client.port) >= 0) &&
	       check(mad_register_server_via(LOOP_CLASS, 1, NULL, LOOP_OUI, setup->server) >= 0);
}

static void tear_down(struct setup *setup)
{
	mad_rpc_close_port(setup->server);
	caller_close(&setup->client);
	free(setup->sent);
	free(setup->received);
}

/* Sends so many bytes in two parts and receives them in three. */
static void pass(struct setup *setup, size_t length)
{
	ib_rpc_t rpc = { .mgtclass = LOOP_CLASS,
			 .method = IB_MAD_METHOD_SEND,
			 .attr = { .id = 0x55, .mod = (unsigned)length },
			 .oui = LOOP_OUI };
	struct iovec out[] = { { setup->sent, length / 3 },
			       { setup->sent + length / 3, length - length / 3 } };
	struct iovec in[] = { { setup->received, length / 2 },
			      { NULL, 0 },
			      { setup->received + length / 2, length - length / 2 } };
	struct mad_message message;

	memset(setup->received, 0, LARGEST);
	require(!mad_message_send(setup->client.port, &setup->client.portid, &rpc, out, 2));
	require(!mad_message_receive(setup->server, &message, sizeof(message), in, 3, WAIT_MS));
	check_equal(message.data_size, length);
	check_equal(message.attr_mod, length);
	check_equal(message.error, 0);
	check(!memcmp(setup->received, setup->sent, length));
}

TEST(messages_of_all_lengths)
{
	static const size_t lengths[] = { 1,   64,  65,	  215,	216,   217,
					  256, 257, 4096, 4097, 65536, LARGEST };
	struct setup setup;

	require(set_up(&setup));
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		pass(&setup, lengths[i]);
	tear_down(&setup);
}

TEST(a_message_waits_for_space)
{
	struct setup setup;
	struct mad_message message;
	ib_rpc_t rpc = { .mgtclass = LOOP_CLASS, .method = IB_MAD_METHOD_SEND, .oui = LOOP_OUI };
	struct iovec out, small, space;

	require(set_up(&setup));
	out = (struct iovec){ setup.sent, 1000 };
	small = (struct iovec){ setup.received, 999 };
	space = (struct iovec){ setup.received, 1000 };
	require(!mad_message_send(setup.client.port, &setup.client.portid, &rpc, &out, 1));
	check_equal(
		mad_message_receive(setup.server, &message, sizeof(message), &small, 1, WAIT_MS),
		-1);
	check_equal(errno, EMSGSIZE);
	check_equal(message.data_size, 1000);
	check_equal(
		mad_message_receive(setup.server, &message, sizeof(message), &space, 1, WAIT_MS),
		0);
	check(!memcmp(setup.received, setup.sent, 1000));
	tear_down(&setup);
}

TEST(the_default_p_key)
{
	struct setup setup;
	uint16_t entry = 0;

	require(set_up(&setup));
	check_equal(mad_pkey_index(setup.server, 0x7fff, &entry), 0);
	check_equal(entry, 0xffff);
	check_equal(mad_pkey_index(setup.server, 0x8123, &entry), -1);
	check_equal(errno, ENOENT);
	tear_down(&setup);
}

/* RoCE ports are not looked at, but the timer runs out. */
TEST(a_monitor_with_an_interval)
{
	struct umad_monitor *monitor = umad_monitor_open(0);
	struct umad_event event;

	require(monitor != NULL);
	check_equal(umad_monitor_set_interval(monitor, 10), 0);
	check_equal(umad_monitor_read(monitor, &event, sizeof(event), 100), 0);
	umad_monitor_close(monitor);
}
