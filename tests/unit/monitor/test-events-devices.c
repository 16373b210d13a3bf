/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-events-devices.c - devices and their nodes that come, go and get other names; late and
 * contradictory messages.
 */
#include "events.h"

MONITOR_TEST(device_comes_and_goes)
{
	open_monitor();
	add_device("mlx5_0", 0, "InfiniBand\n");
	device_uevent("add", "mlx5_0");
	node_uevent("add", "umad0");
	node_uevent("add", "issm0");
	assert_true(is_readable());
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	assert_int_equal(event.port_number, 0);
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

/* Without a message, or where the node GUID is another one, it is another device. */
MONITOR_TEST(device_without_a_message_has_no_new_name)
{
	watch_infiniband();
	remove_device("mlx5_0", 0);
	add_device("ibp3s0", 0, "InfiniBand\n");
	assert_int_equal(umad_monitor_rescan(monitor), 0);
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_ADDED, "ibp3s0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "ibp3s0");
	send_uevent("move", "infiniband", "ibp3s0", "mlx5_0"); /* too late */
	expect_none();
	remove_device("ibp3s0", 0);
	add_device("mlx5_0", 0, "InfiniBand\n");
	kernel_ca_file("mlx5_0", "node_guid", "0002:c903:0000:00b0\n");
	send_uevent("move", "infiniband", "mlx5_0", "ibp3s0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "ibp3s0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "ibp3s0");
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
	expect_none();
}

/* a becomes b, then c becomes a: with all messages, and with a snapshot before the second one. */
MONITOR_TEST(name_is_given_to_another_device)
{
	int early;

	for (early = 0; early < 2; early++) {
		add_device("a", 0, "InfiniBand\n");
		add_device("c", 1, "InfiniBand\n");
		kernel_ca_file("c", "node_guid", "0002:c903:0000:00c0\n");
		open_monitor();
		remove_device("a", 0);
		remove_device("c", 1);
		add_device("b", 0, "InfiniBand\n");
		add_device("a", 1, "InfiniBand\n");
		kernel_ca_file("a", "node_guid", "0002:c903:0000:00c0\n");
		if (!early) {
			send_uevent("move", "infiniband", "b", "a");
			send_uevent("move", "infiniband", "a", "c");
			expect_device(UMAD_EVENT_DEVICE_RENAMED, "b");
			assert_string_equal(event.old_name, "a");
			expect_device(UMAD_EVENT_DEVICE_RENAMED, "a");
			assert_string_equal(event.old_name, "c");
		} else {
			assert_int_equal(umad_monitor_rescan(monitor), 0);
			expect_device(UMAD_EVENT_UMAD_REMOVED, "a");
			expect_device(UMAD_EVENT_UMAD_REMOVED, "c");
			expect_device(UMAD_EVENT_DEVICE_REMOVED, "a");
			expect_device(UMAD_EVENT_DEVICE_REMOVED, "c");
			expect_device(UMAD_EVENT_DEVICE_ADDED, "b");
			expect_device(UMAD_EVENT_DEVICE_ADDED, "a");
			expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "b");
			expect_node(UMAD_EVENT_UMAD_ADDED, "umad1", "a");
			send_uevent("move", "infiniband", "b", "a");
			send_uevent("move", "infiniband", "a", "c");
		}
		expect_none();
		close_monitor();
		remove_device("b", 0);
		remove_device("a", 1);
	}
}

/* Two devices exchange their names: no event can be the first, so one of them is removed. */
MONITOR_TEST(names_are_exchanged)
{
	add_device("a", 0, "InfiniBand\n");
	add_device("b", 1, "InfiniBand\n");
	kernel_ca_file("b", "node_guid", "0002:c903:0000:00b0\n");
	open_monitor();
	remove_device("a", 0);
	remove_device("b", 1);
	add_device("b", 0, "InfiniBand\n");
	add_device("a", 1, "InfiniBand\n");
	kernel_ca_file("a", "node_guid", "0002:c903:0000:00b0\n");
	send_uevent("move", "infiniband", "t", "a");
	send_uevent("move", "infiniband", "a", "b");
	send_uevent("move", "infiniband", "b", "t");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "a");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "a");
	expect_device(UMAD_EVENT_DEVICE_RENAMED, "a");
	assert_string_equal(event.old_name, "b");
	expect_device(UMAD_EVENT_DEVICE_ADDED, "b");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "b");
	expect_none();
}

MONITOR_TEST(impossible_names_come_and_go)
{
	static const char long_name[] = "b1234567890123456789";

	watch_infiniband();
	remove_device("mlx5_0", 0);
	add_device(long_name, 0, "InfiniBand\n");
	send_uevent("move", "infiniband", long_name, "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	remove_device(long_name, 0);
	add_device("mlx5_0", 0, "InfiniBand\n");
	send_uevent("move", "infiniband", "mlx5_0", long_name);
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
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
	kernel_ca("mlx5_1", 1, 1, 1);	/* moves here */
	device_uevent("add", "mlx5_1"); /* the only message, in a rootless container */
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

/* What it was cannot be known any more. */
MONITOR_TEST(device_that_came_and_went_is_no_event)
{
	open_monitor();
	node_uevent("add", "umad0");
	device_uevent("add", "mlx5_0");
	node_uevent("remove", "umad0");
	device_uevent("remove", "mlx5_0");
	expect_none();
}

MONITOR_TEST(device_that_went_and_came_is_reported)
{
	watch_infiniband();
	device_uevent("remove", "mlx5_0");
	device_uevent("add", "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
	expect_none();
	node_uevent("remove", "umad0"); /* the module was loaded again */
	node_uevent("add", "umad0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
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
