/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-timer.c - umad_monitor_set_interval(): changes of ports that the kernel sends no message
 * about, and what a scan costs.
 */
#include "events.h"

#include <errno.h>
#include <poll.h>

enum { INTERVAL_MS = 30, PATIENCE_MS = 20000, CALLERS = 77 };

static int setup(void **state)
{
	int result = fakenl_setup(state);

	if (result)
		return result;
	watch_infiniband();
	return 0;
}

/* Within real time, whatever the clock of fakesys says. */
static bool becomes_readable(int timeout_ms)
{
	struct pollfd fd = { .fd = umad_monitor_get_fd(monitor), .events = POLLIN };

	return poll(&fd, 1, timeout_ms) > 0;
}

static void expect_change(unsigned int changed)
{
	struct umad_event more;

	assert_true(becomes_readable(PATIENCE_MS));
	expect_device(UMAD_EVENT_PORT_CHANGED, "mlx5_0");
	assert_int_equal(event.port_number, 1);
	assert_int_equal(event.changed, changed);
	assert_int_equal(umad_monitor_read(monitor, &more, sizeof(more), 0), 0);
}

#define CASE(name) TEST_WITH(name, setup, close_and_tear_down)

CASE(off_at_first)
{
	kernel_port_file("mlx5_0", 1, "state", "1: DOWN\n");
	assert_false(becomes_readable(3 * INTERVAL_MS));
	assert_int_equal(next(), 0);
}

CASE(state_lid_and_sm)
{
	assert_int_equal(umad_monitor_set_interval(monitor, INTERVAL_MS), 0);
	kernel_port_file("mlx5_0", 1, "state", "1: DOWN\n");
	expect_change(UMAD_CHANGED_STATE);
	assert_int_equal(event.state, 1);
	kernel_port_file("mlx5_0", 1, "lid", "0x123\n");
	expect_change(UMAD_CHANGED_LID);
	assert_int_equal(event.base_lid, 0x123);
	kernel_port_file("mlx5_0", 1, "sm_lid", "0x45\n");
	kernel_port_file("mlx5_0", 1, "state", "4: ACTIVE\n");
	expect_change(UMAD_CHANGED_SM | UMAD_CHANGED_STATE);
	assert_int_equal(event.sm_lid, 0x45);
}

/* A scan without a change is no event, and the descriptor is not readable after it. */
CASE(nothing_has_changed)
{
	assert_int_equal(umad_monitor_set_interval(monitor, INTERVAL_MS), 0);
	for (int i = 0; i < 3; i++) {
		struct pollfd fd = { .fd = umad_monitor_get_fd(monitor), .events = POLLIN };

		assert_true(becomes_readable(PATIENCE_MS));
		errno = CALLERS;
		assert_int_equal(next(), 0);
		assert_int_equal(errno, CALLERS);
		if (i == 2)
			assert_int_equal(umad_monitor_set_interval(monitor, 100000), 0);
		else
			continue;
		assert_int_equal(poll(&fd, 1, 0), 0);
	}
}

CASE(off_again)
{
	assert_int_equal(umad_monitor_set_interval(monitor, 0), 0);
	assert_int_equal(umad_monitor_set_interval(monitor, INTERVAL_MS), 0);
	assert_true(becomes_readable(PATIENCE_MS));
	assert_int_equal(umad_monitor_set_interval(monitor, 0), 0);
	kernel_port_file("mlx5_0", 1, "state", "1: DOWN\n");
	assert_false(becomes_readable(3 * INTERVAL_MS));
	assert_int_equal(next(), 0);
	assert_int_equal(umad_monitor_rescan(monitor), 0);
	assert_int_equal(next(), 1);
}

/* What umad_monitor.h says of the cost. */
CASE(what_a_scan_costs)
{
	assert_int_equal(umad_monitor_set_interval(monitor, INTERVAL_MS), 0);
	assert_true(becomes_readable(PATIENCE_MS));
	fakesys_forget();
	assert_int_equal(next(), 0);
	/* Device: 2, umad device: 2, port: 8 and the attempt to find RDMA netlink. */
	assert_int_equal(fakesys_count(KERNEL_OPEN), 2 + 2 + 8 + 1);
	assert_int_equal(fakesys_count(KERNEL_READ), 2 + 2 + 8);
	assert_int_equal(fakesys_count(KERNEL_OPENDIR), 3);
}

/* Interfaces of RoCE ports have messages, if they are in this network namespace; and that of one
 * port says nothing of the others. */
CASE(roce_is_left_out)
{
	fakenl_know_rdma();
	add_roce("rxe0", 1);
	add_device("rxe1", 2, "Ethernet\n");
	kernel_ca("mlx4_0", 1, 2, 0);
	kernel_port_file("mlx4_0", 1, "link_layer", "Ethernet\n");
	assert_int_equal(umad_monitor_rescan(monitor), 0);
	while (next() == 1)
		;
	assert_int_equal(umad_monitor_set_interval(monitor, INTERVAL_MS), 0);
	kernel_port_file("rxe0", 1, "state", "1: DOWN\n");
	kernel_port_file("mlx5_0", 1, "state", "2: INIT\n");
	expect_change(UMAD_CHANGED_STATE);
	kernel_port_file("rxe1", 1, "state", "1: DOWN\n");
	assert_true(becomes_readable(PATIENCE_MS));
	expect_device(UMAD_EVENT_PORT_CHANGED, "rxe1");
	kernel_port_file("mlx4_0", 2, "state", "1: DOWN\n");
	assert_true(becomes_readable(PATIENCE_MS));
	expect_device(UMAD_EVENT_PORT_CHANGED, "mlx4_0");
	assert_int_equal(event.port_number, 2);
}

/* The module of umad devices need not send a message, in a rootless container. */
CASE(umad_device_without_a_message)
{
	assert_int_equal(umad_monitor_set_interval(monitor, INTERVAL_MS), 0);
	kernel_node(1, "mlx5_0", 2);
	assert_true(becomes_readable(PATIENCE_MS));
	expect_device(UMAD_EVENT_UMAD_ADDED, "mlx5_0");
	assert_string_equal(event.node, "umad1");
}

CASE(bad_arguments)
{
	errno = 0;
	assert_int_equal(umad_monitor_set_interval(NULL, 1), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(umad_monitor_set_interval(monitor, -1), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(umad_monitor_set_interval(monitor, INT32_MAX), 0);
}
