/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * See echo.h. Stands in for open, close, read and ioctl at link time, as far as they mean the
 * device or sysfs; sysfs itself is that of ../lib/kernel.
 */
#include "echo.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <rdma/ib_user_mad.h>

#include "../lib/kernel/internal.h"

#define DEVICE	    "/dev/infiniband/umad0"
#define PACKET	    KERNEL_PACKET
#define PENDING_MAX 8192 /* more than any window here */

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_read(int fd, void *buffer, size_t size);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
int __wrap_ioctl(int fd, unsigned long request, ...);

static struct {
	int device;	 /* the caller's end of the socket */
	pid_t responder; /* 0: the socket is connected to itself */
	bool open;
	uint32_t agents;
} echo = { .device = -1 };

static const struct kernel_policy policy; /* sysfs alone */

/* A response on its way. */
struct pending {
	int64_t due_ns;
	uint8_t packet[PACKET];
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void make_response(uint8_t *packet)
{
	struct ib_user_mad_hdr *header = (void *)packet;

	header->status = 0;
	header->length = PACKET;
	packet[KERNEL_HEADER + 3] = 0x81; /* GetResp */
}

static bool is_silent(const uint8_t *packet)
{
	const uint32_t mod = htobe32(ECHO_SILENT);

	return !memcmp(packet + KERNEL_HEADER + 20, &mod, sizeof(mod));
}

/* Responses take equally long: the first request to arrive is the first to get its own. */
static struct {
	int64_t delay_ns;
	unsigned first, last;
	struct pending pending[PENDING_MAX];
} queue;

/* Reads what has come; false when the other end is closed. */
static bool take_requests(int fd)
{
	while (queue.last - queue.first < PENDING_MAX) {
		struct pending *next = &queue.pending[queue.last % PENDING_MAX];
		ssize_t count = recv(fd, next->packet, PACKET, MSG_DONTWAIT);

		if (count < 0)
			return errno == EAGAIN || errno == EINTR;
		if (count == 0)
			return false;
		if (is_silent(next->packet))
			continue;
		make_response(next->packet);
		next->due_ns = now_ns() + queue.delay_ns;
		queue.last++;
	}
	return true;
}

static void send_responses(int fd)
{
	for (; queue.first != queue.last; queue.first++) {
		const struct pending *next = &queue.pending[queue.first % PENDING_MAX];

		if (next->due_ns > now_ns())
			break;
		send(fd, next->packet, PACKET, MSG_NOSIGNAL);
	}
}

static void wait_for_work(int fd)
{
	bool idle = queue.first == queue.last;
	struct pollfd polled = { .fd = fd, .events = POLLIN };
	int64_t left = queue.pending[queue.first % PENDING_MAX].due_ns - now_ns();
	struct timespec wait = { 0 };

	if (left > 0)
		wait = (struct timespec){ left / 1000000000, left % 1000000000 };
	ppoll(&polled, 1, idle ? NULL : &wait, NULL);
}

static void respond(int fd, int64_t delay_ns)
{
	queue.delay_ns = delay_ns;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_TIMERSLACK, 1);
	while (take_requests(fd)) {
		send_responses(fd);
		wait_for_work(fd);
	}
}

static void enlarge_buffers(int fd)
{
	int size = 1 << 20;

	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
}

static void use_device(int fd)
{
	enlarge_buffers(fd);
	echo.device = fd;
	kernel_reset(&policy, 0);
	kernel_host();
}

int echo_start(int64_t delay_us)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	enlarge_buffers(ends[1]);
	echo.responder = fork();
	if (echo.responder < 0)
		return -errno;
	if (!echo.responder) {
		__real_close(ends[0]);
		respond(ends[1], delay_us * 1000);
		_exit(0);
	}
	__real_close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	use_device(ends[0]);
	return 0;
}

/* A datagram socket that is bound (to a name that the kernel chooses) and connected to itself. */
int echo_start_loopback(void)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	socklen_t length = sizeof(name);

	if (fd < 0)
		return -errno;
	if (bind(fd, (struct sockaddr *)&name, sizeof(sa_family_t)) ||
	    getsockname(fd, (struct sockaddr *)&name, &length) ||
	    connect(fd, (struct sockaddr *)&name, length))
		return -errno;
	use_device(fd);
	return 0;
}

void echo_stop(void)
{
	__real_close(echo.device);
	echo.device = -1;
	if (echo.responder)
		waitpid(echo.responder, NULL, 0);
	echo.responder = 0;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode = 0;

	va_start(arguments, flags);
	if (flags & O_CREAT)
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (!strcmp(path, DEVICE))
		return echo.device;
	if (!strcmp(path, "/proc/sys/kernel/osrelease")) { /* no limits of this machine's kernel */
		errno = ENOENT;
		return -1;
	}
	if (!kernel_owns(path))
		return __real_open(path, flags, mode);
	return (int)kernel_result(kernel_open_file(path));
}

/* The socket stays open until echo_stop(). */
int __wrap_close(int fd)
{
	if (fd == echo.device)
		return 0;
	if (!kernel_descriptor(fd))
		return __real_close(fd);
	kernel_close_descriptor(kernel_descriptor(fd));
	return 0;
}

static ssize_t read_own_request(void *buffer, size_t size)
{
	ssize_t count = __real_read(echo.device, buffer, size);

	if (count == PACKET)
		make_response(buffer);
	return count;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	struct kernel_descriptor *descriptor;

	if (fd == echo.device && !echo.responder)
		return read_own_request(buffer, size);
	descriptor = kernel_descriptor(fd);
	return descriptor ? kernel_result(kernel_read_file(descriptor, buffer, size))
			  : __real_read(fd, buffer, size);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (fd != echo.device)
		return __real_ioctl(fd, request, argument);
	if (request == IB_USER_MAD_REGISTER_AGENT)
		((struct ib_user_mad_reg_req *)argument)->id = echo.agents++;
	return 0;
}
