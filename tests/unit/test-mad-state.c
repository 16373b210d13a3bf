/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * libibmad/base/state.c, compat/default.c and lock.c: process-wide state, the calls without a port
 * argument, madrpc_lock() and the safe_* calls.
 */
#include "test.h"
#include "fakeumad.h"
#include "listen.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <limits.h>
#include <infiniband/umad.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct fakeumad_reply response = { 0 };
static uint8_t data[256];

/* The default port stays open for the whole process: one is opened for all cases that need it. */
static int open_default_port(void **state)
{
	static bool opened;
	int classes[] = { 0x01, 0x81, 0x03, 0x04, 0x05, 0x21, 0x0a, 0x32 };

	(void)state;
	if (!opened) {
		fakeumad_reset();
		madrpc_init(NULL, 0, classes, 8);
	}
	opened = true;
	return 0;
}

/* A fresh script on the port that stays open. */
static int keep_default_port(void **state)
{
	open_default_port(state);
	fakeumad_restart();
	return 0;
}

static int check_script(void **state)
{
	(void)state;
	fakeumad_check();
	return 0;
}

/* The environment */

#define LEVEL_BEFORE 3

static void environment(const char *value, int wanted)
{
	struct ibmad_ports_pair *pair;
	struct ibmad_port *port;

	setenv("LIBIBMAD_DEBUG_LEVEL", value, 1);
	ibdebug = LEVEL_BEFORE;
	port = mad_rpc_open_port(NULL, 0, NULL, 0);
	assert_non_null(port);
	assert_int_equal(ibdebug, wanted);
	mad_rpc_close_port(port);
	ibdebug = LEVEL_BEFORE;
	pair = mad_rpc_open_port2(NULL, 0, NULL, 0, 0);
	assert_non_null(pair);
	assert_int_equal(ibdebug, wanted);
	mad_rpc_close_port2(pair);
	unsetenv("LIBIBMAD_DEBUG_LEVEL");
	ibdebug = 0;
}

FAKEUMAD_TEST_WITHOUT_PORT(debug_level_of_the_environment)
{
	environment("0", 0);
	environment("1", 1);
	environment("0x2", 2);
	environment("2147483647", INT_MAX);
	environment("2147483648", LEVEL_BEFORE);
	environment("-1", LEVEL_BEFORE);
	environment("1x", LEVEL_BEFORE);
	environment("junk", LEVEL_BEFORE);
	environment("", LEVEL_BEFORE);
	environment("99999999999999999999", LEVEL_BEFORE);
}

/* Before madrpc_init() */

/* The calls with a port refuse NULL: test-refusals, and rows of tests/lib/requests. */
FAKEUMAD_TEST_WITHOUT_PORT(nothing_works_before_init)
{
	ib_rpc_t rpc = { .mgtclass = 4, .method = 1 };
	ib_portid_t portid = { .lid = 4 };
	char text[] = "0x1";

	assert_errno(madrpc_portid(), EINVAL);
	assert_null_errno(madrpc(&rpc, &portid, NULL, data), EINVAL);
	assert_null_errno(madrpc_rmpp(&rpc, &portid, NULL, data), EINVAL);
	assert_null_errno(safe_smp_query(data, &portid, 0x11, 0, 0), EINVAL);
	assert_errno(mad_class_agent(4), EINVAL);
	assert_errno(mad_agent_class(0), EINVAL);
	assert_errno(mad_register_client(4, 0), EINVAL);
	assert_errno(mad_send(&rpc, &portid, NULL, NULL), EINVAL);
	assert_errno(ib_resolve_portid_str(&portid, text, IB_DEST_GUID, NULL), EINVAL);
	assert_null_errno(mad_receive(NULL, 0), EINVAL);
}

/* Runs in children; a panic of the library ends them. */
FAKEUMAD_TEST_WITHOUT_PORT(init_ends_the_process)
{
	char no_device[] = "nosuch";

	for (int i = 0; i < 2; i++) {
		int classes[] = { i ? 4 : 7 }, status = 0;
		pid_t child = fork();

		assert_true(child >= 0);
		if (!child) {
			listen_begin();
			madrpc_init(i ? no_device : NULL, i, classes, 1);
			_exit(0);
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 255);
	}
}

#define PORT(name) TEST_WITH(name, keep_default_port, check_script)

/* The default port */

PORT(classes_of_the_default_port)
{
	assert_true(madrpc_portid() >= 1024);
	assert_int_equal(mad_class_agent(0x01), 0);
	assert_int_equal(mad_agent_class(0), 0x01);
	assert_int_equal(mad_class_agent(0x03), 2);
	assert_int_equal(mad_class_agent(0x06), -1);
	assert_int_equal(mad_agent_class(2), 0x03);
	assert_int_equal(mad_agent_class(7), 0x32);
	assert_int_equal(mad_agent_class(63), 0);
	assert_int_equal(mad_agent_class(-1), -1);
}

/* The call succeeded, and has written a MAD of that class, method and attribute. */
static void assert_written(int mgmt_class, int method, int attr_id, const void *result)
{
	const uint8_t *mad = fakeumad_written(fakeumad_writes()) + FAKEUMAD_HEADER;

	assert_non_null(result);
	assert_int_equal(mad[1], mgmt_class);
	assert_int_equal(mad[3], method);
	assert_int_equal(mad[16] << 8 | mad[17], attr_id);
}

static void expect_responses(int count)
{
	for (int i = 0; i < count; i++)
		fakeumad_expect_write(NULL, 0, &response, 1);
}

/* Each call writes its MAD; the safe ones do within the lock. */
PORT(calls_on_the_default_port)
{
	ib_rpc_t rpc = {
		.mgtclass = 4, .method = 1, .attr = { 0x12, 0 }, .datasz = 8, .dataoffs = 64
	};
	ib_vendor_call_t vendor = { .method = 2, .mgmt_class = 0x32, .attrid = 5, .oui = 1 };
	ib_sa_call_t sa = { .method = 1, .attrid = 0x35 };
	ib_portid_t to = { .lid = 4 };
	ibmad_gid_t gid = { 0xfe, 0x80, [15] = 1 };

	expect_responses(11);
	assert_written(4, 1, 0x12, madrpc(&rpc, &to, NULL, data));
	assert_written(1, 1, 0x11, smp_query(data, &to, 0x11, 0, 0));
	assert_written(1, 2, 0x15, smp_set(data, &to, 0x15, 0, 0));
	assert_written(3, 1, 0x35, sa_call(data, &to, &sa, 0));
	assert_written(0x32, 2, 5, ib_vendor_call(data, &to, &vendor));
	assert_written(4, 1, 0x12, port_performance_query(data, &to, 1, 0));
	assert_written(4, 2, 0x12, port_performance_reset(data, &to, 1, 0, 0));
	assert_written(1, 1, 0x11, safe_smp_query(data, &to, 0x11, 0, 0));
	assert_written(1, 2, 0x15, safe_smp_set(data, &to, 0x15, 0, 0));
	assert_written(3, 1, 0x35, safe_sa_call(data, &to, &sa, 0));
	assert_int_equal(ib_path_query(gid, gid, &to, data), 0);
	assert_written(3, 1, 0x35, &to);
}

PORT(resolving_on_the_default_port)
{
	static const uint8_t portinfo[64] = { [17] = 0x11, [19] = 0x22, [36] = 5 };
	static const uint8_t path[64] = { [41] = 0x33 };
	struct fakeumad_reply port = { .data = portinfo, .data_size = 64, .data_offset = 64 };
	struct fakeumad_reply found = { .data = path, .data_size = 64, .data_offset = 56 };
	ib_portid_t portid = { 0 }, sm = { .lid = 7 };
	uint64_t guid = 0x1122;

	fakeumad_expect_write(NULL, 0, &port, 1);
	assert_int_equal(ib_resolve_smlid(&portid, 0), 0);
	assert_int_equal(portid.lid, 0x22);
	fakeumad_expect_write(NULL, 0, &port, 1);
	fakeumad_expect_write(NULL, 0, &port, 1);
	assert_int_equal(ib_resolve_self(&portid, NULL, NULL), 0);
	assert_int_equal(portid.lid, 0x11);
	fakeumad_expect_write(NULL, 0, &response, 1);
	fakeumad_expect_write(NULL, 0, &found, 1);
	assert_int_equal(ib_resolve_guid(&portid, &guid, &sm, 0), 0);
	assert_int_equal(portid.lid, 0x33);
}

PORT(server_on_the_default_port)
{
	long mask[16 / sizeof(long)] = { 1L << IB_MAD_METHOD_GET | 1L << IB_MAD_METHOD_SET };
	uint8_t packet[FAKEUMAD_PACKET];
	void *umad;

	fakeumad_expect_register(0x33, 1, 0, 0x123456, mask, 41, 0);
	assert_int_equal(mad_register_server(0x33, 0, mask, 0x123456), 41);
	assert_int_equal(mad_register_server(0x34, 0, mask, 0), -1); /* demands an OUI */
	fakeumad_build(packet, &(struct fakeumad_packet){ .mgmt_class = 4, .method = 1 });
	((ib_user_mad_t *)(void *)packet)->length = sizeof(packet);
	fakeumad_deliver(packet, sizeof(packet), 0);
	umad = mad_receive(NULL, 1000);
	assert_non_null(umad);
	fakeumad_expect_write(NULL, 0, NULL, 0);
	assert_int_equal(mad_respond(umad, NULL, 0), 0);
	assert_written(4, 0x81, 0, umad);
	mad_free(umad);
	mad_free(NULL);
}

/* madrpc_lock(): tests/unit/engine/test-cancelled-threads.c has threads that wait for it. */

PORT(owner_of_the_lock_may_call_safely)
{
	ib_portid_t to = { .lid = 4 };

	expect_responses(1);
	madrpc_lock();
	assert_non_null(safe_smp_query(data, &to, 0x11, 0, 0));
	madrpc_unlock();
}
