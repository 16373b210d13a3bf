/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/resolve.c: addresses that users type, and texts that are none. */
#include "test.h"
#include "fakeumad.h"
#include "resolve.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <stdio.h>
#include <string.h>

static int resolve(struct ibmad_port *port, ib_portid_t *portid, const char *text,
		   enum MAD_DEST dest)
{
	ib_portid_t sm = { .lid = 7 };
	char copy[400];

	snprintf(copy, sizeof(copy), "%s", text);
	*portid = garbage();
	errno = 0;
	return ib_resolve_portid_str_via(portid, copy, dest, &sm, port);
}

static void assert_refused(struct ibmad_port *port, const char *text, enum MAD_DEST dest)
{
	ib_portid_t portid;

	assert_int_equal(resolve(port, &portid, text, dest), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_not_equal(portid.lid, -1);
}

FAKEUMAD_TEST(lid_texts)
{
	static const struct {
		const char *text;
		int lid;
	} cases[] = { { "4", 4 },	   { "0x12", 18 }, { "012", 10 },
		      { "0xBFFF", 49151 }, { " 5", 5 },	   { "+7", 7 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		ib_portid_t portid;

		assert_int_equal(resolve(*state, &portid, cases[i].text, IB_DEST_LID), 0);
		assert_int_equal(portid.lid, cases[i].lid);
		assert_int_equal(portid.drpath.cnt, 0);
		assert_int_equal(portid.drpath.drslid, 0);
		assert_int_equal(portid.grh_present, 0);
		assert_int_equal(portid.qp, 0);
		assert_int_equal(portid.qkey, 0);
		assert_int_equal(portid.pkey_idx, 0);
		assert_int_equal(portid.sl, 0);
	}
}

FAKEUMAD_TEST(texts_that_are_no_lid)
{
	static const char *const texts[] = {
		"",  "x",  "5x",    "4,1",   "0x",    "0x5g",	    "08",
		"0", "-1", "49152", "65535", "65536", "4294967300", "18446744073709551617"
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(*state, texts[i], IB_DEST_LID);
}

FAKEUMAD_TEST(route_texts)
{
	ib_portid_t portid;

	assert_int_equal(resolve(*state, &portid, "0,1,20", IB_DEST_DRPATH), 0);
	assert_int_equal(portid.lid, 0);
	assert_int_equal(portid.drpath.cnt, 2);
	assert_memory_equal(portid.drpath.p, "\x00\x01\x14\x00", 4);
	assert_int_equal(portid.drpath.drslid, 0xffff);
	assert_int_equal(portid.drpath.drdlid, 0xffff);
	assert_int_equal(portid.grh_present, 0);
}

FAKEUMAD_TEST(texts_that_are_no_route)
{
	static const char *const texts[] = { "", ",", "0,", "0,x", "0,256", "0,-1", "0;1" };
	char long_route[400] = "0";

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(*state, texts[i], IB_DEST_DRPATH);
	for (int i = 0; i < 64; i++)
		strcat(long_route, ",1");
	assert_refused(*state, long_route, IB_DEST_DRPATH);
}

/* Any one character separates the two. */
FAKEUMAD_TEST(route_behind_a_lid)
{
	static const char *const texts[] = { "4,0,7", "4 0,7", "4;0,7", "0x4:0,7", " 4x0,7" };
	ib_portid_t portid;

	for (size_t i = 0; i < COUNT(texts); i++) {
		expect_self(0x11, 1000, &node_reply);
		expect_self(0x15, 1000, &port_reply);
		assert_int_equal(resolve(*state, &portid, texts[i], IB_DEST_DRSLID), 0);
		assert_int_equal(portid.lid, 4);
		assert_int_equal(portid.drpath.cnt, 1);
		assert_int_equal(portid.drpath.p[1], 7);
		assert_int_equal(portid.drpath.drslid, OWN_LID);
		assert_int_equal(portid.drpath.drdlid, 0xffff);
		assert_int_equal(portid.sl, 0);
	}
}

FAKEUMAD_TEST(texts_that_are_no_route_behind_a_lid)
{
	static const char *const texts[] = { "",      "4",    "4,",	 "4,x",	    "x,1",
					     "0,1",   "-1,1", "65536,1", "49152,1", "4x,1",
					     "4, ,1", "0x,1", " ,1",	 "4;;1" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(*state, texts[i], IB_DEST_DRSLID);
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(guid_text)
{
	ib_portid_t portid;

	expect_self(0x11, 1000, &node_reply);
	expect_path(7, 0, OTHER_GID, OWN_GID, &path_reply);
	assert_int_equal(resolve(*state, &portid, "0xa1a2a3a4a5a6a7a8", IB_DEST_GUID), 0);
	assert_int_equal(portid.lid, FOUND_LID);
	assert_int_equal(portid.drpath.cnt, 0);
	assert_memory_equal(portid.gid, OTHER_GID, 16);
}

FAKEUMAD_TEST(texts_that_are_no_guid)
{
	static const char *const texts[] = {
		"", "0", "x", "0x12x", "-1", "0x11223344556677889900"
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(*state, texts[i], IB_DEST_GUID);
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(gid_text)
{
	ib_portid_t portid;

	expect_self(0x11, 1000, &node_reply);
	expect_path(7, 0, OTHER_GID, OWN_GID, &path_reply);
	assert_int_equal(resolve(*state, &portid, "fe80::a1a2:a3a4:a5a6:a7a8", IB_DEST_GID), 0);
	assert_int_equal(portid.lid, FOUND_LID);
	assert_int_equal(portid.drpath.cnt, 0);
	assert_int_equal(portid.grh_present, 0);
}

FAKEUMAD_TEST(texts_that_are_no_gid)
{
	static const char *const texts[] = { "",     "4",	"4,",		"4,x",
					     "junk", "1.2.3.4", "fe80::1%eth0", "fe80::1 " };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(*state, texts[i], IB_DEST_GID);
	assert_int_equal(fakeumad_writes(), 0);
}

FAKEUMAD_TEST(other_kinds_of_address)
{
	assert_refused(*state, "4", (enum MAD_DEST)9);
	assert_refused(*state, "4", (enum MAD_DEST) - 1);
}
