/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Single messages of the kernel, in buffers of exactly their size: uevents, and what rtnetlink says
 * of network interfaces. Names that are taken from them can be names of devices.
 */
#include <linux/rtnetlink.h>

#include "fuzz.h"
#include "libibumad/monitor/monitor.h"

static void check_name(const char *name)
{
	FUZZ_CHECK(strnlen(name, UMAD_CA_NAME_LEN) < UMAD_CA_NAME_LEN);
	FUZZ_CHECK(name[0] != '.' && !strchr(name, '/'));
}

/* A uevent in order, whose values are the input's. */
static size_t build_uevent(struct fuzz_input *input, char *text, size_t size)
{
	static const char *const parts[] = {
		"ACTION=add",
		"ACTION=remove",
		"ACTION=move",
		"ACTION=change",
		"SUBSYSTEM=infiniband",
		"SUBSYSTEM=infiniband_mad",
		"DEVPATH=/d/mlx5",
		"DEVPATH_OLD=/d/mlx5_old",
		"DEVPATH=",
		"DEVPATH_OLD=",
		"SUBSYSTEM=",
		"ACTION=",
		"SEQNUM=7",
		"DEVPATH=/d/infiniband_mad/umad0",
	};
	enum { PARTS = sizeof(parts) / sizeof(parts[0]) };
	size_t used = 10;
	char value[64];
	uint8_t which;

	memcpy(text, "add@/d/mlx", 10);
	text[used++] = '\0';
	while (input->left && used + 128 < size) {
		which = fuzz_u8(input);
		strcpy(text + used, parts[which % PARTS]);
		used += strlen(text + used);
		if (which & 0x80) {
			fuzz_text(input, value, sizeof(value));
			strcpy(text + used, value);
			used += strlen(value);
		}
		used++;
	}
	return used;
}

static void parse_uevent(struct fuzz_input *input, bool raw)
{
	char text[1024], *data;
	size_t size;
	struct umad_uevent uevent;

	if (raw) {
		size = input->left < sizeof(text) ? input->left : sizeof(text);
		fuzz_bytes(input, text, size);
	} else {
		size = build_uevent(input, text, sizeof(text));
	}
	data = fuzz_guard(size);
	memcpy(data, text, size);
	memset(&uevent, 0x55, sizeof(uevent));
	if (!umad_uevent_parse(data, size, &uevent))
		return;
	check_name(uevent.name);
	check_name(uevent.old_name);
	FUZZ_CHECK(uevent.name[0] || uevent.old_name[0]);
	FUZZ_CHECK(uevent.action <= UMAD_UEVENT_CHANGE);
}

static void parse_link(struct fuzz_input *input)
{
	size_t size = sizeof(struct nlmsghdr) + input->left;
	struct nlmsghdr *message = fuzz_guard(size);
	struct umad_link link;

	memset(message, 0, size);
	message->nlmsg_type = fuzz_u8(input) & 1 ? RTM_NEWLINK : RTM_DELLINK;
	message->nlmsg_len = (uint32_t)size;
	fuzz_bytes(input, message + 1, size - sizeof(*message));
	if (umad_link_parse(message, &link))
		FUZZ_CHECK(link.index > 0 && link.index <= INT32_MAX);
}

void fuzz_target(struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);

	if ((which & 3) == 3)
		parse_link(input);
	else
		parse_uevent(input, which & 1);
}
