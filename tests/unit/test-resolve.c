/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/resolve.c: the SM, the local port, GUIDs and GIDs. */
#include "test.h"
#include "fakeumad.h"
#include "resolve.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <string.h>

#define TIMEOUT_MS 25

static uint64_t other_guid = 0xa1a2a3a4a5a6a7a8;
static ibmad_gid_t other_gid = { 0xfe, 0x80, 0,	   0,	 0,    0,    0,	   0,
				 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8 };

/* The SM and the local port */

FAKEUMAD_TEST(smlid)
{
	ib_portid_t sm = garbage(), wanted = { .lid = SM_LID, .sl = 5 };

	expect_self(0x15, TIMEOUT_MS, &port_reply);
	assert_int_equal(ib_resolve_smlid_via(&sm, TIMEOUT_MS, *state), 0);
	assert_int_equal(sm.lid, wanted.lid);
	assert_int_equal(sm.sl, wanted.sl);
	assert_int_equal(sm.qp, 0);
	assert_int_equal(sm.drpath.cnt, 0);
	assert_int_equal(sm.grh_present, 0);
}

FAKEUMAD_TEST(smlid_that_is_none)
{
	static const uint16_t lids[] = { 0, 0xc000, 0xffff };

	for (size_t i = 0; i < 3; i++) {
		uint8_t none[64] = { 0 };
		struct fakeumad_reply reply = { .data = none, .data_size = 64, .data_offset = 64 };
		ib_portid_t sm = { 0 };

		none[18] = (uint8_t)(lids[i] >> 8);
		none[19] = (uint8_t)lids[i];
		fakeumad_expect_write(NULL, 0, &reply, 1);
		assert_int_equal(ib_resolve_smlid_via(&sm, TIMEOUT_MS, *state), -1);
		assert_int_equal(errno, ENXIO);
		assert_int_equal(sm.lid, 0);
	}
}

FAKEUMAD_TEST(smlid_fails)
{
	ib_portid_t sm = { 0 };

	expect_self(0x15, TIMEOUT_MS, &failure);
	assert_int_equal(ib_resolve_smlid_via(&sm, TIMEOUT_MS, *state), -1);
	assert_int_equal(errno, EIO);
	assert_int_equal(sm.lid, 0);
}

FAKEUMAD_TEST(self)
{
	ib_portid_t portid = garbage();
	ibmad_gid_t gid;
	int portnum = -1;

	expect_self(0x11, 1000, &node_reply);
	expect_self(0x15, 1000, &port_reply);
	assert_int_equal(ib_resolve_self_via(&portid, &portnum, &gid, *state), 0);
	assert_int_equal(portid.lid, OWN_LID);
	assert_int_equal(portid.sl, 5);
	assert_int_equal(portnum, 3);
	assert_memory_equal(gid, "\xfe\xc0\0\0\0\0\0\x01\x11\x22\x33\x44\x55\x66\x77\x88", 16);
}

FAKEUMAD_TEST(self_in_parts)
{
	ib_portid_t portid = { 0 };
	int portnum = -1;

	expect_self(0x11, 1000, &node_reply);
	expect_self(0x15, 1000, &port_reply);
	assert_int_equal(ib_resolve_self_via(NULL, &portnum, NULL, *state), 0);
	assert_int_equal(portnum, 3);
	expect_self(0x11, 1000, &node_reply);
	expect_self(0x15, 1000, &port_reply);
	assert_int_equal(ib_resolve_self_via(&portid, NULL, NULL, *state), 0);
	assert_int_equal(portid.lid, OWN_LID);
}

FAKEUMAD_TEST(self_fails)
{
	ib_portid_t portid = garbage();
	int portnum = -1;

	expect_self(0x11, 1000, &failure);
	assert_int_equal(ib_resolve_self_via(&portid, &portnum, NULL, *state), -1);
	assert_int_equal(errno, EIO);
	expect_self(0x11, 1000, &node_reply);
	expect_self(0x15, 1000, &failure);
	assert_int_equal(ib_resolve_self_via(&portid, &portnum, NULL, *state), -1);
	assert_garbage(&portid);
	assert_int_equal(portnum, -1);
}

/* GUIDs and GIDs */

FAKEUMAD_TEST(guid_without_sm)
{
	ib_portid_t portid = { 0 };

	expect_self(0x15, TIMEOUT_MS, &port_reply);
	expect_self(0x11, TIMEOUT_MS, &node_reply);
	expect_path(SM_LID, 5, OTHER_GID, OWN_GID, &path_reply);
	assert_int_equal(ib_resolve_guid_via(&portid, &other_guid, NULL, TIMEOUT_MS, *state), 0);
	assert_int_equal(portid.lid, FOUND_LID);
	assert_int_equal(portid.sl, FOUND_SL);
	assert_memory_equal(portid.gid, OTHER_GID, 16);
}

FAKEUMAD_TEST(guid_from_a_given_sm)
{
	ib_portid_t portid = { 0 }, sm = { .lid = 7, .sl = 1 };

	expect_self(0x11, TIMEOUT_MS, &node_reply);
	expect_path(7, 1, OTHER_GID, OWN_GID, &path_reply);
	assert_int_equal(ib_resolve_guid_via(&portid, &other_guid, &sm, TIMEOUT_MS, *state), 0);
	assert_int_equal(portid.lid, FOUND_LID);
}

FAKEUMAD_TEST(guid_with_a_prefix_of_its_own)
{
	ib_portid_t portid = { .gid = { 0xfe, 0xc0, [7] = 9 } }, sm = { .lid = 7 };

	expect_self(0x11, TIMEOUT_MS, &node_reply);
	expect_path(7, 0, "\xfe\xc0\0\0\0\0\0\x09" OTHER_GUID, OWN_GID, &path_reply);
	assert_int_equal(ib_resolve_guid_via(&portid, &other_guid, &sm, TIMEOUT_MS, *state), 0);
}

FAKEUMAD_TEST(guid_fails)
{
	ib_portid_t portid = garbage(), sm = { .lid = 7 };

	memset(portid.gid, 0, sizeof(portid.gid));
	expect_self(0x11, TIMEOUT_MS, &node_reply);
	expect_path(7, 0, OTHER_GID, OWN_GID, &failure);
	assert_int_equal(ib_resolve_guid_via(&portid, &other_guid, &sm, TIMEOUT_MS, *state), -1);
	assert_int_equal(errno, EIO);
	assert_int_not_equal(portid.lid, -1);
	expect_self(0x11, TIMEOUT_MS, &failure);
	assert_int_equal(ib_resolve_guid_via(&portid, &other_guid, &sm, TIMEOUT_MS, *state), -1);
	expect_self(0x15, TIMEOUT_MS, &failure);
	assert_int_equal(ib_resolve_guid_via(&portid, &other_guid, NULL, TIMEOUT_MS, *state), -1);
}

FAKEUMAD_TEST(gid)
{
	ib_portid_t portid = { 0 }, sm = { .lid = 7 };

	expect_self(0x11, TIMEOUT_MS, &node_reply);
	expect_path(7, 0, OTHER_GID, OWN_GID, &path_reply);
	assert_int_equal(ib_resolve_gid_via(&portid, other_gid, &sm, TIMEOUT_MS, *state), 0);
	assert_int_equal(portid.lid, FOUND_LID);
	assert_int_equal(portid.sl, FOUND_SL);
	expect_self(0x15, TIMEOUT_MS, &port_reply);
	expect_self(0x11, TIMEOUT_MS, &node_reply);
	expect_path(SM_LID, 5, OTHER_GID, OWN_GID, &path_reply);
	assert_int_equal(ib_resolve_gid_via(&portid, other_gid, NULL, TIMEOUT_MS, *state), 0);
}

FAKEUMAD_TEST(gid_fails)
{
	ib_portid_t portid = garbage(), sm = { .lid = 7 };

	expect_self(0x11, TIMEOUT_MS, &node_reply);
	expect_path(7, 0, OTHER_GID, OWN_GID, &failure);
	assert_int_equal(ib_resolve_gid_via(&portid, other_gid, &sm, TIMEOUT_MS, *state), -1);
	assert_int_equal(errno, EIO);
	assert_garbage(&portid);
	expect_self(0x11, TIMEOUT_MS, &failure);
	assert_int_equal(ib_resolve_gid_via(&portid, other_gid, &sm, TIMEOUT_MS, *state), -1);
	assert_int_equal(errno, EIO);
	expect_self(0x15, TIMEOUT_MS, &failure);
	assert_int_equal(ib_resolve_gid_via(&portid, other_gid, NULL, TIMEOUT_MS, *state), -1);
	assert_int_equal(errno, EIO);
	assert_garbage(&portid);
}

/* An SM address without a unicast LID: the local port's SM is asked, and is then in it. */
FAKEUMAD_TEST(sm_that_is_not_filled_in)
{
	static const int lids[] = { 0, -1, 0xc000, 0xffff, 0x10007 };

	for (size_t i = 0; i < sizeof(lids) / sizeof(lids[0]); i++) {
		ib_portid_t by_guid = { 0 }, by_gid = { 0 }, sm = { .lid = lids[i] };

		expect_self(0x15, TIMEOUT_MS, &port_reply);
		expect_self(0x11, TIMEOUT_MS, &node_reply);
		expect_path(SM_LID, 5, OTHER_GID, OWN_GID, &path_reply);
		assert_int_equal(
			ib_resolve_guid_via(&by_guid, &other_guid, &sm, TIMEOUT_MS, *state), 0);
		assert_int_equal(by_guid.lid, FOUND_LID);
		assert_int_equal(sm.lid, SM_LID);
		assert_int_equal(sm.sl, 5);
		sm.lid = lids[i];
		expect_self(0x15, TIMEOUT_MS, &port_reply);
		expect_self(0x11, TIMEOUT_MS, &node_reply);
		expect_path(SM_LID, 5, OTHER_GID, OWN_GID, &path_reply);
		assert_int_equal(ib_resolve_gid_via(&by_gid, other_gid, &sm, TIMEOUT_MS, *state),
				 0);
		assert_int_equal(by_gid.lid, FOUND_LID);
		assert_int_equal(sm.lid, SM_LID);
		expect_self(0x11, TIMEOUT_MS, &node_reply); /* not looked up again */
		expect_path(SM_LID, 5, OTHER_GID, OWN_GID, &path_reply);
		assert_int_equal(ib_resolve_gid_via(&by_gid, other_gid, &sm, TIMEOUT_MS, *state),
				 0);
	}
}

FAKEUMAD_TEST(sm_that_can_not_be_found)
{
	ib_portid_t portid = garbage(), sm = { 0 };

	expect_self(0x15, TIMEOUT_MS, &failure);
	assert_int_equal(ib_resolve_gid_via(&portid, other_gid, &sm, TIMEOUT_MS, *state), -1);
	assert_int_equal(errno, EIO);
	expect_self(0x15, TIMEOUT_MS, &failure);
	assert_int_equal(ib_resolve_guid_via(&portid, &other_guid, &sm, TIMEOUT_MS, *state), -1);
	assert_int_equal(errno, EIO);
	assert_garbage(&portid);
	assert_int_equal(sm.lid, 0);
}

/* The GSI port of a pair, say: there is no way to query its local GID. */
FAKEUMAD_TEST(gid_without_the_smi)
{
	int classes[] = { IB_SA_CLASS };
	ib_portid_t portid = { .sl = 9 }, sm = { .lid = 7 };
	struct ibmad_port *port;

	fakeumad_expect_open(FAKEUMAD_DEVICE, 0);
	fakeumad_expect_enable_pkey(0);
	fakeumad_expect_register(IB_SA_CLASS, 2, 1, 0, NULL, 2, 0);
	port = mad_rpc_open_port(NULL, 0, classes, 1);
	assert_non_null(port);
	expect_path(7, 0, OTHER_GID, OTHER_GID, &path_reply);
	assert_int_equal(ib_resolve_gid_via(&portid, other_gid, &sm, TIMEOUT_MS, port), 0);
	assert_int_equal(portid.lid, FOUND_LID);
	assert_int_equal(portid.sl, 9);
	expect_path(7, 0, OTHER_GID, OTHER_GID, &path_reply);
	assert_int_equal(ib_resolve_guid_via(&portid, &other_guid, &sm, TIMEOUT_MS, port), 0);
	sm.lid = 0;
	assert_int_equal(ib_resolve_gid_via(&portid, other_gid, &sm, TIMEOUT_MS, port), -1);
	assert_int_equal(errno, EINVAL);
	mad_rpc_close_port(port);
}

FAKEUMAD_TEST(missing_arguments)
{
	ib_portid_t portid = { 0 };
	char text[] = "4";

	assert_int_equal(ib_resolve_portid_str_via(NULL, text, IB_DEST_LID, NULL, *state), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(ib_resolve_portid_str_via(&portid, NULL, IB_DEST_LID, NULL, *state), -1);
	assert_int_equal(ib_resolve_smlid_via(NULL, 0, *state), -1);
	assert_int_equal(ib_resolve_smlid_via(&portid, 0, NULL), -1);
	assert_int_equal(ib_resolve_guid_via(NULL, &other_guid, NULL, 0, *state), -1);
	assert_int_equal(ib_resolve_guid_via(&portid, NULL, NULL, 0, *state), -1);
	assert_int_equal(ib_resolve_gid_via(NULL, other_gid, NULL, 0, *state), -1);
	assert_int_equal(ib_resolve_gid_via(&portid, NULL, NULL, 0, *state), -1);
	assert_int_equal(fakeumad_writes(), 0);
}
