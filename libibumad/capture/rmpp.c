/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Splits a message into the MADs that carry it on the wire. Programs exchange whole messages of the
 * reliable multi-packet protocol (volume 1, 13.6) with the kernel: one header, followed by all
 * data. On the wire each MAD of the message repeats the header, with a segment number.
 */
#include <string.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibumad/capture/capture.h"

enum {
	TYPE_DATA = 1,
	FLAG_FIRST = 2,
	FLAG_LAST = 4,
};

bool umad_packet_is_data(const uint8_t *mad, size_t length)
{
	return length >= RMPP_END && mad_class_rmpp_data(mad[MAD_CLASS]) &&
	       mad[RMPP_VERSION] == UMAD_RMPP_VERSION && mad[RMPP_TYPE] == TYPE_DATA &&
	       (mad[RMPP_RTIME_FLAGS] & UMAD_RMPP_FLAG_ACTIVE);
}

/* The bytes of data that a MAD of a message can hold. */
static size_t data_capacity(const uint8_t *mad)
{
	size_t size = mad_is_opa(mad) ? UMAD_MAD_SIZE_MAX : UMAD_MAD_SIZE;

	return size - mad_class_rmpp_data(mad[MAD_CLASS]);
}

/* The number of MADs that carry a message, with data or without. */
size_t umad_packet_count(const uint8_t *mad, size_t length)
{
	size_t offset, capacity;

	if (!umad_packet_is_data(mad, length))
		return 1;
	offset = mad_class_rmpp_data(mad[MAD_CLASS]);
	capacity = data_capacity(mad);
	return length <= offset ? 1 : (length - offset + capacity - 1) / capacity;
}

/* The length field of the first segment counts the data of all segments, that of the last segment
 * its own; both also count the class header after the RMPP header, once for each segment. */
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

/* Copies MAD number index (from 0) of a message, at most UMAD_MAD_SIZE_MAX bytes, and returns its
 * length. A MAD without RMPP, or with a segment number, stays as it is. */
size_t umad_packet_segment(const uint8_t *mad, size_t length, size_t index,
			   uint8_t segment[UMAD_MAD_SIZE_MAX])
{
	size_t count = umad_packet_count(mad, length), offset, capacity, start, own;

	if (!umad_packet_is_data(mad, length) || (count == 1 && mad_get_be32(mad + RMPP_SEGMENT))) {
		own = length < UMAD_MAD_SIZE_MAX ? length : UMAD_MAD_SIZE_MAX;
		memcpy(segment, mad, own);
		return own;
	}
	offset = mad_class_rmpp_data(mad[MAD_CLASS]);
	if (offset > length)
		offset = length;
	capacity = data_capacity(mad);
	start = offset + index * capacity;
	own = length - start < capacity ? length - start : capacity;
	memcpy(segment, mad, offset);
	memcpy(segment + offset, mad + start, own);
	put_header(segment, index, count, length - offset, own);
	return offset + own;
}
