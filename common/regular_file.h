/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Opens what should be a file of sysfs or proc, or a file of keys, but may be a FIFO, a socket or a
 * device: opening never waits, nor does reading, if the driver of a device knows O_NONBLOCK.
 *
 * A source file that includes this header undefines _FILE_OFFSET_BITS and _TIME_BITS first:
 * simulators replace open(), not open64().
 */
#ifndef COMMON_REGULAR_FILE_H
#define COMMON_REGULAR_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>

/* Returns a descriptor, or a negative number with errno. An interrupted call is repeated; no
 * terminal becomes that of the process. */
static inline int open_for_reading(const char *path)
{
	int fd;

	do {
		errno = 0;
		fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	return fd;
}

/* Whether fd is a regular file, or a descriptor of a simulator, which the kernel does not know.
 * Changes errno. */
static inline bool is_regular_file(int fd)
{
	struct stat status;

	return fstat(fd, &status) < 0 || S_ISREG(status.st_mode);
}

#endif /* COMMON_REGULAR_FILE_H */
