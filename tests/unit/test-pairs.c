/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-pairs.c - SMI/GSI pairs (libibumad/discovery/pairs.c) of ports with large numbers, and
 * failures. tests/unit/discovery shows them on whole hosts.
 */
#include "test.h"
#include "fakesys.h"
#include "libibumad/internal.h"

#include <errno.h>
#include <string.h>

#define CLASS "/sys/class/infiniband"

static void set_smi_disabled(const char *ca_name, int port)
{
	kernel_port_file(ca_name, port, "cap_mask", "0x2651ec48\n");
}

static struct umad_ca_pair pairs[8];

FAKESYS_TEST(pairs_are_limited)
{
	kernel_ca("a", 1, 1, 0x10);
	kernel_ca("b", 1, 1, 0x20);
	memset(pairs, '#', sizeof(pairs));
	assert_int_equal(umad_get_smi_gsi_pairs(pairs, 1), 1);
	assert_string_equal(pairs[0].gsi_name, "a");
	assert_int_equal(pairs[1].gsi_name[0], '#');
	assert_int_equal(umad_get_smi_gsi_pairs(pairs, 0), 0);
	assert_fails(umad_get_smi_gsi_pairs(NULL, 1), EINVAL);
	kernel_remove(CLASS);
	assert_int_equal(umad_get_smi_gsi_pairs(pairs, 8), 0);
}

#define assert_pair(ca, num, enforce, smi, smi_port, gsi, gsi_port)                             \
	do {                                                                                    \
		assert_int_equal(umad_get_smi_gsi_pair_by_ca_name(ca, num, pairs, enforce), 0); \
		assert_string_equal(pairs[0].smi_name, smi);                                    \
		assert_int_equal(pairs[0].smi_preferred_port, smi_port);                        \
		assert_string_equal(pairs[0].gsi_name, gsi);                                    \
		assert_int_equal(pairs[0].gsi_preferred_port, gsi_port);                        \
	} while (0)

#define assert_no_pair(ca, num, enforce)                                                    \
	do {                                                                                \
		errno = 0;                                                                  \
		assert_int_equal(umad_get_smi_gsi_pair_by_ca_name(ca, num, pairs, enforce), \
				 -ENODEV);                                                  \
		assert_int_equal(errno, ENODEV);                                            \
	} while (0)

/* Port numbers that do not fit struct umad_ca can be named, as for umad_open_port(). */
/* A device with a port for each plane, in number ten and above, and the GSI port they belong to. */
FAKESYS_TEST(named_port_has_a_partner_with_any_number)
{
	int port;

	kernel_ca("mlx5_0", 11, 11, 0x10);
	set_smi_disabled("mlx5_0", 11);
	kernel_ca("smi1", 11, 14, 0x10);
	for (port = 12; port <= 14; port++)
		kernel_port_file("smi1", port, "gids/0",
				 "fe80:0000:0000:0000:0002:c903:0000:001b\n");
	assert_pair("smi1", 13, 1, "smi1", 13, "mlx5_0", 11);
	assert_pair("smi1", 11, 0, "smi1", 11, "mlx5_0", 11);
	assert_pair("mlx5_0", 11, 1, "smi1", 14, "mlx5_0", 11);
	assert_no_pair("mlx5_0", 12, 0);
	assert_no_pair("mlx5_0", 0, 0); /* as umad_open_port() */
}

FAKESYS_TEST(named_port_may_have_any_number)
{
	kernel_ca("a", 1, 12, 0x10);
	assert_pair("a", 9, 0, "a", 9, "a", 9);
	assert_pair("a", 10, 1, "a", 10, "a", 10);
	assert_pair("a", 12, 0, "a", 12, "a", 12);
	assert_no_pair("a", 13, 0);
	assert_no_pair(NULL, 12, 0);
	set_smi_disabled("a", 12);
	assert_no_pair("a", 12, 1);
	kernel_port_file("a", 12, "link_layer", "Ethernet\n");
	assert_pair("a", 12, 0, "", 12, "a", 12);
}

/* A device whose ports can't be listed any more is no pair; but exhausted resources say nothing
 * about ports. */
FAKESYS_TEST(pair_that_can_not_be_looked_at_is_none)
{
	static const int errors[] = { EMFILE, ENFILE, ENOMEM };
	int nth, ret;
	size_t i;

	kernel_ca("smi0", 1, 1, 0x10);
	kernel_ca("gsi0", 1, 1, 0x10);
	set_smi_disabled("gsi0", 1);
	/* The class, then both devices. */
	for (nth = 2; nth <= 3; nth++) {
		fakesys_forget();
		fakesys_fail_nth(KERNEL_OPENDIR, nth, EACCES);
		ret = umad_get_smi_gsi_pair_by_ca_name("gsi0", 0, pairs, 1);
		assert_int_equal(ret, -ENODEV);
		for (i = 0; i < 3; i++) {
			fakesys_forget();
			fakesys_fail_nth(KERNEL_OPENDIR, nth, errors[i]);
			ret = umad_get_smi_gsi_pair_by_ca_name("gsi0", 0, pairs, 1);
			assert_int_equal(ret, -errors[i]);
		}
	}
	fakesys_forget();
	fakesys_fail_nth(KERNEL_OPENDIR, 4, EMFILE);
	assert_pair("gsi0", 0, 1, "smi0", 1, "gsi0", 1);
}
