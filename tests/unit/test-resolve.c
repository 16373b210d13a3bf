/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/resolve.c: the SM, the local port, GUIDs, GIDs, and what users type. */
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define OWN_LID	   0x11
#define SM_LID	   0x22
#define FOUND_LID  0x33
#define FOUND_SL   4
#define TIMEOUT_MS 25

/* PortInfo: prefix fec0::1, LID, SM LID, local port 3, SM SL 5; NodeInfo: port GUID, local port 3.
 */
static const uint8_t portinfo[64] = {
	[8] = 0xfe, 0xc0, [15] = 1, [17] = OWN_LID, [19] = SM_LID, [28] = 3, [36] = 5
};
static const uint8_t nodeinfo[64] = { [20] = 0x11, 0x22, 0x33, 0x44,	0x55,
				      0x66,	   0x77, 0x88, [36] = 3 };
static const uint8_t path[64] = { [41] = FOUND_LID, [53] = FOUND_SL };

static const struct fakeumad_reply port_reply = { .data = portinfo,
						  .data_size = 64,
						  .data_offset = 64 };
static const struct fakeumad_reply node_reply = { .data = nodeinfo,
						  .data_size = 64,
						  .data_offset = 64 };
static const struct fakeumad_reply path_reply = { .data = path,
						  .data_size = 64,
						  .data_offset = 56 };
static const struct fakeumad_reply failure = { .status = 0x1c };

/* Get of an attribute of the local port, with nothing but zeros as data. */
static void expect_self(int attr_id, int timeout_ms, const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, &(struct fakeumad_packet){ .agent = 1,
							  .timeout_ms = timeout_ms,
							  .lid = 0xffff,
							  .mgmt_class = 0x81,
							  .method = 1,
							  .attr_id = (uint16_t)attr_id });
	memset(packet + FAKEUMAD_HEADER + 32, 0xff, 4);
	fakeumad_expect_write(packet, sizeof(packet), reply, 1);
}

/* Get of a path between two GIDs, from the SM. */
static void expect_path(int sm_lid, int sl, const char *into, const char *from,
			const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, &(struct fakeumad_packet){ .agent = 2,
							  .timeout_ms = 1000,
							  .lid = (uint16_t)sm_lid,
							  .sl = (uint8_t)sl,
							  .qpn = 1,
							  .qkey = IB_DEFAULT_QP1_QKEY,
							  .mgmt_class = 3,
							  .method = 1,
							  .attr_id = 0x35 });
	packet[FAKEUMAD_HEADER + 55] = 0x0c;
	memcpy(packet + FAKEUMAD_HEADER + 56 + 8, into, 16);
	memcpy(packet + FAKEUMAD_HEADER + 56 + 24, from, 16);
	fakeumad_expect_write(packet, sizeof(packet), reply, 1);
}

#define DEFAULT_PREFIX "\xfe\x80\0\0\0\0\0\0"
#define OWN_GID	       DEFAULT_PREFIX "\x11\x22\x33\x44\x55\x66\x77\x88"
#define OTHER_GUID     "\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8"
#define OTHER_GID      DEFAULT_PREFIX OTHER_GUID

static uint64_t other_guid = 0xa1a2a3a4a5a6a7a8;
static ibmad_gid_t other_gid = { 0xfe, 0x80, 0,	   0,	 0,    0,    0,	   0,
				 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8 };

static ib_portid_t garbage(void)
{
	ib_portid_t portid;

	memset(&portid, 0xee, sizeof(portid));
	return portid;
}

static void assert_garbage(const ib_portid_t *portid)
{
	ib_portid_t before = garbage();

	assert_memory_equal(portid, &before, sizeof(before));
}

/* The SM and the local port */

static void smlid(void **state)
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

static void smlid_that_is_none(void **state)
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

static void smlid_fails(void **state)
{
	ib_portid_t sm = { 0 };

	expect_self(0x15, TIMEOUT_MS, &failure);
	assert_int_equal(ib_resolve_smlid_via(&sm, TIMEOUT_MS, *state), -1);
	assert_int_equal(errno, EIO);
	assert_int_equal(sm.lid, 0);
}

static void self(void **state)
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

static void self_in_parts(void **state)
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

static void self_fails(void **state)
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

static void guid_without_sm(void **state)
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

static void guid_from_a_given_sm(void **state)
{
	ib_portid_t portid = { 0 }, sm = { .lid = 7, .sl = 1 };

	expect_self(0x11, TIMEOUT_MS, &node_reply);
	expect_path(7, 1, OTHER_GID, OWN_GID, &path_reply);
	assert_int_equal(ib_resolve_guid_via(&portid, &other_guid, &sm, TIMEOUT_MS, *state), 0);
	assert_int_equal(portid.lid, FOUND_LID);
}

static void guid_with_a_prefix_of_its_own(void **state)
{
	ib_portid_t portid = { .gid = { 0xfe, 0xc0, [7] = 9 } }, sm = { .lid = 7 };

	expect_self(0x11, TIMEOUT_MS, &node_reply);
	expect_path(7, 0, "\xfe\xc0\0\0\0\0\0\x09" OTHER_GUID, OWN_GID, &path_reply);
	assert_int_equal(ib_resolve_guid_via(&portid, &other_guid, &sm, TIMEOUT_MS, *state), 0);
}

static void guid_fails(void **state)
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

static void gid(void **state)
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

static void gid_fails(void **state)
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
static void sm_that_is_not_filled_in(void **state)
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

static void sm_that_can_not_be_found(void **state)
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

/* The GSI port of a pair, say: there is nobody to ask for its own GID. */
static void gid_without_the_smi(void **state)
{
	int classes[] = { IB_SA_CLASS };
	ib_portid_t portid = { .sl = 9 }, sm = { .lid = 7 };
	struct ibmad_port *port;

	(void)state;
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

/* Texts */

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

static void lid_texts(void **state)
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

static void texts_that_are_no_lid(void **state)
{
	static const char *const texts[] = {
		"",  "x",  "5x",    "4,1",   "0x",    "0x5g",	    "08",
		"0", "-1", "49152", "65535", "65536", "4294967300", "18446744073709551617"
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(*state, texts[i], IB_DEST_LID);
}

static void route_texts(void **state)
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

static void texts_that_are_no_route(void **state)
{
	static const char *const texts[] = { "", ",", "0,", "0,x", "0,256", "0,-1", "0;1" };
	char long_route[400] = "0";

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(*state, texts[i], IB_DEST_DRPATH);
	for (int i = 0; i < 64; i++)
		strcat(long_route, ",1");
	assert_refused(*state, long_route, IB_DEST_DRPATH);
}

static void route_behind_a_lid(void **state)
{
	ib_portid_t portid;

	expect_self(0x11, 1000, &node_reply);
	expect_self(0x15, 1000, &port_reply);
	assert_int_equal(resolve(*state, &portid, "4,0,7", IB_DEST_DRSLID), 0);
	assert_int_equal(portid.lid, 4);
	assert_int_equal(portid.drpath.cnt, 1);
	assert_int_equal(portid.drpath.p[1], 7);
	assert_int_equal(portid.drpath.drslid, OWN_LID);
	assert_int_equal(portid.drpath.drdlid, 0xffff);
	assert_int_equal(portid.sl, 0);
}

static void texts_that_are_no_route_behind_a_lid(void **state)
{
	static const char *const texts[] = { "",    "4",    "4,",      "4,x",	  "x,1",
					     "0,1", "-1,1", "65536,1", "49152,1", "4x,1" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(*state, texts[i], IB_DEST_DRSLID);
	assert_int_equal(fakeumad_writes(), 0);
}

static void guid_text(void **state)
{
	ib_portid_t portid;

	expect_self(0x11, 1000, &node_reply);
	expect_path(7, 0, OTHER_GID, OWN_GID, &path_reply);
	assert_int_equal(resolve(*state, &portid, "0xa1a2a3a4a5a6a7a8", IB_DEST_GUID), 0);
	assert_int_equal(portid.lid, FOUND_LID);
	assert_int_equal(portid.drpath.cnt, 0);
	assert_memory_equal(portid.gid, OTHER_GID, 16);
}

static void texts_that_are_no_guid(void **state)
{
	static const char *const texts[] = {
		"", "0", "x", "0x12x", "-1", "0x11223344556677889900"
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(*state, texts[i], IB_DEST_GUID);
	assert_int_equal(fakeumad_writes(), 0);
}

static void gid_text(void **state)
{
	ib_portid_t portid;

	expect_self(0x11, 1000, &node_reply);
	expect_path(7, 0, OTHER_GID, OWN_GID, &path_reply);
	assert_int_equal(resolve(*state, &portid, "fe80::a1a2:a3a4:a5a6:a7a8", IB_DEST_GID), 0);
	assert_int_equal(portid.lid, FOUND_LID);
	assert_int_equal(portid.drpath.cnt, 0);
	assert_int_equal(portid.grh_present, 0);
}

static void texts_that_are_no_gid(void **state)
{
	static const char *const texts[] = { "",     "4",	"4,",		"4,x",
					     "junk", "1.2.3.4", "fe80::1%eth0", "fe80::1 " };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_refused(*state, texts[i], IB_DEST_GID);
	assert_int_equal(fakeumad_writes(), 0);
}

static void other_kinds_of_address(void **state)
{
	assert_refused(*state, "4", (enum MAD_DEST)9);
	assert_refused(*state, "4", (enum MAD_DEST) - 1);
}

static void missing_arguments(void **state)
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

#define CASE(name) cmocka_unit_test_setup_teardown(name, fakeumad_setup, fakeumad_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(smlid),
		CASE(smlid_that_is_none),
		CASE(smlid_fails),
		CASE(self),
		CASE(self_in_parts),
		CASE(self_fails),
		CASE(guid_without_sm),
		CASE(guid_from_a_given_sm),
		CASE(guid_with_a_prefix_of_its_own),
		CASE(guid_fails),
		CASE(gid),
		CASE(gid_fails),
		CASE(sm_that_is_not_filled_in),
		CASE(sm_that_can_not_be_found),
		CASE(gid_without_the_smi),
		CASE(lid_texts),
		CASE(texts_that_are_no_lid),
		CASE(route_texts),
		CASE(texts_that_are_no_route),
		CASE(route_behind_a_lid),
		CASE(texts_that_are_no_route_behind_a_lid),
		CASE(guid_text),
		CASE(texts_that_are_no_guid),
		CASE(gid_text),
		CASE(texts_that_are_no_gid),
		CASE(other_kinds_of_address),
		CASE(missing_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
