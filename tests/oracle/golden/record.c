/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * record FIELDS LIBIBUMAD LIBIBMAD SEED
 *
 * Makes calls of a pair of libraries that follow from SEED, and prints them with their results, for
 * `check`. Exits 77 when the pair is not there, or when it is of this project and so no oracle.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "pair.h"

#define COUNT(array)   (sizeof(array) / sizeof((array)[0]))
#define ATTRIBUTE_SIZE 256
#define SHOWN_SIZE     384

/* The formatters of single values, and the kinds of value that they read. */
enum reads { NUMBER, WORD, BYTES, TABLE };

static const struct formatter {
	const char *name;
	enum reads reads;
} formatters[] = {
#define VALUE_DUMP(function, what) { #function, what },
#include "tests/lib/value-dumps.h"
};

/* Attributes that have a function of their own. */
static const char *const attributes[] = {
#define DUMPED(mgmt_class, id, name, function, ...) "mad_dump_" #function,
#define PART(function, ...)			    "mad_dump_" #function,
#define PRINTED(...)
#define NAMED(...)
#include "common/mad_attributes.h"
};

static uint64_t seed;

static uint64_t random_number(void)
{
	uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static char *random_hex(int bytes)
{
	static char text[2 * SHOWN_SIZE + 1];

	for (int i = 0; i < bytes; i++)
		sprintf(text + 2 * i, "%02x", (unsigned)(random_number() & 0xff));
	return text;
}

/* Printable characters with a NUL after them: the older library does not stop by itself. */
static char *random_text(int bytes)
{
	static char text[2 * SHOWN_SIZE + 1];
	int length = (int)(random_number() % (unsigned)bytes);

	for (int i = 0; i < bytes; i++)
		sprintf(text + 2 * i, "%02x",
			i < length ? 32 + (unsigned)(random_number() % 95) : 0);
	return text;
}

/* A word of 4 bytes: any, or with few bits set, or small. */
static char *random_word(void)
{
	static char text[17];
	uint32_t word = (uint32_t)random_number();

	switch (random_number() % 4) {
	case 0:
		word &= (uint32_t)random_number() & (uint32_t)random_number();
		break;
	case 1:
		word %= 64;
		break;
	}
	sprintf(text, "%02x%02x%02x%02x00000000", word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff,
		word >> 24);
	return text;
}

static void record(const char *text)
{
	static char line[MAX_LINE], result[MAX_LINE];
	struct call call = { .columns = 0 };
	const struct kind *kind;
	char *rest = line;

	snprintf(line, sizeof(line), "%s", text);
	while (rest && call.columns < MAX_COLUMNS)
		call.column[call.columns++] = strsep(&rest, "\t");
	kind = kind_find(call.column[0]);
	result[0] = '\0';
	if (!kind->run(&call, result))
		strcpy(result, "MISSING");
	printf("%s\t%s\n", text, result);
}

static void record_dump(const char *name, int valsz, const char *bytes)
{
	char text[2048];

	snprintf(text, sizeof(text), "dump\t%s\t%d\t%s", name, valsz, bytes);
	record(text);
}

static void record_formatter(const struct formatter *formatter, int turn)
{
	bool is_text = strstr(formatter->name, "string") || strstr(formatter->name, "nodedesc");

	if (formatter->reads == NUMBER)
		record_dump(formatter->name, 1 + turn % 8, random_hex(8));
	else if (formatter->reads == WORD)
		record_dump(formatter->name, 4, random_word());
	else
		record_dump(formatter->name, 1 + (int)(random_number() % 64),
			    is_text ? random_text(64) : random_hex(64));
}

static void record_formatters(void)
{
	for (size_t i = 0; i < COUNT(formatters); i++)
		for (int turn = 0; turn < 80; turn++)
			record_formatter(&formatters[i], turn);
	for (size_t i = 0; i < COUNT(attributes); i++)
		for (int turn = 0; turn < 10; turn++)
			record_dump(attributes[i], ATTRIBUTE_SIZE, random_hex(ATTRIBUTE_SIZE));
}

/*
 * Whether the pair has a field. One that it does not know must not be used: other calls than
 * this go where an older table's end happens to point.
 */
static bool has_field(const struct field *field)
{
	char *(*dump)(int, char *, int, void *) = pair_function("mad_dump_val");
	static uint8_t value[ATTRIBUTE_SIZE];
	static char text[4096];

	return dump(field->id, text, sizeof(text), value) != NULL;
}

static void record_field(const struct field *field)
{
	static char text[4096];

	if (!has_field(field)) {
		printf("name\t%d\tMISSING\n", field->id);
		return;
	}
	snprintf(text, sizeof(text), "name\t%d", field->id);
	record(text);
	for (int turn = 0; turn < 5; turn++) {
		int base = field->bits <= 64 ? 4 * (turn % 4) : 0;
		int size = field_size(field);
		bool is_text = !strcmp(field->formatter, "mad_dump_string");

		snprintf(text, sizeof(text), "get\t%d\t%d\t%s", field->id, base,
			 random_hex(SHOWN_SIZE));
		record(text);
		snprintf(text, sizeof(text), "set\t%d\t%d\t%d\t%016llx", field->id, base, turn % 2,
			 (unsigned long long)random_number());
		record(text);
		snprintf(text, sizeof(text), "dec\t%d\t%s", field->id, random_hex(SHOWN_SIZE));
		record(text);
		snprintf(text, sizeof(text), "val\t%d\t%s", field->id,
			 is_text ? random_text(size) : random_hex(size));
		record(text);
		snprintf(text, sizeof(text), "field\t%d\t%s", field->id,
			 is_text ? random_text(size) : random_hex(size));
		record(text);
	}
}

static void record_names(void)
{
	char text[64];

	for (int turn = 0; turn < 2000; turn++) {
		unsigned number = (unsigned)random_number();

		snprintf(text, sizeof(text), "class\t%02x", number & 0xff);
		record(text);
		snprintf(text, sizeof(text), "method\t%02x\t%02x", number & 0xff,
			 number >> 8 & 0xff);
		record(text);
		snprintf(text, sizeof(text), "attr\t%02x\t%04x", number & 0xff, number >> 16);
		record(text);
		snprintf(text, sizeof(text), "status\t%04x", number >> 16);
		record(text);
	}
}

int main(int argc, char **argv)
{
	if (argc != 5) {
		fprintf(stderr, "usage: record FIELDS LIBIBUMAD LIBIBMAD SEED\n");
		return 2;
	}
	fields_load(argv[1]);
	seed = strtoull(argv[4], NULL, 0);
	if (!pair_load(argv[2], argv[3]))
		return SKIPPED;
	if (pair_function("madrpc_lock")) {
		printf("%s is of this project, and no oracle\n", pair_path());
		return SKIPPED;
	}
	if (!freopen("/dev/null", "w", stderr))
		return 1;
	record_formatters();
	for (int i = 0; i < field_count; i++)
		if (fields[i].bits)
			record_field(&fields[i]);
	record_names();
	return 0;
}
