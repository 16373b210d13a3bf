/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake kernel in the place of libc's functions, for libraries that were linked without it: it
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

int libc_open(const char *path, int flags, ...);
int libc_close(int fd);
ssize_t libc_read(int fd, void *buffer, size_t size);
ssize_t libc_write(int fd, const void *buffer, size_t size);
int libc_poll(struct pollfd *fds, nfds_t count, int timeout);
int kernel_poll(struct pollfd *fds, nfds_t count, int timeout);
int libc_ioctl(int fd, unsigned long request, ...);
DIR *libc_opendir(const char *path);
struct dirent *libc_readdir(DIR *dir);
int libc_closedir(DIR *dir);

int libc_open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t); /* which calls.c always passes */
	va_end(arguments);
	return NEXT(open)(path, flags, mode);
}

int libc_close(int fd)
{
	return NEXT(close)(fd);
}

ssize_t libc_read(int fd, void *buffer, size_t size)
{
	return NEXT(read)(fd, buffer, size);
}

ssize_t libc_write(int fd, const void *buffer, size_t size)
{
	return NEXT(write)(fd, buffer, size);
}

int libc_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	return NEXT(poll)(fds, count, timeout);
}

/* gcc would take a definition of poll() that reads fds for a mistake. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	return kernel_poll(fds, count, timeout);
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

DIR *libc_opendir(const char *path)
{
	return NEXT(opendir)(path);
}

struct dirent *libc_readdir(DIR *dir)
{
	return NEXT(readdir)(dir);
}

int libc_closedir(DIR *dir)
{
	return NEXT(closedir)(dir);
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
