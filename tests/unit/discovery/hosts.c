/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* hosts.c - plays hosts.tbl: hosts in sysfs, and what calls report about them. */
#include "../monitor/events.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

enum { PORTS_ASKED = 4, PARTNERS_ASKED = 3, ENABLE_PKEY = 0x1b03 };
#define OWN_GUIDS UINT64_C(0x0002c90300000000)

static char buffer[4000];
static FILE *text; /* into the buffer */
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

static const char *named(const char *name)
{
	return *name == '-' ? NULL : name;
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

/*
 * Calls
 */

static void begin(void)
{
	memset(buffer, 0, sizeof(buffer));
	text = fmemopen(buffer, sizeof(buffer) - 1, "w");
	assert_non_null(text);
}

static void assert_text(const char *wanted)
{
	fclose(text);
	assert_string_equal(buffer, wanted);
}

/* The number of the umad device that was opened, or the error. */
static int open_node(int (*open_port)(const char *, int), const char *name, int number)
{
	int fd;

	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = ENABLE_PKEY });
	fd = open_port(name, number);
	fakesys_device_reset();
	if (fd < 0)
		return fd;
	assert_int_equal(umad_close_port(fd), 0);
	return atoi(fakesys_last_device() + strlen("/dev/infiniband/umad"));
}

/* "GET=OPEN", "/SMI" if it is another, "/ISSM" if it is not that of the node; or "-". */
static void put_port(const char *name, int number)
{
	int node = open_node(umad_open_port, name, number);
	int smi = open_node(umad_open_smi_port, name, number);
	char issm[40] = "-", wanted[40] = "-";
	umad_port_t port;
	bool has_port = !umad_get_port(name, number, &port);

	umad_get_issm_path(name, number, issm, sizeof(issm));
	if (node >= 0)
		snprintf(wanted, sizeof(wanted), "/dev/infiniband/issm%d", node);
	if (has_port && (!name || strcmp(name, port.ca_name) != 0))
		fprintf(text, "%s:", port.ca_name);
	if (has_port)
		fprintf(text, "%d", port.portnum);
	else
		fputs("-", text);
	if (has_port || node != -EINVAL || smi != -EINVAL || *issm != '-')
		fprintf(text, "=%d", node);
	if (smi != node)
		fprintf(text, "/%d", smi);
	if (strcmp(issm, wanted) != 0)
		fprintf(text, "/%s", issm);
	if (has_port)
		umad_release_port(&port);
}

static void play_asks(char *rest)
{
	const char *name = named(scene_word(&rest));

	begin();
	for (int number = 0; number < PORTS_ASKED; number++) {
		fputs(number ? " " : "", text);
		put_port(name, number);
	}
	assert_text(rest);
}

static void play_guids(char *rest)
{
	const char *name = named(scene_word(&rest));
	__be64 guids[16];
	int count = umad_get_ca_portguids(name, guids, COUNT(guids));

	begin();
	for (int i = 0; i < count; i++)
		fprintf(text, "%s%llx", i ? " " : "",
			(unsigned long long)be64toh(guids[i]) -
				(be64toh(guids[i]) > OWN_GUIDS ? OWN_GUIDS : 0));
	if (count < 0)
		fprintf(text, "%d", count);
	assert_text(rest);
}

static void play_pairs(char *rest)
{
	static struct umad_ca_pair pairs[UMAD_MAX_PORTS];
	int count = umad_get_smi_gsi_pairs(pairs, UMAD_MAX_PORTS);

	begin();
	for (int i = 0; i < count; i++)
		fprintf(text, "%s%s%s%s", i ? " " : "", pairs[i].smi_name,
			strcmp(pairs[i].smi_name, pairs[i].gsi_name) ? ">" : "",
			strcmp(pairs[i].smi_name, pairs[i].gsi_name) ? pairs[i].gsi_name : "");
	assert_text(rest);
}

/* "SMI>GSI", "SMI" if they are the same, or "-". */
static void format_partners(char one[60], const char *name, uint8_t number, unsigned enforce)
{
	struct umad_ca_pair pair;
	char gsi[30];

	strcpy(one, "-");
	if (umad_get_smi_gsi_pair_by_ca_name(name, number, &pair, enforce) < 0)
		return;
	snprintf(one, 60, "%s:%u", pair.smi_name, pair.smi_preferred_port);
	snprintf(gsi, sizeof(gsi), "%s:%u", pair.gsi_name, pair.gsi_preferred_port);
	if (strcmp(one, gsi) != 0)
		strcat(strcat(one, ">"), gsi);
}

/* Behind "/" the result with an SMI, if that is another. */
static void play_partners(char *rest)
{
	const char *name = named(scene_word(&rest));
	char any[60], with_smi[60];

	begin();
	for (uint8_t number = 0; number < PARTNERS_ASKED; number++) {
		format_partners(any, name, number, 0);
		format_partners(with_smi, name, number, 1);
		fprintf(text, "%s%s", number ? " " : "", any);
		if (strcmp(any, with_smi) != 0)
			fprintf(text, "/%s", with_smi);
	}
	assert_text(rest);
}

static void play_pkeys(char *rest)
{
	const char *name = scene_word(&rest);
	int number = (int)scene_number(scene_word(&rest));
	umad_port_t port;

	assert_int_equal(umad_get_port(name, number, &port), 0);
	begin();
	fprintf(text, "%u", port.pkeys_size);
	for (unsigned i = 0; i < port.pkeys_size; i++)
		if (port.pkeys[i])
			fprintf(text, " %u=%x", i, port.pkeys[i]);
	umad_release_port(&port);
	assert_text(rest);
}

static const struct scene_verb verbs[] = {
	{ "device", play_device },
	{ "nodes", play_nodes },
	{ "unreadable", play_unreadable },
	{ "bytes", play_bytes },
	{ "directory", play_directory },
	{ "asks", play_asks },
	{ "guids", play_guids },
	{ "pairs", play_pairs },
	{ "partners", play_partners },
	{ "pkeys", play_pkeys },
	{ .name = NULL },
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
