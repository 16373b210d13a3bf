/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-selection.c - which port is meant (libibumad/discovery/selection.c), what is read to
 * find out, and failures. tests/unit/discovery shows the choices on whole hosts.
 */
#include "test.h"
#include "port-states.h"
#include "libibumad/base/sys.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

FAKESYS_TEST(name_and_number_are_taken_as_they_are)
{
	assert_choice("nosuch0", 1, false, "nosuch0", 1);
	assert_choice("nosuch0", 255, true, "nosuch0", 255);
	assert_int_equal(fakesys_opened(""), 0);
}

FAKESYS_TEST(impossible_numbers_are_refused)
{
	kernel_ca("a", 1, 1, 0);
	assert_no_choice("a", 256, false, EINVAL);
	assert_no_choice("a", -1, false, EINVAL);
	assert_no_choice(NULL, 256, false, EINVAL);
	assert_choice(NULL, -1, false, "a", 1); /* any */
}

FAKESYS_TEST(no_device_differs_from_no_port)
{
	assert_no_choice(NULL, 0, false, ENODEV);
	assert_no_choice(NULL, 1, false, ENODEV);
	assert_no_choice("a", 0, false, ENODEV);
	kernel_ca("a", 1, 1, 0);
	assert_no_choice(NULL, 2, false, EINVAL);
	kernel_ca_file("a", "node_type", "4: RNIC\n");
	assert_no_choice(NULL, 0, false, ENODEV);
	assert_no_choice(NULL, 1, false, ENODEV);
	assert_choice("a", 0, false, "a", 1);
}

FAKESYS_TEST(switch_is_its_port_0)
{
	kernel_ca("sw", 0, 2, 0);
	kernel_ca_file("sw", "node_type", "2: SWITCH\n");
	set_disabled("sw", 0);
	kernel_ca("a", 1, 1, 3);
	assert_choice(NULL, 0, false, "sw", 0);
	assert_choice(NULL, 1, false, "sw", 0);
	assert_choice("sw", 0, false, "sw", 0);
	assert_choice("sw", 2, false, "sw", 2);
	set_smi_disabled("sw", 0);
	assert_choice(NULL, 0, true, "sw", 0); /* the SMI of a switch, whatever its mask says */
	assert_choice("sw", 0, true, "sw", 0);
}

FAKESYS_TEST(port_without_physical_state_is_one_still)
{
	kernel_ca("a", 1, 1, 0);
	set_polling("a", 1);
	fakesys_fail_path(KERNEL_READ, CLASS "/a/ports/1/phys_state", EINVAL);
	assert_choice(NULL, 0, false, "a", 1);
}

FAKESYS_TEST(search_stops_at_the_choice)
{
	kernel_ca("a", 1, 2, 0);
	kernel_ca("b", 1, 2, 2);
	assert_choice(NULL, 0, false, "a", 1);
	/* Its node type, the state and the link layer of its first port. */
	assert_int_equal(fakesys_count(KERNEL_OPEN), 3);
	assert_int_equal(fakesys_opened(CLASS "/b"), 0);
}

FAKESYS_TEST(inactive_ports_cost_one_read_each)
{
	char name[UMAD_CA_NAME_LEN];
	int i, port;

	for (i = 0; i < 32; i++) {
		snprintf(name, sizeof(name), "mlx5_%d", i);
		kernel_ca(name, 1, 2, 0);
		for (port = 1; port <= (i == 31 ? 1 : 2); port++)
			set_polling(name, port);
	}
	assert_choice(NULL, 0, false, "mlx5_31", 2);
	assert_int_equal(fakesys_count(KERNEL_OPEN), 32 * 3 + 1);
	assert_int_equal(fakesys_count(KERNEL_OPENDIR), 1 + 32);
}

/* InfiniBand is looked for first, then the rest: what a device is, is not read again. */
FAKESYS_TEST(devices_are_read_once)
{
	kernel_ca("a", 1, 1, 0);
	kernel_ca("b", 1, 1, 2);
	set_ethernet("a", 1);
	set_ethernet("b", 1);
	assert_choice(NULL, 0, false, "a", 1);
	assert_int_equal(fakesys_opened(CLASS "/a/node_type"), 1);
	assert_int_equal(fakesys_opened(CLASS "/b/node_type"), 1);
}
