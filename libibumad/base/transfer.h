/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reading from and writing to a umad device, which every MAD passes: part of sys.c, and inline.
 */
#ifndef LIBIBUMAD_TRANSFER_H
#define LIBIBUMAD_TRANSFER_H

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

/* The result of a failed call, with errno at *error, as a negative errno. */
ssize_t umad_sys_failed(const int *error, ssize_t result) __attribute__((cold));

static inline ssize_t umad_sys_outcome(int *error, ssize_t result, int saved_errno)
{
	if (__builtin_expect(result < 0, 0))
		result = umad_sys_failed(error, result);
	*error = saved_errno;
	return result;
}

static inline bool umad_sys_was_interrupted(ssize_t result, int error)
{
	return result < 0 && (result == -EINTR || (result == -1 && error == EINTR));
}

static inline ssize_t umad_sys_read_at(int *error, int fd, void *buffer, size_t size)
{
	ssize_t count;

	do {
		*error = 0;
		count = read(fd, buffer, size);
	} while (__builtin_expect(umad_sys_was_interrupted(count, *error), 0));
	return count;
}

/* Returns the number of bytes read. */
static inline ssize_t umad_sys_read(int fd, void *buffer, size_t size)
{
	int *error = &errno, saved_errno = *error;

	return umad_sys_outcome(error, umad_sys_read_at(error, fd, buffer, size), saved_errno);
}

/* Returns the number of bytes written. */
static inline ssize_t umad_sys_write(int fd, const void *buffer, size_t size)
{
	int *error = &errno, saved_errno = *error;
	ssize_t count;

	do {
		*error = 0;
		count = write(fd, buffer, size);
	} while (__builtin_expect(umad_sys_was_interrupted(count, *error), 0));
	return umad_sys_outcome(error, count, saved_errno);
}

#endif /* LIBIBUMAD_TRANSFER_H */
