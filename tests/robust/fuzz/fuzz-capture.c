/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a capture makes of a MAD that anybody may have sent, or that a program sends: the way it
 * went, the MADs that a long message is on the wire, and the packet of each, in buffers of exactly
 * the size they may take. No file is written.
 */
#include <endian.h>

#include <infiniband/umad.h>

#include "fuzz-kernel.h"
#include "libibumad/capture/capture.h"

enum {
	LENGTH_MAX = 3000, /* more than the longest packet holds */
	CHECKSUMS = 6,
	LRH = 8,
	GRH = 40,
	TRANSPORT = 20,
	RMPP_FLAGS = 26,
	RMPP_SEGMENT = 28,
	RMPP_END = 36,
};

static unsigned be16_at(const uint8_t *bytes)
{
	return (unsigned)(bytes[0] << 8 | bytes[1]);
}

/* The packet says how long it is, ends with its checksums, and holds the MAD and then zeros. */
static void check_packet(const uint8_t *packet, size_t size, const uint8_t *mad, size_t length,
			 const struct umad_packet_route *route)
{
	size_t headers = LRH + TRANSPORT + (route->grh_present ? GRH : 0);
	uint32_t invariant;
	uint16_t variant;

	FUZZ_CHECK(size <= UMAD_PACKET_SIZE_MAX && size >= headers + UMAD_MAD_SIZE + CHECKSUMS);
	FUZZ_CHECK(be16_at(packet + 4) * 4 + 2 == size);
	FUZZ_CHECK(be16_at(packet + 2) == route->dlid && be16_at(packet + 6) == route->slid);
	FUZZ_CHECK(!memcmp(packet + headers, mad, length));
	for (size_t i = headers + length; i < size - CHECKSUMS; i++)
		FUZZ_CHECK(!packet[i]);
	invariant =
		htole32(umad_packet_invariant_crc(packet, size - CHECKSUMS, route->grh_present));
	variant = htole16(umad_packet_variant_crc(packet, size - 2));
	FUZZ_CHECK(!memcmp(packet + size - CHECKSUMS, &invariant, sizeof(invariant)));
	FUZZ_CHECK(!memcmp(packet + size - 2, &variant, sizeof(variant)));
}

/* Where the data of a class with RMPP begin. */
static size_t data_offset(uint8_t mgmt_class)
{
	if (mgmt_class == 0x03)
		return 56;
	return mgmt_class >= 0x30 ? 40 : 64;
}

/* One of several MADs has the message's header, but for its number, and its part of the data. */
static void check_segment(const uint8_t *segment, size_t length, size_t index, size_t count,
			  const uint8_t *mad, size_t whole)
{
	size_t mad_size = mad[0] == 0x80 ? UMAD_MAD_SIZE_MAX : UMAD_MAD_SIZE;
	size_t offset = data_offset(mad[1]), capacity = mad_size - offset;
	size_t start = offset + index * capacity,
	       own = whole - start < capacity ? whole - start : capacity;

	FUZZ_CHECK(length == offset + own && (own == capacity || index == count - 1));
	FUZZ_CHECK(!memcmp(segment, mad, RMPP_FLAGS));
	FUZZ_CHECK(be16_at(segment + RMPP_SEGMENT + 2) == index + 1);
	FUZZ_CHECK((segment[RMPP_FLAGS] & 6) ==
		   ((index == 0 ? 2 : 0) | (index == count - 1 ? 4 : 0)));
	FUZZ_CHECK(!memcmp(segment + RMPP_END, mad + RMPP_END, offset - RMPP_END));
	FUZZ_CHECK(!memcmp(segment + offset, mad + start, own));
}

static void check_message(const struct umad_capture_note *note)
{
	const uint8_t *mad = note->whole ? note->whole : note->head;
	size_t count = umad_packet_count(mad, note->length);

	FUZZ_CHECK(count >= 1 && (count == 1 || note->length > UMAD_MAD_SIZE));
	for (size_t i = 0; i < count; i++) {
		uint8_t *segment = fuzz_guard(UMAD_MAD_SIZE_MAX);
		uint8_t *packet = fuzz_guard(UMAD_PACKET_SIZE_MAX);
		size_t length = umad_packet_segment(mad, note->length, i, segment), size;

		FUZZ_CHECK(length <= UMAD_MAD_SIZE_MAX);
		if (count > 1)
			check_segment(segment, length, i, count, mad, note->length);
		size = umad_packet_build(&note->route, segment, length, packet);
		check_packet(packet, size, segment, length, &note->route);
		fuzz_guard_check();
	}
}

/* A umad packet: its header, and the beginning of its MAD, are the input's. */
static uint8_t *read_packet(struct fuzz_input *input, uint8_t control, size_t *length)
{
	static const uint8_t classes[] = { 0x03, 0x81, 0x01, 0x04, 0x32, 0x06, 0x10, 0x12 };
	uint8_t *umad, *mad;

	*length = control & 1 ? fuzz_u16(input) % LENGTH_MAX : FUZZ_MAD;
	umad = fuzz_guard(FUZZ_HEADER + *length);
	memset(umad, control, FUZZ_HEADER + *length);
	if (control & 2)
		fuzz_bytes(input, umad, FUZZ_HEADER);
	mad = umad + FUZZ_HEADER;
	for (size_t i = 0; i < *length; i++)
		mad[i] = (uint8_t)(i * 7 >> 3);
	if (*length < RMPP_END)
		return umad;
	mad[1] = classes[control >> 5];
	mad[24] = control >> 2 & 1;
	mad[25] = control >> 3 & 1;
	mad[RMPP_FLAGS] = control >> 4 & 1;
	fuzz_bytes(input, mad + RMPP_SEGMENT, 8);
	if (input->left)
		fuzz_bytes(input, mad, input->left < *length ? input->left : *length);
	return umad;
}

/* What is noted is the MAD as it is, but for zeros in place of keys. */
static void check_head(const uint8_t *noted, const uint8_t *mad, size_t length)
{
	for (size_t i = 0; i < length; i++)
		FUZZ_CHECK(noted[i] == mad[i] || !noted[i]);
}

void fuzz_target(struct fuzz_input *input)
{
	uint8_t control = fuzz_u8(input), more = fuzz_u8(input), *umad;
	struct umad_capture_note note;
	size_t length;
	int fd = -1;

	fuzz_kernel_one_hca();
	if (more & 1)
		fd = umad_open_port("mlx5_0", 1);
	fuzz_kernel_fail_files(more & 2);
	umad = read_packet(input, control, &length);
	/* reads nothing behind the message */
	FUZZ_CHECK(umad_packet_count(umad + FUZZ_HEADER, length) >= 1);
	umad_capture_note_mad(more & 4 ? 77 : fd, umad, length, more & 8, &note);
	FUZZ_CHECK(note.length == length && note.received == !!(more & 8));
	check_head(note.head, umad + FUZZ_HEADER, length < UMAD_MAD_SIZE ? length : UMAD_MAD_SIZE);
	if (length <= UMAD_MAD_SIZE || note.whole)
		check_message(&note);
	umad_capture_free_note(&note);
	fuzz_kernel_fail_files(false);
	if (fd >= 0)
		FUZZ_CHECK(!umad_close_port(fd));
}
