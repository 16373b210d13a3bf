/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What names of devices and of umad devices look like. Names from callers, the kernel's messages
 * and directories pass these checks before a path is made of them, so that none leads out of the
 * class directory. Touches nothing.
 */
#include <errno.h>
#include <string.h>

#include "libibumad/internal.h"

enum { NODE_MAX = (1 << 20) - 1 }; /* the kernel's minor numbers have 20 bits */

bool umad_device_name_valid(const char *name)
{
	size_t length = strnlen(name, UMAD_CA_NAME_LEN);

	return length > 0 && length < UMAD_CA_NAME_LEN && name[0] != '.' && !strchr(name, '/');
}

/* Parses the name of a node, "umad0". */
int umad_node_parse_name(const char *name, unsigned int *number)
{
	const size_t prefix_length = strlen(UMAD_NODE_PREFIX);

	if (strncmp(name, UMAD_NODE_PREFIX, prefix_length) != 0)
		return -EINVAL;
	return umad_sysfs_parse_name(name + prefix_length, NODE_MAX, number);
}
