/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* calls.c - calls of events.tbl that look for devices, and what the fakes have seen. */
#include "events.h"

#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/rtnetlink.h>
#include <rdma/rdma_netlink.h>

#include "libibumad/internal.h"

enum { PORTS_ASKED = 4, PARTNERS_ASKED = 3, ENABLE_PKEY = 0x1b03 };
#define OWN_GUIDS UINT64_C(0x0002c90300000000)

static char buffer[4000];
static FILE *text; /* into the buffer */

static const char *named(const char *name)
{
	return *name == '-' ? NULL : name;
}

static void assert_result(int result, const char *error)
{
	assert_int_equal(result, error ? -(int)scene_number(error) : 0);
}

/* umad_get_cas_names(), and in the kernel's order umad_get_ca_device_list(). */
static void play_names(char *rest)
{
	char names[8][UMAD_CA_NAME_LEN], *word;
	int count = umad_get_cas_names(names, 8), at = 0;

	if (*rest == 'E') {
		assert_result(count, rest);
		return;
	}
	while ((word = scene_word(&rest))) {
		assert_true(at < count);
		assert_string_equal(names[at++], word);
	}
	assert_int_equal(at, count);
}

static void play_list(char *rest)
{
	struct umad_device_node *list, *at;
	char *word;

	errno = EBADF;
	list = at = umad_get_ca_device_list();
	assert_int_equal(errno, *rest == 'E' ? scene_number(rest) : 0);
	for (; *rest != 'E' && (word = scene_word(&rest)); at = at->next)
		assert_string_equal(at->ca_name, word);
	assert_null(at);
	umad_free_ca_device_list(list);
}

/* "ca NAME ENODEV", or the members of umad_ca_t and which ports it has. */
static void play_ca(char *rest)
{
	static const struct scene_member members[] = {
		SCENE_NUMBER(umad_ca_t, "type", node_type),
		SCENE_NUMBER(umad_ca_t, "ports", numports),
		SCENE_TEXT(umad_ca_t, "name", ca_name),
		SCENE_TEXT(umad_ca_t, "fw", fw_ver),
		SCENE_TEXT(umad_ca_t, "hw", hw_ver),
		SCENE_TEXT(umad_ca_t, "kind", ca_type),
		SCENE_BIG(umad_ca_t, "guid", node_guid),
		SCENE_BIG(umad_ca_t, "system", system_guid),
		{ .name = NULL },
	};
	const char *name = named(scene_word(&rest));
	char *has = strstr(rest, "has="), found[40] = "";
	umad_ca_t ca;

	memset(&ca, 0xff, sizeof(ca));
	if (*rest && !strchr(rest, '=')) {
		assert_result(umad_get_ca(name, &ca), rest);
		return;
	}
	assert_result(umad_get_ca(name, &ca), NULL);
	for (int i = 0; i < UMAD_CA_MAX_PORTS; i++) {
		assert_true(!ca.ports[i] || ca.ports[i]->portnum == i);
		if (ca.ports[i])
			snprintf(found + strlen(found), sizeof(found) - strlen(found), ",%d", i);
	}
	if (has) {
		assert_string_equal(found + 1, has + strlen("has="));
		*has = '\0';
	}
	scene_assert_members(members, &ca, rest);
	umad_release_ca(&ca);
}

/* "getport NAME 2 EINVAL", or members of umad_port_t; NAME "-" is NULL. */
static void play_getport(char *rest)
{
	static const struct scene_member members[] = {
		SCENE_TEXT(umad_port_t, "name", ca_name),
		SCENE_NUMBER(umad_port_t, "port", portnum),
		SCENE_NUMBER(umad_port_t, "state", state),
		SCENE_NUMBER(umad_port_t, "phys", phys_state),
		SCENE_NUMBER(umad_port_t, "lid", base_lid),
		SCENE_NUMBER(umad_port_t, "lmc", lmc),
		SCENE_NUMBER(umad_port_t, "smlid", sm_lid),
		SCENE_NUMBER(umad_port_t, "smsl", sm_sl),
		SCENE_NUMBER(umad_port_t, "rate", rate),
		SCENE_BIG(umad_port_t, "capmask", capmask),
		SCENE_BIG(umad_port_t, "prefix", gid_prefix),
		SCENE_BIG(umad_port_t, "guid", port_guid),
		SCENE_TEXT(umad_port_t, "layer", link_layer),
		SCENE_NUMBER(umad_port_t, "pkeys", pkeys_size),
		{ .name = NULL },
	};
	const char *name = named(scene_word(&rest));
	int number = (int)scene_number(scene_word(&rest));
	umad_port_t port;

	if (*rest && !strchr(rest, '=')) {
		assert_result(umad_get_port(name, number, &port), rest);
		return;
	}
	assert_result(umad_get_port(name, number, &port), NULL);
	assert_int_equal(umad_port_is_infiniband(&port), port.link_layer[0] == 'I');
	assert_int_equal(umad_port_is_ethernet(&port), port.link_layer[0] == 'E');
	scene_assert_members(members, &port, rest);
	assert_int_equal(umad_release_port(&port), 0);
}

/* "opens NAME NUMBER umad4" or an error. */
static void play_opens(char *rest)
{
	const char *name = named(scene_word(&rest));
	int number = (int)scene_number(scene_word(&rest)), fd;
	char path[40];

	if (*rest == 'E') {
		assert_result(umad_open_port(name, number), rest);
		return;
	}
	snprintf(path, sizeof(path), "/dev/infiniband/%s", rest);
	kernel_file(path, "");
	fakesys_forget();
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = ENABLE_PKEY });
	fd = umad_open_port(name, number);
	assert_true(fd >= 0);
	assert_int_equal(fakesys_opened(path), 1);
	assert_int_equal(umad_close_port(fd), 0);
}

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

/* Counts of what the fakes have seen. */
static void play_count(char *rest)
{
	const struct scene_name counts[] = {
		{ "opens", (unsigned)fakesys_count(KERNEL_OPEN) },
		{ "reads", (unsigned)fakesys_count(KERNEL_READ) },
		{ "directories", (unsigned)fakesys_count(KERNEL_OPENDIR) },
		{ "sockets", (unsigned)netlink_open_sockets() },
		{ "opened-sockets", (unsigned)fakenl.sockets },
		{ "loads", (unsigned)fakenl.loads },
		{ "waiting-uevents", (unsigned)fakenl_waiting(NETLINK_KOBJECT_UEVENT) },
		{ "waiting-links", (unsigned)fakenl_waiting(NETLINK_ROUTE) },
		{ "link-requests", (unsigned)fakenl_requests(RTM_GETLINK) },
		{ "list-requests",
		  (unsigned)fakenl_requests(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET)) },
		{ "port-requests", (unsigned)fakenl_requests(RDMA_NL_GET_TYPE(
					   RDMA_NL_NLDEV, RDMA_NLDEV_CMD_PORT_GET)) },
		{ "proc-files", (unsigned)fakesys_opened("/proc") },
		{ .name = NULL },
	};
	const char *name = scene_word(&rest);

	assert_int_equal(scene_find(counts, name), scene_number(rest));
}

const struct scene_verb call_verbs[] = {
	{ "names", play_names },     { "list", play_list },	    { "ca", play_ca },
	{ "getport", play_getport }, { "asks", play_asks },	    { "guids", play_guids },
	{ "pairs", play_pairs },     { "partners", play_partners }, { "pkeys", play_pkeys },
	{ "opens", play_opens },     { "count", play_count },	    { .name = NULL },
};
