/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Events (umad_monitor.h): soft RoCE devices that come and go, netdevs that go down and up, 200
 * times in a row, for root and for an ordinary user; overruns; discovery by RDMA netlink where
 * /sys/class does not show the devices; and network namespaces.
 *
 * A worker process, which stays root, changes things on command. "In step": the next change waits
 * until the events of the one before it are there. "At full speed": it does not.
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include <infiniband/umad_monitor.h>

#include "optional.h"
#include "sys.h"
#include "tap.h"

#define umad_event_str(...)	 optional(umad_event_str, __VA_ARGS__)
#define umad_monitor_close(...)	 optional(umad_monitor_close, __VA_ARGS__)
#define umad_monitor_get_fd(...) optional(umad_monitor_get_fd, __VA_ARGS__)
#define umad_monitor_open(...)	 optional(umad_monitor_open, __VA_ARGS__)
#define umad_monitor_read(...)	 optional(umad_monitor_read, __VA_ARGS__)
#define umad_monitor_rescan(...) optional(umad_monitor_rescan, __VA_ARGS__)

#define NETDEV "m0"
#define PEER   "m1"
#define DEVICE "mon0"
#define OTHER  "mon1" /* what it is renamed to */

enum {
	TIMES = 200,
	FEWER_TIMES = 50,     /* where it is not about the number */
	BURST = 5,	      /* messages about so many times fit a socket */
	OVERRUN_TIMES = 2000, /* messages that no socket holds */
	EVENT_MS = 10000,     /* for an event that must come */
	QUIET_MS = 500,	      /* without an event: there is none */
	NOBODY = 65534,
	STATE_DOWN = 1,
	STATE_ACTIVE = 4,
	PHYS_STATE_DISABLED = 3,
	PHYS_STATE_LINK_UP = 5,
};

/*
 * The worker
 */

enum command { ADD, DELETE, DOWN, UP, RENAME, DELETE_NETDEV, NOISE };

/* Its task: something to do so many times; with two commands, in turn. */
struct task {
	enum command first, second;
	int times;
};

static int task_pipe[2], result_pipe[2];

static bool set_netdev(bool up)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = NETDEV };
	bool done = ioctl(fd, SIOCGIFFLAGS, &request) == 0;

	request.ifr_flags = (short)((request.ifr_flags & ~IFF_UP) | (up ? IFF_UP : 0));
	done = done && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
	close(fd);
	return done;
}

/* A uevent about a device that is of no matter. */
static bool make_noise(void)
{
	int fd = open("/sys/class/net/lo/uevent", O_WRONLY | O_CLOEXEC);
	bool done = write(fd, "change", 6) == 6;

	close(fd);
	return done;
}

static bool do_command(enum command command)
{
	switch (command) {
	case ADD:
		return sys_run("rdma", "link", "add", DEVICE, "type", "rxe", "netdev", NETDEV,
			       NULL);
	case DELETE:
		return sys_run("rdma", "link", "delete", DEVICE, NULL);
	case DOWN:
		return set_netdev(false);
	case UP:
		return set_netdev(true);
	case RENAME:
		return sys_run("rdma", "dev", "set", DEVICE, "name", OTHER, NULL);
	case DELETE_NETDEV:
		return sys_run("ip", "link", "delete", NETDEV, NULL);
	case NOISE:
		return make_noise();
	}
	return false;
}

static void work(void)
{
	struct task task;

	while (read(task_pipe[0], &task, sizeof(task)) == sizeof(task)) {
		bool done = true;

		for (int i = 0; i < task.times; i++)
			done = do_command(i % 2 ? task.second : task.first) && done;
		if (write(result_pipe[1], &done, sizeof(done)) != sizeof(done))
			break;
	}
	_exit(0);
}

static bool start_task(enum command first, enum command second, int times)
{
	struct task task = { first, second, times };

	return write(task_pipe[1], &task, sizeof(task)) == sizeof(task);
}

static bool end_task(void)
{
	bool done;

	return read(result_pipe[0], &done, sizeof(done)) == sizeof(done) && done;
}

static bool task_is_done(void)
{
	struct pollfd result = { .fd = result_pipe[0], .events = POLLIN };

	return poll(&result, 1, 0) > 0;
}

static bool order(enum command command)
{
	return start_task(command, command, 1) && end_task();
}

/* A veth pair of our own, and the worker; then, if wanted, an ordinary user. */
static bool start_worker(bool as_user)
{
	if (if_nametoindex(NETDEV))
		sys_run("ip", "link", "delete", NETDEV, NULL);
	if (!sys_run("ip", "link", "add", NETDEV, "type", "veth", "peer", "name", PEER, NULL) ||
	    !sys_run("ip", "link", "set", PEER, "up", NULL) || !set_netdev(true))
		return false;
	if (pipe(task_pipe) || pipe(result_pipe))
		return false;
	switch (fork()) {
	case -1:
		return false;
	case 0:
		work();
	}
	return !as_user ||
	       (!setresgid(NOBODY, NOBODY, NOBODY) && !setresuid(NOBODY, NOBODY, NOBODY));
}

/*
 * Events
 */

static struct umad_monitor *open_monitor(unsigned flags)
{
	struct umad_monitor *monitor = umad_monitor_open(flags);

	if (!monitor && errno == ELIBACC)
		tap_skip("no libnl-3 on this machine");
	return monitor;
}

static int next_event(struct umad_monitor *monitor, struct umad_event *event, int timeout_ms)
{
	return umad_monitor_read(monitor, event, sizeof(*event), timeout_ms);
}

/* The next event must be this one. */
static bool expect(struct umad_monitor *monitor, enum umad_event_type type, const char *ca_name,
		   struct umad_event *event)
{
	int ret = next_event(monitor, event, EVENT_MS);

	if (ret == 1 && event->type == type && !strcmp(event->ca_name, ca_name))
		return true;
	tap_note("wanted \"%s\" of %s, got %d: \"%s\" of %s port %d, changed 0x%x, state %u, "
		 "physical state %u",
		 umad_event_str(type), ca_name, ret, ret == 1 ? umad_event_str(event->type) : "",
		 ret == 1 ? event->ca_name : "", ret == 1 ? event->portnum : 0,
		 ret == 1 ? event->changed : 0, ret == 1 ? event->state : 0,
		 ret == 1 ? event->phys_state : 0);
	return check(!"the event that was wanted");
}

static bool expect_none(struct umad_monitor *monitor)
{
	struct umad_event event;

	return check_equal(next_event(monitor, &event, QUIET_MS), 0);
}

static bool expect_added(struct umad_monitor *monitor, const char *ca_name)
{
	char path[sizeof("/sys/class/infiniband_mad/") + UMAD_CA_NAME_LEN];
	struct umad_event event;

	if (!expect(monitor, UMAD_EVENT_DEVICE_ADDED, ca_name, &event) ||
	    !expect(monitor, UMAD_EVENT_UMAD_ADDED, ca_name, &event))
		return false;
	snprintf(path, sizeof(path), "/sys/class/infiniband_mad/%s", event.node);
	return check_equal(event.portnum, 1) && check(access(path, F_OK) == 0);
}

static bool expect_removed(struct umad_monitor *monitor, const char *ca_name)
{
	struct umad_event event;

	return expect(monitor, UMAD_EVENT_UMAD_REMOVED, ca_name, &event) &&
	       check_equal(event.portnum, 1) && check(event.node[0]) &&
	       expect(monitor, UMAD_EVENT_DEVICE_REMOVED, ca_name, &event);
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
	return check_equal(event.portnum, 1) && check_equal(seen, 1) &&
	       check_equal(event.state, sys_read_number(DEVICE, "ports/1/state")) &&
	       check_equal(event.phys_state, sys_read_number(DEVICE, "ports/1/phys_state"));
}

/*
 * In step
 */

static void run_devices(bool as_user, int times)
{
	struct umad_monitor *monitor;
	int64_t start;

	require(start_worker(as_user));
	monitor = open_monitor(0);
	require(monitor);
	start = sys_now_ms();
	for (int i = 0; i < times; i++) {
		require(order(ADD));
		require(expect_added(monitor, DEVICE));
		check_equal(sys_read_number(DEVICE, "ports/1/state"), STATE_ACTIVE);
		require(order(DELETE));
		require(expect_removed(monitor, DEVICE));
	}
	tap_note("%d devices added and deleted in %lld ms", times,
		 (long long)(sys_now_ms() - start));
	expect_none(monitor);
	umad_monitor_close(monitor);
}

static void sees_devices_in_step(void)
{
	run_devices(false, FEWER_TIMES);
}

static void sees_devices_in_step_as_user(void)
{
	run_devices(true, TIMES);
}

static void run_netdev(bool as_user)
{
	struct umad_monitor *monitor;
	int64_t start;

	require(start_worker(as_user));
	require(order(ADD) && sys_wait_for(DEVICE, "ports/1/state", "4: ACTIVE"));
	monitor = open_monitor(0);
	require(monitor);
	start = sys_now_ms();
	for (int i = 0; i < TIMES; i++) {
		require(order(DOWN));
		require(expect_state(monitor, STATE_DOWN));
		require(order(UP));
		require(expect_state(monitor, STATE_ACTIVE));
	}
	tap_note("%d times down and up in %lld ms", TIMES, (long long)(sys_now_ms() - start));
	expect_none(monitor);
	check(order(DELETE));
	expect_removed(monitor, DEVICE);
	umad_monitor_close(monitor);
}

static void sees_netdev_in_step(void)
{
	run_netdev(false);
}

static void sees_netdev_in_step_as_user(void)
{
	run_netdev(true);
}

/*
 * At full speed
 */

/* What was seen until the worker was done and nothing more came. */
struct seen {
	int added, removed, umad_added, umad_removed, down, up, overruns;
	bool alternating; /* until the first overrun */
};

static void count_event(struct seen *seen, const struct umad_event *event)
{
	switch (event->type) {
	case UMAD_EVENT_DEVICE_ADDED:
		seen->alternating &= seen->added++ == seen->removed;
		break;
	case UMAD_EVENT_DEVICE_REMOVED:
		seen->removed++;
		break;
	case UMAD_EVENT_UMAD_ADDED:
		seen->alternating &= seen->umad_added++ == seen->umad_removed;
		break;
	case UMAD_EVENT_UMAD_REMOVED:
		seen->umad_removed++;
		break;
	case UMAD_EVENT_PORT_CHANGED:
		if (!(event->changed & UMAD_CHANGED_STATE))
			break;
		if (event->state == STATE_DOWN)
			seen->alternating &= seen->down++ == seen->up;
		else
			seen->up++;
		break;
	default:
		seen->overruns += event->type == UMAD_EVENT_OVERRUN;
	}
}

static bool watch(struct umad_monitor *monitor, struct seen *seen)
{
	struct umad_event event;
	int ret;

	*seen = (struct seen){ .alternating = true };
	do {
		bool done = task_is_done();

		ret = next_event(monitor, &event, QUIET_MS);
		if (ret == 1)
			count_event(seen, &event);
		else if (done)
			break;
	} while (ret >= 0);
	tap_note("%d added, %d removed, %d umad devices added, %d removed, %d down, %d up, "
		 "%d overruns",
		 seen->added, seen->removed, seen->umad_added, seen->umad_removed, seen->down,
		 seen->up, seen->overruns);
	return check_equal(ret, 0) && check(end_task());
}

/* If messages were lost, that must have been reported; else each change must have been. */
static void run_full_speed(enum command first, enum command second, int times, struct seen *seen)
{
	struct umad_monitor *monitor;

	require(start_worker(true));
	require(first == ADD || order(ADD));
	monitor = open_monitor(0);
	require(monitor);
	require(start_task(first, second, 2 * times));
	require(watch(monitor, seen));
	check(seen->alternating);
	if (first == DOWN)
		check_equal(sys_read_number(DEVICE, "ports/1/state"), STATE_ACTIVE);
	expect_none(monitor);
	umad_monitor_close(monitor);
	check(first == ADD || order(DELETE));
}

static void sees_devices_at_full_speed(void)
{
	struct seen seen;

	run_full_speed(ADD, DELETE, FEWER_TIMES, &seen);
	check_equal(seen.added, seen.removed);
	check_equal(seen.umad_added, seen.umad_removed);
	if (!seen.overruns) {
		check_equal(seen.added, FEWER_TIMES);
		check_equal(seen.umad_added, FEWER_TIMES);
	}
}

static void sees_netdev_at_full_speed(void)
{
	struct seen seen;

	run_full_speed(DOWN, UP, TIMES, &seen);
	check_equal(seen.down, seen.up);
	if (!seen.overruns)
		check_equal(seen.down, TIMES);
}

/* Over before the monitor looks: the port is Active again, but the messages report it. */
static void sees_short_interruptions(void)
{
	struct umad_monitor *monitor;
	struct umad_event event;

	require(start_worker(true) && order(ADD));
	monitor = open_monitor(0);
	require(monitor);
	for (int i = 0; i < TIMES; i++) {
		if (i % BURST == 0)
			require(start_task(DOWN, UP, 2 * BURST) && end_task());
		require(expect(monitor, UMAD_EVENT_PORT_CHANGED, DEVICE, &event));
		check_equal(event.state, STATE_DOWN);
		check_equal(event.phys_state, PHYS_STATE_DISABLED);
		require(expect(monitor, UMAD_EVENT_PORT_CHANGED, DEVICE, &event));
		check_equal(event.state, STATE_ACTIVE);
		check_equal(event.phys_state, PHYS_STATE_LINK_UP);
	}
	expect_none(monitor);
	umad_monitor_close(monitor);
	check(order(DELETE));
}

/* To what sockets could hold before Linux 6.18: larger ones would take ten times the messages. The
 * cases that follow do not need more. */
static bool limit_sockets(void)
{
	static const char size[] = "212992";
	int fd = open("/proc/sys/net/core/rmem_max", O_WRONLY | O_CLOEXEC);
	bool done = write(fd, size, strlen(size)) == (ssize_t)strlen(size);

	close(fd);
	return done;
}

/* More than a socket holds, while nobody reads. The last report is the actual state. */
static void run_overrun(enum command first, enum command second, enum command last,
			struct seen *seen)
{
	struct umad_monitor *monitor;

	require(limit_sockets() && start_worker(true) && order(ADD));
	monitor = open_monitor(0);
	require(monitor);
	require(start_task(first, second, OVERRUN_TIMES) && end_task());
	require(start_task(last, last, 1));
	require(watch(monitor, seen));
	check(seen->overruns > 0);
	expect_none(monitor);
	umad_monitor_close(monitor);
}

static void tells_lost_uevents(void)
{
	struct seen seen;

	run_overrun(NOISE, NOISE, DELETE, &seen);
	check_equal(seen.removed, 1);
	check_equal(seen.umad_removed, 1);
	check_equal(seen.added + seen.umad_added, 0);
}

static void tells_lost_link_messages(void)
{
	struct seen seen;

	run_overrun(UP, DOWN, DOWN, &seen);
	check_equal(seen.down, seen.up + 1);
	check_equal(sys_read_number(DEVICE, "ports/1/state"), STATE_DOWN);
	check(order(DELETE));
}

/*
 * Single events
 */

static void reports_what_is_present(void)
{
	unsigned devices = 0, nodes = 0, fds = sys_count_fds();
	struct umad_monitor *monitor = open_monitor(UMAD_MONITOR_REPORT_PRESENT);
	struct umad_event event;
	char text[SYS_TEXT_SIZE];

	require(monitor);
	for (int i = 0; i < 4; i++) {
		require(next_event(monitor, &event, 0) == 1);
		check_equal(strncmp(event.ca_name, "rxe", 3), 0);
		if (event.type == UMAD_EVENT_DEVICE_ADDED) {
			devices |= 1u << (event.ca_name[3] - '0');
		} else {
			check_equal(event.type, UMAD_EVENT_UMAD_ADDED);
			nodes |= 1u << (event.ca_name[3] - '0');
			snprintf(text, sizeof(text), "../infiniband_mad/%s", event.node);
			check(!strcmp(sys_read(text, "ibdev", text), event.ca_name));
		}
	}
	check_equal(devices, 3);
	check_equal(nodes, 3);
	check_equal(next_event(monitor, &event, 0), 0);
	check_equal(umad_monitor_rescan(monitor), 0);
	check_equal(next_event(monitor, &event, 0), 0);
	umad_monitor_close(monitor);
	check_equal(sys_count_fds(), fds);
}

static bool is_readable(const struct umad_monitor *monitor)
{
	struct pollfd fd = { .fd = umad_monitor_get_fd(monitor), .events = POLLIN };

	return poll(&fd, 1, QUIET_MS) == 1;
}

static void descriptor_tells_of_events(void)
{
	struct umad_monitor *monitor;
	struct umad_event event;

	require(start_worker(true));
	monitor = open_monitor(0);
	require(monitor);
	while (is_readable(monitor)) /* of the veth pair, for instance */
		require(next_event(monitor, &event, 0) == 0);
	require(order(ADD));
	check(is_readable(monitor));
	check(expect(monitor, UMAD_EVENT_DEVICE_ADDED, DEVICE, &event));
	check(is_readable(monitor));
	check(expect(monitor, UMAD_EVENT_UMAD_ADDED, DEVICE, &event));
	while (is_readable(monitor))
		require(next_event(monitor, &event, 0) == 0);
	require(order(DELETE));
	check(is_readable(monitor));
	check(expect_removed(monitor, DEVICE));
	umad_monitor_close(monitor);
}

static void sees_a_new_name(void)
{
	struct umad_monitor *monitor;
	struct umad_event event;

	require(start_worker(true));
	monitor = open_monitor(0);
	require(monitor);
	require(order(ADD));
	require(expect_added(monitor, DEVICE));
	require(order(RENAME));
	require(expect(monitor, UMAD_EVENT_DEVICE_RENAMED, OTHER, &event));
	check(!strcmp(event.old_name, DEVICE));
	require(order(DELETE_NETDEV));
	do /* it may go down first */
		require(next_event(monitor, &event, EVENT_MS) == 1);
	while (event.type == UMAD_EVENT_PORT_CHANGED);
	check_equal(event.type, UMAD_EVENT_UMAD_REMOVED);
	check(!strcmp(event.ca_name, OTHER));
	require(expect(monitor, UMAD_EVENT_DEVICE_REMOVED, OTHER, &event));
	expect_none(monitor);
	umad_monitor_close(monitor);
}

static void two_monitors_see_the_same(void)
{
	struct umad_monitor *monitor, *other;

	require(start_worker(false));
	monitor = open_monitor(0);
	other = open_monitor(0);
	require(monitor && other);
	require(order(ADD));
	expect_added(monitor, DEVICE);
	expect_added(other, DEVICE);
	require(order(DELETE));
	expect_removed(monitor, DEVICE);
	umad_monitor_close(monitor);
	expect_removed(other, DEVICE);
	umad_monitor_close(other);
}

/*
 * Without /sys/class
 */

/* What sysfs said, to be compared with what netlink says. */
struct before {
	umad_ca_t ca;
	char issm[64];
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
	check_equal(umad_get_issm_path("rxe0", 1, path, sizeof(path)), 0);
	check(!strcmp(path, before->issm));
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
	return check(monitor) && check_equal(umad_get_ca("rxe0", &before->ca), 0) &&
	       check_equal(umad_get_issm_path("rxe0", 1, before->issm, sizeof(before->issm)), 0) &&
	       check(hide_sysfs());
}

static void finds_devices_without_sysfs(void)
{
	struct before before;
	unsigned fds;

	require(start_without_sysfs(&before));
	fds = sys_count_fds();
	check_fallback(&before);
	check_equal(sys_count_fds(), fds);
	umad_release_ca(&before.ca);
}

static void sees_events_without_sysfs(void)
{
	struct umad_monitor *monitor;
	struct umad_event event;
	struct before before;

	require(start_without_sysfs(&before) && start_worker(true));
	monitor = open_monitor(0);
	require(monitor);
	for (int i = 0; i < FEWER_TIMES / 5; i++) {
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

static void foreign_devices_are_not_there(void)
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

static void shared_devices_are_there(void)
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

int main(void)
{
	static const struct tap_case cases[] = {
		{ "reports what is present", reports_what_is_present },
		{ "descriptor tells of events", descriptor_tells_of_events },
		{ "sees a new name", sees_a_new_name },
		{ "two monitors see the same", two_monitors_see_the_same },
		{ "sees devices come and go", sees_devices_in_step },
		{ "sees 200 devices come and go as a user", sees_devices_in_step_as_user },
		{ "sees a netdev go down and up 200 times", sees_netdev_in_step },
		{ "sees a netdev go down and up 200 times as a user", sees_netdev_in_step_as_user },
		{ "sees devices at full speed", sees_devices_at_full_speed },
		{ "sees 200 times down and up at full speed", sees_netdev_at_full_speed },
		{ "sees 200 short interruptions", sees_short_interruptions },
		{ "tells lost uevents", tells_lost_uevents },
		{ "tells lost link messages", tells_lost_link_messages },
		{ "finds devices without sysfs", finds_devices_without_sysfs },
		{ "sees events without sysfs", sees_events_without_sysfs },
		{ "devices of another namespace are not there", foreign_devices_are_not_there },
		{ "devices of all namespaces are there", shared_devices_are_there },
	};

	return TAP_RUN(cases);
}
