/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A library to preload: shows a program another host's InfiniBand devices. Paths that begin with
 * /sys/class/infiniband or /dev/infiniband/ lead below the directory that the environment variable
 * UMAD_TEST_ROOT names, to its class/ and dev/; /proc/net/netlink, where discovery looks for RDMA
 * netlink, leads to nothing. Input: that directory, as trees.py lays it.
 *
 * It replaces what simulators replace, by the same names. A library that reaches for sysfs in any
 * other way sees the real host, and the expected output does not come out.
 *
 * Directories are read in the order of a file .order in them, or alphabetically. A file with
 * "!open N" fails to open with errno N, one with "!read N" fails to be read. Where UMAD_TEST_PLAIN
 * is set, the order is alphabetical, no file fails, and no more system calls are made than the
 * library asks for, so that they can be counted.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FD = 1024, PATH_SIZE = 1024 };

struct listing {
	struct listing *next_open;
	struct dirent **entries;
	int count, at;
};

static int read_error[MAX_FD];
static struct listing *open_listings;

#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

static int is_plain(void)
{
	return getenv("UMAD_TEST_PLAIN") != NULL;
}

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

/* The errno with which a file is to fail, as "!open 13"; 0: it does not. */
static int wanted_error(int fd, const char *kind)
{
	char text[32] = "", expected[16];
	size_t length;

	snprintf(expected, sizeof(expected), "!%s ", kind);
	length = strlen(expected);
	if (pread(fd, text, sizeof(text) - 1, 0) <= 0 || strncmp(text, expected, length) != 0)
		return 0;
	return atoi(text + length);
}

int open(const char *path, int flags, ...)
{
	char buffer[PATH_SIZE];
	mode_t mode = 0;
	va_list args;
	int fd, error;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	fd = REAL(open)(redirect(path, buffer), flags, mode);
	if (fd < 0 || redirect(path, buffer) == path || is_plain())
		return fd;
	error = wanted_error(fd, "open");
	if (error) {
		close(fd);
		errno = error;
		return -1;
	}
	if (fd < MAX_FD)
		read_error[fd] = wanted_error(fd, "read");
	return fd;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	if (fd >= 0 && fd < MAX_FD && read_error[fd]) {
		errno = read_error[fd];
		return -1;
	}
	return REAL(read)(fd, buffer, size);
}

int close(int fd)
{
	if (fd >= 0 && fd < MAX_FD)
		read_error[fd] = 0;
	return REAL(close)(fd);
}

/* Moves the entry with this name to place at, and says whether it was found behind that. */
static int pull_entry(struct listing *list, const char *name, int at)
{
	struct dirent *entry;
	int i;

	for (i = at; i < list->count; i++) {
		if (strcmp(list->entries[i]->d_name, name) != 0)
			continue;
		entry = list->entries[i];
		memmove(&list->entries[at + 1], &list->entries[at],
			(size_t)(i - at) * sizeof(struct dirent *));
		list->entries[at] = entry;
		return 1;
	}
	return 0;
}

static void apply_order(struct listing *list, const char *path)
{
	char order_path[PATH_SIZE + 8], line[256];
	FILE *order;
	int at = 0;

	snprintf(order_path, sizeof(order_path), "%s/.order", path);
	order = fopen(order_path, "r");
	if (!order)
		return;
	while (fgets(line, sizeof(line), order)) {
		line[strcspn(line, "\n")] = '\0';
		at += pull_entry(list, line, at);
	}
	fclose(order);
}

DIR *opendir(const char *path)
{
	char buffer[PATH_SIZE];
	const char *real = redirect(path, buffer);
	struct listing *list;

	if (real == path)
		return REAL(opendir)(path);
	list = calloc(1, sizeof(*list));
	if (!list)
		return NULL;
	list->count = REAL(scandir)(real, &list->entries, NULL, alphasort);
	if (list->count < 0) {
		free(list);
		return NULL;
	}
	if (!is_plain())
		apply_order(list, real);
	list->next_open = open_listings;
	open_listings = list;
	return (DIR *)list;
}

static struct listing **find_listing(DIR *dir)
{
	struct listing **list = &open_listings;

	while (*list && (DIR *)*list != dir)
		list = &(*list)->next_open;
	return list;
}

struct dirent *readdir(DIR *dir)
{
	struct listing *list = *find_listing(dir);

	if (!list)
		return REAL(readdir)(dir);
	return list->at < list->count ? list->entries[list->at++] : NULL;
}

int closedir(DIR *dir)
{
	struct listing **link = find_listing(dir), *list = *link;

	if (!list)
		return REAL(closedir)(dir);
	*link = list->next_open;
	while (list->count > 0)
		free(list->entries[--list->count]);
	free(list->entries);
	free(list);
	return 0;
}

int scandir(const char *path, struct dirent ***entries, int (*filter)(const struct dirent *),
	    int (*compare)(const struct dirent **, const struct dirent **))
{
	char buffer[PATH_SIZE];

	return REAL(scandir)(redirect(path, buffer), entries, filter, compare);
}
