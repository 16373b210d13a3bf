/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* calls.c - calls of events.tbl that look for devices, and what the fakes have seen. */
#include "events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/rtnetlink.h>
#include <rdma/rdma_netlink.h>

#include "libibumad/internal.h"

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
	const char *word = scene_word(&rest), *name = *word == '-' ? NULL : word;
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
	const char *name = scene_word(&rest);
	int number = (int)scene_number(scene_word(&rest));
	umad_port_t port;

	name = *name == '-' ? NULL : name;
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

/* "pair NAME NUMBER SMI/PORT GSI/PORT" or an error; the last argument of the call is "strict". */
static void play_pair(char *rest)
{
	const char *name = scene_word(&rest);
	uint8_t number = (uint8_t)scene_number(scene_word(&rest));
	unsigned enforce = (unsigned)scene_number(scene_word(&rest));
	struct umad_ca_pair pair;
	char text[100];
	int result = umad_get_smi_gsi_pair_by_ca_name(*name == '-' ? NULL : name, number, &pair,
						      enforce);

	if (!strchr(rest, '/')) {
		assert_result(result, rest);
		return;
	}
	assert_result(result, NULL);
	snprintf(text, sizeof(text), "%s/%u %s/%u", pair.smi_name, pair.smi_preferred_port,
		 pair.gsi_name, pair.gsi_preferred_port);
	assert_string_equal(text, rest);
}

/* "opens NAME NUMBER umad4" or an error. */
static void play_opens(char *rest)
{
	const char *name = scene_word(&rest);
	int number = (int)scene_number(scene_word(&rest)), fd;
	char path[40];

	if (*rest == 'E') {
		assert_result(umad_open_port(*name == '-' ? NULL : name, number), rest);
		return;
	}
	snprintf(path, sizeof(path), "/dev/infiniband/%s", rest);
	kernel_file(path, "");
	fakesys_forget();
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = 0x1b03 });
	fd = umad_open_port(name, number);
	assert_true(fd >= 0);
	assert_int_equal(fakesys_opened(path), 1);
	assert_int_equal(umad_close_port(fd), 0);
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
	{ "names", play_names },     { "list", play_list }, { "ca", play_ca },
	{ "getport", play_getport }, { "pair", play_pair }, { "opens", play_opens },
	{ "count", play_count },     { .name = NULL },
};
