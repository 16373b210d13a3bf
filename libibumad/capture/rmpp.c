/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a message looks like on the wire. Programs give the kernel, and get from it, whole messages
 * of the reliable multi-packet protocol (volume 1, 13.6): one header, and all data behind it. On
 * the wire each of its MADs has the header again, with a segment number. What is no such message is
 * one MAD. Touches nothing but the buffers that it is given.
 */
#include <string.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibumad/capture/capture.h"

enum {
	BASE_VERSION_OPA = 0x80,
	TYPE_DATA = 1,
	FLAG_FIRST = 2,
	FLAG_LAST = 4,
};

/* Whether the MAD is data of RMPP. */
static bool is_data(const uint8_t *mad, size_t length)
{
	return length >= RMPP_END && mad_class_rmpp_data(mad[MAD_CLASS]) &&
	       mad[RMPP_VERSION] == UMAD_RMPP_VERSION && mad[RMPP_TYPE] == TYPE_DATA &&
	       (mad[RMPP_RTIME_FLAGS] & UMAD_RMPP_FLAG_ACTIVE);
}

/* How much data one MAD of a message has room for. Those of Omni-Path are longer. */
static size_t data_room(const uint8_t *mad)
{
	size_t size = mad[MAD_BASE_VERSION] == BASE_VERSION_OPA ? UMAD_MAD_SIZE_MAX : UMAD_MAD_SIZE;

	return size - mad_class_rmpp_data(mad[MAD_CLASS]);
}

/* How many MADs a message is; no data are a MAD, too. */
size_t umad_packet_count(const uint8_t *mad, size_t length)
{
	size_t offset, room;

	if (!is_data(mad, length))
		return 1;
	offset = mad_class_rmpp_data(mad[MAD_CLASS]);
	room = data_room(mad);
	return length <= offset + room ? 1 : (length - offset + room - 1) / room;
}

/* The length field of the first segment counts the data of all, that of the last one its own; the
 * part of the header that follows the RMPP header is data for it, in each. */
static void put_header(uint8_t *segment, size_t index, size_t count, size_t data, size_t own)
{
	size_t class_header = mad_class_rmpp_data(segment[MAD_CLASS]) - RMPP_END, length = 0;

	segment[RMPP_RTIME_FLAGS] &= (uint8_t) ~(FLAG_FIRST | FLAG_LAST);
	if (index == count - 1) {
		segment[RMPP_RTIME_FLAGS] |= FLAG_LAST;
		length = class_header + own;
	}
	if (index == 0) {
		segment[RMPP_RTIME_FLAGS] |= FLAG_FIRST;
		length = count * class_header + data;
	}
	mad_put_be32(segment + RMPP_SEGMENT, (uint32_t)(index + 1));
	mad_put_be32(segment + RMPP_LENGTH, (uint32_t)length);
}

/* A message of one MAD whose RMPP header the kernel fills in. */
static bool has_no_segment_number(const uint8_t *mad, size_t length)
{
	static const uint8_t none[4];

	return is_data(mad, length) && !memcmp(mad + RMPP_SEGMENT, none, sizeof(none));
}

static size_t copy_single(const uint8_t *mad, size_t length, uint8_t *segment)
{
	size_t offset = mad_class_rmpp_data(length > MAD_CLASS ? mad[MAD_CLASS] : 0);
	size_t data = length > offset ? length - offset : 0;

	if (length > UMAD_MAD_SIZE_MAX)
		length = UMAD_MAD_SIZE_MAX;
	memcpy(segment, mad, length);
	if (has_no_segment_number(mad, length))
		put_header(segment, 0, 1, data, data);
	return length;
}

/* Copies the MAD number index, from 0, of a message, at most UMAD_MAD_SIZE_MAX bytes. Returns how
 * many. */
size_t umad_packet_segment(const uint8_t *mad, size_t length, size_t index,
			   uint8_t segment[UMAD_MAD_SIZE_MAX])
{
	size_t count = umad_packet_count(mad, length), offset, room, start, own;

	if (count == 1)
		return copy_single(mad, length, segment);
	offset = mad_class_rmpp_data(mad[MAD_CLASS]);
	room = data_room(mad);
	start = offset + index * room;
	own = length - start < room ? length - start : room;
	memcpy(segment, mad, offset);
	memcpy(segment + offset, mad + start, own);
	put_header(segment, index, count, length - offset, own);
	return offset + own;
}
