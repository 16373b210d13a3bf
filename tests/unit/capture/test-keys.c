/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-keys.c - whatever the tables of fields and of notices call a key is hidden in captures
 * (libibumad/capture/keys.c). traffic.tbl has what is not hidden.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "test.h"
#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibmad/fields/fields.h"
#include "libibumad/capture/capture.h"

enum { FILLED = 0xa5, HEADER = 0xffff /* an attribute: each MAD of the class */ };

static void fill(uint8_t mad[UMAD_MAD_SIZE], uint8_t mgmt_class, unsigned attr_id, uint8_t method)
{
	memset(mad, FILLED, UMAD_MAD_SIZE);
	memcpy(mad, (uint8_t[]){ 1, mgmt_class, mad_class_wire_version(mgmt_class), method }, 4);
	mad_put_be16(mad + MAD_ATTR_ID, (uint16_t)attr_id);
}

static void assert_hidden(const uint8_t *mad, size_t at, size_t size, const char *name)
{
	for (size_t i = at; i < at + size; i++)
		if (mad[i])
			fail_msg("%s of class 0x%02x, attribute 0x%04x, method 0x%02x: byte %zu",
				 name, mad[1], mad_get_be16(mad + MAD_ATTR_ID), mad[3], i);
}

/* Whether a name is that of a key. P_Keys and Q_Keys are addresses. */
static bool is_key(const char *name)
{
	size_t length = strlen(name);
	char before;

	if (length < 3 || strcasecmp(name + length - 3, "key") != 0 || strstr(name, "Magic"))
		return false;
	before = length > 3 ? name[length - 4] : '\0';
	if (before == '_')
		before = name[length - 5];
	return !before || !strchr("PpQq", before);
}

/* The fields of an attribute; the bytes of the MAD before it, or 0 for those of the class; the
 * length of a record if there may be several. First attributes that mad_attributes.h lists without
 * fields. */
static const struct place {
	uint8_t mgmt_class;
	uint16_t attr_id, before, record;
	struct {
		unsigned first, end;
	} fields[3];
} places[] = {
	{ 0x03, 0x12, 56 + 4, 72, { { IB_PORT_FIRST_F, IB_PORT_LAST_F } } },
	{ 0x03, 0x18, 56 + 4, 32, { { IB_SMINFO_GUID_F, IB_SMINFO_STATE_F } } },
	{ 0x03, 0x31, 56, 176, { { IB_SA_SR_ID_F, IB_SA_SR_NAME_F } } },
	{ 0x01, 0x20, 64, 0, { { IB_SMINFO_GUID_F, IB_SMINFO_STATE_F } } },
	{ 0x01, HEADER, 0, 0, { { IB_MAD_MKEY_F, IB_MAD_MKEY_F + 1 } } },
	{ 0x03, HEADER, 0, 0, { { IB_SA_MKEY_F, IB_SA_MKEY_F + 1 } } },
	{ 0x21, HEADER, 0, 0, { { IB_CC_CCKEY_F, IB_CC_CCKEY_F + 1 } } },
#define DUMPED(mgmt_class, id, name, function, ...) { mgmt_class, id, 0, 0, { __VA_ARGS__ } },
#define PRINTED(mgmt_class, id, name, ...)	    { mgmt_class, id, 0, 0, { __VA_ARGS__ } },
#define NAMED(mgmt_class, id, name)
#define PART(function, ...)
#include "common/mad_attributes.h"
};

static bool has_field(const struct place *place, unsigned id)
{
	for (size_t i = 0; i < COUNT(place->fields); i++)
		if (id >= place->fields[i].first && id < place->fields[i].end)
			return true;
	return false;
}

/* A MAD of each method, with records that the header says to be of any length, and segments. */
static void check_place(const struct place *place, uint8_t mgmt_class,
			const struct mad_field *field)
{
	uint8_t mad[UMAD_MAD_SIZE] = { 1, mgmt_class };
	size_t at = place->attr_id == HEADER ? 0
		    : place->before	     ? place->before
					     : mad_attribute_start(mad);
	size_t size = field->bits / 8;

	for (unsigned turn = 0; turn < 256 * 32; turn++) {
		fill(mad, mgmt_class, place->attr_id == HEADER ? 0x10 : place->attr_id,
		     (uint8_t)turn);
		mad_put_be16(mad + SA_ATTR_OFFSET, (uint16_t)(turn / 256));
		if (turn % 3) {
			mad_put_be32(mad + RMPP_VERSION, 0x01010100);
			mad_put_be32(mad + RMPP_SEGMENT, turn % 3);
		}
		umad_capture_hide_keys(mad, sizeof(mad));
		for (size_t key = at + field->offset; key + size <= sizeof(mad);
		     key += place->record ? place->record : sizeof(mad))
			assert_hidden(mad, key, size, mad_field_text(field));
	}
}

TEST(every_field_whose_name_is_a_key_is_hidden)
{
	unsigned keys = 0;

	for (unsigned id = 0; id < MAD_FIELD_OWN_LAST_; id++) {
		const struct mad_field *field = mad_field_find(id);
		unsigned found = 0;

		if (!field || !is_key(mad_field_text(field)))
			continue;
		assert_false(mad_field_is_word(field));
		for (const struct place *place = places; place < places + COUNT(places); place++) {
			if (!has_field(place, id))
				continue;
			found++;
			check_place(place, place->mgmt_class, field);
			if (place->mgmt_class == UMAD_CLASS_SUBN_LID_ROUTED)
				check_place(place, UMAD_CLASS_SUBN_DIRECTED_ROUTE, field);
		}
		if (!found)
			fail_msg("%s (%u) is in no attribute", mad_field_text(field), id);
		keys++;
	}
	assert_int_equal(keys, 9);
}

static const struct {
	unsigned layout;
	const char *name;
	unsigned first, bits;
} values[] = {
#define KIND(mgmt_class, trap, text, layout)
#define VALUE(layout, name, first, bits, form) { layout, name, first, bits },
#include "common/mad_notices.h"
#undef KIND
#undef VALUE
};

static const struct {
	uint8_t mgmt_class;
	unsigned trap, layout;
} kinds[] = {
#define KIND(mgmt_class, trap, text, layout) { mgmt_class, trap, layout },
#define VALUE(layout, name, first, bits, form)
#include "common/mad_notices.h"
};

static void check_notice(uint8_t mgmt_class, unsigned trap, size_t value)
{
	uint8_t mad[UMAD_MAD_SIZE];

	for (unsigned method = 0; method < 256; method++) {
		fill(mad, mgmt_class, UMAD_ATTR_NOTICE, (uint8_t)method);
		mad_put_be16(mad + mad_attribute_start(mad) + 4, (uint16_t)trap);
		umad_capture_hide_keys(mad, sizeof(mad));
		assert_hidden(mad, mad_attribute_start(mad) + values[value].first / 8,
			      values[value].bits / 8, values[value].name);
	}
}

/* The key of trap 257 is a P_Key, that of trap 258, which has the same layout, a Q_Key. */
TEST(every_value_of_a_notice_whose_name_is_a_key_is_hidden)
{
	static const uint8_t subnet_management[] = { 0x01, 0x81, 0x03 };
	unsigned keys = 0;

	for (size_t i = 0; i < COUNT(kinds); i++)
		for (size_t v = 0; v < COUNT(values); v++) {
			if (values[v].layout != kinds[i].layout || !is_key(values[v].name) ||
			    kinds[i].layout == 257)
				continue;
			keys++;
			for (size_t c = 0; c < (kinds[i].mgmt_class ? 1 : 3); c++)
				check_notice(kinds[i].mgmt_class ? kinds[i].mgmt_class
								 : subnet_management[c],
					     kinds[i].trap, v);
		}
	assert_int_equal(keys, 10);
}

/* No byte behind a message is touched, however long message and records are. */
TEST(messages_of_any_length_keep_their_end)
{
	uint8_t whole[UMAD_MAD_SIZE];

	for (size_t i = 0; i < COUNT(places); i++)
		for (size_t length = 0; length < sizeof(whole); length++) {
			uint8_t *mad = malloc(length + 1);

			fill(whole, places[i].mgmt_class, places[i].attr_id, 1);
			mad_put_be16(whole + SA_ATTR_OFFSET, (uint16_t)length);
			memcpy(mad, whole, length);
			mad[length] = FILLED;
			umad_capture_hide_keys(mad, length);
			assert_int_equal(mad[length], FILLED);
			free(mad);
		}
}
