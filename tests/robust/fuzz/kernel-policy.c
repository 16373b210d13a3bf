/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The policy of the fuzz targets for the fake kernel: calls fail as the input says, writes are
 * followed by what kernel-responses.c decides, and the clock moves only while a thread waits. Paths
 * and descriptors of others are those of the machine, since libFuzzer is linked in the same way and
 * reads its files through these functions, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <time.h>

#include "fuzz-kernel-internal.h"

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000, CALL_NS = 200 };
enum {
	MAX_FILES = 96,
	PATH_SIZE = 160
}; /* what is more makes executions slow, and shows no more */

struct fuzz_kernel fuzz_kernel;
uint8_t fuzz_last_write[FUZZ_PACKET_MAX];
static uint64_t next_trid;

int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
uint64_t __wrap_mad_trid(void);

int fuzz_kernel_errno(struct fuzz_input *input)
{
	static const int errors[] = { EIO,	 EINVAL,    EAGAIN, EINTR, ENODEV, ENOMEM,
				      ETIMEDOUT, EBADF,	    EACCES, EPERM, EBUSY,  ENOENT,
				      EMFILE,	 EOVERFLOW, EFAULT, ENOTTY };

	return errors[fuzz_u8(input) % (sizeof(errors) / sizeof(errors[0]))];
}

/* One byte of input decides, where the target wants that: one call for a file in eight fails. */
static bool fails(enum kernel_call call, const char *path)
{
	if (call == KERNEL_CLOSE || (path && !strncmp(path, "/dev/", 5)) ||
	    !fuzz_kernel.fail_files || (fuzz_u8(fuzz_kernel.input) & 0xe0) != 0xe0)
		return false;
	errno = fuzz_kernel_errno(fuzz_kernel.input);
	if (errno == EINTR && !fuzz_kernel.input->left)
		errno = EIO;
	return true;
}

/* No name may lead out of the class directories. */
static void check_open(const char *path, int flags)
{
	const char *at;

	for (at = path; *at; at++)
		FUZZ_CHECK(*at != '/' || (at[1] != '.' && at[1] != '/' && at[1]));
	FUZZ_CHECK(at - path < KERNEL_PATH_SIZE);
	if (!strncmp(path, "/dev/", 5))
		FUZZ_CHECK(flags == (O_RDWR | O_NONBLOCK | O_CLOEXEC));
	else
		FUZZ_CHECK(flags == (O_RDONLY | O_CLOEXEC) || flags == O_DIRECTORY);
}

static int open_device(const char *path)
{
	size_t length = strlen(path);

	FUZZ_CHECK(length > 20 && length < 24 && !strncmp(path, "/dev/infiniband/umad", 20));
	FUZZ_CHECK(path[20 + strspn(path + 20, "0123456789")] == '\0');
	for (int i = 0; i < MAX_DEVICES; i++) {
		if (kernel.devices[i].open)
			continue;
		kernel.devices[i].gone = 0;
		return i;
	}
	return -EMFILE;
}

static int take_ioctl(int device, unsigned long request, void *argument)
{
	if (request == IB_USER_MAD_UNREGISTER_AGENT &&
	    *(uint32_t *)argument >= kernel.devices[device].agents)
		return (int)kernel_result(-EINVAL);
	FUZZ_CHECK(request == IB_USER_MAD_ENABLE_PKEY || request == IB_USER_MAD_REGISTER_AGENT ||
		   request == IB_USER_MAD_REGISTER_AGENT2 ||
		   request == IB_USER_MAD_UNREGISTER_AGENT);
	return kernel_device_ioctl(device, request, argument);
}

static ssize_t take_write(int device, const void *packet, size_t size)
{
	int error;

	FUZZ_CHECK(fuzz_kernel.stack - (const char *)__builtin_frame_address(0) < STACK_MAX);
	if (size > sizeof(fuzz_last_write))
		fuzz_touch(packet, size);
	fuzz_kernel.writes++;
	fuzz_kernel.last_size = size < sizeof(fuzz_last_write) ? size : sizeof(fuzz_last_write);
	memcpy(fuzz_last_write, packet, fuzz_kernel.last_size);
	if (kernel.devices[device].gone)
		return kernel_result(-ENODEV);
	error = fuzz_response(device, fuzz_last_write, fuzz_kernel.last_size);
	fuzz_kernel.writes -= error == EINTR; /* it is made again */
	if (error < 0)
		return (ssize_t)size / 2;
	return kernel_result(error ? -error : (ssize_t)size);
}

static bool is_other(int fd)
{
	return fd >= FIRST_OTHER && fd < FIRST_OTHER + MAX_OTHERS && fuzz_other_poll;
}

static bool close_other(int fd, int *result)
{
	if (!is_other(fd))
		return false;
	*result = (int)kernel_result(fuzz_other_close(fd) ? 0 : -EBADF);
	return true;
}

static bool poll_other(struct pollfd *polled, int timeout_ms, int *result)
{
	if (!is_other(polled->fd))
		return false;
	polled->revents = 0;
	*result = fuzz_other_poll(polled->fd, &polled->revents);
	if (!*result) {
		FUZZ_CHECK(timeout_ms >= 0);
		kernel.now_ns += (int64_t)timeout_ms * NS_PER_MS;
	}
	return true;
}

static const struct kernel_policy policy = {
	.virtual_time = true,
	.strict = true,
	.call_ns = CALL_NS,
	.fails = fails,
	.check_open = check_open,
	.open_device = open_device,
	.ioctl = take_ioctl,
	.write = take_write,
	.close_other = close_other,
	.poll_other = poll_other,
	.taken = fuzz_delivered,
};

void fuzz_kernel_start(struct fuzz_input *input)
{
	fuzz_kernel = (struct fuzz_kernel){ .input = input, .preferred = -1 };
	fuzz_kernel.stack = __builtin_frame_address(0);
	next_trid = 1;
	kernel_reset(&policy, NS_PER_S);
	if (fuzz_other_start)
		fuzz_other_start();
}

void fuzz_kernel_end(void)
{
	FUZZ_CHECK(!kernel_count_open());
	fuzz_forget_delivered();
	if (fuzz_other_end)
		fuzz_other_end();
}

int64_t fuzz_kernel_ms(void)
{
	return kernel.now_ns / NS_PER_MS;
}

void fuzz_kernel_file(const char *path, const char *content, size_t size)
{
	if (kernel_file_count() < MAX_FILES && strlen(path) < PATH_SIZE)
		kernel_borrow(path, content, size);
}

void fuzz_kernel_one_hca(void)
{
	static const char *const tree[][2] = {
		{ "/sys/class/infiniband_mad/umad0/ibdev", "mlx5_0\n" },
		{ "/sys/class/infiniband_mad/umad0/port", "1\n" },
		{ "/sys/class/infiniband_mad/abi_version", "5\n" },
	};
	size_t i;

	for (i = 0; i < sizeof(tree) / sizeof(tree[0]); i++)
		fuzz_kernel_file(tree[i][0], tree[i][1], strlen(tree[i][1]));
}

void fuzz_kernel_fail_files(bool on)
{
	fuzz_kernel.fail_files = on;
}

const uint8_t *fuzz_kernel_last_write(size_t *size)
{
	*size = fuzz_kernel.last_size;
	return fuzz_last_write;
}

unsigned fuzz_kernel_writes(void)
{
	return fuzz_kernel.writes;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	(void)left;
	kernel.now_ns += (int64_t)time->tv_sec * NS_PER_S + time->tv_nsec;
	return 0;
}

/* Transaction IDs that are the same each time. */
uint64_t __wrap_mad_trid(void)
{
	return next_trid++;
}
