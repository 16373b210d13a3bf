/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-receiving.c - servers register and receive (libibmad/requests/server.c,
 * libibmad/engine/registration.c).
 */
#include "test.h"
#include "received.h"

#include <errno.h>
#include <string.h>

/* Receiving */

/* Into a buffer of the caller's and a new one, with a wait and without; in the order of arrival. */
FAKEUMAD_TEST(receive_in_order)
{
	uint8_t packet[FAKEUMAD_PACKET], *own = mad_alloc();

	for (int i = 0; i < 20; i++) {
		make_request(packet, 4, 1);
		packet[FAKEUMAD_HEADER + 23] = (uint8_t)i;
		fakeumad_deliver(packet, sizeof(packet), 0);
	}
	for (int i = 0; i < 20; i++) {
		uint8_t *buffer = i % 2 ? own : NULL;
		uint8_t *umad = mad_receive_via(buffer, i % 4 < 2 ? 1000 : 0, *state);

		assert_non_null(umad);
		packet[FAKEUMAD_HEADER + 23] = (uint8_t)i;
		assert_memory_equal(umad, packet, sizeof(packet));
		if (buffer)
			assert_ptr_equal(umad, buffer);
		else
			mad_free(umad);
	}
	mad_free(own);
}

static void deliver_repress(uint64_t tid)
{
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, &(struct fakeumad_packet){ .agent = PM_AGENT,
							  .mgmt_class = IB_PERFORMANCE_CLASS,
							  .method = IB_MAD_METHOD_TRAP_REPRESS,
							  .tid = tid });
	fakeumad_deliver(packet, sizeof(packet), 0);
}

/* A TrapRepress is for who receives, unless it is late and ends a Trap of ours. */
FAKEUMAD_TEST(trap_repress_without_a_trap)
{
	uint64_t ours = mad_trid();
	void *umad;

	deliver_repress(ours);
	assert_null(mad_receive_via(NULL, 20, *state));
	assert_int_equal(errno, ETIMEDOUT);
	deliver_repress(ours + 1000);
	umad = mad_receive_via(NULL, 1000, *state);
	assert_non_null(umad);
	mad_free(umad);
}

FAKEUMAD_TEST(receive_in_vain)
{
	int64_t began = fakeumad_now_ms();

	assert_null(mad_receive_via(NULL, 20, *state));
	assert_int_equal(errno, ETIMEDOUT);
	assert_true(fakeumad_now_ms() - began >= 19);
	assert_null(mad_receive_via(NULL, 0, *state));
	assert_true(errno == EAGAIN || errno == EWOULDBLOCK);
}

FAKEUMAD_TEST(receive_a_short_mad)
{
	uint8_t packet[FAKEUMAD_PACKET], *umad = mad_alloc();

	memset(umad, 0xee, FAKEUMAD_PACKET);
	make_request(packet, 4, 1);
	fakeumad_deliver(packet, FAKEUMAD_HEADER + 40, 0);
	memset(packet + FAKEUMAD_HEADER + 40, 0, FAKEUMAD_MAD - 40);
	assert_ptr_equal(mad_receive_via(umad, 1000, *state), umad);
	assert_memory_equal(umad, packet, sizeof(packet));
	mad_free(umad);
}

/* What becomes of a request that was sent without waiting is received, too. */
FAKEUMAD_TEST(outcome_of_a_plain_send)
{
	static const struct fakeumad_reply replies[] = {
		{ .data = "response", .data_size = 8, .data_offset = 64 }, FAKEUMAD_TIMED_OUT
	};
	ib_portid_t to = { .lid = 5, .qp = 1 };

	for (size_t i = 0; i < COUNT(replies); i++) {
		ib_rpc_t rpc = { .mgtclass = 4, .method = 1, .timeout = 20 };
		uint8_t *umad;

		fakeumad_expect_write(NULL, 0, &replies[i], 1);
		assert_int_equal(mad_send_via(&rpc, &to, NULL, NULL, *state), 0);
		umad = mad_receive_via(NULL, 1000, *state);
		assert_non_null(umad);
		assert_int_equal(umad_status(umad), i ? ETIMEDOUT : 0);
		assert_memory_equal(umad + FAKEUMAD_HEADER + 64, i ? "\0" : "response", i ? 1 : 8);
		mad_free(umad);
	}
}

/* Registering */

FAKEUMAD_TEST(register_servers_and_clients)
{
	long mask[16 / sizeof(long)] = { 0x26, 1 }, all[16 / sizeof(long)];
	static const struct {
		int mgmt_class, version, rmpp;
		uint32_t oui, given_oui;
	} servers[] = { { 0x81, 1, 1, 0, 0 },
			{ 0x03, 2, 1, 0, 0 },
			{ 0x0a, 1, 0, 0, 0 },
			{ 0x05, 1, 0, 0, 0 }, /* of all methods */
			{ 0x32, 1, 0, 0xabcdef, 0xabcdef } },
	  clients[] = { { 0x21, 2, 0, 0, 0 }, { 0x4f, 1, 1, 0x001405, 0 } };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);

	memset(all, 0xff, sizeof(all));
	assert_non_null(port);
	for (int i = 0; i < (int)COUNT(servers); i++) {
		long *methods = servers[i].mgmt_class == 5 ? NULL : mask;

		fakeumad_expect_register(servers[i].mgmt_class, servers[i].version, servers[i].rmpp,
					 servers[i].oui, methods ? methods : all, i, 0);
		assert_int_equal(mad_register_server_via(servers[i].mgmt_class, servers[i].rmpp,
							 methods, servers[i].given_oui, port),
				 i);
		assert_int_equal(mad_rpc_class_agent(port, servers[i].mgmt_class), i);
	}
	for (int i = 0; i < (int)COUNT(clients); i++) {
		fakeumad_expect_register(clients[i].mgmt_class, clients[i].version, clients[i].rmpp,
					 clients[i].oui, NULL, 31 + i, 0);
		assert_true(mad_register_client_via(clients[i].mgmt_class, clients[i].rmpp, port) >=
			    0);
		assert_int_equal(mad_rpc_class_agent(port, clients[i].mgmt_class), 31 + i);
	}
	fakeumad_expect_register(0x06, 1, 0, 0, NULL, 0, EBUSY);
	assert_int_equal(mad_register_client_via(0x06, 0, port), -1);
	assert_int_equal(errno, EBUSY);
	assert_int_equal(mad_rpc_class_agent(port, 0x06), -1);
	mad_rpc_close_port(port);
}

FAKEUMAD_TEST(register_what_can_not_be)
{
	static const int classes[] = { 0, 2, 7, 8, 0x10, 0x20, 0x2f, 0x50, 0x80, 0xff, 0x100, -1 };
	long mask[16 / sizeof(long)] = { 2 };

	for (size_t i = 0; i < COUNT(classes); i++) {
		errno = 0;
		assert_int_equal(mad_register_client_via(classes[i], 0, *state), -1);
		assert_int_equal(errno, EINVAL);
		errno = 0;
		assert_int_equal(mad_register_server_via(classes[i], 0, mask, 0x1405, *state), -1);
		assert_int_equal(errno, EINVAL);
	}
	assert_int_equal(mad_register_server_via(0x33, 0, mask, 0, *state), -1);
	assert_int_equal(mad_register_server_via(0x33, 0, mask, 0x1000000, *state), -1);
	assert_int_equal(mad_register_server_via(4, 0, mask, 0, *state), -1); /* is registered */
	assert_int_equal(mad_register_client_via(6, 0, NULL), -1);
	assert_int_equal(mad_register_server_via(6, 0, mask, 0, NULL), -1);
}
