/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* scenes.c - see scenes.h. */
#include "scenes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SCENES = 1000, MAX_STATEMENT = 400 };

static struct scene {
	struct test test;
	const struct table_case *text;
	scene_play_fn *play;
	int (*set_up)(void **state);
} scenes[MAX_SCENES];
static size_t scene_count;
static const struct scene *current;

/* Plays the statements of a line, which "; " separates. */
static void play_line(const char *line)
{
	char statements[MAX_STATEMENT];

	printf("# %s\n", line);
	if (strlen(line) >= sizeof(statements))
		table_error("too long a line", line);
	strcpy(statements, line);
	for (char *at = statements; at;) {
		char *next = strstr(at, "; ");

		if (next)
			*next = '\0';
		current->play(at);
		at = next ? next + 2 : NULL;
	}
}

static void play_scene(void **state)
{
	(void)state;
	for (char *const *line = current->text->lines; *line; line++)
		play_line(*line);
}

static int set_up_scene(void **state)
{
	current = *state;
	return current->set_up(state);
}

void scenes_register(const char *path, scene_play_fn *play, int (*set_up)(void **state),
		     int (*tear_down)(void **state))
{
	for (const struct table_case *text = table_read(path); text; text = text->next) {
		struct scene *scene = &scenes[scene_count++];

		if (scene_count > MAX_SCENES)
			table_error("too many scenes", path);
		*scene = (struct scene){ .text = text, .play = play, .set_up = set_up };
		scene->test = (struct test){ .name = text->name,
					     .file = "", /* before those in C */
					     .line = (int)scene_count,
					     .run = play_scene,
					     .set_up = set_up_scene,
					     .tear_down = tear_down,
					     .context = scene };
		test_register(&scene->test);
	}
}

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
	test_fail("no statement: %s", name);
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
		{ "EPIPE", EPIPE },
		{ "EPROTO", EPROTO },
		{ "EPROTONOSUPPORT", EPROTONOSUPPORT },
		{ "ESTALE", ESTALE },
		{ "ETIMEDOUT", ETIMEDOUT },
	};
	unsigned long long number;
	char *end;

	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(text, errors[i].name))
			return (unsigned long long)errors[i].number;
	number = strtoull(text, &end, 0);
	if (end == text || *end)
		test_fail("no number: %s", text);
	return number;
}

unsigned scene_find(const struct scene_name *names, const char *name)
{
	while (names->name && strcmp(names->name, name) != 0)
		names++;
	if (!names->name)
		test_fail("no such word: %s", name);
	return names->number;
}

void scene_assert_count(unsigned count, char *wanted)
{
	char *most = strstr(wanted, "..");

	if (most)
		*most = '\0';
	if (count < scene_number(wanted) || count > scene_number(most ? most + 2 : wanted))
		test_fail("%u, not %s%s%s", count, wanted, most ? ".." : "", most ? most + 2 : "");
}

static void assert_member(const struct scene_member *member, const void *object, const char *wanted)
{
	const char *text = (const char *)object + member->offset;
	unsigned long long value;

	if (!member->size && strcmp(text, wanted) != 0)
		test_fail("%s is %s, not %s", member->name, text, wanted);
	if (!member->size)
		return;
	value = scene_member_get(member, object);
	if (value != scene_number(wanted))
		test_fail("%s is %llu (0x%llx), not %s", member->name, value, value, wanted);
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
		test_fail("no member: %s", word);
	return members;
}

void scene_assert_members(const struct scene_member *members, const void *object, char *text)
{
	const struct scene_member *member;
	char *wanted;

	while ((member = next_member(members, &text, &wanted)))
		assert_member(member, object, wanted);
}

void scene_set_members(const struct scene_member *members, void *object, char *text)
{
	const struct scene_member *member;
	char *number;

	while ((member = next_member(members, &text, &number)))
		scene_member_set(member, object, scene_number(number));
}
