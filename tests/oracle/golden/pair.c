/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * pair.c - loads a pair of libraries, and the list of fields.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair.h"

struct field fields[MAX_FIELDS];
int field_count;

static void *libraries[2];

void fields_load(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512];

	if (!file) {
		perror(path);
		exit(1);
	}
	while (fgets(line, sizeof(line), file) && field_count < MAX_FIELDS) {
		struct field *field = &fields[field_count];
		char *column = line;
		const char *next[6];

		line[strcspn(line, "\n")] = '\0';
		for (int i = 0; i < 6; i++)
			next[i] = column ? strsep(&column, "\t") : "";
		if (strspn(next[0], "0123456789") == 0)
			continue; /* the heading */
		field->id = atoi(next[0]);
		field->bits = atoi(next[3]);
		snprintf(field->formatter, sizeof(field->formatter), "%s", next[5]);
		field_count++;
	}
	fclose(file);
}

const struct field *field_find(int id)
{
	for (int i = 0; i < field_count; i++)
		if (fields[i].id == id && fields[i].bits)
			return &fields[i];
	return NULL;
}

int field_size(const struct field *field)
{
	return field->bits <= 32 ? 4 : field->bits / 8;
}

bool pair_load(const char *libibumad, const char *libibmad)
{
	const char *names[] = { libibumad, libibmad };

	for (int i = 0; i < 2; i++) {
		libraries[i] = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
		if (!libraries[i]) {
			printf("%s\n", dlerror());
			return false;
		}
	}
	return true;
}

void *pair_function(const char *name)
{
	void *function = dlsym(libraries[1], name);

	return function ? function : dlsym(libraries[0], name);
}

const char *pair_path(void)
{
	Dl_info info;

	return dladdr(pair_function("mad_get_field"), &info) ? info.dli_fname : "?";
}
