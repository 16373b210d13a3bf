/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Messages of libibmad through the kernel's RMPP, from and to buffers in parts.
 */
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
