/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-events.c - the monitor (libibumad/monitor*.c) through its public calls: each event, what
 * late and contradictory messages lead to, overruns, and failures of every kind.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>
#include <netlink/errno.h>
#include <rdma/rdma_netlink.h>

#include "test.h"
#include "fakenl.h"
#include "fakesys.h"
#include "libibumad/monitor/monitor.h"

enum {
	NETDEV = 7, /* of RoCE ports */
	UP = IFF_UP | IFF_RUNNING | IFF_LOWER_UP,
	CARRIER = IFF_UP | IFF_LOWER_UP,
	SOMEBODY = 4711,
	EVENT_REGISTER = 0,
	EVENT_UNREGISTER = 1,
};

static struct umad_monitor *monitor;
static struct umad_event event;

/*
 * The host
 */

static void add_device(const char *name, unsigned int node, const char *link_layer)
{
	kernel_ca(name, 1, 1, node);
	kernel_port_file(name, 1, "link_layer", link_layer);
	kernel_node(node, name, 1);
}

static void add_roce(const char *name, unsigned int node)
{
	struct fakenl_device device = {
		.index = node,
		.name = name,
		.protocol = "roce",
		.node_type = 1,
		.ports = 1,
		.netdev_index = NETDEV + node,
	};

	add_device(name, node, "Ethernet\n");
	fakenl_add_device(&device);
}

static void remove_node(unsigned int node)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%u", node);
	kernel_remove(path);
}

static void remove_device(const char *name, unsigned int node)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s", name);
	kernel_remove(path);
	remove_node(node);
}

static void set_state(const char *name, const char *state, const char *phys_state)
{
	kernel_port_file(name, 1, "state", state);
	kernel_port_file(name, 1, "phys_state", phys_state);
}

/*
 * Messages
 */

static void send_uevent(const char *action, const char *subsystem, const char *name,
			const char *old_name)
{
	char data[512];
	int size;

	size = snprintf(data, sizeof(data), "%s@/x/%s%cACTION=%s%cDEVPATH=/x/%s%cSUBSYSTEM=%s%c",
			action, name, 0, action, 0, name, 0, subsystem, 0);
	if (old_name)
		size += snprintf(data + size, sizeof(data) - (size_t)size, "DEVPATH_OLD=/x/%s%c",
				 old_name, 0);
	fakenl_send(NETLINK_KOBJECT_UEVENT, data, (size_t)size, 0);
}

#define device_uevent(action, name) send_uevent(action, "infiniband", name, NULL)
#define node_uevent(action, name)   send_uevent(action, "infiniband_mad", name, NULL)

static void send_link(int index, unsigned short type, unsigned int flags)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg info;
	} message = {
		.header = { .nlmsg_len = sizeof(message), .nlmsg_type = RTM_NEWLINK },
		.info = { .ifi_index = index, .ifi_type = type, .ifi_flags = flags },
	};

	fakenl_send(NETLINK_ROUTE, &message, sizeof(message), 0);
}

static void send_notification(uint8_t type)
{
	struct {
		struct nlmsghdr header;
		struct nlattr attribute;
		uint8_t type, padding[3];
	} message = {
		.header = { .nlmsg_len = sizeof(message),
			    .nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, 28) },
		.attribute = { .nla_len = NLA_HDRLEN + 1, .nla_type = 102 },
		.type = type,
	};

	fakenl_send(NETLINK_RDMA, &message, sizeof(message), 0);
}

/*
 * Events
 */

static void open_monitor(void)
{
	monitor = umad_monitor_open(0);
	assert_non_null(monitor);
}

static void close_monitor(void)
{
	umad_monitor_close(monitor);
	monitor = NULL;
}

/* Begins with a host that has rxe0, of RoCE, or mlx5_0, of InfiniBand. */
static void watch_roce(void)
{
	fakenl_know_rdma();
	add_roce("rxe0", 0);
	open_monitor();
}

static void watch_infiniband(void)
{
	add_device("mlx5_0", 0, "InfiniBand\n");
	open_monitor();
}

static int close_and_tear_down(void **state)
{
	close_monitor();
	return fakenl_teardown(state);
}

#define MONITOR_TEST(name) TEST_WITH(name, fakenl_setup, close_and_tear_down)

static int next(void)
{
	memset(&event, 0xff, sizeof(event));
	return umad_monitor_read(monitor, &event, sizeof(event), 0);
}

static bool is_readable(void)
{
	struct pollfd fd = { .fd = umad_monitor_get_fd(monitor), .events = POLLIN };

	return poll(&fd, 1, 0) > 0;
}

static void expect_device(enum umad_event_type type, const char *name)
{
	size_t i;

	assert_int_equal(next(), 1);
	assert_string_equal(umad_event_str(event.type), umad_event_str(type));
	assert_string_equal(event.ca_name, name);
	for (i = strlen(name); i < sizeof(event.ca_name); i++)
		assert_int_equal(event.ca_name[i], 0);
}

static void expect_node(enum umad_event_type type, const char *node, const char *name)
{
	expect_device(type, name);
	assert_string_equal(event.node, node);
	assert_int_equal(event.portnum, name[0] ? 1 : 0);
}

static void expect_port(const char *name, unsigned int changed, unsigned int state)
{
	expect_device(UMAD_EVENT_PORT_CHANGED, name);
	assert_int_equal(event.portnum, 1);
	assert_int_equal(event.changed, changed);
	assert_int_equal(event.state, state);
}

static void expect_overrun(void)
{
	expect_device(UMAD_EVENT_OVERRUN, "");
}

static void expect_none(void)
{
	assert_int_equal(next(), 0);
	assert_false(is_readable());
}

/*
 * Opening and closing
 */

/* Before the library is loaded. */
MONITOR_TEST(missing_library_is_told)
{
	fakenl_lose_library();
	assert_null(umad_monitor_open(0));
	assert_int_equal(errno, ELIBACC);
}

MONITOR_TEST(nothing_happens_on_an_empty_host)
{
	open_monitor();
	assert_int_equal(netlink_open_sockets(), 2); /* none of RDMA */
	expect_none();
	close_monitor();
	umad_monitor_close(NULL);
}

MONITOR_TEST(what_is_there_is_no_event)
{
	watch_infiniband();
	expect_none();
}

MONITOR_TEST(what_is_there_is_reported_if_wanted)
{
	add_device("mlx5_0", 0, "InfiniBand\n");
	add_device("mlx5_1", 1, "InfiniBand\n");
	monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);
	assert_true(is_readable());
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_1");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
	assert_true(is_readable());
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad1", "mlx5_1");
	expect_none();
}

MONITOR_TEST(unread_events_are_freed)
{
	add_device("mlx5_0", 0, "InfiniBand\n");
	monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);
	assert_non_null(monitor);
}

/* A child of fork may close its copy, and open another. */
MONITOR_TEST(monitor_stays_open_when_a_child_closes_its_copy)
{
	struct umad_monitor *own;
	int status;
	pid_t child;

	open_monitor();
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		own = umad_monitor_open(0);
		umad_monitor_close(monitor);
		umad_monitor_close(own);
		_exit(!own || netlink_open_sockets());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_false(is_readable());
	add_device("mlx5_0", 0, "InfiniBand\n");
	device_uevent("add", "mlx5_0");
	assert_true(is_readable());
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_none();
}

/* All calls of a monitor but the wait come to their end first. */
static void *use_when_cancelled(void *calls)
{
	struct umad_monitor *used;
	int *done = calls;

	pthread_cancel(pthread_self());
	used = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);
	*done += used != NULL;
	*done += umad_monitor_read(used, &event, sizeof(event), -1);
	*done += !umad_monitor_rescan(used);
	umad_monitor_close(used);
	++*done;
	pthread_testcancel();
	return NULL;
}

MONITOR_TEST(cancelled_threads_leave_nothing)
{
	pthread_t thread;
	int done = 0;
	void *end;

	fakenl_know_rdma();
	add_roce("rxe0", 0);
	assert_int_equal(pthread_create(&thread, NULL, use_when_cancelled, &done), 0);
	assert_int_equal(pthread_join(thread, &end), 0);
	assert_ptr_equal(end, PTHREAD_CANCELED);
	assert_int_equal(done, 4);
}

MONITOR_TEST(bad_arguments_are_refused)
{
	errno = 0;
	assert_null(umad_monitor_open(2));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(umad_monitor_read(NULL, &event, sizeof(event), 0), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(umad_monitor_get_fd(NULL), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(umad_monitor_rescan(NULL), -1);
	assert_int_equal(errno, EINVAL);
	open_monitor();
	errno = 0;
	assert_int_equal(umad_monitor_read(monitor, NULL, sizeof(event), 0), -1);
	assert_int_equal(errno, EINVAL);
}

MONITOR_TEST(missing_protocols_are_told)
{
	fakenl_fail_connect(NETLINK_KOBJECT_UEVENT, NLE_PROTO_MISMATCH);
	assert_null(umad_monitor_open(0));
	assert_int_equal(errno, EPROTONOSUPPORT);
	fakenl_fail_connect(NETLINK_KOBJECT_UEVENT, 0);
	fakenl_fail_join(NETLINK_ROUTE, NLE_PERM);
	assert_null(umad_monitor_open(0));
	assert_int_equal(errno, EPERM);
}

MONITOR_TEST(rdma_is_optional)
{
	fakenl_know_rdma();
	open_monitor();
	assert_int_equal(netlink_open_sockets(), 3);
	close_monitor();
	fakenl_fail_join(NETLINK_RDMA, NLE_PERM); /* an ordinary user, on older kernels */
	open_monitor();
	assert_int_equal(netlink_open_sockets(), 2);
	close_monitor();
	fakenl_fail_connect(NETLINK_RDMA, NLE_PROTO_MISMATCH);
	open_monitor();
}

MONITOR_TEST(unreadable_sysfs_is_told)
{
	fakesys_fail_path(KERNEL_OPENDIR, "/sys/class/infiniband", EACCES);
	assert_null(umad_monitor_open(0));
	assert_int_equal(errno, EACCES);
}

/*
 * Devices and their nodes
 */

MONITOR_TEST(device_comes_and_goes)
{
	open_monitor();
	add_device("mlx5_0", 0, "InfiniBand\n");
	device_uevent("add", "mlx5_0");
	node_uevent("add", "umad0");
	node_uevent("add", "issm0");
	assert_true(is_readable());
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	assert_int_equal(event.portnum, 0);
	assert_int_equal(event.changed, 0);
	assert_int_equal(event.state, 0);
	assert_string_equal(event.old_name, "");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
	expect_none();
	remove_device("mlx5_0", 0);
	node_uevent("remove", "issm0");
	node_uevent("remove", "umad0");
	device_uevent("remove", "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	expect_none();
}

/* The kernel announces the umad device first. */
MONITOR_TEST(device_comes_before_its_node)
{
	open_monitor();
	add_device("mlx5_0", 0, "InfiniBand\n");
	node_uevent("add", "umad0");
	device_uevent("add", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
	expect_none();
}

MONITOR_TEST(node_goes_before_its_device)
{
	watch_infiniband();
	remove_device("mlx5_0", 0);
	device_uevent("remove", "mlx5_0");
	node_uevent("remove", "umad0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	expect_none();
}

MONITOR_TEST(all_nodes_go_before_their_device)
{
	int i;

	add_device("mlx5_0", 0, "InfiniBand\n");
	kernel_node(1, "mlx5_0", 1);
	kernel_node(2, "mlx5_0", 1);
	open_monitor();
	remove_device("mlx5_0", 0);
	remove_node(1);
	remove_node(2);
	device_uevent("remove", "mlx5_0");
	for (i = 0; i < 3; i++)
		expect_device(UMAD_EVENT_UMAD_REMOVED, "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	expect_none();
}

/* The module is loaded later, or unloaded. */
MONITOR_TEST(node_comes_and_goes_alone)
{
	kernel_ca("mlx5_0", 1, 1, 0);
	open_monitor();
	kernel_node(3, "mlx5_0", 1);
	node_uevent("add", "umad3");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad3", "mlx5_0");
	remove_node(3);
	node_uevent("remove", "umad3");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad3", "mlx5_0");
	expect_none();
}

MONITOR_TEST(device_gets_another_name)
{
	watch_infiniband();
	remove_device("mlx5_0", 0);
	add_device("ibp3s0", 0, "InfiniBand\n");
	send_uevent("move", "infiniband", "ibp3s0", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_RENAMED, "ibp3s0");
	assert_string_equal(event.old_name, "mlx5_0");
	remove_device("ibp3s0", 0);
	node_uevent("remove", "umad0");
	device_uevent("remove", "ibp3s0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "ibp3s0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "ibp3s0");
	expect_none();
}

MONITOR_TEST(all_nodes_follow_another_name)
{
	int count, i;

	for (count = 1; count <= 17; count++) {
		kernel_ca("mlx5_0", 1, 1, 0);
		for (i = 0; i < count; i++)
			kernel_node((unsigned int)i, "mlx5_0", 1);
		open_monitor();
		send_uevent("move", "infiniband", "ibp3s0", "mlx5_0");
		expect_device(UMAD_EVENT_DEVICE_RENAMED, "ibp3s0");
		remove_device("mlx5_0", 0);
		for (i = 1; i < count; i++)
			remove_node((unsigned int)i);
		device_uevent("remove", "ibp3s0");
		for (i = 0; i < count; i++)
			expect_device(UMAD_EVENT_UMAD_REMOVED, "ibp3s0");
		expect_device(UMAD_EVENT_DEVICE_REMOVED, "ibp3s0");
		expect_none();
		close_monitor();
	}
}

MONITOR_TEST(impossible_names_come_and_go)
{
	static const char long_name[] = "b1234567890123456789";

	watch_infiniband();
	send_uevent("move", "infiniband", long_name, "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	send_uevent("move", "infiniband", "mlx5_0", long_name);
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	device_uevent("add", long_name);
	device_uevent("remove", long_name);
	node_uevent("add", "umad1048576");
	node_uevent("add", "umad01");
	node_uevent("add", "umad");
	expect_none();
}

MONITOR_TEST(other_types_of_device_are_ignored)
{
	open_monitor();
	kernel_ca("siw0", 1, 1, 0);
	kernel_ca_file("siw0", "node_type", "4: RNIC\n");
	device_uevent("add", "siw0");
	device_uevent("change", "siw0");
	send_uevent("move", "infiniband", "siw0", "siw1");
	device_uevent("remove", "siw0");
	expect_none();
}

/* The kernel may send more than one message about a change, and all of them may be old. */
MONITOR_TEST(messages_that_repeat_a_change_are_one)
{
	int i;

	watch_roce();
	for (i = 0; i < 3; i++)
		send_link(NETDEV, ARPHRD_ETHER, IFF_UP);
	for (i = 0; i < 3; i++)
		send_link(NETDEV, ARPHRD_ETHER, UP);
	send_link(NETDEV, ARPHRD_ETHER, IFF_UP | IFF_LOWER_UP); /* not clear */
	send_link(NETDEV, ARPHRD_ETHER, 0);
	send_link(NETDEV, ARPHRD_ETHER, 0);
	for (i = 0; i < 2; i++) { /* it is Active all the time, as far as it can be seen */
		expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
		assert_int_equal(event.phys_state, i ? 3 : 2);
		expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	}
	expect_none();
	set_state("rxe0", "1: DOWN\n", "3: Disabled\n");
	send_link(NETDEV, ARPHRD_ETHER, 0);
	send_link(NETDEV, ARPHRD_ETHER, UP);
	send_link(NETDEV, ARPHRD_ETHER, UP);
	send_link(NETDEV, ARPHRD_ETHER, 0);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_none();
}

/* In an exclusive RDMA network namespace the umad devices of all namespaces are seen, but only the
 * devices of this one. */
MONITOR_TEST(nodes_of_other_namespaces_are_ignored)
{
	add_device("mlx5_0", 0, "InfiniBand\n");
	kernel_node(1, "mlx5_1", 1);
	monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);
	assert_non_null(monitor);
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
	expect_none();
	assert_int_equal(umad_monitor_rescan(monitor), 0);
	expect_none();
	kernel_node(2, "mlx5_2", 1);
	node_uevent("add", "umad2");
	expect_none();
	remove_node(2);
	node_uevent("remove", "umad2");
	expect_none();
	kernel_ca("mlx5_1", 1, 1, 1); /* moves here */
	device_uevent("add", "mlx5_1");
	node_uevent("add", "umad1");
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_1");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad1", "mlx5_1");
	kernel_remove("/sys/class/infiniband/mlx5_0"); /* moves away */
	assert_int_equal(umad_monitor_rescan(monitor), 0);
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	assert_int_equal(umad_monitor_rescan(monitor), 0);
	expect_none();
}

/*
 * Late messages
 */

MONITOR_TEST(device_that_came_and_went_is_told)
{
	open_monitor();
	node_uevent("add", "umad0");
	device_uevent("add", "mlx5_0");
	node_uevent("remove", "umad0");
	device_uevent("remove", "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", ""); /* nobody knows whose it was */
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	expect_none();
}

MONITOR_TEST(device_that_went_and_came_is_told)
{
	watch_infiniband();
	device_uevent("remove", "mlx5_0");
	device_uevent("add", "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_none();
}

MONITOR_TEST(messages_that_repeat_are_no_events)
{
	watch_infiniband();
	device_uevent("add", "mlx5_0");
	node_uevent("add", "umad0");
	device_uevent("remove", "mlx5_1");
	node_uevent("remove", "umad1");
	send_uevent("move", "infiniband", "mlx5_0", "mlx5_1");
	expect_none();
}

MONITOR_TEST(name_that_is_another_device_s_removes)
{
	add_device("mlx5_0", 0, "InfiniBand\n");
	add_device("mlx5_1", 1, "InfiniBand\n");
	open_monitor();
	send_uevent("move", "infiniband", "mlx5_1", "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	expect_none();
}

/* Whatever comes, in whatever order: the events alternate, and end where things are. */
MONITOR_TEST(random_messages_end_with_what_is_there)
{
	static const char *const devices[] = { "mlx5_0", "mlx5_1", "mlx5_2" };
	static const char *const nodes[] = { "umad0", "umad1", "umad2" };
	bool known[3] = { false }, known_node[3] = { false };
	unsigned int seed = 7, i, round;

	for (round = 0; round < 300; round++) {
		unsigned int which = rand_r(&seed) % 3;

		fakesys_forget();
		if (!monitor)
			open_monitor();
		if (rand_r(&seed) % 2)
			add_device(devices[which], which, "InfiniBand\n");
		else
			remove_device(devices[which], which);
		for (i = rand_r(&seed) % 8; i; i--) {
			const char *action = rand_r(&seed) % 2 ? "add" : "remove";

			which = rand_r(&seed) % 3;
			if (rand_r(&seed) % 2)
				device_uevent(action, devices[which]);
			else
				node_uevent(action, nodes[which]);
		}
		assert_int_equal(umad_monitor_rescan(monitor), 0);
		while (next() > 0) {
			bool added = event.type == UMAD_EVENT_DEVICE_ADDED ||
				     event.type == UMAD_EVENT_UMAD_ADDED;
			bool *flag;

			if (event.type == UMAD_EVENT_PORT_CHANGED)
				continue;
			flag = event.node[0] ? &known_node[event.node[4] - '0']
					     : &known[event.ca_name[5] - '0'];
			assert_int_equal(*flag, !added);
			*flag = added;
			if (event.node[0] && event.ca_name[0])
				assert_true(known[event.ca_name[5] - '0']);
		}
		assert_int_equal(umad_monitor_rescan(monitor), 0);
		while (next() > 0) {
			bool added = event.type == UMAD_EVENT_DEVICE_ADDED ||
				     event.type == UMAD_EVENT_UMAD_ADDED;

			if (event.node[0])
				known_node[event.node[4] - '0'] = added;
			else
				known[event.ca_name[5] - '0'] = added;
		}
		for (i = 0; i < 3; i++) {
			assert_int_equal(known[i], umad_device_read_type(devices[i]) != 0);
			assert_int_equal(known_node[i], known[i]);
		}
	}
}

/*
 * Ports
 */

MONITOR_TEST(roce_port_goes_down_and_up)
{
	fakenl_know_rdma();
	add_roce("rxe0", 0);
	add_roce("rxe1", 1);
	open_monitor();
	set_state("rxe0", "1: DOWN\n", "3: Disabled\n");
	send_link(NETDEV, ARPHRD_ETHER, 0);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	assert_int_equal(event.phys_state, 3);
	assert_int_equal(event.base_lid, 0x12);
	assert_int_equal(event.lmc, 2);
	assert_int_equal(event.sm_lid, 1);
	assert_int_equal(event.sm_sl, 3);
	set_state("rxe0", "1: DOWN\n", "2: Polling\n");
	send_link(NETDEV, ARPHRD_ETHER, IFF_UP);
	expect_port("rxe0", UMAD_CHANGED_PHYS_STATE, 1);
	set_state("rxe0", "4: ACTIVE\n", "5: LinkUp\n");
	send_link(NETDEV, ARPHRD_ETHER, UP);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	expect_none();
}

MONITOR_TEST(drivers_are_waited_for)
{
	int asked = fakenl_requests(RTM_GETLINK);

	watch_roce();
	send_link(NETDEV, ARPHRD_ETHER, UP);
	expect_none();
	assert_int_equal(fakenl_requests(RTM_GETLINK), asked + 1);
	send_link(NETDEV + 1, ARPHRD_ETHER, UP); /* another interface */
	expect_none();
	assert_int_equal(fakenl_requests(RTM_GETLINK), asked + 1);
}

MONITOR_TEST(short_interruption_is_told)
{
	watch_roce();
	send_link(NETDEV, ARPHRD_ETHER, 0);
	send_link(NETDEV, ARPHRD_ETHER, UP);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	assert_int_equal(event.phys_state, 3);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	assert_int_equal(event.phys_state, 5);
	expect_none();
	set_state("rxe0", "1: DOWN\n", "2: Polling\n");
	send_link(NETDEV, ARPHRD_ETHER, IFF_UP);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	send_link(NETDEV, ARPHRD_ETHER, IFF_UP | IFF_LOWER_UP); /* unclear: nothing to report */
	send_link(NETDEV, ARPHRD_ETHER, UP);
	send_link(NETDEV, ARPHRD_ETHER, IFF_UP);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_none();
}

/* Newer kernels say that an interface has its carrier, and later that it runs. */
MONITOR_TEST(carrier_is_enough_for_a_port_that_is_active)
{
	watch_roce();
	send_link(NETDEV, ARPHRD_ETHER, 0);
	send_link(NETDEV, ARPHRD_ETHER, CARRIER);
	send_link(NETDEV, ARPHRD_ETHER, 0);
	send_link(NETDEV, ARPHRD_ETHER, CARRIER);
	send_link(NETDEV, ARPHRD_ETHER, UP);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	expect_none();
}

/* The port is down again before the first message is read: only the next one says what it was. */
MONITOR_TEST(carrier_that_was_lost_again_is_told)
{
	watch_roce();
	set_state("rxe0", "1: DOWN\n", "3: Disabled\n");
	send_link(NETDEV, ARPHRD_ETHER, 0);
	send_link(NETDEV, ARPHRD_ETHER, CARRIER);
	send_link(NETDEV, ARPHRD_ETHER, 0);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_none();
}

/* A driver that has the port Active only when the interface runs. */
MONITOR_TEST(carrier_alone_is_no_change)
{
	watch_roce();
	set_state("rxe0", "1: DOWN\n", "2: Polling\n");
	send_link(NETDEV, ARPHRD_ETHER, IFF_UP);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	send_link(NETDEV, ARPHRD_ETHER, CARRIER);
	expect_none();
	set_state("rxe0", "4: ACTIVE\n", "5: LinkUp\n");
	send_link(NETDEV, ARPHRD_ETHER, UP);
	send_link(NETDEV, ARPHRD_ETHER, IFF_UP);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	expect_none();
}

/* A kernel that does not report interfaces, or an ordinary interface that has nothing to do with
 * it: all RoCE ports are looked at, and nothing is guessed. */
MONITOR_TEST(unknown_interfaces_are_no_obstacle)
{
	add_device("rxe0", 0, "Ethernet\n");
	open_monitor();
	send_link(99, ARPHRD_ETHER, 0);
	send_link(99, ARPHRD_ETHER, UP);
	expect_none();
	set_state("rxe0", "1: DOWN\n", "3: Disabled\n");
	send_link(99, ARPHRD_LOOPBACK, 0);
	send_link(99, ARPHRD_INFINIBAND, 0);
	expect_none();
	send_link(99, ARPHRD_ETHER, 0);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_none();
}

MONITOR_TEST(interface_is_found_when_the_device_comes)
{
	open_monitor();
	fakenl_know_rdma();
	add_roce("rxe0", 0);
	device_uevent("add", "rxe0");
	expect_device(UMAD_EVENT_DEVICE_ADDED, "rxe0");
	assert_int_equal(netlink_open_sockets(), 3); /* RDMA netlink is there now */
	set_state("rxe0", "1: DOWN\n", "3: Disabled\n");
	send_link(NETDEV + 1, ARPHRD_ETHER, 0);
	expect_none();
	send_link(NETDEV, ARPHRD_ETHER, 0);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
}

MONITOR_TEST(infiniband_port_is_looked_at_with_ipoib)
{
	watch_infiniband();
	set_state("mlx5_0", "2: INIT\n", "5: LinkUp\n");
	kernel_port_file("mlx5_0", 1, "lid", "0x0\n");
	kernel_port_file("mlx5_0", 1, "sm_lid", "0x7\n");
	kernel_port_file("mlx5_0", 1, "cap_mask", "0x2651e84a\n");
	send_link(5, ARPHRD_ETHER, 0);
	expect_none();
	send_link(5, ARPHRD_INFINIBAND, IFF_UP);
	expect_port("mlx5_0",
		    UMAD_CHANGED_STATE | UMAD_CHANGED_LID | UMAD_CHANGED_SM | UMAD_CHANGED_CAPMASK,
		    2);
	assert_int_equal(event.base_lid, 0);
	assert_int_equal(event.sm_lid, 7);
	expect_none();
}

MONITOR_TEST(each_change_has_its_bit)
{
	static const struct {
		const char *attribute, *content;
		unsigned int changed;
	} changes[] = {
		{ "state", "3: ARMED\n", UMAD_CHANGED_STATE },
		{ "phys_state", "6: LinkErrorRecovery\n", UMAD_CHANGED_PHYS_STATE },
		{ "lid", "0x13\n", UMAD_CHANGED_LID },
		{ "lid_mask_count", "3\n", UMAD_CHANGED_LID },
		{ "sm_lid", "0x2\n", UMAD_CHANGED_SM },
		{ "sm_sl", "4\n", UMAD_CHANGED_SM },
		{ "cap_mask", "0x0\n", UMAD_CHANGED_CAPMASK },
	};
	size_t i;

	watch_infiniband();
	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		kernel_port_file("mlx5_0", 1, changes[i].attribute, changes[i].content);
		if (i % 2)
			device_uevent("change", "mlx5_0");
		else
			assert_int_equal(umad_monitor_rescan(monitor), 0);
		assert_true(is_readable());
		expect_port("mlx5_0", changes[i].changed, 3);
		expect_none();
	}
	kernel_port_file("mlx5_0", 1, "rate", "10 Gb/sec (4X SDR)\n"); /* is not compared */
	assert_int_equal(umad_monitor_rescan(monitor), 0);
	expect_none();
}

/* A device on its way out has no states any more. */
MONITOR_TEST(port_without_state_has_not_changed)
{
	watch_infiniband();
	kernel_remove("/sys/class/infiniband/mlx5_0/ports/1/state");
	device_uevent("change", "mlx5_0");
	expect_none();
	kernel_remove("/sys/class/infiniband/mlx5_0/ports");
	device_uevent("change", "mlx5_0");
	expect_none();
}

/* A look at all devices may see one that is not complete yet. */
MONITOR_TEST(port_that_comes_later_is_no_event)
{
	open_monitor();
	kernel_ca_file("mlx5_0", "node_type", "1: CA\n");
	assert_int_equal(umad_monitor_rescan(monitor), 0);
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	add_device("mlx5_0", 0, "InfiniBand\n");
	device_uevent("add", "mlx5_0");
	expect_none();
	set_state("mlx5_0", "1: DOWN\n", "2: Polling\n");
	device_uevent("change", "mlx5_0");
	expect_port("mlx5_0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
}

/*
 * RDMA netlink
 */

MONITOR_TEST(notifications_lead_to_a_look)
{
	watch_roce();
	add_roce("rxe1", 1);
	send_notification(EVENT_REGISTER);
	expect_device(UMAD_EVENT_DEVICE_ADDED, "rxe1");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad1", "rxe1");
	node_uevent("add", "umad1");
	device_uevent("add", "rxe1");
	expect_none();
	device_uevent("remove", "rxe1");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad1", "rxe1");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "rxe1");
	send_notification(EVENT_UNREGISTER); /* sysfs still shows it */
	expect_none();
	remove_device("rxe1", 1);
	set_state("rxe0", "1: DOWN\n", "3: Disabled\n");
	send_notification(200);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	fakenl_send(NETLINK_RDMA, "garbage", 7, 0);
	fakenl_send(NETLINK_RDMA, "", 0, 0);
	expect_none();
}

MONITOR_TEST(devices_without_sysfs_come_and_go)
{
	struct fakenl_device device = { .index = 1,
					.name = "rxe0",
					.protocol = "roce",
					.node_type = 1,
					.ports = 1,
					.state = 4,
					.phys_state = 5,
					.netdev_index = NETDEV,
					.node = "umad5",
					.abi = 5 };

	fakenl_know_rdma();
	open_monitor();
	fakenl_add_device(&device);
	node_uevent("add", "umad5");
	expect_device(UMAD_EVENT_DEVICE_ADDED, "rxe0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad5", "rxe0");
	fakenl_remove_devices();
	device.state = 1;
	device.phys_state = 3;
	fakenl_add_device(&device);
	send_link(NETDEV, ARPHRD_ETHER, 0);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	fakenl_remove_devices();
	node_uevent("remove", "umad5");
	device_uevent("remove", "rxe0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad5", "rxe0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "rxe0");
	expect_none();
}

/*
 * Losses
 */

MONITOR_TEST(overrun_is_told_and_made_good)
{
	static const int protocols[] = { NETLINK_KOBJECT_UEVENT, NETLINK_ROUTE, NETLINK_RDMA };
	size_t i;

	fakenl_know_rdma();
	for (i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++) {
		add_roce("rxe0", 0);
		open_monitor();
		remove_device("rxe0", 0);
		add_roce("rxe1", 1);
		fakenl_send_error(protocols[i], NLE_NOMEM);
		assert_true(is_readable());
		expect_overrun();
		assert_true(is_readable());
		expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "rxe0");
		expect_device(UMAD_EVENT_DEVICE_REMOVED, "rxe0");
		expect_device(UMAD_EVENT_DEVICE_ADDED, "rxe1");
		expect_node(UMAD_EVENT_UMAD_ADDED, "umad1", "rxe1");
		expect_none();
		remove_device("rxe1", 1);
		close_monitor();
	}
}

/* What was sent before the loss would lead astray: removals are what was lost. */
MONITOR_TEST(messages_before_an_overrun_are_dropped)
{
	int before;

	open_monitor();
	fakenl_send_error(NETLINK_KOBJECT_UEVENT, NLE_NOMEM);
	device_uevent("add", "rxe9");
	device_uevent("add", "rxe8");
	fakenl_send_error(NETLINK_KOBJECT_UEVENT, NLE_NOMEM);
	device_uevent("add", "rxe7");
	send_link(NETDEV, ARPHRD_ETHER, UP);
	before = fakenl_receives();
	expect_overrun();
	assert_between(fakenl_receives() - before, 6, 20); /* until there is nothing more */
	assert_int_equal(fakenl_waiting(NETLINK_KOBJECT_UEVENT), 0);
	assert_int_equal(fakenl_waiting(NETLINK_ROUTE), 0);
	expect_none();
}

MONITOR_TEST(changes_in_an_overrun_are_told)
{
	add_device("mlx5_0", 0, "InfiniBand\n");
	kernel_node(1, "mlx5_0", 1);
	open_monitor();
	set_state("mlx5_0", "1: DOWN\n", "2: Polling\n");
	kernel_node(1, "mlx5_0", 2); /* the node is another's now */
	fakenl_send_error(NETLINK_ROUTE, NLE_NOMEM);
	expect_overrun();
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad1", "mlx5_0");
	expect_port("mlx5_0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_device(UMAD_EVENT_UMAD_ADDED, "mlx5_0");
	assert_int_equal(event.portnum, 2);
	expect_none();
}

MONITOR_TEST(broken_socket_is_told)
{
	open_monitor();
	fakenl_send_error(NETLINK_ROUTE, NLE_BAD_SOCK);
	errno = 0;
	assert_int_equal(next(), -1);
	assert_int_equal(errno, EBADF);
	expect_none();
}

MONITOR_TEST(failing_look_is_made_again)
{
	open_monitor();
	add_device("mlx5_0", 0, "InfiniBand\n");
	fakesys_fail_path(KERNEL_OPENDIR, "/sys/class/infiniband", EMFILE);
	fakenl_send_error(NETLINK_KOBJECT_UEVENT, NLE_NOMEM);
	errno = 0;
	assert_int_equal(next(), -1);
	assert_int_equal(errno, EMFILE);
	assert_true(is_readable());
	assert_int_equal(umad_monitor_rescan(monitor), -1);
	fakesys_forget();
	expect_overrun();
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
	expect_none();
}

MONITOR_TEST(failing_open_leaves_nothing)
{
	int n;

	fakenl_know_rdma();
	add_roce("rxe0", 0);
	for (n = 1;; n++) {
		fakesys_fail_nth(KERNEL_ALLOCATE, n, ENOMEM);
		monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);
		fakesys_forget();
		assert_between(n, 1, 200);
		if (!monitor) {
			assert_true(errno == ENOMEM || errno == ENOBUFS);
			continue;
		}
		if (next() == 1 && next() == 1 && event.type == UMAD_EVENT_UMAD_ADDED &&
		    netlink_open_sockets() == 3)
			break; /* nothing failed, not even what is optional */
		close_monitor();
	}
}

/* Each allocation fails in turn while a device comes: its events come all the same, if need be
 * after an error and an overrun. */
MONITOR_TEST(want_of_memory_loses_nothing)
{
	bool device, node, failed = true;
	int n, ret;

	for (n = 1; failed; n++) {
		open_monitor();
		add_device("mlx5_0", 0, "InfiniBand\n");
		node_uevent("add", "umad0");
		device_uevent("add", "mlx5_0");
		device = node = failed = false;
		fakesys_fail_nth(KERNEL_ALLOCATE, n, ENOMEM);
		while ((ret = next()) != 0) {
			failed |= ret < 0 || event.type == UMAD_EVENT_OVERRUN;
			device |= ret > 0 && event.type == UMAD_EVENT_DEVICE_ADDED;
			node |= ret > 0 && event.type == UMAD_EVENT_UMAD_ADDED;
		}
		fakesys_forget();
		assert_true(device && node);
		close_monitor();
		remove_device("mlx5_0", 0);
		assert_between(n, 1, 100);
	}
	assert_between(n, 3, 100);
}

MONITOR_TEST(want_of_memory_loses_no_removal)
{
	bool removed, failed = true;
	int n, ret;

	for (n = 1; failed; n++) {
		kernel_ca("mlx5_0", 1, 1, 0);
		open_monitor();
		kernel_remove("/sys/class/infiniband/mlx5_0");
		device_uevent("remove", "mlx5_0");
		removed = failed = false;
		fakesys_fail_nth(KERNEL_ALLOCATE, n, ENOMEM);
		while ((ret = next()) != 0) {
			failed |= ret < 0 || event.type == UMAD_EVENT_OVERRUN;
			removed |= ret > 0 && event.type == UMAD_EVENT_DEVICE_REMOVED;
		}
		fakesys_forget();
		assert_true(removed);
		close_monitor();
		assert_between(n, 1, 100);
	}
	assert_between(n, 3, 100);
}

MONITOR_TEST(want_of_memory_loses_no_change)
{
	bool changed, failed = true;
	int n, ret;

	for (n = 1; failed; n++) {
		add_device("mlx5_0", 0, "InfiniBand\n");
		open_monitor();
		set_state("mlx5_0", "1: DOWN\n", "2: Polling\n");
		device_uevent("change", "mlx5_0");
		changed = failed = false;
		fakesys_fail_nth(KERNEL_ALLOCATE, n, ENOMEM);
		while ((ret = next()) != 0) {
			failed |= ret < 0 || event.type == UMAD_EVENT_OVERRUN;
			changed |= ret > 0 && event.type == UMAD_EVENT_PORT_CHANGED;
		}
		fakesys_forget();
		assert_true(changed);
		close_monitor();
		assert_between(n, 1, 100);
	}
	assert_between(n, 3, 100);
}

/*
 * Reading
 */

MONITOR_TEST(foreign_messages_are_ignored)
{
	static const char forged[] = "add@/x/evil\0ACTION=add\0DEVPATH=/x/evil\0"
				     "SUBSYSTEM=infiniband";
	struct nlmsghdr lie = { .nlmsg_len = 4000, .nlmsg_type = RTM_NEWLINK };

	fakenl_know_rdma();
	open_monitor();
	fakenl_send(NETLINK_KOBJECT_UEVENT, forged, sizeof(forged), SOMEBODY);
	fakenl_send(NETLINK_KOBJECT_UEVENT, forged, sizeof(forged) - 1, 0); /* no NUL */
	send_uevent("add", "net", "eth0", NULL);
	fakenl_send(NETLINK_ROUTE, &lie, sizeof(lie), 0);
	fakenl_send(NETLINK_ROUTE, &lie, 3, 0);
	expect_none();
	fakenl_send(NETLINK_KOBJECT_UEVENT, forged, sizeof(forged), 0);
	expect_device(UMAD_EVENT_DEVICE_ADDED, "evil");
}

MONITOR_TEST(sockets_are_emptied_with_each_read)
{
	int i;

	open_monitor();
	add_device("mlx5_0", 0, "InfiniBand\n");
	device_uevent("add", "mlx5_0");
	node_uevent("add", "umad0");
	for (i = 0; i < 100; i++)
		send_uevent("change", "net", "eth0", NULL);
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	assert_int_equal(fakenl_waiting(NETLINK_KOBJECT_UEVENT), 0);
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
	expect_none();
}

MONITOR_TEST(many_other_messages_end_a_read)
{
	int i, reads = 1;

	open_monitor();
	for (i = 0; i < 1000; i++)
		send_uevent("change", "net", "eth0", NULL);
	for (; next() == 0 && is_readable(); reads++)
		assert_true(reads < 100);
	assert_between(reads, 2, 10);
	assert_int_equal(fakenl_waiting(NETLINK_KOBJECT_UEVENT), 0);
}

MONITOR_TEST(many_events_wait_in_sockets)
{
	enum { PAIRS = 700 }; /* more events than the monitor holds */
	int i;

	open_monitor();
	for (i = 0; i < PAIRS; i++) {
		device_uevent("add", "mlx5_0");
		device_uevent("remove", "mlx5_0");
	}
	for (i = 0; i < PAIRS; i++) {
		while (next() == 0)
			assert_true(is_readable());
		fakesys_forget();
		assert_int_equal(event.type, UMAD_EVENT_DEVICE_ADDED);
		expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
		if (i < 10)
			assert_true(fakenl_waiting(NETLINK_KOBJECT_UEVENT) > 0);
	}
	expect_none();
}

MONITOR_TEST(shorter_and_longer_events_are_filled)
{
	struct {
		struct umad_event event;
		char more[16];
	} longer;
	char zeros[16] = { 0 };

	open_monitor();
	device_uevent("add", "mlx5_0");
	device_uevent("remove", "mlx5_0");
	memset(&event, 0xff, sizeof(event));
	assert_int_equal(umad_monitor_read(monitor, &event, 4, 0), 1);
	assert_int_equal(event.type, UMAD_EVENT_DEVICE_ADDED);
	assert_int_equal(event.portnum, -1); /* not touched */
	memset(&longer, 0xff, sizeof(longer));
	assert_int_equal(umad_monitor_read(monitor, &longer.event, sizeof(longer), 0), 1);
	assert_string_equal(longer.event.ca_name, "mlx5_0");
	assert_memory_equal(longer.more, zeros, sizeof(zeros));
}

MONITOR_TEST(a_read_without_limit_waits_for_an_event)
{
	open_monitor();
	device_uevent("add", "mlx5_0");
	assert_int_equal(umad_monitor_read(monitor, &event, sizeof(event), -1), 1);
}

MONITOR_TEST(types_have_words)
{
	int type;

	assert_string_equal(umad_event_str(UMAD_EVENT_DEVICE_ADDED), "device added");
	assert_string_equal(umad_event_str(UMAD_EVENT_OVERRUN), "overrun");
	for (type = UMAD_EVENT_DEVICE_ADDED; type <= UMAD_EVENT_OVERRUN; type++)
		assert_string_not_equal(umad_event_str(type), "<unknown>");
	assert_string_equal(umad_event_str(0), "<unknown>");
	assert_string_equal(umad_event_str(UMAD_EVENT_OVERRUN + 1), "<unknown>");
	assert_string_equal(umad_event_str((enum umad_event_type) - 1), "<unknown>");
}
