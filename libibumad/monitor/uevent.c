/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Parses the kernel's uevents. Input: a datagram "ACTION@PATH", then any number of "KEY=VALUE",
 * each ended by a NUL. A datagram that deviates from this format anywhere is ignored as a whole, as
 * is one about anything but an InfiniBand device or a umad device. Has no side effects.
 */
#include <string.h>

#include "libibumad/monitor/monitor.h"

/* The values needed, as pointers into the datagram; NULL where they are missing. */
struct values {
	const char *action;
	const char *path;
	const char *old_path;
	const char *subsystem;
};

/* Records the value of a pair whose key is needed. The kernel's own pairs come first, so the first
 * one counts. */
static void note_value(const char *pair, struct values *values)
{
	const struct {
		const char *key;
		const char **value;
	} keys[] = {
		{ "ACTION=", &values->action },
		{ "DEVPATH=", &values->path },
		{ "DEVPATH_OLD=", &values->old_path },
		{ "SUBSYSTEM=", &values->subsystem },
	};
	size_t i, length;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		length = strlen(keys[i].key);
		if (!strncmp(pair, keys[i].key, length) && !*keys[i].value)
			*keys[i].value = pair + length;
	}
}

static bool split(const char *data, size_t size, struct values *values)
{
	const char *pair, *end = data + size;

	if (!size || end[-1] != '\0' || !strchr(data, '@'))
		return false;
	for (pair = data + strlen(data) + 1; pair < end; pair += strlen(pair) + 1)
		note_value(pair, values);
	return values->action && values->path && values->subsystem;
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

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) != 0)
			continue;
		*action = (enum umad_uevent_action)i;
		return true;
	}
	return false;
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
	struct values values = { 0 };

	if (!split(data, size, &values) || !parse_action(values.action, &uevent->action))
		return false;
	uevent->is_node = !strcmp(values.subsystem, "infiniband_mad");
	if (!uevent->is_node && strcmp(values.subsystem, "infiniband") != 0)
		return false;
	copy_name(uevent->name, values.path);
	copy_name(uevent->old_name, values.old_path);
	return uevent->name[0] || uevent->old_name[0];
}
