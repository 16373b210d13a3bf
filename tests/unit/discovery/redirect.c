/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A library to preload: shows a program another host's InfiniBand devices. Paths that begin with
 * /sys/class/infiniband or /dev/infiniband/ lead below the directory that the environment variable
 * UMAD_TEST_ROOT names, to its class/ and dev/; /proc/net/netlink, where discovery looks for RDMA
 * netlink, leads to nothing. Input: that directory, as trees.py lays it.
 *
 * It replaces what simulators replace, by the same names, and makes no other system calls than the
 * program asks for, so that they can be counted. Directories are read in alphabetical order.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 1024, MAX_LISTINGS = 16 };

static struct listing {
	struct dirent **entries; /* NULL: not open */
	int count, at;
} listings[MAX_LISTINGS];

#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

/* The path to open: path itself, or another, written to buffer. */
static const char *redirect(const char *path, char buffer[PATH_SIZE])
{
	static const struct {
		const char *from, *to;
	} prefixes[] = {
		{ "/sys/class/infiniband", "class/infiniband" },
		{ "/dev/infiniband/", "dev/" },
		{ "/proc/net/netlink", "netlink" },
	};
	const char *root = getenv("UMAD_TEST_ROOT");
	size_t i, length;

	for (i = 0; root && i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		length = strlen(prefixes[i].from);
		if (strncmp(path, prefixes[i].from, length) != 0)
			continue;
		if (snprintf(buffer, PATH_SIZE, "%s/%s%s", root, prefixes[i].to, path + length) >=
		    PATH_SIZE)
			abort();
		return buffer;
	}
	return path;
}

int open(const char *path, int flags, ...)
{
	char buffer[PATH_SIZE];
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	return REAL(open)(redirect(path, buffer), flags, mode);
}

DIR *opendir(const char *path)
{
	char buffer[PATH_SIZE];
	const char *real = redirect(path, buffer);
	struct listing *list = listings;

	if (real == path)
		return REAL(opendir)(path);
	while (list->entries)
		if (++list == listings + MAX_LISTINGS)
			abort();
	list->at = 0;
	list->count = REAL(scandir)(real, &list->entries, NULL, alphasort);
	return list->count < 0 ? NULL : (DIR *)list;
}

static struct listing *find_listing(DIR *dir)
{
	struct listing *list = (struct listing *)dir;

	return list >= listings && list < listings + MAX_LISTINGS ? list : NULL;
}

struct dirent *readdir(DIR *dir)
{
	struct listing *list = find_listing(dir);

	if (!list)
		return REAL(readdir)(dir);
	return list->at < list->count ? list->entries[list->at++] : NULL;
}

int closedir(DIR *dir)
{
	struct listing *list = find_listing(dir);

	if (!list)
		return REAL(closedir)(dir);
	while (list->count > 0)
		free(list->entries[--list->count]);
	free(list->entries);
	list->entries = NULL;
	return 0;
}

int scandir(const char *path, struct dirent ***entries, int (*filter)(const struct dirent *),
	    int (*compare)(const struct dirent **, const struct dirent **))
{
	char buffer[PATH_SIZE];

	return REAL(scandir)(redirect(path, buffer), entries, filter, compare);
}
