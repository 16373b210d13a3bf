/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * inject.c - which call fails, and the wrapped calls that work on files, threads and descriptors.
 * The kernels of the other families are compiled with their __wrap_* functions named kernel_*, and
 * are called by these.
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

static const char *const call_names[FAULT_CALLS] = {
	[FAULT_OPEN] = "open",
	[FAULT_CLOSE] = "close",
	[FAULT_READ] = "read",
	[FAULT_WRITE] = "write",
	[FAULT_POLL] = "poll",
	[FAULT_IOCTL] = "ioctl",
	[FAULT_OPENDIR] = "opendir",
	[FAULT_READDIR] = "readdir",
	[FAULT_ALLOCATE] = "malloc, calloc or realloc",
	[FAULT_MUTEX_INIT] = "pthread_mutex_init",
	[FAULT_COND_INIT] = "pthread_cond_init",
	[FAULT_CONDATTR_INIT] = "pthread_condattr_init",
	[FAULT_THREAD_CREATE] = "pthread_create",
	[FAULT_EVENTFD] = "eventfd",
	[FAULT_TIMERFD] = "timerfd_create",
	[FAULT_EPOLL_CREATE] = "epoll_create1",
	[FAULT_EPOLL_CTL] = "epoll_ctl",
	[FAULT_GETRANDOM] = "getrandom",
	[FAULT_OPENAT] = "openat",
	[FAULT_WRITEV] = "writev",
	[FAULT_FSTAT] = "fstat or fstatat",
	[FAULT_RENAMEAT] = "renameat",
	[FAULT_DLOPEN] = "dlopen",
	[FAULT_DLSYM] = "dlsym",
	[FAULT_NL_ALLOCATE] = "an allocation of libnl-3",
	[FAULT_NL_CONNECT] = "nl_connect",
	[FAULT_NL_SETUP] = "nl_socket_set_*",
	[FAULT_NL_JOIN] = "nl_socket_add_membership",
	[FAULT_NL_SEND] = "nl_send_auto",
	[FAULT_NL_RECEIVE] = "nl_recv",
};

static struct {
	atomic_bool armed;
	atomic_bool reached;
	struct fault fault; /* nth 0: none */
	atomic_int counts[FAULT_CALLS];
	atomic_int directories;
	atomic_bool open[MAX_DESCRIPTORS];
} inject;

static _Thread_local int kernel_depth;

const char *fault_call_name(enum fault_call call)
{
	return call_names[call];
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

void fault_note_descriptor(int fd)
{
	if (!kernel_depth && fd >= 0 && fd < MAX_DESCRIPTORS)
		atomic_store(&inject.open[fd], true);
}

void fault_forget_descriptor(int fd)
{
	if (fd >= 0 && fd < MAX_DESCRIPTORS)
		atomic_store(&inject.open[fd], false);
}

int fault_open_descriptors(void)
{
	int count = atomic_load(&inject.directories);

	for (int i = 0; i < MAX_DESCRIPTORS; i++)
		count += atomic_load(&inject.open[i]);
	return count;
}

void fault_memory_reset(void); /* inject-memory.c */

void fault_reset(void)
{
	atomic_store(&inject.directories, 0);
	for (int i = 0; i < MAX_DESCRIPTORS; i++)
		atomic_store(&inject.open[i], false);
	fault_memory_reset();
}

/*
 * The kernel below: __wrap_* of the scripted one
 */

int kernel_open(const char *path, int flags, ...);
int kernel_close(int fd);
ssize_t kernel_read(int fd, void *buffer, size_t size);
ssize_t kernel_write(int fd, const void *buffer, size_t size);
int kernel_poll(struct pollfd *fds, nfds_t count, int timeout);
int kernel_ioctl(int fd, unsigned long request, ...);
DIR *kernel_opendir(const char *path);
struct dirent *kernel_readdir(DIR *dir);
int kernel_closedir(DIR *dir);

int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __real_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes);
int __real_pthread_condattr_init(pthread_condattr_t *attributes);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument);
int __real_timerfd_create(int clock, int flags);
int __real_eventfd(unsigned int value, int flags);
int __real_epoll_create1(int flags);
int __real_epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event);
ssize_t __real_getrandom(void *buffer, size_t size, unsigned int flags);

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __wrap_write(int fd, const void *buffer, size_t size);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_ioctl(int fd, unsigned long request, ...);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *dir);
int __wrap_closedir(DIR *dir);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes);
int __wrap_pthread_condattr_init(pthread_condattr_t *attributes);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument);
int __wrap_eventfd(unsigned int value, int flags);
int __wrap_timerfd_create(int clock, int flags);
int __wrap_epoll_create1(int flags);
int __wrap_epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event);
ssize_t __wrap_getrandom(void *buffer, size_t size, unsigned int flags);

/* Makes the call in the kernel below. */
#define BELOW(result, call)           \
	do {                          \
		fault_enter_kernel(); \
		(result) = (call);    \
		fault_leave_kernel(); \
	} while (0)

/*
 * Files
 */

int __wrap_open(const char *path, int flags, ...)
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
	BELOW(fd, kernel_open(path, flags, mode));
	fault_note_descriptor(fd);
	return fd;
}

/* One that fails has closed the descriptor nevertheless, as in Linux. */
int __wrap_close(int fd)
{
	bool fails = fault_here(FAULT_CLOSE);
	int error = errno, result;

	BELOW(result, kernel_close(fd));
	fault_forget_descriptor(fd);
	if (!fails)
		return result;
	errno = error;
	return -1;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	ssize_t count;

	if (fault_here(FAULT_READ))
		return errno ? -1 : 0;
	BELOW(count, kernel_read(fd, buffer, size));
	return count;
}

ssize_t __wrap_write(int fd, const void *buffer, size_t size)
{
	ssize_t count;

	if (fault_here(FAULT_WRITE))
		return errno ? -1 : (ssize_t)size - 1;
	BELOW(count, kernel_write(fd, buffer, size));
	return count;
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	int ready;

	if (fault_here(FAULT_POLL)) {
		fds[0].revents = 0;
		return errno ? -1 : 0;
	}
	BELOW(ready, kernel_poll(fds, count, timeout));
	return ready;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;
	int result;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (fault_here(FAULT_IOCTL))
		return -1;
	BELOW(result, kernel_ioctl(fd, request, argument));
	return result;
}

DIR *__wrap_opendir(const char *path)
{
	DIR *dir;

	if (fault_here(FAULT_OPENDIR))
		return NULL;
	BELOW(dir, kernel_opendir(path));
	if (dir && !fault_in_kernel())
		atomic_fetch_add(&inject.directories, 1);
	return dir;
}

struct dirent *__wrap_readdir(DIR *dir)
{
	struct dirent *entry;

	if (fault_here(FAULT_READDIR))
		return NULL;
	BELOW(entry, kernel_readdir(dir));
	return entry;
}

int __wrap_closedir(DIR *dir)
{
	int result;

	BELOW(result, kernel_closedir(dir));
	if (!fault_in_kernel())
		atomic_fetch_sub(&inject.directories, 1);
	return result;
}

/*
 * Threads; these return the error
 */

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
	int saved = errno;

	if (!fault_here(FAULT_MUTEX_INIT))
		return __real_pthread_mutex_init(mutex, attributes);
	errno = saved;
	return inject.fault.error;
}

int __wrap_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attributes)
{
	int saved = errno;

	if (!fault_here(FAULT_COND_INIT))
		return __real_pthread_cond_init(cond, attributes);
	errno = saved;
	return inject.fault.error;
}

int __wrap_pthread_condattr_init(pthread_condattr_t *attributes)
{
	int saved = errno;

	if (!fault_here(FAULT_CONDATTR_INIT))
		return __real_pthread_condattr_init(attributes);
	errno = saved;
	return inject.fault.error;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *argument)
{
	int saved = errno;

	if (!fault_here(FAULT_THREAD_CREATE))
		return __real_pthread_create(thread, attributes, start, argument);
	errno = saved;
	return inject.fault.error;
}

/*
 * Other descriptors, and random numbers
 */

int __wrap_timerfd_create(int clock, int flags)
{
	int fd;

	if (fault_here(FAULT_TIMERFD))
		return -1;
	fd = __real_timerfd_create(clock, flags);
	fault_note_descriptor(fd);
	return fd;
}

int __wrap_eventfd(unsigned int value, int flags)
{
	int fd;

	if (fault_here(FAULT_EVENTFD))
		return -1;
	fd = __real_eventfd(value, flags);
	fault_note_descriptor(fd);
	return fd;
}

int __wrap_epoll_create1(int flags)
{
	int fd;

	if (fault_here(FAULT_EPOLL_CREATE))
		return -1;
	fd = __real_epoll_create1(flags);
	fault_note_descriptor(fd);
	return fd;
}

int __wrap_epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event)
{
	if (fault_here(FAULT_EPOLL_CTL))
		return -1;
	return __real_epoll_ctl(epoll_fd, operation, fd, event);
}

ssize_t __wrap_getrandom(void *buffer, size_t size, unsigned int flags)
{
	if (fault_here(FAULT_GETRANDOM))
		return errno ? -1 : (ssize_t)size - 1;
	return __real_getrandom(buffer, size, flags);
}
