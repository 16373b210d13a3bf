/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-fallback.c - discovery by RDMA netlink where there is no /sys/class/infiniband
 * (libibumad/discovery/source.c), through the public calls; and that it is not used where there
 * is one.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <rdma/rdma_netlink.h>

#include "test.h"
#include "fakenl.h"
#include "fakesys.h"
#include "libibumad/internal.h"

enum {
	TYPE_GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET),
	TYPE_PORT_GET = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_PORT_GET),
};

static char names[8][UMAD_CA_NAME_LEN];
static umad_ca_t ca;
static umad_port_t port;

/* Then a host is as it would be without the fallback. This comes before the library is loaded. */
FAKENL_TEST(missing_library_means_no_devices)
{
	fakenl_show_devices();
	fakenl_lose_library();
	assert_int_equal(umad_get_cas_names(names, 8), 0);
	assert_null(umad_get_ca_device_list());
	assert_int_equal(errno, 0);
	assert_int_equal(umad_get_ca("mlx5_0", &ca), -ENODEV);
}

/* This comes early, as a version that is good holds for the process. */
FAKENL_TEST(kernel_interface_must_be_known)
{
	struct fakenl_device device = {
		.name = "ca0", .node_type = 1, .ports = 1, .node = "umad0"
	};
	static const uint64_t versions[] = { 0, 4, 0x100000005 };
	size_t i;

	fakenl_know_rdma();
	for (i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		fakenl_remove_devices();
		device.abi = versions[i];
		fakenl_add_device(&device);
		assert_int_equal(umad_open_port("ca0", 1), -EOPNOTSUPP);
	}
}

FAKENL_TEST(nothing_is_loaded_without_rdma)
{
	struct fakenl_device device = { .name = "ca0", .node_type = 1, .ports = 1 };

	fakenl_add_device(&device);
	assert_int_equal(umad_get_cas_names(names, 8), 0);
	assert_null(umad_get_ca_device_list());
	assert_int_equal(errno, 0);
	assert_int_equal(umad_get_ca("ca0", &ca), -ENODEV);
	assert_int_equal(umad_open_port("ca0", 1), -EOPNOTSUPP);
	assert_int_equal(fakenl_loads(), 0);
	assert_int_equal(fakenl_requests(TYPE_GET), 0);
}

/* An empty class directory is a valid result, and so is one with other devices. */
FAKENL_TEST(sysfs_rules_where_it_is)
{
	fakenl_show_devices();
	kernel_directory("/sys/class/infiniband");
	assert_int_equal(umad_get_cas_names(names, 8), 0);
	assert_null(umad_get_ca_device_list());
	assert_int_equal(umad_get_ca("mlx5_0", &ca), -ENODEV);
	assert_int_equal(umad_get_port("mlx5_0", 1, &port), -ENODEV);
	kernel_ca("ibsim0", 1, 1, 0);
	kernel_node(0, "ibsim0", 1);
	kernel_port_file("ibsim0", 1, "state", "unreadable\n");
	assert_int_equal(umad_get_cas_names(names, 8), 1);
	assert_int_equal(umad_get_port("ibsim0", 1, &port), 0);
	umad_release_port(&port);
	assert_int_equal(umad_get_port("ibsim0", 2, &port), -EINVAL);
	kernel_abi_version("5\n");
	assert_int_equal(umad_open_port("mlx5_0", 1), -ENODEV);
	assert_int_equal(fakenl_loads(), 0);
	assert_int_equal(fakesys_opened("/proc"), 0);
}

FAKENL_TEST(devices_are_listed)
{
	struct umad_device_node *list;

	fakenl_show_devices();
	assert_int_equal(umad_get_cas_names(names, 8), 2);
	assert_string_equal(names[0], "mlx5_0");
	assert_string_equal(names[1], "rxe0");
	errno = EBADF;
	list = umad_get_ca_device_list();
	assert_int_equal(errno, 0);
	assert_string_equal(list->ca_name, "rxe0"); /* in the order of the kernel */
	assert_string_equal(list->next->ca_name, "mlx5_0");
	assert_null(list->next->next);
	umad_free_ca_device_list(list);
}

FAKENL_TEST(only_infiniband_node_types_count)
{
	struct fakenl_device device = { .name = "siw0", .protocol = "iw", .ports = 1 };

	fakenl_know_rdma();
	for (device.node_type = 0; device.node_type < 8; device.node_type++)
		if (device.node_type < 1 || device.node_type > 3)
			fakenl_add_device(&device);
	assert_int_equal(umad_get_cas_names(names, 8), 0);
	assert_null(umad_get_ca_device_list());
}

FAKENL_TEST(device_is_filled_in)
{
	fakenl_show_devices();
	memset(&ca, 0xff, sizeof(ca));
	assert_int_equal(umad_get_ca("mlx5_0", &ca), 0);
	assert_string_equal(ca.ca_name, "mlx5_0");
	assert_int_equal(ca.node_type, 1);
	assert_int_equal(ca.numports, 2);
	assert_string_equal(ca.fw_ver, "20.40.1000");
	assert_string_equal(ca.hw_ver, "");
	assert_string_equal(ca.ca_type, "");
	assert_true(be64toh(ca.node_guid) == 0x0002c90300000001);
	assert_true(be64toh(ca.system_guid) == 0x0002c90300000002);
	assert_null(ca.ports[0]);
	assert_int_equal(ca.ports[1]->portnum, 1);
	assert_int_equal(ca.ports[2]->portnum, 2);
	assert_int_equal(fakenl_requests(TYPE_PORT_GET), 2); /* there is no port 0 to ask for */
	assert_int_equal(umad_release_ca(&ca), 0);
}

FAKENL_TEST(infiniband_port_is_filled_in)
{
	fakenl_show_devices();
	assert_int_equal(umad_get_port("mlx5_0", 2, &port), 0);
	assert_string_equal(port.ca_name, "mlx5_0");
	assert_int_equal(port.portnum, 2);
	assert_int_equal(port.state, 2);
	assert_int_equal(port.phys_state, 5);
	assert_int_equal(port.base_lid, 0x12);
	assert_int_equal(port.lmc, 2);
	assert_int_equal(port.sm_lid, 1);
	assert_int_equal(be32toh(port.capmask), 0x2651e848);
	assert_true(be64toh(port.gid_prefix) == 0xfe80000000000000);
	assert_true(port.port_guid == 0); /* not reported */
	assert_string_equal(port.link_layer, "InfiniBand");
	assert_null(port.pkeys);
	assert_int_equal(port.pkeys_size, 0);
	assert_int_equal(umad_release_port(&port), 0);
}

FAKENL_TEST(roce_port_is_filled_in)
{
	fakenl_show_devices();
	assert_int_equal(umad_get_port("rxe0", 1, &port), 0);
	assert_int_equal(port.state, 4);
	assert_int_equal(port.base_lid, 0);
	assert_string_equal(port.link_layer, "Ethernet");
	umad_release_port(&port);
}

FAKENL_TEST(link_layer_is_reported_by_the_port)
{
	static const char *const layers[][2] = {
		{ "ib", "InfiniBand" }, { "opa", "InfiniBand" }, { "roce", "Ethernet" },
		{ "iw", "Ethernet" },	{ NULL, "InfiniBand" },
	};
	struct fakenl_device device = { .name = "ca0", .node_type = 1, .ports = 1 };
	size_t i;

	fakenl_know_rdma();
	for (i = 0; i < sizeof(layers) / sizeof(layers[0]); i++) {
		fakenl_remove_devices();
		device.protocol = layers[i][0];
		fakenl_add_device(&device);
		assert_int_equal(umad_get_port("ca0", 1, &port), 0);
		assert_string_equal(port.link_layer, layers[i][1]);
		assert_int_equal(umad_port_is_infiniband(&port), layers[i][1][0] == 'I');
		assert_int_equal(umad_port_is_ethernet(&port), layers[i][1][0] == 'E');
		umad_release_port(&port);
	}
}

/* A card whose first port is Ethernet is "roce" as a whole for some kernels, "ib" for others. */
FAKENL_TEST(each_port_has_its_link_layer)
{
	struct fakenl_device device = {
		.name = "mlx4_0",
		.protocol = "ib",
		.node_type = 1,
		.ports = 2,
		.ethernet_ports = 1 << 1,
		.state = 4,
		.phys_state = 5,
	};

	fakenl_know_rdma();
	fakenl_add_device(&device);
	assert_int_equal(umad_get_ca("mlx4_0", &ca), 0);
	assert_string_equal(ca.ports[1]->link_layer, "Ethernet");
	assert_int_equal(ca.ports[1]->base_lid, 0);
	assert_string_equal(ca.ports[2]->link_layer, "InfiniBand");
	assert_int_equal(ca.ports[2]->base_lid, 0x12);
	umad_release_ca(&ca);
	assert_int_equal(umad_get_port(NULL, 0, &port), 0);
	assert_int_equal(port.portnum, 2);
	umad_release_port(&port);
}

/* Port GUIDs are not known, so no port has a partner. */
FAKENL_TEST(each_infiniband_port_is_a_pair)
{
	struct umad_ca_pair pairs[4];

	fakenl_show_devices();
	assert_int_equal(umad_get_smi_gsi_pairs(pairs, 4), 1);
	assert_string_equal(pairs[0].smi_name, "mlx5_0");
	assert_string_equal(pairs[0].gsi_name, "mlx5_0");
	assert_int_equal(umad_get_smi_gsi_pair_by_ca_name(NULL, 0, pairs, 1), 0);
	assert_string_equal(pairs[0].smi_name, "mlx5_0");
	assert_int_equal(pairs[0].smi_preferred_port, 1);
	assert_string_equal(pairs[0].gsi_name, "mlx5_0");
	assert_int_equal(pairs[0].gsi_preferred_port, 1);
	assert_int_equal(umad_get_smi_gsi_pair_by_ca_name("mlx5_0", 2, pairs, 0), 0);
	assert_int_equal(pairs[0].smi_preferred_port, 2);
	assert_int_equal(pairs[0].gsi_preferred_port, 2);
	assert_int_equal(umad_get_smi_gsi_pair_by_ca_name("rxe0", 0, pairs, 0), 0);
	assert_string_equal(pairs[0].smi_name, "");
	assert_string_equal(pairs[0].gsi_name, "rxe0");
	assert_int_equal(umad_get_smi_gsi_pair_by_ca_name("rxe0", 0, pairs, 1), -ENODEV);
	assert_int_equal(umad_get_smi_gsi_pair_by_ca_name("mlx5_0", 3, pairs, 0), -ENODEV);
}

FAKENL_TEST(switch_has_port_0)
{
	struct fakenl_device device = {
		.name = "sw0", .node_type = 2, .ports = 36, .state = 4, .protocol = "ib"
	};

	fakenl_know_rdma();
	fakenl_add_device(&device);
	assert_int_equal(umad_get_ca("sw0", &ca), 0);
	assert_non_null(ca.ports[0]);
	assert_null(ca.ports[1]);
	umad_release_ca(&ca);
	assert_int_equal(umad_get_port(NULL, 0, &port), 0);
	assert_int_equal(port.portnum, 0);
	umad_release_port(&port);
}

FAKENL_TEST(more_ports_than_fit_are_left_out)
{
	struct fakenl_device device = { .name = "ca0", .node_type = 1, .ports = 4000000000u };

	fakenl_know_rdma();
	fakenl_add_device(&device);
	assert_int_equal(umad_get_ca("ca0", &ca), 0);
	assert_int_equal(ca.numports, UMAD_CA_MAX_PORTS - 1);
	umad_release_ca(&ca);
}

FAKENL_TEST(any_port_is_chosen_as_by_sysfs)
{
	fakenl_show_devices();
	/* InfiniBand with its link up comes before RoCE that is Active. */
	assert_int_equal(umad_get_port(NULL, 0, &port), 0);
	assert_string_equal(port.ca_name, "mlx5_0");
	umad_release_port(&port);
	assert_int_equal(umad_get_port(NULL, 2, &port), 0);
	assert_int_equal(port.portnum, 2);
	umad_release_port(&port);
	assert_int_equal(umad_get_port(NULL, 3, &port), -EINVAL);
}

FAKENL_TEST(what_is_not_there_is_refused)
{
	fakenl_show_devices();
	assert_int_equal(umad_get_ca("mlx5_1", &ca), -ENODEV);
	assert_int_equal(umad_get_port("mlx5_0", 3, &port), -EINVAL);
	assert_int_equal(umad_get_port("mlx5_1", 1, &port), -ENODEV);
	assert_int_equal(umad_open_port("mlx5_1", 1), -ENODEV);
	assert_int_equal(umad_open_port("mlx5_0", 2), -EINVAL); /* has no node */
	assert_int_equal(umad_get_ca("../mlx5_0", &ca), -ENODEV);
}

FAKENL_TEST(port_is_opened)
{
	char path[64];
	int fd;

	fakenl_show_devices();
	kernel_file("/dev/infiniband/umad4", "");
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = 0x1b03 });
	fd = umad_open_port("rxe0", 1);
	assert_true(fd >= 0);
	assert_int_equal(umad_close_port(fd), 0);
	assert_int_equal(umad_get_issm_path("rxe0", 1, path, sizeof(path)), 0);
	assert_string_equal(path, "/dev/infiniband/issm4");
	assert_int_equal(umad_get_issm_path("mlx5_0", 0, path, sizeof(path)), 0);
	assert_string_equal(path, "/dev/infiniband/issm0");
}

/* The class of umad devices need not be where that of devices is. */
FAKENL_TEST(port_without_a_visible_node_is_opened)
{
	int fd;

	fakenl_show_devices();
	kernel_ca("rxe0", 1, 2, 0);
	kernel_ca("ibsim0", 1, 1, 0);
	kernel_file("/dev/infiniband/umad4", "");
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = 0x1b03 });
	fd = umad_open_port("rxe0", 1);
	assert_true(fd >= 0);
	assert_int_equal(umad_close_port(fd), 0);
	assert_int_equal(umad_open_port("rxe0", 2), -EINVAL);
	assert_int_equal(umad_open_port("mlx5_0", 1), -ENODEV); /* not in sysfs */
	assert_int_equal(umad_open_port("ibsim0", 1), -EINVAL); /* not in the kernel */
}

/* What one call costs: one socket, one dump, each port once. */
FAKENL_TEST(call_requests_everything_once)
{
	enum { DEVICES = 130 };
	static char devices[DEVICES][UMAD_CA_NAME_LEN];
	struct fakenl_device device = { .node_type = 1, .ports = 1, .state = 1, .phys_state = 2 };
	struct umad_ca_pair pair;
	int i;

	fakenl_know_rdma();
	for (i = 0; i < DEVICES; i++) {
		snprintf(devices[i], sizeof(devices[i]), "mlx5_%d", i);
		device.name = devices[i];
		device.index = (uint32_t)i;
		fakenl_add_device(&device);
	}
	assert_int_equal(umad_get_port(NULL, 0, &port), 0);
	umad_release_port(&port);
	assert_int_equal(fakenl_sockets(), 1);
	assert_int_equal(fakesys_opened("/proc/net/netlink"), 1);
	assert_int_equal(fakenl_requests(TYPE_GET), 1);
	assert_int_equal(fakenl_requests(TYPE_PORT_GET), DEVICES);
	assert_int_equal(umad_get_smi_gsi_pair_by_ca_name(NULL, 0, &pair, 1), 0);
	assert_int_equal(fakenl_sockets(), 2);
	assert_int_equal(fakenl_requests(TYPE_GET), 2);
	assert_int_equal(fakenl_requests(TYPE_PORT_GET), 2 * DEVICES);
	assert_int_equal(umad_open_port(NULL, 0), -EINVAL); /* no node */
	assert_int_equal(fakenl_sockets(), 3);
	assert_int_equal(fakenl_requests(TYPE_GET), 3);
}

FAKENL_TEST(nodes_that_lie_are_refused)
{
	static const char *const nodes[] = {
		"",	 "umad",    "umad1048576", "umad-1", "umad01",
		"issm0", "umad0/x", "../sda",	   "umad0 ", "umad18446744073709551616"
	};
	struct fakenl_device device = { .name = "ca0", .node_type = 1, .ports = 1, .abi = 5 };
	size_t i;

	fakenl_know_rdma();
	for (i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		fakenl_remove_devices();
		device.node = nodes[i];
		fakenl_add_device(&device);
		assert_int_equal(umad_open_port("ca0", 1), -EINVAL);
	}
}

FAKENL_TEST(other_failures_of_sysfs_are_reported)
{
	fakenl_show_devices();
	fakesys_fail_path(KERNEL_OPENDIR, "/sys/class/infiniband", EACCES);
	assert_int_equal(umad_get_cas_names(names, 8), -EACCES);
	assert_null(umad_get_ca_device_list());
	assert_int_equal(errno, EACCES);
	assert_int_equal(fakenl_loads(), 0);
}

FAKENL_TEST(failing_netlink_means_no_devices)
{
	fakenl_show_devices();
	fakenl_fail_connect(NETLINK_RDMA, 1);
	assert_int_equal(umad_get_cas_names(names, 8), 0);
	fakenl_fail_connect(NETLINK_RDMA, 0);
	fakenl_response_error(EPERM);
	assert_int_equal(umad_get_cas_names(names, 8), 0);
	fakenl_response_error(EPERM);
	assert_int_equal(umad_get_ca("mlx5_0", &ca), -ENODEV);
}

/* Each allocation fails in turn: an error, and nothing is left; or what was asked for. */
FAKENL_TEST(want_of_memory_is_reported)
{
	struct umad_device_node *list;
	int n, ret;

	fakenl_show_devices();
	for (n = 1;; n++) {
		fakesys_fail_nth(KERNEL_ALLOCATE, n, ENOMEM);
		list = umad_get_ca_device_list();
		fakesys_forget();
		if (list && list->next)
			break;
		umad_free_ca_device_list(list);
		assert_between(n, 1, 200);
	}
	umad_free_ca_device_list(list);
	for (n = 1;; n++) {
		fakesys_fail_nth(KERNEL_ALLOCATE, n, ENOMEM);
		ret = umad_get_ca("mlx5_0", &ca);
		fakesys_forget();
		if (!ret)
			break;
		assert_int_equal(ret, -ENOMEM);
		assert_between(n, 1, 200);
	}
	assert_int_equal(ca.node_type, 1);
	assert_int_equal(ca.numports, 2);
	assert_non_null(ca.ports[1]);
	umad_release_ca(&ca);
}

/* Nor is a worse port chosen because there was no memory to look at the best one. */
FAKENL_TEST(want_of_memory_chooses_no_other_port)
{
	int n, ret;

	fakenl_show_devices();
	for (n = 1; n <= 400; n++) {
		fakesys_fail_nth(KERNEL_ALLOCATE, n, ENOMEM);
		ret = umad_get_port(NULL, 0, &port);
		fakesys_forget();
		if (ret) {
			assert_int_equal(ret, -ENOMEM);
			continue;
		}
		assert_string_equal(port.ca_name, "mlx5_0");
		assert_int_equal(port.portnum, 1);
		umad_release_port(&port);
	}
	assert_int_equal(ret, 0);
}
