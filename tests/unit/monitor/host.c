/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* host.c - what is on the host of events.tbl, and the messages of its kernel. */
#include "events.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>
#include <rdma/rdma_netlink.h>

enum { MONITOR_COMMAND = 28, EVENT_TYPE = 102 };

static char names_kept[4000]; /* of devices of RDMA netlink, which keeps no copies */
static size_t names_size;

void forget_host(void)
{
	names_size = 0;
}

static bool is_node(const char *name)
{
	return !strncmp(name, "umad", 4) || !strncmp(name, "issm", 4);
}

static void remove_class(const char *class, const char *name)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/class/%s/%s", class, name);
	kernel_remove(path);
}

static void remove_from_sysfs(char *name)
{
	char *number = scene_split(name, '/'), node[16];

	remove_class(is_node(name) ? "infiniband_mad" : "infiniband", name);
	if (!number)
		return;
	snprintf(node, sizeof(node), "umad%s", number);
	remove_class("infiniband_mad", node);
}

/* A RoCE device that RDMA netlink knows has network interface 7 plus the number of its node. */
static void add_roce(const char *name, unsigned node)
{
	char statement[120];

	snprintf(statement, sizeof(statement),
		 "kernel %s index=%u protocol=roce netdev=%u state=0 phys=0", name, node, 7 + node);
	play(statement);
}

static void add_to_sysfs(char *name)
{
	char *guid = scene_split(name, '#'), *layer = scene_split(name, ':');
	char *owner = scene_split(name, '@'), *number = scene_split(name, '/'), text[80];
	unsigned node = number ? (unsigned)scene_number(number) : 0;

	if (owner) {
		int port = scene_split(owner, '.') ? owner[strlen(owner) + 1] - '0' : 1;

		kernel_node((unsigned)scene_number(name + strlen("umad")), owner, port);
		return;
	}
	kernel_ca(name, 1, 1, node);
	if (number)
		kernel_node(node, name, 1);
	if (layer)
		kernel_port_file(name, 1, "link_layer", "Ethernet\n");
	if (layer && !strcmp(layer, "roce"))
		add_roce(name, node);
	if (guid) {
		snprintf(text, sizeof(text), "%s%s\n",
			 strcmp(guid, "0") != 0 ? "0002:c903:0000:00" : "0000:0000:0000:000", guid);
		kernel_ca_file(name, "node_guid", text);
	}
}

static void play_host(char *rest)
{
	char *word;

	while ((word = scene_word(&rest)))
		(*word == '+' ? add_to_sysfs : remove_from_sysfs)(word + 1);
}

/* "mlx5_0.2 state=1 lid=0x13": as the kernel writes them. */
static void play_port(char *rest)
{
	char *name = scene_word(&rest), *number = scene_split(name, '.'), *word, text[40];

	while ((word = scene_word(&rest))) {
		char *value = scene_split(word, '=');

		snprintf(text, sizeof(text), strstr(word, "state") ? "%s: NAME\n" : "%s\n", value);
		kernel_port_file(name, number ? atoi(number) : 1, word, text);
	}
}

static void play_file(char *rest)
{
	const char *name = scene_word(&rest);
	char path[KERNEL_PATH_SIZE], text[300];

	snprintf(path, sizeof(path), "%s%s", *name == '/' ? "" : "/sys/class/infiniband/", name);
	snprintf(text, sizeof(text), "%s\n", rest);
	if (*rest)
		kernel_file(path, text);
	else
		kernel_remove(path);
}

static void play_class(char *rest)
{
	(void)rest;
	kernel_directory("/sys/class/infiniband");
	kernel_abi_version("5\n");
}

static const char *keep_name(const char *name)
{
	char *kept = names_kept + names_size;

	names_size += strlen(name) + 1;
	assert_true(names_size <= sizeof(names_kept));
	return strcpy(kept, name);
}

/* A device that RDMA netlink reports, or none. */
static void play_kernel(char *rest)
{
#define DEVICE(name, member) SCENE_NUMBER(struct fakenl_device, name, member)
	static const struct scene_member members[] = { DEVICE("index", index),
						       DEVICE("type", node_type),
						       DEVICE("ports", ports),
						       DEVICE("state", state),
						       DEVICE("phys", phys_state),
						       DEVICE("netdev", netdev_index),
						       DEVICE("ethernet", ethernet_ports),
						       DEVICE("abi", abi),
						       { .name = NULL } };
	struct fakenl_device device = {
		.protocol = "ib", .node_type = 1, .ports = 1, .state = 4, .phys_state = 5, .abi = 5
	};
	char *word = scene_word(&rest), *count, name[UMAD_CA_NAME_LEN];
	const char *begin;
	int left;

	if (!word) {
		fakenl_remove_devices();
		return;
	}
	count = scene_split(word, '*');
	begin = device.name = keep_name(word);
	while ((word = scene_word(&rest))) {
		if (!strncmp(word, "node=", 5))
			device.node = keep_name(word + 5);
		else if (!strncmp(word, "protocol=", 9))
			device.protocol = word[9] ? keep_name(word + 9) : NULL;
		else
			scene_set_members(members, &device, word);
	}
	for (left = count ? atoi(count) : 0; left; left--, device.index++) {
		snprintf(name, sizeof(name), "%s%u", begin, device.index);
		device.name = keep_name(name);
		fakenl_add_device(&device);
	}
	if (!count)
		fakenl_add_device(&device);
}

/*
 * Messages
 */

static int protocol_of(const char *name)
{
	return !strcmp(name, "uevent") ? NETLINK_KOBJECT_UEVENT
	       : !strcmp(name, "link") ? NETLINK_ROUTE
				       : NETLINK_RDMA;
}

static void send_uevent(const char *action, const char *subsystem, const char *name,
			const char *old_name)
{
	char data[512];
	int size;

	size = snprintf(data, sizeof(data), "%s@/x/%s%cACTION=%s%cDEVPATH=/x/%s%cSUBSYSTEM=%s%c",
			action, name, 0, action, 0, name, 0, subsystem, 0);
	if (old_name)
		size += snprintf(data + size, sizeof(data) - (size_t)size, "DEVPATH_OLD=/x/%s%c",
				 old_name, 0);
	fakenl_send(NETLINK_KOBJECT_UEVENT, data, (size_t)size, 0);
}

static void play_says(char *rest)
{
	char *word;

	while ((word = scene_word(&rest))) {
		char *old = scene_split(word, '<'), *times = scene_split(word, '*');
		const char *action = *word == '+' ? "add" : *word == '-' ? "remove" : "change";
		const char *subsystem = *word == '!'	    ? "net"
					: is_node(word + 1) ? "infiniband_mad"
							    : "infiniband";

		for (int i = times ? atoi(times) : 1; i; i--)
			if (old)
				send_uevent("move", "infiniband", word, old);
			else
				send_uevent(action, subsystem, word + 1, NULL);
	}
}

/* "7 up [TYPE] [GUID]": a network interface; the address of IPoIB ends with the port's GUID. */
static void play_link(char *rest)
{
	enum { FLAGS = 1 << 20, TYPE = 1 << 21, MESSAGE = 1 << 22, LENGTH = 1 << 23 };
	static const struct scene_name words[] = {
		{ "up", FLAGS | IFF_UP | IFF_RUNNING | IFF_LOWER_UP },
		{ "carrier", FLAGS | IFF_UP | IFF_LOWER_UP },
		{ "enabled", FLAGS | IFF_UP },
		{ "down", FLAGS },
		{ "ether", TYPE | ARPHRD_ETHER },
		{ "loopback", TYPE | ARPHRD_LOOPBACK },
		{ "ipoib", TYPE | ARPHRD_INFINIBAND },
		{ "deleted", MESSAGE | RTM_DELLINK },
		{ "address", MESSAGE | RTM_NEWADDR },
		{ "short", LENGTH | (NLMSG_LENGTH(sizeof(struct ifinfomsg)) - 1) },
		{ .name = NULL },
	};
	struct {
		struct nlmsghdr header;
		struct ifinfomsg info;
		struct rtattr attribute;
		uint8_t address[20];
	} message = {
		.header = { .nlmsg_len = sizeof(message), .nlmsg_type = RTM_NEWLINK },
		.info = { .ifi_index = (int)scene_number(scene_word(&rest)),
			  .ifi_type = ARPHRD_ETHER },
		.attribute = { .rta_len = RTA_LENGTH(20), .rta_type = IFLA_ADDRESS },
	};
	char *word;

	while ((word = scene_word(&rest))) {
		uint64_t guid = htobe64(*word == '0' ? scene_number(word) : 0);
		unsigned meaning = guid ? 0 : scene_find(words, word);
		unsigned number = meaning & ~(unsigned)(FLAGS | TYPE | MESSAGE | LENGTH);

		if (guid)
			memcpy(message.address + 12, &guid, sizeof(guid));
		else if (meaning & FLAGS)
			message.info.ifi_flags = number;
		else if (meaning & TYPE)
			message.info.ifi_type = (unsigned short)number;
		else if (meaning & MESSAGE)
			message.header.nlmsg_type = (unsigned short)number;
		else
			message.header.nlmsg_len = number;
	}
	fakenl_send(NETLINK_ROUTE, &message, sizeof(message), 0);
}

/* "PROTOCOL[@SENDER] TEXT": a NUL for each ",", and at the end unless that is "!". */
static void play_raw(char *rest)
{
	char *protocol = scene_word(&rest), *sender = scene_split(protocol, '@');
	size_t size = strlen(rest) + 1;

	for (char *at = rest; (at = strchr(at, ','));)
		*at++ = '\0';
	if (size > 1 && rest[size - 2] == '!')
		size -= 2;
	fakenl_send(protocol_of(protocol), rest, size, sender ? (uint32_t)scene_number(sender) : 0);
}

/* "TYPE [len=N] [seq=N] [value=N] [name=TEXT], ...": messages of RDMA netlink, with
 * names of channel adapters. Returns their size.
 */
static size_t write_messages(uint8_t *data, char *text)
{
	static const struct scene_name types[] = {
		{ "noop", NLMSG_NOOP },
		{ "done", NLMSG_DONE },
		{ "error", NLMSG_ERROR },
		{ "get", RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET) },
		{ "monitor", RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, MONITOR_COMMAND) },
		{ .name = NULL }
	};
	static const struct nlattr type_of_node = { NLA_HDRLEN + 1, RDMA_NLDEV_ATTR_DEV_NODE_TYPE };
	uint8_t *at = data;
	char *rest, *word;

	for (char *one = strtok_r(text, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
		struct nlmsghdr header = { .nlmsg_seq = UINT32_MAX };
		uint8_t *body = at + sizeof(header);

		header.nlmsg_type = (uint16_t)scene_find(types, scene_word(&one));
		while ((word = scene_word(&one))) {
			const char *value = scene_split(word, '=');
			struct nlattr attribute = { .nla_type = RDMA_NLDEV_ATTR_DEV_NAME };

			if (!strcmp(word, "name")) {
				attribute.nla_len = (uint16_t)(NLA_HDRLEN + strlen(value) + 1);
				memcpy(body, &attribute, sizeof(attribute));
				strcpy((char *)body + NLA_HDRLEN, value);
				body += NLA_ALIGN(attribute.nla_len);
				memcpy(body, &type_of_node, NLA_HDRLEN);
				body[NLA_HDRLEN] = 1;
				body += NLA_ALIGN(NLA_HDRLEN + 1);
			} else if (!strcmp(word, "value")) {
				*(int32_t *)body = (int32_t)scene_number(value);
				body += sizeof(int32_t);
			} else {
				*(*word == 'l' ? &header.nlmsg_len : &header.nlmsg_seq) =
					(uint32_t)scene_number(value);
			}
		}
		header.nlmsg_len = header.nlmsg_len ? header.nlmsg_len : (uint32_t)(body - at);
		memcpy(at, &header, sizeof(header));
		at = body;
	}
	return (size_t)(at - data);
}

/* "TIMES MESSAGE, ...": the reply to the next request, in so many datagrams. */
static void play_replies(char *rest)
{
	uint8_t data[1000] = { 0 };
	int times = (int)scene_number(scene_word(&rest));

	fakenl_response(data, write_messages(data, rest), times);
}

static void play_sends(char *rest)
{
	uint8_t data[1000] = { 0 };

	fakenl_send(NETLINK_RDMA, data, write_messages(data, rest), 0);
}

/* The content of /proc/net/netlink, with "/" for the end of a line. */
static void play_proc(char *rest)
{
	for (char *at = rest; (at = strchr(at, '/'));)
		*at = '\n';
	kernel_file("/proc/net/netlink", rest);
}

/* A notification of RDMA netlink, of a type. */
static void play_notifies(char *rest)
{
	struct {
		struct nlmsghdr header;
		struct nlattr attribute;
		uint8_t type, padding[3];
	} message = {
		.header = { .nlmsg_len = sizeof(message),
			    .nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, MONITOR_COMMAND) },
		.attribute = { .nla_len = NLA_HDRLEN + 1, .nla_type = EVENT_TYPE },
		.type = (uint8_t)scene_number(rest),
	};

	fakenl_send(NETLINK_RDMA, &message, sizeof(message), 0);
}

/* "uevent ENOBUFS": what reading that socket gives next. */
static void play_breaks(char *rest)
{
	int protocol = protocol_of(scene_word(&rest));

	fakenl_send_error(protocol, (int)scene_number(rest));
}

static void play_refuses(char *rest)
{
	const char *what = scene_word(&rest);
	int protocol = protocol_of(scene_word(&rest)), error = (int)scene_number(rest);

	if (!strcmp(what, "send"))
		fakenl.send_error = error;
	else
		(!strcmp(what, "open") ? fakenl.connect_error : fakenl.join_error)[protocol] =
			error;
}

/* How many lists of devices change while they are read. */
static void play_interrupts(char *rest)
{
	fakenl.interrupted_dumps = (int)scene_number(rest);
}

static void play_rdma(char *rest)
{
	(void)rest;
	fakenl_know_rdma();
}

static void play_no_library(char *rest)
{
	(void)rest;
	fakenl.library_lost = true;
}

static void play_no_class(char *rest)
{
	int error = (int)scene_number(rest);

	if (error)
		fakesys_fail_path(KERNEL_OPENDIR, "/sys/class/infiniband", error);
	else
		fakesys_forget();
}

static void play_forget(char *rest)
{
	(void)rest;
	fakesys_forget();
}

const struct scene_verb host_verbs[] = {
	{ "host", play_host },
	{ "port", play_port },
	{ "file", play_file },
	{ "class", play_class },
	{ "kernel", play_kernel },
	{ "rdma", play_rdma },
	{ "no-library", play_no_library },
	{ "no-class", play_no_class },
	{ "forget", play_forget },
	{ "refuses", play_refuses },
	{ "interrupts", play_interrupts },
	{ "says", play_says },
	{ "link", play_link },
	{ "notifies", play_notifies },
	{ "raw", play_raw },
	{ "replies", play_replies },
	{ "sends", play_sends },
	{ "proc", play_proc },
	{ "breaks", play_breaks },
	{ .name = NULL },
};
