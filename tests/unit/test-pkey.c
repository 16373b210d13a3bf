/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/engine/pkey.c: the index of a P_Key, from the table of the port. */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad_address.h>
#include <stdio.h>

#define PKEYS "/sys/class/infiniband/mlx5_0/ports/1/pkeys/"

static struct ibmad_port *port;

static int setup(void **state)
{
	static const char *const table[] = { "0x7fff\n", "0x0005\n", "0x8005\n", "0x0006\n",
					     "0x0000\n", "0x0006\n", "0x8007\n", "0xffff\n" };
	int result = fakeumad_setup(state);
	char path[80];

	port = *state;
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		snprintf(path, sizeof(path), PKEYS "%u", i);
		kernel_file(path, table[i]);
	}
	return result;
}

#define CASE(name) TEST_WITH(name, setup, fakeumad_teardown)

CASE(which_entry_is_taken)
{
	static const struct {
		unsigned pkey;
		int index;
		uint16_t entry;
	} cases[] = {
		{ 0x8005, 2, 0x8005 }, /* full before limited, */
		{ 0x0005, 2, 0x8005 }, /* also for a limited request */
		{ 0x8006, 3, 0x0006 }, /* the only match, and the first */
		{ 0x0006, 3, 0x0006 }, { 0x0007, 6, 0x8007 },
		{ 0xffff, 7, 0xffff }, { 0x7fff, 7, 0xffff },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint16_t entry = 1;

		assert_int_equal(mad_pkey_index(port, cases[i].pkey, &entry), cases[i].index);
		assert_int_equal(entry, cases[i].entry);
		assert_int_equal(mad_pkey_index(port, cases[i].pkey, NULL), cases[i].index);
	}
}

CASE(without_a_device)
{
	uint16_t entry = 1;

	assert_errno(mad_pkey_index(port, 0x8008, &entry), ENOENT);
	kernel_remove_prefix("/sys/class/infiniband/");
	assert_errno(mad_pkey_index(port, 0x8005, &entry), ENODEV);
	assert_int_equal(entry, 1);
}

/* The table is the SM's, who may change it. */
CASE(the_table_is_read_each_time)
{
	assert_int_equal(mad_pkey_index(port, 0x8009, NULL), -1);
	kernel_file(PKEYS "4", "0x8009\n");
	errno = 7;
	assert_int_equal(mad_pkey_index(port, 0x8009, NULL), 4);
	assert_int_equal(errno, 7);
}
