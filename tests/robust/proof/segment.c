/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * RMPP messages as captures take them apart: every content of a message of up to LONGEST bytes,
 * each of its segments.
 */
#include <stdlib.h>

#include "libibumad/capture/rmpp.c"

#include "proof.h"

#ifndef LONGEST
#define LONGEST 520
#endif

void rmpp_segment(void)
{
	static uint8_t message[LONGEST], segment[UMAD_MAD_SIZE_MAX];
	size_t length = nondet_size(), index = nondet_size(), count, size, i = nondet_size();
	const uint8_t *mad;

	ASSUME(length >= 1 && length <= LONGEST);
	for (size_t at = 0; at < RMPP_END; at++)
		message[LONGEST - length + at < LONGEST ? LONGEST - length + at : 0] =
			nondet_byte();
	mad = message + LONGEST - length; /* an access behind the message is out of bounds */
	count = umad_packet_count(mad, length);
	PROVE(count >= 1 && count <= LONGEST / 192 + 1, "number of segments");
	ASSUME(index < count);
	size = umad_packet_segment(mad, length, index, segment);
	PROVE(size <= UMAD_MAD_SIZE_MAX && (count == 1 || size <= UMAD_MAD_SIZE), "size");
}
