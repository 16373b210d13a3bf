/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Which bytes of a message are keys, for captures that hide them. Input: MADs of programs and from
 * the fabric, of any length; a message whole, or one of its segments.
 */
#include <string.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "common/mad_words.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

enum {
	CLASS_VENDOR_KEY =
		0x0a, /* the three have their data at other places than the header says */
	CLASS_AGGREGATION = 0x0b,
	CLASS_NODE_TO_NODE = 0x0c,
	GMP_DATA = 64,
	NOTICE_SIZE = 64,
	NOTICE_DETAILS = 10,
	NVIDIA_DATA = 32,	 /* of classes 0x0a and 0x0c */
	ANY = UINT16_MAX,	 /* attribute */
	ALL = UINT16_MAX,	 /* bytes: to the end */
	SA_RECORDS = UINT16_MAX, /* distance: that of the SA header, across segments */
};

/* Where a key is (volume 1, chapters 13 to 16): size bytes at an offset, in each MAD of the class,
 * or in those with an attribute; once, or again after each distance. */
static const struct key_place {
	uint8_t mgmt_class;
	uint16_t attr_id;
	uint16_t offset;
	uint16_t size;
	uint16_t distance;
} places[] = {
	{ UMAD_CLASS_SUBN_LID_ROUTED, ANY, SMP_M_KEY, 8, 0 },
	{ UMAD_CLASS_SUBN_LID_ROUTED, UMAD_SM_ATTR_PORT_INFO, SMP_DATA, 8, 0 },
	{ UMAD_CLASS_SUBN_LID_ROUTED, UMAD_SM_ATTR_SM_INFO, SMP_DATA + 8, 8, 0 },
	{ UMAD_CLASS_SUBN_ADM, ANY, SA_SM_KEY, 8, 0 },
	{ UMAD_CLASS_SUBN_ADM, UMAD_SA_ATTR_PORT_INFO_REC, 4, 8, SA_RECORDS },
	{ UMAD_CLASS_SUBN_ADM, UMAD_SA_ATTR_SM_INFO_REC, 4 + 8, 8, SA_RECORDS },
	{ UMAD_CLASS_SUBN_ADM, UMAD_SA_ATTR_SERVICE_REC, 32, 16, SA_RECORDS },
	{ UMAD_CLASS_PERF_MGMT, ANY, MAD_HEADER_END, 8, 0 },
	{ UMAD_CLASS_BM, ANY, MAD_HEADER_END, 8, 0 },
	{ UMAD_CLASS_BM, 0x10, GMP_DATA, 8, 0 }, /* BKeyInfo */
	{ UMAD_CLASS_CONG_MGMT, ANY, CC_KEY, 8, 0 },
	{ UMAD_CLASS_CONG_MGMT, 0x12, GMP_DATA, 8, 0 }, /* CongestionKeyInfo */
	{ CLASS_VENDOR_KEY, ANY, MAD_HEADER_END, 8, 0 },
	{ CLASS_VENDOR_KEY, 0x0f, NVIDIA_DATA, 8, 0 }, /* KeyInfo */
	/* where in the header its key is, and in KeyInfo, no open source says */
	{ CLASS_AGGREGATION, ANY, MAD_HEADER_END, GMP_DATA - MAD_HEADER_END, 0 },
	{ CLASS_AGGREGATION, 0x10, GMP_DATA, ALL, 0 },
	{ CLASS_NODE_TO_NODE, ANY, MAD_HEADER_END, 8, 0 },
	{ CLASS_NODE_TO_NODE, 0x0f, NVIDIA_DATA, 8, 0 },      /* KeyInfo */
	{ CLASS_NODE_TO_NODE, 0x10, NVIDIA_DATA + 8, 8, 16 }, /* NeighborsInfo */
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

/* A segment begins anywhere in a record, also within a key. */
static void hide_in_records(const struct message *message, size_t offset, size_t size)
{
	uint64_t start = umad_packet_position(message->mad, message->length), at = offset;
	size_t distance, skipped;

	if (message->length < SA_DATA)
		return;
	distance = (size_t)8 * mad_get_be16(message->mad + SA_ATTR_OFFSET);
	if (mad_is_opa(message->mad) || (start && !distance)) {
		hide(message, SA_DATA, ALL);
		return;
	}
	if (start > offset + size)
		at += (start - offset - size) / distance * distance;
	for (; at < start + message->length; at += distance) {
		skipped = at < start ? (size_t)(start - at) : 0;
		if (skipped < size)
			hide(message, SA_DATA + (size_t)(at + skipped - start), size - skipped);
		if (!distance)
			break;
	}
}

static void hide_place(const struct message *message, const struct key_place *place)
{
	size_t at = place->offset;

	if (place->distance == SA_RECORDS) {
		hide_in_records(message, place->offset, place->size);
		return;
	}
	do {
		hide(message, at, place->size);
		at += place->distance;
	} while (place->distance && at < message->length);
}

/* Which attributes of Omni-Path hold M_Keys, and where, is not known here. */
static void hide_in_opa_smp(const struct message *message)
{
	bool directed = message->mad[MAD_CLASS] == UMAD_CLASS_SUBN_DIRECTED_ROUTE;

	hide(message, SMP_M_KEY, 8);
	hide(message, directed ? OPA_SMP_DIRECTED_DATA : OPA_SMP_DATA, ALL);
}

/* In a notice that was cut, or whose kind is not known, all DataDetails may be a key. */
static void hide_in_notice(const struct message *message)
{
	size_t at = mad_attribute_start(message->mad);
	const struct umad_notice_value *value = NULL;
	const struct mad_words_notice *kind = NULL;

	if (message->length >= at + NOTICE_SIZE)
		kind = mad_words_find_notice(message->mad[MAD_CLASS], message->mad + at);
	if (!kind)
		hide(message, at + NOTICE_DETAILS, NOTICE_SIZE - NOTICE_DETAILS);
	while (kind && (value = umad_notice_next_value(value, kind->layout)))
		if (value->form == UMAD_NOTICE_KEY)
			hide(message, at + value->first / 8, value->bits / 8);
}

void umad_capture_hide_keys(uint8_t *mad, size_t length)
{
	const struct message message = { mad, length };
	const struct key_place *place;
	bool has_keys = false;
	uint8_t mgmt_class;
	int attr_id;

	if (length < MAD_HEADER_END)
		return;
	attr_id = mad_get_be16(mad + MAD_ATTR_ID);
	if (mad_class_is_smi(mad[MAD_CLASS]) && mad_is_opa(mad)) {
		hide_in_opa_smp(&message);
		return;
	}
	mgmt_class = mad_class_is_smi(mad[MAD_CLASS]) ? UMAD_CLASS_SUBN_LID_ROUTED : mad[MAD_CLASS];
	for (place = places; place < places + sizeof(places) / sizeof(places[0]); place++)
		if (place->mgmt_class == mgmt_class &&
		    (place->attr_id == ANY || place->attr_id == attr_id)) {
			hide_place(&message, place);
			has_keys = true;
		}
	if (has_keys && attr_id == UMAD_ATTR_NOTICE)
		hide_in_notice(&message);
}
