/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* steps.c - see steps.h. */
#include "steps.h"
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 24 };

static struct {
	char *words[MAX_WORDS];
	bool asked[MAX_WORDS];
	int count;
} step;

void steps_begin(char *rest)
{
	memset(&step, 0, sizeof(step));
	for (char *word; (word = scene_word(&rest));) {
		if (step.count == MAX_WORDS)
			test_fail("more than %d words", MAX_WORDS);
		step.words[step.count++] = word;
	}
}

void steps_end(void)
{
	for (int i = 0; i < step.count; i++)
		if (!step.asked[i])
			test_fail("%s means nothing", step.words[i]);
}

const char *steps_value(const char *name)
{
	size_t length = strlen(name);

	for (int i = 0; i < step.count; i++) {
		const char *word = step.words[i];

		if (strncmp(word, name, length) || (word[length] && word[length] != '='))
			continue;
		step.asked[i] = true;
		return word + length + (word[length] == '=');
	}
	return NULL;
}

bool steps_has(const char *name)
{
	return steps_value(name);
}

long steps_number(const char *name, long missing)
{
	const char *value = steps_value(name);

	return value ? strtol(value, NULL, 0) : missing;
}

int steps_error(const char *name)
{
	return (int)scene_number(name);
}

const char *steps_next(void)
{
	for (int i = 0; i < step.count; i++) {
		if (step.asked[i] || strchr(step.words[i], '='))
			continue;
		step.asked[i] = true;
		return step.words[i];
	}
	return NULL;
}

bool steps_in_range(const char *range, long number)
{
	const char *dots = strstr(range, "..");

	if (!dots)
		return number == strtol(range, NULL, 0);
	return number >= strtol(range, NULL, 0) &&
	       (!dots[2] || number <= strtol(dots + 2, NULL, 0));
}

void steps_check(const char *name, long number)
{
	const char *range = steps_value(name);

	if (range && !steps_in_range(range, number))
		test_fail("%s is %ld, not %s", name, number, range);
}
