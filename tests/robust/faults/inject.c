/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * inject.c - the choice of the call that fails, and the wrapped calls that work on files, threads
 * and descriptors. They call the fake kernel, whose __wrap_* functions are compiled with the names
 * kernel_*.
 */
#include "inject.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

enum { MAX_DESCRIPTORS = 4096 };

static const struct {
	const char *name;
	const int *errors;
	size_t count;
} calls[FAULT_CALLS] = {
#define CALL(name, text, ...) \
	{ text, (const int[]){ __VA_ARGS__ }, sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int) },
#include "calls.h"
#undef CALL
};

static struct {
	atomic_bool armed;
	atomic_bool reached;
	struct fault fault; /* nth 0: none */
	atomic_int counts[FAULT_CALLS];
	atomic_int directories, descriptors; /* open at present */
	atomic_bool open[MAX_DESCRIPTORS];
	atomic_bool inheritable;  /* a descriptor was opened without CLOEXEC */
	atomic_bool closed_twice; /* a descriptor was closed that was not open */
} inject;

static _Thread_local int kernel_depth;

const char *fault_call_name(enum fault_call call)
{
	return calls[call].name;
}

bool fault_call_error(enum fault_call call, size_t number, int *error)
{
	if (number < calls[call].count)
		*error = calls[call].errors[number];
	return number < calls[call].count;
}

void fault_arm(const struct fault *fault)
{
	inject.fault = fault ? *fault : (struct fault){ .nth = 0 };
	for (int i = 0; i < FAULT_CALLS; i++)
		atomic_store(&inject.counts[i], 0);
	atomic_store(&inject.reached, false);
	atomic_store(&inject.armed, true);
}

bool fault_disarm(void)
{
	atomic_store(&inject.armed, false);
	return atomic_load(&inject.reached);
}

int fault_count(enum fault_call call)
{
	return atomic_load(&inject.counts[call]);
}

void fault_enter_kernel(void)
{
	kernel_depth++;
}

void fault_leave_kernel(void)
{
	kernel_depth--;
}

bool fault_in_kernel(void)
{
	return kernel_depth;
}

bool fault_here(enum fault_call call)
{
	const struct fault *fault = &inject.fault;
	int number;

	if (kernel_depth || !atomic_load(&inject.armed))
		return false;
	number = atomic_fetch_add(&inject.counts[call], 1) + 1;
	if (!fault->nth || fault->call != call || number < fault->nth ||
	    (number > fault->nth && !fault->lasting))
		return false;
	atomic_store(&inject.reached, true);
	errno = fault->error;
	return true;
}

int fault_note_descriptor(int fd, int flags)
{
	if (!kernel_depth && fd >= 0 && fd < MAX_DESCRIPTORS) {
		inject.descriptors += !atomic_exchange(&inject.open[fd], true);
		inject.inheritable |=
			!(flags & O_CLOEXEC); /* this bit has every kind of descriptor */
	}
	return fd;
}

bool fault_is_inheritable(void)
{
	return inject.inheritable;
}

bool fault_forget_descriptor(int fd)
{
	bool was_open = fd >= 0 && fd < MAX_DESCRIPTORS && atomic_exchange(&inject.open[fd], false);

	inject.descriptors -= was_open;
	return was_open;
}

void fault_close_descriptor(int fd)
{
	if (!kernel_depth && !fault_forget_descriptor(fd))
		inject.closed_twice = true;
}

bool fault_closed_twice(void)
{
	return inject.closed_twice;
}

int fault_open_descriptors(void)
{
	return inject.directories + inject.descriptors;
}

void fault_memory_reset(void); /* inject-memory.c */

void fault_reset(void)
{
	for (int fd = 0; inject.descriptors && fd < MAX_DESCRIPTORS; fd++)
		fault_forget_descriptor(fd);
	inject.directories = 0;
	inject.inheritable = inject.closed_twice = false;
	fault_memory_reset();
}

/*
 * Files
 */

FAULT_WRAP_KERNEL(int, open, const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list arguments;
	int fd;

	va_start(arguments, flags);
	if (flags & O_CREAT)
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (fault_here(FAULT_OPEN))
		return -1;
	FAULT_BELOW(fd, kernel_open(path, flags, mode));
	return fault_note_descriptor(fd, flags);
}

/* Linux closes the descriptor although the call fails. */
FAULT_WRAP_KERNEL(int, close, int fd)
{
	bool fails = fault_here(FAULT_CLOSE);
	int error = errno, result;

	FAULT_BELOW(result, kernel_close(fd));
	fault_close_descriptor(fd);
	if (!fails)
		return result;
	errno = error;
	return -1;
}

FAULT_FAILING_KERNEL(ssize_t, read, FAULT_READ, errno ? -1 : 0, (fd, buffer, size), int fd,
		     void *buffer, size_t size)

FAULT_FAILING_KERNEL(ssize_t, write, FAULT_WRITE, errno ? -1 : (ssize_t)size - 1,
		     (fd, buffer, size), int fd, const void *buffer, size_t size)

FAULT_FAILING_KERNEL(int, poll, FAULT_POLL, (fds[0].revents = 0, errno ? -1 : 0),
		     (fds, count, timeout), struct pollfd *fds, nfds_t count, int timeout)

FAULT_WRAP_KERNEL(int, ioctl, int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;
	int result;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (fault_here(FAULT_IOCTL))
		return -1;
	FAULT_BELOW(result, kernel_ioctl(fd, request, argument));
	return result;
}

FAULT_WRAP_KERNEL(DIR *, opendir, const char *path)
{
	DIR *dir;

	if (fault_here(FAULT_OPENDIR))
		return NULL;
	FAULT_BELOW(dir, kernel_opendir(path));
	if (dir && !fault_in_kernel())
		atomic_fetch_add(&inject.directories, 1);
	return dir;
}

FAULT_FAILING_KERNEL(struct dirent *, readdir, FAULT_READDIR, NULL, (dir), DIR *dir)

FAULT_WRAP_KERNEL(int, closedir, DIR *dir)
{
	int result;

	FAULT_BELOW(result, kernel_closedir(dir));
	if (!fault_in_kernel())
		atomic_fetch_sub(&inject.directories, 1);
	return result;
}

/*
 * Threads: their functions return the error
 */

#define RETURNS_ERROR(call, function, arguments, ...)       \
	FAULT_WRAP(int, function, __VA_ARGS__)              \
	{                                                   \
		int saved = errno;                          \
                                                            \
		if (!fault_here(call))                      \
			return __real_##function arguments; \
		errno = saved;                              \
		return inject.fault.error;                  \
	}
RETURNS_ERROR(FAULT_MUTEX_INIT, pthread_mutex_init, (mutex, attributes), pthread_mutex_t *mutex,
	      const pthread_mutexattr_t *attributes)
RETURNS_ERROR(FAULT_COND_INIT, pthread_cond_init, (cond, attributes), pthread_cond_t *cond,
	      const pthread_condattr_t *attributes)
RETURNS_ERROR(FAULT_CONDATTR_INIT, pthread_condattr_init, (attributes),
	      pthread_condattr_t *attributes)
RETURNS_ERROR(FAULT_THREAD_CREATE, pthread_create, (thread, attributes, start, argument),
	      pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
	      void *argument)

/*
 * Other descriptors, and random numbers
 */

#define GIVES_DESCRIPTOR(call, function, arguments, ...)                          \
	FAULT_WRAP(int, function, __VA_ARGS__)                                    \
	{                                                                         \
		if (fault_here(call))                                             \
			return -1;                                                \
		return fault_note_descriptor(__real_##function arguments, flags); \
	}
GIVES_DESCRIPTOR(FAULT_TIMERFD, timerfd_create, (clock, flags), int clock, int flags)
GIVES_DESCRIPTOR(FAULT_EVENTFD, eventfd, (value, flags), unsigned int value, int flags)
GIVES_DESCRIPTOR(FAULT_EPOLL_CREATE, epoll_create1, (flags), int flags)

FAULT_FAILING(int, epoll_ctl, FAULT_EPOLL_CTL, -1, (epoll_fd, operation, fd, event), int epoll_fd,
	      int operation, int fd, struct epoll_event *event)

FAULT_FAILING(ssize_t, getrandom, FAULT_GETRANDOM, errno ? -1 : (ssize_t)size - 1,
	      (buffer, size, flags), void *buffer, size_t size, unsigned int flags)
