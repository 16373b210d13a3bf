/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The only access to the kernel for sysfs and the umad devices. Simulators preload a library that
 * replaces exactly open, close, read, write, poll, ioctl, opendir and scandir, by these names. So
 *
 * - hardened variants (__read_chk, __poll_chk, __open_2) and those for large files (open64,
 *   readdir64) are off in this file. Buffers come with a length: the former could check nothing;
 * - each set of open flags has a function, which is not inlined into its callers;
 * - descriptors may be 1024 and above and may be unknown to the kernel;
 * - a replaced function may return the negative errno itself instead of -1.
 */
#undef _FORTIFY_SOURCE
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "common/regular_file.h"
#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

#define NOT_INLINED __attribute__((noinline))

enum {
	NS_PER_MS = 1000000,
	MS_PER_S = 1000,
	INITIAL_CAPACITY = 16, /* entries of arrays, which double as needed */
};

static _Thread_local int resource_error;

int umad_sys_resource_error(void)
{
	return resource_error;
}

int umad_sys_resource_error_or(int result)
{
	return resource_error ? resource_error : result;
}

void umad_sys_clear_resource_error(void)
{
	resource_error = 0;
}

void umad_sys_note_resource_error(int error)
{
	if (error == -ENOBUFS)
		error = -ENOMEM;
	if (!resource_error && (error == -EMFILE || error == -ENFILE || error == -ENOMEM))
		resource_error = error;
}

int umad_array_reserve(void *array, size_t count, size_t *capacity, size_t size)
{
	size_t wanted = *capacity ? 2 * *capacity : INITIAL_CAPACITY;
	void *old, *grown;

	if (count < *capacity)
		return 0;
	memcpy(&old, array, sizeof(old));
	grown = realloc(old, wanted * size);
	if (!grown) {
		umad_sys_note_resource_error(-ENOMEM);
		return -ENOMEM;
	}
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
	return 0;
}

ssize_t umad_sys_failed(const int *error, ssize_t result)
{
	if (result == -1)
		result = *error > 0 ? -*error : -EIO;
	umad_sys_note_resource_error((int)result);
	return result;
}

int umad_sys_hold_cancel(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	return state;
}

void umad_sys_release_cancel(int state)
{
	pthread_setcancelstate(state, NULL);
}

/* Opens a sysfs attribute. */
NOT_INLINED int umad_sys_open_read(const char *path)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno;
	int fd = (int)umad_sys_outcome(&errno, open_for_reading(path), saved_errno);

	umad_sys_release_cancel(cancel_state);
	return fd;
}

/* Simulators do not replace fstat(): the kernel does not know their descriptors, or they are
 * files. */
NOT_INLINED bool umad_sys_is_regular(int fd)
{
	int saved_errno = errno;
	bool is_regular = is_regular_file(fd);

	errno = saved_errno;
	return is_regular;
}

int umad_sys_open_regular(const char *path)
{
	int fd = umad_sys_open_read(path);

	if (fd < 0 || umad_sys_is_regular(fd))
		return fd;
	umad_sys_close(fd);
	return -ENOENT;
}

NOT_INLINED int umad_sys_read_device_number(int fd, char text[UMAD_DEVICE_NUMBER_SIZE])
{
	int saved_errno = errno, result;
	struct stat status;

	result = (int)umad_sys_outcome(&errno, fstat(fd, &status), saved_errno);
	if (result < 0)
		return result;
	text[0] = '\0';
	if (S_ISCHR(status.st_mode))
		snprintf(text, UMAD_DEVICE_NUMBER_SIZE, "%u:%u", major(status.st_rdev),
			 minor(status.st_rdev));
	return 0;
}

/* Opens a umad device; reads never block, umad_sys_poll_input() waits. */
NOT_INLINED int umad_sys_open_device(const char *path)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno, fd;

	do {
		errno = 0;
		fd = open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	fd = (int)umad_sys_outcome(&errno, fd, saved_errno);
	umad_sys_release_cancel(cancel_state);
	return fd;
}

/* An interrupted close is not repeated: the number may be another file's by now. */
NOT_INLINED int umad_sys_close(int fd)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno, result;

	errno = 0;
	result = close(fd);
	if (result < 0 && errno == EINTR)
		result = 0;
	result = (int)umad_sys_outcome(&errno, result, saved_errno);
	umad_sys_release_cancel(cancel_state);
	return result;
}

NOT_INLINED ssize_t umad_sys_read_file(int fd, void *buffer, size_t size)
{
	int cancel_state = umad_sys_hold_cancel();
	ssize_t count = umad_sys_read(fd, buffer, size);

	umad_sys_release_cancel(cancel_state);
	return count;
}

NOT_INLINED int umad_sys_ioctl(int fd, unsigned long request, void *argument)
{
	int saved_errno = errno, result;

	do {
		errno = 0;
		result = ioctl(fd, request, argument);
	} while (umad_sys_was_interrupted(result, errno));
	return (int)umad_sys_outcome(&errno, result, saved_errno);
}

/* Nanoseconds of the monotonic clock, which cannot be set. */
static inline int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * MS_PER_S * NS_PER_MS + time.tv_nsec;
}

static inline int64_t deadline_in(int timeout_ms)
{
	if (timeout_ms < 0)
		return UMAD_NO_DEADLINE;
	return now() + (int64_t)timeout_ms * NS_PER_MS;
}

int64_t umad_sys_deadline(int timeout_ms)
{
	return deadline_in(timeout_ms);
}

/* The milliseconds until the deadline, rounded up, as poll() takes them. They fit an int, because
 * the timeout that the deadline was computed from did. */
NOT_INLINED int umad_sys_remaining_ms(int64_t deadline)
{
	int64_t left;

	if (deadline == UMAD_NO_DEADLINE)
		return -1;
	left = deadline - now();
	if (left <= 0)
		return 0;
	return (int)((left + NS_PER_MS - 1) / NS_PER_MS);
}

/* Repeats a poll() that ended before the deadline without an event or, if `resumes`, by a signal.
 */
static __attribute__((noinline, cold)) int poll_again(struct pollfd *input, int count, int *error,
						      int64_t deadline, bool resumes)
{
	int remaining_ms;

	while (!count || (resumes && umad_sys_was_interrupted(count, *error))) {
		remaining_ms = umad_sys_remaining_ms(deadline);
		if (!count && !remaining_ms)
			break;
		*error = 0;
		count = poll(input, 1, remaining_ms);
	}
	return count;
}

static inline int poll_at(int *error, int fd, int remaining_ms, int64_t deadline, bool resumes,
			  short *events)
{
	struct pollfd input = { .fd = fd, .events = POLLIN };
	int count;

	*error = 0;
	count = poll(&input, 1, remaining_ms);
	if (__builtin_expect(count <= 0, 0))
		count = poll_again(&input, count, error, deadline, resumes);
	*events = input.revents;
	return count;
}

static int outcome_of_poll(int *error, int count, short events, int saved_errno)
{
	count = (int)umad_sys_outcome(error, count, saved_errno);
	if (count <= 0)
		return count ? count : -ETIMEDOUT;
	return events > 0 ? events : -EIO;
}

/* Waits up to timeout_ms until fd has input or an error, and returns the events that poll()
 * reports; a signal ends the wait with -EINTR, unless it resumes. */
NOT_INLINED int umad_sys_poll_input(int fd, int timeout_ms, bool resumes)
{
	int64_t deadline = deadline_in(timeout_ms);
	int *error = &errno, saved_errno = *error;
	short events;
	int count = poll_at(error, fd, timeout_ms, deadline, resumes, &events);

	return outcome_of_poll(error, count, events, saved_errno);
}

/* Waits up to timeout_ms for input, or until a signal (-EINTR), then reads. If another thread reads
 * the input first, the wait goes on. A descriptor that only reports an error is read, too, because
 * the read returns the reason. */
NOT_INLINED ssize_t umad_sys_wait_and_read(int fd, void *buffer, size_t size, int timeout_ms)
{
	int64_t deadline = deadline_in(timeout_ms);
	int *error = &errno, saved_errno = *error, ready;
	ssize_t count;
	short events;

	for (;;) {
		ready = poll_at(error, fd, timeout_ms, deadline, false, &events);
		if (__builtin_expect(ready <= 0 || events <= 0, 0))
			return outcome_of_poll(error, ready, events, saved_errno);
		count = umad_sys_outcome(error, umad_sys_read_at(error, fd, buffer, size),
					 saved_errno);
		if (__builtin_expect(count != -EAGAIN, 1))
			return count;
		if (!(events & POLLIN))
			return -EIO;
		timeout_ms = umad_sys_remaining_ms(deadline);
	}
}

NOT_INLINED int umad_sys_opendir(const char *path, DIR **dir)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno, result;

	do {
		errno = 0;
		*dir = opendir(path);
		result = *dir ? 0 : -1;
	} while (result < 0 && errno == EINTR);
	result = (int)umad_sys_outcome(&errno, result, saved_errno);
	umad_sys_release_cancel(cancel_state);
	return result;
}

/* Returns the next name that does not begin with a dot; it is valid until the next call. */
NOT_INLINED int umad_sys_readdir(DIR *dir, const char **name)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno, result = 0;
	struct dirent *entry;

	do {
		errno = 0;
		entry = readdir(dir);
	} while (entry ? entry->d_name[0] == '.' : errno == EINTR);
	if (entry) {
		*name = entry->d_name;
		result = 1;
	} else {
		result = -errno;
		umad_sys_note_resource_error(result);
	}
	errno = saved_errno;
	umad_sys_release_cancel(cancel_state);
	return result;
}

NOT_INLINED void umad_sys_closedir(DIR *dir)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno;

	closedir(dir);
	errno = saved_errno;
	umad_sys_release_cancel(cancel_state);
}
