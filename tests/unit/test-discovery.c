/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-discovery.c - lists of devices, devices, ports and pairs (libibumad/discovery): arguments,
 * sizes, and ports with large numbers. Whole hosts are in tests/unit/discovery and events.tbl, each
 * of their calls failing in tests/robust/faults.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/internal.h"

#define CLASS "/sys/class/infiniband"

static umad_ca_t ca;
static umad_port_t port;
static struct umad_ca_pair pairs[8];

FAKESYS_TEST(lists_are_sorted)
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
	umad_free_ca_device_list(NULL);
	kernel_ca("c", 1, 1, 0);
	kernel_ca("a", 1, 1, 1);
	kernel_ca("b", 1, 1, 2);
	head = umad_get_ca_device_list();
	assert_int_equal(umad_sort_ca_device_list(&head, 2), EINVAL);
	assert_int_equal(umad_sort_ca_device_list(&head, 4), EINVAL);
	fakesys_fail_nth(KERNEL_ALLOCATE, 1, ENOMEM); /* the call needs no memory */
	assert_int_equal(umad_sort_ca_device_list(&head, 3), 0);
	assert_string_equal(head->ca_name, "a");
	assert_string_equal(head->next->ca_name, "b");
	assert_string_equal(head->next->next->ca_name, "c");
	assert_null(head->next->next->next);
	umad_free_ca_device_list(head);
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
	assert_fails(umad_get_cas_names(NULL, 1), EINVAL);
	assert_int_equal(umad_get_ca("mlx5_0", NULL), -EINVAL);
	assert_int_equal(umad_get_port("mlx5_0", 1, NULL), -EINVAL);
	assert_int_equal(umad_release_ca(NULL), -ENODEV);
	assert_fails(umad_release_port(NULL), ENODEV);
	assert_fails(umad_get_smi_gsi_pairs(NULL, 1), EINVAL);
}

FAKESYS_TEST(names_do_not_lead_out_of_the_class_directory)
{
	static const char *const bad[] = {
		"",	    ".",       "..", "../infiniband/mlx5_0", "mlx5_0/",
		"mlx5_0/.", "/mlx5_0", ".x", "n2345678901234567890",
	};
	__be64 guids[4];

	kernel_ca("mlx5_0", 1, 1, 0);
	kernel_ca("n2345678901234567890", 1, 1, 0);
	for (size_t i = 0; i < COUNT(bad); i++) {
		assert_int_equal(umad_get_ca(bad[i], &ca), -ENODEV);
		assert_int_equal(umad_get_port(bad[i], 1, &port), -ENODEV);
		assert_int_equal(umad_get_port(bad[i], 0, &port), -ENODEV);
		assert_int_equal(umad_get_ca_portguids(bad[i], guids, 4), -ENODEV);
		assert_int_equal(umad_get_smi_gsi_pair_by_ca_name(bad[i], 1, pairs, 0), -ENODEV);
	}
	assert_int_equal(fakesys_opened(""), 0);
}

/* Programs go through all devices and end at the first that fails: one that may not be read has no
 * ports, and is missing only where the class directory can be read. */
FAKESYS_TEST(device_that_may_not_be_read)
{
	kernel_ca("mlx5_0", 1, 1, 0);
	fakesys_fail_path(KERNEL_OPENDIR, CLASS "/mlx5_0/ports", EACCES);
	fakesys_fail_path(KERNEL_OPENDIR, CLASS "/mlx5_0", EACCES);
	assert_int_equal(umad_get_ca("mlx5_0", &ca), 0);
	assert_int_equal(ca.numports, 0);
	umad_release_ca(&ca);
	fakesys_fail_path(KERNEL_OPENDIR, CLASS, EACCES);
	assert_int_equal(umad_get_ca("mlx5_0", &ca), -EACCES);
	assert_int_equal(umad_get_port("nosuch0", 1, &port), -EACCES);
}

/* Reads mlx5_0, whose three ports have three P_Keys, or the port 3; the number of P_Keys of port 3.
 */
static int read_ca(void)
{
	int pkeys, error = umad_get_ca("mlx5_0", &ca);

	if (error)
		return error;
	assert_int_equal(ca.numports, 3);
	pkeys = ca.ports[3] ? (int)ca.ports[3]->pkeys_size : -1;
	umad_release_ca(&ca);
	return pkeys;
}

static int read_port(void)
{
	int result = umad_get_port("mlx5_0", 3, &port);

	if (result)
		return result;
	result = (int)port.pkeys_size;
	umad_release_port(&port);
	return result;
}

static void make_ca(void)
{
	kernel_ca("mlx5_0", 1, 3, 0);
	for (int number = 1; number <= 3; number++) {
		kernel_port_file("mlx5_0", number, "pkeys/1", "0xffff\n");
		kernel_port_file("mlx5_0", number, "pkeys/2", "0x8001\n");
	}
}

FAKESYS_TEST(what_cannot_be_listed_is_missing)
{
	make_ca();
	assert_int_equal(read_ca(), 3);
	fakesys_forget();
	assert_int_equal(read_port(), 3);
	for (int nth = fakesys_count(KERNEL_READDIR); nth > 0; nth--) {
		fakesys_forget();
		fakesys_fail_nth(KERNEL_READDIR, nth, EIO);
		assert_between(read_port(), 0, 3);
	}
	fakesys_forget();
	fakesys_fail_nth(KERNEL_READDIR, 5, EIO); /* behind . and .. and two ports */
	assert_int_equal(umad_get_ca("mlx5_0", &ca), 0);
	assert_int_equal(ca.numports, 2);
	umad_release_ca(&ca);
	for (int nth = 1; nth < 5; nth++) {
		fakesys_forget();
		fakesys_fail_nth(KERNEL_OPENDIR, nth, EINTR);
		assert_int_equal(read_ca(), 3);
		fakesys_forget();
		fakesys_fail_nth(KERNEL_READDIR, nth, EINTR);
		assert_int_equal(read_ca(), 3);
	}
}

static void remove_ca(void)
{
	kernel_remove(CLASS "/mlx5_0");
}

static int get_portguids(void)
{
	__be64 guids[4];
	int count = umad_get_ca_portguids("mlx5_0", guids, 4);

	return count == 4 ? 3 : count;
}

/* The device goes before each file of it that is opened. */
FAKESYS_TEST(device_that_goes_is_there_or_not)
{
	static int (*const calls[])(void) = { read_ca, read_port, get_portguids };
	int opens;

	kernel_ca("mlx5_1", 1, 1, 9);
	for (size_t i = 0; i < COUNT(calls); i++) {
		make_ca();
		fakesys_forget();
		assert_int_equal(calls[i](), 3);
		opens = fakesys_opened("");
		for (int nth = 1; nth <= opens; nth++) {
			make_ca();
			fakesys_at_open(nth, remove_ca);
			assert_int_equal(calls[i](), -ENODEV);
		}
	}
}

FAKESYS_TEST(reason_of_a_port_that_can_not_be_read_is_reported)
{
	static const char *const attributes[] = { "state",  "phys_state",     "lid",
						  "sm_lid", "lid_mask_count", "sm_sl",
						  "rate",   "cap_mask",	      "link_layer",
						  "gids/0" };
	char path[128];

	kernel_ca("mlx5_0", 1, 1, 0);
	for (size_t i = 0; i < COUNT(attributes); i++) {
		snprintf(path, sizeof(path), CLASS "/mlx5_0/ports/1/%s", attributes[i]);
		fakesys_fail_path(KERNEL_OPEN, path, EACCES);
	}
	assert_fails(umad_get_port("mlx5_0", 1, &port), EACCES);
}

/* At the number of their port, up to the last one; a directory that is no port has no entry. */
FAKESYS_TEST(portguids)
{
	__be64 guids[5] = { 1, 2, 3, 4, 5 };

	kernel_ca("mlx5_0", 1, 2, 0x10);
	kernel_directory(CLASS "/mlx5_0/ports/3");
	assert_int_equal(umad_get_ca_portguids("mlx5_0", guids, 5), 3);
	assert_true(guids[0] == 0);
	assert_true(be64toh(guids[1]) == 0x0002c90300000011);
	assert_true(be64toh(guids[2]) == 0x0002c90300000012);
	assert_true(guids[3] == 4);
	assert_int_equal(umad_get_ca_portguids(NULL, guids, 3), 3);
	assert_fails(umad_get_port(NULL, 77, &port), EINVAL);
	assert_fails(umad_get_ca_portguids("mlx5_0", guids, 2), ENOMEM);
	assert_int_equal(umad_get_ca_portguids("mlx5_0", guids, -1), -ENOMEM);
	assert_int_equal(umad_get_ca_portguids("mlx5_0", NULL, 0), 0);
	kernel_file(CLASS "/mlx5_0/ports/3/rate", "10\n"); /* a port without a GUID */
	assert_int_equal(umad_get_ca_portguids("mlx5_0", guids, 5), 4);
	assert_true(guids[3] == 0 && be64toh(guids[2]) == 0x0002c90300000012);
}

FAKESYS_TEST(pairs_are_limited)
{
	kernel_ca("a", 1, 1, 0x10);
	kernel_ca("b", 1, 1, 0x20);
	memset(pairs, '#', sizeof(pairs));
	assert_int_equal(umad_get_smi_gsi_pairs(pairs, 1), 1);
	assert_string_equal(pairs[0].gsi_name, "a");
	assert_int_equal(pairs[1].gsi_name[0], '#');
	assert_int_equal(umad_get_smi_gsi_pairs(pairs, 0), 0);
}

static void assert_pair(const char *ca_name, int portnum, bool enforce, const char *smi_name,
			int smi_port, const char *gsi_name, int gsi_port)
{
	struct umad_ca_pair pair;

	assert_int_equal(umad_get_smi_gsi_pair_by_ca_name(ca_name, portnum, &pair, enforce), 0);
	assert_string_equal(pair.smi_name, smi_name);
	assert_int_equal(pair.smi_preferred_port, smi_port);
	assert_string_equal(pair.gsi_name, gsi_name);
	assert_int_equal(pair.gsi_preferred_port, gsi_port);
}

static void assert_no_pair(const char *ca_name, int portnum, bool enforce)
{
	assert_fails(umad_get_smi_gsi_pair_by_ca_name(ca_name, portnum, pairs, enforce), ENODEV);
}

static void set_smi_disabled(const char *ca_name, int portnum)
{
	kernel_port_file(ca_name, portnum, "cap_mask", "0x2651ec48\n");
}

/* Port numbers that do not fit struct umad_ca can be named, as for umad_open_port(). Here a device
 * has a port for each plane, and their GSI port is another's. */
FAKESYS_TEST(named_port_has_a_partner_with_any_number)
{
	kernel_ca("mlx5_0", 11, 11, 0x10);
	set_smi_disabled("mlx5_0", 11);
	kernel_ca("smi1", 11, 14, 0x10);
	for (int number = 12; number <= 14; number++)
		kernel_port_file("smi1", number, "gids/0",
				 "fe80:0000:0000:0000:0002:c903:0000:001b\n");
	assert_pair("smi1", 13, true, "smi1", 13, "mlx5_0", 11);
	assert_pair("smi1", 11, false, "smi1", 11, "mlx5_0", 11);
	assert_pair("mlx5_0", 11, true, "smi1", 14, "mlx5_0", 11);
	assert_no_pair("mlx5_0", 12, false);
	assert_no_pair("mlx5_0", 0, false); /* as umad_open_port() */
}

FAKESYS_TEST(named_port_may_have_any_number)
{
	kernel_ca("a", 1, 12, 0x10);
	assert_pair("a", 9, false, "a", 9, "a", 9);
	assert_pair("a", 10, true, "a", 10, "a", 10);
	assert_no_pair("a", 13, false);
	assert_no_pair(NULL, 12, false);
	set_smi_disabled("a", 12);
	assert_no_pair("a", 12, true);
	kernel_port_file("a", 12, "link_layer", "Ethernet\n");
	assert_pair("a", 12, false, "", 12, "a", 12);
}
