/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-events-devices.c - devices and their nodes that come, go and get other names; late and
 * contradictory messages.
 */
#include <stdlib.h>

#include "events.h"
#include "libibumad/internal.h"

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

MONITOR_TEST(device_that_came_and_went_is_reported)
{
	open_monitor();
	node_uevent("add", "umad0");
	device_uevent("add", "mlx5_0");
	node_uevent("remove", "umad0");
	device_uevent("remove", "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", ""); /* its device is unknown */
	expect_device(UMAD_EVENT_DEVICE_ADDED, "mlx5_0");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad0", "");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "mlx5_0");
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

/* Messages of any kind in any order: the events alternate, and end in the actual state. */
MONITOR_TEST(random_messages_end_with_what_is_there)
{
	static const char *const devices[] = { "mlx5_0", "mlx5_1", "mlx5_2" };
	static const char *const nodes[] = { "umad0", "umad1", "umad2" };
	bool known[3] = { false }, known_node[3] = { false };
	struct umad_source source = { .kind = UMAD_SOURCE_SYSFS };
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
			assert_int_equal(known[i], umad_device_read_type(&source, devices[i]) != 0);
			assert_int_equal(known_node[i], known[i]);
		}
	}
}
