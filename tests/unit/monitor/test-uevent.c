/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-uevent.c - parsing of uevents and of messages about network interfaces
 * (libibumad/monitor/messages.c): what the kernel sends, cut and changed in every place.
 */
#include <stdio.h>
#include <string.h>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>

#include "test.h"
#include "tests/unit/bounds.h"
#include "libibumad/monitor/monitor.h"

/* Parses a copy that ends where the memory ends. A "|" of the text stands for a NUL. Returns
 * "ACTION NAME<OLD_NAME", with a star where it is a node's; "": dropped. */
static const char *parse(const char *text, size_t size)
{
	static const char *const actions[] = { [UMAD_UEVENT_ADD] = "add",
					       [UMAD_UEVENT_REMOVE] = "remove",
					       [UMAD_UEVENT_MOVE] = "move",
					       [UMAD_UEVENT_CHANGE] = "change" };
	static const uint8_t untouched[32];
	static char words[100];
	char *copy = (char *)fenced_page() + PAGE - size;
	struct {
		struct umad_uevent uevent;
		uint8_t behind[sizeof(untouched)];
	} result = { .behind = { 0 } };
	const struct umad_uevent *uevent = &result.uevent;
	bool parsed;

	for (size_t i = 0; i < size; i++)
		copy[i] = text[i] == '|' ? '\0' : text[i];
	parsed = umad_uevent_parse(copy, size, &result.uevent);
	assert_memory_equal(result.behind, untouched, sizeof(untouched));
	if (parsed)
		snprintf(words, sizeof(words), "%s %s<%s%s", actions[uevent->action], uevent->name,
			 uevent->old_name, uevent->is_node ? "*" : "");
	return parsed ? words : "";
}

#define ADDED                                                                                  \
	"add@/devices/virtual/infiniband/rxe0|ACTION=add|DEVPATH=/devices/virtual/infiniband/" \
	"rxe0|"                                                                                \
	"SUBSYSTEM=infiniband"
/* A device at a path, which is moved or not. */
#define AT(action, subsystem, path) \
	action "@" path "|ACTION=" action "|DEVPATH=" path "|SUBSYSTEM=" subsystem
#define MOVED(path, old_path) AT("move", "infiniband", path) "|DEVPATH_OLD=" old_path

static const struct {
	const char *text, *words;
} rows[] = {
	/* As recorded from kernel 6.1. */
	{ ADDED "|NAME=rxe0|SEQNUM=1017", "add rxe0<" },
	{ "remove@/devices/pci0000:00/0000:00:02.0/infiniband_mad/umad1|ACTION=remove|"
	  "DEVPATH=/devices/pci0000:00/0000:00:02.0/infiniband_mad/umad1|SUBSYSTEM=infiniband_mad|"
	  "MAJOR=231|MINOR=1|DEVNAME=infiniband/umad1|SEQNUM=1018",
	  "remove umad1<*" },
	{ "move@/devices/virtual/infiniband/ibp3|ACTION=move|DEVPATH=/devices/virtual/infiniband/"
	  "ibp3|"
	  "SUBSYSTEM=infiniband|DEVPATH_OLD=/devices/virtual/infiniband/rxe0|NAME=ibp3|SEQNUM=1019",
	  "move ibp3<rxe0" },
	/* Others; what udev sends to its own group among them. */
	{ AT("add", "net", "/x/rxe0"), "" },
	{ AT("add", "infiniband_verbs", "/x/rxe0"), "" },
	{ AT("add", "infinibandx", "/x/rxe0"), "" },
	{ AT("add", "infiniban", "/x/rxe0"), "" },
	{ AT("add", "infiniband_ma", "/x/rxe0"), "" },
	{ AT("add", "", "/x/rxe0"), "" },
	{ AT("bind", "infiniband", "/x/rxe0"), "" },
	{ AT("online", "infiniband", "/x/rxe0"), "" },
	{ AT("ad", "infiniband", "/x/rxe0"), "" },
	{ AT("added", "infiniband", "/x/rxe0"), "" },
	{ AT("", "infiniband", "/x/rxe0"), "" },
	{ "libudev|\xfe\xed\xca\xfe(|||(|||", "" },
	/* Each part that counts must be there, and the first of two values holds. */
	{ "a@b|ACTION=add|DEVPATH=/x/rxe0|SUBSYSTEM=infiniband", "add rxe0<" },
	{ "a@b|DEVPATH=/x/rxe0|SUBSYSTEM=infiniband", "" },
	{ "a@b|ACTION=add|SUBSYSTEM=infiniband", "" },
	{ "a@b|ACTION=add|DEVPATH=/x/rxe0", "" },
	{ "ab|ACTION=add|DEVPATH=/x/rxe0|SUBSYSTEM=infiniband", "" },
	{ "a@b|ACTION=add|DEVPATH=/x/rxe0|SUBSYSTEM=infiniband|DEVPATH=/x/other|ACTION=remove|"
	  "SUBSYSTEM=net",
	  "add rxe0<" },
	/* Impossible names are no names; a rename from or to one is still one. */
	{ AT("add", "infiniband", "rxe0"), "" },
	{ AT("add", "infiniband", ""), "" },
	{ AT("add", "infiniband", "/"), "" },
	{ AT("add", "infiniband", "/x/"), "" },
	{ AT("add", "infiniband", "/x/."), "" },
	{ AT("add", "infiniband", "/x/.."), "" },
	{ AT("add", "infiniband", "/x/.hidden"), "" },
	{ AT("add", "infiniband", "/x/b1234567890123456789"), "" },
	{ AT("add", "infiniband", "/x/a_name_that_is_much_longer_than_any_other"), "" },
	{ AT("add", "infiniband", "/x/a123456789012345678"), "add a123456789012345678<" },
	{ MOVED("/x/b1234567890123456789", "/x/rxe0"), "move <rxe0" },
	{ MOVED("/x/rxe0", "/x/b1234567890123456789"), "move rxe0<" },
	{ MOVED("/x/rxe0", "/x/a123456789012345678"), "move rxe0<a123456789012345678" },
};

TEST(uevents)
{
	for (size_t i = 0; i < COUNT(rows); i++)
		if (strcmp(parse(rows[i].text, strlen(rows[i].text) + 1), rows[i].words) != 0)
			fail_msg("%s is not %s", rows[i].text, rows[i].words);
}

/* A message is good when it ends with a NUL behind all that counts, and not otherwise. */
TEST(cut_ones_are_dropped)
{
	static const char whole[] = ADDED "|NAME=rxe0|SEQNUM=1017";

	for (size_t size = 1; size < sizeof(whole); size++)
		assert_int_equal(!!*parse(whole, size),
				 size >= sizeof(ADDED) && whole[size - 1] == '|');
}

/*
 * Network interfaces
 */

struct link_message {
	struct nlmsghdr header;
	struct ifinfomsg info;
};

static bool parse_link(unsigned short type, unsigned int flags, struct umad_link *link)
{
	struct link_message message = {
		.header = { .nlmsg_len = sizeof(message), .nlmsg_type = type },
		.info = { .ifi_index = 7, .ifi_type = ARPHRD_ETHER, .ifi_flags = flags },
	};

	return umad_link_parse(&message.header, link);
}

TEST(link_states_follow_the_flags)
{
	struct umad_link link;

	assert_true(parse_link(RTM_NEWLINK, IFF_UP | IFF_RUNNING | IFF_LOWER_UP, &link));
	assert_true(!link.is_down && link.is_enabled);
	assert_int_equal(link.index, 7);
	assert_int_equal(link.type, ARPHRD_ETHER);
	assert_true(parse_link(RTM_NEWLINK, IFF_UP, &link));
	assert_true(link.is_down && link.is_enabled);
	assert_true(parse_link(RTM_NEWLINK, IFF_UP | IFF_LOWER_UP, &link)); /* becoming up */
	assert_true(!link.is_down);
	assert_true(parse_link(RTM_NEWLINK, 0, &link));
	assert_true(link.is_down && !link.is_enabled);
	assert_true(parse_link(RTM_DELLINK, 0, &link));
	assert_true(!link.is_down);
}

TEST(other_link_messages_are_dropped)
{
	struct link_message message = {
		.header = { .nlmsg_len = sizeof(message) - 1, .nlmsg_type = RTM_NEWLINK },
		.info = { .ifi_index = 7 },
	};
	struct umad_link link;

	assert_false(parse_link(RTM_NEWADDR, 0, &link));
	assert_false(parse_link(NLMSG_ERROR, 0, &link));
	assert_false(umad_link_parse(&message.header, &link)); /* too short */
	message.header.nlmsg_len = sizeof(message);
	assert_true(umad_link_parse(&message.header, &link));
	message.info.ifi_index = 0;
	assert_false(umad_link_parse(&message.header, &link));
	message.info.ifi_index = -7;
	assert_false(umad_link_parse(&message.header, &link));
}
