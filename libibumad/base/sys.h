/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Interface of sys.c: all calls to the kernel. An interrupted call is repeated. Each function
 * returns 0 (or the value documented beside it) or a negative errno, and leaves errno unchanged.
 *
 * A file that cannot be read counts as missing, and its attribute as 0, unless the process has no
 * descriptors or no memory left, which says nothing about devices. sys.c records such a resource
 * error; a public call that looks for devices clears it first, and fails if one was recorded.
 *
 * A thread can be cancelled only where it waits for a umad device or an event, and where it reads
 * from or writes to a umad device: umad_sys_read(), umad_sys_write(), umad_sys_poll_input() and
 * umad_sys_wait_and_read(). Cancellation in any other call here would leak what the function or its
 * caller holds.
 */
#ifndef LIBIBUMAD_SYS_H
#define LIBIBUMAD_SYS_H

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

#define UMAD_NO_DEADLINE (-1)

int umad_sys_hold_cancel(void); /* starts now; returns the argument of umad_sys_release_cancel() */
void umad_sys_release_cancel(int state);
int umad_sys_open_read(const char *path);    /* a file descriptor; never waits */
bool umad_sys_is_regular(int fd);	     /* a regular file, or a simulator's descriptor */
int umad_sys_open_regular(const char *path); /* a file descriptor; -ENOENT if it is no such file */
int umad_sys_open_device(const char *path);  /* a file descriptor */
#define UMAD_DEVICE_NUMBER_SIZE sizeof("4294967295:4294967295")
/* Writes the number of a character device as its attribute "dev" in sysfs has it, "231:0"; "" if fd
 * is another file. -EBADF for a descriptor of a simulator. */
int umad_sys_read_device_number(int fd, char text[UMAD_DEVICE_NUMBER_SIZE]);
int umad_sys_close(int fd);
ssize_t umad_sys_read_file(int fd, void *buffer, size_t size); /* bytes of an attribute */
int umad_sys_ioctl(int fd, unsigned long request, void *argument);
int64_t umad_sys_deadline(int timeout_ms);		       /* of a wait that begins now */
int umad_sys_remaining_ms(int64_t deadline);		       /* from now; -1: no limit */
int umad_sys_poll_input(int fd, int timeout_ms, bool resumes); /* the events, above 0 */
ssize_t umad_sys_wait_and_read(int fd, void *buffer, size_t size, int timeout_ms); /* bytes */
int umad_sys_opendir(const char *path, DIR **dir);
int umad_sys_readdir(DIR *dir, const char **name); /* 1: a name, 0: no more */
void umad_sys_closedir(DIR *dir);

/* For the calling thread: the first of -EMFILE, -ENFILE and -ENOMEM that a call here, or one that a
 * caller notes, has failed with since it was last cleared, or 0. -ENOBUFS counts as -ENOMEM. */
int umad_sys_resource_error(void);
int umad_sys_resource_error_or(int result); /* the resource error, or the result if there is none */
void umad_sys_note_resource_error(int error);
void umad_sys_clear_resource_error(void);

/* Reserves memory for one more entry of the array that *array points to, which has count entries of
 * size bytes each and memory for *capacity. */
int umad_array_reserve(void *array, size_t count, size_t *capacity, size_t size);

/* Reading from and writing to a umad device, which every MAD passes, is inline. */

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

#endif /* LIBIBUMAD_SYS_H */
