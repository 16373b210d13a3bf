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
