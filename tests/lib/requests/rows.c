/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* rows.c - reads requests.tbl: see rows.h. */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next word that blanks end, if there is one. */
static bool take_word(const char **text, char word[REQUEST_WORD])
{
	size_t length;

	*text += strspn(*text, " ");
	length = strcspn(*text, " ");
	if (length >= REQUEST_WORD)
		table_error("too long a word", *text);
	memcpy(word, *text, length);
	word[length] = '\0';
	*text += length;
	return length;
}

/* "! ibwarn: TEXT" has the ID of the process in front of the text; "!" is no line at all. */
static void add_said(struct request_row *row, const char *line)
{
	const char *before = row->says ? row->says : "", *text = strstr(line, ": ");
	char *says = NULL;

	if (asprintf(&says, "%s%.*s%s%s%s", before, text ? (int)(text - line) : 0, line,
		     text ? ": [#] " : "", text ? text + 2 : "", text ? "\n" : "") < 0)
		table_error("no memory for", line);
	free(row->says);
	row->says = says;
}

static void add_line(struct request_row *row, const char *line)
{
	bool is_response = *line == '<';

	if (*line == '!') {
		add_said(row, line + 1 + (line[1] == ' '));
		return;
	}
	if (*line == '=') {
		row->result = line + 1;
		return;
	}
	if (row->result || row->step_count == REQUEST_STEPS ||
	    is_response != !!row->steps[row->step_count].write)
		table_error("'>' and '<' do not alternate, or are too many", row->name);
	if (is_response)
		row->steps[row->step_count++].response = line + 1;
	else
		row->steps[row->step_count].write = line + 1;
}

struct request_row *request_table_read(const char *path)
{
	struct request_row first = { 0 }, *row = &first;

	for (const struct table_case *text = table_read(path); text; text = text->next) {
		row = row->next = calloc(1, sizeof(*row));
		row->text = text;
		row->name = text->name;
		row->call = text->lines[0];
		for (int i = 1; row->call && text->lines[i]; i++)
			add_line(row, text->lines[i]);
		if (!row->result || row->steps[row->step_count].write)
			table_error("no result, or no '<' after the last '>'", row->name);
	}
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
		table_error("no number", value);
	return number;
}

static const struct request_member *find_member(const struct request_member *members,
						const char *name)
{
	while (members->member.name && strcmp(members->member.name, name) != 0)
		members++;
	return members->member.name ? members : NULL;
}

bool request_member_set(const struct request_member *members, void *object, const char *name,
			const char *value)
{
	const struct request_member *found = find_member(members, name);

	if (found)
		scene_member_set(&found->member, object,
				 (unsigned long long)(found->base == 10 ? strtoll(value, NULL, 10)
									: request_number(value)));
	return found;
}

bool request_member_get(const struct request_member *members, const void *object, const char *name,
			long long *number)
{
	const struct request_member *found = find_member(members, name);

	if (!found)
		return false;
	*number = (long long)scene_member_get(&found->member, object);
	if (found->is_signed && found->member.size == sizeof(int))
		*number = (int)*number;
	return true;
}
