/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * host-netlink.c - failures of libnl-3: of loading it, and of each of its functions that can fail.
 * The library looks them up by dlsym(), which returns the functions here; these call fakenl's, or
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

/* The functions of fakenl and libnl-3. */
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

/* The error of libnl-3 that a failing call returns, with the kernel's in errno; 0: the call works.
 */
static int error_of(enum fault_call call)
{
	int saved = errno;

	if (fault_here(call))
		return -nl_syserr2nlerr(errno);
	errno = saved;
	return 0;
}

/* FAILING(type, function, call, result of a failure, IN_KERNEL or PLAINLY, arguments, parameters):
 * IN_KERNEL, calls that the function below makes do not count; PLAINLY, they count as the
 * library's. */
#define IN_KERNEL(result, call) FAULT_BELOW(result, call)
#define PLAINLY(result, call)	(result) = (call)
#define FAILING(type, function, call, failure, how, arguments, ...) \
	static type failing_##function(__VA_ARGS__)                 \
	{                                                           \
		int error = error_of(call);                         \
		type result;                                        \
                                                                    \
		if (error)                                          \
			return failure;                             \
		how(result, below.function arguments);              \
		return result;                                      \
	}
FAILING(struct nl_sock *, nl_socket_alloc, FAULT_NL_ALLOCATE, NULL, IN_KERNEL, (), void)
FAILING(int, nl_connect, FAULT_NL_CONNECT, error, IN_KERNEL, (socket, protocol),
	struct nl_sock *socket, int protocol)
FAILING(int, nl_socket_set_nonblocking, FAULT_NL_SETUP, error, PLAINLY, (socket),
	const struct nl_sock *socket)
FAILING(int, nl_socket_set_buffer_size, FAULT_NL_SETUP, error, PLAINLY, (socket, receive, send),
	struct nl_sock *socket, int receive, int send)
FAILING(int, nl_socket_add_membership, FAULT_NL_JOIN, error, PLAINLY, (socket, group),
	struct nl_sock *socket, int group)
FAILING(int, nl_send_auto, FAULT_NL_SEND, error, IN_KERNEL, (socket, message),
	struct nl_sock *socket, struct nl_msg *message)
FAILING(int, nl_recv, FAULT_NL_RECEIVE, error, PLAINLY, (socket, sender, data, creds),
	struct nl_sock *socket, struct sockaddr_nl *sender, unsigned char **data,
	struct ucred **creds)
FAILING(struct nl_msg *, nlmsg_alloc_simple, FAULT_NL_ALLOCATE, NULL, PLAINLY, (type, flags),
	int type, int flags)
FAILING(int, nlmsg_append, FAULT_NL_ALLOCATE, -NLE_NOMEM, PLAINLY, (message, data, size, padding),
	struct nl_msg *message, void *data, size_t size, int padding)
FAILING(int, nla_put, FAULT_NL_ALLOCATE, -NLE_NOMEM, PLAINLY, (message, type, size, value),
	struct nl_msg *message, int type, int size, const void *value)

static void failing_nl_socket_free(struct nl_sock *socket)
{
	fault_enter_kernel();
	below.nl_socket_free(socket);
	fault_leave_kernel();
}

#define REPLACED(function)                                                     \
	{                                                                      \
#function, (void (*)(void))failing_##function, &below.function \
	}

FAULT_FAILING_KERNEL(void *, dlopen, FAULT_DLOPEN, NULL, (name, flags), const char *name, int flags)

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
		REPLACED(nl_socket_alloc),
		REPLACED(nl_socket_free),
		REPLACED(nl_connect),
		REPLACED(nl_socket_set_nonblocking),
		REPLACED(nl_socket_set_buffer_size),
		REPLACED(nl_socket_add_membership),
		REPLACED(nl_send_auto),
		REPLACED(nl_recv),
		REPLACED(nlmsg_alloc_simple),
		REPLACED(nlmsg_append),
		REPLACED(nla_put),
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
