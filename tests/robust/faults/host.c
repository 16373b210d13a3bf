/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* host.c - the hosts of host.h. */
#include "host.h"

#include <stdio.h>
#include <string.h>

#include <linux/if_arp.h>
#include <linux/rtnetlink.h>

#include "fakenl.h"
#include "fakesys.h"

static const char new_device[] = "mlx5_3";

static void reset(void)
{
	fault_enter_kernel();
	fakenl_setup(NULL);
}

static void *make_sysfs(void)
{
	reset();
	kernel_ca("mlx5_0", 1, 2, 0x10);
	kernel_ca("mlx5_1", 1, 1, 0x10); /* shares the GUID of port 1 */
	kernel_ca("mlx5_2", 1, 1, 0x20);
	kernel_port_file("mlx5_0", 1, "cap_mask", "0x2651ec48\n"); /* IsSMDisabled */
	kernel_port_file("mlx5_0", 1, "state", "2: INIT\n");
	kernel_abi_version("5\n");
	kernel_node(0, "mlx5_1", 1);
	kernel_node(1, "mlx5_0", 1);
	kernel_node(2, "mlx5_0", 2);
	kernel_node(3, "mlx5_2", 1);
	fakenl_know_rdma();
	fault_leave_kernel();
	return NULL;
}

static void *make_netlink(void)
{
	reset();
	fakenl_show_devices();
	kernel_file("/dev/infiniband/umad0", "");
	kernel_file("/dev/infiniband/umad4", "");
	fault_leave_kernel();
	return NULL;
}

static void take_away(void *state)
{
	(void)state;
	fault_enter_kernel();
	kernel_remove("");
	fault_leave_kernel();
}

const struct fault_scene host_sysfs = { "a host with sysfs", make_sysfs, take_away,
					netlink_open_sockets };
const struct fault_scene host_netlink = { "a host without sysfs", make_netlink, take_away,
					  netlink_open_sockets };
const struct fault_scene host_unloaded = { "a host without sysfs, at first", make_netlink,
					   take_away, netlink_open_sockets };

void host_expect_open(void)
{
	const struct fakesys_io enable_pkey = { .call = KERNEL_IOCTL,
						.request = IB_USER_MAD_ENABLE_PKEY };

	fault_enter_kernel();
	fakesys_expect(&enable_pkey);
	fault_leave_kernel();
}

void host_forget_expected(void)
{
	fakesys_device_reset();
}

static void send_uevent(const char *action, const char *subsystem, const char *name)
{
	char data[512];
	int size;

	size = snprintf(data, sizeof(data), "%s@/x/%s%cACTION=%s%cDEVPATH=/x/%s%cSUBSYSTEM=%s%c",
			action, name, 0, action, 0, name, 0, subsystem, 0);
	fakenl_send(NETLINK_KOBJECT_UEVENT, data, (size_t)size, 0);
}

void host_add_device(void)
{
	fault_enter_kernel();
	kernel_ca(new_device, 1, 1, 0x30);
	kernel_node(4, new_device, 1);
	send_uevent("add", "infiniband", new_device);
	send_uevent("add", "infiniband_mad", "umad4");
	fault_leave_kernel();
}

void host_remove_device(void)
{
	fault_enter_kernel();
	kernel_remove("/sys/class/infiniband/mlx5_3");
	kernel_remove("/sys/class/infiniband_mad/umad4");
	send_uevent("remove", "infiniband_mad", "umad4");
	send_uevent("remove", "infiniband", new_device);
	fault_leave_kernel();
}

void host_change_port(void)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg info;
	} message = {
		.header = { .nlmsg_len = sizeof(message), .nlmsg_type = RTM_NEWLINK },
		.info = { .ifi_index = 3, .ifi_type = ARPHRD_INFINIBAND },
	};

	fault_enter_kernel();
	kernel_port_file("mlx5_2", 1, "state", "1: DOWN\n");
	fakenl_send(NETLINK_ROUTE, &message, sizeof(message), 0);
	fault_leave_kernel();
}

void host_forget_new(void)
{
	fault_enter_kernel();
	kernel_remove("/sys/class/infiniband/mlx5_3");
	kernel_remove("/sys/class/infiniband_mad/umad4");
	kernel_remove("/dev/infiniband/umad4");
	kernel_port_file("mlx5_2", 1, "state", "4: ACTIVE\n");
	fault_leave_kernel();
}
