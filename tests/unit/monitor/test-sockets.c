/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-sockets.c - the monitor on the kernel that the tests run on, with the real libnl-3: opens
 * and closes, waits, leaves nothing behind. What needs InfiniBand devices is shown by tests/kernel.
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <linux/rtnetlink.h>

#include "test.h"
#include "libibumad/netlink/netlink.h"
#include <infiniband/umad_monitor.h>

enum { NOBODY = 65534, WAIT_MS = 50 };

static unsigned int count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int count = 0;

	assert_non_null(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

/* Sandboxes may have no netlink, or no libnl-3. */
static struct umad_monitor *open_monitor(void)
{
	struct umad_monitor *monitor = umad_monitor_open(0);

	if (!monitor) {
		print_message("skipped: %s\n", strerror(errno));
		skip();
	}
	return monitor;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

TEST(nothing_is_left)
{
	struct umad_monitor *monitor, *other;
	unsigned int fds;

	umad_monitor_close(open_monitor());
	fds = count_fds();
	monitor = open_monitor();
	other = open_monitor();
	umad_monitor_close(monitor);
	umad_monitor_close(other);
	assert_int_equal(count_fds(), fds);
}

TEST(a_wait_ends_in_time)
{
	struct umad_monitor *monitor = open_monitor();
	struct umad_event event;
	int64_t start = now_ms();

	assert_int_equal(umad_monitor_read(monitor, &event, WAIT_MS), 0);
	assert_true(now_ms() - start >= WAIT_MS);
	umad_monitor_close(monitor);
}

/* Only the kernel and privileged processes can send to the monitor's sockets; messages of the
 * latter are dropped. */
TEST(a_forged_message_is_dropped)
{
	static const char forged[] = "add@/x/evil\0ACTION=add\0DEVPATH=/x/evil\0"
				     "SUBSYSTEM=infiniband";
	struct sockaddr_nl everybody = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	struct umad_monitor *monitor = open_monitor();
	struct umad_event event;
	ssize_t sent;
	int fd;

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
	assert_true(fd >= 0);
	sent = sendto(fd, forged, sizeof(forged), 0, (struct sockaddr *)&everybody,
		      sizeof(everybody));
	close(fd);
	assert_int_equal(umad_monitor_read(monitor, &event, WAIT_MS), 0);
	umad_monitor_close(monitor);
	if (sent < 0) {
		print_message("skipped: not allowed to forge: %s\n", strerror(errno));
		skip();
	}
}

TEST(an_ordinary_user_may)
{
	struct umad_monitor *monitor;
	int status = -1;
	pid_t child;

	umad_monitor_close(open_monitor());
	child = fork();
	if (!child) {
		if (!geteuid() &&
		    (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY)))
			_exit(2);
		monitor = umad_monitor_open(UMAD_MONITOR_REPORT_PRESENT);
		umad_monitor_close(monitor);
		_exit(monitor ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
		print_message("skipped: this user namespace has no other user\n");
		skip();
	}
	assert_int_equal(status, 0);
}

/* The reply is that of the request, by its sequence number. */
TEST(a_request_has_a_reply)
{
	struct ifinfomsg info = { .ifi_index = 1 };
	struct umad_netlink_request request = { .type = RTM_GETLINK,
						.payload = &info,
						.size = sizeof(info) };
	struct nl_sock *netlink;

	umad_monitor_close(open_monitor());
	assert_int_equal(umad_netlink_open(NETLINK_ROUTE, 0, &netlink), 0);
	assert_int_equal(umad_netlink_ask(netlink, &request), 0);
	info.ifi_index = INT32_MAX;
	assert_int_equal(umad_netlink_ask(netlink, &request), -ENODEV);
	umad_netlink_close(netlink);
}

TEST(a_protocol_that_is_not_there_is_reported)
{
	struct nl_sock *netlink;

	umad_monitor_close(open_monitor());
	errno = EBADF;
	assert_int_equal(umad_netlink_open(31, 0, &netlink), -EPROTONOSUPPORT);
	assert_int_equal(errno, EBADF);
	assert_null(netlink);
}
