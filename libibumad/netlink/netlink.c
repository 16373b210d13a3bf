/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Netlink sockets, by libnl-3, which is loaded with the first socket, so that other programs
 * neither need it nor spend time on it, and never unloaded. Messages of other senders than the
 * kernel are discarded here, and the length that a message declares is checked.
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
#include "libibumad/netlink/netlink.h"

#define LIBNL_NAME "libnl-3.so.200"

enum {
	REPLY_TIMEOUT_MS = 5000,      /* the kernel replies at once, unless it loads a module */
	RECEIVE_BUFFER_SIZE = 1 << 20 /* the kernel grants less to unprivileged processes */
};

/* The functions of libnl-3 that this file uses. */
/* clang-format off */
#define FUNCTIONS(ROW) \
	ROW(nl_connect) ROW(nl_recv) ROW(nl_send_simple) ROW(nl_socket_add_membership) \
	ROW(nl_socket_alloc) ROW(nl_socket_free) ROW(nl_socket_get_fd) \
	ROW(nl_socket_set_buffer_size) ROW(nl_socket_set_nonblocking) ROW(nl_socket_use_seq) \
	ROW(nla_data) ROW(nla_len) ROW(nla_strlcpy) ROW(nlmsg_find_attr) ROW(nlmsg_next) ROW(nlmsg_ok)
/* clang-format on */
#define NUMBER(function) NUMBER_##function,
#define NAME(function)	 #function,

enum { FUNCTIONS(NUMBER) FUNCTION_COUNT };
static const char *const names[] = { FUNCTIONS(NAME) };

/* Threads that load the library at the same time store the same addresses. */
static _Atomic(uintptr_t) addresses[FUNCTION_COUNT];
static atomic_bool is_loaded;

#define LIBNL(function) ((__typeof__(&(function)))addresses[NUMBER_##function])

/* A thread in here holds no lock: the loader calls constructors with its own lock held, one of
 * these may fork, and a handler of fork() must not wait for this thread. */
static int load_library(void)
{
	void *library;

	if (is_loaded)
		return 0;
	library = dlopen(LIBNL_NAME, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		umad_state_trace(1, -ELIBACC, "can't load %s", LIBNL_NAME);
		return -ELIBACC;
	}
	for (int i = 0; i < FUNCTION_COUNT; i++) {
		addresses[i] = (uintptr_t)dlsym(library, names[i]);
		if (!addresses[i]) {
			umad_state_trace(1, 0, "%s has no %s", LIBNL_NAME, names[i]);
			dlclose(library);
			return -ELIBBAD;
		}
	}
	is_loaded = true;
	return 0;
}

/* The negative errno of a failed call of libnl-3, whose own errors are coarser. The caller has set
 * errno to 0 before. */
static int translate(int result)
{
	if (result >= 0)
		return 0;
	return errno > 0 ? -errno : -EIO;
}

int umad_netlink_open(int protocol, int group, struct nl_sock **netlink)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno, result = load_library();

	*netlink = result < 0 ? NULL : LIBNL(nl_socket_alloc)();
	if (!result && !*netlink)
		result = -ENOMEM;
	errno = 0;
	if (!result &&
	    (LIBNL(nl_connect)(*netlink, protocol) || LIBNL(nl_socket_set_nonblocking)(*netlink) ||
	     LIBNL(nl_socket_set_buffer_size)(*netlink, RECEIVE_BUFFER_SIZE, 0) ||
	     (group && LIBNL(nl_socket_add_membership)(*netlink, group))))
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
		LIBNL(nl_socket_free)(netlink);
	errno = saved_errno;
	umad_sys_release_cancel(cancel_state);
}

int umad_netlink_get_fd(const struct nl_sock *netlink)
{
	return LIBNL(nl_socket_get_fd)(netlink);
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
		result = LIBNL(nl_recv)(netlink, &sender, &data, NULL);
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

	for (; LIBNL(nlmsg_ok)(message, left); message = LIBNL(nlmsg_next)(message, &left))
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
						       umad_sys_remaining_ms(deadline), true);
		else if (received > 0) {
			umad_netlink_walk(&datagram, take_message, reply);
			free(datagram.data);
		}
		if (received < 0 || reply->result < 0)
			return received < 0 ? received : reply->result;
	}
	return reply->interrupted && !reply->result ? -EINTR : reply->result;
}

int umad_netlink_ask(struct nl_sock *netlink, const struct umad_netlink_request *request)
{
	int cancel_state = umad_sys_hold_cancel(), saved_errno = errno, result;
	struct reply reply = { .request = request,
			       .sequence = LIBNL(nl_socket_use_seq)(netlink) + 1 };

	errno = 0;
	result = LIBNL(nl_send_simple)(netlink, request->type, request->flags,
				       (void *)(uintptr_t)request->payload, request->size);
	result = translate(result);
	if (!result)
		result = collect(netlink, &reply);
	errno = saved_errno;
	umad_sys_release_cancel(cancel_state);
	return result;
}

bool umad_netlink_take(const struct nlmsghdr *message, size_t header_size, int type, bool is_text,
		       void *value, size_t size)
{
	const struct nlattr *attribute = LIBNL(nlmsg_find_attr)(
		(struct nlmsghdr *)(uintptr_t)message, (int)header_size, type);

	if (attribute && is_text)
		LIBNL(nla_strlcpy)(value, attribute, size);
	else if (attribute && (size_t)LIBNL(nla_len)(attribute) == size)
		memcpy(value, LIBNL(nla_data)(attribute), size);
	return attribute;
}
