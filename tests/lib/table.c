/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* table.c - see table.h. Cases are kept as long as the process lives. */
#include "table.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LETS = 64, MAX_LINES = 64 };

static struct {
	char *name, *text;
} lets[MAX_LETS];
static int let_count;

/* The case that is being read, as it is written. */
static struct {
	char *name; /* NULL: none */
	char *each;
	char *lines[MAX_LINES];
	int line_count;
} whole;

void table_error(const char *what, const char *text)
{
	fprintf(stderr, "table: %s: %s\n", what, text);
	exit(EXIT_FAILURE);
}

static const char *let_text(const char *name, size_t length)
{
	for (int i = 0; i < let_count; i++)
		if (strlen(lets[i].name) == length && !memcmp(lets[i].name, name, length))
			return lets[i].text;
	table_error("unknown let", name);
}

/* Text begins behind the "$". Returns what follows the number of the part, if there is one. */
static const char *put_value(FILE *to, const char *text, const char *value)
{
	int number = isdigit((unsigned char)*text) ? *text - '0' : 0;

	for (int i = 1; i < number; i++) {
		value = strchr(value, '|');
		if (!value++)
			table_error("no such part of a value", text);
	}
	fprintf(to, "%.*s", (int)strcspn(value, number ? "|" : ""), value);
	return text + !!number;
}

/* A text with each let, and the value, if there is one, in their places. */
static char *expand(const char *text, const char *value)
{
	char *expanded = NULL;
	size_t size;
	FILE *to = open_memstream(&expanded, &size);

	while (*text) {
		if (*text == '*' && let_count) {
			size_t length = strcspn(++text, " ");

			fputs(let_text(text, length), to);
			text += length;
		} else if (*text == '$' && value) {
			text = put_value(to, text + 1, value);
		} else {
			fputc(*text++, to);
		}
	}
	fclose(to);
	return expanded;
}

static struct table_case *make_case(const char *value)
{
	struct table_case *made = calloc(1, sizeof(*made));
	char name[400];

	snprintf(name, sizeof(name), "%s%s%s", whole.name, value ? "=" : "", value ? value : "");
	made->name = strdup(name);
	made->lines = calloc((size_t)whole.line_count + 1, sizeof(*made->lines));
	for (int i = 0; i < whole.line_count; i++)
		made->lines[i] = expand(whole.lines[i], value);
	return made;
}

/* Appends the cases that the lines read so far stand for. Returns the last. */
static struct table_case *end_case(struct table_case *last)
{
	char *rest = whole.each, *value;

	if (whole.name && !rest)
		last = last->next = make_case(NULL);
	while (rest && (value = strsep(&rest, " ")))
		if (*value)
			last = last->next = make_case(value);
	while (whole.line_count)
		free(whole.lines[--whole.line_count]);
	free(whole.name);
	free(whole.each);
	whole.name = whole.each = NULL;
	return last;
}

static void add_line(const char *text)
{
	if (!whole.name || whole.line_count == MAX_LINES)
		table_error(whole.name ? "too many lines in" : "a statement without a case",
			    whole.name ? whole.name : text);
	if (!strncmp(text, "each ", 5))
		whole.each = strdup(text + 5);
	else
		whole.lines[whole.line_count++] = strdup(text);
}

static void add_let(const char *text)
{
	const char *equals = strstr(text, " = ");

	if (!equals || let_count == MAX_LETS)
		table_error("too many lets, or no 'NAME = TEXT'", text);
	lets[let_count].text = expand(equals + 3, NULL);
	lets[let_count++].name = strndup(text, (size_t)(equals - text));
}

static void begin_case(char *text)
{
	char *colon = strchr(text, ':');

	if (!colon)
		table_error("neither a case nor one of its statements", text);
	whole.name = strndup(text, (size_t)(colon - text));
	colon += 1 + strspn(colon + 1, " \t");
	if (*colon)
		add_line(colon);
}

struct table_case *table_read(const char *path)
{
	struct table_case first = { 0 }, *last = &first;
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;

	if (!file)
		table_error("cannot be opened", path);
	let_count = 0;
	while (getline(&line, &size, file) > 0) {
		char *text = line + strspn(line, " \t");

		text[strcspn(text, "\n")] = '\0';
		if (!*text || *text == '#')
			continue;
		if (text != line || strchr("<>=!", *text) || !strncmp(text, "each ", 5)) {
			add_line(text);
			continue;
		}
		last = end_case(last);
		if (!strncmp(text, "let ", 4))
			add_let(text + 4);
		else
			begin_case(text);
	}
	end_case(last);
	fclose(file);
	free(line);
	return first.next;
}

/* The place of byte i of a number, the highest first. */
static size_t place(const struct scene_member *member, size_t i)
{
	const uint16_t one = 1;
	bool is_big = member->order == SCENE_BIG_ENDIAN || !*(const uint8_t *)&one;

	return member->offset + (is_big ? i : member->size - 1 - i);
}

unsigned long long scene_member_get(const struct scene_member *member, const void *object)
{
	unsigned long long value = 0;

	for (size_t i = 0; i < member->size; i++)
		value = value << 8 | ((const uint8_t *)object)[place(member, i)];
	return value;
}

void scene_member_set(const struct scene_member *member, void *object, unsigned long long number)
{
	for (size_t i = member->size; i > 0; i--, number >>= 8)
		((uint8_t *)object)[place(member, i - 1)] = (uint8_t)number;
}
