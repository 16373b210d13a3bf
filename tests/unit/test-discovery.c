/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-discovery.c - lists of devices, devices and ports (libibumad/discovery/device.c,
 * device_list.c, attributes.c, discovery.c), and each of their calls failing. tests/unit/discovery
 * shows them whole hosts; here it is single behaviours, errors and leaks.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/internal.h"

#define CLASS "/sys/class/infiniband"

static char names[8][UMAD_CA_NAME_LEN];
static umad_ca_t ca;
static umad_port_t port;

/* No other call can take them. */
FAKESYS_TEST(names_without_space_for_a_nul_are_left_out)
{
	struct umad_device_node *list;

	kernel_ca("b1234567890123456789", 1, 1, 1);
	kernel_ca("a123456789012345678", 1, 1, 0);
	assert_int_equal(umad_get_cas_names(names, 8), 1);
	assert_string_equal(names[0], "a123456789012345678");
	list = umad_get_ca_device_list();
	assert_string_equal(list->ca_name, "a123456789012345678");
	assert_null(list->next);
	umad_free_ca_device_list(list);
}

FAKESYS_TEST(list_failures_are_reported)
{
	kernel_ca("mlx5_0", 1, 1, 0);
	assert_fails(umad_get_cas_names(NULL, 1), EINVAL);
	fakesys_fail_nth(KERNEL_OPENDIR, 1, EMFILE);
	assert_fails(umad_get_cas_names(names, 8), EMFILE);
	fakesys_fail_nth(KERNEL_OPENDIR, 1, EACCES);
	assert_null_errno(umad_get_ca_device_list(), EACCES);
	fakesys_fail_nth(KERNEL_ALLOCATE, 1, ENOMEM);
	assert_int_equal(umad_get_cas_names(names, 8), -ENOMEM);
	fakesys_fail_nth(KERNEL_READDIR, 3, EIO);
	assert_int_equal(umad_get_cas_names(names, 8), -EIO);
}

FAKESYS_TEST(device_list_is_in_directory_order_until_sorted)
{
	struct umad_device_node *head;

	kernel_ca("c", 1, 1, 0);
	kernel_ca("a", 1, 1, 1);
	kernel_ca("b", 1, 1, 2);
	errno = EBADF;
	head = umad_get_ca_device_list();
	assert_int_equal(errno, 0);
	assert_string_equal(head->ca_name, "c");
	assert_string_equal(head->next->ca_name, "a");
	assert_string_equal(head->next->next->ca_name, "b");
	assert_null(head->next->next->next);
	assert_int_equal(umad_sort_ca_device_list(&head, 2), EINVAL);
	assert_int_equal(umad_sort_ca_device_list(&head, 4), EINVAL);
	fakesys_fail_nth(KERNEL_ALLOCATE, 1, ENOMEM); /* it needs no memory */
	assert_int_equal(umad_sort_ca_device_list(&head, 3), 0);
	assert_string_equal(head->ca_name, "a");
	assert_string_equal(head->next->ca_name, "b");
	assert_string_equal(head->next->next->ca_name, "c");
	assert_null(head->next->next->next);
	umad_free_ca_device_list(head);
}

FAKESYS_TEST(short_lists_are_sorted_already)
{
	struct umad_device_node one = { .ca_name = "a" }, *head = NULL;

	assert_int_equal(umad_sort_ca_device_list(NULL, 0), EINVAL);
	assert_int_equal(umad_sort_ca_device_list(&head, 0), 0);
	assert_null(head);
	assert_int_equal(umad_sort_ca_device_list(&head, 1), EINVAL);
	head = &one;
	assert_int_equal(umad_sort_ca_device_list(&head, 0), 0);
	assert_int_equal(umad_sort_ca_device_list(&head, 1), 0);
	assert_ptr_equal(head, &one);
	assert_int_equal(fakesys_count(KERNEL_ALLOCATE), 0);
	umad_free_ca_device_list(NULL);
}

FAKESYS_TEST(released_structs_can_be_released_and_used_again)
{
	kernel_ca("mlx5_0", 1, 2, 0);
	assert_int_equal(umad_get_ca(NULL, &ca), 0);
	assert_int_equal(umad_release_ca(&ca), 0);
	assert_int_equal(umad_release_ca(&ca), 0);
	assert_null(ca.ports[1]);
	assert_int_equal(umad_get_ca("mlx5_0", &ca), 0);
	assert_int_equal(umad_release_ca(&ca), 0);
	assert_int_equal(umad_get_port(NULL, 0, &port), 0);
	assert_int_equal(umad_release_port(&port), 0);
	assert_int_equal(umad_release_port(&port), 0);
	assert_null(port.pkeys);
	assert_int_equal(port.pkeys_size, 0);
}

FAKESYS_TEST(null_is_an_error)
{
	kernel_ca("mlx5_0", 1, 1, 0);
	assert_int_equal(umad_get_ca("mlx5_0", NULL), -EINVAL);
	assert_int_equal(umad_get_port("mlx5_0", 1, NULL), -EINVAL);
	assert_int_equal(umad_release_ca(NULL), -ENODEV);
	assert_fails(umad_release_port(NULL), ENODEV);
}

FAKESYS_TEST(names_do_not_lead_out_of_the_class_directory)
{
	static const char *const bad[] = {
		"",	    ".",       "..", "../infiniband/mlx5_0", "mlx5_0/",
		"mlx5_0/.", "/mlx5_0", ".x", "n2345678901234567890",
	};
	__be64 guids[4];
	size_t i;

	kernel_ca("mlx5_0", 1, 1, 0);
	kernel_ca("n2345678901234567890", 1, 1, 0);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(umad_get_ca(bad[i], &ca), -ENODEV);
		assert_int_equal(umad_get_port(bad[i], 1, &port), -ENODEV);
		assert_int_equal(umad_get_port(bad[i], 0, &port), -ENODEV);
		assert_int_equal(umad_get_ca_portguids(bad[i], guids, 4), -ENODEV);
	}
	assert_int_equal(fakesys_opened(""), 0);
}

/* Where it may be searched, but not read, devices are still found by their names. */
FAKESYS_TEST(class_that_may_not_be_read_is_reported)
{
	__be64 guids[4];

	kernel_ca("mlx5_0", 1, 1, 0);
	fakesys_fail_path(KERNEL_OPENDIR, CLASS, EACCES);
	assert_int_equal(umad_get_ca("nosuch0", &ca), -EACCES);
	assert_int_equal(umad_get_port("nosuch0", 1, &port), -EACCES);
	assert_int_equal(umad_get_ca(NULL, &ca), -EACCES);
	assert_int_equal(umad_get_ca("mlx5_0", &ca), 0);
	umad_release_ca(&ca);
	fakesys_fail_path(KERNEL_OPENDIR, CLASS "/mlx5_0", EACCES);
	fakesys_fail_path(KERNEL_OPENDIR, CLASS "/mlx5_0/ports", EACCES);
	assert_int_equal(umad_get_ca("mlx5_0", &ca), -EACCES);
	assert_int_equal(umad_get_ca_portguids("mlx5_0", guids, 4), -EACCES);
}

/* Programs go through all devices and end at the first that fails. */
FAKESYS_TEST(device_without_readable_ports_hides_no_other)
{
	kernel_ca("mlx5_0", 1, 1, 0);
	kernel_ca("mlx5_1", 1, 1, 1);
	fakesys_fail_path(KERNEL_OPENDIR, CLASS "/mlx5_0/ports", EACCES);
	assert_int_equal(umad_get_ca("mlx5_0", &ca), 0);
	assert_string_equal(ca.ca_name, "mlx5_0");
	assert_int_equal(ca.numports, 0);
	assert_null(ca.ports[1]);
	umad_release_ca(&ca);
	fakesys_fail_path(KERNEL_READ, CLASS "/mlx5_0/node_type", EIO);
	fakesys_fail_path(KERNEL_OPEN, CLASS "/mlx5_0/fw_ver", EACCES);
	assert_int_equal(umad_get_ca("mlx5_0", &ca), 0);
	umad_release_ca(&ca);
	assert_int_equal(umad_get_cas_names(names, 4), 1);
	assert_string_equal(names[0], "mlx5_1");
	assert_int_equal(umad_get_port(NULL, 0, &port), 0);
	assert_string_equal(port.ca_name, "mlx5_1");
	umad_release_port(&port);
	fakesys_fail_path(KERNEL_OPENDIR, CLASS "/mlx5_1/ports", EMFILE); /* says nothing of it */
	assert_int_equal(umad_get_ca("mlx5_1", &ca), -EMFILE);
}

FAKESYS_TEST(reason_of_a_port_that_can_not_be_read_is_reported)
{
	static const char *const attributes[] = { "state",  "phys_state",     "lid",
						  "sm_lid", "lid_mask_count", "sm_sl",
						  "rate",   "cap_mask",	      "link_layer",
						  "gids/0" };
	char path[128];
	size_t i;

	kernel_ca("mlx5_0", 1, 1, 0);
	for (i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		snprintf(path, sizeof(path), CLASS "/mlx5_0/ports/1/%s", attributes[i]);
		fakesys_fail_path(KERNEL_OPEN, path, EACCES);
	}
	assert_fails(umad_get_port("mlx5_0", 1, &port), EACCES);
}

FAKESYS_TEST(portguids_are_at_their_number)
{
	__be64 guids[4] = { 1, 2, 3, 4 };

	kernel_ca("mlx5_0", 1, 2, 0x10);
	assert_int_equal(umad_get_ca_portguids("mlx5_0", guids, 4), 3);
	assert_true(guids[0] == 0);
	assert_true(be64toh(guids[1]) == 0x0002c90300000011);
	assert_true(be64toh(guids[2]) == 0x0002c90300000012);
	assert_true(guids[3] == 4);
	assert_int_equal(umad_get_ca_portguids(NULL, guids, 3), 3);
	assert_fails(umad_get_ca_portguids("mlx5_0", guids, 2), ENOMEM);
	assert_int_equal(umad_get_ca_portguids("mlx5_0", guids, -1), -ENOMEM);
	assert_int_equal(umad_get_ca_portguids("mlx5_0", NULL, 0), 0);
	assert_int_equal(umad_get_ca_portguids("nosuch0", guids, 4), -ENODEV);
	kernel_remove(CLASS);
	assert_int_equal(umad_get_ca_portguids(NULL, guids, 4), -ENODEV);
}

/* The ports of umad_get_ca(): a directory that is no port has no entry behind them. */
FAKESYS_TEST(portguids_end_with_the_last_port)
{
	__be64 guids[10];

	kernel_ca("mlx5_0", 1, 1, 0x10);
	kernel_directory(CLASS "/mlx5_0/ports/3");
	assert_int_equal(umad_get_ca_portguids("mlx5_0", guids, 10), 2);
	kernel_file(CLASS "/mlx5_0/ports/3/rate", "10\n"); /* a port without a GUID */
	assert_int_equal(umad_get_ca_portguids("mlx5_0", guids, 10), 4);
	assert_true(guids[2] == 0 && guids[3] == 0);
}
