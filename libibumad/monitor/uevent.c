/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Parses the kernel's uevents. Input: a datagram "ACTION@PATH", then any number of "KEY=VALUE",
 * each ended by a NUL. A datagram that deviates from this format anywhere is ignored as a whole, as
 * is one about anything but an InfiniBand device or a umad device. Has no side effects.
 */
#include <string.h>

#include "libibumad/monitor/monitor.h"

/* The value of the first pair with a key, which is the kernel's; NULL if there is none. */
static const char *find_value(const char *data, size_t size, const char *key)
{
	const char *pair = data + strlen(data) + 1;

	for (; pair < data + size; pair += strlen(pair) + 1)
		if (!strncmp(pair, key, strlen(key)))
			return pair + strlen(key);
	return NULL;
}

static bool parse_action(const char *text, enum umad_uevent_action *action)
{
	static const char *const names[] = {
		[UMAD_UEVENT_ADD] = "add",
		[UMAD_UEVENT_REMOVE] = "remove",
		[UMAD_UEVENT_MOVE] = "move",
		[UMAD_UEVENT_CHANGE] = "change",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text && !strcmp(text, names[i]))
			break;
	*action = (enum umad_uevent_action)i;
	return i < sizeof(names) / sizeof(names[0]);
}

/* The last component of a path, or "" if it cannot be a device name in this interface. */
static void copy_name(char name[UMAD_CA_NAME_LEN], const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	memset(name, 0, UMAD_CA_NAME_LEN);
	if (slash && umad_device_name_valid(slash + 1))
		memcpy(name, slash + 1, strlen(slash + 1));
}

/* Returns false for an event that is to be ignored. */
bool umad_uevent_parse(const char *data, size_t size, struct umad_uevent *uevent)
{
	const char *path, *subsystem;

	if (!size || data[size - 1] || !strchr(data, '@') ||
	    !parse_action(find_value(data, size, "ACTION="), &uevent->action))
		return false;
	path = find_value(data, size, "DEVPATH=");
	subsystem = find_value(data, size, "SUBSYSTEM=");
	if (!path || !subsystem)
		return false;
	uevent->is_node = !strcmp(subsystem, "infiniband_mad");
	if (!uevent->is_node && strcmp(subsystem, "infiniband") != 0)
		return false;
	copy_name(uevent->name, path);
	copy_name(uevent->old_name, find_value(data, size, "DEVPATH_OLD="));
	return uevent->name[0] || uevent->old_name[0];
}
