/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/rpc.c: redirects, to LIDs and to GIDs, and chains of them. */
#include "requests.h"

/* ClassPortInfo of a redirect to LID 9, SL 5, P_Key 0xffff (index 0), QP 7, Q_Key 0x12345678. */
static const uint8_t redirect_info[72] = {
	[25] = 0x50, [29] = 9, [30] = 0xff, [31] = 0xff, [35] = 7, [36] = 0x12, 0x34, 0x56, 0x78
};

#define REDIRECT(...)                                                                   \
	{                                                                               \
		.status = 2, .data = redirect_info, .data_size = sizeof(redirect_info), \
		.data_offset = 64, __VA_ARGS__                                          \
	}

FAKEUMAD_TEST(redirect_is_followed)
{
	struct fakeumad_reply redirect = REDIRECT(.attr_id = 1), reply = { 0 };
	struct fakeumad_packet wanted = pm_packet();
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	expect_pm_get(&wanted, &redirect);
	wanted.lid = 9;
	wanted.sl = 5;
	wanted.pkey_index = 0;
	wanted.qpn = 7;
	wanted.qkey = 0x12345678;
	expect_pm_get(&wanted, &reply);
	assert_non_null(call(*state, &rpc, &to));
	assert_int_equal(to.lid, 9);
	assert_int_equal(to.sl, 5);
	assert_int_equal(to.qp, 7);
	assert_int_equal(to.qkey, 0x12345678);
	assert_int_equal(rpc.rstatus, 0);
	assert_int_equal(statistics_of(*state).redirected, 1);
}

FAKEUMAD_TEST(redirects_without_end)
{
	struct fakeumad_reply redirect = REDIRECT(0);
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	for (int i = 0; i < 9; i++)
		fakeumad_expect_write(NULL, 0, &redirect, 1);
	assert_null(call(*state, &rpc, &to));
	assert_int_equal(errno, ELOOP);
	assert_int_equal(fakeumad_writes(), 9);
	assert_untouched();
}

FAKEUMAD_TEST(other_redirect_bits_are_an_error)
{
	struct fakeumad_reply redirect = REDIRECT(0);
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	redirect.status = 0x1e;
	fakeumad_expect_write(NULL, 0, &redirect, 1);
	assert_null(call(*state, &rpc, &to));
	assert_int_equal(errno, EIO);
	assert_int_equal(rpc.rstatus, 0x1e);
	assert_int_equal(to.lid, 4);
}

FAKEUMAD_TEST(redirect_to_a_gid)
{
	/*
	 * fe80::2:c903:0:1 of QP 7, no LID; then the SM is LID 0x22, the local port's GUID
	 * 0x1122334455667788 and the path LID 0x33, SL 4.
	 */
	static const uint8_t info[72] = {
		[8] = 0xfe, 0x80,	 [17] = 2, 0xc9,     3,		  0,	0,    0,
		1,	    [30] = 0xff, 0xff,	   [35] = 7, [36] = 0x12, 0x34, 0x56, 0x78
	};
	static const uint8_t portinfo[64] = { [19] = 0x22, [36] = 1 };
	static const uint8_t nodeinfo[64] = {
		[20] = 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88
	};
	static const uint8_t path[64] = { [41] = 0x33, [53] = 4 };
	struct fakeumad_reply redirect = {
		.status = 2, .data = info, .data_size = 72, .data_offset = 64
	};
	struct fakeumad_reply sm = { .data = portinfo, .data_size = 64, .data_offset = 64 };
	struct fakeumad_reply self = { .data = nodeinfo, .data_size = 64, .data_offset = 64 };
	struct fakeumad_reply found = { .data = path, .data_size = 64, .data_offset = 56 };
	struct fakeumad_reply reply = { 0 };
	struct fakeumad_packet wanted = pm_packet();
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_expect_write(NULL, 0, &redirect, 1);
	fakeumad_expect_write(NULL, 0, &sm, 1);
	fakeumad_expect_write(NULL, 0, &self, 1);
	fakeumad_expect_write(NULL, 0, &found, 1);
	wanted.lid = 0x33;
	wanted.sl = 4;
	wanted.pkey_index = 0;
	wanted.gid = info + 8;
	wanted.qpn = 7;
	wanted.qkey = 0x12345678;
	expect_pm_get(&wanted, &reply);
	assert_non_null(call(*state, &rpc, &to));
	assert_int_equal(fakeumad_written(4)[FAKEUMAD_HEADER + 1], IB_SA_CLASS);
	assert_memory_equal(fakeumad_written(4) + FAKEUMAD_HEADER + 56 + 8, info + 8, 16);
	assert_memory_equal(fakeumad_written(4) + FAKEUMAD_HEADER + 56 + 24,
			    "\xfe\x80\0\0\0\0\0\0\x11\x22\x33\x44\x55\x66\x77\x88", 16);
	assert_int_equal(to.lid, 0x33);
}

FAKEUMAD_TEST(redirect_to_a_gid_that_the_sa_does_not_know)
{
	static const uint8_t info[72] = { [8] = 0xfe, 0x80, [35] = 7 };
	static const uint8_t portinfo[64] = { [19] = 0x22 };
	struct fakeumad_reply redirect = {
		.status = 2, .data = info, .data_size = 72, .data_offset = 64
	};
	struct fakeumad_reply sm = { .data = portinfo, .data_size = 64, .data_offset = 64 };
	struct fakeumad_reply unknown = { .status = 0x0300 };
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_expect_write(NULL, 0, &redirect, 1);
	fakeumad_expect_write(NULL, 0, &sm, 1);
	fakeumad_expect_write(NULL, 0, &sm, 1); /* NodeInfo: any GUID will do */
	fakeumad_expect_write(NULL, 0, &unknown, 1);
	assert_null(call(*state, &rpc, &to));
	assert_int_equal(errno, EIO);
	assert_int_equal(to.lid, 4);
}

/* Every PathRecord query is redirected to a GID, which takes another one to resolve. */
static int redirect_all_to_a_gid(const struct fakeumad_request *request, void *context)
{
	static const uint8_t info[72] = { [8] = 0xfe, 0x80, [23] = 1, [35] = 7 };
	static const uint8_t portinfo[64] = { [19] = 0x22 };
	struct fakeumad_reply redirect = { .status = 2, .data = info, .data_size = 72 };
	struct fakeumad_reply sm = { .data = portinfo, .data_size = 64, .data_offset = 64 };
	bool is_sa = request->mad[1] == IB_SA_CLASS;

	(void)context;
	if (request->number > 32)
		return EIO;
	redirect.data_offset = is_sa ? IB_SA_DATA_OFFS : IB_PC_DATA_OFFS;
	fakeumad_reply(request, request->mad[1] == IB_SMI_DIRECT_CLASS ? &sm : &redirect);
	return 0;
}

FAKEUMAD_TEST(sa_redirects_to_gids_without_end)
{
	ib_rpc_t rpc = pm_get();
	ib_portid_t to = gsi();

	fakeumad_respond_with(redirect_all_to_a_gid, NULL);
	assert_null(call(*state, &rpc, &to));
	assert_int_equal(errno, ELOOP);
	assert_int_equal(fakeumad_writes(), 4); /* the request, PortInfo, NodeInfo, PathRecord */
	assert_int_equal(to.lid, 4);
	assert_untouched();
}
