/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every function about devices and ports that the text document of libibumad describes, used as it
 * says, on the scripted kernel of tests/unit; check-documented.py knows which those are. One test
 * each, named after it.
 */
#include "fakeumad.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static int setup(void **state)
{
	(void)state;
	fakeumad_reset();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fakeumad_finish();
	return 0;
}

static int open_port(void)
{
	int portid = umad_open_port(NULL, 0);

	assert_true(portid >= 0);
	return portid;
}

/* Module */

static void use_umad_init(void **state)
{
	(void)state;
	assert_int_equal(umad_init(), 0);
}

static void use_umad_done(void **state)
{
	(void)state;
	assert_int_equal(umad_init(), 0);
	assert_int_equal(umad_done(), 0);
}

/* Devices and ports */

static void use_umad_get_cas_names(void **state)
{
	char names[4][UMAD_CA_NAME_LEN];

	(void)state;
	assert_int_equal(umad_get_cas_names(names, 4), 1);
	assert_string_equal(names[0], "mlx5_0");
	assert_int_equal(umad_get_cas_names(names, 0), 0);
}

static void use_umad_get_ca_portguids(void **state)
{
	__be64 guids[4];

	(void)state;
	assert_int_equal(umad_get_ca_portguids("mlx5_0", guids, 4), 2);
	assert_int_equal(guids[0], 0);
	assert_true(be64toh(guids[1]) == UINT64_C(0x0002c90300000001));
	memset(guids, 0, sizeof(guids));
	assert_int_equal(umad_get_ca_portguids(NULL, guids, 4), 2);
	assert_true(be64toh(guids[1]) == UINT64_C(0x0002c90300000001));
	assert_true(umad_get_ca_portguids("mlx5_0", guids, 1) < 0);
	assert_true(umad_get_ca_portguids("nosuch", guids, 4) < 0);
}

static void use_umad_get_ca(void **state)
{
	umad_ca_t ca;

	(void)state;
	assert_int_equal(umad_get_ca("mlx5_0", &ca), 0);
	assert_string_equal(ca.ca_name, "mlx5_0");
	assert_int_equal(ca.node_type, 1);
	assert_int_equal(ca.numports, 1);
	assert_string_equal(ca.fw_ver, "16.35.2000");
	assert_string_equal(ca.ca_type, "MT4119");
	assert_true(be64toh(ca.system_guid) == UINT64_C(0x0002c90300000003));
	assert_null(ca.ports[0]);
	assert_int_equal(ca.ports[1]->base_lid, 1);
	assert_int_equal(umad_release_ca(&ca), 0);
	assert_int_equal(umad_get_ca(NULL, &ca), 0); /* the default device */
	assert_string_equal(ca.ca_name, "mlx5_0");
	assert_int_equal(umad_release_ca(&ca), 0);
	assert_true(umad_get_ca("nosuch", &ca) < 0);
}

static void use_umad_release_ca(void **state)
{
	umad_ca_t ca;

	(void)state;
	assert_int_equal(umad_get_ca("mlx5_0", &ca), 0);
	assert_int_equal(umad_release_ca(&ca), 0);
	assert_int_equal(umad_release_ca(&ca), 0); /* twice does no harm */
	assert_true(umad_release_ca(NULL) < 0);
}

static void use_umad_get_port(void **state)
{
	umad_port_t port;

	(void)state;
	for (int portnum = 0; portnum <= 1; portnum++) {
		assert_int_equal(umad_get_port(portnum ? "mlx5_0" : NULL, portnum, &port), 0);
		assert_string_equal(port.ca_name, "mlx5_0");
		assert_int_equal(port.portnum, 1);
		assert_int_equal(port.base_lid, 1);
		assert_int_equal(port.state, 4);
		assert_int_equal(port.phys_state, 5);
		assert_int_equal(port.rate, 100);
		assert_int_equal(be32toh(port.capmask), 0x2651e848);
		assert_int_equal(port.pkeys_size, 2);
		assert_int_equal(port.pkeys[1], 0x8001);
		assert_int_equal(umad_release_port(&port), 0);
	}
	assert_true(umad_get_port(NULL, 2, &port) < 0); /* the number is a filter */
}

static void use_umad_release_port(void **state)
{
	umad_port_t port;

	(void)state;
	assert_int_equal(umad_get_port(NULL, 0, &port), 0);
	assert_int_equal(umad_release_port(&port), 0);
	assert_true(umad_release_port(NULL) < 0);
}

static void use_umad_open_port(void **state)
{
	int portid;

	(void)state;
	portid = umad_open_port("mlx5_0", 1);
	assert_true(portid >= 0);
	assert_int_equal(umad_close_port(portid), 0);
	portid = umad_open_port(NULL, 0); /* chosen by the library */
	assert_true(portid >= 0);
	assert_int_equal(umad_close_port(portid), 0);
	assert_int_equal(umad_open_port("nosuch", 1), -ENODEV);
	assert_int_equal(umad_open_port("mlx5_0", 2), -EINVAL);
	fakeumad_expect_open(FAKEUMAD_DEVICE, EACCES);
	assert_int_equal(umad_open_port("mlx5_0", 1), -EIO);
}

static void use_umad_close_port(void **state)
{
	int portid = open_port();

	(void)state;
	assert_int_equal(umad_close_port(portid), 0);
	assert_int_equal(umad_close_port(-1), -EINVAL);
}

#define USE(name) cmocka_unit_test_setup_teardown(use_##name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		USE(umad_init),		 USE(umad_done),
		USE(umad_get_cas_names), USE(umad_get_ca_portguids),
		USE(umad_get_ca),	 USE(umad_release_ca),
		USE(umad_get_port),	 USE(umad_release_port),
		USE(umad_open_port),	 USE(umad_close_port),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
