/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake kernel instead of libc's functions, for libraries that were linked without it: it
 * is compiled so that its functions have the names of libc's (CMakeLists.txt), and here are those
 * of libc that it calls for what is not its own. scandir(), which the distribution's pair calls,
 * would find libc's opendir().
 */
#include "internal.h"

#include "preload.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* libc_x(), which calls libc's x(). */
#define LIBC(type, name, arguments, ...)     \
	type libc_##name(__VA_ARGS__);       \
	type libc_##name(__VA_ARGS__)        \
	{                                    \
		return NEXT(name) arguments; \
	}
LIBC(int, close, (fd), int fd)
LIBC(ssize_t, read, (fd, buffer, size), int fd, void *buffer, size_t size)
LIBC(ssize_t, write, (fd, buffer, size), int fd, const void *buffer, size_t size)
LIBC(int, poll, (fds, count, timeout), struct pollfd *fds, nfds_t count, int timeout)
LIBC(DIR *, opendir, (path), const char *path)
LIBC(struct dirent *, readdir, (dir), DIR *dir)
LIBC(int, closedir, (dir), DIR *dir)

int libc_open(const char *path, int flags, ...);
int libc_ioctl(int fd, unsigned long request, ...);
int kernel_poll(struct pollfd *fds, nfds_t count, int timeout);

int libc_open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t); /* calls.c of the fake kernel always passes a mode */
	va_end(arguments);
	return NEXT(open)(path, flags, mode);
}

int libc_ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	return NEXT(ioctl)(fd, request, argument);
}

/* gcc would take a definition of poll() that reads fds for a mistake. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	return kernel_poll(fds, count, timeout);
}

int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
	    int (*compare)(const struct dirent **, const struct dirent **))
{
	struct dirent *entry, **found = NULL;
	int count = 0;
	DIR *dir;

	if (!kernel_owns(path))
		return NEXT(scandir)(path, list, filter, compare);
	dir = opendir(path);
	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		if (filter && !filter(entry))
			continue;
		found = kernel_allocate(found, (size_t)(count + 1) * sizeof(*found));
		found[count] = kernel_allocate(NULL, sizeof(*entry));
		memcpy(found[count++], entry, sizeof(*entry));
	}
	closedir(dir);
	if (compare && count)
		qsort(found, (size_t)count, sizeof(*found),
		      (int (*)(const void *, const void *))compare);
	*list = found;
	return count;
}
