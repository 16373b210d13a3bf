/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The sockets of fake-netlink.h, and what comes out of them. netlink.c is compiled in here, so that
 * it loads these functions in place of libnl-3's; those that only look at a message are libnl-3's.
 */
#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static void *fuzz_dlopen(const char *name, int flags);
static void *fuzz_dlsym(void *library, const char *name);
static int fuzz_dlclose(void *library);
#define dlopen	fuzz_dlopen
#define dlsym	fuzz_dlsym
#define dlclose fuzz_dlclose
#include "libibumad/netlink/netlink.c"
#undef dlopen
#undef dlsym
#undef dlclose

#include "fake-netlink.h"
#include "fuzz-kernel-internal.h"

struct fake_socket {
	bool open;
	int protocol;	   /* -1: not connected */
	uint32_t sequence; /* of the last request */
};

static struct fake_socket sockets[MAX_OTHERS]; /* epoll descriptors and counters are open ones */
static bool talks;

int __wrap_epoll_create1(int flags);
int __wrap_epoll_ctl(int fd, int operation, int other, struct epoll_event *event);
int __wrap_eventfd(unsigned initial, int flags);

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
	int i;

	for (i = 0; i < MAX_OTHERS; i++)
		FUZZ_CHECK(!sockets[i].open);
}

static int new_other(void)
{
	int i;

	for (i = 0; i < MAX_OTHERS; i++) {
		if (sockets[i].open)
			continue;
		sockets[i] = (struct fake_socket){ .open = true, .protocol = -1 };
		return FIRST_OTHER + i;
	}
	return (int)kernel_result(-EMFILE);
}

bool fuzz_other_poll(int fd, short *revents)
{
	FUZZ_CHECK(sockets[fd - FIRST_OTHER].open);
	if (!talks || !fuzz_kernel.input->left)
		return false;
	*revents = POLLIN;
	return true;
}

bool fuzz_other_close(int fd)
{
	bool was_open = sockets[fd - FIRST_OTHER].open;

	sockets[fd - FIRST_OTHER].open = false;
	return was_open;
}

int __wrap_epoll_create1(int flags)
{
	FUZZ_CHECK(flags == EPOLL_CLOEXEC);
	return new_other();
}

int __wrap_eventfd(unsigned initial, int flags)
{
	FUZZ_CHECK(initial == 1 && flags == (EFD_CLOEXEC | EFD_NONBLOCK));
	return new_other();
}

int __wrap_epoll_ctl(int fd, int operation, int other, struct epoll_event *event)
{
	(void)operation;
	FUZZ_CHECK(event && sockets[fd - FIRST_OTHER].open && sockets[other - FIRST_OTHER].open);
	return 0;
}

/*
 * Sockets, as libnl-3 shows them
 */

static struct fake_socket *of(const struct nl_sock *sk)
{
	struct fake_socket *socket = (struct fake_socket *)(uintptr_t)sk;

	FUZZ_CHECK(socket >= sockets && socket < sockets + MAX_OTHERS && socket->open);
	return socket;
}

static struct nl_sock *fake_socket_alloc(void)
{
	int fd = new_other();

	return fd < 0 ? NULL : (struct nl_sock *)&sockets[fd - FIRST_OTHER];
}

static void fake_socket_free(struct nl_sock *sk)
{
	of(sk)->open = false;
}

static int fake_connect(struct nl_sock *sk, int protocol)
{
	of(sk)->protocol = protocol;
	return 0;
}

static int fake_get_fd(const struct nl_sock *sk)
{
	return FIRST_OTHER + (int)(of(sk) - sockets);
}

static int fake_set_nonblocking(const struct nl_sock *sk)
{
	return of(sk)->protocol < 0 ? -NLE_BAD_SOCK : 0;
}

static int fake_set_buffer_size(struct nl_sock *sk, int receive_size, int send_size)
{
	(void)receive_size;
	(void)send_size;
	return of(sk)->protocol < 0 ? -NLE_BAD_SOCK : 0;
}

static int fake_add_membership(struct nl_sock *sk, int group)
{
	return group > 0 && of(sk)->protocol >= 0 ? 0 : -NLE_BAD_SOCK;
}

static int fake_send_auto(struct nl_sock *sk, struct nl_msg *message)
{
	struct nlmsghdr *header = nlmsg_hdr(message);

	of(sk)->sequence = header->nlmsg_seq = 1 + (of(sk)->sequence & 7);
	fuzz_touch(header, header->nlmsg_len);
	return (int)header->nlmsg_len;
}

/* Half of all reads find nothing more. */
static int fake_recv(struct nl_sock *sk, struct sockaddr_nl *sender, unsigned char **data,
		     struct ucred **credentials)
{
	struct fuzz_input *input = fuzz_kernel.input;
	static struct fuzz_datagram datagram;
	uint8_t which;

	FUZZ_CHECK(!credentials);
	if (!talks || !input->left)
		return -NLE_AGAIN;
	which = fuzz_u8(input);
	if (which & 1)
		return -NLE_AGAIN;
	if (which >= 0xf8)
		return -(int)(fuzz_u8(input) % (NLE_MAX + 2));
	fuzz_datagram_build(&datagram, of(sk)->protocol, of(sk)->sequence, input);
	if (!datagram.size)
		return 0;
	*data = malloc(datagram.size);
	FUZZ_CHECK(*data);
	memcpy(*data, datagram.bytes, datagram.size);
	sender->nl_pid = which == 0xf0 ? 77 : 0;
	return (int)datagram.size;
}

static void *fuzz_dlopen(const char *name, int flags)
{
	FUZZ_CHECK(!strcmp(name, LIBNL_NAME) && flags == (RTLD_NOW | RTLD_LOCAL));
	return &talks;
}

#define REAL(function)                              \
	{                                           \
#function, (void (*)(void))function \
	}
#define FAKE(function, stand_in)                    \
	{                                           \
#function, (void (*)(void))stand_in \
	}

static void *fuzz_dlsym(void *library, const char *name)
{
	static const struct {
		const char *name;
		void (*function)(void);
	} loaded[] = {
		REAL(nla_next),
		REAL(nla_ok),
		REAL(nla_put),
		REAL(nlmsg_alloc_simple),
		REAL(nlmsg_append),
		REAL(nlmsg_free),
		REAL(nlmsg_hdr),
		REAL(nlmsg_next),
		REAL(nlmsg_ok),
		FAKE(nl_connect, fake_connect),
		FAKE(nl_recv, fake_recv),
		FAKE(nl_send_auto, fake_send_auto),
		FAKE(nl_socket_add_membership, fake_add_membership),
		FAKE(nl_socket_alloc, fake_socket_alloc),
		FAKE(nl_socket_free, fake_socket_free),
		FAKE(nl_socket_get_fd, fake_get_fd),
		FAKE(nl_socket_set_buffer_size, fake_set_buffer_size),
		FAKE(nl_socket_set_nonblocking, fake_set_nonblocking),
	};
	void *address;
	size_t i;

	FUZZ_CHECK(library == &talks);
	for (i = 0; i < sizeof(loaded) / sizeof(loaded[0]); i++) {
		if (strcmp(loaded[i].name, name) != 0)
			continue;
		memcpy(&address, &loaded[i].function, sizeof(address));
		return address;
	}
	return NULL;
}

static int fuzz_dlclose(void *library)
{
	return library == &talks ? 0 : -1;
}
