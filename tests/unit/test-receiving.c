/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Servers and clients that are not registered (registration.c; tests/oracle/wire registers others),
 * and waits in vain, with signals and failing reads. The engine's tests receive MADs.
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

/* Signals neither end a request nor prolong it, and a waiting thread does not poll in a loop. */
FAKEUMAD_TEST(interrupted_polls)
{
	struct fakeumad_reply slow = { .delay_ms = 10 };
	ib_rpc_t patient = perf_get(5000);
	ib_portid_t to = { .lid = 4, .qp = 1 };
	uint8_t data[IB_PC_DATA_SZ];

	fakeumad_fail_polls(3, EINTR);
	fakeumad_expect_write(NULL, 0, &slow, 1);
	assert_non_null(mad_rpc(*state, &patient, &to, NULL, data));
	assert_between(fakeumad_polls(), 1, 3 + 4);
	assert_between(fakeumad_reads(), 0, 4);
}

/*
 * A signal and EINVAL, of a port that is no descriptor (of a library in front of libibumad), leave
 * the response or the timeout to decide. Any other error is the outcome.
 */
FAKEUMAD_TEST(polls_that_fail)
{
	static const struct {
		int poll_error, outcome;
		bool responds;
	} rows[] = {
		{ EINTR, ETIMEDOUT, false },
		{ EIO, EIO, false },
		{ EINVAL, 0, true },
		{ EINVAL, ETIMEDOUT, false },
	};
	struct fakeumad_reply slow = { .delay_ms = 10 };
	ib_portid_t to = { .lid = 4, .qp = 1 };
	uint8_t data[IB_PC_DATA_SZ];

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		ib_rpc_t rpc = perf_get(rows[i].responds ? 5000 : 20);

		errno = 0;
		fakeumad_fail_polls(1 << 30, rows[i].poll_error);
		fakeumad_expect_write(NULL, 0, &slow, rows[i].responds);
		assert_int_equal(mad_rpc(*state, &rpc, &to, NULL, data) != NULL, !rows[i].outcome);
		if (rows[i].outcome)
			assert_int_equal(errno, rows[i].outcome);
	}
	fakeumad_fail_polls(0, 0);
}

/* The MAD that cannot be read may be another request's: the response follows. */
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
