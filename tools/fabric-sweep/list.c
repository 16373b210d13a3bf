/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Arrays that grow, and files that are read line by line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

#define FIRST_ITEMS 64
#define LINE_SIZE   4096

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

/* Returns the length, 0: the file ends; -EBADMSG for a longer line, or with a byte of 0. */
static int read_line(FILE *file, char line[LINE_SIZE])
{
	int length = 0, c = 0;

	while (c != '\n' && length < LINE_SIZE - 1 && (c = getc(file)) > 0)
		line[length++] = (char)c;
	line[length] = '\0';
	return !c || (c != '\n' && length == LINE_SIZE - 1) ? -EBADMSG : length;
}

bool lines_read(FILE *file, const char *option, const char *name, const char *wanted,
		line_reader *take, void *context)
{
	int error = file ? 0 : errno, length = 1;
	unsigned number = 0;
	char line[LINE_SIZE];

	while (!error && length) {
		length = read_line(file, line);
		number++;
		if (length)
			error = length > 0 ? -take(context, line) : -length;
	}
	if (!error && ferror(file))
		error = errno;
	if (error == EBADMSG)
		complain("%s: %s: line %u is not %s", option, name, number, wanted);
	else if (error)
		complain("%s: %s: %s", option, name, strerror(error));
	if (file)
		fclose(file);
	return !error;
}
