/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Discovery and events where sysfs does not show the devices, by RDMA netlink; and in network
 * namespaces.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "events.h"
#include "optional.h"
#include "sys.h"
#include "tap.h"
#include "worker.h"

enum { TIMES_WITHOUT_SYSFS = 10 };

/*
 * Without /sys/class
 */

/* What sysfs said, to be compared with what netlink says. */
struct before {
	umad_ca_t ca;
	char issm[64];
	int issm_result; /* -ENOENT on newer kernels, where a port without an SMI has none */
};

static bool hide_sysfs(void)
{
	return !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) &&
	       !mount("none", "/sys/class", "tmpfs", 0, NULL);
}

static void check_same_ca(const umad_ca_t *ca, const umad_ca_t *before)
{
	const umad_port_t *port = ca->ports[1], *old = before->ports[1];

	check_equal(ca->node_type, before->node_type);
	check_equal(ca->numports, before->numports);
	check_equal(ca->node_guid, before->node_guid);
	check_equal(ca->system_guid, before->system_guid);
	check(!strcmp(ca->fw_ver, before->fw_ver));
	require(port && old && !ca->ports[0] && !ca->ports[2]);
	check_equal(port->portnum, 1);
	check_equal(port->state, old->state);
	check_equal(port->phys_state, old->phys_state);
	check_equal(port->base_lid, old->base_lid);
	check_equal(port->sm_lid, old->sm_lid);
	check_equal(port->lmc, old->lmc);
	check(!strcmp(port->link_layer, old->link_layer));
	check(!strcmp(port->ca_name, old->ca_name));
}

static void check_fallback(const struct before *before)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN], path[64];
	struct umad_device_node *list;
	umad_port_t port;
	umad_ca_t ca;
	int fd;

	check_equal(umad_get_cas_names(names, UMAD_MAX_DEVICES), 2);
	check(!strcmp(names[0], "rxe0") && !strcmp(names[1], "rxe1"));
	list = umad_get_ca_device_list();
	check(list && list->next && !list->next->next);
	umad_free_ca_device_list(list);
	require(umad_get_ca("rxe0", &ca) == 0);
	check_same_ca(&ca, &before->ca);
	umad_release_ca(&ca);
	check_equal(umad_get_port("rxe1", 1, &port), 0);
	check_equal(port.state, STATE_ACTIVE);
	umad_release_port(&port);
	check(umad_get_port("rxe1", 2, &port) < 0);
	check(umad_get_ca("rxe9", &ca) < 0);
	if (!before->issm_result) {
		check_equal(umad_get_issm_path("rxe0", 1, path, sizeof(path)), 0);
		check(!strcmp(path, before->issm));
	}
	check_equal(umad_open_port("rxe9", 1), -ENODEV);
	fd = umad_open_port("rxe1", 1);
	check(fd >= 0 && umad_register_oui(fd, 0x32, 0, (uint8_t[]){ 0, 0x14, 5 }, NULL) >= 0);
	umad_close_port(fd);
	fd = umad_open_port(NULL, 0);
	check(fd >= 0);
	umad_close_port(fd);
}

static bool start_without_sysfs(struct before *before)
{
	struct umad_monitor *monitor = open_monitor(0); /* skips where there is none */

	umad_monitor_close(monitor);
	before->issm_result = umad_get_issm_path("rxe0", 1, before->issm, sizeof(before->issm));
	return check(monitor) && check_equal(umad_get_ca("rxe0", &before->ca), 0) &&
	       check(!before->issm_result || before->issm_result == -ENOENT) && check(hide_sysfs());
}

TEST(finds_devices_without_sysfs)
{
	struct before before;
	unsigned fds;

	require(start_without_sysfs(&before));
	fds = sys_count_fds();
	check_fallback(&before);
	check_equal(sys_count_fds(), fds);
	umad_release_ca(&before.ca);
}

TEST(sees_events_without_sysfs)
{
	struct umad_monitor *monitor;
	struct umad_event event;
	struct before before;

	require(start_without_sysfs(&before) && start_worker(true));
	monitor = open_monitor(0);
	require(monitor);
	for (int i = 0; i < TIMES_WITHOUT_SYSFS; i++) {
		require(order(ADD));
		require(expect(monitor, UMAD_EVENT_DEVICE_ADDED, DEVICE, &event));
		require(expect(monitor, UMAD_EVENT_UMAD_ADDED, DEVICE, &event));
		require(order(DOWN));
		require(expect(monitor, UMAD_EVENT_PORT_CHANGED, DEVICE, &event));
		check_equal(event.state, STATE_DOWN);
		require(order(UP));
		require(expect(monitor, UMAD_EVENT_PORT_CHANGED, DEVICE, &event));
		check_equal(event.state, STATE_ACTIVE);
		require(order(DELETE));
		require(expect_removed(monitor, DEVICE));
	}
	umad_monitor_close(monitor);
	umad_release_ca(&before.ca);
}

/*
 * Network namespaces
 */

/* RDMA devices belong to one network namespace each (exclusive), or to all (shared). This can be
 * changed only as long as there is just one; those of ended processes go a little later. */
static bool set_namespaces(const char *mode)
{
	for (int tries = 0; tries < 50; tries++) {
		if (sys_run("rdma", "system", "set", "netns", mode, NULL))
			return true;
		sys_sleep_ms(100);
	}
	return false;
}

/* A namespace of our own, and what sysfs shows there. */
static bool enter_namespace(void)
{
	return check(!unshare(CLONE_NEWNET | CLONE_NEWNS)) &&
	       check(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) &&
	       check(!mount("sysfs", "/sys", "sysfs", 0, NULL));
}

TEST(devices_of_another_namespace_are_not_there)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	struct umad_monitor *monitor;

	if (!set_namespaces("exclusive"))
		tap_skip("this kernel has no exclusive RDMA network namespaces");
	require(start_worker(false) && enter_namespace());
	check(access("/sys/class/infiniband_mad/umad0", F_OK) == 0); /* which is another's */
	check_equal(umad_get_cas_names(names, UMAD_MAX_DEVICES), 0);
	check(umad_open_port(NULL, 0) < 0);
	monitor = open_monitor(UMAD_MONITOR_REPORT_PRESENT);
	require(monitor);
	expect_none(monitor);
	check_equal(umad_monitor_rescan(monitor), 0);
	expect_none(monitor);
	require(order(ADD));
	expect_none(monitor);
	check_equal(umad_monitor_rescan(monitor), 0);
	expect_none(monitor);
	require(order(DELETE));
	expect_none(monitor);
	umad_monitor_close(monitor);
}

TEST(devices_of_all_namespaces_are_there)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	struct umad_monitor *monitor;

	require(set_namespaces("shared"));
	require(start_worker(false) && enter_namespace());
	check_equal(umad_get_cas_names(names, UMAD_MAX_DEVICES), 2);
	monitor = open_monitor(0);
	require(monitor);
	require(order(ADD));
	expect_added(monitor, DEVICE);
	require(order(DELETE));
	expect_removed(monitor, DEVICE);
	umad_monitor_close(monitor);
}
