/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The libc calls that the fuzz targets' kernel stands in for. Other paths and descriptors are those
 * of the machine, since libFuzzer is linked in the same way and reads its files through these, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "kernel-internal.h"

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000, CALL_NS = 200 };

struct fuzz_kernel fuzz_kernel;

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __real_write(int fd, const void *buffer, size_t size);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __real_ioctl(int fd, unsigned long request, ...);
DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *dir);
int __real_closedir(DIR *dir);
int __real_clock_gettime(clockid_t clock, struct timespec *time);

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __wrap_write(int fd, const void *buffer, size_t size);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_ioctl(int fd, unsigned long request, ...);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *dir);
int __wrap_closedir(DIR *dir);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
uint64_t __wrap_mad_trid(void);

static uint64_t next_trid;

void fuzz_kernel_start(struct fuzz_input *input)
{
	fuzz_kernel = (struct fuzz_kernel){
		.input = input, .now = NS_PER_S, .header = FUZZ_HEADER, .preferred = -1
	};
	fuzz_kernel.stack = __builtin_frame_address(0);
	next_trid = 1;
	fuzz_files_start();
	if (fuzz_other_start)
		fuzz_other_start();
}

void fuzz_kernel_end(void)
{
	int i;

	fuzz_files_end();
	for (i = 0; i < MAX_DEVICES; i++)
		FUZZ_CHECK(!fuzz_kernel.devices[i].open);
	if (fuzz_other_end)
		fuzz_other_end();
}

int64_t fuzz_kernel_ms(void)
{
	return fuzz_kernel.now / NS_PER_MS;
}

int fuzz_failed(int error)
{
	errno = error;
	return -1;
}

int fuzz_kernel_errno(struct fuzz_input *input)
{
	static const int errors[] = { EIO,	 EINVAL,    EAGAIN, EINTR, ENODEV, ENOMEM,
				      ETIMEDOUT, EBADF,	    EACCES, EPERM, EBUSY,  ENOENT,
				      EMFILE,	 EOVERFLOW, EFAULT, ENOTTY };

	return errors[fuzz_u8(input) % (sizeof(errors) / sizeof(errors[0]))];
}

static bool is_device(int fd)
{
	return fd >= FIRST_DEVICE && fd < FIRST_DEVICE + MAX_DEVICES;
}

static bool is_file(int fd)
{
	return fd >= FIRST_FILE && fd < FIRST_FILE + MAX_OPEN_FILES;
}

static bool is_other(int fd)
{
	return fd >= FIRST_OTHER && fd < FIRST_OTHER + MAX_OTHERS;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;

	va_start(arguments, flags);
	mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	if (!strncmp(path, "/dev/infiniband/", 16)) {
		FUZZ_CHECK(flags == (O_RDWR | O_NONBLOCK | O_CLOEXEC));
		return fuzz_device_open(path);
	}
	if (!fuzz_files_own(path))
		return __real_open(path, flags, mode);
	FUZZ_CHECK(flags == (O_RDONLY | O_CLOEXEC));
	return fuzz_files_open(path);
}

int __wrap_close(int fd)
{
	if (is_device(fd))
		return fuzz_device_close(fd);
	if (is_file(fd))
		return fuzz_files_close(fd);
	if (is_other(fd) && fuzz_other_close)
		return fuzz_other_close(fd) ? 0 : fuzz_failed(EBADF);
	return __real_close(fd);
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	fuzz_kernel.now += CALL_NS;
	if (is_device(fd))
		return fuzz_device_read(fd, buffer, size);
	if (is_file(fd))
		return fuzz_files_read(fd, buffer, size);
	return __real_read(fd, buffer, size);
}

ssize_t __wrap_write(int fd, const void *buffer, size_t size)
{
	fuzz_kernel.now += CALL_NS;
	return is_device(fd) ? fuzz_device_write(fd, buffer, size) : __real_write(fd, buffer, size);
}

static int poll_other(struct pollfd *fd, int timeout_ms)
{
	fd->revents = 0;
	if (fuzz_other_poll(fd->fd, &fd->revents))
		return 1;
	FUZZ_CHECK(timeout_ms >= 0);
	fuzz_kernel.now += (int64_t)timeout_ms * NS_PER_MS;
	return 0;
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	fuzz_kernel.now += CALL_NS;
	if (count == 1 && is_device(fds[0].fd))
		return fuzz_device_poll(fds[0].fd, &fds[0].revents, timeout);
	if (count == 1 && is_other(fds[0].fd) && fuzz_other_poll)
		return poll_other(fds, timeout);
	return __real_poll(fds, count, timeout);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	return is_device(fd) ? fuzz_device_ioctl(fd, request, argument)
			     : __real_ioctl(fd, request, argument);
}

DIR *__wrap_opendir(const char *path)
{
	return fuzz_files_own(path) ? fuzz_files_opendir(path) : __real_opendir(path);
}

struct dirent *__wrap_readdir(DIR *dir)
{
	return fuzz_files_own_dir(dir) ? fuzz_files_readdir(dir) : __real_readdir(dir);
}

int __wrap_closedir(DIR *dir)
{
	if (!fuzz_files_own_dir(dir))
		return __real_closedir(dir);
	fuzz_files_closedir(dir);
	return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	if (clock != CLOCK_MONOTONIC)
		return __real_clock_gettime(clock, time);
	fuzz_kernel.now += CALL_NS;
	time->tv_sec = fuzz_kernel.now / NS_PER_S;
	time->tv_nsec = fuzz_kernel.now % NS_PER_S;
	return 0;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	(void)left;
	fuzz_kernel.now += (int64_t)time->tv_sec * NS_PER_S + time->tv_nsec;
	return 0;
}

/* Transaction IDs that are the same each time. */
uint64_t __wrap_mad_trid(void)
{
	return next_trid++;
}
