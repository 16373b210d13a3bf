/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * netlink-sockets.c - see netlink-sockets.h. What the library must not do ends the program; what
 * sanitizers look up in programs that have them linked in goes on to libc.
 */
#include "netlink-sockets.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

void *__real_dlopen(const char *name, int flags);
void *__real_dlsym(void *handle, const char *name);

void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlsym(void *handle, const char *name);
int __wrap_dlclose(void *handle);

struct netlink_socket netlink_sockets[NETLINK_MAX_SOCKETS];
static void *library;

static void require(bool condition)
{
	if (!condition)
		abort();
}

/* A result, as libnl-3 gives it. */
static int result_of(int result)
{
	if (result >= 0)
		return result;
	errno = -result;
	return -nl_syserr2nlerr(-result);
}

int netlink_open_sockets(void)
{
	int count = 0;

	for (int i = 0; i < NETLINK_MAX_SOCKETS; i++)
		count += netlink_sockets[i].open;
	return count;
}

static struct netlink_socket *of(const struct nl_sock *sk)
{
	struct netlink_socket *socket = (struct netlink_socket *)(uintptr_t)sk;

	require(socket >= netlink_sockets && socket < netlink_sockets + NETLINK_MAX_SOCKETS &&
		socket->open);
	return socket;
}

static struct nl_sock *fake_nl_socket_alloc(void)
{
	int number = 0;
	struct netlink_socket *socket;

	while (number < NETLINK_MAX_SOCKETS && netlink_sockets[number].open)
		number++;
	require(number < NETLINK_MAX_SOCKETS);
	socket = &netlink_sockets[number];
	*socket = (struct netlink_socket){ .number = number, .protocol = -1, .fd = -1 };
	socket->open = netlink_open(socket);
	return socket->open ? (struct nl_sock *)socket : NULL;
}

static void fake_nl_socket_free(struct nl_sock *sk)
{
	netlink_close(of(sk));
	of(sk)->open = false;
}

static int fake_nl_connect(struct nl_sock *sk, int protocol)
{
	int error = result_of(netlink_connect(of(sk), protocol));

	if (!error)
		of(sk)->protocol = protocol;
	return error;
}

static int fake_nl_socket_get_fd(const struct nl_sock *sk)
{
	return of(sk)->fd;
}

static int fake_nl_socket_set_nonblocking(const struct nl_sock *sk)
{
	return of(sk)->protocol < 0 ? -NLE_BAD_SOCK : 0;
}

static int fake_nl_socket_set_buffer_size(struct nl_sock *sk, int receive, int send)
{
	require(receive > 0 && send == 0);
	return of(sk)->protocol < 0 ? -NLE_BAD_SOCK : 0;
}

static int fake_nl_socket_add_membership(struct nl_sock *sk, int group)
{
	int error;

	if (group <= 0 || of(sk)->protocol < 0)
		return -NLE_BAD_SOCK;
	error = result_of(netlink_join(of(sk)));
	if (!error)
		of(sk)->group = group;
	return error;
}

static int fake_nl_send_auto(struct nl_sock *sk, struct nl_msg *message)
{
	pthread_testcancel();
	return result_of(netlink_send(of(sk), nlmsg_hdr(message)));
}

static int fake_nl_recv(struct nl_sock *sk, struct sockaddr_nl *sender, unsigned char **data,
			struct ucred **creds)
{
	uint32_t pid = 0;
	int size;

	pthread_testcancel();
	require(!creds);
	size = netlink_receive(of(sk), data, &pid);
	if (size > 0)
		*sender = (struct sockaddr_nl){ .nl_family = AF_NETLINK, .nl_pid = pid };
	return result_of(size);
}

void *__wrap_dlopen(const char *name, int flags)
{
	require(!strcmp(name, "libnl-3.so.200") && flags == (RTLD_NOW | RTLD_LOCAL));
	if (!netlink_has(NULL))
		return NULL;
	library = __real_dlopen(name, flags);
	return library;
}

int __wrap_dlclose(void *handle)
{
	require(handle == library);
	return 0;
}

#define FAKE(function)                                     \
	{                                                  \
#function, (void (*)(void))fake_##function \
	}

static void *fake_dlsym(const char *name)
{
	static const struct {
		const char *name;
		void (*function)(void);
	} fakes[] = {
		FAKE(nl_connect),
		FAKE(nl_recv),
		FAKE(nl_send_auto),
		FAKE(nl_socket_add_membership),
		FAKE(nl_socket_alloc),
		FAKE(nl_socket_free),
		FAKE(nl_socket_get_fd),
		FAKE(nl_socket_set_buffer_size),
		FAKE(nl_socket_set_nonblocking),
	};
	void *address;

	if (!netlink_has(name))
		return NULL;
	for (size_t i = 0; i < sizeof(fakes) / sizeof(fakes[0]); i++) {
		if (strcmp(fakes[i].name, name) != 0)
			continue;
		memcpy(&address, &fakes[i].function, sizeof(address));
		return address;
	}
	require(strncmp(name, "nl_", 3) != 0);
	return __real_dlsym(library, name);
}

/* clang links the sanitizers' run-time libraries into the program, so their calls come here, too:
 * the first ones before instrumented code can run. */
#if __has_attribute(disable_sanitizer_instrumentation)
#define NOT_INSTRUMENTED __attribute__((disable_sanitizer_instrumentation))
#else
#define NOT_INSTRUMENTED __attribute__((no_sanitize("address", "undefined")))
#endif

NOT_INSTRUMENTED void *__wrap_dlsym(void *handle, const char *name)
{
	if (!library || handle != library)
		return __real_dlsym(handle, name);
	return fake_dlsym(name);
}
