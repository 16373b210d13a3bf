/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakenl.c - the sockets of fakenl and the loading of the library. A socket's descriptor
 * is a counter of the messages that wait, so that poll and epoll work on it.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/eventfd.h>

#include "test.h"
#include "fakenl-internal.h"
#include "fakesys.h"

enum { MAX_WAITING = 4096, MAX_PROTOCOL = 32 };

struct waiting {
	void *data;
	size_t size;
	uint32_t sender;
	int error;
};

/* What waits in each socket. */
static struct queue {
	struct waiting *waiting;
	size_t first, count, capacity;
} queues[NETLINK_MAX_SOCKETS];
static bool library_lost;
static const char *function_lost;
static int load_takes_ms;
static atomic_bool is_loading;
static int loads, sockets, send_error;
static int connect_error[MAX_PROTOCOL], join_error[MAX_PROTOCOL];

/*
 * Setup
 */

int fakenl_setup(void **state)
{
	fakesys_setup(state);
	fakenl_kernel_reset();
	memset(netlink_sockets, 0, sizeof(netlink_sockets));
	memset(queues, 0, sizeof(queues));
	memset(connect_error, 0, sizeof(connect_error));
	memset(join_error, 0, sizeof(join_error));
	library_lost = false;
	function_lost = NULL;
	load_takes_ms = 0;
	loads = sockets = send_error = 0;
	return 0;
}

int fakenl_teardown(void **state)
{
	if (netlink_open_sockets())
		fail_msg("%d sockets were left open", netlink_open_sockets());
	return fakesys_teardown(state);
}

void fakenl_lose_library(void)
{
	library_lost = true;
}

void fakenl_lose_function(const char *name)
{
	function_lost = name;
}

void fakenl_slow_load(int milliseconds)
{
	load_takes_ms = milliseconds;
}

bool fakenl_is_loading(void)
{
	return is_loading;
}

int fakenl_sockets(void)
{
	return sockets;
}

int fakenl_loads(void)
{
	return loads;
}

void fakenl_fail_connect(int protocol, int error)
{
	connect_error[protocol] = error;
}

void fakenl_fail_join(int protocol, int error)
{
	join_error[protocol] = error;
}

void fakenl_fail_send(int error)
{
	send_error = error;
}

/*
 * Messages
 */

void fakenl_queue(struct netlink_socket *socket, const void *data, size_t size, uint32_t sender,
		  int error)
{
	struct queue *queue = &queues[socket->number];
	struct waiting *waiting;

	assert_between(queue->first + queue->count, 0, MAX_WAITING - 1);
	if (queue->first + queue->count == queue->capacity) {
		queue->capacity = queue->capacity ? 2 * queue->capacity : 16;
		queue->waiting =
			kernel_allocate(queue->waiting, queue->capacity * sizeof(*waiting));
		assert_non_null(queue->waiting);
	}
	waiting = &queue->waiting[queue->first + queue->count++];
	*waiting = (struct waiting){ .size = size, .sender = sender, .error = error };
	if (size) {
		waiting->data = kernel_allocate(NULL, size);
		memcpy(waiting->data, data, size);
	}
	assert_int_equal(eventfd_write(socket->fd, 1), 0);
}

static bool listens(const struct netlink_socket *socket, int protocol)
{
	return socket->open && socket->protocol == protocol && socket->group;
}

static void send_all(int protocol, const void *data, size_t size, uint32_t sender, int error)
{
	bool sent = false;

	for (int i = 0; i < NETLINK_MAX_SOCKETS; i++) {
		if (!listens(&netlink_sockets[i], protocol))
			continue;
		fakenl_queue(&netlink_sockets[i], data, size, sender, error);
		sent = true;
	}
	if (!sent)
		fail_msg("no socket listens to protocol %d", protocol);
}

void fakenl_send(int protocol, const void *data, size_t size, uint32_t sender)
{
	send_all(protocol, data, size, sender, 0);
}

void fakenl_send_error(int protocol, int error)
{
	send_all(protocol, NULL, 0, 0, error);
}

size_t fakenl_waiting(int protocol)
{
	size_t count = 0;

	for (int i = 0; i < NETLINK_MAX_SOCKETS; i++)
		if (listens(&netlink_sockets[i], protocol))
			count += queues[i].count;
	return count;
}

/*
 * What sockets do
 */

bool netlink_has(const char *function)
{
	if (function)
		return !function_lost || strcmp(function_lost, function) != 0;
	loads++;
	is_loading = true;
	if (load_takes_ms)
		usleep((useconds_t)load_takes_ms * 1000);
	is_loading = false;
	return !library_lost;
}

bool netlink_open(struct netlink_socket *socket)
{
	queues[socket->number] = (struct queue){ 0 };
	sockets++;
	return !fakesys_fails(KERNEL_ALLOCATE, NULL);
}

void netlink_close(struct netlink_socket *socket)
{
	struct queue *queue = &queues[socket->number];

	for (; queue->count; queue->count--)
		kernel_release(queue->waiting[queue->first++].data);
	kernel_release(queue->waiting);
	if (socket->fd >= 0)
		close(socket->fd);
}

int netlink_connect(struct netlink_socket *socket, int protocol)
{
	if (connect_error[protocol])
		return -connect_error[protocol];
	socket->fd = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
	assert_true(socket->fd >= 0);
	return 0;
}

int netlink_join(struct netlink_socket *socket)
{
	return -join_error[socket->protocol];
}

int netlink_receive(struct netlink_socket *socket, unsigned char **data, uint32_t *sender)
{
	struct queue *queue = &queues[socket->number];
	struct waiting waiting;
	eventfd_t one;

	if (!queue->count)
		return -EAGAIN;
	waiting = queue->waiting[queue->first];
	queue->first = --queue->count ? queue->first + 1 : 0;
	assert_int_equal(eventfd_read(socket->fd, &one), 0);
	if (!waiting.error && waiting.size) {
		*data = malloc(waiting.size + 1); /* which our library frees */
		if (!*data)
			waiting.error = ENOMEM;
		else
			memcpy(*data, waiting.data, waiting.size);
		*sender = waiting.sender;
	}
	kernel_release(waiting.data); /* nothing: as at the end of a file */
	return waiting.error ? -waiting.error : (int)waiting.size;
}

int netlink_send(struct netlink_socket *socket, struct nlmsghdr *message)
{
	return send_error ? -send_error : fakenl_kernel_response(socket, socket->protocol, message);
}
