/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-state.c - what holds for the whole process (libibumad/base/state.c), and what debugging
 * prints: nothing at level 0, readable lines above.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "fakesys.h"
#include "listen.h"
#include "libibumad/internal.h"

enum { CALLERS = 77 };

static int setup(void **state)
{
	umad_debug(0);
	umad_state_set_pkey_layout(true);
	umad_state_set_abi_version(0);
	return fakesys_setup(state);
}

static int teardown(void **state)
{
	umad_debug(0);
	return fakesys_teardown(state);
}

TEST(header_is_the_longer_one_from_the_start)
{
	assert_int_equal(umad_state_header_size(), 64);
	assert_true(umad_state_pkey_layout());
	assert_int_equal(umad_state_abi_version(), 0);
	assert_int_equal(umad_state_debug_level(), 0);
}

#define CASE(name) TEST_WITH(name, setup, teardown)

CASE(header_follows_the_layout)
{
	umad_state_set_pkey_layout(false);
	assert_int_equal(umad_state_header_size(), 56);
	assert_int_equal(umad_size(), 56);
	umad_state_set_pkey_layout(true);
	assert_int_equal(umad_state_header_size(), 64);
	umad_state_set_abi_version(5);
	assert_int_equal(umad_state_abi_version(), 5);
}

CASE(debug_sets_or_asks)
{
	assert_int_equal(umad_debug(-1), 0);
	assert_int_equal(umad_debug(3), 3);
	assert_int_equal(umad_debug(-1), 3);
	assert_int_equal(umad_debug(-100), 3);
	assert_int_equal(umad_state_debug_level(), 3);
	assert_int_equal(umad_debug(0), 0);
	assert_int_equal(umad_debug(-1), 0);
}

CASE(finish_sets_errno_for_failures_only)
{
	errno = CALLERS;
	assert_int_equal(umad_state_finish(0), 0);
	assert_int_equal(umad_state_finish(12), 12);
	assert_int_equal(errno, CALLERS);
	assert_int_equal(umad_state_finish(-ENODEV), -ENODEV);
	assert_int_equal(errno, ENODEV);
}

CASE(trace_prints_up_to_its_level)
{
	listen_begin();
	errno = CALLERS;
	umad_state_trace(1, 0, "not %s", "said");
	umad_debug(1);
	umad_state_trace(1, 0, "port %d", 2);
	umad_state_trace(2, 0, "not said");
	umad_state_trace(1, 17, "positive");
	umad_state_trace(1, -ENODEV, "failed");
	assert_int_equal(errno, CALLERS);
	listen_end();
	assert_string_equal(said, "libibumad: port 2\n"
				  "libibumad: positive\n"
				  "libibumad: failed: No such device\n");
}

/* Opens a port, registers, sends, receives and closes it. */
static void use_a_port(void)
{
	struct ib_user_mad mad[5] = { { .agent_id = 0 } };
	int portid, length = 256;

	fakesys_expect(
		&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = IB_USER_MAD_ENABLE_PKEY });
	portid = umad_open_port(NULL, 0);
	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_IOCTL, .request = IB_USER_MAD_REGISTER_AGENT, .error = EBUSY });
	umad_register(portid, 0x04, 1, 0, NULL);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_WRITE, .result = 320 });
	umad_send(portid, 1, mad, 256, 0, 0);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_READ, .result = 64 });
	umad_recv(portid, mad, &length, 0);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL });
	umad_poll(portid, 0);
	umad_close_port(portid);
	umad_open_port("nosuch0", 1);
}

CASE(level_0_prints_nothing)
{
	kernel_abi_version("5\n");
	kernel_ca("mlx5_0", 1, 1, 0);
	kernel_node(0, "mlx5_0", 1);
	listen_begin();
	use_a_port();
	listen_end();
	assert_string_equal(said, "");
}

CASE(every_step_can_be_followed)
{
	static const char *const lines[] = {
		"libibumad: mlx5_0 port 1 is /dev/infiniband/umad0\n",
		"libibumad: opened /dev/infiniband/umad0 as 1024, header of 64 bytes\n",
		("libibumad: port 1024: registering class 0x04 version 1 rmpp 0: "
		 "Device or resource busy\n"),
		("libibumad: mlx5_0 port 1: sends class 0x00 method 0x00 attribute 0x00, "
		 "modifier 0x0, TID 0x0, to LID 0 QP 0; agent 1, 256 bytes, SL 0, Q_Key 0x0, "
		 "P_Key index 0, timeout 0 ms, retries 0\n"),
		("libibumad: mlx5_0 port 1: received class 0x00 method 0x00 attribute 0x00, "
		 "modifier 0x0, TID 0x0, from LID 0 QP 0; agent 1, 0 bytes, SL 0, Q_Key 0x0, "
		 "P_Key index 0\n"),
		"libibumad: port 1024: polled for 0 ms: Connection timed out\n",
		"libibumad: closing 1024\n",
		"libibumad: no umad device for nosuch0 port 1: No such device\n",
	};
	const char *at = said;
	size_t i;

	kernel_abi_version("5\n");
	kernel_ca("mlx5_0", 1, 1, 0);
	kernel_node(0, "mlx5_0", 1);
	umad_debug(2);
	listen_begin();
	use_a_port();
	listen_end();
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		assert_memory_equal(at, lines[i], strlen(lines[i]));
		at += strlen(lines[i]);
	}
	assert_string_equal(at, "");
}
