/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-netlink.c - netlink sockets (libibumad/netlink/netlink.c): how the library is loaded, and
 * messages and attributes that are cut. events.tbl has requests and replies.
 */
#include "test.h"
#include "fakenl.h"
#include "listen.h"
#include "libibumad/netlink/netlink.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <sys/wait.h>

static struct nl_sock *netlink;

static void open_rdma(void)
{
	assert_int_equal(umad_netlink_open(NETLINK_RDMA, 0, &netlink), 0);
}

/*
 * The library. These tests come first, since it stays once it is loaded.
 */

FAKENL_TEST(missing_library_is_printed)
{
	umad_debug(1);
	fakenl.library_lost = true;
	listen(umad_netlink_open(NETLINK_RDMA, 0, &netlink));
	umad_debug(0);
	assert_non_null(strstr(said, "can't load libnl-3.so.200"));
}

FAKENL_TEST(library_without_a_function_is_reported)
{
	fakenl.function_lost = "nla_len";
	assert_int_equal(umad_netlink_open(NETLINK_RDMA, 0, &netlink), -ELIBBAD);
	fakenl.function_lost = "nlmsg_ok";
	assert_int_equal(umad_netlink_open(NETLINK_RDMA, 0, &netlink), -ELIBBAD);
	assert_null(netlink);
}

static void *load(void *result)
{
	struct nl_sock *opened;

	*(int *)result = umad_netlink_open(NETLINK_RDMA, 0, &opened);
	return NULL;
}

/* A thread waits for the loader, with whose lock another one forks: a constructor of a library that
 * is being loaded does that. Returns whether both get on, and the child can load the library. */
static int fork_while_loading(void)
{
	int result = 0, status = -1;
	pthread_t thread;
	pid_t child;

	fakenl.library_lost = true;
	fakenl.load_held = true;
	pthread_create(&thread, NULL, load, &result);
	while (!fakenl.is_loading)
		usleep(1000);
	child = fork();
	if (!child) {
		fakenl.load_held = false;
		_exit(umad_netlink_open(NETLINK_RDMA, 0, &netlink) != -ELIBACC);
	}
	waitpid(child, &status, 0);
	fakenl.load_held = false;
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
	assert_int_equal(fakenl.loads, 1);
	assert_int_equal(umad_netlink_open(NETLINK_ROUTE, 0, &other), 0);
	assert_int_equal(fakenl.loads, 1);
	assert_int_equal(netlink_open_sockets(), 2);
	umad_netlink_close(other);
	umad_netlink_close(netlink);
	umad_netlink_close(NULL);
	assert_int_equal(netlink_open_sockets(), 0);
}

/*
 * Messages
 */

/* Other senders than the kernel are reported, and errno is that of the caller. */
FAKENL_TEST(only_the_kernel_is_heard)
{
	struct umad_netlink_datagram datagram;

	assert_int_equal(umad_netlink_open(NETLINK_RDMA, UMAD_NLDEV_EVENTS, &netlink), 0);
	fakenl_send(NETLINK_RDMA, "forged", 6, 4711);
	fakenl_send(NETLINK_RDMA, "true", 4, 0);
	umad_debug(1);
	errno = EBADF;
	listen(assert_int_equal(umad_netlink_receive(netlink, &datagram), 1));
	assert_int_equal(umad_netlink_receive(netlink, &(struct umad_netlink_datagram){ 0 }), 0);
	assert_int_equal(errno, EBADF);
	umad_debug(0);
	assert_string_equal(said, "libibumad: netlink message of 4711, not of the kernel\n");
	assert_int_equal(datagram.size, 4);
	assert_memory_equal(datagram.data, "true", 4);
	free(datagram.data);
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
	const uint32_t header = sizeof(struct nlmsghdr);
	const uint32_t wrong[] = { 2 * header + 1, header - 1, 0, UINT32_MAX };
	struct nlmsghdr messages[4];

	open_rdma(); /* loads the library */
	for (size_t i = 0; i < COUNT(messages); i++)
		messages[i] = (struct nlmsghdr){ .nlmsg_len = header };
	for (size_t size = 0; size <= 2 * header; size++)
		assert_int_equal(walk(messages, size), size / header);
	assert_int_equal(walk(messages, sizeof(messages)), 3);
	for (size_t i = 0; i < COUNT(wrong); i++) {
		messages[1].nlmsg_len = wrong[i];
		assert_int_equal(walk(messages, 3 * header), 1);
	}
	umad_netlink_close(netlink);
}

/*
 * Attributes
 */

static struct object {
	uint8_t small;
	uint32_t middle;
	uint64_t large;
	char text[8];
	char guard[8];
} object;

/* Of a message that ends with the memory. */
static bool decode(struct nl_msg *message, size_t size)
{
	struct nlmsghdr *copy = malloc(size);
	bool has_text;

	memcpy(copy, nlmsg_hdr(message), size);
	copy->nlmsg_len = (uint32_t)size;
	umad_netlink_take(copy, 0, 1, false, &object.small, sizeof(object.small));
	umad_netlink_take(copy, 0, 2, false, &object.middle, sizeof(object.middle));
	umad_netlink_take(copy, 0, 3, false, &object.large, sizeof(object.large));
	has_text = umad_netlink_take(copy, 0, 4, true, object.text, sizeof(object.text));
	free(copy);
	return has_text;
}

FAKENL_TEST(attributes_of_wrong_size_are_left_out)
{
	static const char bytes[32] = "0123456789012345678901234567890";
	static const size_t sizes[] = { 0, 1, 4, 8 };

	open_rdma();
	object = (struct object){ .small = 1, .middle = 2, .large = 3, .guard = "guarded" };
	for (size_t size = 0; size < sizeof(bytes); size++) {
		struct nl_msg *message = nlmsg_alloc_simple(0, 0);

		for (unsigned short type = 1; type <= 3; type++)
			if (size != sizes[type])
				nla_put(message, type, (int)size, bytes);
		nla_put(message, 4, (int)size, bytes); /* no NUL: as long as the attribute */
		assert_true(decode(message, nlmsg_hdr(message)->nlmsg_len));
		nlmsg_free(message);
		assert_true(object.small == 1 && object.middle == 2 && object.large == 3);
		assert_int_equal(strlen(object.text), size < 8 ? size : 7);
	}
	assert_string_equal(object.guard, "guarded");
	umad_netlink_close(netlink);
}

FAKENL_TEST(cut_attributes_are_left_out)
{
	struct nl_msg *message = nlmsg_alloc_simple(0, 0);

	open_rdma();
	nla_put_u32(message, 2, 5);
	nla_put_string(message, 4, "rxe0");
	for (size_t size = sizeof(struct nlmsghdr); size <= nlmsg_hdr(message)->nlmsg_len; size++) {
		object = (struct object){ .middle = 1 };
		assert_int_equal(decode(message, size), size >= 33);
		assert_int_equal(object.middle, size < 24 ? 1 : 5);
		assert_string_equal(object.text, size < 33 ? "" : "rxe0");
	}
	nlmsg_free(message);
	umad_netlink_close(netlink);
}
