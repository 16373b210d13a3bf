/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/smp.c: which class and address an SMP goes to, status, M_Key. */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

#define LID_AGENT	 0
#define DIRECTED_AGENT	 1
#define TIMEOUT_MS	 20
#define STATUS_UNTOUCHED 0x5555

static const struct fakeumad_reply response = { 0 };

/* An SMP of attribute 0x15, modifier 3, with the bytes 0, 1, 2... as data. */
static void expect(struct fakeumad_packet what, const ib_dr_path_t *path,
		   const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET], data[64], *mad = packet + FAKEUMAD_HEADER;

	fakeumad_pattern(data, sizeof(data), 0);
	what.timeout_ms = TIMEOUT_MS;
	what.attr_id = 0x15;
	what.attr_mod = 3;
	what.data = data;
	what.data_size = sizeof(data);
	what.data_offset = 64;
	fakeumad_build(packet, &what);
	if (path) {
		mad[7] = (uint8_t)path->cnt;
		mad[32] = (uint8_t)(path->drslid >> 8);
		mad[33] = (uint8_t)path->drslid;
		mad[34] = (uint8_t)(path->drdlid >> 8);
		mad[35] = (uint8_t)path->drdlid;
		memcpy(mad + 128, path->p, 64);
	}
	fakeumad_expect_write(packet, sizeof(packet), reply, 1);
}

static bool query(struct ibmad_port *port, ib_portid_t *to)
{
	uint8_t data[64];

	fakeumad_pattern(data, sizeof(data), 0);
	errno = 0;
	return smp_query_via(data, to, 0x15, 3, TIMEOUT_MS, port) == data;
}

FAKEUMAD_TEST(by_lid)
{
	ib_portid_t to = { .lid = 4 };

	expect(
		(struct fakeumad_packet){
			.agent = LID_AGENT, .lid = 4, .mgmt_class = 0x01, .method = 1 },
		NULL, &response);
	assert_true(query(*state, &to));
}

FAKEUMAD_TEST(along_a_path)
{
	ib_portid_t to = { .drpath = { .cnt = 2, .p = { 0, 1, 2 } } };
	ib_dr_path_t wire = to.drpath;

	wire.drslid = wire.drdlid = 0xffff;
	expect(
		(struct fakeumad_packet){
			.agent = DIRECTED_AGENT, .lid = 0xffff, .mgmt_class = 0x81, .method = 1 },
		&wire, &response);
	assert_true(query(*state, &to));
}

FAKEUMAD_TEST(to_the_local_port)
{
	ib_portid_t to = { 0 };
	ib_dr_path_t wire = { .drslid = 0xffff, .drdlid = 0xffff };

	expect(
		(struct fakeumad_packet){
			.agent = DIRECTED_AGENT, .lid = 0xffff, .mgmt_class = 0x81, .method = 1 },
		&wire, &response);
	assert_true(query(*state, &to));
}

FAKEUMAD_TEST(path_behind_a_lid)
{
	ib_portid_t to = { .lid = 9,
			   .drpath = { .cnt = 1, .p = { 0, 7 }, .drslid = 3, .drdlid = 0xffff } };

	expect(
		(struct fakeumad_packet){
			.agent = DIRECTED_AGENT, .lid = 9, .mgmt_class = 0x81, .method = 1 },
		&to.drpath, &response);
	assert_true(query(*state, &to));
}

FAKEUMAD_TEST(path_with_permissive_drslid)
{
	ib_portid_t to = { .lid = 9, .drpath = { .cnt = 1, .p = { 0, 7 }, .drslid = 0xffff } };
	ib_dr_path_t wire = to.drpath;

	wire.drdlid = 0xffff;
	expect(
		(struct fakeumad_packet){
			.agent = DIRECTED_AGENT, .lid = 0xffff, .mgmt_class = 0x81, .method = 1 },
		&wire, &response);
	assert_true(query(*state, &to));
}

FAKEUMAD_TEST(lid_wins_over_a_path)
{
	ib_portid_t to = { .lid = 9, .drpath = { .cnt = 3, .p = { 0, 1, 2, 3 } } };

	expect(
		(struct fakeumad_packet){
			.agent = LID_AGENT, .lid = 9, .mgmt_class = 0x01, .method = 1 },
		NULL, &response);
	assert_true(query(*state, &to));
}

FAKEUMAD_TEST(sl_and_qp_are_zeroed)
{
	ib_portid_t to = { .lid = 4, .sl = 5, .qp = 6, .qkey = 7, .pkey_idx = 8, .grh_present = 1 };

	expect(
		(struct fakeumad_packet){
			.agent = LID_AGENT, .lid = 4, .mgmt_class = 0x01, .method = 1 },
		NULL, &response);
	assert_true(query(*state, &to));
	assert_int_equal(to.sl, 0);
	assert_int_equal(to.qp, 0);
}

FAKEUMAD_TEST(set)
{
	ib_portid_t to = { .lid = 4 };
	uint8_t data[64];

	fakeumad_pattern(data, sizeof(data), 0);
	expect(
		(struct fakeumad_packet){
			.agent = LID_AGENT, .lid = 4, .mgmt_class = 0x01, .method = 2 },
		NULL, &response);
	assert_ptr_equal(smp_set_via(data, &to, 0x15, 3, TIMEOUT_MS, *state), data);
}

FAKEUMAD_TEST(responses_data_replaces_the_requests)
{
	uint8_t wanted[64], data[65];
	struct fakeumad_reply reply = { .data = wanted, .data_size = 64, .data_offset = 64 };
	ib_portid_t to = { .lid = 4 };

	fakeumad_pattern(wanted, sizeof(wanted), 100);
	fakeumad_pattern(data, sizeof(data), 0);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_ptr_equal(smp_query_via(data, &to, 0x15, 3, TIMEOUT_MS, *state), data);
	assert_memory_equal(data, wanted, 64);
	assert_int_equal(data[64], 64);
}

FAKEUMAD_TEST(failure_leaves_the_data)
{
	struct fakeumad_reply reply = { .status = 0x1c };
	uint8_t data[64], before[64];
	ib_portid_t to = { .lid = 4 };

	fakeumad_pattern(before, sizeof(before), 0);
	memcpy(data, before, sizeof(data));
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_null(smp_query_via(data, &to, 0x15, 3, TIMEOUT_MS, *state));
	assert_int_equal(errno, EIO);
	assert_memory_equal(data, before, sizeof(data));
}

FAKEUMAD_TEST(statuses)
{
	static const struct {
		struct fakeumad_reply reply;
		int rstatus;
		int error;
	} cases[] = { { { 0 }, 0, 0 },
		      { { .status = 0x800c }, 0x0c, EIO },
		      { FAKEUMAD_TIMED_OUT, 0, ETIMEDOUT },
		      { { .error = ENODEV }, 0, ENODEV } };

	mad_rpc_set_retries(*state, 1);
	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		ib_portid_t to = { .drpath = { .cnt = 1 } };
		int rstatus = STATUS_UNTOUCHED;
		uint8_t data[64] = { 0 }, *result;

		fakeumad_expect_write(NULL, 0, &cases[i / 2].reply, 1);
		errno = 0;
		if (i % 2)
			result = smp_query_status_via(data, &to, 0x15, 0, TIMEOUT_MS, &rstatus,
						      *state);
		else
			result = smp_set_status_via(data, &to, 0x15, 0, TIMEOUT_MS, &rstatus,
						    *state);
		assert_ptr_equal(result, cases[i / 2].error ? NULL : data);
		assert_int_equal(rstatus, cases[i / 2].rstatus);
		assert_int_equal(errno, cases[i / 2].error);
	}
}

FAKEUMAD_TEST(status_that_nobody_wants)
{
	struct fakeumad_reply bad = { .status = 0x0c };
	ib_portid_t to = { .lid = 4 };
	uint8_t data[64] = { 0 };

	fakeumad_expect_write(NULL, 0, &response, 1);
	fakeumad_expect_write(NULL, 0, &bad, 1);
	assert_non_null(smp_query_status_via(data, &to, 0x15, 0, TIMEOUT_MS, NULL, *state));
	assert_null(smp_set_status_via(data, &to, 0x15, 0, TIMEOUT_MS, NULL, *state));
}

FAKEUMAD_TEST(mkey_goes_along)
{
	ib_portid_t to = { .lid = 4 };
	uint8_t data[64] = { 0 };

	assert_true(smp_mkey_get(*state) == 0);
	smp_mkey_set(*state, 0x1122334455667788);
	assert_true(smp_mkey_get(*state) == 0x1122334455667788);
	fakeumad_expect_write(NULL, 0, &response, 1);
	assert_non_null(smp_set_via(data, &to, 0x15, 0, TIMEOUT_MS, *state));
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 24,
			    "\x11\x22\x33\x44\x55\x66\x77\x88", 8);
}

FAKEUMAD_TEST(longest_path_and_one_more)
{
	ib_portid_t to = { .drpath = { .cnt = 63 } };

	fakeumad_expect_write(NULL, 0, &response, 1);
	assert_true(query(*state, &to));
	to.drpath.cnt = 64;
	assert_false(query(*state, &to));
	assert_int_equal(errno, EINVAL);
	to.drpath.cnt = -1;
	assert_false(query(*state, &to));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(fakeumad_writes(), 1);
}

FAKEUMAD_TEST(missing_arguments)
{
	ib_portid_t to = { .lid = 4 };
	uint8_t data[64] = { 0 };

	assert_null(smp_query_via(NULL, &to, 0x15, 0, TIMEOUT_MS, *state));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(smp_query_via(data, NULL, 0x15, 0, TIMEOUT_MS, *state));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(smp_query_via(data, &to, 0x15, 0, TIMEOUT_MS, NULL));
	assert_int_equal(errno, EINVAL);
}
