/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * kernel-policy.c - the policy of the fuzz targets for the fake kernel: kernel-responses.c decides
 * what a write causes, and the clock moves only while a thread waits. Other paths and descriptors
 * are those of the machine: libFuzzer reads its files through these functions, too.
 */
#include <errno.h>
#include <rdma/ib_user_mad.h>
#include <time.h>

#include "fuzz.h"

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000, CALL_NS = 200 };

struct fuzz_kernel fuzz_kernel;
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

static int open_device(const char *path)
{
	FUZZ_CHECK(!strcmp(path, "/dev/infiniband/umad0"));
	return KERNEL_UNUSED;
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
	if (size > sizeof(fuzz_kernel.last_write))
		fuzz_touch(packet, size);
	fuzz_kernel.writes++;
	fuzz_kernel.last_size =
		size < sizeof(fuzz_kernel.last_write) ? size : sizeof(fuzz_kernel.last_write);
	memcpy(fuzz_kernel.last_write, packet, fuzz_kernel.last_size);
	if (kernel.devices[device].gone)
		return kernel_result(-ENODEV);
	error = fuzz_response(device, fuzz_kernel.last_write, fuzz_kernel.last_size);
	fuzz_kernel.writes -= error == EINTR; /* the library repeats the write */
	if (error < 0)
		return (ssize_t)size / 2;
	return kernel_result(error ? -error : (ssize_t)size);
}

static const struct kernel_policy policy = {
	.virtual_time = true,
	.strict = true,
	.call_ns = CALL_NS,
	.open_device = open_device,
	.ioctl = take_ioctl,
	.write = take_write,
	.taken = fuzz_delivered,
};

void fuzz_kernel_start(struct fuzz_input *input)
{
	fuzz_kernel.input = input;
	fuzz_kernel.preferred = -1;
	fuzz_kernel.writes = 0;
	fuzz_kernel.arrival_count = fuzz_kernel.last_size = 0;
	fuzz_kernel.stack = __builtin_frame_address(0);
	next_trid = 1;
	kernel_reset(&policy, NS_PER_S);
}

void fuzz_kernel_end(void)
{
	FUZZ_CHECK(!kernel_count_open());
	fuzz_forget_delivered();
}

int64_t fuzz_kernel_ms(void)
{
	return kernel.now_ns / NS_PER_MS;
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
		kernel_borrow(tree[i][0], tree[i][1], strlen(tree[i][1]));
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	(void)left;
	kernel.now_ns += (int64_t)time->tv_sec * NS_PER_S + time->tv_nsec;
	return 0;
}

/* Transaction IDs that repeat in each execution. */
uint64_t __wrap_mad_trid(void)
{
	return next_trid++;
}
