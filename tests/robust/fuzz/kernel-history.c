/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* kernel-history.c - the MADs that the umad devices have delivered. */
#include <infiniband/mad.h>

#include "fuzz.h"

#include "common/mad_layout.h"

static struct kernel_arrival *delivered; /* in this execution */

bool fuzz_delivered(struct kernel_arrival *arrival)
{
	if (arrival->error || arrival->removes)
		return false;
	arrival->next = delivered;
	delivered = arrival;
	return true;
}

void fuzz_forget_delivered(void)
{
	while (delivered) {
		struct kernel_arrival *next = delivered->next;

		kernel_arrival_drop(delivered);
		delivered = next;
	}
}

static bool holds(const struct kernel_arrival *arrival, const uint8_t *bytes, size_t offset,
		  size_t size)
{
	size_t start = FUZZ_HEADER + offset;
	size_t there = arrival->size > start ? arrival->size - start : 0;
	size_t i;

	if (there > size)
		there = size;
	if (memcmp(arrival->packet + start, bytes, there) != 0)
		return false;
	for (i = there; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/* Board management marks its responses by a bit of the attribute modifier (16.2). */
static bool is_response(const uint8_t *mad)
{
	return mad[3] & IB_MAD_RESPONSE || (mad[1] == IB_BOARD_MGMT_CLASS && mad[23] & 1);
}

/* Whether a MAD may count as the response to the last write: its transaction ID and class are
 * right, it reports no error, and has some data, but for classes with RMPP, whose tables may be
 * empty. */
static bool responses(const struct kernel_arrival *arrival, size_t offset)
{
	const uint8_t *mad = arrival->packet + FUZZ_HEADER;
	const uint8_t *request = fuzz_kernel.last_write + FUZZ_HEADER;
	size_t length = arrival->size - FUZZ_HEADER;

	if (length < MAD_HEADER_END || length < offset ||
	    (length == offset && !mad_class_rmpp_data(mad[1])))
		return false;
	if (!is_response(mad) &&
	    !(request[3] == IB_MAD_METHOD_TRAP && mad[3] == IB_MAD_METHOD_TRAP_REPRESS))
		return false;
	return mad[0] == 1 && mad[1] == request[1] && !memcmp(mad + 12, request + 12, 4) &&
	       !(mad[4] & 0x7f) && !mad[5];
}

bool fuzz_kernel_responded(const void *bytes, size_t offset, size_t size)
{
	const struct kernel_arrival *arrival;

	for (arrival = delivered; arrival; arrival = arrival->next)
		if (responses(arrival, size ? offset : 0) && holds(arrival, bytes, offset, size))
			return true;
	return false;
}

bool fuzz_kernel_delivered(const void *bytes, size_t offset, size_t size)
{
	const struct kernel_arrival *arrival;

	for (arrival = delivered; arrival; arrival = arrival->next)
		if (holds(arrival, bytes, offset, size))
			return true;
	return false;
}

size_t fuzz_kernel_longest(void)
{
	const struct kernel_arrival *arrival;
	size_t longest = 0;

	for (arrival = delivered; arrival; arrival = arrival->next)
		if (arrival->size > longest)
			longest = arrival->size;
	return longest > FUZZ_HEADER ? longest - FUZZ_HEADER : 0;
}
