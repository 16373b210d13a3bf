/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* steps.c - see steps.h. */
#include "steps.h"
#include "test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CASES = 500, MAX_LINES = 100, MAX_WORDS = 24, TEXT = 400 };

static struct {
	const char *where;
	char text[TEXT]; /* the step, cut into words */
	char *words[MAX_WORDS];
	bool asked[MAX_WORDS];
	int count;
} step;

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "ok", 0 },
	{ "EAGAIN", EAGAIN },
	{ "ECANCELED", ECANCELED },
	{ "EINVAL", EINVAL },
	{ "EIO", EIO },
	{ "ENOBUFS", ENOBUFS },
	{ "ENODEV", ENODEV },
	{ "ENOENT", ENOENT },
	{ "ENOMEM", ENOMEM },
	{ "ENOSPC", ENOSPC },
	{ "ETIMEDOUT", ETIMEDOUT },
};

int steps_error(const char *name)
{
	for (size_t i = 0; i < COUNT(errors); i++)
		if (!strcmp(errors[i].name, name))
			return errors[i].number;
	fail_msg("%s: unknown errno %s", step.where, name);
	return -1;
}

/* A copy with "$" replaced by the value; "$1" and "$2" by the parts that a "|" separates in it. */
static void expand(const char *text, const char *value)
{
	char *to = step.text;

	for (; *text && to < step.text + TEXT - 1; text++) {
		const char *part = value;
		int number = text[1] - '0';

		if (*text != '$' || !value) {
			*to++ = *text;
			continue;
		}
		if (number >= 1 && number <= 9) {
			text++;
			while (--number && part)
				part = strchr(part, '|') ? strchr(part, '|') + 1 : NULL;
			assert_non_null(part);
			to += sprintf(to, "%.*s", (int)strcspn(part, "|"), part);
		} else {
			to += sprintf(to, "%s", value);
		}
	}
	*to = '\0';
}

void steps_begin(const struct steps_case *from, int line)
{
	char *rest = NULL;

	expand(from->lines[line], from->each);
	memset(step.asked, 0, sizeof(step.asked));
	step.where = from->lines[line];
	step.count = 0;
	for (char *word = strtok_r(step.text, " \t", &rest); word;
	     word = strtok_r(NULL, " \t", &rest)) {
		assert_true(step.count < MAX_WORDS);
		step.words[step.count++] = word;
	}
	step.asked[0] = true;
}

void steps_end(void)
{
	for (int i = 0; i < step.count; i++)
		if (!step.asked[i])
			fail_msg("%s: %s means nothing", step.where, step.words[i]);
}

const char *steps_verb(void)
{
	return step.words[0];
}

const char *steps_value(const char *name)
{
	size_t length = strlen(name);

	for (int i = 1; i < step.count; i++) {
		if (strncmp(step.words[i], name, length))
			continue;
		if (step.words[i][length] && step.words[i][length] != '=')
			continue;
		step.asked[i] = true;
		return step.words[i] + length + (step.words[i][length] == '=');
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

const char *steps_next(void)
{
	for (int i = 1; i < step.count; i++) {
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
		fail_msg("%s: %s is %ld, not %s", step.where, name, number, range);
}

static void add_line(struct steps_case *to, const char *line)
{
	assert_true(to->line_count < MAX_LINES);
	to->lines[to->line_count++] = strdup(line);
}

/* The case once for each of the values in its line "each". */
static int multiply(struct steps_case *cases, int count)
{
	struct steps_case whole = cases[count];
	char *rest = NULL, *values = whole.line_count ? whole.lines[0] : NULL;

	if (!values || strncmp(values, "each ", strlen("each ")))
		return count + 1;
	strtok_r(values, " ", &rest);
	for (char *value; (value = strtok_r(NULL, " ", &rest)); count++) {
		assert_true(count < MAX_CASES);
		cases[count] = whole;
		cases[count].lines++;
		cases[count].line_count--;
		cases[count].each = value;
		assert_true(asprintf(&cases[count].name, "%s=%s", whole.name, value) > 0);
	}
	free(whole.name);
	return count;
}

int steps_read(const char *path, struct steps_case **cases)
{
	FILE *file = fopen(path, "re");
	char line[TEXT];
	int count = -1;

	if (!file || !(*cases = calloc(MAX_CASES, sizeof(**cases)))) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] == '#' || !line[0])
			continue;
		if (line[0] == '\t') {
			add_line(&(*cases)[count], line + 1);
			continue;
		}
		count = count < 0 ? 0 : multiply(*cases, count);
		assert_true(count < MAX_CASES && strchr(line, ':'));
		*strchr(line, ':') = '\0';
		(*cases)[count].name = strdup(line);
		(*cases)[count].each = NULL;
		(*cases)[count].lines = calloc(MAX_LINES, sizeof(char *));
		(*cases)[count].line_count = 0;
	}
	fclose(file);
	return multiply(*cases, count);
}
