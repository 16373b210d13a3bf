/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* hosts.c - plays hosts.tbl: hosts in sysfs, and what calls report about them. */
#include "../monitor/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

static unsigned node_count;

static int set_up(void **state)
{
	int failed = set_up_host(state);

	umad_state.abi_version = 0;
	node_count = 0;
	kernel_directory("/sys/class/infiniband");
	kernel_abi_version("5\n");
	return failed;
}

static const char *path_of(const char *name)
{
	static char path[KERNEL_PATH_SIZE];

	snprintf(path, sizeof(path), "%s%s", *name == '/' ? "" : "/sys/class/infiniband/", name);
	return path;
}

/*
 * The host
 */

static void add_node(const char *ca_name, int port)
{
	char path[KERNEL_PATH_SIZE];

	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/issm%u", node_count);
	kernel_directory(path);
	kernel_node(node_count++, ca_name, port);
}

static void play_device(char *rest)
{
	const char *name = scene_word(&rest);
	char *word;

	kernel_ca(name, 1, 0, 0);
	while ((word = scene_word(&rest))) {
		unsigned guid = (unsigned)strtoul(scene_split(word, '='), NULL, 16);
		int port = atoi(word);

		kernel_ca(name, port, port, guid - (unsigned)port);
		add_node(name, port);
	}
}

static void play_nodes(char *rest)
{
	char *word;

	kernel_remove_prefix("/sys/class/infiniband_mad/umad");
	kernel_remove_prefix("/sys/class/infiniband_mad/issm");
	kernel_remove("/dev/infiniband");
	node_count = 0;
	while ((word = scene_word(&rest))) {
		char *port = scene_split(word, '.');

		if (port)
			add_node(word, atoi(port));
		else
			node_count += (unsigned)scene_number(word);
	}
}

static void play_unreadable(char *rest)
{
	const char *path = path_of(scene_word(&rest));
	enum kernel_call call = *rest == 'o' ? KERNEL_OPEN : KERNEL_READ;

	scene_word(&rest);
	fakesys_fail_path(call, path, (int)scene_number(rest));
}

static void play_bytes(char *rest)
{
	const char *path = path_of(scene_word(&rest));
	char *word, bytes[40];
	size_t size = 0;

	while ((word = scene_word(&rest)))
		bytes[size++] = (char)strtoul(word, NULL, 16);
	kernel_bytes(path, bytes, size);
}

static void play_directory(char *rest)
{
	kernel_directory(path_of(rest));
}

static const struct scene_verb verbs[] = {
	{ "device", play_device },	   { "nodes", play_nodes },
	{ "unreadable", play_unreadable }, { "bytes", play_bytes },
	{ "directory", play_directory },   { .name = NULL },
};

static void play_here(char *statement)
{
	static const struct scene_verb *const all[] = { verbs, host_verbs, call_verbs, NULL };

	scene_play_verb(all, statement);
}

#define HOSTS_TEST(name) TEST_WITH(name, set_up, tear_down_host)

/* More than a list of names can have; only the last is up. */
HOSTS_TEST(too_many_devices)
{
	enum { DEVICES = 140 };
	static struct umad_ca_pair pairs[UMAD_MAX_PORTS];
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN], name[UMAD_CA_NAME_LEN];

	for (unsigned i = 0; i < DEVICES; i++) {
		snprintf(name, sizeof(name), "mlx5_%03u", i);
		kernel_ca(name, 1, 1, i);
		add_node(name, 1);
		if (i < DEVICES - 1) {
			kernel_port_file(name, 1, "state", "1: DOWN\n");
			kernel_port_file(name, 1, "phys_state", "2: Polling\n");
		}
	}
	assert_int_equal(umad_get_cas_names(names, UMAD_MAX_DEVICES), UMAD_MAX_DEVICES);
	assert_string_equal(names[UMAD_MAX_DEVICES - 1], "mlx5_127");
	assert_int_equal(umad_get_smi_gsi_pairs(pairs, UMAD_MAX_PORTS), DEVICES);
	scene_play_copy(play_here, "asks - mlx5_139:1=139 mlx5_139:1=139 - -");
	scene_play_copy(play_here, "partners - mlx5_139:1 mlx5_139:1 -");
}

/* And the library does not wait for a FIFO. */
HOSTS_TEST(anything_but_a_regular_file_is_missing)
{
	static const char *const links[] = { "nowhere", "/dev/zero", "/dev/null", "/dev/tty" };
	char folder[] = "/tmp/discovery-XXXXXX", path[40], value[8];
	DIR *dir;

	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < COUNT(links) + 2; i++) {
		snprintf(path, sizeof(path), "%s/file", folder);
		if (i < COUNT(links))
			assert_int_equal(symlink(links[i], path), 0);
		else
			assert_int_equal(mknod(path, (i % 2 ? S_IFSOCK : S_IFIFO) | 0600, 0), 0);
		assert_true(umad_sysfs_is_missing(
			umad_sysfs_read_string(folder, "file", value, sizeof(value))));
		assert_true(umad_sys_open_regular(path) < 0);
		assert_true(umad_sysfs_is_missing(umad_sys_opendir(path, &dir)));
		assert_int_equal(unlink(path), 0);
	}
	assert_int_equal(rmdir(folder), 0);
}

SCENES(HOSTS_TABLE, play_here, set_up, tear_down_host)
