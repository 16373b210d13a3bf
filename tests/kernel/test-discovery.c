/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Discovery of soft RoCE devices: what the library says is what /sys says.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "optional.h"
#include "sys.h"
#include "tap.h"

#define DEVICES 2

static const char *const devices[DEVICES] = { "rxe0", "rxe1" };

/* For texts of sysfs, which show their place in the line that fails. */
static bool check_text(const char *got, const char *device, const char *attribute)
{
	char want[SYS_TEXT_SIZE];

	sys_read(device, attribute, want);
	if (strcmp(got, want))
		tap_note("%s/%s: \"%s\", but /sys says \"%s\"", device, attribute, got, want);
	return check(!strcmp(got, want));
}

static bool check_number(unsigned got, const char *device, const char *attribute)
{
	unsigned want = sys_read_number(device, attribute);

	if (got != want)
		tap_note("%s/%s: %u, but /sys says %u", device, attribute, got, want);
	return check_equal(got, want);
}

TEST(lists_all_devices_by_name)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];

	check_equal(umad_get_cas_names(names, UMAD_MAX_DEVICES), DEVICES);
	for (int i = 0; i < DEVICES; i++)
		check(!strcmp(names[i], devices[i]));
	check_equal(umad_get_cas_names(names, 1), 1);
}

TEST(lists_all_devices_as_a_list)
{
	struct umad_device_node *list, *node;
	unsigned found = 0;

	errno = 0;
	list = umad_get_ca_device_list();
	check_equal(errno, 0);
	for (node = list; node; node = node->next)
		for (unsigned i = 0; i < DEVICES; i++)
			found |= !strcmp(node->ca_name, devices[i]) << i;
	check_equal(found, (1 << DEVICES) - 1);
	umad_free_ca_device_list(list);
}

static void check_device(const char *name)
{
	umad_ca_t ca;

	memset(&ca, 0xff, sizeof(ca));
	require(umad_get_ca(name, &ca) == 0);
	check(!strcmp(ca.ca_name, name));
	check_number(ca.node_type, name, "node_type");
	check_equal(ca.numports, 1);
	check_text(ca.fw_ver, name, "fw_ver");
	check_text(ca.ca_type, name, "hca_type");
	check_text(ca.hw_ver, name, "hw_rev");
	check_equal(ca.node_guid, sys_read_guid(name, "node_guid", 0));
	check_equal(ca.system_guid, sys_read_guid(name, "sys_image_guid", 0));
	check(!ca.ports[0] && ca.ports[1] && !ca.ports[2]);
	if (ca.ports[1])
		check_equal(ca.ports[1]->portnum, 1);
	check_equal(umad_release_ca(&ca), 0);
	check_equal(umad_release_ca(&ca), 0);
}

TEST(reports_devices_as_sys_does)
{
	for (int i = 0; i < DEVICES; i++)
		check_device(devices[i]);
}

static void check_addresses(const char *name, const umad_port_t *port)
{
	check_equal(port->gid_prefix, sys_read_guid(name, "ports/1/gids/0", 0));
	check_equal(port->port_guid, sys_read_guid(name, "ports/1/gids/0", 1));
	check(port->port_guid != 0);
	require(port->pkeys && port->pkeys_size);
	check_number(port->pkeys[0], name, "ports/1/pkeys/0");
}

static void check_port(const char *name)
{
	umad_port_t port;

	memset(&port, 0xff, sizeof(port));
	require(umad_get_port(name, 1, &port) == 0);
	check(!strcmp(port.ca_name, name));
	check_equal(port.portnum, 1);
	check_number(port.base_lid, name, "ports/1/lid");
	check_number(port.lmc, name, "ports/1/lid_mask_count");
	check_number(port.sm_lid, name, "ports/1/sm_lid");
	check_number(port.sm_sl, name, "ports/1/sm_sl");
	check_number(port.state, name, "ports/1/state");
	check_number(port.phys_state, name, "ports/1/phys_state");
	check_number(port.rate, name, "ports/1/rate");
	check_number(be32toh(port.capmask), name, "ports/1/cap_mask");
	check_text(port.link_layer, name, "ports/1/link_layer");
	check_addresses(name, &port);
	check_equal(umad_release_port(&port), 0);
	check_equal(umad_release_port(&port), 0);
}

TEST(reports_ports_as_sys_does)
{
	for (int i = 0; i < DEVICES; i++)
		check_port(devices[i]);
}

TEST(reports_port_GUIDs)
{
	__be64 guids[UMAD_CA_MAX_PORTS];

	require(umad_get_ca_portguids("rxe0", guids, UMAD_CA_MAX_PORTS) == 2);
	check_equal(guids[0], 0);
	check_equal(guids[1], sys_read_guid("rxe0", "ports/1/gids/0", 1));
	check_equal(umad_get_ca_portguids("rxe0", guids, 1), -ENOMEM);
}

static unsigned port_state(const char *name)
{
	umad_port_t port;
	unsigned state;

	if (umad_get_port(name, 1, &port))
		return 0;
	state = port.state;
	umad_release_port(&port);
	return state;
}

TEST(reports_a_port_that_goes_down)
{
	check_equal(port_state("rxe1"), 4);
	require(sys_run("ip", "link", "set", "v1", "down", NULL));
	require(sys_wait_for("rxe1", "ports/1/state", "1: DOWN"));
	check_equal(port_state("rxe1"), 1);
	check_port("rxe1");
	require(sys_run("ip", "link", "set", "v1", "up", NULL));
	require(sys_wait_for("rxe1", "ports/1/state", "4: ACTIVE"));
	check_equal(port_state("rxe1"), 4);
}

static bool lists_device(const char *name)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	int count = umad_get_cas_names(names, UMAD_MAX_DEVICES);

	while (count-- > 0)
		if (!strcmp(names[count], name))
			return true;
	return false;
}

TEST(sees_devices_come_and_go)
{
	char long_name[] = "rxe_of_19_letters_x";

	require(sys_delete_device("rxe1"));
	check(!lists_device("rxe1"));
	require(sys_add_device(long_name, "v1"));
	check(lists_device(long_name));
	check_device(long_name);
	check_port(long_name);
	require(sys_delete_device(long_name));
	require(sys_add_device("rxe1", "v1"));
	check(lists_device("rxe1"));
}

TEST(knows_no_other_device)
{
	__be64 guids[UMAD_CA_MAX_PORTS];
	umad_port_t port;
	umad_ca_t ca;

	check_equal(umad_get_ca("rxe9", &ca), -ENODEV);
	check(umad_get_port("rxe9", 1, &port) < 0);
	check(umad_get_port("rxe0", 2, &port) < 0);
	check_equal(umad_get_ca_portguids("rxe9", guids, UMAD_CA_MAX_PORTS), -ENODEV);
}

/* A RoCE port has no SMI, but this host has no other ports. */
TEST(pairs_each_device_without_an_SMI)
{
	struct umad_ca_pair pairs[UMAD_MAX_DEVICES], pair;

	check_equal(umad_get_smi_gsi_pairs(pairs, UMAD_MAX_DEVICES), 0);
	for (int i = 0; i < DEVICES; i++) {
		check_equal(umad_get_smi_gsi_pair_by_ca_name(devices[i], 0, &pair, 0), 0);
		check(!strcmp(pair.smi_name, ""));
		check(!strcmp(pair.gsi_name, devices[i]));
		check_equal(pair.gsi_preferred_port, 1);
		check_equal(umad_get_smi_gsi_pair_by_ca_name(devices[i], 1, &pair, 1), -ENODEV);
	}
	check_equal(umad_get_smi_gsi_pair_by_ca_name(NULL, 0, &pair, 0), 0);
	check(!strcmp(pair.gsi_name, devices[0]));
	check_equal(umad_get_smi_gsi_pair_by_ca_name(NULL, 0, &pair, 1), -ENODEV);
}
