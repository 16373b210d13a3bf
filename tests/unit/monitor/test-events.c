/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-events.c - a monitor is opened, read and closed (libibumad/monitor/monitor.c,
 * sources.c).
 */
#include "events.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include <linux/rtnetlink.h>

enum { SOMEBODY = 4711 };

/*
 * Opening and closing
 */

/* Before the library is loaded. */
MONITOR_TEST(missing_library_is_reported)
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
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
	expect_none();
}

/* A cancelled thread completes every call of a monitor but the wait. */
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

MONITOR_TEST(missing_protocols_are_reported)
{
	fakenl_fail_connect(NETLINK_KOBJECT_UEVENT, EPROTONOSUPPORT);
	assert_null(umad_monitor_open(0));
	assert_int_equal(errno, EPROTONOSUPPORT);
	fakenl_fail_connect(NETLINK_KOBJECT_UEVENT, 0);
	fakenl_fail_join(NETLINK_ROUTE, EPERM);
	assert_null(umad_monitor_open(0));
	assert_int_equal(errno, EPERM);
}

MONITOR_TEST(rdma_is_optional)
{
	fakenl_know_rdma();
	open_monitor();
	assert_int_equal(netlink_open_sockets(), 3);
	close_monitor();
	fakenl_fail_join(NETLINK_RDMA, EPERM); /* an ordinary user, on older kernels */
	open_monitor();
	assert_int_equal(netlink_open_sockets(), 2);
	close_monitor();
	fakenl_fail_connect(NETLINK_RDMA, EPROTONOSUPPORT);
	open_monitor();
}

MONITOR_TEST(unreadable_sysfs_is_reported)
{
	fakesys_fail_path(KERNEL_OPENDIR, "/sys/class/infiniband", EACCES);
	assert_null(umad_monitor_open(0));
	assert_int_equal(errno, EACCES);
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
	kernel_ca("evil", 1, 1, 0);
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

/* A program that was compiled with another version of the header. Its structure is never smaller
 * than that of the first release: such a size is a mistake, and loses no event. */
MONITOR_TEST(events_have_the_size_of_the_program)
{
	const size_t first = offsetof(struct umad_event, node) + UMAD_EVENT_NAME_LEN;
	struct {
		struct umad_event event;
		uint8_t later_members[100], guard;
	} longer;
	size_t size, i;

	open_monitor();
	kernel_ca("mlx5_0", 1, 1, 0);
	kernel_ca("mlx5_1", 1, 1, 1);
	device_uevent("add", "mlx5_0");
	memset(&longer, 0xff, sizeof(longer));
	for (size = 0; size < first; size += 4) {
		errno = 0;
		assert_int_equal(umad_monitor_read(monitor, &longer.event, size, 0), -1);
		assert_int_equal(errno, EINVAL);
		assert_int_equal(longer.event.type, UINT32_MAX);
	}
	assert_int_equal(umad_monitor_read(monitor, &longer.event, first, 0), 1);
	assert_string_equal(longer.event.ca_name, "mlx5_0");
	assert_int_equal(longer.later_members[0], 0xff);
	size = offsetof(__typeof__(longer), guard);
	assert_int_equal(umad_monitor_read(monitor, &longer.event, size, 0), 1);
	assert_string_equal(longer.event.ca_name, "mlx5_1");
	for (i = 0; i < sizeof(longer.later_members); i++)
		assert_int_equal(longer.later_members[i], 0);
	assert_int_equal(longer.guard, 0xff);
}

MONITOR_TEST(a_read_without_limit_waits_for_an_event)
{
	open_monitor();
	kernel_ca("mlx5_0", 1, 1, 0);
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
	assert_string_equal(umad_event_str(UINT_MAX), "<unknown>");
}
