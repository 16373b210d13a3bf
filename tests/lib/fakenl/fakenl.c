/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakenl.c - see fakenl.h. The messages that wait for a socket are in a pipe, so that poll and
 * epoll work on its descriptor. What the library must not do ends the program; what sanitizers look
 * up in programs that have them linked in goes on to libc.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <rdma/rdma_netlink.h>
#include <sys/uio.h>

#include "test.h"
#include "fakenl.h"
#include "fakesys.h"

enum {
	MAX_SOCKETS = 32,
	PIPE_SIZE = 1 << 20,
	MAX_DEVICES = 300,
	MAX_TYPES = 0x2000,
	ANY_SEQUENCE = 0xffffffff,
	RESPONSE_SIZE = 4096,
};

static struct netlink_socket {
	bool open;
	int protocol;	  /* -1: not connected */
	int fd, other_fd; /* the ends of the pipe */
	int group;	  /* 0: none */
	size_t waiting;
} open_sockets[MAX_SOCKETS];
static void *library;
struct fakenl fakenl;

static struct fakenl_device devices[MAX_DEVICES];
static size_t device_count;
static uint32_t sequence; /* of the last request */
static int requests[MAX_TYPES];

static struct {
	uint8_t data[RESPONSE_SIZE];
	size_t size;
	int times;
} instead; /* of the reply to the next request */

int fakenl_setup(void **state)
{
	fakesys_setup(state);
	device_count = 0;
	instead.times = 0;
	memset(requests, 0, sizeof(requests));
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

void fakenl_add_device(const struct fakenl_device *device)
{
	assert_between(device_count, 0, MAX_DEVICES - 1);
	devices[device_count++] = *device;
}

void fakenl_remove_devices(void)
{
	device_count = 0;
}

void fakenl_know_rdma(void)
{
	kernel_file("/proc/net/netlink",
		    "sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    "
		    "Drops    Inode\n"
		    "00000000a573be63 0   0          00000000 0        0        0     2        "
		    "0        4       \n"
		    "00000000908b5d07 20  0          00000000 0        0        0     2        "
		    "0        557     \n");
}

void fakenl_show_devices(void)
{
	struct fakenl_device device = { .index = 3,
					.name = "rxe0",
					.protocol = "roce",
					.node_type = 1,
					.ports = 1,
					.state = 4,
					.phys_state = 5,
					.netdev_index = 7,
					.node = "umad4",
					.abi = 5 };

	fakenl_know_rdma();
	fakenl_add_device(&device);
	device.index = device.netdev_index = 0;
	device.name = "mlx5_0";
	device.protocol = "ib";
	device.ports = device.state = 2;
	device.node = "umad0";
	fakenl_add_device(&device);
}

void fakenl_response(const void *data, size_t size, int times)
{
	assert_between(size, 0, RESPONSE_SIZE);
	memcpy(instead.data, data, size);
	instead.size = size;
	instead.times = times;
}

int fakenl_requests(int type)
{
	return requests[type];
}

/*
 * Messages
 */

/* The pipe has this before the bytes of a message. */
struct head {
	size_t size;
	uint32_t sender;
	int error;
};

/* Puts a message, or an error of receiving it, into a socket. */
static void queue(struct netlink_socket *socket, const void *data, size_t size, uint32_t sender,
		  int error)
{
	struct head head = { size, sender, error };
	const struct iovec parts[] = { { &head, sizeof(head) }, { (void *)(uintptr_t)data, size } };

	assert_int_equal(writev(socket->other_fd, parts, 2), sizeof(head) + size);
	socket->waiting++;
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
		queue(&open_sockets[i], data, size, sender, error);
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
			count += open_sockets[i].waiting;
	return count;
}

/*
 * Replies, as recorded from kernels 6.1 and 6.12
 */

static struct nl_msg *start(int type, int flags)
{
	struct nl_msg *message = nlmsg_alloc_simple(type, flags);

	assert_non_null(message);
	nlmsg_hdr(message)->nlmsg_seq = sequence;
	return message;
}

static void append(struct nl_msg *message, void *data, size_t size)
{
	assert_int_equal(nlmsg_append(message, data, size, NLMSG_ALIGNTO), 0);
}

static void finish(struct netlink_socket *socket, struct nl_msg *message)
{
	queue(socket, nlmsg_hdr(message), nlmsg_hdr(message)->nlmsg_len, 0, 0);
	nlmsg_free(message);
}

static void acknowledge(struct netlink_socket *socket, const struct nlmsghdr *request, int error)
{
	struct nl_msg *message = start(NLMSG_ERROR, 0);
	struct nlmsgerr body = { .error = -error, .msg = *request };

	append(message, &body, sizeof(body));
	finish(socket, message);
}

static void put_handle(struct nl_msg *message, const struct fakenl_device *device)
{
	nla_put_u32(message, RDMA_NLDEV_ATTR_DEV_INDEX, device->index);
	nla_put_string(message, RDMA_NLDEV_ATTR_DEV_NAME, device->name);
}

static void dump_devices(struct netlink_socket *socket, int type)
{
	int flags = NLM_F_MULTI, result = 0;
	struct nl_msg *message;

	if (fakenl.interrupted_dumps) {
		fakenl.interrupted_dumps--;
		flags |= NLM_F_DUMP_INTR;
	}
	for (size_t i = 0; i < device_count; i++) {
		message = start(type, flags);
		put_handle(message, &devices[i]);
		nla_put_u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, devices[i].ports);
		nla_put_u64(message, RDMA_NLDEV_ATTR_CAP_FLAGS, 0x1223);
		nla_put_string(message, RDMA_NLDEV_ATTR_FW_VERSION, "20.40.1000");
		nla_put_u64(message, RDMA_NLDEV_ATTR_NODE_GUID, 0x0002c90300000001);
		nla_put_u64(message, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, 0x0002c90300000002);
		nla_put_u8(message, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, devices[i].node_type);
		if (devices[i].protocol)
			nla_put_string(message, RDMA_NLDEV_ATTR_DEV_PROTOCOL, devices[i].protocol);
		finish(socket, message);
	}
	message = start(NLMSG_DONE, flags);
	append(message, &result, sizeof(result));
	finish(socket, message);
}

/* A device's protocol is that of its first port. */
static bool is_infiniband(const struct fakenl_device *device, uint32_t port)
{
	const char *protocol = device->protocol ? device->protocol : "ib";

	return !(device->ethernet_ports >> port % 32 & 1) &&
	       (!strcmp(protocol, "ib") || !strcmp(protocol, "opa"));
}

static void put_port(struct nl_msg *message, const struct fakenl_device *device, uint32_t port)
{
	put_handle(message, device);
	nla_put_u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, port);
	if (is_infiniband(device, port)) {
		nla_put_u64(message, RDMA_NLDEV_ATTR_CAP_FLAGS, 0x000400002651e848);
		nla_put_u64(message, RDMA_NLDEV_ATTR_SUBNET_PREFIX, 0xfe80000000000000);
		nla_put_u32(message, RDMA_NLDEV_ATTR_LID, 0x12);
		nla_put_u32(message, RDMA_NLDEV_ATTR_SM_LID, 1);
		nla_put_u8(message, RDMA_NLDEV_ATTR_LMC, 2);
	}
	nla_put_u8(message, RDMA_NLDEV_ATTR_PORT_STATE, device->state);
	nla_put_u8(message, RDMA_NLDEV_ATTR_PORT_PHYS_STATE, device->phys_state);
	if (device->netdev_index) {
		nla_put_u32(message, RDMA_NLDEV_ATTR_NDEV_INDEX, device->netdev_index);
		nla_put_string(message, RDMA_NLDEV_ATTR_NDEV_NAME, "eth0");
	}
}

static const struct fakenl_device *find_device(struct nlattr **attributes)
{
	for (size_t i = 0; attributes[RDMA_NLDEV_ATTR_DEV_INDEX] && i < device_count; i++)
		if (devices[i].index == nla_get_u32(attributes[RDMA_NLDEV_ATTR_DEV_INDEX]))
			return &devices[i];
	return NULL;
}

/* For a port, the kernel replies with the message type of the request for devices. */
static int respond_to_port(struct netlink_socket *socket, struct nlmsghdr *request)
{
	struct nlattr *attributes[RDMA_NLDEV_ATTR_MAX];
	bool is_node = RDMA_NL_GET_OP(request->nlmsg_type) != RDMA_NLDEV_CMD_PORT_GET;
	const struct fakenl_device *device;
	struct nl_msg *message;
	uint32_t port;

	assert_int_equal(nlmsg_parse(request, 0, attributes, RDMA_NLDEV_ATTR_MAX - 1, NULL), 0);
	device = find_device(attributes);
	if (!device || !attributes[RDMA_NLDEV_ATTR_PORT_INDEX])
		return EINVAL;
	port = nla_get_u32(attributes[RDMA_NLDEV_ATTR_PORT_INDEX]);
	if (port > device->ports || (!port && device->node_type != 2))
		return EINVAL;
	if (is_node && (!device->node || port != 1))
		return ENODEV;
	message = start(is_node ? request->nlmsg_type
				: RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET),
			0);
	if (is_node) {
		assert_non_null(attributes[RDMA_NLDEV_ATTR_CHARDEV_TYPE]);
		assert_string_equal(nla_get_string(attributes[RDMA_NLDEV_ATTR_CHARDEV_TYPE]),
				    "umad");
		nla_put_u64(message, RDMA_NLDEV_ATTR_CHARDEV, 0xe700);
		nla_put_u64(message, RDMA_NLDEV_ATTR_CHARDEV_ABI, device->abi);
		nla_put_string(message, RDMA_NLDEV_ATTR_CHARDEV_NAME, device->node);
	} else {
		put_port(message, device, port);
	}
	finish(socket, message);
	return 0;
}

/* Sends the messages of the test, with the sequence number of the request. */
static void respond_instead(struct netlink_socket *socket)
{
	const uint32_t any = ANY_SEQUENCE;

	for (size_t at = 0; at + sizeof(any) <= instead.size; at += sizeof(any))
		if (!memcmp(instead.data + at, &any, sizeof(any)))
			memcpy(instead.data + at, &sequence, sizeof(sequence));
	for (; instead.times; instead.times--)
		queue(socket, instead.data, instead.size, 0, 0);
}

static void respond(struct netlink_socket *socket, struct nlmsghdr *request)
{
	requests[request->nlmsg_type % MAX_TYPES]++;
	if (instead.times) {
		respond_instead(socket);
	} else if (socket->protocol == NETLINK_ROUTE) { /* of which there are no interfaces */
		assert_int_equal(request->nlmsg_type, RTM_GETLINK);
		assert_int_equal(request->nlmsg_len, NLMSG_LENGTH(sizeof(struct ifinfomsg)));
		acknowledge(socket, request, ENODEV);
	} else if (request->nlmsg_type == RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET)) {
		assert_int_equal(request->nlmsg_flags & NLM_F_DUMP, NLM_F_DUMP);
		dump_devices(socket, request->nlmsg_type); /* without an acknowledgement */
	} else {
		assert_int_equal(socket->protocol, NETLINK_RDMA);
		assert_true(request->nlmsg_type ==
				    RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_PORT_GET) ||
			    request->nlmsg_type ==
				    RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET_CHARDEV));
		acknowledge(socket, request, respond_to_port(socket, request));
	}
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
	*socket = (struct netlink_socket){ .protocol = -1 };
	socket->open = !fakesys_fails(KERNEL_ALLOCATE, NULL);
	return socket->open ? (struct nl_sock *)socket : NULL;
}

static void fake_nl_socket_free(struct nl_sock *sk)
{
	struct netlink_socket *socket = of(sk);

	socket->open = false;
	if (socket->protocol < 0)
		return;
	close(socket->fd);
	close(socket->other_fd);
}

static int fake_nl_connect(struct nl_sock *sk, int protocol)
{
	struct netlink_socket *socket = of(sk);
	int ends[2];

	if (fakenl.connect_error[protocol])
		return result_of(-fakenl.connect_error[protocol]);
	assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	assert_int_equal(fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE), PIPE_SIZE);
	socket->protocol = protocol;
	socket->fd = ends[0];
	socket->other_fd = ends[1];
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

static unsigned int fake_nl_socket_use_seq(struct nl_sock *sk)
{
	of(sk);
	return sequence++;
}

static int fake_nl_send_simple(struct nl_sock *sk, int type, int flags, void *data, size_t size)
{
	struct nl_msg *message;

	pthread_testcancel();
	if (fakenl.send_error)
		return result_of(-fakenl.send_error);
	message = start(type, flags | NLM_F_REQUEST | NLM_F_ACK);
	append(message, data, size);
	respond(of(sk), nlmsg_hdr(message));
	nlmsg_free(message);
	return (int)size;
}

/* Memory for a message, which the library frees; size 0: as at the end of a file. */
static int fake_nl_recv(struct nl_sock *sk, struct sockaddr_nl *sender, unsigned char **data,
			struct ucred **creds)
{
	struct iovec part = { .iov_len = sizeof(struct head) };
	struct head head;

	pthread_testcancel();
	require(!creds);
	part.iov_base = &head;
	if (readv(of(sk)->fd, &part, 1) < 0)
		return result_of(-errno);
	of(sk)->waiting--;
	if (head.size) {
		*data = malloc(head.size);
		part = (struct iovec){ kernel_allocate(NULL, head.size), head.size };
		assert_int_equal(readv(of(sk)->fd, &part, 1), head.size);
		if (*data)
			memcpy(*data, part.iov_base, head.size);
		kernel_release(part.iov_base);
		*sender = (struct sockaddr_nl){ .nl_family = AF_NETLINK, .nl_pid = head.sender };
	}
	if (head.size && !*data)
		head.error = ENOMEM;
	return result_of(head.error ? -head.error : (int)head.size);
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
		FAKE(nl_send_simple),
		FAKE(nl_socket_add_membership),
		FAKE(nl_socket_alloc),
		FAKE(nl_socket_free),
		FAKE(nl_socket_get_fd),
		FAKE(nl_socket_set_buffer_size),
		FAKE(nl_socket_set_nonblocking),
		FAKE(nl_socket_use_seq),
	};
	void *address;

	if (fakenl.function_lost && !strcmp(fakenl.function_lost, name))
		return NULL;
	for (size_t i = 0; i < COUNT(fakes); i++) {
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
