/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The files of the fake kernel: a list of paths, from which directories follow. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 4096 };

struct kernel_file kernel_files[MAX_FILES];
int kernel_file_count;

static void free_content(struct kernel_content *content)
{
	if (content->own)
		kernel_release((char *)(uintptr_t)content->bytes);
	*content = (struct kernel_content){ 0 };
}

void kernel_files_reset(void)
{
	for (int i = 0; i < kernel_file_count; i++)
		free_content(&kernel_files[i].content);
	kernel_file_count = 0;
}

/* Tests look most often for the files that they have made last. */
static struct kernel_file *find(const char *path, size_t length)
{
	for (int i = kernel_file_count; i-- > 0;)
		if (kernel_files[i].length == length && !memcmp(kernel_files[i].path, path, length))
			return &kernel_files[i];
	return NULL;
}

/* Two slashes are one: the distribution's libibumad writes them. */
bool kernel_find(const char *path, struct kernel_content *content)
{
	const char *twice = strstr(path, "//");
	char single[KERNEL_PATH_SIZE];
	const struct kernel_file *file;

	if (twice) {
		snprintf(single, sizeof(single), "%.*s%s", (int)(twice - path), path, twice + 1);
		path = single;
	}
	file = find(path, strlen(path));
	if (file)
		*content = file->content;
	return file;
}

static void set_file(const char *path, const struct kernel_content *content)
{
	size_t length = strlen(path);
	struct kernel_file *file;

	KERNEL_LOCKED;
	file = find(path, length);
	if (!file && (kernel_file_count == MAX_FILES || length >= KERNEL_PATH_SIZE)) {
		fprintf(stderr, "fake kernel: no place for %s\n", path);
		abort();
	}
	if (!file) {
		file = &kernel_files[kernel_file_count++];
		file->content.own = false;
		file->length = length;
		memcpy(file->path, path, length + 1);
	}
	free_content(&file->content);
	file->content = *content;
}

void kernel_borrow(const char *path, const void *content, size_t size)
{
	set_file(path, &(struct kernel_content){ .bytes = content, .size = size });
}

void kernel_bytes(const char *path, const void *content, size_t size)
{
	char *copy = kernel_allocate(NULL, size + 1);

	memcpy(copy, content, size);
	set_file(path, &(struct kernel_content){ .bytes = copy, .size = size, .own = true });
}

void kernel_file(const char *path, const char *text)
{
	kernel_bytes(path, text, strlen(text));
}

void kernel_directory(const char *path)
{
	kernel_borrow(path, NULL, 0);
}

bool kernel_is_at_or_below(const char *path, const char *top, size_t length)
{
	return !strncmp(path, top, length) && (!path[length] || path[length] == '/');
}

static bool begins(const char *path, const char *top, size_t length)
{
	return !strncmp(path, top, length);
}

static void remove_files(const char *top, bool (*matches)(const char *, const char *, size_t))
{
	size_t length = strlen(top);
	int kept = 0;

	KERNEL_LOCKED;
	for (int i = 0; i < kernel_file_count; i++)
		if (matches(kernel_files[i].path, top, length))
			free_content(&kernel_files[i].content);
		else
			kernel_files[kept++] = kernel_files[i];
	kernel_file_count = kept;
}

void kernel_remove(const char *path)
{
	remove_files(path, kernel_is_at_or_below);
}

void kernel_remove_prefix(const char *begin)
{
	remove_files(begin, begins);
}

bool kernel_has(const char *path)
{
	size_t length = strlen(path);

	KERNEL_LOCKED;
	for (int i = 0; i < kernel_file_count; i++)
		if (kernel_is_at_or_below(kernel_files[i].path, path, length))
			return true;
	return false;
}
