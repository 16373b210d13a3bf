/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The policy of the fake netlink for fuzz targets: sockets give what the input says. */
#include "fake-netlink.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "fuzz-kernel-internal.h"
#include "netlink-sockets.h"

static bool is_open[MAX_OTHERS]; /* descriptors of sockets, epoll and counters */
static bool talks;

int __wrap_epoll_create1(int flags);
int __wrap_epoll_ctl(int fd, int operation, int other, struct epoll_event *event);
int __wrap_timerfd_create(int clock, int flags);
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *new_time,
			   struct itimerspec *old_time);

void fuzz_netlink_talk(bool on)
{
	talks = on;
}

void fuzz_other_start(void)
{
	talks = false;
}

void fuzz_other_end(void)
{
	FUZZ_CHECK(!netlink_open_sockets());
	for (int i = 0; i < MAX_OTHERS; i++)
		FUZZ_CHECK(!is_open[i]);
}

static int new_other(void)
{
	for (int i = 0; i < MAX_OTHERS; i++) {
		if (is_open[i])
			continue;
		is_open[i] = true;
		return FIRST_OTHER + i;
	}
	return (int)kernel_result(-EMFILE);
}

bool fuzz_other_poll(int fd, short *revents)
{
	FUZZ_CHECK(is_open[fd - FIRST_OTHER]);
	if (!talks || !fuzz_kernel.input->left)
		return false;
	*revents = POLLIN;
	return true;
}

bool fuzz_other_close(int fd)
{
	bool was_open = is_open[fd - FIRST_OTHER];

	is_open[fd - FIRST_OTHER] = false;
	return was_open;
}

int __wrap_epoll_create1(int flags)
{
	FUZZ_CHECK(flags == EPOLL_CLOEXEC);
	return new_other();
}

int __wrap_timerfd_create(int clock, int flags)
{
	FUZZ_CHECK(clock == CLOCK_MONOTONIC && flags == (TFD_CLOEXEC | TFD_NONBLOCK));
	return new_other();
}

int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *new_time,
			   struct itimerspec *old_time)
{
	FUZZ_CHECK(is_open[fd - FIRST_OTHER] && !flags && new_time && !old_time);
	return 0;
}

int __wrap_epoll_ctl(int fd, int operation, int other, struct epoll_event *event)
{
	(void)operation;
	FUZZ_CHECK(event && is_open[fd - FIRST_OTHER] && is_open[other - FIRST_OTHER]);
	return 0;
}

/*
 * Sockets
 */

static bool has(const char *function)
{
	(void)function;
	return true;
}

static bool open_socket(struct netlink_socket *socket)
{
	socket->fd = new_other();
	return socket->fd >= 0;
}

static void close_socket(struct netlink_socket *socket)
{
	is_open[socket->fd - FIRST_OTHER] = false;
}

static int connect_socket(struct netlink_socket *socket, int protocol)
{
	(void)socket;
	(void)protocol;
	return 0;
}

static int join(struct netlink_socket *socket)
{
	(void)socket;
	return 0;
}

static int send_request(struct netlink_socket *socket, struct nlmsghdr *message)
{
	socket->sequence = message->nlmsg_seq = 1 + (socket->sequence & 7);
	fuzz_touch(message, message->nlmsg_len);
	return (int)message->nlmsg_len;
}

/* Half of all reads find nothing more. */
static int receive(struct netlink_socket *socket, unsigned char **data, uint32_t *sender)
{
	struct fuzz_input *input = fuzz_kernel.input;
	static struct fuzz_datagram datagram;
	uint8_t which;

	if (!talks || !input->left)
		return -EAGAIN;
	which = fuzz_u8(input);
	if (which & 1)
		return -EAGAIN;
	if (which >= 0xf8)
		return -(int)(fuzz_u8(input) % 134);
	fuzz_datagram_build(&datagram, socket->protocol, socket->sequence, input);
	if (!datagram.size)
		return 0;
	*data = malloc(datagram.size);
	FUZZ_CHECK(*data);
	memcpy(*data, datagram.bytes, datagram.size);
	*sender = which == 0xf0 ? 77 : 0;
	return (int)datagram.size;
}

const struct netlink_policy netlink_policy = {
	.has = has,
	.open = open_socket,
	.close = close_socket,
	.connect = connect_socket,
	.join = join,
	.send = send_request,
	.receive = receive,
};
