/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Events (umad_monitor.h) and discovery on soft RoCE devices that come and go, and whose netdevs go
 * down and up: one change after the other, for an ordinary user; where sysfs does not show the
 * devices; and in network namespaces.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include <infiniband/umad.h>
#include <infiniband/umad_monitor.h>

#include "sys.h"
#include "tap.h"

enum {
	TIMES = 50,
	TIMES_WITHOUT_SYSFS = 10,
	EVENT_MS = 10000, /* for an event that must come */
	QUIET_MS = 500,	  /* without an event: there is none */
	STATE_DOWN = 1,
	STATE_ACTIVE = 4,
	NOBODY = 65534,
};

#define DEVICE	      "mon0"
#define ADD	      "rdma link add " DEVICE " type rxe netdev m0"
#define DELETE	      "rdma link delete " DEVICE
#define RENAMED	      "mon1"
#define RENAME	      "rdma dev set " DEVICE " name " RENAMED
#define RENAME_BACK   "rdma dev set " RENAMED " name " DEVICE
#define DOWN	      "/bin/ip link set m0 down"
#define UP	      "/bin/ip link set m0 up"
#define DELETE_NETDEV "/bin/ip link delete m0"

/*
 * The worker stays root and runs commands, while the test watches.
 */

static int commands[2], results[2];

static void work(void)
{
	const char *command;

	while (read(commands[0], &command, sizeof(command)) == sizeof(command)) {
		bool done = sys_run(command);

		if (write(results[1], &done, sizeof(done)) != sizeof(done))
			break;
	}
	_exit(0);
}

/* Carries out one of the commands above before it returns. */
static bool order(const char *command)
{
	bool done;

	return write(commands[1], &command, sizeof(command)) == sizeof(command) &&
	       read(results[0], &done, sizeof(done)) == sizeof(done) && done;
}

/* Makes a veth pair, and starts the worker; then, if wanted, the caller becomes an ordinary user.
 */
static bool start_worker(bool as_user)
{
	if (access("/proc/sys/net/ipv4/conf/m0", F_OK) == 0)
		sys_run(DELETE_NETDEV);
	if (!sys_run("/bin/ip link add m0 type veth peer name m1") ||
	    !sys_run("/bin/ip link set m1 up") || !sys_run(UP) || pipe(commands) || pipe(results))
		return false;
	if (!fork())
		work();
	return !as_user ||
	       (!setresgid(NOBODY, NOBODY, NOBODY) && !setresuid(NOBODY, NOBODY, NOBODY));
}

/*
 * Events: what does not come as expected fails the case, with a line that says what came.
 */

static struct umad_monitor *open_monitor(unsigned flags)
{
	struct umad_monitor *monitor = umad_monitor_open(flags);

	if (!monitor && errno == ELIBACC)
		test_skip("no libnl-3 on this machine");
	return monitor;
}

static int next_event(struct umad_monitor *monitor, struct umad_event *event, int timeout_ms)
{
	return umad_monitor_read(monitor, event, timeout_ms);
}

static bool expect(struct umad_monitor *monitor, enum umad_event_type type, const char *ca_name,
		   struct umad_event *event)
{
	int result;

	memset(event, 0, sizeof(*event));
	result = next_event(monitor, event, EVENT_MS);
	if (result == 1 && event->type == type && !strcmp(event->ca_name, ca_name))
		return true;
	tap_note("wanted \"%s\" of %s, got %d: \"%s\" of %s port %d, changed 0x%x, state %u, "
		 "physical state %u",
		 umad_event_str(type), ca_name, result, umad_event_str(event->type), event->ca_name,
		 event->port_number, event->changed, event->state, event->physical_state);
	return check(!"the event that was wanted");
}

static bool expect_none(struct umad_monitor *monitor)
{
	struct umad_event event;

	return check_equal(next_event(monitor, &event, QUIET_MS), 0);
}

static bool has_sysfs(void)
{
	return access("/sys/class/infiniband", F_OK) == 0;
}

static bool agrees(const char *attribute, unsigned value)
{
	char text[SYS_TEXT_SIZE];
	unsigned found = 0;

	return !has_sysfs() ||
	       (check(sscanf(sys_read(DEVICE, attribute, text), "%u", &found) == 1) &&
		check_equal(value, found));
}

static bool expect_added(struct umad_monitor *monitor)
{
	struct umad_event event;
	char umad[SYS_TEXT_SIZE], text[SYS_TEXT_SIZE];

	if (!expect(monitor, UMAD_EVENT_DEVICE_ADDED, DEVICE, &event) ||
	    !expect(monitor, UMAD_EVENT_PORT_CHANGED, DEVICE, &event) ||
	    !check_equal(event.port_number, 1) || !agrees("ports/1/state", event.state) ||
	    !expect(monitor, UMAD_EVENT_UMAD_ADDED, DEVICE, &event))
		return false;
	snprintf(umad, sizeof(umad), "../infiniband_mad/%s", event.node);
	return check_equal(event.port_number, 1) &&
	       (!has_sysfs() || check(!strcmp(sys_read(umad, "ibdev", text), DEVICE)));
}

static bool expect_removed(struct umad_monitor *monitor)
{
	struct umad_event event;

	return expect(monitor, UMAD_EVENT_UMAD_REMOVED, DEVICE, &event) &&
	       check_equal(event.port_number, 1) && check(event.node[0]) &&
	       expect(monitor, UMAD_EVENT_DEVICE_REMOVED, DEVICE, &event);
}

/* Changes of the port up to the state; each is reported once, and the last one agrees with /sys. */
static bool expect_state(struct umad_monitor *monitor, unsigned state)
{
	struct umad_event event;
	unsigned seen = 0;

	do {
		if (!expect(monitor, UMAD_EVENT_PORT_CHANGED, DEVICE, &event))
			return false;
		seen += event.changed & UMAD_CHANGED_STATE ? 1 : 0;
	} while (event.state != state);
	return check_equal(event.port_number, 1) && check_equal(seen, 1) &&
	       agrees("ports/1/state", event.state) &&
	       agrees("ports/1/phys_state", event.physical_state);
}

/* Another name, and the first one again. */
static bool expect_renamed(struct umad_monitor *monitor)
{
	struct umad_event event;

	return check(order(RENAME)) &&
	       expect(monitor, UMAD_EVENT_DEVICE_RENAMED, RENAMED, &event) &&
	       check(!strcmp(event.old_name, DEVICE)) && check(order(RENAME_BACK)) &&
	       expect(monitor, UMAD_EVENT_DEVICE_RENAMED, DEVICE, &event) &&
	       check(!strcmp(event.old_name, RENAMED));
}

/* The device comes, its port goes down and up, its name changes, it goes: so many times. */
static bool follow(struct umad_monitor *monitor, int times)
{
	for (int i = 0; i < times; i++)
		if (!check(order(ADD)) || !expect_added(monitor) || !check(order(DOWN)) ||
		    !expect_state(monitor, STATE_DOWN) || !check(order(UP)) ||
		    !expect_state(monitor, STATE_ACTIVE) || !expect_renamed(monitor) ||
		    !check(order(DELETE)) || !expect_removed(monitor))
			return false;
	return expect_none(monitor);
}

TEST(sees_devices_and_ports_come_and_go)
{
	struct umad_monitor *monitor;

	require(start_worker(true));
	monitor = open_monitor(0);
	require(monitor);
	follow(monitor, TIMES);
	umad_monitor_close(monitor);
}

/*
 * Without /sys/class, by RDMA netlink
 */

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

static void check_without_sysfs(const umad_ca_t *before)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	umad_port_t port;
	umad_ca_t ca;
	int fd;

	check_equal(umad_get_cas_names(names, UMAD_MAX_DEVICES), 2);
	check(!strcmp(names[0], "rxe0") && !strcmp(names[1], "rxe1"));
	require(umad_get_ca("rxe0", &ca) == 0);
	check_same_ca(&ca, before);
	umad_release_ca(&ca);
	check_equal(umad_get_port("rxe1", 1, &port), 0);
	check_equal(port.state, STATE_ACTIVE);
	umad_release_port(&port);
	check(umad_get_port("rxe1", 2, &port) < 0);
	check(umad_get_ca("rxe9", &ca) < 0);
	check_equal(umad_open_port("rxe9", 1), -ENODEV);
	fd = umad_open_port("rxe1", 1);
	check(fd >= 0 && umad_register_oui(fd, 0x32, 0, (uint8_t[]){ 0, 0x14, 5 }, NULL) >= 0);
	umad_close_port(fd);
	fd = umad_open_port(NULL, 0);
	check(fd >= 0);
	umad_close_port(fd);
}

TEST(works_without_sysfs)
{
	struct umad_monitor *monitor = open_monitor(0); /* skips where there is none */
	char path[64], issm[64];
	unsigned fds;
	umad_ca_t ca;
	int result;

	umad_monitor_close(monitor);
	/* -ENOENT on newer kernels, where a port without an SMI has none */
	result = umad_get_issm_path("rxe0", 1, issm, sizeof(issm));
	require(check(!result || result == -ENOENT) && umad_get_ca("rxe0", &ca) == 0 &&
		hide_sysfs());
	fds = sys_count_fds();
	check_without_sysfs(&ca);
	if (!result) {
		check_equal(umad_get_issm_path("rxe0", 1, path, sizeof(path)), 0);
		check(!strcmp(path, issm));
	}
	check_equal(sys_count_fds(), fds);
	umad_release_ca(&ca);
	require(start_worker(true));
	monitor = open_monitor(0);
	require(monitor);
	follow(monitor, TIMES_WITHOUT_SYSFS);
	umad_monitor_close(monitor);
}

/*
 * Network namespaces
 */

/* RDMA devices belong to one network namespace each (exclusive), or to all (shared). This can be
 * changed only as long as there is just one; those of ended processes go a little later. */
static bool set_namespaces(const char *command)
{
	for (int tries = 0; tries < 50; tries++) {
		if (sys_run(command))
			return true;
		usleep(100000);
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

	if (!set_namespaces("rdma system set netns exclusive"))
		test_skip("this kernel has no exclusive RDMA network namespaces");
	require(start_worker(false) && enter_namespace());
	/* The name is that of another namespace's device. */
	check(access("/sys/class/infiniband_mad/umad0", F_OK) == 0);
	check_equal(umad_get_cas_names(names, UMAD_MAX_DEVICES), 0);
	check(umad_open_port(NULL, 0) < 0);
	monitor = open_monitor(UMAD_MONITOR_REPORT_PRESENT);
	require(monitor);
	for (int i = 0; i < 2; i++) {
		expect_none(monitor);
		check_equal(umad_monitor_rescan(monitor), 0);
		expect_none(monitor);
		require(order(i ? DELETE : ADD));
	}
	expect_none(monitor);
	umad_monitor_close(monitor);
}

/* Each of two monitors sees what comes and goes. */
TEST(devices_of_all_namespaces_are_there)
{
	char names[UMAD_MAX_DEVICES][UMAD_CA_NAME_LEN];
	struct umad_monitor *monitor, *other;

	require(set_namespaces("rdma system set netns shared"));
	require(start_worker(false) && enter_namespace());
	check_equal(umad_get_cas_names(names, UMAD_MAX_DEVICES), 2);
	monitor = open_monitor(0);
	other = open_monitor(0);
	require(monitor && other);
	require(order(ADD));
	expect_added(monitor);
	expect_added(other);
	require(order(DELETE));
	expect_removed(monitor);
	umad_monitor_close(monitor);
	expect_removed(other);
	umad_monitor_close(other);
}
