/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-netlink.c - sockets and messages (libibumad/netlink/netlink.c): a missing library,
 * replies of all kinds, and messages with wrong lengths.
 */
#include "messages.h"
#include "fakesys.h"
#include "listen.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>

/*
 * The library. These come first, since it stays once it is loaded.
 */

FAKENL_TEST(missing_library_is_printed)
{
	umad_debug(1);
	fakenl_lose_library();
	listen(umad_netlink_open(NETLINK_RDMA, &netlink));
	umad_debug(0);
	assert_non_null(strstr(said, "can't load libnl-3.so.200"));
}

FAKENL_TEST(library_without_a_function_is_reported)
{
	fakenl_lose_function("nla_put");
	assert_int_equal(umad_netlink_open(NETLINK_RDMA, &netlink), -ELIBBAD);
	fakenl_lose_function("nlmsg_ok");
	assert_int_equal(umad_netlink_open(NETLINK_RDMA, &netlink), -ELIBBAD);
	assert_null(netlink);
}

static void *load(void *result)
{
	struct nl_sock *opened;

	*(int *)result = umad_netlink_open(NETLINK_RDMA, &opened);
	return NULL;
}

/* A thread waits for the loader, with whose lock another one forks: a constructor of a library that
 * is being loaded does that. Returns whether both get on, and the child can load the library. */
static int fork_while_loading(void)
{
	int result = 0, status = -1;
	pthread_t thread;
	pid_t child;

	fakenl_lose_library();
	fakenl_hold_load(true);
	pthread_create(&thread, NULL, load, &result);
	while (!fakenl_is_loading())
		usleep(1000);
	child = fork();
	if (!child) {
		fakenl_hold_load(false);
		_exit(umad_netlink_open(NETLINK_RDMA, &netlink) != -ELIBACC);
	}
	waitpid(child, &status, 0);
	fakenl_hold_load(false);
	pthread_join(thread, NULL);
	return !status && result == -ELIBACC;
}

/* In a process of its own, since one that hangs does so with all signals blocked. */
FAKENL_TEST(forks_do_not_wait_for_the_loader)
{
	int status = -1, left = 20000;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child)
		_exit(!fork_while_loading());
	while (!waitpid(child, &status, WNOHANG) && --left)
		usleep(1000);
	if (!left)
		kill(child, SIGKILL);
	assert_int_not_equal(left, 0);
	assert_int_equal(status, 0);
}

FAKENL_TEST(library_is_loaded_once)
{
	struct nl_sock *other;

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

FAKENL_TEST(others_that_send_are_reported_of)
{
	open_rdma();
	umad_netlink_join(netlink, UMAD_NLDEV_EVENTS);
	fakenl_send(NETLINK_RDMA, "forged", 6, SOMEBODY);
	receive_with_debugging();
	assert_string_equal(said, "libibumad: netlink message of 4711, not of the kernel\n");
	umad_netlink_close(netlink);
}

static int count_message(const struct nlmsghdr *message, void *context)
{
	int *count = context;

	assert_true(message->nlmsg_len >= sizeof(*message));
	return ++*count == 3;
}

static int walk(const void *data, size_t size)
{
	struct umad_netlink_datagram datagram = { malloc(size ? size : 1), size };
	int count = 0;

	memcpy(datagram.data, data, size);
	umad_netlink_walk(&datagram, count_message, &count);
	free(datagram.data);
	return count;
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
	assert_int_equal(walk(messages, sizeof(messages)), 3);
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
	char text[8];
	bool is_there;
	char guard[8];
};

static const struct umad_netlink_field fields[] = {
	UMAD_NETLINK_FIELD(1, struct object, small, NUMBER),
	UMAD_NETLINK_FIELD(2, struct object, middle, NUMBER),
	UMAD_NETLINK_FIELD(3, struct object, large, NUMBER),
	UMAD_NETLINK_FIELD(4, struct object, text, TEXT),
	UMAD_NETLINK_FIELD(5, struct object, is_there, PRESENT),
};

static void decode(struct writer *writer, struct object *object)
{
	void *copy = malloc(writer->size);

	memcpy(copy, end(writer), writer->size);
	umad_netlink_decode(copy, 0, fields, sizeof(fields) / sizeof(fields[0]), object);
	free(copy);
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
		decode(&writer, &object);
		assert_true(object.small == 1 && object.middle == 2 && object.large == 3);
		assert_int_equal(strlen(object.text), size < 8 ? size : 7);
	}
	assert_false(object.is_there);
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
		decode(&cut, &object);
		assert_int_equal(object.middle, size < 24 ? 1 : 5);
		assert_string_equal(object.text, size < 33 ? "" : "rxe0");
	}
	umad_netlink_close(netlink);
}
