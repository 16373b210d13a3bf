/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-events-ports.c - ports that change, as messages about interfaces and notifications of
 * RDMA netlink make the monitor see it.
 */
#include "events.h"

#include <stdio.h>

#include <linux/rtnetlink.h>
#include <rdma/rdma_netlink.h>

enum { EVENT_REGISTER = 0, EVENT_UNREGISTER = 1 };

MONITOR_TEST(roce_port_goes_down_and_up)
{
	fakenl_know_rdma();
	add_roce("rxe0", 0);
	add_roce("rxe1", 1);
	open_monitor();
	set_state("rxe0", "1: DOWN\n", "3: Disabled\n");
	send_link(NETDEV, ARPHRD_ETHER, 0);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	assert_int_equal(event.physical_state, 3);
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

MONITOR_TEST(short_interruption_is_reported)
{
	watch_roce();
	send_link(NETDEV, ARPHRD_ETHER, 0);
	send_link(NETDEV, ARPHRD_ETHER, UP);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	assert_int_equal(event.physical_state, 3);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	assert_int_equal(event.physical_state, 5);
	expect_none();
}

/* Several interruptions between two reads are reported as one, and of a port that is down now, only
 * that. Newer kernels say that an interface has its carrier, and later that it runs. */
MONITOR_TEST(interruptions_are_one)
{
	watch_roce();
	send_link(NETDEV, ARPHRD_ETHER, 0);
	send_link(NETDEV, ARPHRD_ETHER, CARRIER);
	send_link(NETDEV, ARPHRD_ETHER, UP);
	send_link(NETDEV, ARPHRD_ETHER, IFF_UP);
	send_link(NETDEV, ARPHRD_ETHER, CARRIER);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	assert_int_equal(event.physical_state, 2);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 4);
	expect_none();
	set_state("rxe0", "1: DOWN\n", "3: Disabled\n");
	send_link(NETDEV, ARPHRD_ETHER, 0);
	send_link(NETDEV, ARPHRD_ETHER, UP);
	send_link(NETDEV, ARPHRD_ETHER, 0);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
	expect_none();
	send_link(NETDEV, ARPHRD_ETHER, CARRIER); /* Active only when the interface runs */
	expect_none();
	set_state("rxe0", "4: ACTIVE\n", "5: LinkUp\n");
	send_link(NETDEV, ARPHRD_ETHER, 0); /* an old one */
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
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "rxe0");
	assert_int_equal(netlink_open_sockets(), 3); /* RDMA netlink is there now */
	set_state("rxe0", "1: DOWN\n", "3: Disabled\n");
	send_link(NETDEV + 1, ARPHRD_ETHER, 0);
	expect_none();
	send_link(NETDEV, ARPHRD_ETHER, 0);
	expect_port("rxe0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
}

/* An IPoIB interface says by its address which port it belongs to; all are read if that is none of
 * them. */
MONITOR_TEST(only_the_port_of_an_ipoib_interface_is_read)
{
	enum { DEVICES = 128 };
	char name[UMAD_CA_NAME_LEN], path[64];
	int i;

	for (i = 0; i < DEVICES; i++) {
		snprintf(name, sizeof(name), "mlx5_%d", i);
		kernel_ca(name, 1, 1, (unsigned int)i);
	}
	open_monitor();
	set_state("mlx5_3", "2: INIT\n", "5: LinkUp\n");
	fakesys_forget();
	for (i = 0; i < 3; i++)
		send_address(5 + i, ARPHRD_INFINIBAND, UP, 0x0002c90300000000 + 4);
	expect_port("mlx5_3", UMAD_CHANGED_STATE, 2);
	expect_none();
	assert_int_equal(fakesys_opened("/sys/class/infiniband/mlx5_3/ports/"), 8);
	for (i = 0; i < DEVICES; i++) {
		snprintf(path, sizeof(path), "/sys/class/infiniband/mlx5_%d/ports/", i);
		assert_int_equal(fakesys_opened(path), i == 3 ? 8 : 0);
	}
	send_address(5, ARPHRD_INFINIBAND, UP, 0x0002c90300000000 + 999);
	expect_none();
	assert_int_equal(fakesys_opened("/sys/class/infiniband/mlx5_127/ports/"), 8);
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
	expect_node(UMAD_EVENT_UMAD_ADDED, "umad0", "mlx5_0");
	expect_none();
	set_state("mlx5_0", "1: DOWN\n", "2: Polling\n");
	device_uevent("change", "mlx5_0");
	expect_port("mlx5_0", UMAD_CHANGED_STATE | UMAD_CHANGED_PHYS_STATE, 1);
}

/*
 * RDMA netlink
 */

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
	send_notification(EVENT_UNREGISTER); /* sysfs still shows it */
	expect_none();
	remove_device("rxe1", 1);
	device_uevent("remove", "rxe1");
	expect_node(UMAD_EVENT_UMAD_REMOVED, "umad1", "rxe1");
	expect_device(UMAD_EVENT_DEVICE_REMOVED, "rxe1");
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

/* What 127 virtual functions cost that are added one after the other: the ports of each are read
 * once, its GUID among them, and the other files with each addition. */
MONITOR_TEST(many_devices_cost_little)
{
	enum { FUNCTIONS = 127, FILES_OF_A_PORT = 9, OTHER_FILES = 4, NETLINK = 1 };
	char name[UMAD_CA_NAME_LEN], node[UMAD_CA_NAME_LEN];
	int i, files = 0;

	watch_infiniband();
	for (i = 1; i <= FUNCTIONS; i++) {
		snprintf(name, sizeof(name), "mlx5_%d", i);
		snprintf(node, sizeof(node), "umad%d", i);
		add_device(name, (unsigned int)i, "InfiniBand\n");
		node_uevent("add", node);
		device_uevent("add", name);
		fakesys_forget();
		expect_device(UMAD_EVENT_DEVICE_ADDED, name);
		expect_node(UMAD_EVENT_UMAD_ADDED, node, name);
		expect_none();
		assert_int_equal(fakesys_count(KERNEL_OPEN),
				 FILES_OF_A_PORT + OTHER_FILES * (i + 1) + NETLINK);
		files += fakesys_count(KERNEL_OPEN);
	}
	assert_between(files, 0, 35000);
}
