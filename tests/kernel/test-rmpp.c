/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Messages of many MADs: the kernel's RMPP, both ways, and a program that implements it itself.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "loop.h"
#include "sys.h"
#include "tap.h"

enum {
	LARGE = 100000,
	SEGMENT_DATA = LOOP_MAD_SIZE - MAD_VENDOR_DATA,
	TRANSFER_WAIT_MS = 10000,
	TYPE_DATA = 1,
	TYPE_ACK = 2,
	FLAG_ACTIVE = 1,
	FLAG_FIRST = 2,
	FLAG_LAST = 4,
	RMPP_CLASS_HEADER = 4, /* the OUI, which PayloadLength counts in each segment */
};

struct setup {
	int client_fd, server_fd;
	int client, server;
	void *buffer; /* space for LARGE */
};

static void set_up(struct setup *setup)
{
	setup->client_fd = loop_open(LOOP_DEVICE);
	setup->server_fd = loop_open(LOOP_DEVICE);
	setup->client = loop_client(setup->client_fd, LOOP_CLASS, 1);
	setup->server = loop_server(setup->server_fd, LOOP_CLASS, 1);
	setup->buffer = loop_alloc(LARGE);
}

static void tear_down(struct setup *setup)
{
	check_equal(umad_close_port(setup->client_fd), 0);
	check_equal(umad_close_port(setup->server_fd), 0);
	free(setup->buffer);
}

/* The client asks, the server responds with a message of `size` bytes. */
static void send_response(struct setup *setup, size_t size, unsigned seed)
{
	loop_request(setup->buffer, LOOP_DEVICE, LOOP_CLASS, METHOD_GET, seed);
	check_equal(umad_send(setup->client_fd, setup->client, setup->buffer, LOOP_MAD_SIZE,
			      TRANSFER_WAIT_MS, 0),
		    0);
	loop_receive(setup->server_fd, setup->buffer, setup->server);
	loop_response(setup->buffer);
	loop_fill_rmpp(setup->buffer, size, seed);
	check_equal(umad_send(setup->server_fd, setup->server, setup->buffer, size, 0, 0), 0);
}

/* A whole message is the headers of one segment and all the data, the last segment's padding cut
 * off. */
static void check_message(const struct setup *setup, int length, size_t size, unsigned seed)
{
	uint8_t *mad = loop_mad(setup->buffer);

	if (size < LOOP_MAD_SIZE)
		check(length >= (int)size);
	else
		check_equal(length, size);
	check_equal(umad_status(setup->buffer), 0);
	check(loop_holds_pattern(mad + MAD_VENDOR_DATA, size - MAD_VENDOR_DATA, seed));
}

static void check_response(struct setup *setup, size_t size, unsigned seed)
{
	int64_t start = sys_now_ms();
	int length = LARGE;

	send_response(setup, size, seed);
	memset(setup->buffer, 0xff, umad_size() + LARGE);
	check_equal(umad_recv(setup->client_fd, setup->buffer, &length, TRANSFER_WAIT_MS),
		    setup->client);
	check_message(setup, length, size, seed);
	if (size >= LARGE)
		tap_note("%zu bytes took %d ms", size, (int)(sys_now_ms() - start));
}

TEST(responses_of_any_size_come_whole)
{
	static const size_t sizes[] = {
		MAD_VENDOR_DATA + 1,
		LOOP_MAD_SIZE,
		LOOP_MAD_SIZE + 1,
		MAD_VENDOR_DATA + 2 * SEGMENT_DATA,
		MAD_VENDOR_DATA + 2 * SEGMENT_DATA + 1,
		MAD_VENDOR_DATA + 65 * SEGMENT_DATA - 1,
	};
	struct setup setup;

	set_up(&setup);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		check_response(&setup, sizes[i], i + 10);
	tear_down(&setup);
}

TEST(a_response_of_100_kB_comes_whole)
{
	struct setup setup;

	set_up(&setup);
	check_response(&setup, LARGE, 2);
	check_response(&setup, LARGE, 3);
	tear_down(&setup);
}

/* The other way round: the client sends a long message, and the server's response is short. */
static void check_request(struct setup *setup, size_t size, unsigned seed)
{
	int length = LARGE;

	loop_request(setup->buffer, LOOP_DEVICE, LOOP_CLASS, METHOD_SET, seed);
	loop_fill_rmpp(setup->buffer, size, seed);
	check_equal(umad_send(setup->client_fd, setup->client, setup->buffer, size,
			      TRANSFER_WAIT_MS, 0),
		    0);
	memset(setup->buffer, 0xff, umad_size() + LARGE);
	check_equal(umad_recv(setup->server_fd, setup->buffer, &length, TRANSFER_WAIT_MS),
		    setup->server);
	check_message(setup, length, size, seed);
	loop_response(setup->buffer);
	check_equal(umad_send(setup->server_fd, setup->server, setup->buffer, LOOP_MAD_SIZE, 0, 0),
		    0);
	loop_receive(setup->client_fd, setup->buffer, setup->client);
	check_equal(umad_status(setup->buffer), 0);
	check_equal(loop_get32(loop_mad(setup->buffer) + MAD_TID_LOW), seed);
}

TEST(requests_of_up_to_100_kB_arrive_whole)
{
	struct setup setup;

	set_up(&setup);
	check_request(&setup, LOOP_MAD_SIZE, 20);
	check_request(&setup, LOOP_MAD_SIZE + 1, 21);
	check_request(&setup, 3000, 22);
	check_request(&setup, LARGE, 23);
	tear_down(&setup);
}

static int register_user_rmpp(int fd)
{
	struct umad_reg_attr attr = {
		.mgmt_class = LOOP_CLASS,
		.mgmt_class_version = 1,
		.flags = UMAD_USER_RMPP,
		.oui = LOOP_OUI,
		.rmpp_version = 1,
	};
	uint32_t id = 0;

	check_equal(umad_register2(fd, &attr, &id), 0);
	return id;
}

/* What a program that does RMPP by itself sends back for a segment. */
static void send_ack(struct setup *setup, uint32_t segment, uint32_t window)
{
	void *ack = loop_alloc(LOOP_MAD_SIZE);
	uint8_t *mad = loop_mad(ack);

	memcpy(ack, setup->buffer, umad_size() + LOOP_MAD_SIZE);
	loop_response(ack);
	mad[MAD_METHOD] = METHOD_GET;
	mad[MAD_RMPP_TYPE] = TYPE_ACK;
	mad[MAD_RMPP_FLAGS] = FLAG_ACTIVE;
	loop_put32(mad + MAD_RMPP_SEGMENT, segment);
	loop_put32(mad + MAD_RMPP_LENGTH, window);
	check_equal(umad_send(setup->client_fd, setup->client, ack, LOOP_MAD_SIZE, 0, 0), 0);
	free(ack);
}

/* Receives segment number `want` (1 and up) and puts its data where they belong. */
static bool take_segment(struct setup *setup, uint32_t want, uint8_t *data)
{
	uint8_t *mad = loop_mad(setup->buffer);

	if (loop_receive(setup->client_fd, setup->buffer, setup->client) != LOOP_MAD_SIZE)
		return false;
	memcpy(data, mad + MAD_VENDOR_DATA, SEGMENT_DATA);
	check_equal(mad[MAD_RMPP_TYPE], TYPE_DATA);
	check_equal(!!(mad[MAD_RMPP_FLAGS] & FLAG_FIRST), want == 1);
	return check_equal(loop_get32(mad + MAD_RMPP_SEGMENT), want);
}

/* The server has the kernel's RMPP, the client its own: it sees, acknowledges and joins the
 * segments. */
TEST(UMAD_USER_RMPP_gets_each_segment)
{
	enum { SEGMENTS = 14, SIZE = MAD_VENDOR_DATA + SEGMENTS * SEGMENT_DATA - 100 };
	uint8_t data[SEGMENTS * SEGMENT_DATA];
	uint32_t segment = 0;
	struct setup setup;
	uint8_t *mad;

	set_up(&setup);
	umad_unregister(setup.client_fd, setup.client);
	setup.client = register_user_rmpp(setup.client_fd);
	send_response(&setup, SIZE, 30);
	mad = loop_mad(setup.buffer);
	while (segment < SEGMENTS &&
	       take_segment(&setup, segment + 1, data + segment * SEGMENT_DATA)) {
		segment++;
		send_ack(&setup, segment, segment + 2);
	}
	check_equal(segment, SEGMENTS);
	check(mad[MAD_RMPP_FLAGS] & FLAG_LAST);
	check_equal(loop_get32(mad + MAD_RMPP_LENGTH), SEGMENT_DATA - 100 + RMPP_CLASS_HEADER);
	check(loop_holds_pattern(data, SIZE - MAD_VENDOR_DATA, 30));
	check(loop_is_quiet(setup.client_fd));
	tear_down(&setup);
}
