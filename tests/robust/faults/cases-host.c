/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-host.c - discovery, with sysfs and without. What the kernel does not let us read is left
 * out: an attribute is 0 then, a port or device does not exist (docs/differences.md). But a process
 * without descriptors or memory reports that, and nothing counts as missing. Text output:
 * "key=value " for each attribute.
 */
#include "host.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Without sysfs, an error of netlink means that nothing can be known, unless memory is exhausted,
 * which libnl-3 and the kernel report in different ways. */
/* clang-format off */
#define RULES(...)                                                                              \
	{ FAULT_SYSFS | FAULT_BIT(POLL), FAULT_NOT_EXHAUSTED, FAULT_LESS, { __VA_ARGS__ } },    \
	{ FAULT_NETLINK, ENOMEM, FAULT_REPORTS, { ENOMEM } },                                   \
	{ FAULT_NETLINK | FAULT_BIT(DLOPEN) | FAULT_BIT(DLSYM), FAULT_ANY, FAULT_LESS,          \
	  { __VA_ARGS__ } }
/* clang-format on */
static const struct fault_rule rules[] = { RULES(ENODEV) };
static const struct fault_rule port_rules[] = { RULES(ENODEV, EINVAL) };
static const struct fault_rule open_rules[] = {
	{ FAULT_BIT(IOCTL), EINVAL, FAULT_LESS, { 0 } }, /* an old kernel */
	{ FAULT_BIT(IOCTL), ENOTTY, FAULT_LESS, { 0 } },
	RULES(ENODEV, EINVAL, EOPNOTSUPP),
};

/* Whether a text has less, or is about other devices, which seem better where one cannot be read.
 */
static bool other_device(const char *text, const char *whole)
{
	static const char *const keys[] = { "ca=", "smi=", "gsi=", "path=" };
	static const char *const devices[] = { " ", "mlx5_", "rxe0", "/dev/infiniband/issm" };

	for (int k = 0; !fault_has_less(text, whole) && k < 4; k++)
		for (const char *at = text; (at = strstr(at, keys[k])); at++) {
			const char *value = at + strlen(keys[k]);
			int d = 0;

			while (d < 4 && strncmp(value, devices[d], strlen(devices[d])) != 0)
				d++;
			if (d == 4)
				return false;
		}
	return true;
}

static void call_cas_names(struct fault_run *run)
{
	char names[8][UMAD_CA_NAME_LEN];
	int count;

	fault_begin(run);
	count = fault_negative(run, umad_get_cas_names(names, 8));
	for (int i = 0; i < count; i++)
		fault_print(run, "%s ", names[i]);
}

/* Prints a list and frees it. Returns its length. */
static int print_list(struct fault_run *run, struct umad_device_node *list)
{
	int count = 0;

	for (struct umad_device_node *node = list; node; node = node->next, count++)
		fault_print(run, "%s ", node->ca_name);
	umad_free_ca_device_list(list);
	return count;
}

/* Prints a port and releases it. */
static void print_port(struct fault_run *run, umad_port_t *port)
{
	FAULT_EXPECT(run, !port->pkeys_size == !port->pkeys);
	FAULT_EXPECT(run, port->pkeys_size <= 128);
	fault_print(run, "ca=%s port=%d lid=%x lmc=%x smlid=%x smsl=%x state=%x phys=%x rate=%x ",
		    port->ca_name, port->portnum, port->base_lid, port->lmc, port->sm_lid,
		    port->sm_sl, port->state, port->phys_state, port->rate);
	fault_print(run, "cap=%x prefix=%" PRIx64 " guid=%" PRIx64 " ll=%s ", port->capmask,
		    (uint64_t)port->gid_prefix, (uint64_t)port->port_guid,
		    strcmp(port->link_layer, "IB") ? port->link_layer : "");
	for (unsigned i = 0; i < port->pkeys_size && i < 128; i++)
		fault_print(run, "pkey=%x ", port->pkeys[i]);
	umad_release_port(port);
}

static void get_port(struct fault_run *run, const char *ca_name, int portnum)
{
	umad_port_t port;

	memset(&port, FAULT_FILL, sizeof(port));
	fault_begin(run);
	fault_negative(run, umad_get_port(ca_name, portnum, &port));
	if (!run->failed)
		print_port(run, &port);
	else /* the port was not changed, or is empty: the caller has nothing to free */
		FAULT_EXPECT(run, !port.pkeys || port.pkeys_size == 0xa5a5a5a5);
}

static void get_ca(struct fault_run *run, const char *ca_name)
{
	int highest = 0;
	umad_ca_t ca;

	memset(&ca, FAULT_FILL, sizeof(ca));
	fault_begin(run);
	fault_negative(run, umad_get_ca(ca_name, &ca));
	for (int i = 0; run->failed && i < UMAD_CA_MAX_PORTS; i++)
		FAULT_EXPECT(run, !ca.ports[i] || (uint8_t)ca.node_type == FAULT_FILL);
	if (run->failed)
		return;
	fault_print(run, "ca=%s type=%x guid=%" PRIx64 " system=%" PRIx64 " fw=%s hw=%s model=%s ",
		    ca.ca_name, ca.node_type, (uint64_t)ca.node_guid, (uint64_t)ca.system_guid,
		    ca.fw_ver, ca.hw_ver, ca.ca_type);
	for (int i = 0; i < UMAD_CA_MAX_PORTS; i++)
		if (ca.ports[i]) {
			highest = i;
			print_port(run, ca.ports[i]);
		}
	FAULT_EXPECT(run, ca.numports == highest);
	umad_release_ca(&ca);
}

FAULT_DO(call_cas_names(run), umad_get_cas_names, NULL, host_sysfs, 0, FAULT_RULES(rules),
	 .also = &host_netlink)
FAULT_DO(call_cas_names(run), umad_get_cas_names, NULL, host_unloaded, FAULT_FRESH,
	 FAULT_RULES(rules))

/* NULL is a failure only with an errno. */
FAULT(umad_get_ca_device_list, NULL, host_sysfs, 0, FAULT_RULES(rules), .also = &host_netlink)
{
	struct umad_device_node *list;

	fault_begin(run);
	list = umad_get_ca_device_list();
	fault_end(run);
	if (list || !run->saved_errno)
		fault_cannot_fail(run);
	else
		fault_pointer(run, list);
	print_list(run, list);
}

/* A list that could not be sorted is as it was, and whole. */
FAULT(umad_sort_ca_device_list, NULL, host_netlink, 0)
{
	struct umad_device_node *list = umad_get_ca_device_list(), *first = list;

	fault_begin(run);
	fault_positive(run, umad_sort_ca_device_list(&list, 0));
	FAULT_EXPECT(run, !run->failed || list == first);
	FAULT_EXPECT(run, print_list(run, list) == 2);
}

FAULT_DO(get_port(run, "mlx5_0", 2), umad_get_port, NULL, host_sysfs, 0, FAULT_RULES(port_rules),
	 .also = &host_netlink)
FAULT_DO(get_port(run, NULL, 0), umad_get_port, "of the default port", host_sysfs, 0,
	 FAULT_RULES(rules), .less = other_device, .also = &host_netlink)
FAULT_DO(get_ca(run, "mlx5_0"), umad_get_ca, NULL, host_sysfs, 0, FAULT_RULES(rules),
	 .also = &host_netlink)
FAULT_DO(get_ca(run, NULL), umad_get_ca, "of the default port", host_sysfs, 0, FAULT_RULES(rules),
	 .less = other_device)

FAULT(umad_get_ca_portguids, NULL, host_sysfs, 0, FAULT_RULES(rules))
{
	__be64 guids[4] = { 0 };

	fault_begin(run);
	fault_negative(run, umad_get_ca_portguids("mlx5_0", guids, 4));
	for (int i = 0; i < 4 && !run->failed; i++)
		fault_print(run, "guid%d=%" PRIx64 " ", i, (uint64_t)guids[i]);
}

/* Ports whose common device is not known look like devices of their own, or like none. */
static void print_pairs(struct fault_run *run, const struct umad_ca_pair *pairs, int count)
{
	for (int i = 0; i < count; i++)
		fault_print(run, "smi=%s gsi=%s ", pairs[i].smi_name, pairs[i].gsi_name);
}

FAULT(umad_get_smi_gsi_pairs, NULL, host_sysfs, 0, FAULT_RULES(rules), .less = other_device)
{
	struct umad_ca_pair pairs[4];

	fault_begin(run);
	print_pairs(run, pairs, fault_negative(run, umad_get_smi_gsi_pairs(pairs, 4)));
}

static void get_pair(struct fault_run *run, const char *ca_name, uint8_t portnum)
{
	struct umad_ca_pair pair = { .smi_name = "?" };

	fault_begin(run);
	fault_negative(run, umad_get_smi_gsi_pair_by_ca_name(ca_name, portnum, &pair, 1));
	print_pairs(run, &pair, !run->failed);
}

FAULT_DO(get_pair(run, "mlx5_0", 1), umad_get_smi_gsi_pair_by_ca_name, NULL, host_sysfs, 0,
	 FAULT_RULES(rules), .less = other_device)
FAULT_DO(get_pair(run, NULL, 0), umad_get_smi_gsi_pair_by_ca_name, "of any", host_sysfs, 0,
	 FAULT_RULES(rules), .less = other_device)

FAULT(umad_get_issm_path, NULL, host_sysfs, 0, FAULT_RULES(port_rules), .less = other_device,
      .also = &host_netlink)
{
	char path[64];

	memset(path, FAULT_FILL, sizeof(path));
	fault_begin(run);
	fault_negative(run, umad_get_issm_path(NULL, 0, path, sizeof(path)));
	if (!run->failed)
		fault_print(run, "path=%s ", path);
	FAULT_EXPECT(run, !run->failed || (uint8_t)path[0] == FAULT_FILL);
}

/* Opening reports a negative errno before the umad node is known, and -EIO then. An old kernel has
 * a short header. */
static void open_port(struct fault_run *run, int (*function)(const char *, int),
		      const char *ca_name, int portnum)
{
	int fd;

	host_expect_open();
	fault_begin(run);
	fd = fault_refused(run, function(ca_name, portnum), -EIO);
	if (!run->failed) {
		fault_print(run, "header=%s ", umad_size() == 56 ? "" : "64");
		FAULT_EXPECT(run, umad_close_port(fd) == 0);
	}
	host_forget_expected();
}

FAULT_DO(open_port(run, umad_open_port, "mlx5_0", 2), umad_open_port, NULL, host_sysfs, 0,
	 FAULT_RULES(open_rules))
FAULT_DO(open_port(run, umad_open_port, NULL, 0), umad_open_port, "the default one", host_sysfs, 0,
	 FAULT_RULES(open_rules), .also = &host_netlink)
FAULT_DO(open_port(run, umad_open_smi_port, NULL, 0), umad_open_smi_port, NULL, host_sysfs, 0,
	 FAULT_RULES(open_rules))
