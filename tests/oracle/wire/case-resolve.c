/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: finding addresses: the SM, GUIDs, GIDs, texts, the local port; addresses as text. */
#include "wire.h"

/* A PortInfo with prefix fe80::, LID 0x11, SM LID 0x22, SM SL 5, local port 3. */
#define PORT_INFO "reply zero at=72:fe80000000000000 at=80:0011 at=82:0022 at=92:03 at=100:05"
#define BAD	  "reply status=0x1c"
#define NODE	  "reply zero at=84:1122334455667788 at=100:07"
#define PATH	  "reply at=96:00210022"

/* The address that a call found; after a failure it has no meaning. */
static void show_resolved(const char *call, int result, const ib_portid_t *portid)
{
	show_int(call, result);
	if (result >= 0)
		show_portid("found", portid);
	else if (portid->lid == -1)
		printf("  lid is -1\n");
}

static void smlid(const char *rules)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t sm;

	memset(&sm, WIRE_UNTOUCHED, sizeof(sm));
	fakekernel_hide_smp_data();
	fakekernel_rules(rules);
	errno = 0;
	show_resolved("ib_resolve_smlid_via", ib_resolve_smlid_via(&sm, 1000, port), &sm);
}

TEST(resolve_smlid_with_timeout)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t sm;

	fakekernel_hide_smp_data();
	fakekernel_rules(PORT_INFO);
	show_int("ib_resolve_smlid_via", ib_resolve_smlid_via(&sm, 20, port));
}

TEST_CALL(resolve_smlid, smlid(PORT_INFO))
TEST_CALL(resolve_smlid_bad_status, smlid(BAD))
TEST_CALL(resolve_smlid_0, smlid("reply zero at=82:0000"))
TEST_CALL(resolve_smlid_multicast, smlid("reply zero at=82:c000"))

TEST(resolve_smlid_default_port)
{
	ib_portid_t sm = { 0 };

	wire_default_port();
	fakekernel_hide_smp_data();
	fakekernel_rules(PORT_INFO);
	errno = 0;
	show_int("ib_resolve_smlid", ib_resolve_smlid(&sm, 0));
	show_portid("sm", &sm);
}

static void guid(const char *rules, ib_portid_t *sm)
{
	struct ibmad_port *port = wire_port();
	uint64_t value = 0x1122334455667788;
	ib_portid_t portid;

	memset(&portid, WIRE_UNTOUCHED, sizeof(portid));
	fakekernel_hide_smp_data();
	fakekernel_rules(rules);
	errno = 0;
	show_resolved("ib_resolve_guid_via", ib_resolve_guid_via(&portid, &value, sm, 1000, port),
		      &portid);
	if (sm)
		show_portid("sm", sm);
	printf("  guid %llx\n", (unsigned long long)value);
}

TEST(resolve_guid_without_sm)
{
	guid(PORT_INFO ";" NODE ";" PATH, NULL);
}

TEST(resolve_guid_with_sm)
{
	ib_portid_t sm = wire_lid(7);

	sm.sl = 2;
	guid(NODE ";" PATH, &sm);
}

TEST(resolve_guid_with_zeroed_sm)
{
	ib_portid_t sm = { 0 };

	guid(PORT_INFO ";" NODE ";" PATH, &sm);
}

TEST(resolve_guid_path_fails)
{
	ib_portid_t sm = wire_lid(7);

	guid(NODE ";" BAD, &sm);
}

TEST(resolve_guid_self_fails)
{
	ib_portid_t sm = wire_lid(7);

	guid(BAD, &sm);
}

TEST(resolve_guid_smlid_fails)
{
	guid(BAD ";" BAD, NULL);
}

static void gid(const char *rules, ib_portid_t *sm)
{
	struct ibmad_port *port = wire_port();
	ibmad_gid_t value = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2 };
	ib_portid_t portid;

	memset(&portid, WIRE_UNTOUCHED, sizeof(portid));
	fakekernel_hide_smp_data();
	fakekernel_rules(rules);
	errno = 0;
	show_resolved("ib_resolve_gid_via", ib_resolve_gid_via(&portid, value, sm, 1000, port),
		      &portid);
	if (sm)
		show_portid("sm", sm);
}

TEST(resolve_gid_without_sm)
{
	gid(PORT_INFO ";" PATH, NULL);
}

TEST(resolve_gid_with_sm)
{
	ib_portid_t sm = wire_lid(7);

	gid(PATH, &sm);
}

TEST(resolve_gid_with_zeroed_sm)
{
	ib_portid_t sm = { 0 };

	gid(PORT_INFO ";" PATH, &sm);
}

TEST(resolve_gid_fails)
{
	ib_portid_t sm = wire_lid(7);

	gid(BAD, &sm);
}

static void text(struct ibmad_port *port, const char *string, enum MAD_DEST dest, const char *rules,
		 ib_portid_t *sm)
{
	char copy[600], title[700];
	ib_portid_t portid;

	memset(&portid, WIRE_UNTOUCHED, sizeof(portid));
	snprintf(copy, sizeof(copy), "%s", string);
	fakekernel_hide_smp_data();
	fakekernel_rules(rules);
	snprintf(title, sizeof(title), "ib_resolve_portid_str_via '%s' as %d", string, dest);
	errno = 0;
	show_resolved(title, ib_resolve_portid_str_via(&portid, copy, dest, sm, port), &portid);
	if (strcmp(copy, string))
		printf("  text is now '%s'\n", copy);
}

/* Resolves every string of a list that ends with NULL. */
static void texts(const char *const *list, enum MAD_DEST dest, const char *rules)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t sm = wire_lid(7);

	for (; *list; list++)
		text(port, *list, dest, rules, &sm);
}

TEST(resolve_lid_texts)
{
	static const char *const good[] = { "4",      "0x12",  "012",	" 5",
					    "5 ",     "x",     "",	"0",
					    "65535",  "49151", "49152", "65536",
					    "0xbfff", "+7",    "-1",	"99999999999999999999",
					    NULL };

	texts(good, IB_DEST_LID, "none");
}

TEST(resolve_lid_junk)
{
	static const char *const junk[] = { "5x", "4,1", "0x", "0x5g", "08", NULL };

	texts(junk, IB_DEST_LID, "none");
}

TEST(resolve_route_texts)
{
	static const char *const good[] = { "0",    "0,1,2", "1,2,3",
					    "",	    "255",   " 0,1",
					    "0, 1", "0,08",  "0,1,2,3,4,5,6,7,8,9,10",
					    NULL };

	texts(good, IB_DEST_DRPATH, "none");
}

TEST(resolve_route_junk)
{
	static const char *const junk[] = { "0,0x10", ",",    "0,",  "0,x",   "0,1x", "0,,1",
					    "0,256",  "0,-1", "0;1", "0,1\n", "0 1",  NULL };

	texts(junk, IB_DEST_DRPATH, "none");
}

TEST(resolve_drslid_texts)
{
	static const char *const good[] = { "4,0,1",   "4,1,2",	 "0x12,1", "0,1",  "x,1",
					    "4 0,1",   "36;0,1", "0x12:1", "-1,1", "65536,1",
					    "49152,1", "",	 NULL };

	texts(good, IB_DEST_DRSLID, NODE ";" PORT_INFO);
}

TEST(resolve_drslid_junk)
{
	static const char *const junk[] = { "4,", "4,x", "4x,1", NULL };

	texts(junk, IB_DEST_DRSLID, NODE ";" PORT_INFO);
}

TEST(resolve_guid_texts)
{
	static const char *const good[] = {
		"0x1122334455667788", "1122334455667788", "", "0", "x", " 0x12", "0x12 ", NULL
	};

	texts(good, IB_DEST_GUID, NODE ";" PATH);
}

TEST(resolve_guid_junk)
{
	static const char *const junk[] = { "0x12x", "-1", "0x11223344556677889900", NULL };

	texts(junk, IB_DEST_GUID, NODE ";" PATH);
}

TEST(resolve_guid_text_fails)
{
	static const char *const one[] = { "0x1122334455667788", NULL };

	texts(one, IB_DEST_GUID, NODE ";" BAD);
	texts(one, IB_DEST_GUID, BAD);
}

TEST(resolve_gid_texts)
{
	static const char *const good[] = { "fe80::2:c903:0:1", "fe80::", "::", NULL };

	texts(good, IB_DEST_GID, PATH);
}

TEST(resolve_gid_junk)
{
	static const char *const junk[] = { "junk",	"",	    "1.2.3.4", "fe80::1%eth0",
					    " fe80::1", "fe80::1 ", NULL };

	texts(junk, IB_DEST_GID, PATH);
}

TEST(resolve_gid_text_fails)
{
	static const char *const one[] = { "fe80::2:c903:0:1", NULL };

	texts(one, IB_DEST_GID, BAD);
}

TEST(resolve_texts_without_sm)
{
	struct ibmad_port *port = wire_port();

	text(port, "0x12", IB_DEST_GUID, PORT_INFO ";" NODE ";" PATH, NULL);
	text(port, "fe80::1", IB_DEST_GID, PORT_INFO ";" PATH, NULL);
}

TEST_CALL(resolve_other_dest, text(wire_port(), "4", (enum MAD_DEST)9, "none", NULL))

TEST(resolve_default_port)
{
	ib_portid_t portid = { 0 };
	char lid[] = "4";

	wire_default_port();
	errno = 0;
	show_int("ib_resolve_portid_str", ib_resolve_portid_str(&portid, lid, IB_DEST_LID, NULL));
	show_portid("portid", &portid);
}

static void self(const char *rules)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t portid;
	ibmad_gid_t gids;
	int portnum = -5;

	memset(&portid, WIRE_UNTOUCHED, sizeof(portid));
	memset(gids, WIRE_UNTOUCHED, 16);
	fakekernel_hide_smp_data();
	fakekernel_rules(rules);
	errno = 0;
	show_resolved("ib_resolve_self_via", ib_resolve_self_via(&portid, &portnum, &gids, port),
		      &portid);
	printf("  portnum %d\n", portnum);
	show_bytes("gid", gids, 16);
}

TEST(resolve_self)
{
	self(NODE ";" PORT_INFO);
}

TEST(resolve_self_fails)
{
	self(BAD);
	self(NODE ";" BAD);
}

TEST(resolve_self_nulls)
{
	struct ibmad_port *port = wire_port();
	ib_portid_t portid = { 0 };

	fakekernel_hide_smp_data();
	fakekernel_rules(NODE ";" PORT_INFO);
	errno = 0;
	show_int("ib_resolve_self_via", ib_resolve_self_via(&portid, NULL, NULL, port));
	show_portid("portid", &portid);
}

TEST(resolve_self_without_portid)
{
	struct ibmad_port *port = wire_port();
	int portnum = -5;

	fakekernel_hide_smp_data();
	fakekernel_rules(NODE ";" PORT_INFO);
	errno = 0;
	show_int("ib_resolve_self_via", ib_resolve_self_via(NULL, &portnum, NULL, port));
	printf("  portnum %d\n", portnum);
}

TEST(resolve_self_default_port)
{
	ib_portid_t portid = { 0 };
	ibmad_gid_t gids = { 0 };
	int portnum = -5;

	wire_default_port();
	fakekernel_hide_smp_data();
	fakekernel_rules(NODE ";" PORT_INFO);
	errno = 0;
	show_int("ib_resolve_self", ib_resolve_self(&portid, &portnum, &gids));
	show_portid("portid", &portid);
	printf("  portnum %d\n", portnum);
	show_bytes("gid", gids, 16);
}

static void one_text(ib_portid_t portid)
{
	printf("portid2str '%s' portid2portnum %d\n", portid2str(&portid), portid2portnum(&portid));
}

TEST(portid_texts)
{
	ib_portid_t portid = wire_lid(4);

	one_text(portid);
	one_text(wire_lid(0));
	one_text(wire_lid(-1));
	one_text(wire_lid(65535));
	one_text(wire_lid(65536));
	one_text(wire_lid(49152));
	one_text(wire_route(0));
	one_text(wire_route(3));
	one_text(wire_route(20));
	portid.drpath.cnt = 2;
	one_text(portid);
	portid.drpath.drslid = 0xffff;
	one_text(portid);
	portid.drpath.drslid = 5;
	portid.drpath.drdlid = 6;
	one_text(portid);
	portid.grh_present = 1;
	memset(portid.gid, 0xab, 16);
	one_text(portid);
	portid = wire_route(2);
	portid.drpath.drslid = 5;
	one_text(portid);
	portid.drpath.drdlid = 5;
	one_text(portid);
}

static void one_path(const char *string)
{
	ib_dr_path_t path = { 0 };
	char copy[64], back[300], small[8];

	snprintf(copy, sizeof(copy), "%s", string);
	errno = 0;
	show_int(string, str2drpath(&path, copy, 3, 4));
	if (path.cnt < 0)
		return;
	printf("  cnt %d p %u %u %u %u drslid %u drdlid %u\n", path.cnt, path.p[0], path.p[1],
	       path.p[2], path.p[3], path.drslid, path.drdlid);
	printf("  '%s'", drpath2str(&path, back, sizeof(back)));
	printf(" '%s'\n", drpath2str(&path, small, sizeof(small)));
}

TEST(path_texts)
{
	ib_dr_path_t path = { 0 };
	char copy[] = "0,5";

	one_path("0,1,2");
	one_path("1,2");
	one_path("0");
	one_path("0,008");
	show_int("str2drpath 0 0", str2drpath(&path, copy, 0, 0));
	printf("  drslid %#x drdlid %#x\n", path.drslid, path.drdlid);
}

TEST(path_junk)
{
	one_path("0x1,2");
	one_path("");
	one_path("0,1,2,x");
	one_path("3,");
}

TEST_CALL(portid_null, printf("portid2str NULL '%s'\n", portid2str(NULL)))
