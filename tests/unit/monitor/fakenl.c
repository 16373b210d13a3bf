/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakenl.c - the sockets of fakenl, and the loading of the library. A socket's descriptor is a
 * counter of the messages that wait, so that poll and epoll work on it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <cmocka.h>

#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "fakenl-internal.h"
#include "fakesys.h"
#include "../../lib/assert-between.h"

enum { MAX_SOCKETS = 16, MAX_WAITING = 4096, MAX_PROTOCOL = 32, MAX_CLOSING = 64 };

struct waiting {
	void *data;
	size_t size;
	uint32_t sender;
	int error;
};

struct fakenl_socket {
	bool open;
	int protocol; /* -1: not connected */
	int group;    /* 0: none */
	int fd;
	struct waiting *waiting;
	size_t first, count, capacity;
};

static struct fakenl_socket sockets[MAX_SOCKETS];
static void *library;
static bool library_lost;
static const char *function_lost;
static int load_takes_ms;
static atomic_bool is_loading;
static int loads, receives, send_error;
static int connect_error[MAX_PROTOCOL], join_error[MAX_PROTOCOL];

void *__real_dlopen(const char *name, int flags);
void *__real_dlsym(void *handle, const char *name);

void *__wrap_dlopen(const char *name, int flags);
void *__wrap_dlsym(void *handle, const char *name);
int __wrap_dlclose(void *handle);

/*
 * Setup
 */

int fakenl_setup(void **state)
{
	fakesys_setup(state);
	fakenl_kernel_reset();
	memset(sockets, 0, sizeof(sockets));
	memset(connect_error, 0, sizeof(connect_error));
	memset(join_error, 0, sizeof(join_error));
	library_lost = false;
	function_lost = NULL;
	load_takes_ms = 0;
	loads = receives = send_error = 0;
	return 0;
}

int fakenl_teardown(void **state)
{
	if (fakenl_open_sockets())
		fail_msg("%d sockets were left open", fakenl_open_sockets());
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

int fakenl_receives(void)
{
	return receives;
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

int fakenl_open_sockets(void)
{
	int i, count = 0;

	for (i = 0; i < MAX_SOCKETS; i++)
		count += sockets[i].open;
	return count;
}

/*
 * Messages
 */

void fakenl_queue(struct fakenl_socket *socket, const void *data, size_t size, uint32_t sender,
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

static void send_all(int protocol, const void *data, size_t size, uint32_t sender, int error)
{
	bool sent = false;
	int i;

	for (i = 0; i < MAX_SOCKETS; i++) {
		if (!sockets[i].open || sockets[i].protocol != protocol || !sockets[i].group)
			continue;
		fakenl_queue(&sockets[i], data, size, sender, error);
		sent = true;
	}
	if (!sent)
		fail_msg("nobody listens to protocol %d", protocol);
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
	int i;

	for (i = 0; i < MAX_SOCKETS; i++)
		if (sockets[i].open && sockets[i].protocol == protocol && sockets[i].group)
			count += sockets[i].count;
	return count;
}

/*
 * The functions of libnl-3
 */

static struct fakenl_socket *of(const struct nl_sock *sk)
{
	struct fakenl_socket *socket = (struct fakenl_socket *)(uintptr_t)sk;

	assert_true(socket >= sockets && socket < sockets + MAX_SOCKETS && socket->open);
	return socket;
}

static struct nl_sock *fake_nl_socket_alloc(void)
{
	struct fakenl_socket *socket = sockets;

	if (fakesys_fails(KERNEL_ALLOCATE, NULL))
		return NULL;
	while (socket->open)
		socket++;
	assert_true(socket < sockets + MAX_SOCKETS);
	*socket = (struct fakenl_socket){ .open = true, .protocol = -1, .fd = -1 };
	return (struct nl_sock *)socket;
}

static void fake_nl_socket_free(struct nl_sock *sk)
{
	struct fakenl_socket *socket = of(sk);

	while (socket->count) {
		kernel_release(socket->waiting[socket->first++].data);
		socket->count--;
	}
	kernel_release(socket->waiting);
	if (socket->fd >= 0)
		close(socket->fd);
	socket->open = false;
}

static int fake_nl_connect(struct nl_sock *sk, int protocol)
{
	struct fakenl_socket *socket = of(sk);

	if (connect_error[protocol])
		return -connect_error[protocol];
	socket->protocol = protocol;
	socket->fd = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
	assert_true(socket->fd >= 0);
	return 0;
}

static int fake_nl_socket_get_fd(const struct nl_sock *sk)
{
	return of(sk)->fd;
}

static int fake_nl_socket_set_nonblocking(const struct nl_sock *sk)
{
	return of(sk)->fd >= 0 ? 0 : -NLE_BAD_SOCK;
}

static int fake_nl_socket_set_buffer_size(struct nl_sock *sk, int receive, int send)
{
	assert_true(of(sk)->fd >= 0 && receive > 0 && send == 0);
	return 0;
}

static int fake_nl_socket_add_membership(struct nl_sock *sk, int group)
{
	struct fakenl_socket *socket = of(sk);

	if (join_error[socket->protocol])
		return -join_error[socket->protocol];
	socket->group = group;
	return 0;
}

static int fake_nl_recv(struct nl_sock *sk, struct sockaddr_nl *sender, unsigned char **data,
			struct ucred **creds)
{
	struct fakenl_socket *socket = of(sk);
	struct waiting waiting;
	eventfd_t one;

	pthread_testcancel();
	assert_null(creds);
	receives++;
	if (!socket->count)
		return -NLE_AGAIN;
	waiting = socket->waiting[socket->first];
	socket->first = --socket->count ? socket->first + 1 : 0;
	assert_int_equal(eventfd_read(socket->fd, &one), 0);
	if (!waiting.error && waiting.size) {
		*data = malloc(waiting.size + 1); /* which our library frees */
		if (!*data)
			waiting.error = NLE_NOMEM;
		else
			memcpy(*data, waiting.data, waiting.size);
		*sender = (struct sockaddr_nl){ .nl_family = AF_NETLINK, .nl_pid = waiting.sender };
	}
	kernel_release(waiting.data); /* nothing: as at the end of a file */
	return waiting.error ? -waiting.error : (int)waiting.size;
}

static int fake_nl_send_auto(struct nl_sock *sk, struct nl_msg *message)
{
	pthread_testcancel();
	if (send_error)
		return -send_error;
	return fakenl_kernel_answer(of(sk), of(sk)->protocol, nlmsg_hdr(message));
}

/*
 * The library
 */

void *__wrap_dlopen(const char *name, int flags)
{
	loads++;
	assert_string_equal(name, "libnl-3.so.200");
	is_loading = true;
	if (load_takes_ms)
		usleep((useconds_t)load_takes_ms * 1000);
	is_loading = false;
	if (library_lost)
		return NULL;
	library = __real_dlopen(name, flags);
	return library;
}

int __wrap_dlclose(void *handle)
{
	assert_ptr_equal(handle, library);
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
	size_t i;

	if (function_lost && !strcmp(function_lost, name))
		return NULL;
	for (i = 0; i < sizeof(fakes) / sizeof(fakes[0]); i++) {
		if (strcmp(fakes[i].name, name) != 0)
			continue;
		memcpy(&address, &fakes[i].function, sizeof(address));
		return address;
	}
	assert_int_not_equal(strncmp(name, "nl_", 3), 0);
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
	if (handle == RTLD_NEXT || handle == RTLD_DEFAULT)
		return __real_dlsym(handle, name);
	assert_ptr_equal(handle, library);
	return fake_dlsym(name);
}
