/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads and parses one sysfs attribute, and names of devices and umad devices; nothing else in the
 * library does. A value from the kernel (or a simulator) is accepted only if its format and range
 * are valid. Accesses only the file that it is given.
 */
#include <errno.h>
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "common/digits.h"
#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

enum { ATTRIBUTE_SIZE = 128 };	   /* longer than any attribute read here; the rest is not read */
enum { NODE_MAX = (1 << 20) - 1 }; /* the kernel's minor numbers have 20 bits */

bool umad_sysfs_is_missing(int error)
{
	return error == -ENOENT || error == -ENOTDIR;
}

/* Whether a text is one whole line, as attributes of sysfs are. */
static bool is_line(const char *text, ssize_t count)
{
	return count > 0 && count < ATTRIBUTE_SIZE - 1 && text[count - 1] == '\n' &&
	       !memchr(text, '\0', (size_t)count);
}

/* Reads the first line of dir/attribute into text, without its newline. Anything but a regular file
 * counts as missing; after one whole line there is no need to ask. */
static int read_line(const char *dir, const char *attribute, char text[ATTRIBUTE_SIZE])
{
	char path[UMAD_PATH_SIZE];
	ssize_t count;
	int fd, length = snprintf(path, sizeof(path), "%s/%s", dir, attribute);

	if (length < 0 || (size_t)length >= sizeof(path))
		return -ENAMETOOLONG;
	fd = umad_sys_open_read(path);
	if (fd < 0)
		return fd == -ENXIO ? -ENOENT : fd; /* a socket */
	count = umad_sys_read_file(fd, text, ATTRIBUTE_SIZE - 1);
	if (!is_line(text, count) && !umad_sys_is_regular(fd))
		count = -ENOENT;
	umad_sys_close(fd);
	if (count < 0)
		return (int)count;
	text[count] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

/* Reads a string. -EOVERFLOW: the buffer has only its beginning. */
int umad_sysfs_read_string(const char *dir, const char *attribute, char *buffer, size_t size)
{
	char text[ATTRIBUTE_SIZE];
	size_t length;
	int result = read_line(dir, attribute, text);

	if (result < 0)
		return result;
	length = strlen(text);
	if (length >= size) {
		length = size - 1;
		result = -EOVERFLOW;
	}
	memcpy(buffer, text, length);
	buffer[length] = '\0';
	return result;
}

/* Reads the number at the start of the attribute, decimal or, after 0x, hexadecimal. It must fit 32
 * bits; of `ends`, if it is given, one character must follow, or nothing. */
static int read_number(const char *dir, const char *attribute, const char *ends,
		       unsigned int *value)
{
	char text[ATTRIBUTE_SIZE];
	const char *end = text;
	unsigned int base = 10;
	uint64_t number;
	int result = read_line(dir, attribute, text);

	if (result < 0)
		return result;
	if (end[0] == '0' && (end[1] == 'x' || end[1] == 'X')) {
		end += 2;
		base = 16;
	}
	result = parse_digits(&end, base, UINT32_MAX, &number);
	if (result < 0)
		return result;
	if (ends && *end && !strchr(ends, *end))
		return -EINVAL;
	*value = (unsigned int)number;
	return 0;
}

/* Reads a number: 4 of "4: ACTIVE". */
int umad_sysfs_read_number(const char *dir, const char *attribute, unsigned int *value)
{
	return read_number(dir, attribute, " :.", value);
}

/* Reads a rate, its fraction left out: 100 of "100 Gb/sec (4X EDR)" and of "100Gb/sec". */
int umad_sysfs_read_rate(const char *dir, const char *attribute, unsigned int *value)
{
	return read_number(dir, attribute, NULL, value);
}

/* Parses count groups of one to four hexadecimal digits with colons between, and nothing else. */
static int parse_groups(const char *text, uint16_t *group, size_t count)
{
	const char *start;
	uint64_t number;
	int result;

	for (size_t i = 0; i < count; i++) {
		if (i && *text++ != ':')
			return -EINVAL;
		start = text;
		result = parse_digits(&text, 16, UINT16_MAX, &number);
		if (result < 0)
			return result;
		if (text - start > 4)
			return -EINVAL;
		group[i] = htobe16((uint16_t)number);
	}
	return *text ? -EINVAL : 0;
}

static int read_groups(const char *dir, const char *attribute, size_t count, void *value)
{
	char text[ATTRIBUTE_SIZE];
	uint16_t group[8];
	int error = read_line(dir, attribute, text);

	if (!error)
		error = parse_groups(text, group, count);
	if (!error)
		memcpy(value, group, count * sizeof(*group));
	return error;
}

/* Reads a GUID, 0002:c903:0000:0001. */
int umad_sysfs_read_guid(const char *dir, const char *attribute, __be64 *guid)
{
	return read_groups(dir, attribute, 4, guid);
}

/* Reads a GID, fe80:0000:0000:0000:0002:c903:0000:0001. */
int umad_sysfs_read_gid(const char *dir, const char *attribute, union umad_gid *gid)
{
	return read_groups(dir, attribute, 8, gid);
}

/* Parses the name of a numbered file or directory, spelled as the kernel writes numbers. */
int umad_sysfs_parse_name(const char *name, unsigned int max, unsigned int *number)
{
	const char *end = name;
	uint64_t value;
	int result = parse_digits(&end, 10, max, &value);

	if (result < 0)
		return result;
	if (*end || (name[0] == '0' && name[1]))
		return -EINVAL;
	*number = (unsigned int)value;
	return 0;
}

/* Whether a name, from a caller, a message or a directory, stays within the class directory. */
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
