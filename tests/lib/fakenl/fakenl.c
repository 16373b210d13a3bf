/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakenl.c - the sockets of fakenl and the loading of the library. A socket's descriptor
 * is a counter of the messages that wait, so that poll and epoll work on it. What the library must
 * not do ends the program; what sanitizers look up in programs that have them linked in goes on to
 * libc.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <sys/eventfd.h>

#include "test.h"
#include "fakenl-internal.h"
#include "fakesys.h"

enum { MAX_SOCKETS = 32, MAX_WAITING = 4096 };

struct waiting {
	void *data;
	size_t size;
	uint32_t sender;
	int error;
};

static struct netlink_socket {
	bool open;
	int protocol; /* -1: not connected */
	int fd;	      /* -1: none yet */
	int group;    /* 0: none */
	struct waiting *waiting;
	size_t first, count, capacity;
} open_sockets[MAX_SOCKETS];
static void *library;
struct fakenl fakenl;

/*
 * Setup
 */

int fakenl_setup(void **state)
{
	fakesys_setup(state);
	fakenl_kernel_reset();
	memset(open_sockets, 0, sizeof(open_sockets));
	memset(&fakenl, 0, sizeof(fakenl));
	return 0;
}

int netlink_open_sockets(void)
{
	int count = 0;

	for (int i = 0; i < MAX_SOCKETS; i++)
		count += open_sockets[i].open;
	return count;
}

int fakenl_teardown(void **state)
{
	if (netlink_open_sockets())
		fail_msg("%d sockets were left open", netlink_open_sockets());
	return fakesys_teardown(state);
}

/*
 * Messages
 */

void fakenl_queue(struct netlink_socket *socket, const void *data, size_t size, uint32_t sender,
		  int error)
{
	struct waiting *waiting;

	assert_between(socket->first + socket->count, 0, MAX_WAITING - 1);
	if (socket->first + socket->count == socket->capacity) {
		socket->capacity = socket->capacity ? 2 * socket->capacity : 16;
		socket->waiting =
			kernel_allocate(socket->waiting, socket->capacity * sizeof(*waiting));
		assert_non_null(socket->waiting);
	}
	waiting = &socket->waiting[socket->first + socket->count++];
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

	for (int i = 0; i < MAX_SOCKETS; i++) {
		if (!listens(&open_sockets[i], protocol))
			continue;
		fakenl_queue(&open_sockets[i], data, size, sender, error);
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

	for (int i = 0; i < MAX_SOCKETS; i++)
		if (listens(&open_sockets[i], protocol))
			count += open_sockets[i].count;
	return count;
}

/*
 * Functions of libnl-3 and of the loader
 */

void *__real_dlopen(const char *name, int flags);
void *__real_dlsym(void *handle, const char *name);

void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlsym(void *handle, const char *name);
int __wrap_dlclose(void *handle);

static void require(bool condition)
{
	if (!condition)
		abort();
}

/* A result, as libnl-3 gives it: it leaves the errno in errno. */
static int result_of(int result)
{
	if (result >= 0)
		return result;
	errno = -result;
	return -nl_syserr2nlerr(-result);
}

static struct netlink_socket *of(const struct nl_sock *sk)
{
	struct netlink_socket *socket = (struct netlink_socket *)(uintptr_t)sk;

	require(socket >= open_sockets && socket < open_sockets + MAX_SOCKETS && socket->open);
	return socket;
}

static struct nl_sock *fake_nl_socket_alloc(void)
{
	struct netlink_socket *socket = open_sockets;

	while (socket < open_sockets + MAX_SOCKETS && socket->open)
		socket++;
	require(socket < open_sockets + MAX_SOCKETS);
	fakenl.sockets++;
	*socket = (struct netlink_socket){ .protocol = -1, .fd = -1 };
	socket->open = !fakesys_fails(KERNEL_ALLOCATE, NULL);
	return socket->open ? (struct nl_sock *)socket : NULL;
}

static void fake_nl_socket_free(struct nl_sock *sk)
{
	struct netlink_socket *socket = of(sk);

	for (; socket->count; socket->count--)
		kernel_release(socket->waiting[socket->first++].data);
	kernel_release(socket->waiting);
	if (socket->fd >= 0)
		close(socket->fd);
	socket->open = false;
}

static int fake_nl_connect(struct nl_sock *sk, int protocol)
{
	if (fakenl.connect_error[protocol])
		return result_of(-fakenl.connect_error[protocol]);
	of(sk)->fd = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
	assert_true(of(sk)->fd >= 0);
	of(sk)->protocol = protocol;
	return 0;
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
	if (group <= 0 || of(sk)->protocol < 0)
		return -NLE_BAD_SOCK;
	if (fakenl.join_error[of(sk)->protocol])
		return result_of(-fakenl.join_error[of(sk)->protocol]);
	of(sk)->group = group;
	return 0;
}

static int fake_nl_send_auto(struct nl_sock *sk, struct nl_msg *message)
{
	struct netlink_socket *socket = of(sk);

	pthread_testcancel();
	return result_of(fakenl.send_error ? -fakenl.send_error
					   : fakenl_kernel_response(socket, socket->protocol,
								    nlmsg_hdr(message)));
}

/* The size of what came, in memory for free(), and who sent it; or a negative errno. */
static int receive(struct netlink_socket *socket, unsigned char **data, uint32_t *sender)
{
	struct waiting waiting;
	eventfd_t one;

	if (!socket->count)
		return -EAGAIN;
	waiting = socket->waiting[socket->first];
	socket->first = --socket->count ? socket->first + 1 : 0;
	assert_int_equal(eventfd_read(socket->fd, &one), 0);
	if (!waiting.error && waiting.size) {
		*data = malloc(waiting.size); /* the library frees it */
		if (!*data)
			waiting.error = ENOMEM;
		else
			memcpy(*data, waiting.data, waiting.size);
		*sender = waiting.sender;
	}
	kernel_release(waiting.data); /* size 0: as at the end of a file */
	return waiting.error ? -waiting.error : (int)waiting.size;
}

static int fake_nl_recv(struct nl_sock *sk, struct sockaddr_nl *sender, unsigned char **data,
			struct ucred **creds)
{
	uint32_t pid = 0;
	int size;

	pthread_testcancel();
	require(!creds);
	size = receive(of(sk), data, &pid);
	if (size > 0)
		*sender = (struct sockaddr_nl){ .nl_family = AF_NETLINK, .nl_pid = pid };
	return result_of(size);
}

void *__wrap_dlopen(const char *name, int flags)
{
	require(!strcmp(name, "libnl-3.so.200") && flags == (RTLD_NOW | RTLD_LOCAL));
	fakenl.loads++;
	fakenl.is_loading = true;
	while (fakenl.load_held)
		usleep(1000);
	fakenl.is_loading = false;
	if (fakenl.library_lost)
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

	if (fakenl.function_lost && !strcmp(fakenl.function_lost, name))
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
