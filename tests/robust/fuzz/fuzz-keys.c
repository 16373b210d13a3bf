/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Files of keys and of LIDs, as text in a buffer of exactly its size. Every line is read as another
 * parser reads it, which works on words, and nothing is read after a line that is wrong.
 */
#include <errno.h>
#include <stdlib.h>

#include "fuzz.h"
#include "libibmad/keys/keys.h"

enum { TEXT_SIZE = 2048, LINE_SIZE = TEXT_SIZE + 1 };

#define BLANKS " \t\r"

static bool is_number(const char *word, size_t length, uint64_t *number)
{
	char text[20] = "";

	if (length < 3 || length > 18 || word[0] != '0' || (word[1] | 0x20) != 'x' ||
	    strspn(word + 2, "0123456789abcdefABCDEF") < length - 2)
		return false;
	memcpy(text, word, length);
	*number = strtoull(text, NULL, 16);
	return true;
}

/* What mad_keys_read_line() returns for a line alone. */
static int model(const char *bytes, size_t length, unsigned count, uint64_t *numbers)
{
	char line[LINE_SIZE];
	const char *word = line;
	unsigned words = 0;

	memcpy(line, bytes, length);
	line[length] = '\0';
	word += strspn(word, BLANKS);
	if (*word == '#' || word == line + length)
		return 0;
	while (word < line + length) {
		size_t size = strcspn(word, BLANKS);

		if (words == count || !is_number(word, size, &numbers[words++]))
			return -EBADMSG;
		word += size;
		word += strspn(word, BLANKS);
	}
	return words == count && numbers[0] ? 1 : -EBADMSG;
}

/* Lines that are nearly right. */
static size_t build(struct fuzz_input *input, char *text)
{
	static const char *const parts[] = { "0x",  "0X", " ",	 "\t", "\r", "\n", "\n\n",
					     "#",   "0",  "1",	 "f",  "A",  "g",  "0x1 0x2\n",
					     "-0x", "x",  "0x1", "\v", ",",  "0x0" };
	enum { PARTS = sizeof(parts) / sizeof(parts[0]) };
	size_t used = 0;

	while (input->left && used + 64 < TEXT_SIZE) {
		uint8_t which = fuzz_u8(input);
		size_t length = strlen(parts[which % PARTS]);
		unsigned times = which >= 0xf0 ? 17 : 1;

		for (unsigned i = 0; i < times && length < 3; i++, used += length)
			memcpy(text + used, parts[which % PARTS], length);
		if (length >= 3) {
			memcpy(text + used, parts[which % PARTS], length);
			used += length;
		}
	}
	return used;
}

static size_t take_text(struct fuzz_input *input, char *text, bool raw)
{
	size_t size = input->left < TEXT_SIZE ? input->left : TEXT_SIZE;

	if (!raw)
		return build(input, text);
	fuzz_bytes(input, text, size);
	return size;
}

/* The line that the parser is at begins at *at; moves it to the next one. */
static int next_of_model(const char **at, const char *end, unsigned count, uint64_t *numbers,
			 unsigned *line)
{
	int result = 0;

	while (!result && *at < end) {
		const char *newline = memchr(*at, '\n', (size_t)(end - *at));
		const char *stop = newline ? newline : end;

		++*line;
		result = model(*at, (size_t)(stop - *at), count, numbers);
		if (result == 1 && !newline) /* was cut off */
			result = -EBADMSG;
		*at = newline ? newline + 1 : end;
	}
	return result;
}

void fuzz_target(struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	unsigned count = which & 1 ? 3 : 2, line = 0;
	char text[TEXT_SIZE], *data;
	size_t size = take_text(input, text, which & 2);
	uint64_t numbers[MAD_KEYS_NUMBERS_MAX] = { 0 }, expected[MAD_KEYS_NUMBERS_MAX] = { 0 };
	struct mad_keys_text parser = { 0 };
	const char *at;
	int result, wanted;

	data = fuzz_guard(size);
	memcpy(data, text, size);
	parser.at = at = data;
	parser.end = data + size;
	do {
		result = mad_keys_read_line(&parser, count, numbers);
		wanted = next_of_model(&at, data + size, count, expected, &line);
		FUZZ_CHECK(result == wanted);
		FUZZ_CHECK(parser.line == line && parser.at == at);
		if (result == 1)
			FUZZ_CHECK(!memcmp(numbers, expected, count * sizeof(numbers[0])));
	} while (result == 1);
}
