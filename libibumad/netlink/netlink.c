/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Netlink sockets, by libnl-3: the only file that uses it. It loads the library when it opens the
 * first socket, so that other programs neither need it nor spend time on it, and never unloads it.
 * Input: messages of the kernel; those from other senders are discarded here. The length that a
 * message declares is checked before it is used.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"
#include "libibumad/netlink/netlink.h"

#define LIBNL_NAME "libnl-3.so.200"

enum {
	REPLY_TIMEOUT_MS = 5000,      /* the kernel replies at once, unless it loads a module */
	RECEIVE_BUFFER_SIZE = 1 << 20 /* the kernel grants less to unprivileged processes */
};

/* The functions of libnl-3 that this file uses. */
#define FOR_EACH_FUNCTION(apply)                                                                 \
	apply(nl_connect) apply(nl_recv) apply(nl_send_auto) apply(nl_socket_add_membership)     \
		apply(nl_socket_alloc) apply(nl_socket_free) apply(nl_socket_get_fd)             \
			apply(nl_socket_set_buffer_size) apply(nl_socket_set_nonblocking)        \
				apply(nla_data) apply(nla_len) apply(nla_put) apply(nla_strlcpy) \
					apply(nlmsg_alloc_simple) apply(nlmsg_append)            \
						apply(nlmsg_find_attr) apply(nlmsg_free)         \
							apply(nlmsg_hdr) apply(nlmsg_next)       \
								apply(nlmsg_ok)

#define FUNCTION_MEMBER(name) __typeof__(name) *name;
struct libnl {
	FOR_EACH_FUNCTION(FUNCTION_MEMBER)
};

#define FUNCTION_ROW(function) { #function, offsetof(struct libnl, function) },
static const struct {
	const char *name;
	size_t offset;
} functions[] = { FOR_EACH_FUNCTION(FUNCTION_ROW) };

/* Set once the library is loaded, and not changed afterwards. UMAD_LOCK_LIBRARY guards setting it.
 */
static struct libnl libnl;
static atomic_bool is_loaded;

/* The loader has a lock, with which it calls constructors. One of these may fork, and fork() waits
 * for the locks of this library (lock.c): so none is held here while the loader works. Threads that
 * load at the same time find the same functions. */
static int load_library(void)
{
	struct umad_lock_hold hold;
	struct libnl found;
	void *library, *address;

	if (is_loaded)
		return 0;
	library = dlopen(LIBNL_NAME, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		umad_state_trace(1, -ELIBACC, "can't load %s", LIBNL_NAME);
		return -ELIBACC;
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		address = dlsym(library, functions[i].name);
		if (!address) {
			umad_state_trace(1, 0, "%s has no %s", LIBNL_NAME, functions[i].name);
			dlclose(library);
			return -ELIBBAD;
		}
		memcpy((char *)&found + functions[i].offset, &address, sizeof(address));
	}
	umad_lock_take(UMAD_LOCK_LIBRARY, &hold);
	if (!is_loaded)
		libnl = found;
	is_loaded = true;
	umad_lock_release(UMAD_LOCK_LIBRARY, &hold);
	return 0;
}

/* Makes a negative errno of an error of libnl-3, which is coarser than the errno that the kernel
 * has left; the caller has set that to 0 before. */
static int translate(int result)
{
	if (result >= 0)
		return 0;
	return errno > 0 ? -errno : -EIO;
}

/* Connects, and prepares for replies and for bursts of notifications. */
int umad_netlink_open(int protocol, struct nl_sock **netlink)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno, result = load_library();

	*netlink = result < 0 ? NULL : libnl.nl_socket_alloc();
	if (!result && !*netlink)
		result = -ENOMEM;
	errno = 0;
	if (!result &&
	    (libnl.nl_connect(*netlink, protocol) || libnl.nl_socket_set_nonblocking(*netlink) ||
	     libnl.nl_socket_set_buffer_size(*netlink, RECEIVE_BUFFER_SIZE, 0)))
		result = translate(-1);
	if (result < 0) {
		umad_netlink_close(*netlink);
		*netlink = NULL;
	}
	errno = saved_errno;
	umad_sys_release_cancel(cancel_state);
	return result;
}

void umad_netlink_close(struct nl_sock *netlink)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno;

	if (netlink)
		libnl.nl_socket_free(netlink);
	errno = saved_errno;
	umad_sys_release_cancel(cancel_state);
}

int umad_netlink_get_fd(const struct nl_sock *netlink)
{
	return libnl.nl_socket_get_fd(netlink);
}

int umad_netlink_join(struct nl_sock *netlink, int group)
{
	int saved_errno = errno, error;

	errno = 0;
	error = libnl.nl_socket_add_membership(netlink, group);
	error = translate(error);
	errno = saved_errno;
	return error;
}

int umad_netlink_receive(struct nl_sock *netlink, struct umad_netlink_datagram *datagram)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno, result;
	struct sockaddr_nl sender;
	unsigned char *data;

	for (;;) {
		errno = 0;
		sender = (struct sockaddr_nl){ .nl_pid = UINT32_MAX };
		data = NULL;
		result = libnl.nl_recv(netlink, &sender, &data, NULL);
		if (result <= 0 || !sender.nl_pid)
			break;
		umad_state_trace(1, 0, "netlink message of %u, not of the kernel", sender.nl_pid);
		free(data);
	}
	*datagram = (struct umad_netlink_datagram){ data, result > 0 ? (size_t)result : 0 };
	if (result > 0)
		result = 1;
	else if (result == -NLE_AGAIN)
		result = 0;
	else if (result < 0)
		result = errno == ENOMEM ? -ENOBUFS : translate(result); /* a message is lost */
	errno = saved_errno;
	umad_sys_release_cancel(cancel_state);
	return result;
}

void umad_netlink_walk(const struct umad_netlink_datagram *datagram, umad_netlink_handler *handler,
		       void *context)
{
	struct nlmsghdr *message = datagram->data;
	int left = (int)datagram->size;

	for (; libnl.nlmsg_ok(message, left); message = libnl.nlmsg_next(message, &left))
		if (handler(message, context))
			break;
}

/* A reply being received. */
struct reply {
	const struct umad_netlink_request *request;
	uint32_t sequence;
	bool interrupted;
	bool complete;
	int result;
};

/* The value of an error message, or of the end of a dump: 0 or a negative errno. */
static int read_error(const struct nlmsghdr *message)
{
	int error;

	if (message->nlmsg_len < NLMSG_LENGTH(sizeof(error)))
		return message->nlmsg_type == NLMSG_DONE ? 0 : -EBADMSG;
	memcpy(&error, NLMSG_DATA(message), sizeof(error));
	return error <= 0 && error >= -4095 ? error : -EBADMSG;
}

static int take_message(const struct nlmsghdr *message, void *context)
{
	struct reply *reply = context;

	if (message->nlmsg_seq != reply->sequence)
		return 0;
	if (message->nlmsg_flags & NLM_F_DUMP_INTR)
		reply->interrupted = true;
	if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) {
		reply->complete = true;
		reply->result = read_error(message);
		return 1;
	}
	if (message->nlmsg_type < NLMSG_MIN_TYPE || !reply->request->handler)
		return 0;
	reply->result = reply->request->handler(message, reply->request->context);
	return reply->result;
}

static int collect(struct nl_sock *netlink, struct reply *reply)
{
	int64_t deadline = umad_sys_deadline(REPLY_TIMEOUT_MS);
	struct umad_netlink_datagram datagram;
	int received;

	while (!reply->complete) {
		received = umad_netlink_receive(netlink, &datagram);
		if (!received)
			received = umad_sys_poll_input(umad_netlink_get_fd(netlink),
						       umad_sys_remaining_ms(deadline), deadline);
		else if (received > 0) {
			umad_netlink_walk(&datagram, take_message, reply);
			free(datagram.data);
		}
		if (received < 0 || reply->result < 0)
			return received < 0 ? received : reply->result;
	}
	return reply->interrupted && !reply->result ? -EINTR : reply->result;
}

/* Builds the message of a request; NULL if out of memory. */
static struct nl_msg *make_message(const struct umad_netlink_request *request)
{
	struct nl_msg *message = libnl.nlmsg_alloc_simple(request->type, request->flags);
	const struct umad_netlink_attribute *attribute = request->attributes;
	int error = 0;

	if (!message)
		return NULL;
	if (request->header_size)
		error = libnl.nlmsg_append(message, (void *)(uintptr_t)request->header,
					   request->header_size, NLMSG_ALIGNTO);
	for (size_t i = 0; !error && i < request->attribute_count; i++, attribute++)
		error = libnl.nla_put(message, attribute->type, attribute->size, attribute->value);
	if (error) {
		libnl.nlmsg_free(message);
		return NULL;
	}
	return message;
}

int umad_netlink_ask(struct nl_sock *netlink, const struct umad_netlink_request *request)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno, result = -ENOMEM;
	struct reply reply = { .request = request };
	struct nl_msg *message = make_message(request);

	if (message) {
		errno = 0;
		result = libnl.nl_send_auto(netlink, message);
		result = translate(result);
		reply.sequence = libnl.nlmsg_hdr(message)->nlmsg_seq;
		libnl.nlmsg_free(message);
	}
	if (!result)
		result = collect(netlink, &reply);
	errno = saved_errno;
	umad_sys_release_cancel(cancel_state);
	return result;
}

static void store(const struct umad_netlink_field *field, const struct nlattr *attribute,
		  char *object)
{
	char *target = object + field->offset;

	if (field->kind == UMAD_NETLINK_PRESENT)
		*target = true;
	else if (field->kind == UMAD_NETLINK_TEXT)
		libnl.nla_strlcpy(target, attribute, field->size);
	else if ((size_t)libnl.nla_len(attribute) == field->size)
		memcpy(target, libnl.nla_data(attribute), field->size);
}

void umad_netlink_decode(const struct nlmsghdr *message, size_t header_size,
			 const struct umad_netlink_field *fields, size_t count, void *object)
{
	const struct nlattr *attribute;

	for (size_t i = 0; i < count; i++) {
		attribute = libnl.nlmsg_find_attr((struct nlmsghdr *)(uintptr_t)message,
						  (int)header_size, fields[i].type);
		if (attribute)
			store(&fields[i], attribute, object);
	}
}
