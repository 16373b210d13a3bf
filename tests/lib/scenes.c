/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* scenes.c - see scenes.h. */
#include "scenes.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SCENES = 400, MAX_TEXT = 65536, MAX_STATEMENT = 400, MAX_NAME = 160 };

static struct scene {
	struct test test;
	char name[MAX_NAME];
	const char *text;  /* its statements, each on a line of its own */
	const char *value; /* of "each"; NULL: none */
	scene_play_fn *play;
	CMFixtureFunction set_up;
} scenes[MAX_SCENES];
static size_t scene_count;
static const struct scene *current;

static char table[MAX_TEXT]; /* all tables of the program, one behind the other */
static size_t table_size;

static void refuse(const char *path, int line, const char *what)
{
	fprintf(stderr, "%s:%d: %s\n", path, line, what);
	exit(EXIT_FAILURE);
}

/*
 * Playing
 */

/* "$": the whole value; "$1", "$2" ...: what "|" separates in it. Returns what is behind it. */
static const char *append_value(const char *from, char *to, size_t size)
{
	int number = isdigit((unsigned char)from[1]) ? from[1] - '0' : 0;
	const char *part = current->value;

	for (int i = 1; i < number && part; i++)
		part = strchr(part, '|') ? strchr(part, '|') + 1 : NULL;
	if (!part)
		fail_msg("no such value: %s", from);
	snprintf(to, size, "%.*s", (int)strcspn(part, number ? "|" : ""), part);
	return from + (number ? 2 : 1);
}

static void play_line(const char *line, size_t length)
{
	char statement[2 * MAX_STATEMENT] = "";
	const char *end = line + length;
	size_t used = 0;

	while (line < end) {
		if (*line == '$' && current->value)
			line = append_value(line, statement + used, sizeof(statement) - used);
		else
			statement[used] = *line++;
		used += strlen(statement + used);
		assert_true(used < MAX_STATEMENT);
	}
	print_message("%s\n", statement);
	for (char *at = statement; at;) {
		char *end_of_one = strstr(at, "; ");

		if (end_of_one)
			*end_of_one = '\0';
		current->play(at);
		at = end_of_one ? end_of_one + 2 : NULL;
	}
}

static void play_scene(void **state)
{
	const char *line = current->text;

	(void)state;
	for (; *line; line += strcspn(line, "\n") + 1)
		play_line(line, strcspn(line, "\n"));
}

static int set_up_scene(void **state)
{
	current = *state;
	return current->set_up(state);
}

/*
 * Reading
 */

static struct scene *add_scene(const char *name)
{
	struct scene *scene = &scenes[scene_count++];

	if (scene_count > MAX_SCENES)
		refuse(name, 0, "too many scenes");
	snprintf(scene->name, sizeof(scene->name), "%s", name);
	scene->test = (struct test){ .name = scene->name,
				     .file = "", /* before those in C */
				     .line = (int)scene_count,
				     .run = play_scene,
				     .set_up = set_up_scene,
				     .context = scene };
	scene->text = table + table_size;
	return scene;
}

/* Copies of a scene, which has an "each", one for each value. */
static void add_each(struct scene *first, char *values)
{
	char *value = scene_word(&values), name[MAX_NAME];

	snprintf(name, sizeof(name), "%.100s", first->name);
	for (struct scene *scene = first; value; value = scene_word(&values)) {
		if (scene != first || first->value) {
			scene = add_scene(name);
			scene->text = first->text;
		}
		scene->value = value;
		snprintf(scene->name, sizeof(scene->name), "%.100s=%.50s", name, value);
	}
}

/* Keeps a text behind what is there already. */
static char *keep(const char *path, int line, const char *text)
{
	char *kept = table + table_size;

	if (table_size + strlen(text) + 2 > sizeof(table))
		refuse(path, line, "the tables are too long");
	strcpy(kept, text);
	table_size += strlen(text);
	return kept;
}

static void read_scenes(const char *path, FILE *file)
{
	char line[MAX_STATEMENT], *each = NULL;
	struct scene *scene = NULL;

	for (int number = 1; fgets(line, sizeof(line), file); number++) {
		char *text = line + strspn(line, " \t");

		if (!strchr(line, '\n'))
			refuse(path, number, "too long a line");
		if (*text == '#' || *text == '\n')
			continue;
		if (text == line && strchr(line, ':')) {
			table_size++;
			if (each)
				add_each(scene, each);
			each = NULL;
			scene = add_scene(strtok(line, ":"));
		} else if (!scene || text == line) {
			refuse(path, number, "a statement without a scene");
		} else if (!strncmp(text, "each ", 5)) {
			*strchr(text, '\n') = '\0';
			each = keep(path, number, text + 5);
			scene->text = table + ++table_size;
		} else {
			keep(path, number, text);
		}
	}
	table_size++;
	if (each)
		add_each(scene, each);
}

void scenes_register(const char *path, scene_play_fn *play, CMFixtureFunction set_up,
		     CMFixtureFunction tear_down)
{
	FILE *file = fopen(path, "r");
	size_t first = scene_count;

	if (!file)
		refuse(path, 0, "no such table");
	read_scenes(path, file);
	fclose(file);
	for (struct scene *scene = scenes + first; scene < scenes + scene_count; scene++) {
		scene->play = play;
		scene->set_up = set_up;
		scene->test.tear_down = tear_down;
		test_register(&scene->test);
	}
}

/*
 * Statements
 */

char *scene_word(char **text)
{
	char *word = *text + strspn(*text, " \t");
	size_t length = strcspn(word, " \t");

	*text = word + length;
	if (!length)
		return NULL;
	if (**text)
		*(*text)++ = '\0';
	return word;
}

void scene_play_verb(const struct scene_verb *const *arrays, char *statement)
{
	const char *name = scene_word(&statement);

	for (; *arrays; arrays++)
		for (const struct scene_verb *verb = *arrays; verb->name; verb++)
			if (!strcmp(verb->name, name)) {
				verb->play(statement);
				return;
			}
	fail_msg("no statement: %s", name);
}

void scene_play_copy(scene_play_fn *play, const char *statement)
{
	char copy[MAX_STATEMENT];

	snprintf(copy, sizeof(copy), "%s", statement);
	play(copy);
}

char *scene_split(char *text, char at)
{
	char *found = strchr(text, at);

	if (found)
		*found++ = '\0';
	return found;
}

unsigned long long scene_number(const char *text)
{
	static const struct {
		const char *name;
		int number;
	} errors[] = {
		{ "ok", 0 },
		{ "EACCES", EACCES },
		{ "EADDRNOTAVAIL", EADDRNOTAVAIL },
		{ "EAGAIN", EAGAIN },
		{ "EBADF", EBADF },
		{ "EBADMSG", EBADMSG },
		{ "ECANCELED", ECANCELED },
		{ "ECONNABORTED", ECONNABORTED },
		{ "EEXIST", EEXIST },
		{ "EINVAL", EINVAL },
		{ "EIO", EIO },
		{ "EKEYREJECTED", EKEYREJECTED },
		{ "ENETDOWN", ENETDOWN },
		{ "ELIBACC", ELIBACC },
		{ "ELOOP", ELOOP },
		{ "ENODEV", ENODEV },
		{ "ENOBUFS", ENOBUFS },
		{ "ENOENT", ENOENT },
		{ "ENOMEM", ENOMEM },
		{ "ENOSPC", ENOSPC },
		{ "ENXIO", ENXIO },
		{ "EOPNOTSUPP", EOPNOTSUPP },
		{ "EPERM", EPERM },
		{ "EPROTONOSUPPORT", EPROTONOSUPPORT },
		{ "ESTALE", ESTALE },
		{ "ETIMEDOUT", ETIMEDOUT },
	};
	unsigned long long number;
	char *end;

	for (size_t i = 0; i < COUNT(errors); i++)
		if (!strcmp(text, errors[i].name))
			return (unsigned long long)errors[i].number;
	number = strtoull(text, &end, 0);
	if (end == text || *end)
		fail_msg("no number: %s", text);
	return number;
}

/* Where byte i of a number is, the highest first. */
static size_t place(const struct scene_member *member, size_t i)
{
	const uint16_t one = 1;
	bool is_big = member->order == SCENE_BIG_ENDIAN || !*(const uint8_t *)&one;

	return is_big ? i : member->size - 1 - i;
}

static unsigned long long value_of(const struct scene_member *member, const uint8_t *bytes)
{
	unsigned long long value = 0;

	for (size_t i = 0; i < member->size; i++)
		value = value << 8 | bytes[place(member, i)];
	return value;
}

static void assert_member(const struct scene_member *member, const uint8_t *bytes,
			  const char *wanted)
{
	unsigned long long value;

	if (!member->size && strcmp((const char *)bytes, wanted) != 0)
		fail_msg("%s is %s, not %s", member->name, (const char *)bytes, wanted);
	if (!member->size)
		return;
	value = value_of(member, bytes);
	if (value != scene_number(wanted))
		fail_msg("%s is %llu (0x%llx), not %s", member->name, value, value, wanted);
}

/* The member that the next word is about, and its value; NULL at the end of the text. */
static const struct scene_member *next_member(const struct scene_member *members, char **text,
					      char **value)
{
	char *word = scene_word(text);

	if (!word)
		return NULL;
	*value = scene_split(word, '=');
	while (members->name && strcmp(members->name, word) != 0)
		members++;
	if (!members->name || !*value)
		fail_msg("no member: %s", word);
	return members;
}

void scene_assert_members(const struct scene_member *members, const void *object, char *text)
{
	const struct scene_member *member;
	char *wanted;

	while ((member = next_member(members, &text, &wanted)))
		assert_member(member, (const uint8_t *)object + member->offset, wanted);
}

void scene_set_members(const struct scene_member *members, void *object, char *text)
{
	const struct scene_member *member;
	char *number;

	while ((member = next_member(members, &text, &number))) {
		unsigned long long value = scene_number(number);

		for (size_t i = member->size; i > 0; i--, value >>= 8)
			((uint8_t *)object + member->offset)[place(member, i - 1)] = (uint8_t)value;
	}
}
