/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Hides the keys in the MADs of captures, and all bytes whose layout is not known. Input: MADs of
 * programs and from the fabric, of any length; a message whole, or a segment of it.
 */
#include <string.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "common/mad_words.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

enum {
	CLASS_VENDOR_KEY = 0x0a,
	CLASS_AGGREGATION = 0x0b,
	CLASS_NODE_TO_NODE = 0x0c,
	OPA_CLASS_VERSION = 0x80,
	VENDOR_ATTRIBUTES = 0xff00, /* attributes from here on are the vendors' */
	NOTICE_SIZE = 64,
	NOTICE_DETAILS = 10,
	HEADER = 0, /* instead of an attribute: the header of the class, in each MAD */
};

/* The keys (volume 1, chapters 13 to 16): size bytes at an offset in the MAD (HEADER) or in the
 * attribute; once, or in each record of that length. */
static const struct key_place {
	uint8_t mgmt_class;
	uint8_t size;
	uint8_t offset;
	uint8_t record;
	uint16_t attr_id;
} places[] = {
	{ UMAD_CLASS_SUBN_LID_ROUTED, 8, SMP_M_KEY, 0, HEADER },
	{ UMAD_CLASS_SUBN_LID_ROUTED, 8, 0, 0, UMAD_SM_ATTR_PORT_INFO },
	{ UMAD_CLASS_SUBN_LID_ROUTED, 8, 8, 0, UMAD_SM_ATTR_SM_INFO },
	{ UMAD_CLASS_SUBN_ADM, 8, SA_SM_KEY, 0, HEADER },
	{ UMAD_CLASS_SUBN_ADM, 8, 4, 72, UMAD_SA_ATTR_PORT_INFO_REC },
	{ UMAD_CLASS_SUBN_ADM, 8, 4 + 8, 32, UMAD_SA_ATTR_SM_INFO_REC },
	{ UMAD_CLASS_SUBN_ADM, 16, 32, 176, UMAD_SA_ATTR_SERVICE_REC },
	{ UMAD_CLASS_SUBN_ADM, 16, 0, 80, UMAD_SA_ATTR_SERVICE_ASSOC_REC },
	{ UMAD_CLASS_PERF_MGMT, 8, MAD_HEADER_END, 0, HEADER },
	{ UMAD_CLASS_BM, 8, MAD_HEADER_END, 0, HEADER },
	{ UMAD_CLASS_BM, 8, 0, 0, 0x10 }, /* BKeyInfo */
	{ UMAD_CLASS_CONG_MGMT, 8, CC_KEY, 0, HEADER },
	{ UMAD_CLASS_CONG_MGMT, 8, 0, 0, 0x12 }, /* CongestionKeyInfo */
	{ CLASS_VENDOR_KEY, 8, MAD_HEADER_END, 0, HEADER },
	{ CLASS_VENDOR_KEY, 8, 0, 0, 0x0f }, /* KeyInfo */
	/* no open source says which bytes of the header are the key */
	{ CLASS_AGGREGATION, SMP_DATA - MAD_HEADER_END, MAD_HEADER_END, 0, HEADER },
	{ CLASS_NODE_TO_NODE, 8, MAD_HEADER_END, 0, HEADER },
	{ CLASS_NODE_TO_NODE, 8, 0, 0, 0x0f },	/* KeyInfo */
	{ CLASS_NODE_TO_NODE, 8, 8, 16, 0x10 }, /* NeighborsInfo */
};

struct message {
	uint8_t *mad;
	size_t length;
	uint8_t mgmt_class; /* an SMP's is that of LID routed ones */
	uint16_t attr_id;
	size_t start, end; /* of the attribute */
};

/* Overwrites the bytes from start to end, as far as the message has them. */
static void hide(const struct message *message, size_t start, size_t end)
{
	if (end > message->length)
		end = message->length;
	if (start < end)
		memset(message->mad + start, 0, end - start);
}

static const struct key_place *find_place(const struct message *message, uint16_t attr_id)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (places[i].mgmt_class == message->mgmt_class && places[i].attr_id == attr_id)
			return &places[i];
	return NULL;
}

/* Whether the specification defines the class, not a vendor or an application. */
static bool is_standard_class(const struct message *message)
{
	return !mad_words_class_is_vague(umad_class_str(message->mgmt_class));
}

/* Whether the header of the class is known. */
static bool is_known_header(const struct message *message)
{
	uint8_t version = message->mad[MAD_CLASS_VERSION];

	if (mad_is_opa(message->mad))
		return version == OPA_CLASS_VERSION &&
		       (message->mgmt_class == UMAD_CLASS_SUBN_LID_ROUTED ||
			message->mgmt_class == UMAD_CLASS_SUBN_ADM);
	return message->mad[MAD_BASE_VERSION] == UMAD_BASE_VERSION &&
	       version == mad_class_wire_version(message->mgmt_class) &&
	       (is_standard_class(message) || find_place(message, HEADER));
}

/* Whether the layout of the attribute is known; of a vendor's, if a row has its fields. */
static bool is_known_attribute(const struct message *message)
{
	static const struct {
		uint16_t id;
		uint8_t mgmt_class;
	} known[] = {
#define DUMPED(mgmt_class, id, name, function, ...) { id, mgmt_class },
#define PRINTED(mgmt_class, id, name, ...)	    { id, mgmt_class },
#define NAMED(mgmt_class, id, name)
#define PART(function, ...)
#include "common/mad_attributes.h"
	};

	if (mad_is_opa(message->mad))
		return false;
	if (is_standard_class(message) && message->attr_id < VENDOR_ATTRIBUTES)
		return true;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].id == message->attr_id &&
		    (known[i].mgmt_class == message->mgmt_class || !known[i].mgmt_class))
			return true;
	return false;
}

/* Whether records of this length follow each other from the start of the data: the header states no
 * other length, and the message does not begin with a later segment. */
static bool has_known_records(const struct message *message, size_t record)
{
	const uint8_t *mad = message->mad;
	size_t stated;

	if (message->length < SA_DATA)
		return false;
	stated = (size_t)8 * mad_get_be16(mad + SA_ATTR_OFFSET);
	if (!umad_packet_is_data(mad, message->length))
		return !stated || stated == record;
	return stated == record && (umad_packet_count(mad, message->length) > 1 ||
				    mad_get_be32(mad + RMPP_SEGMENT) <= 1);
}

/* All DataDetails of a notice that was cut, or of an unknown kind, may be a key. */
static void hide_in_notice(const struct message *message)
{
	const struct umad_notice_value *value = NULL;
	const struct mad_words_notice *kind = NULL;
	size_t first;

	if (message->length >= message->start + NOTICE_SIZE)
		kind = mad_words_find_notice(message->mgmt_class, message->mad + message->start);
	if (!kind)
		hide(message, message->start + NOTICE_DETAILS, message->end);
	while (kind && (value = umad_notice_next_value(value, kind->layout))) {
		first = message->start + value->first / 8;
		if (value->form == UMAD_NOTICE_KEY)
			hide(message, first, first + value->bits / 8);
	}
}

static void hide_in_attribute(const struct message *message)
{
	const struct key_place *place = find_place(message, message->attr_id);
	bool is_record = place && message->mgmt_class == UMAD_CLASS_SUBN_ADM;
	size_t at;

	if (!is_known_attribute(message) ||
	    (is_record && !has_known_records(message, place->record))) {
		hide(message, message->start, message->end);
	} else if (message->attr_id == UMAD_ATTR_NOTICE) {
		hide_in_notice(message);
	} else if (place) {
		at = message->start + place->offset;
		do
			hide(message, at, at + place->size);
		while (place->record && (at += place->record) < message->end);
	}
}

void umad_capture_hide_keys(uint8_t *mad, size_t length)
{
	struct message message = { .mad = mad, .length = length, .end = length };
	const struct key_place *header;

	if (length < MAD_HEADER_END)
		return;
	message.mgmt_class = mad[MAD_CLASS];
	message.attr_id = mad_get_be16(mad + MAD_ATTR_ID);
	message.start = mad_attribute_start(mad);
	if (mad_class_is_smi(message.mgmt_class)) {
		message.mgmt_class = UMAD_CLASS_SUBN_LID_ROUTED;
		if (!mad_is_opa(mad))
			message.end = SMP_INITIAL_PATH;
	}
	if (!is_known_header(&message)) { /* the OUI stays, and an RMPP header, which counts MADs */
		message.start = mad_class_rmpp_data(mad[MAD_CLASS]) ? RMPP_END : MAD_HEADER_END;
		if (mad_class_is_vendor_range2(mad[MAD_CLASS]))
			message.start = VENDOR2_DATA;
		hide(&message, message.start, length);
		return;
	}
	header = find_place(&message, HEADER);
	if (header)
		hide(&message, header->offset, (size_t)header->offset + header->size);
	hide_in_attribute(&message);
}
