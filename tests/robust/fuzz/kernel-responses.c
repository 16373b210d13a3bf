/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * kernel-responses.c - the consequences of a write to a umad device. The input says in one byte how
 * many MADs arrive, or that the write fails; then for each MAD in another byte its kind (low half)
 * and delay (high half, units of 7 ms), and in more bytes its details.
 */
#include <errno.h>
#include <rdma/ib_user_mad.h>

#include "common/bytes.h"
#include "fuzz.h"

enum {
	PLAN_FAILS = 0xf0,  /* and above: the write fails */
	PLAN_IS_CUT = 0xec, /* and above: fewer bytes are written */
	PLAN_COUNT = 3,	    /* the bits that say how many MADs come */
	DELAY_NS = 7000000,
	RMPP_AT = 24,
	RMPP_ACTIVE = 7, /* flags: active, first, last */
	SA_OFFSET_AT = 44,
	SA_DATA_AT = 56,
	SA_HEADER = 20, /* bytes of it that RMPP counts as payload */
	RESPONSE = 0x80,
	CLASS_SA = 3,
	STATUS_REDIRECT = 2,
	ATTR_CLASS_PORT_INFO = 1,
};

enum response {
	RESPONSE_GOOD,	   /* correct, with data of the input */
	RESPONSE_PATCHED,  /* with other bytes in a few places */
	RESPONSE_RETURNED, /* the request comes back, with a status */
	RESPONSE_FOREIGN,  /* the transaction ID alone is right */
	RESPONSE_RAW,	   /* all bytes from the input */
	RESPONSE_REDIRECT, /* the responder redirects the request */
	RESPONSE_LONG,	   /* more than one MAD, put together by the kernel */
	RESPONSE_STATUS,   /* with an error status */
	RESPONSE_SHORT,
	RESPONSE_READ_ERROR,
	RESPONSE_SPURIOUS,
	RESPONSE_POLL_ERROR,
	RESPONSE_GONE,
	RESPONSE_REQUEST, /* a request */
	RESPONSES
};

static uint8_t *mad_of(struct kernel_arrival *arrival)
{
	return arrival->packet + FUZZ_HEADER;
}

/* Copies the request, with the response bit. */
static void copy_request(struct kernel_arrival *arrival, const uint8_t *request, size_t size)
{
	struct ib_user_mad_hdr *header = (struct ib_user_mad_hdr *)arrival->packet;
	size_t whole = FUZZ_HEADER + FUZZ_MAD;

	memcpy(arrival->packet, request, size < whole ? size : whole);
	if (size < whole)
		memset(arrival->packet + size, 0, whole - size);
	arrival->size = whole;
	header->status = 0;
	header->length = (uint32_t)whole;
	mad_of(arrival)[3] |= RESPONSE;
}

/* Fills a part of the MAD with a length and bytes of the input. */
static void fill_data(struct kernel_arrival *arrival, size_t at)
{
	struct fuzz_input *input = fuzz_kernel.input;
	size_t size = fuzz_u8(input), capacity = arrival->size - FUZZ_HEADER;

	if (at >= capacity)
		return;
	if (size > capacity - at)
		size = capacity - at;
	if (size > input->left)
		size = input->left;
	fuzz_bytes(input, mad_of(arrival) + at, size);
}

static size_t data_offset(const struct kernel_arrival *arrival)
{
	uint8_t mgmt_class = arrival->packet[FUZZ_HEADER + 1];

	if (mgmt_class == CLASS_SA)
		return SA_DATA_AT;
	return mgmt_class >= 0x30 && mgmt_class < 0x50 ? 40 : mgmt_class == 0x21 ? 32 : 64;
}

static void patch(struct kernel_arrival *arrival)
{
	struct fuzz_input *input = fuzz_kernel.input;
	unsigned count = 1 + fuzz_u8(input) % 8;
	size_t at;

	while (count--) {
		at = fuzz_u8(input);
		mad_of(arrival)[at % FUZZ_MAD] = fuzz_u8(input);
	}
}

static void set_size(struct kernel_arrival *arrival, size_t mad_size)
{
	arrival->size = FUZZ_HEADER + mad_size;
	((struct ib_user_mad_hdr *)arrival->packet)->length = (uint32_t)arrival->size;
}

/* Makes the result of an RMPP transfer: a long MAD with the header of the first segment. */
static void make_long(struct kernel_arrival *arrival)
{
	struct fuzz_input *input = fuzz_kernel.input;
	size_t size = FUZZ_MAD + fuzz_u16(input) % (FUZZ_PACKET_MAX - FUZZ_HEADER - FUZZ_MAD + 1);
	uint8_t *mad = mad_of(arrival);

	memset(mad + FUZZ_MAD, (int)fuzz_u8(input), size - FUZZ_MAD);
	set_size(arrival, size);
	mad[RMPP_AT] = 1;
	mad[RMPP_AT + 1] = 1;
	mad[RMPP_AT + 2] = RMPP_ACTIVE;
	mad_put_be32(mad + RMPP_AT + 8, (uint32_t)size - 36);
	mad_put_be16(mad + SA_OFFSET_AT, fuzz_u8(input));
	fill_data(arrival, SA_DATA_AT);
}

/* A response of one MAD to a table query. */
static void make_table(struct kernel_arrival *arrival)
{
	uint8_t control = fuzz_u8(fuzz_kernel.input);
	uint8_t *mad = mad_of(arrival);
	uint32_t payload;

	if (mad[1] != CLASS_SA)
		return;
	mad_put_be16(mad + SA_OFFSET_AT, fuzz_u8(fuzz_kernel.input) & 31);
	if (control & 0x80) {
		mad[RMPP_AT] = 1;
		mad[RMPP_AT + 1] = control >> 4 & 7;
		mad[RMPP_AT + 2] = control & 7;
		payload = SA_HEADER + 8 * (uint32_t)fuzz_u8(fuzz_kernel.input);
		mad_put_be32(mad + RMPP_AT + 8,
			     control & 8 ? fuzz_u32(fuzz_kernel.input) : payload);
	}
}

static void redirect(struct kernel_arrival *arrival)
{
	uint8_t control = fuzz_u8(fuzz_kernel.input);
	uint8_t *mad = mad_of(arrival);
	size_t at = data_offset(arrival);

	mad_put_be16(mad + 4, STATUS_REDIRECT);
	mad_put_be16(mad + 16, ATTR_CLASS_PORT_INFO);
	if (control & 1) /* a LID, and a QP and its Q_Key */
		mad_put_be16(mad + at + 32, fuzz_u16(fuzz_kernel.input));
	if (control & 2)
		mad_put_be32(mad + at + 36, fuzz_u32(fuzz_kernel.input));
	if (control & 4)
		fuzz_bytes(fuzz_kernel.input, mad + at + 8, 16);
	if (control & 8)
		fill_data(arrival, at);
}

static void make_foreign(struct kernel_arrival *arrival, bool keeps_tid)
{
	uint8_t tid[8], *mad = mad_of(arrival);

	memcpy(tid, mad + 8, sizeof(tid));
	memset(mad, 0, FUZZ_MAD);
	fill_data(arrival, 0);
	if (keeps_tid)
		memcpy(mad + 8, tid, sizeof(tid));
}

static void make_error(struct kernel_arrival *arrival, bool polled)
{
	arrival->error = fuzz_kernel_errno(fuzz_kernel.input);
	if (polled)
		arrival->poll_error = arrival->error;
}

static void make_response(struct kernel_arrival *arrival, enum response kind)
{
	struct ib_user_mad_hdr *header = (struct ib_user_mad_hdr *)arrival->packet;
	struct fuzz_input *input = fuzz_kernel.input;

	switch (kind) {
	case RESPONSE_GOOD:
		make_table(arrival);
		fill_data(arrival, data_offset(arrival));
		break;
	case RESPONSE_PATCHED:
		patch(arrival);
		break;
	case RESPONSE_RETURNED:
		mad_of(arrival)[3] &= (uint8_t)~RESPONSE;
		header->status = fuzz_u8(input) ? (uint32_t)fuzz_kernel_errno(input) : ETIMEDOUT;
		break;
	case RESPONSE_FOREIGN:
	case RESPONSE_RAW:
		make_foreign(arrival, kind == RESPONSE_FOREIGN);
		break;
	case RESPONSE_REDIRECT:
		redirect(arrival);
		break;
	case RESPONSE_LONG:
		make_long(arrival);
		break;
	case RESPONSE_STATUS:
		mad_put_be16(mad_of(arrival) + 4, fuzz_u16(input));
		break;
	case RESPONSE_SHORT:
		set_size(arrival, fuzz_u8(input));
		break;
	case RESPONSE_READ_ERROR:
		make_error(arrival, false);
		break;
	case RESPONSE_SPURIOUS:
		arrival->error = EAGAIN;
		break;
	case RESPONSE_POLL_ERROR:
		make_error(arrival, true);
		break;
	case RESPONSE_GONE:
		arrival->removes = true;
		arrival->error = ENODEV;
		break;
	case RESPONSE_REQUEST:
		mad_of(arrival)[3] &= (uint8_t)~RESPONSE;
		patch(arrival);
		break;
	case RESPONSES:
		break;
	}
}

/* Returns NULL where the execution has had its most arrivals. */
static struct kernel_arrival *new_arrival(int device)
{
	if (fuzz_kernel.arrival_count == MAX_ARRIVALS)
		return NULL;
	fuzz_kernel.arrival_count++;
	return kernel_arrival_new(device, FUZZ_PACKET_MAX);
}

int fuzz_response(int device, const uint8_t *packet, size_t size)
{
	struct fuzz_input *input = fuzz_kernel.input;
	uint8_t plan = fuzz_u8(input), kind;
	struct kernel_arrival *arrival;
	unsigned count;

	FUZZ_CHECK(size >= FUZZ_HEADER);
	if (plan >= PLAN_FAILS)
		return fuzz_kernel_errno(input);
	if (plan >= PLAN_IS_CUT)
		return -1;
	for (count = plan & PLAN_COUNT; count; count--) {
		arrival = new_arrival(device);
		if (!arrival)
			return 0;
		kind = fuzz_u8(input);
		arrival->due_ns += (int64_t)(kind >> 4) * DELAY_NS;
		if (plan & 4 && fuzz_kernel.preferred >= 0)
			kind = (uint8_t)fuzz_kernel.preferred;
		copy_request(arrival, packet, size);
		make_response(arrival, (enum response)((kind & 15) % RESPONSES));
		kernel_arrival_send(arrival);
	}
	return 0;
}

/* The classes whose headers are read differently come first. */
void fuzz_kernel_ask(int fd)
{
	static const uint8_t classes[] = { 0x01, 0x81, 0x03, 0x04, 0x32, 0x0a, 0x21, 0x05 };
	struct fuzz_input *input = fuzz_kernel.input;
	uint8_t control = fuzz_u8(input);
	int device = kernel_device_of(fd);
	struct kernel_arrival *arrival = device < 0 ? NULL : new_arrival(device);
	uint8_t *mad;

	if (!arrival)
		return;
	memset(arrival->packet, 0, FUZZ_HEADER + FUZZ_MAD);
	mad = mad_of(arrival);
	set_size(arrival, FUZZ_MAD);
	mad[0] = 1;
	mad[1] = classes[control % sizeof(classes)];
	mad[2] = 1;
	mad[3] = control & 8 ? fuzz_u8(input) : 1;
	mad[11] = fuzz_u8(input);
	if (control & 0x10)
		fuzz_bytes(input, arrival->packet + 20, FUZZ_HEADER - 20);
	if (control & 0x20)
		fill_data(arrival, 0);
	if (control & 0x40)
		patch(arrival);
	if (control & 0x80)
		make_response(arrival, (enum response)(fuzz_u8(input) % RESPONSES));
	kernel_arrival_send(arrival);
}
