/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-uevent.c - parsing of uevents and of messages about network interfaces
 * (libibumad/monitor/messages.c): what the kernel sends, cut and changed in every place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>

#include "test.h"
#include "libibumad/monitor/monitor.h"

/* As recorded from kernel 6.1. */
static const char added[] = "add@/devices/virtual/infiniband/rxe0\0"
			    "ACTION=add\0"
			    "DEVPATH=/devices/virtual/infiniband/rxe0\0"
			    "SUBSYSTEM=infiniband\0"
			    "NAME=rxe0\0"
			    "SEQNUM=1017";
static const char node_removed[] = "remove@/devices/pci0000:00/0000:00:02.0/infiniband_mad/umad1\0"
				   "ACTION=remove\0"
				   "DEVPATH=/devices/pci0000:00/0000:00:02.0/infiniband_mad/umad1\0"
				   "SUBSYSTEM=infiniband_mad\0"
				   "MAJOR=231\0"
				   "MINOR=1\0"
				   "DEVNAME=infiniband/umad1\0"
				   "SEQNUM=1018";
static const char renamed[] = "move@/devices/virtual/infiniband/ibp3\0"
			      "ACTION=move\0"
			      "DEVPATH=/devices/virtual/infiniband/ibp3\0"
			      "SUBSYSTEM=infiniband\0"
			      "DEVPATH_OLD=/devices/virtual/infiniband/rxe0\0"
			      "NAME=ibp3\0"
			      "SEQNUM=1019";

/* Parses a copy that ends where the memory ends, so that sanitizers see a read behind it. */
static bool parse(const char *data, size_t size, struct umad_uevent *uevent)
{
	char *copy = malloc(size ? size : 1);
	bool parsed;

	memcpy(copy, data, size);
	parsed = umad_uevent_parse(copy, size, uevent);
	free(copy);
	return parsed;
}

#define PARSE(text, uevent) parse(text, sizeof(text), uevent)

TEST(recorded_ones_are_understood)
{
	struct umad_uevent uevent;

	assert_true(PARSE(added, &uevent));
	assert_int_equal(uevent.action, UMAD_UEVENT_ADD);
	assert_false(uevent.is_node);
	assert_string_equal(uevent.name, "rxe0");
	assert_string_equal(uevent.old_name, "");

	assert_true(PARSE(node_removed, &uevent));
	assert_int_equal(uevent.action, UMAD_UEVENT_REMOVE);
	assert_true(uevent.is_node);
	assert_string_equal(uevent.name, "umad1");

	assert_true(PARSE(renamed, &uevent));
	assert_int_equal(uevent.action, UMAD_UEVENT_MOVE);
	assert_string_equal(uevent.name, "ibp3");
	assert_string_equal(uevent.old_name, "rxe0");
}

/* A message is good when it ends with a NUL behind all that counts, and not otherwise. */
TEST(cut_ones_are_dropped)
{
	struct umad_uevent uevent;
	size_t size, complete;

	complete = sizeof(added) - sizeof("NAME=rxe0\0SEQNUM=1017");
	for (size = 0; size < sizeof(added); size++)
		assert_int_equal(parse(added, size, &uevent),
				 size >= complete && added[size - 1] == '\0');
}

static bool parse_fields(const char *action, const char *subsystem, const char *path,
			 const char *old_path, struct umad_uevent *uevent)
{
	char data[1024];
	int size;

	size = snprintf(data, sizeof(data), "%s@%s%cACTION=%s%cDEVPATH=%s%cSUBSYSTEM=%s%c", action,
			path, 0, action, 0, path, 0, subsystem, 0);
	if (old_path)
		size += snprintf(data + size, sizeof(data) - (size_t)size, "DEVPATH_OLD=%s%c",
				 old_path, 0);
	return parse(data, (size_t)size, uevent);
}

TEST(others_are_dropped)
{
	static const char *const subsystems[] = { "net",       "infiniband_verbs", "infinibandx",
						  "infiniban", "infiniband_ma",	   "" };
	static const char *const actions[] = { "bind", "online", "offline", "ad", "added", "" };
	struct umad_uevent uevent;
	size_t i;

	for (i = 0; i < sizeof(subsystems) / sizeof(subsystems[0]); i++)
		assert_false(parse_fields("add", subsystems[i], "/devices/rxe0", NULL, &uevent));
	for (i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		assert_false(
			parse_fields(actions[i], "infiniband", "/devices/rxe0", NULL, &uevent));
	/* What udev sends to its own group. */
	assert_false(PARSE("libudev\0\xfe\xed\xca\xfe(\0\0\0(\0\0\0", &uevent));
}

TEST(each_part_that_counts_must_be_there)
{
	struct umad_uevent uevent;

	assert_true(PARSE("a@b\0ACTION=add\0DEVPATH=/x/rxe0\0SUBSYSTEM=infiniband", &uevent));
	assert_false(PARSE("a@b\0DEVPATH=/x/rxe0\0SUBSYSTEM=infiniband", &uevent));
	assert_false(PARSE("a@b\0ACTION=add\0SUBSYSTEM=infiniband", &uevent));
	assert_false(PARSE("a@b\0ACTION=add\0DEVPATH=/x/rxe0", &uevent));
	assert_false(PARSE("ab\0ACTION=add\0DEVPATH=/x/rxe0\0SUBSYSTEM=infiniband", &uevent));
}

TEST(the_first_of_two_values_holds)
{
	struct umad_uevent uevent;

	assert_true(PARSE("a@b\0ACTION=add\0DEVPATH=/x/rxe0\0SUBSYSTEM=infiniband\0"
			  "DEVPATH=/x/other\0ACTION=remove\0SUBSYSTEM=net",
			  &uevent));
	assert_int_equal(uevent.action, UMAD_UEVENT_ADD);
	assert_string_equal(uevent.name, "rxe0");
}

TEST(impossible_names_are_no_names)
{
	static const char *const paths[] = { "rxe0",
					     "",
					     "/",
					     "/x/",
					     "/x/.",
					     "/x/..",
					     "/x/.hidden",
					     "/x/b1234567890123456789",
					     "/x/a_name_that_is_much_longer_than_any_other" };
	struct umad_uevent uevent;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_false(parse_fields("add", "infiniband", paths[i], NULL, &uevent));
	assert_true(parse_fields("add", "infiniband", "/x/a123456789012345678", NULL, &uevent));
	assert_int_equal(strlen(uevent.name), UMAD_CA_NAME_LEN - 1);

	/* A rename from or to such a name is still one. */
	assert_true(
		parse_fields("move", "infiniband", "/x/b1234567890123456789", "/x/rxe0", &uevent));
	assert_string_equal(uevent.name, "");
	assert_string_equal(uevent.old_name, "rxe0");
	assert_true(
		parse_fields("move", "infiniband", "/x/rxe0", "/x/b1234567890123456789", &uevent));
	assert_string_equal(uevent.name, "rxe0");
	assert_string_equal(uevent.old_name, "");
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
