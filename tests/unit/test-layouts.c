/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-layouts.c - the fields of each attribute (common/mad_attributes.h) lie where headers of
 * other projects have them: facts/struct_layouts.tsv has the members of their structures, facts/
 * fec_fields.tsv the single bits of two attributes. Both are copies; their heads name the sources.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "libibmad/fields/fields.h"

enum { ATTRIBUTES_MIN = 15, MEMBERS_MIN = 140, FEC_FIELDS = 32 };

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
		else if (strncmp(member.attribute, "0x", 2) ||
			 sscanf(member.attribute, "%x", &id) != 1)
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
	assert_true(seen >= ATTRIBUTES_MIN);
	assert_true(members >= MEMBERS_MIN);
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
		{ 11, "MLNX-COD-FEC", 0 },
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
