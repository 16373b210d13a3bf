/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-layouts.c - the fields of each attribute (common/mad_attributes.h) lie where headers of
 * other projects have them: facts/struct_layouts.tsv has the members of their structures, facts/
 * fec_fields.tsv the single bits of two attributes. Both are copies; their heads name the sources.
 */
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libibmad-fabric/counters.h"
#include "libibmad/fields/fields.h"

enum {
	ATTRIBUTES = 29,
	MEMBERS = 267,
	FEC_FIELDS = 32,
	SPEEDS = 10,
	RATES = 25,
	CAPABILITIES = 81,
	ERRORS = 14,
	GENERAL_INFO = 16
};

struct range {
	unsigned first;
	unsigned end;
};

#define PC_SELECT                                              \
	{                                                      \
		IB_PC_EXT_PORT_SELECT_F, IB_PC_EXT_XMT_BYTES_F \
	}

static const struct attribute {
	unsigned mgmt_class;
	unsigned id;
	struct range ranges[3];
} attributes[] = {
#define DUMPED(mgmt_class, id, name, function, ...) { mgmt_class, id, { __VA_ARGS__ } },
#define PRINTED(mgmt_class, id, name, ...)	    { mgmt_class, id, { __VA_ARGS__ } },
#define NAMED(mgmt_class, id, name)
#define PART(function, ...)
#include "common/mad_attributes.h"
};

struct place {
	unsigned first; /* bit; 0 is the uppermost of the first byte */
	unsigned bits;
};

static struct place place_of(const struct mad_field *field)
{
	unsigned before = mad_field_is_word(field) ? 32u - field->shift - field->bits : 0;

	return (struct place){ field->offset * 8u + before, field->bits };
}

static bool overlaps(struct place a, struct place b)
{
	return a.first < b.first + b.bits && b.first < a.first + a.bits;
}

static bool lies_in(struct place inner, struct place outer)
{
	return inner.first >= outer.first && inner.first + inner.bits <= outer.first + outer.bits;
}

/* Calls visit for each field of the attribute; returns how many it has. */
static unsigned each_field(unsigned mgmt_class, unsigned id,
			   void visit(const struct mad_field *field, void *context), void *context)
{
	unsigned fields = 0;

	for (size_t i = 0; i < COUNT(attributes); i++) {
		if (attributes[i].mgmt_class != mgmt_class || attributes[i].id != id)
			continue;
		for (size_t r = 0; r < COUNT(attributes[i].ranges); r++) {
			const struct range *range = &attributes[i].ranges[r];

			for (unsigned f = range->first; f < range->end; f++) {
				const struct mad_field *field = mad_field_find(f);

				if (!field)
					continue;
				fields++;
				visit(field, context);
			}
		}
	}
	return fields;
}

struct member {
	char attribute[64];
	char name[64];
	struct place place;
	bool is_reserved;
	unsigned fields; /* that lie in it */
};

static void compare(const struct mad_field *field, void *context)
{
	struct member *member = context;
	struct place place = place_of(field);

	if (!overlaps(place, member->place))
		return;
	/* Bits of 0xff90 have macros where its structure has bytes that are reserved. */
	if (member->is_reserved && !strcmp(member->attribute, "0xff90"))
		return;
	if (member->is_reserved)
		fail_msg("%s: %s lies on %s, bits %u to %u", member->attribute,
			 mad_field_text(field), member->name, member->place.first,
			 member->place.first + member->place.bits - 1);
	if (!lies_in(place, member->place))
		fail_msg("%s: %s (first bit %u, %u bits) lies across the end of %s (%u, %u)",
			 member->attribute, mad_field_text(field), place.first, place.bits,
			 member->name, member->place.first, member->place.bits);
	member->fields++;
}

static bool is_reserved(const char *name)
{
	return !strncmp(name, "res", 3) || !strncmp(name, "pad", 3);
}

static FILE *open_facts(const char *name)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", FACTS, name);
	file = fopen(path, "r");
	if (!file)
		fail_msg("%s: cannot open", path);
	return file;
}

TEST(members_of_structures)
{
	unsigned members = 0, seen = 0;
	FILE *file = open_facts("struct_layouts.tsv");
	char line[512], last[64] = "";

	while (fgets(line, sizeof(line), file)) {
		struct member member = { 0 };
		unsigned mgmt_class = 1, id;
		int bytes;

		if (sscanf(line, "%63[^\t]\t%*[^\t]\t%d\t%63[^\t]\t%u\t%u", member.attribute,
			   &bytes, member.name, &member.place.first, &member.place.bits) != 5)
			continue;
		if (sscanf(member.attribute, "PMA %x", &id) == 1)
			mgmt_class = 4;
		else if (sscanf(member.attribute, "class %x attr %x", &mgmt_class, &id) != 2 &&
			 (strncmp(member.attribute, "0x", 2) ||
			  sscanf(member.attribute, "%x", &id) != 1))
			continue;
		if (strchr(member.name, '.'))
			continue;
		member.is_reserved = is_reserved(member.name);
		if (!each_field(mgmt_class, id, compare, &member))
			continue;
		if (!member.is_reserved && !member.fields)
			fail_msg("%s: no field for %s", member.attribute, member.name);
		seen += strcmp(last, member.attribute) != 0;
		strcpy(last, member.attribute);
		members++;
	}
	fclose(file);
	assert_int_equal(seen, ATTRIBUTES);
	assert_int_equal(members, MEMBERS);
}

struct wanted {
	char name[64];
	struct place place;
	bool found;
};

static void find(const struct mad_field *field, void *context)
{
	struct wanted *wanted = context;
	struct place place = place_of(field);

	if (strcmp(mad_field_text(field), wanted->name))
		return;
	wanted->found = true;
	if (place.first != wanted->place.first || place.bits != wanted->place.bits)
		fail_msg("%s: first bit %u, %u bits; not %u, %u", wanted->name, place.first,
			 place.bits, wanted->place.first, wanted->place.bits);
}

/* Also the four FEC fields of HDR and NDR, which rdma-core has in the wrong place. */
TEST(fields_of_fec)
{
	FILE *file = open_facts("fec_fields.tsv");
	char line[1024];
	unsigned found = 0;

	while (fgets(line, sizeof(line), file)) {
		struct wanted wanted = { 0 };
		unsigned id;

		if (sscanf(line, "%63[^\t(]\t%x\t%u\t%u\t", wanted.name, &id, &wanted.place.first,
			   &wanted.place.bits) != 4 ||
		    id < 0x33)
			continue;
		each_field(1, id, find, &wanted);
		if (!wanted.found && strcmp(wanted.name, "StateChangeEnable"))
			fail_msg("0x%04x has no field %s", id, wanted.name);
		found += wanted.found;
	}
	fclose(file);
	assert_int_equal(found, FEC_FIELDS);
}

static const struct kind {
	unsigned mgmt_class;
	unsigned trap;
	unsigned layout;
} kinds[] = {
#define KIND(mgmt_class, trap, text, layout) { mgmt_class, trap, layout },
#define VALUE(layout, name, first, bits, form)
#include "common/mad_notices.h"
#undef KIND
#undef VALUE
};

static const struct {
	unsigned layout;
	const char *name;
	struct place place;
} values[] = {
#define KIND(mgmt_class, trap, text, layout)
#define VALUE(layout, name, first, bits, form) { layout, name, { first, bits } },
#include "common/mad_notices.h"
#undef KIND
#undef VALUE
};

static void compare_values(unsigned mgmt_class, unsigned trap, const char *name, struct place place)
{
	const struct kind *kind = kinds;
	unsigned found = 0;

	while (kind < kinds + COUNT(kinds) &&
	       (kind->mgmt_class != mgmt_class || kind->trap != trap))
		kind++;
	if (kind == kinds + COUNT(kinds))
		fail_msg("trap %u of class 0x%02x has no row", trap, mgmt_class);
	for (size_t i = 0; i < COUNT(values); i++) {
		if (values[i].layout != kind->layout || !overlaps(values[i].place, place))
			continue;
		if (is_reserved(name) || !lies_in(values[i].place, place))
			fail_msg("trap %u: %s lies on %s", trap, values[i].name, name);
		found++;
	}
	if (!found && !is_reserved(name))
		fail_msg("trap %u: no value for %s", trap, name);
}

TEST(values_of_notices)
{
	FILE *file = open_facts("notices.tsv");
	char line[512], traps[64], name[128];
	unsigned rows = 0;

	while (fgets(line, sizeof(line), file)) {
		struct place place;
		char *classes, *number;
		unsigned mgmt_class;

		if (sscanf(line, "%63[^\t]\t%*[^\t]\t%*[^\t]\t%127[^\t]\t%u\t%*u\t%u", traps, name,
			   &place.first, &place.bits) != 4)
			continue;
		if (strchr(name, '.')) /* a part of another row */
			continue;
		rows++;
		classes = strstr(traps, "class");
		mgmt_class = classes ? (unsigned)strtoul(strstr(classes, "0x"), NULL, 16) : 0;
		if (classes)
			*classes = '\0';
		for (number = strtok(traps, ",( "); number; number = strtok(NULL, ",( "))
			compare_values(mgmt_class, (unsigned)atoi(number), name, place);
	}
	fclose(file);
	assert_true(rows >= 200);
}

/* Each kind of notice is recognised; vendors' ones also where only their number shows it. */
TEST(kinds_of_notices)
{
	for (size_t i = 0; i < COUNT(kinds); i++) {
		uint8_t trap[2] = { (uint8_t)(kinds[i].trap >> 8), (uint8_t)kinds[i].trap };
		uint8_t notice[64] = { 0x80, [4] = trap[0], trap[1] };
		int mgmt_class = kinds[i].mgmt_class ? (int)kinds[i].mgmt_class : IB_SA_CLASS;

		assert_string_not_equal(mad_notice_kind(notice, mgmt_class), "?");
		notice[0] = 0;
		assert_string_equal(mad_notice_kind(notice, mgmt_class), "?");
		memcpy(notice + 62, trap, 2);
		if (kinds[i].trap)
			assert_string_not_equal(mad_notice_kind(notice, mgmt_class), "?");
	}
}

TEST(notice_as_text)
{
	uint8_t notice[80] = { 0x82, 0, 0, 2,	 1, 1,	  0, 7,	   0x80,	3,    0,       0,
			       0,    9, 0, 0x12, 0, 0x34, 0, 0x56, [64] = 0xfe, 0x80, [79] = 1 };
	uint8_t system_guid[64] = { 0x80, [5] = 145, [17] = 2, 0xc9, 3, [23] = 1 };
	struct mad_notice_value value;
	char text[4096];

	for (int i = 0; i < 16; i++)
		notice[28 + i] = (uint8_t)(0x20 + i);
	assert_int_equal(mad_dump_attribute(text, sizeof(text), notice, 64, 0x81, 2), 0);
	assert_string_equal(text, "NoticeIsGeneric:.................1\n"
				  "NoticeType:......................2\n"
				  "NoticeProducerType:..............Switch\n"
				  "NoticeTrapNumber:................257\n"
				  "NoticeIssuerLID:.................7\n"
				  "NoticeToggle:....................1\n"
				  "NoticeCount:.....................3\n"
				  "NoticeKind:......................P_Key violation\n"
				  "LID1:............................9\n"
				  "LID2:............................18\n"
				  "Key:.............................0x00340056\n"
				  "SL1:.............................0\n"
				  "QP1:.............................0\n"
				  "QP2:.............................0\n"
				  "GID1:............................"
				  "2021:2223:2425:2627:2829:2a2b:2c2d:2e2f\n"
				  "GID2:............................::\n");
	assert_int_equal(mad_dump_attribute(text, sizeof(text), notice, 80, 3, 2), 0);
	assert_non_null(strstr(text, "IssuerGID:.......................fe80::1\n"));
	assert_int_equal(mad_dump_attribute(text, sizeof(text), system_guid, 64, 1, 2), 0);
	assert_non_null(strstr(text, "NewSystemImageGUID:..............0x0002c90300000001\n"));
	assert_int_equal(mad_notice_value(notice, 1, 2, &value), 0);
	assert_string_equal(value.name, "Key");
	assert_int_equal(value.bits, 32);
	assert_int_equal(value.number, 0x340056);
	assert_null(value.bytes);
	assert_int_equal(mad_notice_value(notice, 1, 6, &value), 0);
	assert_ptr_equal(value.bytes, notice + 28);
	assert_int_equal(value.number, 0);
	assert_errno(mad_notice_value(notice, 1, 8, &value), ENOENT);
	assert_errno(mad_notice_value_sized(notice, 1, 2, &value, sizeof(value) - 1), EINVAL);
	assert_int_equal(mad_notice_value(NULL, 1, 2, &value), -1);
	assert_errno(mad_notice_value(notice, 1, 2, NULL), EINVAL);
	assert_errno(mad_notice_value(notice, 0x101, 2, &value), ENOENT);
	assert_string_equal(mad_notice_kind(notice, 0x101), "?");
	assert_string_equal(mad_notice_kind(NULL, 1), "?");
	notice[5] = 99;
	assert_int_equal(mad_notice_value(notice, 1, 0, &value), -1);
	assert_int_equal(mad_dump_attribute(text, sizeof(text), notice, 64, 0x81, 2), 0);
	assert_non_null(strstr(text, "DataDetails:.....................000000090012"));
}

static void check_value(enum MAD_FIELDS field, uint32_t value, const char *wanted)
{
	char text[4096];

	assert_non_null(mad_dump_val(field, text, sizeof(text), &value));
	assert_string_equal(text, wanted);
}

/* Speeds of PortInfo, and codes of rates, as the facts have them. */
TEST(speeds_and_rates)
{
	FILE *file = open_facts("speeds.tsv");
	char line[512], name[16], field[16], words[32], text[32];
	unsigned speeds = 0, rates = 0, code, bit;
	double rate;

	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line,
			   "%15[A-Z0-9]\t%*[^\t]\t%*[^\t]\t%15[^/*\t ]%*[^\t]\t%u\t%*[^\t]\t%*[^\t]"
			   "\t%*[^\t]\t%*[^\t]\t%31[^\t\n]",
			   name, field, &bit, words) == 4) {
			speeds++;
			if (!strcmp(field, "LinkSpeed"))
				check_value(IB_PORT_LINK_SPEED_ACTIVE_F, bit, words);
			else if (!strcmp(field, "LinkSpeedExt"))
				check_value(strcmp(name, "XDR") ? IB_PORT_LINK_SPEED_EXT_ACTIVE_F
								: IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F,
					    bit, words);
		} else if (sscanf(line, "%u\t%lf\t", &code, &rate) == 2) {
			rates++;
			snprintf(text, sizeof(text), "%g Gbps", rate);
			check_value(MAD_PATH_RATE_F, code, text);
			check_value(MAD_MCM_RATE_F, code, text);
		}
	}
	fclose(file);
	assert_int_equal(speeds, SPEEDS);
	assert_int_equal(rates, RATES);
	check_value(MAD_PATH_RATE_F, 1, "undefined (1)");
	check_value(MAD_PATH_RATE_F, 27, "undefined (27)");
}

/* Where a record of the SA has its rate and what is beside it (volume 1, 15.2.5). */
TEST(records_as_text)
{
	uint8_t path[64] = { [7] = 9, [40] = 0, 5,    0,    0x07, [46] = 0x12, 0x40, 0x33, 0x81,
			     0xff,    0xff,	0x01, 0x23, 0x84, 0x95,	       0x92, 7 };
	uint8_t group[56] = { [36] = 0xc0, 1, 0x85, 0, 0xff, 0xff, 0xd7, 0x93, [47] = 3, 0x51 };
	static const char *const path_lines[] = {
		"PathRecServiceID:................0x0000000000000009\n",
		"PathRecDLid:.....................5\n",
		"PathRecSLid:.....................7\n",
		"PathRecFlowLabel:................0x000012\n",
		"PathRecHopLimit:.................64\n",
		"PathRecTClass:...................0x33\n",
		"PathRecReversible:...............1\n",
		"PathRecNumPath:..................1\n",
		"PathRecPKey:.....................0xffff\n",
		"PathRecQoSClass:.................18\n",
		"PathRecSL:.......................3\n",
		"PathRecMTUSelector:..............2\n",
		"PathRecMTU:......................2048\n",
		"PathRecRateSelector:.............2\n",
		"PathRecRate:.....................400 Gbps\n",
		"PathRecLifeTimeSelector:.........2\n",
		"PathRecPacketLifeTime:...........18\n",
		"PathRecPreference:...............7\n",
	};
	static const char *const group_lines[] = {
		"McastMemMLid:....................0xc001\n",
		"McastMemMTUSelector:.............2\n",
		"McastMemMTU:.....................4096\n",
		"McastMemRateSelector:............3\n",
		"McastMemRate:....................800 Gbps\n",
		"McastMemLifeTimeSelector:........2\n",
		"McastMemPacketLifeTime:..........19\n",
		"McastMemHopLimit:................3\n",
		"McastMemScope:...................5\n",
		"McastMemJoinState:...............1\n",
	};
	char text[4096];

	assert_int_equal(mad_dump_attribute(text, sizeof(text), path, sizeof(path), 3, 0x35), 0);
	for (size_t i = 0; i < COUNT(path_lines); i++)
		if (!strstr(text, path_lines[i]))
			fail_msg("no %s in:\n%s", path_lines[i], text);
	assert_int_equal(mad_dump_attribute(text, sizeof(text), group, sizeof(group), 3, 0x38), 0);
	for (size_t i = 0; i < COUNT(group_lines); i++)
		if (!strstr(text, group_lines[i]))
			fail_msg("no %s in:\n%s", group_lines[i], text);
	assert_null(strstr(text, "McastMemRate:....................23"));
}

/* The facts keep slips of the pen of their source. */
static const char *without_slips(const char *name)
{
	static const char *const slips[][2] = {
		{ "IsIsQoSConfigSLAllocBWPortSupported", "IsQoSConfigSLAllocBWPortSupported" },
		{ "sIsQoSConfigLowPriorityVLGroupRateLimitSupported",
		  "IsQoSConfigLowPriorityVLGroupRateLimitSupported" },
		{ "IsBwUtiliztionSupported", "IsBwUtilizationSupported" },
		{ "IsExtendedSwitchIfoSupported", "IsExtendedSwitchInfoSupported" },
	};

	for (size_t i = 0; i < COUNT(slips); i++)
		if (!strcmp(name, slips[i][0]))
			return slips[i][1];
	return name;
}

/* Each capability of SMPs is the only name that its bit prints, and bits without one print none. */
TEST(capabilities_of_vendors)
{
	static const enum MAD_FIELDS words[] = { MAD_GENERAL_CAPABILITIES_0_F,
						 MAD_GENERAL_CAPABILITIES_1_F,
						 MAD_GENERAL_CAPABILITIES_2_F,
						 MAD_GENERAL_CAPABILITIES_3_F };
	FILE *file = open_facts("generalinfo_caps.tsv");
	char line[256], name[64], text[4096], wanted[128];
	uint32_t named[COUNT(words)] = { 0 };
	unsigned bit, found = 0;

	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "SMP\t%u\t%63s", &bit, name) != 2)
			continue;
		found++;
		named[bit / 32] |= UINT32_C(1) << bit % 32;
		snprintf(wanted, sizeof(wanted), "0x%x\n\t\t\t\t%s", 1U << bit % 32,
			 without_slips(name));
		check_value(words[bit / 32], UINT32_C(1) << bit % 32, wanted);
	}
	fclose(file);
	assert_int_equal(found, CAPABILITIES);
	for (size_t i = 0; i < COUNT(words); i++) {
		uint32_t others = ~named[i];

		assert_non_null(mad_dump_val(words[i], text, sizeof(text), &others));
		assert_null(strstr(text, "Is"));
	}
}

/* Errors of PortCountersExtended by name: where the attribute has them, and where mad_fabric reads.
 */
TEST(errors_of_extended_counters)
{
	static const struct {
		const char *member;
		enum mad_fabric_counter counter;
	} errors[ERRORS] = {
		{ "symbol_err_cnt", MAD_FABRIC_COUNTER_SYMBOL_ERRORS },
		{ "link_err_recover", MAD_FABRIC_COUNTER_LINK_RECOVERS },
		{ "link_downed", MAD_FABRIC_COUNTER_LINK_DOWNED },
		{ "rcv_err", MAD_FABRIC_COUNTER_RCV_ERRORS },
		{ "rcv_rem_phys_err", MAD_FABRIC_COUNTER_RCV_REMOTE_PHYSICAL_ERRORS },
		{ "rcv_switch_relay_err", MAD_FABRIC_COUNTER_RCV_SWITCH_RELAY_ERRORS },
		{ "xmit_discards", MAD_FABRIC_COUNTER_XMIT_DISCARDS },
		{ "xmit_constraint_err", MAD_FABRIC_COUNTER_XMIT_CONSTRAINT_ERRORS },
		{ "rcv_constraint_err", MAD_FABRIC_COUNTER_RCV_CONSTRAINT_ERRORS },
		{ "link_integrity_err", MAD_FABRIC_COUNTER_LOCAL_LINK_INTEGRITY_ERRORS },
		{ "buffer_overrun", MAD_FABRIC_COUNTER_EXCESSIVE_BUFFER_OVERRUNS },
		{ "vl15_dropped", MAD_FABRIC_COUNTER_VL15_DROPPED },
		{ "xmit_wait", MAD_FABRIC_COUNTER_XMIT_WAIT },
		{ "qp1_dropped", MAD_FABRIC_COUNTER_QP1_DROPPED },
	};
	FILE *file = open_facts("struct_layouts.tsv");
	char line[512], member[64];
	struct place place;
	unsigned found = 0;

	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "PMA 0x1D\t%*[^\t]\t%*d\t%63[^\t]\t%u\t%u", member, &place.first,
			   &place.bits) != 3)
			continue;
		for (size_t i = 0; i < COUNT(errors); i++) {
			const struct counter_fields *fields =
				&fabric_counter_fields[errors[i].counter];
			const struct mad_field *field = mad_field_find(fields->extended);

			if (strcmp(member, errors[i].member))
				continue;
			found++;
			assert_int_equal(place_of(field).first, place.first);
			assert_int_equal(field->bits, place.bits);
			assert_string_equal(fields->info.name, mad_field_text(field));
		}
	}
	fclose(file);
	assert_int_equal(found, ERRORS);
}

static unsigned positions[GENERAL_INFO + 1];

static void note_position(const struct mad_field *field, void *context)
{
	unsigned *count = context;

	assert_true(*count < GENERAL_INFO);
	positions[(*count)++] = place_of(field).first;
}

/* GeneralInfo of class 0x0a, whose description is a sentence: "DeviceID @80/16" and so on. */
TEST(general_info_of_vendors)
{
	FILE *file = open_facts("pma_attributes.tsv");
	unsigned count = 0, found = 0;
	char line[1024], *at;

	assert_int_equal(each_field(0x0a, 0x17, note_position, &count), GENERAL_INFO);
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, "0x0A/0x17\t", 10))
			continue;
		/* "@616/624/632" is three of them. */
		for (at = strchr(line, '@'); at; at = strchr(at + 1, '@')) {
			assert_int_equal(strtoul(at + 1, &at, 10), positions[found++]);
			for (; *at == '/' && strtoul(at + 1, NULL, 10) > 200;)
				assert_int_equal(strtoul(at + 1, &at, 10), positions[found++]);
		}
	}
	fclose(file);
	assert_int_equal(found, GENERAL_INFO);
}

TEST(modes_of_fec)
{
	static const struct {
		unsigned mode;
		const char *name;
		int is_rs;
	} modes[] = {
		{ 0, "no FEC", 0 },
		{ 1, "FireCode", 0 },
		{ 2, "RS-FEC", 1 },
		{ 3, "LL-RS-FEC", 1 },
		{ 4, "RS-FEC (544,514)", 1 },
		{ 5, "?", 0 },
		{ 7, "?", 0 },
		{ 8, "MLNX-STRONG-RS", 1 },
		{ 9, "MLNX-LL-RS", 1 },
		{ 10, "MLNX-ADAPT-RS", 1 },
		{ 11, "MLNX-COD-FEC", 1 },
		{ 12, "MLNX-ZL-FEC", 0 },
		{ 13, "MLNX-RS-544-514-PLR", 1 },
		{ 14, "MLNX-RS-271-257-PLR", 1 },
		{ 15, "?", 0 },
		{ UINT32_MAX, "?", 0 },
	};

	for (size_t i = 0; i < COUNT(modes); i++) {
		assert_string_equal(mad_fec_name(modes[i].mode), modes[i].name);
		assert_int_equal(mad_fec_is_rs(modes[i].mode), modes[i].is_rs);
	}
}

TEST(dropped_packets)
{
	uint8_t counters[64] = { [20] = 0x12, 0x34, 0x56, 0x78 };

	assert_int_equal(mad_get_field(counters, 0, IB_PC_QP1_DROP_F), 0x1234);
	assert_int_equal(mad_get_field(counters, 0, IB_PC_VL15_DROPPED_F), 0x5678);
}
