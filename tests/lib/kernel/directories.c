/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The directories of the fake kernel: their entries follow from the paths of its files. Replaces
 * libc's calls. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
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

KERNEL_REPLACES(DIR *, opendir, const char *path);
KERNEL_REPLACES(struct dirent *, readdir, DIR *dir);
KERNEL_REPLACES(int, closedir, DIR *dir);

int kernel_directories_open(bool reset)
{
	int count = 0;

	for (int i = 0; i < MAX_DIRECTORIES; i++) {
		count += directories[i].open;
		if (reset)
			directories[i].open = false;
	}
	return count;
}

/* NULL: a directory of the machine. */
static struct directory *directory_of(DIR *dir)
{
	struct directory *directory = (struct directory *)dir;

	return directory >= directories && directory < directories + MAX_DIRECTORIES ? directory
										     : NULL;
}

/* 0, or why the path is no directory. */
static int check_directory(const char *path)
{
	size_t length = strlen(path);
	struct kernel_content content;

	if (length >= KERNEL_PATH_SIZE)
		return ENAMETOOLONG;
	if (kernel.policy->entry)
		return 0;
	if (kernel_find(path, &content))
		return content.bytes ? ENOTDIR : 0;
	for (int i = 0; i < kernel_file_count; i++)
		if (kernel_is_at_or_below(kernel_files[i].path, path, length))
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

DIR *__wrap_opendir(const char *path)
{
	struct directory *directory;

	if (!kernel.policy || !kernel_owns(path))
		return __real_opendir(path);
	if (kernel.policy->check_open)
		kernel.policy->check_open(path, O_DIRECTORY);
	if (kernel_fails(KERNEL_OPENDIR, path))
		return NULL;
	KERNEL_LOCKED;
	if (kernel_result(-check_directory(path)))
		return NULL;
	directory = new_directory();
	directory->open = true;
	directory->at = kernel.policy->lists_dots ? -2 : 0;
	directory->length =
		(size_t)snprintf(directory->prefix, sizeof(directory->prefix), "%s/", path);
	return (DIR *)directory;
}

/* The name that a file has in a directory, and its length; NULL where it is not in it. */
static const char *name_in(const struct directory *directory, const struct kernel_file *file,
			   size_t *length)
{
	const char *name = file->path + directory->length;

	/* The end of the prefix is compared first, since paths differ there. */
	if (file->length <= directory->length || name[-1] != '/' ||
	    name[-2] != directory->prefix[directory->length - 2] ||
	    memcmp(file->path, directory->prefix, directory->length) != 0)
		return NULL;
	*length = strcspn(name, "/");
	return name;
}

static bool was_listed(const struct directory *directory, const char *name, size_t length,
		       int number)
{
	while (number-- > 0) {
		const struct kernel_file *before = &kernel_files[number];
		const char *other = before->path + directory->length;

		if (before->length >= directory->length + length && other[0] == name[0] &&
		    (!other[length] || other[length] == '/') &&
		    !memcmp(before->path, directory->prefix, directory->length) &&
		    !memcmp(other, name, length))
			return true;
	}
	return false;
}

static const char *next_name(struct directory *directory, size_t *length)
{
	while (directory->at < kernel_file_count) {
		int number = directory->at++;
		const char *name =
			number < 0 ? ".." : name_in(directory, &kernel_files[number], length);

		if (number < 0)
			*length = number == -2 ? 1 : 2;
		if (name && (number < 0 || !was_listed(directory, name, *length, number)))
			return name;
	}
	return NULL;
}

struct dirent *__wrap_readdir(DIR *dir)
{
	struct directory *directory = directory_of(dir);
	const char *name;
	size_t length;

	if (!directory)
		return __real_readdir(dir);
	pthread_testcancel();
	if (kernel_fails(KERNEL_READDIR, NULL))
		return NULL;
	KERNEL_LOCKED;
	if (kernel.policy->entry) {
		name = kernel.policy->entry(directory->at++);
		length = name ? strlen(name) : 0;
	} else {
		name = next_name(directory, &length);
	}
	if (!name)
		return NULL;
	memcpy(directory->entry.d_name, name, length);
	directory->entry.d_name[length] = '\0';
	return &directory->entry;
}

int __wrap_closedir(DIR *dir)
{
	struct directory *directory = directory_of(dir);

	if (!directory)
		return __real_closedir(dir);
	pthread_testcancel();
	KERNEL_LOCKED;
	if (!directory->open) {
		fputs("fake kernel: a directory is closed twice\n", stderr);
		abort();
	}
	directory->open = false;
	return 0;
}
