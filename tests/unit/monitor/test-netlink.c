/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-netlink.c - sockets, requests and their replies (libibumad/netlink/netlink.c, nldev.c): a
 * missing library, replies of all kinds, and messages with wrong lengths.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include <linux/rtnetlink.h>
#include <netlink/errno.h>
#include <rdma/rdma_netlink.h>

#include "test.h"
#include "fakenl.h"
#include "fakesys.h"
#include "listen.h"
#include "libibumad/netlink/nldev.h"

enum {
	TYPE_GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET),
	TYPE_PORT_GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_PORT_GET),
	ANY_SEQUENCE = -1,
	SOMEBODY = 4711,
};

static const struct fakenl_device mlx5 = {
	.index = 3,
	.name = "mlx5_0",
	.protocol = "ib",
	.node_type = 1,
	.ports = 1,
	.state = 4,
	.phys_state = 5,
	.node = "umad0",
	.abi = 5,
};
static const struct fakenl_device rxe = {
	.index = 9,
	.name = "rxe0",
	.protocol = "roce",
	.node_type = 1,
	.ports = 1,
	.state = 1,
	.phys_state = 3,
	.netdev_index = 7,
	.node = "umad17",
	.abi = 5,
};

static struct umad_netlink *netlink;

static void open_rdma(void)
{
	assert_int_equal(umad_nldev_open(&netlink), 0);
}

/*
 * The library. These come first, since it stays once it is loaded.
 */

FAKENL_TEST(missing_library_is_told)
{
	fakenl_lose_library();
	errno = EBADF;
	assert_int_equal(umad_nldev_open(&netlink), -ELIBACC);
	assert_int_equal(errno, EBADF);
	assert_null(netlink);
}

FAKENL_TEST(library_without_a_function_is_told)
{
	fakenl_lose_function("nla_put");
	assert_int_equal(umad_nldev_open(&netlink), -ELIBBAD);
	fakenl_lose_function("nlmsg_ok");
	assert_int_equal(umad_nldev_open(&netlink), -ELIBBAD);
	assert_null(netlink);
}

static void *load_slowly(void *result)
{
	struct umad_netlink *opened;

	*(int *)result = umad_nldev_open(&opened);
	return NULL;
}

/* The child of a fork, in which the thread that was loading is missing, does not wait for it. */
FAKENL_TEST(forks_wait_for_the_library)
{
	int result = 0, status = -1;
	pthread_t thread;
	pid_t child;

	fakenl_lose_library();
	fakenl_slow_load(300);
	assert_int_equal(pthread_create(&thread, NULL, load_slowly, &result), 0);
	while (!fakenl_is_loading())
		usleep(1000);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		alarm(20);
		fakenl_slow_load(0);
		_exit(umad_nldev_open(&netlink) != -ELIBACC);
	}
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(result, -ELIBACC);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

FAKENL_TEST(library_is_loaded_once)
{
	struct umad_netlink *other;

	open_rdma();
	assert_int_equal(fakenl_loads(), 1);
	assert_int_equal(umad_netlink_open(NETLINK_ROUTE, &other), 0);
	assert_int_equal(fakenl_loads(), 1);
	assert_int_equal(netlink_open_sockets(), 2);
	umad_netlink_close(other);
	umad_netlink_close(netlink);
	umad_netlink_close(NULL);
	assert_int_equal(netlink_open_sockets(), 0);
}

FAKENL_TEST(errors_of_opening_are_told)
{
	static const int errors[][2] = {
		{ NLE_PROTO_MISMATCH, -EPROTONOSUPPORT },
		{ NLE_NOMEM, -ENOMEM },
		{ NLE_PERM, -EPERM },
		{ NLE_NOACCESS, -EACCES },
		{ NLE_MAX + 100, -EIO },
	};
	size_t i;
	int n;

	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		fakenl_fail_connect(NETLINK_RDMA, errors[i][0]);
		errno = EBADF; /* of something before */
		assert_int_equal(umad_nldev_open(&netlink), errors[i][1]);
		assert_int_equal(errno, EBADF);
		assert_null(netlink);
	}
	fakenl_fail_connect(NETLINK_RDMA, 0);
	for (n = 1; n <= 2; n++) {
		fakesys_fail_nth(KERNEL_ALLOCATE, n, ENOMEM);
		assert_int_equal(umad_nldev_open(&netlink), -ENOMEM);
		fakesys_forget();
	}
}

FAKENL_TEST(errors_of_joining_are_told)
{
	open_rdma();
	fakenl_fail_join(NETLINK_RDMA, NLE_PERM);
	assert_int_equal(umad_netlink_join(netlink, UMAD_NLDEV_EVENTS), -EPERM);
	fakenl_fail_join(NETLINK_RDMA, NLE_MAX + 100);
	errno = EBADF; /* of something before */
	assert_int_equal(umad_netlink_join(netlink, UMAD_NLDEV_EVENTS), -EIO);
	assert_int_equal(errno, EBADF);
	fakenl_fail_join(NETLINK_RDMA, 0);
	assert_int_equal(umad_netlink_join(netlink, UMAD_NLDEV_EVENTS), 0);
	umad_netlink_close(netlink);
}

/*
 * Receiving
 */

FAKENL_TEST(only_the_kernel_is_heard)
{
	struct umad_netlink_datagram datagram;

	open_rdma();
	umad_netlink_join(netlink, UMAD_NLDEV_EVENTS);
	assert_int_equal(umad_netlink_receive(netlink, &datagram), 0);
	fakenl_send(NETLINK_RDMA, "forged", 6, SOMEBODY);
	fakenl_send(NETLINK_RDMA, "true", 4, 0);
	fakenl_send(NETLINK_RDMA, "forged", 6, 1);
	errno = EBADF;
	assert_int_equal(umad_netlink_receive(netlink, &datagram), 1);
	assert_int_equal(datagram.size, 4);
	assert_memory_equal(datagram.data, "true", 4);
	free(datagram.data);
	assert_int_equal(umad_netlink_receive(netlink, &datagram), 0);
	assert_int_equal(errno, EBADF);
	assert_int_equal(fakenl_waiting(NETLINK_RDMA), 0);
	umad_netlink_close(netlink);
}

static void receive_with_debugging(void)
{
	struct umad_netlink_datagram datagram;

	umad_debug(1);
	listen(umad_netlink_receive(netlink, &datagram));
	umad_debug(0);
}

FAKENL_TEST(others_that_send_are_told_of)
{
	open_rdma();
	umad_netlink_join(netlink, UMAD_NLDEV_EVENTS);
	fakenl_send(NETLINK_RDMA, "forged", 6, SOMEBODY);
	receive_with_debugging();
	assert_string_equal(said, "libibumad: netlink message of 4711, not of the kernel\n");
	umad_netlink_close(netlink);
}

FAKENL_TEST(lost_messages_are_told)
{
	struct umad_netlink_datagram datagram;

	open_rdma();
	umad_netlink_join(netlink, UMAD_NLDEV_EVENTS);
	fakenl_send_error(NETLINK_RDMA, NLE_NOMEM);
	assert_int_equal(umad_netlink_receive(netlink, &datagram), -ENOBUFS);
	fakenl_send_error(NETLINK_RDMA, NLE_BAD_SOCK);
	assert_int_equal(umad_netlink_receive(netlink, &datagram), -EBADF);
	fakenl_send(NETLINK_RDMA, "", 0, 0);
	assert_int_equal(umad_netlink_receive(netlink, &datagram), 0);
	umad_netlink_close(netlink);
}

static int count_message(const struct nlmsghdr *message, void *context)
{
	int *count = context;

	assert_true(message->nlmsg_len >= sizeof(*message));
	return ++*count == 3 ? -ECANCELED : 0;
}

static int walk(const void *data, size_t size)
{
	struct umad_netlink_datagram datagram = { malloc(size ? size : 1), size };
	int count = 0, ret;

	memcpy(datagram.data, data, size);
	ret = umad_netlink_walk(&datagram, count_message, &count);
	free(datagram.data);
	return ret < 0 ? ret : count;
}

FAKENL_TEST(only_whole_messages_are_walked)
{
	struct nlmsghdr messages[4] = { { .nlmsg_len = sizeof(messages[0]) },
					{ .nlmsg_len = sizeof(messages[0]) } };
	size_t size;

	open_rdma(); /* loads the library */
	for (size = 0; size <= 2 * sizeof(messages[0]); size++)
		assert_int_equal(walk(messages, size), size / sizeof(messages[0]));
	messages[2] = messages[3] = messages[0];
	assert_int_equal(walk(messages, sizeof(messages)), -ECANCELED);
	messages[1].nlmsg_len = 2 * sizeof(messages[0]) + 1;
	assert_int_equal(walk(messages, 3 * sizeof(messages[0])), 1);
	messages[1].nlmsg_len = sizeof(messages[0]) - 1;
	assert_int_equal(walk(messages, 3 * sizeof(messages[0])), 1);
	messages[1].nlmsg_len = 0;
	assert_int_equal(walk(messages, 3 * sizeof(messages[0])), 1);
	messages[1].nlmsg_len = UINT32_MAX;
	assert_int_equal(walk(messages, 3 * sizeof(messages[0])), 1);
	umad_netlink_close(netlink);
}

/*
 * Attributes
 */

struct object {
	uint8_t small;
	uint32_t middle;
	uint64_t large;
	char name[8];
	char text[8];
	char guard[8];
};

static const struct umad_netlink_field fields[] = {
	UMAD_NETLINK_FIELD(1, struct object, small, U8),
	UMAD_NETLINK_FIELD(2, struct object, middle, U32),
	UMAD_NETLINK_FIELD(3, struct object, large, U64),
	UMAD_NETLINK_FIELD(4, struct object, name, NAME),
	UMAD_NETLINK_FIELD(5, struct object, text, TEXT),
};

/* A message in the making. */
struct writer {
	uint8_t data[512];
	size_t size;
};

static void begin(struct writer *writer, unsigned short type)
{
	struct nlmsghdr header = { .nlmsg_type = type, .nlmsg_seq = (uint32_t)ANY_SEQUENCE };

	memset(writer, 0, sizeof(*writer));
	memcpy(writer->data, &header, sizeof(header));
	writer->size = sizeof(header);
}

static void put(struct writer *writer, unsigned short type, const void *value, size_t size)
{
	struct nlattr attribute = { .nla_type = type, .nla_len = (uint16_t)(NLA_HDRLEN + size) };

	memcpy(writer->data + writer->size, &attribute, sizeof(attribute));
	memcpy(writer->data + writer->size + NLA_HDRLEN, value, size);
	writer->size += NLA_ALIGN(NLA_HDRLEN + size);
}

static const void *end(struct writer *writer)
{
	uint32_t size = (uint32_t)writer->size;

	memcpy(writer->data, &size, sizeof(size));
	return writer->data;
}

static int decode(struct writer *writer, struct object *object)
{
	void *copy = malloc(writer->size);
	int ret;

	memcpy(copy, end(writer), writer->size);
	ret = umad_netlink_decode(copy, 0, fields, sizeof(fields) / sizeof(fields[0]), object);
	free(copy);
	return ret;
}

FAKENL_TEST(attributes_go_where_they_belong)
{
	struct object object = { .guard = "guarded" };
	uint32_t middle = 0x12345678;
	uint64_t large = 0x123456789abcdef0;
	struct writer writer;

	open_rdma();
	begin(&writer, TYPE_GET);
	put(&writer, 99, "unknown", 7);
	put(&writer, 2, &middle, 4);
	put(&writer, 1, "\x7f", 1);
	put(&writer, 3 | NLA_F_NESTED, &large, 8); /* flags are no part of the type */
	put(&writer, 4, "rxe0", 5);
	put(&writer, 5, "20.40.1000", 11);
	assert_int_equal(decode(&writer, &object), 0);
	assert_int_equal(object.small, 0x7f);
	assert_int_equal(object.middle, middle);
	assert_true(object.large == large);
	assert_string_equal(object.name, "rxe0");
	assert_string_equal(object.text, "20.40.1"); /* cut */
	assert_string_equal(object.guard, "guarded");
	umad_netlink_close(netlink);
}

FAKENL_TEST(attributes_of_wrong_size_are_left_out)
{
	static const char bytes[32] = "0123456789012345678901234567890";
	struct object object = { .small = 1, .middle = 2, .large = 3, .guard = "guarded" };
	struct writer writer;
	size_t size;

	open_rdma();
	for (size = 0; size < sizeof(bytes); size++) {
		begin(&writer, TYPE_GET);
		if (size != 1)
			put(&writer, 1, bytes, size);
		if (size != 4)
			put(&writer, 2, bytes, size);
		if (size != 8)
			put(&writer, 3, bytes, size);
		put(&writer, 4, bytes, size); /* no NUL: as long as the attribute */
		assert_int_equal(decode(&writer, &object), 0);
		assert_true(object.small == 1 && object.middle == 2 && object.large == 3);
		assert_int_equal(strlen(object.name), size < 8 ? size : 7);
	}
	assert_string_equal(object.name, "0123456"); /* the last that fitted */
	assert_string_equal(object.guard, "guarded");
	umad_netlink_close(netlink);
}

FAKENL_TEST(cut_attributes_are_left_out)
{
	struct object object;
	struct writer writer, cut;
	uint32_t middle = 5;
	size_t size;

	open_rdma();
	begin(&writer, TYPE_GET);
	put(&writer, 2, &middle, 4);
	put(&writer, 4, "rxe0", 5);
	for (size = sizeof(struct nlmsghdr); size <= writer.size; size++) {
		object = (struct object){ .middle = 1 };
		cut = writer;
		cut.size = size;
		assert_int_equal(decode(&cut, &object), 0);
		assert_int_equal(object.middle, size < 24 ? 1 : 5);
		assert_string_equal(object.name, size < 33 ? "" : "rxe0");
	}
	cut.size = sizeof(struct nlmsghdr);
	assert_int_equal(umad_netlink_decode(end(&cut), 4, fields, 5, &object), -EBADMSG);
	umad_netlink_close(netlink);
}

/*
 * Requests
 */

FAKENL_TEST(devices_are_read)
{
	struct umad_nldev_device *devices;
	size_t count;

	fakenl_add_device(&mlx5);
	fakenl_add_device(&rxe);
	open_rdma();
	errno = EBADF;
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), 0);
	assert_int_equal(errno, EBADF);
	assert_int_equal(count, 2);
	assert_string_equal(devices[0].name, "mlx5_0");
	assert_int_equal(devices[0].index, 3);
	assert_int_equal(devices[0].last_port, 1);
	assert_string_equal(devices[0].fw_ver, "20.40.1000");
	assert_true(devices[0].node_guid == 0x0002c90300000001);
	assert_true(devices[0].system_guid == 0x0002c90300000002);
	assert_int_equal(devices[0].node_type, 1);
	assert_string_equal(devices[1].name, "rxe0");
	free(devices);
	umad_netlink_close(netlink);
}

FAKENL_TEST(names_that_nobody_can_have_are_left_out)
{
	static const char *const names[] = {
		"", ".", "..", "a/b", "b1234567890123456789", "a123456789012345678"
	};
	struct fakenl_device device = rxe;
	struct umad_nldev_device *devices;
	size_t count, i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		device.name = names[i];
		fakenl_add_device(&device);
	}
	open_rdma();
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), 0);
	assert_int_equal(count, 1);
	assert_string_equal(devices[0].name, "a123456789012345678");
	free(devices);
	umad_netlink_close(netlink);
}

FAKENL_TEST(many_devices_are_read)
{
	struct umad_nldev_device *devices;
	size_t count, i;

	for (i = 0; i < 200; i++)
		fakenl_add_device(&rxe);
	open_rdma();
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), 0);
	assert_int_equal(count, 200);
	free(devices);
	umad_netlink_close(netlink);
}

FAKENL_TEST(a_dump_that_changed_is_asked_for_again)
{
	struct umad_nldev_device *devices;
	size_t count;

	fakenl_add_device(&rxe);
	open_rdma();
	fakenl_interrupt_dumps(2);
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), 0);
	assert_int_equal(count, 1);
	assert_int_equal(fakenl_requests(TYPE_GET), 3);
	free(devices);
	fakenl_interrupt_dumps(1000);
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), -EINTR);
	assert_between(fakenl_requests(TYPE_GET), 4, 10);
	umad_netlink_close(netlink);
}

FAKENL_TEST(a_device_is_found_by_its_name)
{
	struct umad_nldev_device device;

	fakenl_add_device(&mlx5);
	fakenl_add_device(&rxe);
	open_rdma();
	assert_int_equal(umad_nldev_find_device(netlink, "rxe0", &device), 0);
	assert_int_equal(device.index, 9);
	assert_int_equal(umad_nldev_find_device(netlink, "rxe1", &device), -ENODEV);
	umad_netlink_close(netlink);
}

FAKENL_TEST(ports_are_read)
{
	struct umad_nldev_port port;

	fakenl_add_device(&mlx5);
	fakenl_add_device(&rxe);
	open_rdma();
	assert_int_equal(umad_nldev_read_port(netlink, 3, 1, &port), 0);
	assert_true(port.is_infiniband);
	assert_int_equal(port.state, 4);
	assert_int_equal(port.phys_state, 5);
	assert_int_equal(port.lid, 0x12);
	assert_int_equal(port.sm_lid, 1);
	assert_int_equal(port.lmc, 2);
	assert_int_equal((uint32_t)port.cap_flags, 0x2651e848);
	assert_int_equal(port.netdev_index, 0);
	assert_int_equal(umad_nldev_read_port(netlink, 9, 1, &port), 0);
	assert_false(port.is_infiniband);
	assert_int_equal(port.state, 1);
	assert_int_equal(port.lid, 0);
	assert_int_equal(port.netdev_index, 7);
	assert_int_equal(umad_nldev_read_port(netlink, 9, 2, &port), -EINVAL);
	assert_int_equal(umad_nldev_read_port(netlink, 8, 1, &port), -EINVAL);
	umad_netlink_close(netlink);
}

FAKENL_TEST(character_devices_are_read)
{
	char name[UMAD_CA_NAME_LEN];
	uint64_t abi;

	fakenl_add_device(&rxe);
	open_rdma();
	assert_int_equal(umad_nldev_read_chardev(netlink, 9, 1, "umad", name, &abi), 0);
	assert_string_equal(name, "umad17");
	assert_int_equal(abi, 5);
	assert_int_equal(umad_nldev_read_chardev(netlink, 1, 1, "umad", name, &abi), -EINVAL);
	umad_netlink_close(netlink);
}

static int read_port(struct umad_nldev_port *port)
{
	return umad_nldev_read_port(netlink, rxe.index, 1, port);
}

FAKENL_TEST(errors_of_the_kernel_are_told)
{
	struct umad_nldev_port port;

	fakenl_add_device(&rxe);
	open_rdma();
	fakenl_response_error(EPERM);
	assert_int_equal(read_port(&port), -EPERM);
	fakenl_response_error(-EPERM); /* errors are negative */
	assert_int_equal(read_port(&port), -EBADMSG);
	fakenl_response_error(1000000);
	assert_int_equal(read_port(&port), -EBADMSG);
	assert_int_equal(read_port(&port), 0);
	umad_netlink_close(netlink);
}

FAKENL_TEST(errors_of_sending_are_told)
{
	struct umad_nldev_port port;

	fakenl_add_device(&rxe);
	open_rdma();
	fakenl_fail_send(NLE_NOMEM);
	assert_int_equal(read_port(&port), -ENOMEM);
	fakenl_fail_send(NLE_MAX + 100);
	errno = EBADF; /* of something before */
	assert_int_equal(read_port(&port), -EIO);
	assert_int_equal(errno, EBADF);
	fakenl_fail_send(0);
	assert_int_equal(read_port(&port), 0);
	umad_netlink_close(netlink);
}

FAKENL_TEST(an_error_that_is_too_short_is_one)
{
	struct nlmsghdr error = { sizeof(error), NLMSG_ERROR, 0, (uint32_t)ANY_SEQUENCE, 0 };
	struct umad_nldev_port port;

	fakenl_add_device(&rxe);
	open_rdma();
	fakenl_response(&error, sizeof(error), 0);
	assert_int_equal(read_port(&port), -EBADMSG);
	error.nlmsg_type = NLMSG_DONE; /* older kernels send no status with it */
	fakenl_response(&error, sizeof(error), 0);
	assert_int_equal(read_port(&port), 0);
	umad_netlink_close(netlink);
}

/* Messages that are not the reply are ignored: those of other senders, or to older requests. */
FAKENL_TEST(foreign_responses_are_dropped)
{
	struct umad_nldev_device *devices;
	struct writer writer;
	size_t count;

	fakenl_add_device(&rxe);
	open_rdma();
	umad_netlink_join(netlink, UMAD_NLDEV_EVENTS);
	begin(&writer, TYPE_GET);
	put(&writer, RDMA_NLDEV_ATTR_DEV_NAME, "forged", 7);
	fakenl_send(NETLINK_RDMA, end(&writer), writer.size, SOMEBODY);
	memset(writer.data + offsetof(struct nlmsghdr, nlmsg_seq), 0, 4);
	fakenl_send(NETLINK_RDMA, end(&writer), writer.size, 0);
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), 0);
	assert_int_equal(count, 1);
	assert_string_equal(devices[0].name, "rxe0");
	free(devices);
	umad_netlink_close(netlink);
}

/* Messages of netlink itself, such as NLMSG_NOOP, are not part of the reply. */
FAKENL_TEST(control_messages_are_passed_over)
{
	struct nlmsghdr nothing = { sizeof(nothing), NLMSG_NOOP, 0, (uint32_t)ANY_SEQUENCE, 0 };
	struct nlmsghdr done = { sizeof(done), NLMSG_DONE, 0, (uint32_t)ANY_SEQUENCE, 0 };
	struct umad_nldev_device *devices;
	uint8_t response[600];
	struct writer writer;
	size_t count;

	open_rdma();
	begin(&writer, TYPE_GET);
	put(&writer, RDMA_NLDEV_ATTR_DEV_NAME, "rxe0", 5);
	memcpy(response, &nothing, sizeof(nothing));
	memcpy(response + sizeof(nothing), end(&writer), writer.size);
	memcpy(response + sizeof(nothing) + writer.size, &done, sizeof(done));
	fakenl_response(response, sizeof(nothing) + writer.size + sizeof(done), 0);
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), 0);
	assert_int_equal(count, 1);
	assert_string_equal(devices[0].name, "rxe0");
	free(devices);
	umad_netlink_close(netlink);
}

FAKENL_TEST(responses_without_end_are_not_kept)
{
	struct umad_nldev_device *devices;
	struct writer writer;
	uint8_t flood[4096];
	size_t count, at;

	open_rdma();
	begin(&writer, TYPE_GET);
	put(&writer, RDMA_NLDEV_ATTR_DEV_NAME, "rxe0", 5);
	end(&writer);
	for (at = 0; at + writer.size <= sizeof(flood); at += writer.size)
		memcpy(flood + at, writer.data, writer.size);
	fakenl_response(flood, at, 0);
	fakenl_repeat_response(100);
	assert_int_equal(umad_nldev_read_devices(netlink, &devices, &count), -EOVERFLOW);
	umad_netlink_close(netlink);
}

FAKENL_TEST(want_of_memory_is_told)
{
	struct umad_nldev_device *devices;
	size_t count;
	int i, n, ret;

	for (i = 0; i < 20; i++)
		fakenl_add_device(&rxe);
	for (n = 1;; n++) {
		open_rdma();
		fakesys_fail_nth(KERNEL_ALLOCATE, n, ENOMEM);
		ret = umad_nldev_read_devices(netlink, &devices, &count);
		fakesys_forget();
		umad_netlink_close(netlink);
		if (!ret)
			break;
		assert_true(ret == -ENOMEM || ret == -ENOBUFS);
	}
	assert_between(n, 20, 40);
	assert_int_equal(count, 20);
	free(devices);
}

/*
 * Is there RDMA at all; notifications
 */

FAKENL_TEST(rdma_is_known_by_the_protocol)
{
	char text[20000] = "sk               Eth Pid        Groups\n";

	assert_false(umad_nldev_known()); /* no such file */
	fakenl_know_rdma();
	assert_true(umad_nldev_known());
	kernel_file("/proc/net/netlink", text);
	assert_false(umad_nldev_known());
	kernel_file("/proc/net/netlink", "0000000019d3d8f2 20");
	assert_false(umad_nldev_known()); /* not a whole line */
	kernel_file("/proc/net/netlink", "");
	assert_false(umad_nldev_known());
	kernel_file("/proc/net/netlink", "20\n\n \n20 2 \nx 200 0\nx 2 20\nx");
	assert_false(umad_nldev_known());

	memset(text, 'x', sizeof(text) - 1); /* a line without end */
	text[sizeof(text) - 1] = '\0';
	kernel_file("/proc/net/netlink", text);
	assert_false(umad_nldev_known());
	fakesys_fail_path(KERNEL_READ, "/proc/net/netlink", EIO);
	assert_false(umad_nldev_known());
	assert_int_equal(fakenl_loads(), 0);
}

/* The library reads what fits a page; wherever a line is cut by that, it is understood. */
FAKENL_TEST(rdma_is_known_in_long_lists)
{
	static const char line[] = "0000000019d3d8f2 15  0 00000000\n";
	const size_t cut = 4096 - (sizeof(line) - 1); /* where the line that is cut begins */
	char text[6000];
	size_t shift, size;

	for (shift = 0; shift < sizeof(line) - 1; shift++) {
		size = (size_t)sprintf(text, "%*s\n", (int)(cut + shift - 1), "sk");
		while (size < sizeof(text) - sizeof(line))
			size += (size_t)sprintf(text + size, "%s", line);
		kernel_file("/proc/net/netlink", text);
		assert_false(umad_nldev_known());
		memcpy(strstr(text, " 15 "), " 20 ", 4);
		kernel_file("/proc/net/netlink", text);
		assert_true(umad_nldev_known());
	}
}

FAKENL_TEST(notifications_are_understood)
{
	enum { MONITOR = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, 28), EVENT_TYPE = 102 };
	struct writer writer;
	bool unregisters;
	uint8_t type;

	open_rdma();
	for (type = 0; type < 8; type++) {
		begin(&writer, MONITOR);
		put(&writer, RDMA_NLDEV_ATTR_DEV_NAME, "mon0", 5);
		put(&writer, EVENT_TYPE, &type, 1);
		assert_true(umad_nldev_is_event(end(&writer), &unregisters));
		assert_int_equal(unregisters, type == 1);
	}
	begin(&writer, MONITOR); /* of a kind that we do not know */
	assert_true(umad_nldev_is_event(end(&writer), &unregisters));
	assert_false(unregisters);
	begin(&writer, TYPE_PORT_GET);
	assert_false(umad_nldev_is_event(end(&writer), &unregisters));
	umad_netlink_close(netlink);
}
