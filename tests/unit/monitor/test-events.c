/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-events.c - what events.tbl has no words for: threads and forks, arguments and sizes,
 * exhausted memory, and what a look at the host costs.
 */
#include "events.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "libibumad/monitor/monitor.h"

enum { PATIENCE_MS = 20000 };

SCENES(MONITOR_TABLES "/events.tbl", play_statement, set_up_host, tear_down_host)

/* A child of fork may close its copy, and open another. */
MONITOR_TEST(monitor_stays_open_when_a_child_closes_its_copy)
{
	struct umad_monitor *own;
	int status;
	pid_t child;

	play("open");
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		own = umad_monitor_open(0);
		umad_monitor_close(monitor);
		umad_monitor_close(own);
		_exit(!own || netlink_open_sockets());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_false(is_readable(0));
	play("host +mlx5_0");
	play("says +mlx5_0");
	play("sees +mlx5_0");
}

/* A cancelled thread completes every call of a monitor but the wait. */
static void *use_when_cancelled(void *calls)
{
	struct umad_monitor *used;
	int *done = calls;

	pthread_cancel(pthread_self());
	used = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);
	*done += used != NULL;
	*done += umad_monitor_read(used, &event, -1);
	*done += !umad_monitor_rescan(used);
	umad_monitor_close(used);
	++*done;
	pthread_testcancel();
	return NULL;
}

MONITOR_TEST(cancelled_threads_leave_nothing)
{
	pthread_t thread;
	int done = 0;
	void *end;

	play("rdma");
	play("host +rxe0/0:roce");
	assert_int_equal(pthread_create(&thread, NULL, use_when_cancelled, &done), 0);
	assert_int_equal(pthread_join(thread, &end), 0);
	assert_ptr_equal(end, PTHREAD_CANCELED);
	assert_int_equal(done, 4);
}

/* unit.test-refusals has the others. */
MONITOR_TEST(arguments_at_their_limits)
{
	assert_errno(umad_monitor_set_interval(NULL, 1), EINVAL);
	play("open");
	assert_errno(umad_monitor_read_sized(monitor, &event, SIZE_MAX, 0), E2BIG);
	assert_int_equal(umad_monitor_set_interval(monitor, INT32_MAX), 0);
	umad_monitor_close(NULL);
}

/* A uevent is good when it ends with a NUL behind all that counts, and not otherwise. */
MONITOR_TEST(cut_uevents_are_dropped)
{
	static const char whole[] = "a@b\0ACTION=add\0DEVPATH=/x/rxe0\0SUBSYSTEM=infiniband\0N=1\0";

	for (size_t size = 1; size < sizeof(whole); size++) {
		bool is_good = !whole[size - 1] && size >= sizeof(whole) - sizeof("N=1\0");

		play("open");
		play("host +rxe0");
		fakenl_send(NETLINK_KOBJECT_UEVENT, whole, size, 0);
		play(is_good ? "sees +rxe0" : "sees");
		play("host -rxe0");
		play("monitor close");
	}
}

/* The library reads a part of /proc/net/netlink at a time; wherever that cuts a line, the line is
 * understood. A line without an end is none. */
MONITOR_TEST(rdma_is_known_in_long_lists)
{
	static const char line[] = "0000000019d3d8f2 15  0 00000000\n";
	char text[20000];

	for (size_t shift = 0; shift < sizeof(line) - 1; shift++) {
		size_t size = (size_t)sprintf(text, "%*s\n", (int)(4000 + shift), "sk");

		while (size < 6000)
			size += (size_t)sprintf(text + size, "%s", line);
		kernel_file("/proc/net/netlink", text);
		assert_false(umad_nldev_known());
		for (char *at = text; (at = strstr(at, " 15 ")); at++) {
			memcpy(at, " 20 ", 4);
			kernel_file("/proc/net/netlink", text);
			assert_true(umad_nldev_known());
			memcpy(at, " 15 ", 4);
		}
	}
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	kernel_file("/proc/net/netlink", text);
	assert_false(umad_nldev_known());
	play("rdma");
	fakesys_fail_path(KERNEL_READ, "/proc/net/netlink", EIO);
	assert_false(umad_nldev_known());
}

MONITOR_TEST(many_other_messages_end_a_read)
{
	int reads = 1;

	play("open");
	play("says !eth0*1000");
	for (; next_event() == 0 && is_readable(0); reads++)
		assert_true(reads < 100);
	assert_between(reads, 2, 10);
	play("count waiting-uevents 0");
}

/* A program that was compiled with another version of the header. Its structure is never smaller
 * than that of the first release: such a size is a mistake, and loses no event. */
MONITOR_TEST(events_have_the_size_of_the_program)
{
	const size_t first = offsetof(struct umad_event, node) + UMAD_EVENT_NAME_LEN;
	struct {
		struct umad_event event;
		uint8_t later_members[100], guard;
	} longer;
	size_t size, i;

	play("open");
	play("host +mlx5_0 +mlx5_1");
	play("says +mlx5_0");
	memset(&longer, 0xff, sizeof(longer));
	for (size = 0; size < first; size += 4) {
		assert_errno(umad_monitor_read_sized(monitor, &longer.event, size, 0), EINVAL);
		assert_int_equal(longer.event.type, UINT32_MAX);
	}
	assert_int_equal(umad_monitor_read_sized(monitor, &longer.event, first, 0), 1);
	assert_string_equal(longer.event.ca_name, "mlx5_0");
	assert_int_equal(longer.event.type, UMAD_EVENT_DEVICE_ADDED);
	assert_int_equal(longer.later_members[0], 0xff);
	size = offsetof(__typeof__(longer), guard);
	assert_int_equal(umad_monitor_read_sized(monitor, &longer.event, size, 0), 1);
	assert_int_equal(longer.event.type, UMAD_EVENT_PORT_CHANGED);
	for (i = 0; i < sizeof(longer.later_members); i++)
		assert_int_equal(longer.later_members[i], 0);
	assert_int_equal(longer.guard, 0xff);
}

MONITOR_TEST(types_have_words)
{
	assert_string_equal(umad_event_str(UMAD_EVENT_DEVICE_ADDED), "device added");
	assert_string_equal(umad_event_str(UMAD_EVENT_OVERRUN), "overrun");
	for (int type = UMAD_EVENT_DEVICE_ADDED; type <= UMAD_EVENT_OVERRUN; type++)
		assert_string_not_equal(umad_event_str(type), "<unknown>");
	assert_string_equal(umad_event_str(0), "<unknown>");
	assert_string_equal(umad_event_str(UMAD_EVENT_OVERRUN + 1), "<unknown>");
	assert_string_equal(umad_event_str(UINT_MAX), "<unknown>");
}

/*
 * Costs
 */

enum { DEVICES = 128 };

static void add_devices(void)
{
	char name[UMAD_CA_NAME_LEN];

	for (unsigned i = 0; i < DEVICES; i++) {
		snprintf(name, sizeof(name), "mlx5_%u", i);
		kernel_ca(name, 1, 1, i);
	}
}

/* An IPoIB interface says by its address which port it belongs to; all are read if that is none of
 * them. */
MONITOR_TEST(only_the_port_of_an_ipoib_interface_is_read)
{
	char path[64];
	int i;

	add_devices();
	play("open");
	play("port mlx5_3 state=2");
	fakesys_forget();
	for (i = 0; i < 3; i++)
		play("link 5 up ipoib 0x0002c90300000004");
	play("sees mlx5_3:state;state=2");
	for (i = 0; i < DEVICES; i++) {
		snprintf(path, sizeof(path), "/sys/class/infiniband/mlx5_%d/ports/", i);
		assert_int_equal(fakesys_opened(path), i == 3 ? 8 : 0);
	}
	play("link 5 up ipoib 0x0002c903000003e7");
	play("sees");
	assert_int_equal(fakesys_opened("/sys/class/infiniband/mlx5_127/ports/"), 8);
}

/* Each of 127 virtual functions that are added one after the other is read once. */
MONITOR_TEST(many_devices_cost_little)
{
	enum { FUNCTIONS = 127, FILES_OF_A_PORT = 9, OTHER_FILES = 4, NETLINK = 1 };
	char statement[80];

	play("host +mlx5_0/0");
	play("open");
	for (int i = 1; i <= FUNCTIONS; i++) {
		snprintf(statement, sizeof(statement), "host +mlx5_%d/%d", i, i);
		play(statement);
		snprintf(statement, sizeof(statement), "says +umad%d +mlx5_%d", i, i);
		play(statement);
		fakesys_forget();
		snprintf(statement, sizeof(statement), "sees +mlx5_%d +umad%d@mlx5_%d.1", i, i, i);
		play(statement);
		assert_int_equal(fakesys_count(KERNEL_OPEN),
				 FILES_OF_A_PORT + OTHER_FILES + NETLINK);
	}
}

/* On a large host a scan may take longer than the interval: a read ends nevertheless. */
MONITOR_TEST(scans_longer_than_the_interval_end)
{
	add_devices();
	play("open");
	play("monitor interval 1");
	play("monitor waits");
	assert_int_equal(next_event(), 0);
}

/* The natural first program: a port without IPoIB goes down, and the kernel sends no message. */
MONITOR_TEST(ports_are_scanned_by_default)
{
	play("host +mlx5_0/0");
	monitor = umad_monitor_open(0);
	assert_non_null(monitor);
	play("port mlx5_0 state=1");
	assert_true(is_readable(PATIENCE_MS));
	assert_int_equal(next_event(), 1);
	assert_int_equal(event.type, UMAD_EVENT_PORT_CHANGED);
	assert_int_equal(event.state, 1);
}
