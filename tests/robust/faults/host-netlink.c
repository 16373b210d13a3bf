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

/* F(type, function, call, result of a failure, IN_KERNEL or PLAINLY, arguments, parameters) for
 * each function that can fail: IN_KERNEL, calls that the function below makes do not count;
 * PLAINLY, they count as the library's. */
#define FAILING(F)                                                                             \
	F(struct nl_sock *, nl_socket_alloc, FAULT_NL_ALLOCATE, NULL, IN_KERNEL, (), void)     \
	F(int, nl_connect, FAULT_NL_CONNECT, error, IN_KERNEL, (s, number), struct nl_sock *s, \
	  int number)                                                                          \
	F(int, nl_socket_set_nonblocking, FAULT_NL_SETUP, error, PLAINLY, (s),                 \
	  const struct nl_sock *s)                                                             \
	F(int, nl_socket_set_buffer_size, FAULT_NL_SETUP, error, PLAINLY, (s, receive, send),  \
	  struct nl_sock *s, int receive, int send)                                            \
	F(int, nl_socket_add_membership, FAULT_NL_JOIN, error, PLAINLY, (s, group),            \
	  struct nl_sock *s, int group)                                                        \
	F(int, nl_send_simple, FAULT_NL_SEND, error, IN_KERNEL, (s, type, flags, data, size),  \
	  struct nl_sock *s, int type, int flags, void *data, size_t size)                     \
	F(int, nl_recv, FAULT_NL_RECEIVE, error, PLAINLY, (s, sender, data, creds),            \
	  struct nl_sock *s, struct sockaddr_nl *sender, unsigned char **data,                 \
	  struct ucred **creds)

/* The functions of fakenl and libnl-3. */
static struct {
#define MEMBER(type, function, ...) __typeof__(function) *function;
	FAILING(MEMBER)
	MEMBER(void, nl_socket_free)
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

#define IN_KERNEL(result, call) FAULT_BELOW(result, call)
#define PLAINLY(result, call)	(result) = (call)
#define FUNCTION(type_, function, call, failure, how, arguments, ...) \
	static type_ failing_##function(__VA_ARGS__)                  \
	{                                                             \
		int error = error_of(call);                           \
		type_ result;                                         \
                                                                      \
		if (error)                                            \
			return failure;                               \
		how(result, below.function arguments);                \
		return result;                                        \
	}
FAILING(FUNCTION)

static void failing_nl_socket_free(struct nl_sock *socket)
{
	fault_enter_kernel();
	below.nl_socket_free(socket);
	fault_leave_kernel();
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
#define REPLACED(type, function, ...) \
	{ #function, (void (*)(void))failing_##function, &below.function },
		FAILING(REPLACED) REPLACED(void, nl_socket_free)
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
