/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakesys-tree.c - the files and directories of fakesys, and the attributes that a device or port
 * has unless a test says otherwise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fakesys-internal.h"
#include "../assert-between.h"

enum { MAX_FILES = 4096 };

static struct fakesys_file files[MAX_FILES];
static int file_count;

struct fakesys_file *fakesys_file_number(int number)
{
	return number < file_count ? &files[number] : NULL;
}

int fakesys_find_file(const char *path)
{
	int i;

	for (i = 0; i < file_count; i++)
		if (!strcmp(files[i].path, path))
			return i;
	return -1;
}

static struct fakesys_file *make_file(const char *path)
{
	int i = fakesys_find_file(path);

	if (i < 0) {
		assert_between(file_count, 0, MAX_FILES - 1);
		i = file_count++;
		snprintf(files[i].path, FAKESYS_PATH_SIZE, "%s", path);
	}
	__real_free(files[i].content);
	files[i].content = NULL;
	files[i].size = 0;
	return &files[i];
}

void fakesys_bytes(const char *path, const void *content, size_t size)
{
	struct fakesys_file *file = make_file(path);

	file->content = __real_malloc(size + 1);
	memcpy(file->content, content, size);
	file->size = size;
}

void fakesys_file(const char *path, const char *content)
{
	fakesys_bytes(path, content, strlen(content));
}

void fakesys_directory(const char *path)
{
	make_file(path);
}

bool fakesys_is_at_or_below(const char *path, const char *top)
{
	size_t length = strlen(top);

	return !strncmp(path, top, length) && (!path[length] || path[length] == '/');
}

void fakesys_remove(const char *path)
{
	int i, kept = 0;

	for (i = 0; i < file_count; i++) {
		if (fakesys_is_at_or_below(files[i].path, path)) {
			__real_free(files[i].content);
			continue;
		}
		if (kept != i)
			files[kept] = files[i];
		kept++;
	}
	memset(&files[kept], 0, (size_t)(file_count - kept) * sizeof(files[0]));
	file_count = kept;
}

void fakesys_ca_file(const char *ca_name, const char *attribute, const char *content)
{
	char path[FAKESYS_PATH_SIZE];

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/%s", ca_name, attribute);
	fakesys_file(path, content);
}

void fakesys_port_file(const char *ca_name, int port, const char *attribute, const char *content)
{
	char path[64];

	snprintf(path, sizeof(path), "ports/%d/%s", port, attribute);
	fakesys_ca_file(ca_name, path, content);
}

static void add_port(const char *ca_name, int port, unsigned int guid)
{
	static const char *const attributes[][2] = {
		{ "state", "4: ACTIVE\n" },
		{ "phys_state", "5: LinkUp\n" },
		{ "lid", "0x12\n" },
		{ "lid_mask_count", "2\n" },
		{ "sm_lid", "0x1\n" },
		{ "sm_sl", "3\n" },
		{ "cap_mask", "0x2651e848\n" },
		{ "rate", "100 Gb/sec (4X EDR)\n" },
		{ "link_layer", "InfiniBand\n" },
		{ "pkeys/0", "0xffff\n" },
		{ "pkeys/1", "0x8001\n" },
	};
	char gid[64];
	size_t i;

	for (i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
		fakesys_port_file(ca_name, port, attributes[i][0], attributes[i][1]);
	snprintf(gid, sizeof(gid), "fe80:0000:0000:0000:0002:c903:0000:%04x\n", guid);
	fakesys_port_file(ca_name, port, "gids/0", gid);
}

void fakesys_ca(const char *ca_name, int first, int last, unsigned int guid)
{
	int port;

	fakesys_ca_file(ca_name, "node_type", "1: CA\n");
	fakesys_ca_file(ca_name, "fw_ver", "16.35.2000\n");
	fakesys_ca_file(ca_name, "hw_rev", "1\n");
	fakesys_ca_file(ca_name, "hca_type", "MT4119\n");
	fakesys_ca_file(ca_name, "node_guid", "0002:c903:0000:00a0\n");
	fakesys_ca_file(ca_name, "sys_image_guid", "0002:c903:0000:00a3\n");
	for (port = first; port <= last; port++)
		add_port(ca_name, port, guid + (unsigned int)port);
}

void fakesys_node(unsigned int number, const char *ca_name, int port)
{
	char path[FAKESYS_PATH_SIZE], content[64];

	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%u/ibdev", number);
	snprintf(content, sizeof(content), "%s\n", ca_name);
	fakesys_file(path, content);
	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/umad%u/port", number);
	snprintf(content, sizeof(content), "%d\n", port);
	fakesys_file(path, content);
	snprintf(path, sizeof(path), "/dev/infiniband/umad%u", number);
	fakesys_file(path, "");
}

void fakesys_abi_version(const char *content)
{
	fakesys_file("/sys/class/infiniband_mad/abi_version", content);
}
