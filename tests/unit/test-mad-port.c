/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/engine/port.c: opening, pairs of ports, settings of a port. */
#include "test.h"
#include "fakeumad.h"
#include "listen.h"
#include "libibumad/internal.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <string.h>

static void expect_open(const char *device)
{
	fakeumad_expect_open(device, 0);
	fakeumad_expect_enable_pkey(0);
}

FAKEUMAD_TEST_WITHOUT_PORT(ports_that_do_not_open)
{
	int classes[] = { 3, 4, 5 };

	expect_open(FAKEUMAD_DEVICE);
	fakeumad_expect_register(3, 2, 1, 0, NULL, 0, 0);
	fakeumad_expect_register(4, 1, 0, 0, NULL, 0, EBUSY);
	assert_null(mad_rpc_open_port(NULL, 0, classes, 3));
	assert_true(errno == EBUSY || errno == EPERM);
}

/* Checks the line of a port that cannot be opened, which begins as rdma-core's. */
static void assert_open_says(const char *name, int number, int error, const char *hint)
{
	struct ibmad_port *port;
	char line[256];

	snprintf(line, sizeof(line),
		 "ibwarn: [#] mad_rpc_open_port: can't open UMAD port (%s:%d): %s%s\n", name,
		 number, strerror(error), hint);
	listen(port = mad_rpc_open_port((char *)name, number, NULL, 0));
	assert_null(port);
	assert_int_equal(errno, error);
	listen_assert(line);
}

FAKEUMAD_TEST_WITHOUT_PORT(port_that_does_not_open_says_why)
{
	static const struct {
		int error;
		const char *hint;
	} nodes[] = {
		{ ENOENT, ": is the device node in /dev/infiniband?" },
		{ EACCES, ": the device node is root's, or a group's" },
		{ EPERM, ": does the container allow it, and the network namespace?" },
		{ ENXIO, ": is the device node another device's?" },
		{ EIO, "" },
	};
	int smi = 1;

	for (size_t i = 0; i < COUNT(nodes); i++) {
		fakeumad_expect_open(FAKEUMAD_DEVICE, nodes[i].error);
		assert_open_says("mlx5_0", 1, nodes[i].error, nodes[i].hint);
	}
	assert_open_says("nosuch0", 1, ENODEV, ": is it in /sys/class/infiniband?");
	assert_open_says("mlx5_0", 7, EINVAL,
			 ": has the device such a port, and the port a umad device?");
	expect_open(FAKEUMAD_DEVICE);
	fakeumad_expect_register(1, 1, 0, 0, NULL, 0, EPROTONOSUPPORT);
	listen(assert_null(mad_rpc_open_port(NULL, 0, &smi, 1)));
	assert_non_null(strstr(said, "client_register for mgmt 1 failed: "
				     "the port has no subnet management\n"));
	kernel_abi_version("4\n");
	umad_state.abi_version = 0;
	assert_open_says("mlx5_0", 1, EOPNOTSUPP, ": is ib_umad module loaded?");
	umad_state.abi_version = 5;
}

/* Classes that are registered are in tests/oracle/wire. */
FAKEUMAD_TEST(classes_without_an_agent)
{
	struct ibmad_port *port = *state;

	assert_int_equal(mad_rpc_class_agent(port, 0x07), -1);
	assert_int_equal(mad_rpc_class_agent(port, -1), -1);
	assert_int_equal(mad_rpc_class_agent(port, 256), -1);
	assert_true(mad_rpc_portid(port) >= 1024); /* the device's descriptor */
}

FAKEUMAD_TEST(timeouts)
{
	struct ibmad_port *port = *state;

	assert_int_equal(mad_get_timeout(port, 0), 1000);
	assert_int_equal(mad_get_timeout(port, 5), 5);
	mad_rpc_set_timeout(port, 77);
	assert_int_equal(mad_get_timeout(port, 0), 77);
	assert_int_equal(mad_get_timeout(port, 5), 5);
	mad_rpc_set_timeout(port, 0);
	madrpc_set_timeout(55);
	assert_int_equal(mad_get_timeout(port, 0), 55);
	assert_int_equal(mad_get_timeout(NULL, 0), 55);
	madrpc_set_timeout(1000);
}

FAKEUMAD_TEST(retries)
{
	struct ibmad_port *port = *state;

	assert_int_equal(mad_get_retries(port), 3);
	mad_rpc_set_retries(port, 7);
	assert_int_equal(mad_get_retries(port), 7);
	mad_rpc_set_retries(port, 0);
	assert_int_equal(mad_get_retries(port), 3);
	mad_rpc_set_retries(port, -1);
	assert_int_equal(mad_get_retries(port), 3);
	assert_int_equal(madrpc_set_retries(5), 5);
	assert_int_equal(madrpc_set_retries(0), 5);
	assert_int_equal(madrpc_set_retries(-1), 5);
	assert_int_equal(mad_get_retries(port), 5);
	madrpc_set_retries(3);
}

FAKEUMAD_TEST_WITHOUT_PORT(no_port_at_all)
{
	errno = 0;
	mad_rpc_close_port(NULL);
	mad_rpc_close_port2(NULL);
	mad_rpc_set_timeout(NULL, 5);
	mad_rpc_set_retries(NULL, 5);
	smp_mkey_set(NULL, 5);
	assert_true(smp_mkey_get(NULL) == 0);
	sa_key_set(NULL, 5);
	assert_true(sa_key_get(NULL) == 0);
	assert_int_equal(errno, 0);
}

FAKEUMAD_TEST(statistics_of_any_size)
{
	struct ibmad_port *port = *state;
	uint8_t bytes[sizeof(struct mad_rpc_statistics) + 32];

	for (size_t size = sizeof(struct mad_rpc_statistics); size <= sizeof(bytes); size++) {
		memset(bytes, 0xee, sizeof(bytes));
		assert_int_equal(mad_rpc_get_statistics_sized(port, (void *)bytes, size), 0);
		for (size_t i = 0; i < sizeof(bytes); i++)
			assert_int_equal(bytes[i], i < size ? 0 : 0xee);
	}
	assert_errno(mad_rpc_get_statistics_sized(port, (void *)bytes,
						  sizeof(struct mad_rpc_statistics) - 1),
		     EINVAL);
}

/* Pairs: smi0 (umad0) and gsi0 (umad1) are the same port; SMI is disabled on gsi0. */

static int make_pair(void **state)
{
	(void)state;
	fakeumad_reset();
	kernel_remove_prefix("/sys/class/infiniband/mlx5_0");
	kernel_ca("smi0", 1, 1, 0);
	kernel_ca("gsi0", 1, 1, 0);
	kernel_port_file("gsi0", 1, "cap_mask", "0x2651ec48\n");
	kernel_node(0, "smi0", 1);
	kernel_node(1, "gsi0", 1);
	return 0;
}

#define PAIR(name) TEST_WITH(name, make_pair, fakeumad_end)

PAIR(pair_splits_the_classes)
{
	int classes[] = { 0x01, 0x03, 0x81, 0x04 };
	struct ibmad_ports_pair *pair;

	expect_open("/dev/infiniband/umad0");
	fakeumad_expect_register(0x01, 1, 0, 0, NULL, 1, 0);
	fakeumad_expect_register(0x81, 1, 0, 0, NULL, 2, 0);
	expect_open("/dev/infiniband/umad1");
	fakeumad_expect_register(0x03, 2, 1, 0, NULL, 3, 0);
	fakeumad_expect_register(0x04, 1, 0, 0, NULL, 4, 0);
	pair = mad_rpc_open_port2(NULL, 0, classes, 4, 1);
	assert_non_null(pair);
	assert_string_equal(pair->smi.ca_name, "smi0");
	assert_string_equal(pair->gsi.ca_name, "gsi0");
	assert_int_equal(mad_rpc_class_agent(pair->smi.port, 0x81), 2);
	assert_int_equal(mad_rpc_class_agent(pair->smi.port, 0x03), -1);
	assert_int_equal(mad_rpc_class_agent(pair->gsi.port, 0x04), 4);
	mad_rpc_close_port2(pair);
}

PAIR(pair_without_smi_falls_back)
{
	int classes[] = { 0x01, 0x03 };
	struct ibmad_ports_pair *pair;

	expect_open("/dev/infiniband/umad0");
	fakeumad_expect_register(0x01, 1, 0, 0, NULL, 0, EINVAL);
	expect_open("/dev/infiniband/umad1");
	fakeumad_expect_register(0x01, 1, 0, 0, NULL, 1, 0);
	expect_open("/dev/infiniband/umad1");
	fakeumad_expect_register(0x03, 2, 1, 0, NULL, 3, 0);
	pair = mad_rpc_open_port2(NULL, 0, classes, 2, 0);
	assert_non_null(pair);
	assert_string_equal(pair->smi.ca_name, "gsi0");
	mad_rpc_close_port2(pair);
}

/* Of the first pair one device node is missing. */
PAIR(pair_is_one_that_can_be_opened)
{
	struct ibmad_ports_pair *pair;

	kernel_ca("mlx5_9", 1, 1, 9);
	kernel_node(2, "mlx5_9", 1);
	fakeumad_expect_open("/dev/infiniband/umad1", 0);
	fakeumad_expect_open("/dev/infiniband/umad0", ENOENT);
	fakeumad_expect_open("/dev/infiniband/umad2", 0);
	expect_open("/dev/infiniband/umad2");
	expect_open("/dev/infiniband/umad2");
	pair = mad_rpc_open_port2(NULL, 0, NULL, 0, 1);
	assert_non_null(pair);
	assert_string_equal(pair->smi.ca_name, "mlx5_9");
	assert_string_equal(pair->gsi.ca_name, "mlx5_9");
	mad_rpc_close_port2(pair);
	expect_open("/dev/infiniband/umad0"); /* a port that is named has no substitute */
	fakeumad_expect_open("/dev/infiniband/umad1", ENOENT);
	assert_null_errno(mad_rpc_open_port2((char *)"gsi0", 1, NULL, 0, 1), ENOENT);
}

/* Checks the line of a pair that cannot be opened. */
static void assert_says(char *name, int number, int *classes, int count, const char *why)
{
	struct ibmad_ports_pair *pair = NULL;
	char line[256];

	snprintf(line, sizeof(line), "mad_rpc_open_port2: can't open the UMAD ports of %s:%d: %s\n",
		 name ? name : "(null)", number, why);
	listen(pair = mad_rpc_open_port2(name, number, classes, count, 1));
	assert_null(pair);
	assert_non_null(strstr(said, line));
}

PAIR(pair_that_fails_says_why)
{
	int unknown[] = { 7 }, classes[] = { 0x01, 0x03 };
	char name[] = "nosuch0", smi[] = "smi0";

	assert_says(name, 1, NULL, 0, strerror(ENODEV));
	assert_says(NULL, 0, unknown, 1, strerror(EINVAL));
	assert_says(smi, 256, NULL, 0, strerror(EINVAL));
	assert_says(NULL, -1, NULL, 0, strerror(EINVAL));
	assert_says(NULL, 0, NULL, 2, strerror(EINVAL));
	fakeumad_expect_open("/dev/infiniband/umad0", EACCES);
	assert_says(NULL, 0, classes, 2, strerror(EACCES));
	expect_open("/dev/infiniband/umad0"); /* the SMI device does not stay open */
	fakeumad_expect_register(0x01, 1, 0, 0, NULL, 1, 0);
	fakeumad_expect_open("/dev/infiniband/umad1", EACCES);
	assert_says(NULL, 0, classes, 2, strerror(EACCES));
	assert_int_equal(errno, EACCES);
	expect_open("/dev/infiniband/umad0");
	fakeumad_expect_register(0x01, 1, 0, 0, NULL, 0, EPROTONOSUPPORT);
	assert_says(NULL, 0, classes, 2, strerror(EPROTONOSUPPORT));
	assert_int_equal(errno, EPROTONOSUPPORT);
}
