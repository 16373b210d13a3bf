/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The server side: any request may arrive, and the response is one MAD or a
 * table. What is sent is a response to a received request. Debugging prints it, and a capture makes
 * a packet of it.
 */
#include <errno.h>
#include <stdlib.h>

#include <infiniband/mad_message.h>

#include "fuzz.h"
#include "libibumad/capture/capture.h"

enum {
	STEPS = 8,
	METHOD = FUZZ_HEADER + 3,
	STATUS = FUZZ_HEADER + 4,
	TID = FUZZ_HEADER + 8,
	HOP_POINTER = FUZZ_HEADER + 6,
	CLASS_DR = 0x81,
	CLASS_SA = 0x03,
	METHOD_SEND = 0x03,
};

/* The last write is the response to the request. */
static void check_response(const uint8_t *request, uint32_t status, size_t least)
{
	const uint8_t *response = fuzz_kernel.last_write;
	size_t size = fuzz_kernel.last_size;
	uint8_t mgmt_class = request[FUZZ_HEADER + 1];
	uint16_t sent = (uint16_t)(response[STATUS] << 8 | response[STATUS + 1]);

	FUZZ_CHECK(size >= (least < FUZZ_PACKET_MAX ? least : FUZZ_PACKET_MAX));
	FUZZ_CHECK(response[FUZZ_HEADER] == 1 && response[FUZZ_HEADER + 1] == mgmt_class);
	FUZZ_CHECK(response[METHOD] & 0x80 || response[METHOD] == METHOD_SEND);
	FUZZ_CHECK(!memcmp(response + TID, request + TID, 8));
	if (mgmt_class == CLASS_DR) {
		FUZZ_CHECK(sent == ((status & 0x7fff) | 0x8000));
		FUZZ_CHECK(response[HOP_POINTER] == response[HOP_POINTER + 1] + 1);
		FUZZ_CHECK(response[HOP_POINTER + 1] < IB_SUBNET_PATH_HOPS_MAX);
	} else {
		FUZZ_CHECK(sent == (uint16_t)status);
	}
}

static void respond(uint8_t *umad, struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input), request[FUZZ_HEADER + FUZZ_MAD];
	uint32_t status = which & 1 ? fuzz_u16(input) : 0;
	unsigned writes = fuzz_kernel.writes;
	ib_portid_t portid;

	memcpy(request, umad, sizeof(request));
	if (which & 2)
		fuzz_portid(input, &portid);
	errno = 0;
	if (mad_respond_via(umad, which & 2 ? &portid : NULL, status, port) < 0)
		FUZZ_CHECK(errno > 0);
	else
		FUZZ_CHECK(fuzz_kernel.writes > writes);
	if (fuzz_kernel.writes > writes)
		check_response(request, status, FUZZ_HEADER + FUZZ_MAD);
}

static void respond_table(uint8_t *umad, struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input), request[FUZZ_HEADER + FUZZ_MAD], *records;
	unsigned record_size = fuzz_u8(input), count = fuzz_u8(input) & 31;
	unsigned writes = fuzz_kernel.writes;
	bool is_sa = umad[FUZZ_HEADER + 1] == CLASS_SA;
	size_t stride = is_sa ? (record_size + 7) & ~7U : record_size;

	memcpy(request, umad, sizeof(request));
	records = malloc((size_t)record_size * count + 1);
	FUZZ_CHECK(records);
	memset(records, which, (size_t)record_size * count + 1);
	errno = 0;
	if (mad_message_respond_table(port, NULL, umad, which & 1, which & 2 ? NULL : records,
				      record_size, which & 4 ? count << 27 : count) < 0)
		FUZZ_CHECK(errno > 0);
	FUZZ_CHECK(!memcmp(request, umad, sizeof(request)));
	if (fuzz_kernel.writes > writes)
		check_response(request, which & 1,
			       FUZZ_HEADER + (is_sa ? 56 : 40) + (which & 4 ? 0 : stride * count));
	free(records);
}

static void send_one(struct ibmad_port *port, struct fuzz_input *input)
{
	static const uint8_t classes[] = { 0x01, 0x81, 0x03, 0x32 };
	uint8_t which = fuzz_u8(input), data[FUZZ_MAD] = { which };
	ib_rmpp_hdr_t rmpp = { .type = which >> 4, .flags = which & 7 };
	ib_rpc_t rpc = {
		.mgtclass = classes[which & 3],
		.method = fuzz_u8(input),
		.dataoffs = which & 4 ? fuzz_u8(input) : 64,
		.datasz = which & 8 ? fuzz_u8(input) : 64,
	};
	ib_portid_t portid;

	fuzz_portid(input, &portid);
	errno = 0;
	if (mad_send_via(&rpc, &portid, which & 16 ? &rmpp : NULL, which & 32 ? NULL : data, port) <
	    0)
		FUZZ_CHECK(errno > 0);
}

/* A capture has all bytes of the MAD, but zeros instead of keys. */
static void check_capture(const uint8_t *umad, int fd)
{
	uint8_t *packet = fuzz_guard(UMAD_PACKET_SIZE_MAX);
	const uint8_t *mad = umad + FUZZ_HEADER;
	struct umad_capture_note note;

	umad_capture_note_mad(fd, umad, FUZZ_MAD, true, &note);
	for (size_t i = 0; i < FUZZ_MAD; i++)
		FUZZ_CHECK(note.head[i] == mad[i] || !note.head[i]);
	FUZZ_CHECK(umad_packet_build(&note, 0, packet) > FUZZ_MAD);
	umad_capture_free_note(&note);
}

static void receive(struct ibmad_port *port, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	int timeout = which & 4 ? which >> 3 : which & 1 ? -1 : 0;
	void *buffer = which & 2 ? fuzz_guard(FUZZ_HEADER + FUZZ_MAD) : NULL, *umad;
	int64_t started = fuzz_kernel_ms();

	if (buffer)
		memset(buffer, 0, FUZZ_HEADER + FUZZ_MAD);
	errno = 0;
	umad = mad_receive_via(buffer, timeout, port);
	FUZZ_CHECK(timeout < 0 || fuzz_kernel_ms() - started <= timeout + 50);
	if (!umad) {
		FUZZ_CHECK(errno > 0);
		return;
	}
	FUZZ_CHECK(!buffer || umad == buffer);
	fuzz_touch(umad, FUZZ_HEADER + FUZZ_MAD);
	FUZZ_CHECK(fuzz_kernel_delivered((uint8_t *)umad + FUZZ_HEADER, 0, FUZZ_MAD));
	check_capture(umad, mad_rpc_portid(port));
	if (which & 128)
		respond_table(umad, port, input);
	else
		respond(umad, port, input);
	if (!buffer)
		mad_free(umad);
}

void fuzz_target(struct fuzz_input *input)
{
	struct ibmad_port *port = fuzz_open_port(input);
	int fd = mad_rpc_portid(port), steps = STEPS;
	uint8_t action = fuzz_u8(input);

	umad_debug(action & 2 ? 2 : 0);
	if (action & 1)
		mad_register_server_via(0x33, 1, NULL, 0x1405, port);
	while (input->left && steps--) {
		action = fuzz_u8(input);
		if (action & 1)
			fuzz_kernel_ask(fd);
		if (action & 2)
			send_one(port, input);
		receive(port, input);
	}
	umad_debug(0);
	mad_rpc_close_port(port);
}
