/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* table.c - reads requests.tbl: see table.h. */
#include "table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_LETS = 64,
	TEXT = 2000, /* bytes of an expanded line */
	STEP_LINES = 2 * REQUEST_STEPS,
};

/* The lines of a row as they are in the file. */
struct lines {
	char *call; /* NULL: none */
	char *each;
	char *steps[STEP_LINES]; /* '>' and '<' lines, in their order */
	int step_count;
	char *result;
};

static struct {
	char *name, *text;
} lets[MAX_LETS];
static int let_count;

void request_table_error(const char *what, const char *text)
{
	fprintf(stderr, "table of requests: %s: %s\n", what, text);
	exit(EXIT_FAILURE);
}

static const char *let_text(const char *name, size_t length)
{
	for (int i = 0; i < let_count; i++)
		if (strlen(lets[i].name) == length && !memcmp(lets[i].name, name, length))
			return lets[i].text;
	request_table_error("unknown let", name);
}

/* The next word that blanks end, if there is one. */
static bool take_word(const char **text, char word[REQUEST_WORD])
{
	size_t length;

	*text += strspn(*text, " ");
	length = strcspn(*text, " ");
	if (length >= REQUEST_WORD)
		request_table_error("too long a word", *text);
	memcpy(word, *text, length);
	word[length] = '\0';
	*text += length;
	return length;
}

/* "$": the whole variable; "$1", "$2" ...: what "|" separates in it. *size: how long that is. */
static const char *variable_part(const char **text, const char *variable, size_t *size)
{
	int number = *++*text >= '1' && **text <= '9' ? *(*text)++ - '0' : 0;

	*size = strlen(variable);
	for (; number > 1; number--) {
		if (!strchr(variable, '|'))
			request_table_error("not so many parts", variable);
		variable = strchr(variable, '|') + 1;
	}
	if (number)
		*size = strcspn(variable, "|");
	return variable;
}

/* A copy of a text with each "*name" and "$" replaced by what they stand for. */
static char *expand(const char *text, const char *variable)
{
	char whole[TEXT] = "";
	size_t used = 0;

	text += strspn(text, " ");
	while (*text) {
		const char *part = text;
		size_t size = 1;

		if (*text == '*') {
			part = let_text(text + 1, strcspn(text, " ") - 1);
			size = strlen(part);
			text += strcspn(text, " ");
		} else if (*text == '$' && variable) {
			part = variable_part(&text, variable, &size);
		} else {
			text++;
		}
		if (used + size >= sizeof(whole))
			request_table_error("too long a line", text);
		memcpy(whole + used, part, size);
		used += size;
		whole[used] = '\0';
	}
	return strdup(whole);
}

static struct request_row *make_row(const struct lines *lines, const char *variable)
{
	struct request_row *row = calloc(1, sizeof(*row));
	const char *colon = strchr(lines->call, ':');
	char name[REQUEST_WORD];

	if (!colon || !lines->result)
		request_table_error("no name, or no result", lines->call);
	snprintf(name, sizeof(name), "%.*s%s%s", (int)(colon - lines->call), lines->call,
		 *variable ? "=" : "", variable);
	row->name = strdup(name);
	row->call = expand(colon + 1, variable);
	row->result = expand(lines->result, variable);
	for (int i = 0; i < lines->step_count; i++) {
		char *text = expand(lines->steps[i] + 1, variable);

		if ((*lines->steps[i] == '<') != i % 2)
			request_table_error("'>' and '<' do not alternate", lines->call);
		if (i % 2)
			row->steps[i / 2].response = text;
		else
			row->steps[i / 2].write = text;
	}
	row->step_count = lines->step_count / 2;
	if (lines->step_count % 2)
		request_table_error("no '<' after the last '>'", lines->call);
	return row;
}

/* Appends the rows that the lines stand for, and begins anew. Returns the last. */
static struct request_row *append(struct request_row *last, struct lines *lines)
{
	const char *each = lines->each;
	char word[REQUEST_WORD];

	if (lines->call && !each)
		last = last->next = make_row(lines, "");
	while (each && take_word(&each, word))
		last = last->next = make_row(lines, word);
	*lines = (struct lines){ 0 };
	return last;
}

static void add_let(char *text)
{
	size_t length = strcspn(text, " ");

	if (let_count == MAX_LETS || strncmp(text + length, " = ", 3))
		request_table_error("too many lets, or no 'name = text'", text);
	lets[let_count].text = expand(text + length + 3, NULL);
	text[length] = '\0';
	lets[let_count++].name = text;
}

static void take_line(struct lines *lines, char *line)
{
	if (strchr("><", *line)) {
		if (lines->step_count == STEP_LINES)
			request_table_error("too many writes", line);
		lines->steps[lines->step_count++] = line;
	} else if (*line == '=') {
		lines->result = line + 1;
	} else {
		lines->each = line + strlen("each ");
	}
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (!file || getdelim(&text, &size, '\0', file) <= 0)
		request_table_error("cannot be read", path);
	fclose(file);
	return text;
}

struct request_row *request_table_read(const char *path)
{
	struct request_row first = { 0 }, *last = &first;
	struct lines lines = { 0 };
	char *text = read_file(path), *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		if (*line == '#' || !*line)
			continue;
		if (strchr("><=", *line) || !strncmp(line, "each ", strlen("each "))) {
			take_line(&lines, line);
			continue;
		}
		last = append(last, &lines);
		if (!strncmp(line, "let ", strlen("let ")))
			add_let(line + strlen("let "));
		else
			lines.call = line;
	}
	append(last, &lines);
	free(text);
	return first.next;
}

bool request_word(const char **text, char name[REQUEST_WORD], const char **value)
{
	size_t end;

	if (!take_word(text, name))
		return false;
	end = strcspn(name, "=:");
	*value = name + end + (name[end] != '\0');
	name[end] = '\0';
	return true;
}

long long request_number(const char *value)
{
	char *end;
	long long number = *value == '-' ? -strtoll(value + 1, &end, 16)
					 : (long long)strtoull(value, &end, 16);

	if (!*value || *end)
		request_table_error("no number", value);
	return number;
}
