/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* inject-file.c - failures of the calls that make and write capture files: real files, with sizes
 * of 64 bits. */
#include "inject.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int last_opened = -1;

void fault_forget_files(void)
{
	fault_forget_descriptor(last_opened);
}

#define FAULT_WRAP_OPENAT(type, function, ...)                         \
	FAULT_WRAP(type, function, __VA_ARGS__)                        \
	{                                                              \
		mode_t mode = 0;                                       \
		va_list arguments;                                     \
		int fd;                                                \
                                                                       \
		va_start(arguments, flags);                            \
		if (flags & O_CREAT)                                   \
			mode = va_arg(arguments, mode_t);              \
		va_end(arguments);                                     \
		if (fault_here(FAULT_OPENAT))                          \
			return -1;                                     \
		fd = __real_##function(directory, path, flags, mode);  \
		return last_opened = fault_note_descriptor(fd, flags); \
	}
FAULT_WRAP_OPENAT(int, openat64, int directory, const char *path, int flags, ...)
/* A header that is included before all others (scripts/coverage) decides on the size. */
FAULT_WRAP_OPENAT(int, openat, int directory, const char *path, int flags, ...)

/* FAULT_SHORT writes a byte less: the next call writes the rest. */
FAULT_WRAP(ssize_t, writev, int fd, const struct iovec *parts, int count)
{
	struct iovec part = parts[0];

	if (!fault_here(FAULT_WRITEV))
		return __real_writev(fd, parts, count);
	if (errno)
		return -1;
	part.iov_len--;
	return __real_writev(fd, &part, 1);
}

FAULT_FAILING(int, fstat64, FAULT_FSTAT, -1, (fd, status), int fd, struct stat64 *status)

FAULT_FAILING(int, fstatat64, FAULT_FSTAT, -1, (directory, path, status, flags), int directory,
	      const char *path, struct stat64 *status, int flags)

FAULT_FAILING(int, renameat, FAULT_RENAMEAT, -1, (old_directory, old_path, directory, path),
	      int old_directory, const char *old_path, int directory, const char *path)

/* Captures close their file by a system call. */
FAULT_WRAP(long, syscall, long number, ...)
{
	long arguments[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_close)
		fault_close_descriptor((int)arguments[0]);
	return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
			      arguments[4], arguments[5]);
}
