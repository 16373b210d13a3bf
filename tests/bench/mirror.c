/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "mirror.h"

#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <rdma/ib_user_mad.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEVICE	     "/dev/infiniband/umad"
#define MAX_FD	     1024
#define HEADER	     sizeof(struct ib_user_mad_hdr)
#define MAD	     256
#define PACKET	     (HEADER + MAD)
#define BUFFER	     (1 << 20) /* of a socket */
#define SA_HEADER    56
#define RMPP	     24 /* offset of the RMPP header */
#define ATTR_OFFSET  44 /* SA header: bytes of a record, divided by 8 */
#define GET_TABLE    0x12
#define GET_RESPONSE 0x81

_Static_assert(HEADER == 64, "the layout with the P_Key index");

struct mirror mirror = { .ignored_class = -1 };

static bool is_device[MAX_FD];
static pid_t responders[MAX_FD]; /* 0: the socket is connected to itself */
static uint32_t agents;
static uint8_t *table; /* the MAD of a table response; the request fills its first bytes */
static size_t table_size;

static __typeof__(&open) next_open;
static __typeof__(&ioctl) next_ioctl;

__attribute__((constructor)) static void find_next(void)
{
	next_open = (__typeof__(&open))dlsym(RTLD_NEXT, "open");
	next_ioctl = (__typeof__(&ioctl))dlsym(RTLD_NEXT, "ioctl");
}

static bool is_ours(int fd)
{
	return fd >= 0 && fd < MAX_FD && is_device[fd];
}

int mirror_set_records(unsigned count, unsigned record_size)
{
	size_t data = (size_t)count * record_size;
	uint8_t *made = realloc(table, SA_HEADER + data);
	const uint8_t rmpp[] = { 1, 1,
				 0xfb }; /* version; DATA; active, first, last, no resend time */

	if (!made)
		return -1;
	table = made;
	table_size = SA_HEADER + data;
	memset(table, 0, SA_HEADER);
	memcpy(table + RMPP, rmpp, sizeof(rmpp));
	table[RMPP + 7] = 1; /* segment */
	*(uint32_t *)(void *)(table + RMPP + 8) = htobe32((uint32_t)(20 + data));
	*(uint16_t *)(void *)(table + ATTR_OFFSET) = htobe16((uint16_t)(record_size / 8));
	for (size_t i = 0; i < data; i++)
		table[SA_HEADER + i] = (uint8_t)(i * 7 + i / 256);
	return 0;
}

/* Returns the size of the whole response, of which the packet holds the beginning. */
static size_t make_response(uint8_t *packet)
{
	struct ib_user_mad_hdr *header = (void *)packet;
	uint8_t *mad = packet + HEADER;
	size_t size = PACKET;

	if (mad[3] == GET_TABLE && table) {
		size = HEADER + table_size;
		memcpy(mad + RMPP, table + RMPP, MAD - RMPP);
	}
	mad[3] = mad[3] == GET_TABLE ? GET_TABLE | 0x80 : GET_RESPONSE;
	header->status = 0;
	header->length = (uint32_t)size;
	return size;
}

/* A request on its way to a responder, with the time when its response is due. */
struct delayed {
	int64_t due_ns;
	uint8_t packet[PACKET];
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A responder's process, until the program closes its end. All responses take equally long, so the
 * first request to come is the first to be due. */
static void respond(int fd)
{
	struct delayed request;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_TIMERSLACK, 1);
	while (syscall(SYS_read, fd, &request, sizeof(request)) == sizeof(request)) {
		const struct timespec due = { request.due_ns / 1000000000,
					      request.due_ns % 1000000000 };

		if (request.due_ns > now_ns())
			clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
		make_response(request.packet);
		send(fd, request.packet, PACKET, MSG_NOSIGNAL);
	}
	_exit(0);
}

/* A datagram socket that is bound (to a name that the kernel chooses) and connected to itself. */
static int open_loopback(void)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	socklen_t length = sizeof(name);

	if (fd >= 0 && (bind(fd, (struct sockaddr *)&name, sizeof(sa_family_t)) ||
			getsockname(fd, (struct sockaddr *)&name, &length) ||
			connect(fd, (struct sockaddr *)&name, length)))
		abort();
	return fd;
}

static int open_to_responder(pid_t *responder)
{
	const int size = BUFFER;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) ||
	    fcntl(ends[0], F_SETFL, O_NONBLOCK))
		return -1;
	setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	*responder = fork();
	if (!*responder) {
		close(ends[0]);
		respond(ends[1]);
	}
	close(ends[1]);
	return ends[0];
}

static int open_device(void)
{
	const int size = BUFFER;
	pid_t responder = 0;
	int fd = mirror.delay_us ? open_to_responder(&responder) : open_loopback();

	if (fd < 0 || fd >= MAX_FD || responder < 0)
		abort();
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	is_device[fd] = true;
	responders[fd] = responder;
	return fd;
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	if (!strcmp(path, "/proc/sys/kernel/osrelease")) { /* no limits of this machine's kernel */
		errno = ENOENT;
		return -1;
	}
	return strncmp(path, DEVICE, strlen(DEVICE)) ? next_open(path, flags, mode) : open_device();
}

/* A port is a character device. */
int fstat(int fd, struct stat *status)
{
	int result = fstatat(fd, "", status, AT_EMPTY_PATH);

	if (!result && is_ours(fd))
		status->st_mode = S_IFCHR | 0600;
	return result;
}

int close(int fd)
{
	int result = (int)syscall(SYS_close, fd);

	if (is_ours(fd)) {
		is_device[fd] = false;
		if (responders[fd])
			waitpid(responders[fd], NULL, 0);
	}
	return result;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *argument;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	if (!is_ours(fd))
		return next_ioctl(fd, request, argument);
	if (request == IB_USER_MAD_REGISTER_AGENT)
		((struct ib_user_mad_reg_req *)argument)->id = agents++;
	else if (request == IB_USER_MAD_REGISTER_AGENT2)
		((struct ib_user_mad_reg_req2 *)argument)->id = agents++;
	return 0;
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	if (is_ours(fd) && size > HEADER + 1 &&
	    ((const uint8_t *)buffer)[HEADER + 1] == mirror.ignored_class) {
		mirror.ignored++;
		return (ssize_t)size;
	}
	if (is_ours(fd) && responders[fd] && size <= PACKET) {
		struct delayed request = { .due_ns = now_ns() + mirror.delay_us * 1000 };

		memcpy(request.packet, buffer, size);
		return syscall(SYS_write, fd, &request, sizeof(request)) < 0 ? -1 : (ssize_t)size;
	}
	return syscall(SYS_write, fd, buffer, size);
}

/* A request that came back becomes a response. Where tables may come, the caller first learns how
 * long the response is (ENOSPC), and reads again with enough space. */
static ssize_t read_own(int fd, uint8_t *buffer, size_t size)
{
	ssize_t count = recv(fd, buffer, size < PACKET ? size : PACKET, table ? MSG_PEEK : 0);
	size_t whole;

	if (count < 0)
		return count;
	if (count < (ssize_t)PACKET)
		abort();
	whole = make_response(buffer);
	if (size < whole) {
		errno = ENOSPC;
		return -1;
	}
	if (table)
		recv(fd, NULL, 0, 0);
	if (whole > PACKET)
		memcpy(buffer + PACKET, table + MAD, whole - PACKET);
	return (ssize_t)whole;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	if (is_ours(fd) && !responders[fd])
		return read_own(fd, buffer, size);
	return syscall(SYS_read, fd, buffer, size);
}
