/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: finding addresses: the SM, GUIDs, GIDs, texts, the local port; addresses as text. */
#include "wire.h"

/* A PortInfo with prefix fe80::, LID 0x11, SM LID 0x22, SM SL 5, local port 3. */
#define PORT_INFO "reply zero at=72:fe80000000000000 at=80:0011 at=82:0022 at=92:03 at=100:05"
#define BAD	  "reply status=0x1c"
#define NODE	  "reply zero at=84:1122334455667788 at=100:07"
#define PATH	  "reply at=96:00210022"

#define SM   (&(ib_portid_t){ .lid = 7 })
#define ZERO (&(ib_portid_t){ .lid = 0 })

/* A port on which calls with these results follow; *portid shows what is not set. */
static struct ibmad_port *begin(const char *rules, ib_portid_t *portid)
{
	struct ibmad_port *port = wire_port();

	memset(portid, WIRE_UNTOUCHED, sizeof(*portid));
	fakekernel_hide_smp_data();
	fakekernel_rules(rules);
	return port;
}

/* The address that a call found; after a failure it has no meaning. */
static void show_resolved(const char *call, int result, const ib_portid_t *portid)
{
	show_int(call, result);
	if (result >= 0)
		show_portid("found", portid);
	else if (portid->lid == -1)
		printf("  lid is -1\n");
}

static void smlid(const char *rules, int timeout)
{
	ib_portid_t sm;
	struct ibmad_port *port = begin(rules, &sm);

	show_resolved("ib_resolve_smlid_via", ib_resolve_smlid_via(&sm, timeout, port), &sm);
}

TEST_CALL(resolve_smlid_with_timeout, smlid(PORT_INFO, 20))
TEST_CALL(resolve_smlid, smlid(PORT_INFO, 1000))
TEST_CALL(resolve_smlid_bad_status, smlid(BAD, 1000))
TEST_CALL(resolve_smlid_0, smlid("reply zero at=82:0000", 1000))
TEST_CALL(resolve_smlid_multicast, smlid("reply zero at=82:c000", 1000))

static void guid(const char *rules, ib_portid_t *sm)
{
	uint64_t value = 0x1122334455667788;
	ib_portid_t portid;
	struct ibmad_port *port = begin(rules, &portid);

	show_resolved("ib_resolve_guid_via", ib_resolve_guid_via(&portid, &value, sm, 1000, port),
		      &portid);
	if (sm)
		show_portid("sm", sm);
	printf("  guid %llx\n", (unsigned long long)value);
}

TEST_CALL(resolve_guid_without_sm, guid(PORT_INFO ";" NODE ";" PATH, NULL))
TEST_CALL(resolve_guid_with_sm, guid(NODE ";" PATH, &(ib_portid_t){ .lid = 7, .sl = 2 }))
TEST_CALL(resolve_guid_with_zeroed_sm, guid(PORT_INFO ";" NODE ";" PATH, ZERO))
TEST_CALL(resolve_guid_path_fails, guid(NODE ";" BAD, SM))
TEST_CALL(resolve_guid_self_fails, guid(BAD, SM))
TEST_CALL(resolve_guid_smlid_fails, guid(BAD ";" BAD, NULL))

static void gid(const char *rules, ib_portid_t *sm)
{
	ibmad_gid_t value = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2 };
	ib_portid_t portid;
	struct ibmad_port *port = begin(rules, &portid);

	show_resolved("ib_resolve_gid_via", ib_resolve_gid_via(&portid, value, sm, 1000, port),
		      &portid);
	if (sm)
		show_portid("sm", sm);
}

TEST_CALL(resolve_gid_without_sm, gid(PORT_INFO ";" PATH, NULL))
TEST_CALL(resolve_gid_with_sm, gid(PATH, SM))
TEST_CALL(resolve_gid_with_zeroed_sm, gid(PORT_INFO ";" PATH, ZERO))
TEST_CALL(resolve_gid_fails, gid(BAD, SM))

/* Resolves each of the texts, between which there is '|'. */
static void texts(const char *list, enum MAD_DEST dest, const char *rules, ib_portid_t *sm)
{
	char copy[600], title[700], strings[600], *rest = strings, *string;
	ib_portid_t portid;
	struct ibmad_port *port = begin(rules, &portid);

	snprintf(strings, sizeof(strings), "%s", list);
	while ((string = strsep(&rest, "|"))) {
		memset(&portid, WIRE_UNTOUCHED, sizeof(portid));
		snprintf(copy, sizeof(copy), "%s", string);
		fakekernel_rules(rules);
		snprintf(title, sizeof(title), "ib_resolve_portid_str_via '%s' as %d", string,
			 dest);
		show_resolved(title, ib_resolve_portid_str_via(&portid, copy, dest, sm, port),
			      &portid);
		if (strcmp(copy, string))
			printf("  text is now '%s'\n", copy);
	}
}

TEST_CALL(resolve_lid_texts,
	  texts("4|0x12|012| 5|5 |x||0|65535|49151|49152|65536|0xbfff|+7|-1|99999999999999999999",
		IB_DEST_LID, "none", SM))
TEST_CALL(resolve_lid_junk, texts("5x|4,1|0x|0x5g|08", IB_DEST_LID, "none", SM))
TEST_CALL(resolve_route_texts, texts("0|0,1,2|1,2,3||255| 0,1|0, 1|0,08|0,1,2,3,4,5,6,7,8,9,10",
				     IB_DEST_DRPATH, "none", SM))
TEST_CALL(resolve_route_junk,
	  texts("0,0x10|,|0,|0,x|0,1x|0,,1|0,256|0,-1|0;1|0,1\n|0 1", IB_DEST_DRPATH, "none", SM))
TEST_CALL(resolve_drslid_texts,
	  texts("4,0,1|4,1,2|0x12,1|0,1|x,1|4 0,1|36;0,1|0x12:1|-1,1|65536,1|49152,1|",
		IB_DEST_DRSLID, NODE ";" PORT_INFO, SM))
TEST_CALL(resolve_drslid_junk, texts("4,|4,x|4x,1", IB_DEST_DRSLID, NODE ";" PORT_INFO, SM))
TEST_CALL(resolve_guid_texts, texts("0x1122334455667788|1122334455667788||0|x| 0x12|0x12 ",
				    IB_DEST_GUID, NODE ";" PATH, SM))
TEST_CALL(resolve_guid_junk,
	  texts("0x12x|-1|0x11223344556677889900", IB_DEST_GUID, NODE ";" PATH, SM))
TEST_CALL(resolve_guid_text_fails, texts("0x1122334455667788", IB_DEST_GUID, NODE ";" BAD, SM);
	  texts("0x1122334455667788", IB_DEST_GUID, BAD, SM))
TEST_CALL(resolve_gid_texts, texts("fe80::2:c903:0:1|fe80::|::", IB_DEST_GID, PATH, SM))
TEST_CALL(resolve_gid_junk,
	  texts("junk||1.2.3.4|fe80::1%eth0| fe80::1|fe80::1 ", IB_DEST_GID, PATH, SM))
TEST_CALL(resolve_gid_text_fails, texts("fe80::2:c903:0:1", IB_DEST_GID, BAD, SM))
TEST_CALL(resolve_texts_without_sm, texts("0x12", IB_DEST_GUID, PORT_INFO ";" NODE ";" PATH, NULL);
	  texts("fe80::1", IB_DEST_GID, PORT_INFO ";" PATH, NULL))
TEST_CALL(resolve_other_dest, texts("4", (enum MAD_DEST)9, "none", NULL))

/* Without the arguments that are to be NULL. */
static void self(const char *rules, bool has_portid, bool has_others)
{
	ib_portid_t portid;
	struct ibmad_port *port = begin(rules, &portid);
	int portnum = -5, result;
	ibmad_gid_t gids;

	memset(gids, WIRE_UNTOUCHED, 16);
	result = ib_resolve_self_via(has_portid ? &portid : NULL, has_others ? &portnum : NULL,
				     has_others ? &gids : NULL, port);
	if (has_portid)
		show_resolved("ib_resolve_self_via", result, &portid);
	else
		show_int("ib_resolve_self_via", result);
	printf("  portnum %d\n", portnum);
	show_bytes("gid", gids, 16);
}

TEST_CALL(resolve_self, self(NODE ";" PORT_INFO, true, true))
TEST_CALL(resolve_self_fails, self(BAD, true, true); self(NODE ";" BAD, true, true))
TEST_CALL(resolve_self_nulls, self(NODE ";" PORT_INFO, true, false))
TEST_CALL(resolve_self_without_portid, self(NODE ";" PORT_INFO, false, true))

/* On the default port. */
TEST(resolve_default_port)
{
	ib_portid_t portid = { 0 };
	ibmad_gid_t gids = { 0 };
	char lid[] = "4";
	int portnum = -5;

	wire_default_port();
	fakekernel_hide_smp_data();
	fakekernel_rules(PORT_INFO ";" NODE ";" PORT_INFO);
	show_resolved("ib_resolve_smlid", ib_resolve_smlid(&portid, 0), &portid);
	portid = wire_lid(0);
	show_resolved("ib_resolve_self", ib_resolve_self(&portid, &portnum, &gids), &portid);
	printf("  portnum %d\n", portnum);
	show_bytes("gid", gids, 16);
	portid = wire_lid(0);
	show_resolved("ib_resolve_portid_str",
		      ib_resolve_portid_str(&portid, lid, IB_DEST_LID, NULL), &portid);
}

static void one_text(ib_portid_t portid)
{
	printf("portid2str '%s' portid2portnum %d\n", portid2str(&portid), portid2portnum(&portid));
}

TEST(portid_texts)
{
	static const int lids[] = { 4, 0, -1, 65535, 65536, 49152 };
	static const int hops[] = { 0, 3, 20 };
	ib_portid_t portid = wire_lid(4);

	for (size_t i = 0; i < sizeof(lids) / sizeof(lids[0]); i++)
		one_text(wire_lid(lids[i]));
	for (size_t i = 0; i < sizeof(hops) / sizeof(hops[0]); i++)
		one_text(wire_route(hops[i]));
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
