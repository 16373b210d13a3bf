/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Arrays that grow, and files that are read line by line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

#define FIRST_ITEMS 64

void *list_add(struct list *list, size_t size)
{
	size_t count = list->count;
	void *items = list->items;
	char *item;

	/* Full at 0, 64, 128, 256... */
	if (!count || (count >= FIRST_ITEMS && !(count & (count - 1))))
		items = reallocarray(items, count ? 2 * count : FIRST_ITEMS, size);
	if (!items)
		return NULL;
	list->items = items;
	item = (char *)items + list->count++ * size;
	memset(item, 0, size);
	return item;
}

void list_free(struct list *list)
{
	free(list->items);
	*list = (struct list){ 0 };
}

bool lines_read(FILE *file, const char *option, const char *name, const char *wanted,
		line_reader *take, void *context)
{
	int error = file ? 0 : errno;
	unsigned number = 0;
	char *line = NULL;
	size_t size = 0;
	ssize_t length;

	while (!error && (length = getline(&line, &size, file)) >= 0) {
		number++;
		/* A byte of 0 would hide the rest of the line. */
		error = strlen(line) == (size_t)length ? -take(context, line) : EBADMSG;
	}
	if (!error && ferror(file))
		error = errno;
	if (error == EBADMSG)
		complain("%s: %s: line %u is not %s", option, name, number, wanted);
	else if (error)
		complain("%s: %s: %s", option, name, strerror(error));
	free(line);
	if (file)
		fclose(file);
	return !error;
}
