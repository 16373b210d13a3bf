/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Unsolicited MADs of many segments for a server with buffers of 256 bytes: each is reported
 * once, waits for a call without a buffer, and holds up nothing that follows.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <infiniband/umad.h>
#include <stdlib.h>
#include <string.h>

#define LONG_LENGTH 1000

/* An unsolicited request: vendor class, Set, with that many bytes of MAD. */
static void deliver_of_length(uint8_t number, size_t length)
{
	uint8_t *packet = calloc(1, RESPONDER_HEADER + length);
	struct ib_user_mad *header = (void *)packet;
	uint8_t *mad = packet + RESPONDER_HEADER;

	assert_non_null(packet);
	header->length = (uint32_t)(RESPONDER_HEADER + length);
	header->addr.lid = htobe16(7);
	header->addr.qpn = htobe32(1);
	mad[0] = 1;
	mad[1] = 0x32;
	mad[2] = 1;
	mad[3] = IB_MAD_METHOD_SET;
	mad[15] = number;
	mad[24] = 1; /* RMPP: version, DATA, active */
	mad[25] = 1;
	mad[26] = 0xf9;
	responder_deliver(0, packet, RESPONDER_HEADER + length);
	free(packet);
}

static uint8_t number_of(void *umad)
{
	return ((uint8_t *)umad_get_mad(umad))[15];
}

/* With a buffer for one MAD: the number that comes, or -1 with errno. */
static int receive(struct ibmad_port *port, int timeout_ms)
{
	void *umad = mad_alloc(), *received;
	int number, error;

	assert_non_null(umad);
	received = mad_receive_via(umad, timeout_ms, port);
	error = errno;
	number = received ? number_of(received) : -1;
	mad_free(umad);
	errno = error;
	return number;
}

/* Without a buffer, the whole of it. */
static void receive_whole(struct ibmad_port *port, uint8_t number, size_t length)
{
	void *umad = mad_receive_via(NULL, 1000, port);

	assert_non_null(umad);
	assert_int_equal(number_of(umad), number);
	assert_int_equal(((struct ib_user_mad *)umad)->length - RESPONDER_HEADER, length);
	mad_free(umad);
}

static void assert_too_long(struct ibmad_port *port)
{
	assert_int_equal(receive(port, 1000), -1);
	assert_int_equal(errno, ENOSPC);
}

static void assert_nothing(struct ibmad_port *port)
{
	assert_int_equal(receive(port, 0), -1);
	assert_true(errno == EAGAIN || errno == ETIMEDOUT);
	assert_int_equal(receive(port, 30), -1);
	assert_int_equal(errno, ETIMEDOUT);
}

PORT_TEST(is_reported_once)
{
	deliver_of_length(1, LONG_LENGTH);
	deliver_of_length(2, RESPONDER_MAD);
	deliver_of_length(3, RESPONDER_MAD);
	assert_too_long(*state);
	assert_int_equal(receive(*state, 1000), 2);
	assert_int_equal(receive(*state, 1000), 3);
	assert_nothing(*state);
	receive_whole(*state, 1, LONG_LENGTH);
	assert_nothing(*state);
}

/* Those without a buffer get everything in order, whatever its length. */
PORT_TEST(whole_ones_come_in_order)
{
	deliver_of_length(1, RESPONDER_MAD);
	deliver_of_length(2, LONG_LENGTH);
	deliver_of_length(3, RESPONDER_MAD);
	receive_whole(*state, 1, RESPONDER_MAD);
	receive_whole(*state, 2, LONG_LENGTH);
	receive_whole(*state, 3, RESPONDER_MAD);
}

PORT_TEST(lengths_about_the_limit)
{
	deliver_of_length(1, RESPONDER_MAD - 1);
	deliver_of_length(2, RESPONDER_MAD);
	deliver_of_length(3, RESPONDER_MAD + 1);
	deliver_of_length(4, RESPONDER_MAD);
	assert_int_equal(receive(*state, 1000), 1);
	assert_int_equal(receive(*state, 1000), 2);
	assert_too_long(*state);
	assert_int_equal(receive(*state, 1000), 4);
	receive_whole(*state, 3, RESPONDER_MAD + 1);
}

/* While one is kept, a call waits for what follows as it always does, and quietly. */
PORT_TEST(waits_beside_a_kept_one)
{
	int64_t started = now_ms();
	unsigned polls;

	deliver_of_length(1, LONG_LENGTH);
	assert_too_long(*state);
	polls = responder_polls(0);
	assert_int_equal(receive(*state, 300), -1);
	assert_int_equal(errno, ETIMEDOUT);
	assert_int_equal(now_ms() - started, 300);
	assert_between(responder_polls(0) - polls, 1, 100);
}

/* A thousand of them do not keep out the MADs of others. */
PORT_TEST(many_of_them)
{
	int number = -1, reported = 0;

	for (int i = 0; i < 1000; i++)
		deliver_of_length(1, LONG_LENGTH);
	deliver_of_length(2, RESPONDER_MAD);
	for (int i = 0; i <= 1000 && number < 0; i++) {
		number = receive(*state, 1000);
		if (number < 0)
			assert_int_equal(errno, ENOSPC);
		reported += number < 0;
	}
	assert_int_equal(number, 2);
	assert_between(reported, 1, 1000);
	receive_whole(*state, 1, LONG_LENGTH);
	deliver_of_length(3, RESPONDER_MAD);
	assert_int_equal(receive(*state, 1000), 3);
}

/* A port keeps 64 MiB of what nobody has received yet, and as much again after that. */
PORT_TEST(as_many_bytes_as_are_kept)
{
	enum { HALF = 32 << 20 };
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };

	for (int round = 0; round < 2; round++) {
		deliver_of_length(1, HALF);
		deliver_of_length(2, HALF);
		deliver_of_length(3, RESPONDER_MAD);
		for (int i = 0; i < 10; i++)
			assert_non_null(smp_query_via(data, &to, 0x11, 2, 10000, *state));
		receive_whole(*state, 1, HALF);
		receive_whole(*state, 2, HALF);
		assert_nothing(*state);
	}
}

/* A blocking call reads them all; the receiver comes later. */
PORT_TEST(many_read_by_a_blocking_call)
{
	ib_portid_t to = { .lid = 2 };
	uint8_t data[64] = { 0 };
	int number = -1;

	for (int i = 0; i < 20; i++)
		deliver_of_length(1, LONG_LENGTH);
	deliver_of_length(2, RESPONDER_MAD);
	for (int i = 0; i < 30; i++)
		assert_non_null(smp_query_via(data, &to, 0x11, 2, 10000, *state));
	for (int i = 0; i <= 20 && number < 0; i++)
		number = receive(*state, 1000);
	assert_int_equal(number, 2);
	receive_whole(*state, 1, LONG_LENGTH);
}
