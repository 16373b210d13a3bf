/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * host-netlink.c - failures of libnl-3: of loading it, and of each of its functions that can fail.
 * The library looks them up by dlsym(), which gives it those here; they call what fakenl has, or
 * the real ones.
 */
#include "inject.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

/* The function behind each. */
static struct {
	__typeof__(nl_socket_alloc) *nl_socket_alloc;
	__typeof__(nl_socket_free) *nl_socket_free;
	__typeof__(nl_connect) *nl_connect;
	__typeof__(nl_socket_set_nonblocking) *nl_socket_set_nonblocking;
	__typeof__(nl_socket_set_buffer_size) *nl_socket_set_buffer_size;
	__typeof__(nl_socket_add_membership) *nl_socket_add_membership;
	__typeof__(nl_send_auto) *nl_send_auto;
	__typeof__(nl_recv) *nl_recv;
	__typeof__(nlmsg_alloc_simple) *nlmsg_alloc_simple;
	__typeof__(nlmsg_append) *nlmsg_append;
	__typeof__(nla_put) *nla_put;
} below;

/* Functions of libnl-3 return an error of their own, and leave in errno that of the kernel. 0: the
 * call works. */
static int error_of(enum fault_call call)
{
	int saved = errno;

	if (fault_here(call))
		return -nl_syserr2nlerr(errno);
	errno = saved;
	return 0;
}

static struct nl_sock *failing_nl_socket_alloc(void)
{
	struct nl_sock *socket;

	if (error_of(FAULT_NL_ALLOCATE))
		return NULL;
	FAULT_BELOW(socket, below.nl_socket_alloc());
	return socket;
}

static void failing_nl_socket_free(struct nl_sock *socket)
{
	fault_enter_kernel();
	below.nl_socket_free(socket);
	fault_leave_kernel();
}

static int failing_nl_connect(struct nl_sock *socket, int protocol)
{
	int error = error_of(FAULT_NL_CONNECT), result;

	if (error)
		return error;
	FAULT_BELOW(result, below.nl_connect(socket, protocol));
	return result;
}

static int failing_nl_socket_set_nonblocking(const struct nl_sock *socket)
{
	int error = error_of(FAULT_NL_SETUP);

	return error ? error : below.nl_socket_set_nonblocking(socket);
}

static int failing_nl_socket_set_buffer_size(struct nl_sock *socket, int receive, int send)
{
	int error = error_of(FAULT_NL_SETUP);

	return error ? error : below.nl_socket_set_buffer_size(socket, receive, send);
}

static int failing_nl_socket_add_membership(struct nl_sock *socket, int group)
{
	int error = error_of(FAULT_NL_JOIN);

	return error ? error : below.nl_socket_add_membership(socket, group);
}

static int failing_nl_send_auto(struct nl_sock *socket, struct nl_msg *message)
{
	int error = error_of(FAULT_NL_SEND), result;

	if (error)
		return error;
	FAULT_BELOW(result, below.nl_send_auto(socket, message));
	return result;
}

static int failing_nl_recv(struct nl_sock *socket, struct sockaddr_nl *sender, unsigned char **data,
			   struct ucred **creds)
{
	int error = error_of(FAULT_NL_RECEIVE);

	return error ? error : below.nl_recv(socket, sender, data, creds);
}

static struct nl_msg *failing_nlmsg_alloc_simple(int type, int flags)
{
	return error_of(FAULT_NL_ALLOCATE) ? NULL : below.nlmsg_alloc_simple(type, flags);
}

static int failing_nlmsg_append(struct nl_msg *message, void *data, size_t size, int padding)
{
	return error_of(FAULT_NL_ALLOCATE) ? -NLE_NOMEM
					   : below.nlmsg_append(message, data, size, padding);
}

static int failing_nla_put(struct nl_msg *message, int type, int size, const void *value)
{
	return error_of(FAULT_NL_ALLOCATE) ? -NLE_NOMEM : below.nla_put(message, type, size, value);
}

#define FAILING(function)                                                      \
	{                                                                      \
#function, (void (*)(void))failing_##function, &below.function \
	}

FAULT_WRAP_KERNEL(void *, dlopen, const char *name, int flags)
{
	void *library;

	if (fault_here(FAULT_DLOPEN))
		return NULL;
	FAULT_BELOW(library, kernel_dlopen(name, flags));
	return library;
}

FAULT_WRAP_KERNEL(int, dlclose, void *handle)
{
	return kernel_dlclose(handle);
}

FAULT_WRAP_KERNEL(void *, dlsym, void *handle, const char *name)
{
	static const struct {
		const char *name;
		void (*function)(void);
		void *below;
	} failing[] = {
		FAILING(nl_socket_alloc),
		FAILING(nl_socket_free),
		FAILING(nl_connect),
		FAILING(nl_socket_set_nonblocking),
		FAILING(nl_socket_set_buffer_size),
		FAILING(nl_socket_add_membership),
		FAILING(nl_send_auto),
		FAILING(nl_recv),
		FAILING(nlmsg_alloc_simple),
		FAILING(nlmsg_append),
		FAILING(nla_put),
	};
	void *address;

	if (fault_here(FAULT_DLSYM))
		return NULL;
	FAULT_BELOW(address, kernel_dlsym(handle, name));
	for (size_t i = 0; address && i < sizeof(failing) / sizeof(failing[0]); i++) {
		if (strcmp(failing[i].name, name) != 0)
			continue;
		memcpy(failing[i].below, &address, sizeof(address));
		memcpy(&address, &failing[i].function, sizeof(address));
		break;
	}
	return address;
}
