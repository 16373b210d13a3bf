/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * golden-calls LIBIBUMAD LIBIBMAD: loads a pair of libraries and makes the calls of standard input,
 * one a line, its columns separated by tabs (golden.py makes them). Prints a line for each result:
 * numbers and bytes as digits, texts as the hexadecimal digits of their characters. Exits 77 if a
 * library cannot be loaded.
 *
 * Numbers that a function takes from memory, or writes to it, are in the lines as a little-endian
 * machine has them in memory; host_order() turns the bytes round on another one.
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	BUFFER_SIZE = 512, /* of an attribute: more than any field needs */
	SHOWN_SIZE = 384,  /* bytes of an attribute after "set" */
	ENCODED_SIZE = 256,
	TEXT_SIZE = 4096,
	MAX_COLUMNS = 6,
	SKIPPED = 77,
};

struct buffer {
	uint8_t bytes[BUFFER_SIZE];
};

static void *libraries[2];
static const char *column[MAX_COLUMNS]; /* of the call; "" if it has fewer */

static void *find(const char *function)
{
	void *address = dlsym(libraries[1], function);

	return address ? address : dlsym(libraries[0], function);
}

static int number(int i)
{
	return (int)strtol(column[i], NULL, 0);
}

static struct buffer bytes(int i)
{
	struct buffer buffer = { { 0 } };

	for (size_t at = 0; at < BUFFER_SIZE && column[i][2 * at]; at++)
		sscanf(column[i] + 2 * at, "%2hhx", &buffer.bytes[at]);
	return buffer;
}

static void print_bytes(const void *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		printf("%02x", ((const uint8_t *)from)[i]);
}

static void print_text(const char *text)
{
	print_bytes(text, strlen(text));
}

/* Turns a number of size bytes round; 0: bytes as they come from the wire. */
static void host_order(uint8_t *number_bytes, int size)
{
	if (htonl(1) != 1)
		return;
	for (int i = 0; i < size / 2; i++) {
		uint8_t byte = number_bytes[i];

		number_bytes[i] = number_bytes[size - 1 - i];
		number_bytes[size - 1 - i] = byte;
	}
}

/* Bytes of the number, or of the array, that a field of so many bits is in memory. */
static size_t field_size(int bits)
{
	return bits <= 32 ? 4 : (size_t)bits / 8;
}

static int field_number_size(int bits)
{
	return bits <= 64 ? (int)field_size(bits) : 0;
}

/* FUNCTION: the file that has it */
static void find_file(void)
{
	Dl_info info = { 0 };
	void *address = find(column[1]);

	if (address && dladdr(address, &info))
		print_text(info.dli_fname);
}

/* FUNCTION VALSZ SIZE_OF_NUMBER VALUE */
static void dump(void)
{
	void (*function)(char *, int, void *, int) = find(column[1]);
	struct buffer value = bytes(4);
	char text[TEXT_SIZE] = "";

	host_order(value.bytes, number(3));
	if (function)
		function(text, sizeof(text), value.bytes, number(2));
	if (function)
		print_text(text);
	else
		printf("MISSING");
}

/* ID */
static void name(void)
{
	const char *(*function)(int) = find("mad_field_name");
	const char *text = function(number(1));

	print_text(text ? text : "(null)");
}

/* ID BITS BASE ATTRIBUTE */
static void get(void)
{
	uint32_t (*get_field)(void *, int, int) = find("mad_get_field");
	uint64_t (*get_field64)(void *, int, int) = find("mad_get_field64");
	void (*get_array)(void *, int, int, void *) = find("mad_get_array");
	int id = number(1), bits = number(2), base = number(3);
	struct buffer attribute = bytes(4), value = { { 0 } };

	if (bits <= 32) {
		printf("%08x", get_field(attribute.bytes, base, id));
	} else if (bits == 64) {
		printf("%016llx", (unsigned long long)get_field64(attribute.bytes, base, id));
	} else {
		get_array(attribute.bytes, base, id, value.bytes);
		print_bytes(value.bytes, field_size(bits));
	}
}

/* ID BITS BASE FILLING VALUE */
static void set(void)
{
	void (*set_field)(void *, int, int, uint32_t) = find("mad_set_field");
	void (*set_field64)(void *, int, int, uint64_t) = find("mad_set_field64");
	void (*set_array)(void *, int, int, void *) = find("mad_set_array");
	int id = number(1), bits = number(2), base = number(3);
	struct buffer attribute, value = bytes(5);

	memset(attribute.bytes, number(4) ? 0xff : 0, sizeof(attribute.bytes));
	if (bits <= 32)
		set_field(attribute.bytes, base, id, (uint32_t)strtoull(column[5], NULL, 16));
	else if (bits == 64)
		set_field64(attribute.bytes, base, id, strtoull(column[5], NULL, 16));
	else
		set_array(attribute.bytes, base, id, value.bytes);
	print_bytes(attribute.bytes, SHOWN_SIZE);
}

/* ID BITS ATTRIBUTE */
static void decode_and_encode(void)
{
	void (*decode)(uint8_t *, int, void *) = find("mad_decode_field");
	void (*encode)(uint8_t *, int, void *) = find("mad_encode_field");
	struct buffer attribute = bytes(3), value = { { 0 } };

	decode(attribute.bytes, number(1), value.bytes);
	memset(attribute.bytes, 0, sizeof(attribute.bytes));
	encode(attribute.bytes, number(1), value.bytes);
	host_order(value.bytes, field_number_size(number(2)));
	print_bytes(value.bytes, field_size(number(2)));
	putchar('\t');
	print_bytes(attribute.bytes, ENCODED_SIZE);
}

/* ID BITS VALUE: by mad_dump_val() or mad_dump_field() */
static void print_field(void)
{
	char *(*function)(int, char *, int, void *) =
		find(!strcmp(column[0], "val") ? "mad_dump_val" : "mad_dump_field");
	struct buffer value = bytes(3);
	char text[TEXT_SIZE] = "";

	host_order(value.bytes, field_number_size(number(2)));
	if (function(number(1), text, sizeof(text), value.bytes))
		print_text(text);
	else
		printf("MISSING");
}

/* CLASS */
static void class_name(void)
{
	const char *(*function)(uint8_t) = find("umad_class_str");

	print_text(function((uint8_t)number(1)));
}

/* CLASS METHOD */
static void method_name(void)
{
	const char *(*function)(uint8_t, uint8_t) = find("umad_method_str");

	print_text(function((uint8_t)number(1), (uint8_t)number(2)));
}

/* CLASS ID */
static void attribute_name(void)
{
	const char *(*function)(uint8_t, uint16_t) = find("umad_attribute_str");

	print_text(function((uint8_t)number(1), htons((uint16_t)number(2))));
}

/* STATUS */
static void status_name(void)
{
	const char *(*common)(uint16_t) = find("umad_common_mad_status_str");
	const char *(*of_sa)(uint16_t) = find("umad_sa_mad_status_str");
	uint16_t status = htons((uint16_t)number(1));

	print_text(common(status));
	putchar('\t');
	print_text(of_sa(status));
}

static const struct {
	const char *name;
	void (*make)(void);
} kinds[] = {
	{ "find", find_file },
	{ "dump", dump },
	{ "name", name },
	{ "get", get },
	{ "set", set },
	{ "dec", decode_and_encode },
	{ "val", print_field },
	{ "field", print_field },
	{ "class", class_name },
	{ "method", method_name },
	{ "attr", attribute_name },
	{ "status", status_name },
};

int main(int argc, char **argv)
{
	size_t size = 0;
	char *line = NULL;

	for (int i = 0; i < 2; i++) {
		libraries[i] = argc == 3 ? dlopen(argv[i + 1], RTLD_NOW | RTLD_GLOBAL) : NULL;
		if (!libraries[i])
			return fprintf(stderr, "%s\n", dlerror()), SKIPPED;
	}
	while (getline(&line, &size, stdin) > 0) {
		char *rest = line;

		line[strcspn(line, "\n")] = '\0';
		for (int i = 0; i < MAX_COLUMNS; i++)
			column[i] = rest ? strsep(&rest, "\t") : "";
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (!strcmp(kinds[i].name, column[0]))
				kinds[i].make();
		putchar('\n');
	}
	free(line);
	return 0;
}
