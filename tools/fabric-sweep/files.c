/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Files that are replaced: the one behind a name, and the temporary one beside it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep.h"

#define MOST_LINKS 40 /* that the kernel follows, too */

/* A temporary file beside the one that it will replace: its name, and what mkostemp() makes of it.
 */
#define TEMPORARY   ".fabric-sweep."
#define PLACEHOLDER "XXXXXX"

/* A new file in the folder of name, which is there; NULL with errno. */
static char *resolve_folder(const char *name)
{
	char *copy = strdup(name), *base = strdup(name), *path = NULL;
	char *folder = copy && base ? realpath(dirname(copy), NULL) : NULL;

	if (folder && asprintf(&path, "%s/%s", folder, basename(base)) < 0)
		path = NULL;
	free(folder);
	free(copy);
	free(base);
	return path;
}

/* The name to which a link points; NULL where path is no link. Frees path. */
static char *follow(char *path)
{
	char target[PATH_MAX], *next = NULL;
	ssize_t length = readlink(path, target, sizeof(target) - 1);

	if (length >= 0) {
		target[length] = '\0';
		if (asprintf(&next, "%s%s%s", *target == '/' ? "" : dirname(path),
			     *target == '/' ? "" : "/", target) < 0)
			next = NULL;
	}
	free(path);
	return next;
}

char *file_resolve(const char *name)
{
	char *path = realpath(name, NULL), *next;
	struct stat status;

	if (path || errno != ENOENT)
		return path;
	path = resolve_folder(name);
	for (int i = 0; path && i < MOST_LINKS && !lstat(path, &status) && S_ISLNK(status.st_mode);
	     i++) {
		next = follow(path);
		path = next ? resolve_folder(next) : NULL;
		free(next);
	}
	return path;
}

static bool is_temporary_of(const char *name, const char *base)
{
	size_t length = strlen(base);

	return !strncmp(name, base, length) &&
	       !strncmp(name + length, TEMPORARY, strlen(TEMPORARY)) &&
	       strlen(name + length) == strlen(TEMPORARY PLACEHOLDER);
}

/* Removes a temporary file, unless a process holds its lock, which still writes. */
static void remove_temporary(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;

	if (fd < 0)
		return;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && !flock(fd, LOCK_EX | LOCK_NB))
		unlinkat(folder, name, 0);
	close(fd);
}

void file_remove_leftovers(const char *path)
{
	char *copy = strdup(path), *base = strdup(path);
	DIR *folder = copy && base ? opendir(dirname(copy)) : NULL;
	const char *last = base ? basename(base) : "";
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (is_temporary_of(entry->d_name, last))
			remove_temporary(dirfd(folder), entry->d_name);
	if (folder)
		closedir(folder);
	free(copy);
	free(base);
}

int file_create_temporary(const char *path, char **name)
{
	struct stat status;
	int fd;

	for (;;) {
		if (asprintf(name, "%s" TEMPORARY PLACEHOLDER, path) < 0)
			*name = NULL;
		fd = *name ? mkostemp(*name, O_CLOEXEC) : -1;
		if (fd < 0)
			break;
		flock(fd, LOCK_EX);
		if (fstat(fd, &status) || status.st_nlink)
			return fd;
		close(fd); /* another process has removed it before it was locked */
		free(*name);
	}
	free(*name);
	*name = NULL;
	return -1;
}
