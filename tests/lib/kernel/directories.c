/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The directories of the fake kernel: what is listed follows from the paths of its files. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DIRECTORIES = 64 };

struct directory {
	bool open;
	size_t length; /* of the prefix, slash included */
	char prefix[KERNEL_PATH_SIZE + 1];
	int at; /* the number of the next file; -2 and -1 are . and .. */
	struct dirent entry;
};

static struct directory directories[MAX_DIRECTORIES];

int kernel_directories_open(bool reset)
{
	int count = 0;

	kernel_lock();
	for (int i = 0; i < MAX_DIRECTORIES; i++) {
		count += directories[i].open;
		if (reset)
			directories[i].open = false;
	}
	kernel_unlock();
	return count;
}

bool kernel_directory_owns(DIR *dir)
{
	struct directory *directory = (struct directory *)dir;

	return directory >= directories && directory < directories + MAX_DIRECTORIES;
}

/* 0, or why the path is no directory. */
static int check_directory(const char *path)
{
	size_t length = strlen(path), found_length;
	struct kernel_content content;
	const char *found;

	if (length >= KERNEL_PATH_SIZE)
		return ENAMETOOLONG;
	if (kernel.policy->entry)
		return 0;
	if (kernel_find(path, &content))
		return content.bytes ? ENOTDIR : 0;
	for (int i = 0; (found = kernel_path(i, &found_length)); i++)
		if (found_length > length && kernel_is_at_or_below(found, path, length))
			return 0;
	return ENOENT;
}

static struct directory *new_directory(void)
{
	for (int i = 0; i < MAX_DIRECTORIES; i++)
		if (!directories[i].open)
			return &directories[i];
	fputs("fake kernel: too many open directories\n", stderr);
	abort();
}

DIR *kernel_directory_open(const char *path)
{
	struct directory *directory = NULL;
	int error;

	kernel_lock();
	error = check_directory(path);
	if (!error) {
		directory = new_directory();
		directory->open = true;
		directory->at = kernel.policy->lists_dots ? -2 : 0;
		directory->length =
			(size_t)snprintf(directory->prefix, sizeof(directory->prefix), "%s/", path);
	}
	kernel_unlock();
	if (error)
		errno = error;
	return (DIR *)directory;
}

/* The name that a file has in a directory; NULL where it is not in it. */
static const char *name_in(const struct directory *directory, int number, size_t *length)
{
	size_t path_length;
	const char *path = kernel_path(number, &path_length), *name = path + directory->length;

	/* The middle is looked at first, since it is where paths differ. */
	if (path_length <= directory->length || name[-1] != '/' ||
	    name[-2] != directory->prefix[directory->length - 2] ||
	    memcmp(path, directory->prefix, directory->length) != 0)
		return NULL;
	*length = strcspn(name, "/");
	return name;
}

static bool was_listed(const struct directory *directory, const char *name, size_t length,
		       int before)
{
	for (int i = before - 1; i >= 0; i--) {
		size_t path_length;
		const char *path = kernel_path(i, &path_length), *other;

		if (path_length < directory->length + length)
			continue;
		other = path + directory->length;
		if (other[0] == name[0] && (!other[length] || other[length] == '/') &&
		    !memcmp(path, directory->prefix, directory->length) &&
		    !memcmp(other, name, length))
			return true;
	}
	return false;
}

static const char *next_name(struct directory *directory, size_t *length)
{
	if (kernel.policy->entry) {
		const char *name = kernel.policy->entry(directory->at++);

		*length = name ? strlen(name) : 0;
		return name;
	}
	while (directory->at < kernel_file_count()) {
		int number = directory->at++;
		const char *name = number < 0 ? ".." : name_in(directory, number, length);

		if (number < 0) {
			*length = number == -2 ? 1 : 2;
			return name;
		}
		if (name && !was_listed(directory, name, *length, number))
			return name;
	}
	return NULL;
}

struct dirent *kernel_directory_read(DIR *dir)
{
	struct directory *directory = (struct directory *)dir;
	const char *name;
	size_t length;

	kernel_lock();
	name = next_name(directory, &length);
	if (name) {
		memcpy(directory->entry.d_name, name, length);
		directory->entry.d_name[length] = '\0';
	}
	kernel_unlock();
	return name ? &directory->entry : NULL;
}

void kernel_directory_close(DIR *dir)
{
	struct directory *directory = (struct directory *)dir;

	kernel_lock();
	if (!directory->open) {
		fputs("fake kernel: a directory is closed twice\n", stderr);
		abort();
	}
	directory->open = false;
	kernel_unlock();
}
