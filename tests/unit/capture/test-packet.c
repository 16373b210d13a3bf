/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-packet.c - MADs as packets (libibumad/capture/packet.c) and messages as MADs
 * (libibumad/capture/rmpp.c).
 */
#include <string.h>

#include "test.h"
#include "libibumad/capture/capture.h"
#include "pcapfile.h"

enum { SA = 3, VENDOR = 0x32, DEVICE = 6, OPA = 0x80, LARGE = 5000 };

/* A packet of the specification's examples, up to its invariant checksum 0x96 0x25 0xb7 0x5a. */
static const uint8_t sample[] = {
	0x70, 0x12, 0x37, 0x5c, 0x00, 0x0e, 0x17, 0xd2, 0x0a, 0x20, 0x24, 0x87, 0x00,
	0x87, 0xb1, 0xb3, 0x00, 0x0d, 0xec, 0x2a, 0x01, 0x71, 0x0a, 0x1c, 0x01, 0x5d,
	0x40, 0x02, 0x38, 0xf2, 0x7a, 0x05, 0x00, 0x00, 0x00, 0x0e, 0xbb, 0x88, 0x4d,
	0x85, 0xfd, 0x5c, 0xfb, 0xa4, 0x72, 0x8b, 0xc0, 0x69, 0x0e, 0xd4, 0x00, 0x00,
};

TEST(the_specifications_sample)
{
	assert_int_equal(umad_packet_invariant_crc(sample, sizeof(sample), false), 0x5ab72596);
}

TEST(checksums_equal_those_made_bit_by_bit)
{
	uint8_t data[2100];
	uint32_t number = 7;
	size_t i, size;

	for (i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)((number = number * 1664525 + 1013904223) >> 24);
	data[0] |= 0xf0;
	data[12] = 0xff; /* what the invariant one masks */
	for (size = 24; size < sizeof(data); size += 37) {
		assert_int_equal(umad_packet_invariant_crc(data, size, false),
				 pcap_crc(0x04c11db7, 32, data, size));
		assert_int_equal(umad_packet_variant_crc(data, size),
				 pcap_crc(0x100b, 16, data, size));
	}
}

TEST(what_may_change_on_the_way_does_not_count)
{
	uint8_t data[320];
	uint32_t crc;
	size_t i;

	memset(data, 0x5a, sizeof(data));
	crc = umad_packet_invariant_crc(data, sizeof(data), true);
	memset(data, 0, 8);
	data[8] ^= 0x0f;
	data[9] = data[10] = data[11] = data[15] = data[52] = 0;
	assert_int_equal(umad_packet_invariant_crc(data, sizeof(data), true), crc);
	for (i = 0; i < 6; i++) {
		static const size_t counts[6] = { 8, 12, 14, 16, 48, 53 };

		data[counts[i]] ^= 0x80;
		assert_int_not_equal(umad_packet_invariant_crc(data, sizeof(data), true), crc);
		data[counts[i]] ^= 0x80;
	}
}

TEST(short_mads_are_filled_up)
{
	struct umad_packet_route route = { .slid = 1, .dlid = 2, .pkey = 0xffff };
	uint8_t packet[UMAD_PACKET_SIZE_MAX], mad[UMAD_MAD_SIZE_MAX];
	size_t length;

	memset(mad, 0x77, sizeof(mad));
	memset(packet, 0xee, sizeof(packet));
	assert_int_equal(umad_packet_build(&route, mad, 0, packet), 8 + 12 + 8 + 256 + 4 + 2);
	assert_int_equal(packet[28], 0);
	assert_int_equal(umad_packet_build(&route, mad, 24, packet), 290);
	assert_int_equal(packet[28 + 23], 0x77);
	assert_int_equal(packet[28 + 24], 0);
	assert_int_equal(packet[5], 72);
	for (length = 257; length <= 260; length++)
		assert_int_equal(umad_packet_build(&route, mad, length, packet), 294);
	assert_int_equal(packet[9], 0x40); /* 260 bytes need no padding */
	umad_packet_build(&route, mad, 257, packet);
	assert_int_equal(packet[9], 0x70); /* three bytes of it */
	route.grh_present = true;
	assert_int_equal(umad_packet_build(&route, mad, UMAD_MAD_SIZE_MAX, packet),
			 UMAD_PACKET_SIZE_MAX);
}

/* Each field of the headers has a value of its own, and more bits than belong there. */
TEST(headers_are_laid_out_as_on_the_wire)
{
	static const uint8_t lrh[] = { 0x00, 0x53, 0x01, 0x02, 0x00, 0x52, 0x03, 0x04 };
	static const uint8_t grh[] = { 0x6a, 0xbc, 0xde, 0xf1, 0x01, 0x18, 0x1b, 0x40 };
	static const uint8_t bth[] = { 0x64, 0x40, 0x81, 0x23, 0x00, 0xab,
				       0xcd, 0xef, 0x00, 0x00, 0x00, 0x00 };
	static const uint8_t deth[] = { 0x11, 0x22, 0x33, 0x44, 0x00, 0x98, 0x76, 0x54 };
	const struct umad_packet_route route = {
		.sl = 5,
		.slid = 0x0304,
		.dlid = 0x0102,
		.grh_present = true,
		.traffic_class = 0xab,
		.flow_label = 0xfffcdef1,
		.hop_limit = 0x40,
		.source_gid = { { 0xfe, 0x80, [15] = 5 } },
		.destination_gid = { { 0xfe, 0x80, [15] = 6 } },
		.pkey = 0x8123,
		.destination_qp = 0xffabcdef,
		.source_qp = 0xff987654,
		.qkey = 0x11223344,
	};
	uint8_t packet[UMAD_PACKET_SIZE_MAX], mad[UMAD_MAD_SIZE_MAX] = { 0 };

	assert_int_equal(umad_packet_build(&route, mad, 256, packet), 8 + 40 + 12 + 8 + 256 + 6);
	assert_memory_equal(packet, lrh, 8);
	assert_memory_equal(packet + 8, grh, 8);
	assert_memory_equal(packet + 16, &route.source_gid, 16);
	assert_memory_equal(packet + 32, &route.destination_gid, 16);
	assert_memory_equal(packet + 48, bth, 12);
	assert_memory_equal(packet + 60, deth, 8);
}

static uint32_t number_at(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
	       bytes[3];
}

/* A message whose every byte of data identifies its offset. */
static void make_message(uint8_t message[LARGE], uint8_t mgmt_class)
{
	size_t i;

	for (i = 0; i < LARGE; i++)
		message[i] = (uint8_t)(i * 7 + i / 256);
	message[0] = 1;
	message[1] = mgmt_class;
	message[24] = message[25] = 1;
	message[26] = 0xf8 | 1; /* no response time, active */
	message[27] = 0;
	memset(message + 28, 0, 8);
}

/* Takes the segments of a message together again, as a receiver does. */
static size_t reassemble(const uint8_t *message, size_t length, size_t offset, uint8_t *whole)
{
	size_t mad_size = message[0] == OPA ? UMAD_MAD_SIZE_MAX : UMAD_MAD_SIZE;
	size_t count = umad_packet_count(message, length), i, own, size, at = offset;
	uint8_t segment[UMAD_MAD_SIZE_MAX];

	for (i = 0; i < count; i++) {
		memset(segment, 0xee, sizeof(segment));
		size = umad_packet_segment(message, length, i, segment);
		own = size - offset;
		assert_true(i < count - 1 ? size == mad_size : size <= mad_size);
		assert_memory_equal(segment, message, 26);
		assert_memory_equal(segment + 36, message + 36, offset - 36);
		assert_int_equal(number_at(segment + 28), i + 1);
		assert_int_equal(segment[26] >> 3, 0x1f);
		assert_int_equal(segment[26] & 7, 1 | (!i ? 2 : 0) | (i == count - 1 ? 4 : 0));
		if (i == 0)
			assert_int_equal(number_at(segment + 32),
					 count * (offset - 36) + length - offset);
		else if (i == count - 1)
			assert_int_equal(number_at(segment + 32), offset - 36 + own);
		else
			assert_int_equal(number_at(segment + 32), 0);
		memcpy(whole + at, segment + offset, own);
		at += own;
	}
	return at;
}

/* How many MADs carry a message, around the sizes where another one is needed. */
static const struct {
	uint8_t version, mgmt_class;
	size_t offset;
	struct {
		size_t length, count;
	} sizes[5]; /* length 0 ends them */
} classes[] = {
	{ 1, SA, 56, { { 256, 1 }, { 257, 2 }, { 56 + 400, 2 }, { 56 + 401, 3 } } },
	{ 1, 0x30, 40, { { 256, 1 }, { 257, 2 } } },
	{ 1, VENDOR, 40, { { 256, 1 }, { 257, 2 } } },
	{ 1, 0x4f, 40, { { 256, 1 }, { 257, 2 } } },
	{ 1, DEVICE, 64, { { 256, 1 }, { 257, 2 } } },
	/* MADs of Omni-Path have up to 2,048 bytes */
	{ OPA, SA, 56, { { 257, 1 }, { 2048, 1 }, { 2049, 2 }, { 56 + 3984, 2 }, { 4041, 3 } } },
};

TEST(messages_are_cut_into_segments)
{
	uint8_t message[LARGE], whole[LARGE];

	for (size_t i = 0; i < COUNT(classes); i++) {
		size_t offset = classes[i].offset;

		make_message(message, classes[i].mgmt_class);
		message[0] = classes[i].version;
		for (size_t k = 0; k < COUNT(classes[i].sizes) && classes[i].sizes[k].length; k++)
			assert_int_equal(umad_packet_count(message, classes[i].sizes[k].length),
					 classes[i].sizes[k].count);
		for (size_t length = 257; length <= LARGE; length += 13) {
			memcpy(whole, message, sizeof(whole));
			memset(whole + offset, 0, LARGE - offset);
			assert_int_equal(reassemble(message, length, offset, whole), length);
			assert_memory_equal(whole, message, length);
		}
	}
}

TEST(single_segments_get_the_numbers_that_the_kernel_gives)
{
	uint8_t message[LARGE], segment[UMAD_MAD_SIZE_MAX];

	make_message(message, SA);
	assert_int_equal(umad_packet_segment(message, 100, 0, segment), 100);
	assert_int_equal(segment[26], 0xf8 | 7);
	assert_int_equal(number_at(segment + 28), 1);
	assert_int_equal(number_at(segment + 32), 64);
	assert_int_equal(umad_packet_segment(message, 40, 0, segment), 40);
	assert_int_equal(number_at(segment + 32), 20);
	message[31] = 9; /* it has a number */
	assert_int_equal(umad_packet_segment(message, 100, 0, segment), 100);
	assert_memory_equal(segment, message, 100);
}

TEST(what_is_no_message_is_one_mad)
{
	uint8_t message[LARGE], segment[UMAD_MAD_SIZE_MAX];
	size_t i;

	for (i = 0; i < 4; i++) {
		make_message(message, SA);
		if (i == 0)
			message[1] = 4; /* a class without RMPP */
		if (i == 1)
			message[24] = 0; /* no version */
		if (i == 2)
			message[25] = 2; /* an acknowledgement */
		if (i == 3)
			message[26] = 0; /* not active */
		assert_int_equal(umad_packet_count(message, 2000), 1);
		assert_int_equal(umad_packet_segment(message, 2000, 0, segment), 2000);
		assert_memory_equal(segment, message, 2000);
		assert_int_equal(umad_packet_segment(message, LARGE, 0, segment),
				 UMAD_MAD_SIZE_MAX);
	}
	assert_int_equal(umad_packet_count(message, 0), 1);
	assert_int_equal(umad_packet_segment(message, 0, 0, segment), 0);
}
