/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Files that are replaced: the file behind a name, and the temporary file beside it. */
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

/* A temporary file beside the one that it will replace: its name, and what mkostemp() makes of it.
 */
#define TEMPORARY   ".fabric-sweep."
#define PLACEHOLDER "XXXXXX"

/* Symbolic links may lead to a file that does not exist yet: realpath() found that they end. */
char *file_resolve(const char *name)
{
	char target[PATH_MAX], *copy, *folder, *next = NULL, *path = realpath(name, NULL);
	ssize_t length;

	if (path || errno != ENOENT)
		return path;
	length = readlink(name, target, sizeof(target) - 1);
	target[length > 0 ? length : 0] = '\0';
	if (*target == '/')
		return file_resolve(target);
	copy = strdup(name);
	folder = copy ? realpath(dirname(copy), NULL) : NULL;
	name = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	if (!folder || asprintf(&next, "%s/%s", folder, *target ? target : name) < 0)
		next = NULL;
	path = next && *target ? file_resolve(next) : next;
	if (path != next)
		free(next);
	free(copy);
	free(folder);
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
	char *copy = strdup(path);
	const char *last = strrchr(path, '/') + 1;
	DIR *folder = copy ? opendir(dirname(copy)) : NULL;
	const struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (is_temporary_of(entry->d_name, last))
			remove_temporary(dirfd(folder), entry->d_name);
	if (folder)
		closedir(folder);
	free(copy);
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
