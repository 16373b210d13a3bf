/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-receiving.c - servers and clients register (libibmad/engine/registration.c), and waits for
 * what does not arrive, with signals and failing reads. The engine's tests have what is received.
 */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

FAKEUMAD_TEST(receive_in_vain)
{
	int64_t began = fakeumad_now_ms();

	assert_null_errno(mad_receive_via(NULL, 20, *state), ETIMEDOUT);
	assert_true(fakeumad_now_ms() - began >= 19);
	assert_null(mad_receive_via(NULL, 0, *state));
	assert_true(errno == EAGAIN || errno == EWOULDBLOCK);
}

FAKEUMAD_TEST(register_servers_and_clients)
{
	long mask[16 / sizeof(long)] = { 0x26, 1 }, all[16 / sizeof(long)];
	static const struct {
		int mgmt_class, version, rmpp;
		uint32_t oui, given_oui;
	} servers[] = { { 0x81, 1, 1, 0, 0 },
			{ 0x03, 2, 1, 0, 0 },
			{ 0x0a, 1, 0, 0, 0 },
			{ 0x05, 1, 0, 0, 0 }, /* of all methods */
			{ 0x32, 1, 0, 0xabcdef, 0xabcdef } },
	  clients[] = { { 0x21, 2, 0, 0, 0 }, { 0x4f, 1, 1, 0x001405, 0 } };
	struct ibmad_port *port = mad_rpc_open_port(NULL, 0, NULL, 0);

	memset(all, 0xff, sizeof(all));
	assert_non_null(port);
	for (int i = 0; i < (int)COUNT(servers); i++) {
		long *methods = servers[i].mgmt_class == 5 ? NULL : mask;

		fakeumad_expect_register(servers[i].mgmt_class, servers[i].version, servers[i].rmpp,
					 servers[i].oui, methods ? methods : all, i, 0);
		assert_int_equal(mad_register_server_via(servers[i].mgmt_class, servers[i].rmpp,
							 methods, servers[i].given_oui, port),
				 i);
		assert_int_equal(mad_rpc_class_agent(port, servers[i].mgmt_class), i);
	}
	for (int i = 0; i < (int)COUNT(clients); i++) {
		fakeumad_expect_register(clients[i].mgmt_class, clients[i].version, clients[i].rmpp,
					 clients[i].oui, NULL, 31 + i, 0);
		assert_true(mad_register_client_via(clients[i].mgmt_class, clients[i].rmpp, port) >=
			    0);
		assert_int_equal(mad_rpc_class_agent(port, clients[i].mgmt_class), 31 + i);
	}
	fakeumad_expect_register(0x06, 1, 0, 0, NULL, 0, EBUSY);
	assert_errno(mad_register_client_via(0x06, 0, port), EBUSY);
	assert_int_equal(mad_rpc_class_agent(port, 0x06), -1);
	mad_rpc_close_port(port);
}

FAKEUMAD_TEST(register_what_can_not_be)
{
	static const int classes[] = { 0, 2, 7, 8, 0x10, 0x20, 0x2f, 0x50, 0x80, 0xff, 0x100, -1 };
	long mask[16 / sizeof(long)] = { 2 };

	for (size_t i = 0; i < COUNT(classes); i++) {
		assert_errno(mad_register_client_via(classes[i], 0, *state), EINVAL);
		assert_errno(mad_register_server_via(classes[i], 0, mask, 0x1405, *state), EINVAL);
	}
	assert_int_equal(mad_register_server_via(0x33, 0, mask, 0, *state), -1);
	assert_int_equal(mad_register_server_via(0x33, 0, mask, 0x1000000, *state), -1);
	assert_int_equal(mad_register_server_via(4, 0, mask, 0, *state), -1); /* is registered */
	assert_int_equal(mad_register_client_via(6, 0, NULL), -1);
	assert_int_equal(mad_register_server_via(6, 0, mask, 0, NULL), -1);
}

static ib_rpc_t perf_get(int timeout_ms)
{
	return (ib_rpc_t){ .mgtclass = IB_PERFORMANCE_CLASS,
			   .method = IB_MAD_METHOD_GET,
			   .attr = { 0x12, 0 },
			   .dataoffs = IB_PC_DATA_OFFS,
			   .datasz = IB_PC_DATA_SZ,
			   .timeout = timeout_ms };
}

/* Signals neither end a request nor make it longer; nor is waiting polling. */
FAKEUMAD_TEST(interrupted_polls)
{
	struct fakeumad_reply slow = { .delay_ms = 10 };
	ib_rpc_t patient = perf_get(5000), rpc = perf_get(20);
	ib_portid_t to = { .lid = 4, .qp = 1 };
	uint8_t data[IB_PC_DATA_SZ];

	fakeumad_fail_polls(3, EINTR);
	fakeumad_expect_write(NULL, 0, &slow, 1);
	assert_non_null(mad_rpc(*state, &patient, &to, NULL, data));
	assert_between(fakeumad_polls(), 1, 3 + 4);
	assert_between(fakeumad_reads(), 0, 4);
	mad_rpc_set_retries(*state, 1);
	fakeumad_fail_polls(1 << 30, EINTR);
	fakeumad_expect_write(NULL, 0, NULL, 0);
	assert_null_errno(mad_rpc(*state, &rpc, &to, NULL, data), ETIMEDOUT);
	fakeumad_fail_polls(0, 0);
}

/* What else poll() says is the outcome, though there is nothing to read. */
FAKEUMAD_TEST(failed_polls)
{
	ib_rpc_t rpc = perf_get(20);
	ib_portid_t to = { .lid = 4, .qp = 1 };
	uint8_t data[IB_PC_DATA_SZ];

	mad_rpc_set_retries(*state, 1);
	fakeumad_fail_polls(1 << 30, EIO);
	fakeumad_expect_write(NULL, 0, NULL, 0);
	assert_null(mad_rpc(*state, &rpc, &to, NULL, data));
	assert_int_equal(errno, EIO);
	fakeumad_fail_polls(0, 0);
}

/* A port that is no descriptor (of a library in front of libibumad) can be read nevertheless. */
FAKEUMAD_TEST(port_that_is_no_descriptor)
{
	struct fakeumad_reply slow = { .delay_ms = 10 };
	ib_portid_t to = { .lid = 4, .qp = 1 };
	uint8_t data[IB_PC_DATA_SZ];

	mad_rpc_set_retries(*state, 1);
	fakeumad_fail_polls(1 << 30, EINVAL);
	for (int responds = 1; responds >= 0; responds--) {
		ib_rpc_t rpc = perf_get(responds ? 5000 : 20);
		bool succeeds;

		errno = 0;
		fakeumad_expect_write(NULL, 0, &slow, responds);
		succeeds = mad_rpc(*state, &rpc, &to, NULL, data);
		assert_int_equal(succeeds, responds);
		assert_true(responds || errno == ETIMEDOUT);
	}
	fakeumad_fail_polls(0, 0);
}

/* Of a MAD that may be another's: the response follows. */
FAKEUMAD_TEST(reads_that_fail_for_a_while)
{
	static const int errors[] = { ENOMEM, EINTR, EAGAIN };
	ib_portid_t to = { .lid = 4, .qp = 1 };
	uint8_t data[IB_PC_DATA_SZ];

	for (size_t i = 0; i < COUNT(errors); i++) {
		struct fakeumad_reply replies[] = { { .error = errors[i] }, { .delay_ms = 3 } };
		ib_rpc_t rpc = perf_get(5000);

		fakeumad_expect_write(NULL, 0, replies, 2);
		assert_non_null(mad_rpc(*state, &rpc, &to, NULL, data));
	}
}
