/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Keys in captures (libibumad/capture/keys.c): they are zeros unless the program asks for them, and
 * everything else stays; what is sent and received is as it was.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <infiniband/umad_capture.h>

#include "test.h"
#include "common/mad_layout.h"
#include "libibmad/fields/fields.h"
#include "libibumad/capture/capture.h"
#include "pcapfile.h"
#include "wire.h"

enum { MAX = 1000, FILLED = 0xa5 };

/* A MAD, and the bytes of it that are hidden. */
struct expected {
	const char *what;
	uint8_t mgmt_class;
	int attr_id;
	size_t length;
	unsigned stride; /* of records, in units of 8 bytes */
	struct {
		size_t at;
		size_t size;
	} keys[15];
	uint8_t base_version;  /* 0: that of InfiniBand */
	uint8_t class_version; /* 0: that of the class */
	uint32_t segment;      /* of RMPP; 0: a MAD without RMPP */
	bool is_notice;
	unsigned trap;
};

/* clang-format off */
static const struct expected all[] = {
	{ "SMP by LID", 0x01, 0x11, 256, 0, .keys = { { 24, 8 } } },
	{ "SMP by route, PortInfo", 0x81, 0x15, 256, 0, .keys = { { 24, 8 }, { 64, 8 } } },
	{ "SA request", 0x03, 0x35, 256, 0, .keys = { { 36, 8 } } },
	{ "PortInfoRecord", 0x03, 0x12, 56 + 72, 0, .keys = { { 36, 8 }, { 60, 8 } } },
	{ "PortInfoRecords", 0x03, 0x12, 56 + 3 * 72, 9,
	  .keys = { { 36, 8 }, { 60, 8 }, { 132, 8 }, { 204, 8 } } },
	{ "SMInfoRecords", 0x03, 0x18, 56 + 2 * 32, 4,
	  .keys = { { 36, 8 }, { 68, 8 }, { 100, 8 } } },
	{ "ServiceRecords", 0x03, 0x31, 56 + 2 * 176, 22,
	  .keys = { { 36, 8 }, { 88, 16 }, { 88 + 176, 16 } } },
	{ "ServiceAssociationRecords", 0x03, 0x3b, 56 + 2 * 80, 10,
	  .keys = { { 36, 8 }, { 56, 16 }, { 56 + 80, 16 } } },
	{ "a record that is cut", 0x03, 0x31, 92, 22, .keys = { { 36, 8 }, { 88, 4 } } },
	{ "performance management", 0x04, 0x12, 256, 0, .keys = { { 24, 8 } } },
	{ "board management", 0x05, 0x11, 256, 0, .keys = { { 24, 8 } } },
	{ "device management", 0x06, 0x10, 256, 0, .keys = { { 0, 0 } } },
	{ "communication management", 0x07, 0x10, 256, 0, .keys = { { 0, 0 } } },
	{ "BKeyInfo", 0x05, 0x10, 256, 0, .keys = { { 24, 8 }, { 64, 8 } } },
	{ "congestion control", 0x21, 0x11, 256, 0, .keys = { { 24, 8 } } },
	{ "shorter than a header", 0x01, 0x15, 23, 0, .keys = { { 0, 0 } } },
	{ "a header and no more", 0x01, 0x15, 24, 0, .keys = { { 0, 0 } } },
	{ "a part of a key", 0x01, 0x15, 27, 0, .keys = { { 24, 3 } } },
	/* records, whatever the header says of them */
	{ "records of a length that is not theirs", 0x03, 0x12, 256, 8,
	  .keys = { { 36, 8 }, { 56, 200 } } },
	{ "records of which nobody says the length", 0x03, 0x12, 256, 0,
	  .keys = { { 36, 8 }, { 60, 8 }, { 132, 8 }, { 204, 8 } } },
	{ "RMPP, and no length", 0x03, 0x12, 256, 0, .keys = { { 36, 8 }, { 56, 200 } },
	  .segment = 1 },
	{ "first segment", 0x03, 0x12, 256, 9,
	  .keys = { { 36, 8 }, { 60, 8 }, { 132, 8 }, { 204, 8 } }, .segment = 1 },
	{ "a segment: where it belongs, only it says", 0x03, 0x12, 256, 9,
	  .keys = { { 36, 8 }, { 56, 200 } }, .segment = 2 },
	{ "the last segment that there can be", 0x03, 0x12, 256, 9,
	  .keys = { { 36, 8 }, { 56, 200 } }, .segment = 0xffffffff },
	{ "a segment of records without keys", 0x03, 0x11, 256, 14, .keys = { { 36, 8 } },
	  .segment = 2 },
	{ "a whole message of two segments", 0x03, 0x12, 56 + 216, 9,
	  .keys = { { 36, 8 }, { 60, 8 }, { 132, 8 }, { 204, 8 } }, .segment = 2 },
	/* layouts that nobody here knows */
	{ "Omni-Path, SMP by LID", 0x01, 0x15, 300, 0, .keys = { { 24, 8 }, { 32, 268 } },
	  .base_version = 0x80 },
	{ "Omni-Path, SMP by route", 0x81, 0x11, 300, 0, .keys = { { 24, 8 }, { 176, 124 } },
	  .base_version = 0x80 },
	{ "Omni-Path, SA", 0x03, 0x11, 300, 14, .keys = { { 36, 8 }, { 56, 244 } },
	  .base_version = 0x80 },
	{ "Omni-Path, a report", 0x03, 2, 300, 0, .keys = { { 36, 8 }, { 56, 244 } },
	  .base_version = 0x80, .is_notice = true, .trap = 256 },
	{ "Omni-Path, performance", 0x04, 0x40, 300, 0, .keys = { { 24, 276 } },
	  .base_version = 0x80 },
	{ "InfiniBand, with Omni-Path's class", 0x01, 0x15, 256, 0, .keys = { { 24, 232 } },
	  .class_version = 0x80 },
	{ "Omni-Path, with InfiniBand's class", 0x81, 0x15, 256, 0, .keys = { { 24, 232 } },
	  .base_version = 0x80, .class_version = 1 },
	{ "an SA of another version", 0x03, 0x12, 256, 9, .keys = { { 36, 220 } },
	  .class_version = 1 },
	{ "a class of another vendor", 0x09, 0x15, 256, 0, .keys = { { 24, 232 } } },
	{ "an application's class", 0x20, 0x15, 256, 0, .keys = { { 24, 232 } } },
	{ "no class", 0x02, 0x15, 256, 0, .keys = { { 24, 232 } } },
	{ "vendor range 2", 0x32, 0x15, 256, 0, .keys = { { 40, 216 } } },
	{ "a notice of vendor range 2", 0x32, 2, 256, 0, .keys = { { 40, 216 } } },
	{ "a vendor's SMP with fields", 0x81, 0xff91, 256, 0, .keys = { { 24, 8 } } },
	{ "a vendor's SMP without", 0x81, 0xffb1, 256, 0, .keys = { { 24, 8 }, { 64, 64 } } },
	{ "a vendor's SA attribute", 0x03, 0xff01, 256, 0, .keys = { { 36, 8 }, { 56, 200 } } },
	{ "NVIDIA's attribute with fields", 0x0a, 0x17, 256, 0, .keys = { { 24, 8 } } },
	{ "one without", 0x0a, 0x50, 256, 0, .keys = { { 24, 8 }, { 32, 224 } } },
	{ "aggregation management", 0x0b, 1, 256, 0, .keys = { { 24, 40 } } },
	{ "aggregation management's key", 0x0b, 0x10, 256, 0, .keys = { { 24, 232 } } },
	{ "node to node", 0x0c, 0x11, 256, 0, .keys = { { 24, 8 }, { 32, 224 } } },
	{ "keys of 14 neighbours", 0x0c, 0x10, 256, 0,
	  .keys = { { 24, 8 }, { 40, 8 }, { 56, 8 }, { 72, 8 }, { 88, 8 }, { 104, 8 }, { 120, 8 },
		    { 136, 8 }, { 152, 8 }, { 168, 8 }, { 184, 8 }, { 200, 8 }, { 216, 8 },
		    { 232, 8 }, { 248, 8 } } },
	/* notices */
	{ "a trap with an M_Key", 0x81, 2, 256, 0, .keys = { { 24, 8 }, { 64 + 24, 8 } },
	  .is_notice = true, .trap = 256 },
	{ "a report of it", 0x03, 2, 256, 0, .keys = { { 36, 8 }, { 56 + 24, 8 } },
	  .is_notice = true, .trap = 256 },
	{ "a trap with a VS key", 0x0a, 2, 256, 0, .keys = { { 24, 8 }, { 32 + 24, 8 } },
	  .is_notice = true, .trap = 0 },
	{ "a trap without a key", 0x01, 2, 256, 0, .keys = { { 24, 8 } }, .is_notice = true,
	  .trap = 128 },
	{ "a trap that nobody knows", 0x81, 2, 256, 0, .keys = { { 24, 8 }, { 64 + 10, 54 } } },
	{ "a trap that is cut", 0x01, 2, 100, 0, .keys = { { 24, 8 }, { 64 + 10, 26 } },
	  .is_notice = true, .trap = 128 },
	{ "a notice of device management", 0x06, 2, 256, 0, .keys = { { 64 + 10, 182 } } },
};
/* clang-format on */

enum {
	COUNT = sizeof(all) / sizeof(all[0]),
	KEYS = sizeof(all[0].keys) / sizeof(all[0].keys[0]),
};

static void fill(const struct expected *expected, uint8_t *mad)
{
	memset(mad, FILLED, expected->length);
	mad[0] = expected->base_version ? expected->base_version : 1;
	mad[1] = expected->mgmt_class;
	mad[2] = expected->class_version  ? expected->class_version
		 : expected->base_version ? 0x80
					  : mad_class_wire_version(expected->mgmt_class);
	mad[16] = (uint8_t)(expected->attr_id >> 8);
	mad[17] = (uint8_t)expected->attr_id;
	if (expected->length > 46) {
		mad[44] = (uint8_t)(expected->stride >> 8);
		mad[45] = (uint8_t)expected->stride;
	}
	if (expected->is_notice) {
		uint8_t *notice = mad + mad_attribute_start(mad);

		notice[4] = (uint8_t)(expected->trap >> 8);
		notice[5] = (uint8_t)expected->trap;
	}
	if (expected->segment && expected->length >= 36) {
		mad[24] = 1;				  /* version */
		mad[25] = 1;				  /* data */
		mad[26] = expected->segment == 1 ? 3 : 1; /* active, first */
		for (int i = 0; i < 4; i++)
			mad[28 + i] = (uint8_t)(expected->segment >> (24 - 8 * i));
	}
}

/* In memory of exactly the length, for the sanitizers and valgrind. */
TEST(keys_are_hidden_and_nothing_else)
{
	for (int i = 0; i < COUNT; i++) {
		uint8_t wanted[MAX], *mad = malloc(all[i].length);

		assert_non_null(mad);
		fill(&all[i], mad);
		memcpy(wanted, mad, all[i].length);
		for (int k = 0; k < KEYS; k++)
			memset(wanted + all[i].keys[k].at, 0, all[i].keys[k].size);
		umad_capture_hide_keys(mad, all[i].length);
		if (memcmp(mad, wanted, all[i].length))
			fail_msg("%s", all[i].what);
		free(mad);
	}
}

/* Whether a field is a key by its name. P_Keys and Q_Keys are addresses. */
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

/* Where fields are: the attribute (HEADER: each MAD of the class), the bytes of the MAD before it,
 * the length of a record if there may be several. First those that no row of mad_attributes.h has.
 */
enum { HEADER = 0xffff, ATTRIBUTE = 0 };
static const struct place {
	uint8_t mgmt_class;
	uint16_t attr_id;
	uint16_t before; /* ATTRIBUTE: as in all of the class */
	uint16_t record;
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
#define PC_SELECT                                              \
	{                                                      \
		IB_PC_EXT_PORT_SELECT_F, IB_PC_EXT_XMT_BYTES_F \
	}
#define DUMPED(mgmt_class, id, name, function, ...) \
	{ mgmt_class, id, ATTRIBUTE, 0, { __VA_ARGS__ } },
#define PRINTED(mgmt_class, id, name, ...) { mgmt_class, id, ATTRIBUTE, 0, { __VA_ARGS__ } },
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

/* A MAD of each method, with records that the header says to be of any length. */
static void check_hidden(const struct place *place, uint8_t mgmt_class, const char *name, size_t at,
			 size_t size)
{
	static const uint8_t zeros[MAX];

	for (unsigned turn = 0; turn < 256 * 32; turn++) {
		struct expected mad = {
			name, mgmt_class, place->attr_id == HEADER ? 0x10 : place->attr_id,
			256,  turn / 256, .segment = turn % 3
		};
		uint8_t bytes[MAX];

		fill(&mad, bytes);
		bytes[3] = (uint8_t)turn;
		umad_capture_hide_keys(bytes, mad.length);
		for (size_t key = at; key + size <= mad.length; key += place->record) {
			if (memcmp(bytes + key, zeros, size))
				fail_msg("%s of class 0x%02x, attribute 0x%04x, method 0x%02x: "
					 "byte %zu",
					 name, mgmt_class, mad.attr_id, bytes[3], key);
			if (!place->record)
				break;
		}
	}
}

/* Returns in how many attributes the field is. */
static unsigned check_field(unsigned id, const struct mad_field *field)
{
	const char *name = mad_field_text(field);
	unsigned found = 0;

	assert_false(mad_field_is_word(field));
	for (size_t i = 0; i < COUNT(places); i++) {
		const struct place *place = &places[i];
		const uint8_t mad[MAD_HEADER_END] = { 1, place->mgmt_class };
		size_t before = place->attr_id == HEADER ? 0 : place->before;

		if (!has_field(place, id))
			continue;
		found++;
		if (place->attr_id != HEADER && !before)
			before = mad_attribute_start(mad);
		check_hidden(place, place->mgmt_class, name, before + field->offset,
			     field->bits / 8);
		if (place->mgmt_class == UMAD_CLASS_SUBN_LID_ROUTED)
			check_hidden(place, UMAD_CLASS_SUBN_DIRECTED_ROUTE, name,
				     before + field->offset, field->bits / 8);
	}
	return found;
}

TEST(every_field_whose_name_is_a_key_is_hidden)
{
	unsigned keys = 0;

	for (unsigned id = 0; id < MAD_FIELD_OWN_LAST_; id++) {
		const struct mad_field *field = mad_field_find(id);

		if (!field || !is_key(mad_field_text(field)))
			continue;
		keys++;
		if (!check_field(id, field))
			fail_msg("%s (%u) is in no attribute", mad_field_text(field), id);
	}
	assert_int_equal(keys, 9);
}

static const struct notice_value {
	unsigned layout;
	const char *name;
	unsigned first, bits;
	enum { UINT, HEX, GID, BYTES, KEY } form;
} values[] = {
#define KIND(mgmt_class, trap, text, layout)
#define VALUE(layout, name, first, bits, form) { layout, name, first, bits, form },
#include "common/mad_notices.h"
#undef KIND
#undef VALUE
};

static void check_notice(uint8_t mgmt_class, unsigned trap, const struct notice_value *value)
{
	const struct expected notice = { value->name, mgmt_class,	 2,
					 256,	      .is_notice = true, .trap = trap };
	uint8_t bytes[MAX], *key;

	for (unsigned method = 0; method < 256; method++) {
		fill(&notice, bytes);
		bytes[3] = (uint8_t)method;
		umad_capture_hide_keys(bytes, notice.length);
		key = bytes + mad_attribute_start(bytes) + value->first / 8;
		for (unsigned i = 0; i < value->bits / 8; i++)
			if (key[i])
				fail_msg("%s of trap %u, class 0x%02x", value->name, trap,
					 mgmt_class);
	}
}

/* The key of trap 257 is a P_Key, that of trap 258, which has the same layout, a Q_Key. */
TEST(every_value_of_a_notice_whose_name_is_a_key_is_hidden)
{
	static const struct {
		uint8_t mgmt_class;
		unsigned trap, layout;
	} kinds[] = {
#define KIND(mgmt_class, trap, text, layout) { mgmt_class, trap, layout },
#define VALUE(layout, name, first, bits, form)
#include "common/mad_notices.h"
	};
	unsigned keys = 0;

	for (size_t i = 0; i < COUNT(kinds); i++)
		for (size_t v = 0; v < COUNT(values); v++) {
			if (values[v].layout != kinds[i].layout || !is_key(values[v].name) ||
			    kinds[i].layout == 257)
				continue;
			keys++;
			if (kinds[i].mgmt_class) {
				check_notice(kinds[i].mgmt_class, kinds[i].trap, &values[v]);
				continue;
			}
			check_notice(UMAD_CLASS_SUBN_LID_ROUTED, kinds[i].trap, &values[v]);
			check_notice(UMAD_CLASS_SUBN_DIRECTED_ROUTE, kinds[i].trap, &values[v]);
			check_notice(UMAD_CLASS_SUBN_ADM, kinds[i].trap, &values[v]);
		}
	assert_int_equal(keys, 10);
}

/* Whatever the length and the distance of records, no byte behind the message is touched. */
TEST(any_length)
{
	for (int i = 0; i < COUNT; i++)
		for (size_t length = 0; length <= 300; length++) {
			struct expected changed = all[i];
			uint8_t *mad = malloc(length + 1), full[MAX];

			changed.length = 300;
			changed.stride = (unsigned)length;
			fill(&changed, full);
			memcpy(mad, full, length);
			mad[length] = FILLED;
			umad_capture_hide_keys(mad, length);
			assert_int_equal(mad[length], FILLED);
			free(mad);
		}
}

/* Sends a PortInfo with keys through a capture; returns its bytes in the file. */
static void record(const char *path, uint32_t flags, uint8_t mad[WIRE_MAD])
{
	struct wire_packet packet = { .umad.agent_id = WIRE_AGENT }, arrived;
	struct pcap_file file;
	struct wire wire;

	assert_int_equal(wire_open(&wire), 0);
	fill(&all[1], packet.mad.bytes);
	assert_int_equal(umad_capture_start(path, flags), 0);
	assert_int_equal(umad_send(wire.near, WIRE_AGENT, &packet, WIRE_MAD, 0, 0), 0);
	assert_int_equal(umad_capture_stop(), 0);
	assert_true(recv(wire.far, &arrived, sizeof(arrived), 0) > 0);
	assert_int_equal(arrived.mad.bytes[24], FILLED);
	assert_null(pcap_read(path, &file));
	assert_int_equal(file.count, 1);
	memcpy(mad, file.packets[0].mad, WIRE_MAD);
	pcap_free(&file);
	wire_close(&wire);
	unlink(path);
}

TEST(captures_have_none_unless_asked_for)
{
	char path[] = "/tmp/capture-keys-XXXXXX";
	uint8_t mad[WIRE_MAD];
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	record(path, 0, mad);
	assert_int_equal(mad[23], FILLED);
	assert_int_equal(mad[24] | mad[31] | mad[64] | mad[71], 0);
	assert_int_equal(mad[72], FILLED);
	record(path, UMAD_CAPTURE_KEYS, mad);
	assert_int_equal(mad[24] & mad[31] & mad[64] & mad[71], FILLED);
	record(path, 0, mad);
	assert_int_equal(mad[24] | mad[31] | mad[64] | mad[71], 0);
}

/* A MAD that was copied for a capture with keys is written to the next one. */
TEST(next_capture_has_no_keys_of_the_last_one)
{
	char path[] = "/tmp/capture-keys-XXXXXX";
	struct wire_packet packet = { .umad.agent_id = WIRE_AGENT };
	struct umad_capture_note note;
	struct pcap_file file;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	fill(&all[1], packet.mad.bytes);
	assert_int_equal(umad_capture_start(path, UMAD_CAPTURE_KEYS), 0);
	umad_capture_note_mad(-1, &packet, WIRE_MAD, false, &note);
	assert_int_equal(note.head[24], FILLED);
	assert_int_equal(umad_capture_stop(), 0);
	assert_int_equal(umad_capture_start(path, 0), 0);
	umad_capture_add(&note);
	umad_capture_free_note(&note);
	assert_int_equal(umad_capture_stop(), 0);
	assert_null(pcap_read(path, &file));
	assert_int_equal(file.count, 1);
	assert_int_equal(file.packets[0].mad[24], 0);
	assert_int_equal(file.packets[0].mad[72], FILLED);
	pcap_free(&file);
	unlink(path);
}
