/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The parsers of sysfs attributes: numbers, GUIDs, GIDs and names that are numbers, for every
 * content of a file of up to LONGEST bytes.
 */
#include <errno.h>

#ifndef LONGEST
#define LONGEST 24
#endif

#include "libibumad/base/sysfs.c"

#include "proof.h"

/* The file: up to LONGEST bytes, any of them, or an error. */
static char content[LONGEST];
static size_t content_length;

/* CBMC has no model of it. */
size_t strcspn(const char *text, const char *reject)
{
	size_t length = 0;

	PROVE(reject[0] && !reject[1], "one character ends the text");
	while (text[length] && text[length] != reject[0])
		length++;
	return length;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
	(void)format;
	PROVE(__CPROVER_w_ok(text, size), "space for the path");
	return nondet_int();
}

int umad_sys_open_read(const char *path)
{
	int fd = nondet_int();

	(void)path;
	return fd >= 0 ? fd : -ENOENT;
}

ssize_t umad_sys_read_file(int fd, void *buffer, size_t size)
{
	PROVE(fd >= 0, "an open file is read");
	PROVE(size >= sizeof(content) && __CPROVER_w_ok(buffer, size), "space for what is read");
	if (nondet_bool())
		return -EIO;
	for (size_t i = 0; i < sizeof(content); i++)
		((char *)buffer)[i] = content[i] = nondet_byte();
	content_length = nondet_size();
	ASSUME(content_length <= sizeof(content));
	return content_length;
}

int umad_sys_close(int fd)
{
	PROVE(fd >= 0, "an open file is closed");
	return 0;
}

static bool is_error(int result)
{
	return result < 0;
}

/* As much as the reader takes, with its NUL: what the file has, up to a newline or NUL. */
void sysfs_line(void)
{
	char text[ATTRIBUTE_SIZE];
	unsigned i = nondet_unsigned();
	int result = read_line("", "", text);

	PROVE(result == 0 || is_error(result), "result");
	ASSUME(!result && i < ATTRIBUTE_SIZE && strlen(text) > i);
	PROVE(i < content_length && text[i] == content[i] && text[i] != '\n', "the first line");
}

void sysfs_string(void)
{
	char text[32];
	size_t size = nondet_size();
	bool ended = false;
	int result;

	ASSUME(size >= 1 && size <= sizeof(text));
	result = umad_sysfs_read_string("", "", text + sizeof(text) - size, size);
	PROVE(result == 0 || is_error(result), "result");
	for (size_t i = 0; i < sizeof(text); i++)
		ended = ended || (i >= sizeof(text) - size && !text[i]);
	if (!result || result == -EOVERFLOW)
		PROVE(ended, "the text ends within its buffer");
}

#define LONGEST_NAME 24

void sysfs_name(void)
{
	char name[LONGEST_NAME + 1];
	unsigned max = nondet_unsigned(), untouched = nondet_unsigned(), number = untouched;
	int result;

	name[LONGEST_NAME] = '\0';
	result = umad_sysfs_parse_name(name, max, &number);
	PROVE(result == 0 || (is_error(result) && number == untouched),
	      "a failure changes nothing");
	if (!result) {
		PROVE(number <= max, "the number is in range");
		PROVE(name[0] != '0' || !name[1], "no leading zero");
	}
}

/* A text of up to LONGEST characters; what is behind its NUL is out of bounds, or not looked at. */
static char text[LONGEST + 1];

static void any_text(void)
{
	for (unsigned i = 0; i < LONGEST; i++)
		text[i] = nondet_byte();
	text[LONGEST] = '\0';
}

void sysfs_digits(void)
{
	const char *end = text;
	unsigned base = nondet_bool() ? 10 : 16;
	uint64_t max = nondet_uint64(), value;
	int result;

	ASSUME(max <= UINT32_MAX);
	any_text();
	result = parse_digits(&end, base, max, &value);
	PROVE(end >= text && end <= text + LONGEST, "the end is within the text");
	if (!result) {
		PROVE(value <= max, "the number is in range");
		PROVE(end > text && digit_value(*end) >= base, "all digits are read");
	}
}
