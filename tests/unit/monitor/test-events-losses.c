/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-events-losses.c - messages that were lost, sockets that break, files that cannot be read,
 * and exhausted memory.
 */
#include "events.h"

#include <errno.h>

MONITOR_TEST(overrun_is_reported_and_made_good)
{
	static const int protocols[] = { NETLINK_KOBJECT_UEVENT, NETLINK_ROUTE, NETLINK_RDMA };
	size_t i;

	fakenl_know_rdma();
	for (i = 0; i < sizeof(protocols) / sizeof(protocols[0]); i++) {
		add_roce("rxe0", 0);
		open_monitor();
		remove_device("rxe0", 0);
		add_roce("rxe1", 1);
		fakenl_send_error(protocols[i], ENOBUFS);
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

/* Messages from before the loss may be misleading: the removals were lost. */
MONITOR_TEST(messages_of_an_overrun_add_nothing)
{
	open_monitor();
	fakenl_send_error(NETLINK_KOBJECT_UEVENT, ENOBUFS);
	device_uevent("add", "rxe9");
	device_uevent("add", "rxe8");
	fakenl_send_error(NETLINK_KOBJECT_UEVENT, ENOBUFS);
	device_uevent("add", "rxe7");
	send_link(NETDEV, ARPHRD_ETHER, UP);
	expect_overrun();
	assert_int_equal(fakenl_waiting(NETLINK_KOBJECT_UEVENT), 0);
	assert_int_equal(fakenl_waiting(NETLINK_ROUTE), 0);
	expect_none();
}

MONITOR_TEST(changes_in_an_overrun_are_reported)
{
	add_device("mlx5_0", 0, "InfiniBand\n");
	kernel_node(1, "mlx5_0", 1);
	open_monitor();
	set_state("mlx5_0", "1: DOWN\n", "2: Polling\n");
	kernel_node(1, "mlx5_0", 2); /* the node belongs to another port now */
	fakenl_send_error(NETLINK_ROUTE, ENOBUFS);
	expect_overrun();
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad1", "mlx5_0");
	expect_device(UMAD_EVENT_UMAD_ADDED, "mlx5_0");
	assert_int_equal(event.port_number, 2);
	expect_port("mlx5_0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_none();
}

MONITOR_TEST(broken_socket_is_reported)
{
	open_monitor();
	fakenl_send_error(NETLINK_ROUTE, EBADF);
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
	fakenl_send_error(NETLINK_KOBJECT_UEVENT, ENOBUFS);
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

/* Each allocation fails in turn while something happens: its events are reported, after an error
 * and an overrun if necessary. */
MONITOR_TEST(want_of_memory_loses_nothing)
{
	static const struct {
		const char *before[3], *happens[3]; /* NULL ends them */
		unsigned int types;		    /* bits of the events to come */
	} cases[] = {
		{ { "open" },
		  { "host +mlx5_0/0", "says +umad0 +mlx5_0" },
		  1U << UMAD_EVENT_DEVICE_ADDED | 1U << UMAD_EVENT_UMAD_ADDED },
		{ { "host +mlx5_0/0", "open" },
		  { "host -mlx5_0/0", "says -mlx5_0" },
		  1U << UMAD_EVENT_UMAD_REMOVED | 1U << UMAD_EVENT_DEVICE_REMOVED },
		{ { "host +mlx5_0/0", "open" },
		  { "says ~mlx5_0" }, /* whose port is down now */
		  1U << UMAD_EVENT_PORT_CHANGED },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		bool failed = true;
		int n, ret;

		for (n = 1; failed; n++) {
			unsigned int types = 0;

			play(cases[i].before);
			if (!cases[i].happens[1])
				set_state("mlx5_0", "1: DOWN\n", "2: Polling\n");
			play(cases[i].happens);
			failed = false;
			fakesys_fail_nth(KERNEL_ALLOCATE, n, ENOMEM);
			while ((ret = next()) != 0) {
				failed |= ret < 0 || event.type == UMAD_EVENT_OVERRUN;
				types |= ret > 0 ? 1U << event.type : 0;
			}
			fakesys_forget();
			assert_int_equal(types & cases[i].types, cases[i].types);
			close_monitor();
			remove_device("mlx5_0", 0);
			assert_between(n, 1, 100);
		}
		assert_between(n, 3, 100);
	}
}
