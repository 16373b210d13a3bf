/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Which bytes of a message are keys, for captures that hide them. Input: MADs of programs and from
 * the fabric, of any length.
 */
#include <string.h>

#include <infiniband/umad_sa.h>
#include <infiniband/umad_sm.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibumad/capture/capture.h"

/* Volume 1, chapters 13 to 16: where keys are that have no declaration in the public headers. */
enum {
	KEY_SIZE = 8,
	CLASS_VENDOR_KEY = 0x0a,
	BM_BKEY_INFO = 0x10,
	CC_KEY_INFO = 0x12,
	GMP_DATA = 64,
	SM_INFO_KEY = 8, /* behind the GUID */
	/* in records */
	PORT_INFO_RECORD_KEY = 4,
	SM_INFO_RECORD_KEY = 4 + SM_INFO_KEY,
	SERVICE_RECORD_KEY = 32,
	SERVICE_KEY_SIZE = 16,
};

struct message {
	uint8_t *mad;
	size_t length;
};

/* As much of it as there is. */
static void hide(const struct message *message, size_t offset, size_t size)
{
	if (offset >= message->length)
		return;
	if (size > message->length - offset)
		size = message->length - offset;
	memset(message->mad + offset, 0, size);
}

static void hide_in_smp(const struct message *message, unsigned int attr_id)
{
	const size_t data = offsetof(struct umad_smp, data);

	hide(message, offsetof(struct umad_smp, mkey), KEY_SIZE);
	if (attr_id == UMAD_SM_ATTR_PORT_INFO)
		hide(message, data, KEY_SIZE);
	else if (attr_id == UMAD_SM_ATTR_SM_INFO)
		hide(message, data + SM_INFO_KEY, KEY_SIZE);
}

/* The same bytes of each record; the SA header says how long records are. */
static void hide_in_records(const struct message *message, size_t offset, size_t size)
{
	size_t at = offsetof(struct umad_sa_packet, data);
	size_t stride = (size_t)8 *
			mad_get_be16(message->mad + offsetof(struct umad_sa_packet, attr_offset));

	do {
		hide(message, at + offset, size);
		at += stride;
	} while (stride && at < message->length);
}

static void hide_in_sa(const struct message *message, unsigned int attr_id)
{
	hide(message, offsetof(struct umad_sa_packet, sm_key), KEY_SIZE);
	if (message->length < offsetof(struct umad_sa_packet, data))
		return;
	switch (attr_id) {
	case UMAD_SA_ATTR_PORT_INFO_REC:
		hide_in_records(message, PORT_INFO_RECORD_KEY, KEY_SIZE);
		break;
	case UMAD_SA_ATTR_SM_INFO_REC:
		hide_in_records(message, SM_INFO_RECORD_KEY, KEY_SIZE);
		break;
	case UMAD_SA_ATTR_SERVICE_REC:
		hide_in_records(message, SERVICE_RECORD_KEY, SERVICE_KEY_SIZE);
		break;
	default:
		break;
	}
}

void umad_capture_hide_keys(uint8_t *mad, size_t length)
{
	const struct message message = { mad, length };
	unsigned int attr_id;

	if (length < sizeof(struct umad_hdr))
		return;
	attr_id = mad_get_be16(mad + offsetof(struct umad_hdr, attr_id));
	switch (mad[offsetof(struct umad_hdr, mgmt_class)]) {
	case UMAD_CLASS_SUBN_LID_ROUTED:
	case UMAD_CLASS_SUBN_DIRECTED_ROUTE:
		hide_in_smp(&message, attr_id);
		break;
	case UMAD_CLASS_SUBN_ADM:
		hide_in_sa(&message, attr_id);
		break;
	case UMAD_CLASS_BM:
		hide(&message, MAD_HEADER_END, KEY_SIZE);
		if (attr_id == BM_BKEY_INFO)
			hide(&message, GMP_DATA, KEY_SIZE);
		break;
	case UMAD_CLASS_CONG_MGMT:
		hide(&message, MAD_HEADER_END, KEY_SIZE);
		if (attr_id == CC_KEY_INFO)
			hide(&message, GMP_DATA, KEY_SIZE);
		break;
	case UMAD_CLASS_PERF_MGMT:
	case CLASS_VENDOR_KEY:
		hide(&message, MAD_HEADER_END, KEY_SIZE);
		break;
	default:
		break;
	}
}
