/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every descriptor that the libraries open closes when another program is started. Here: those of
 * real kernel objects; test-paths.c sees the flags that files and devices are opened with.
 */
#include "test.h"
#include "fakeumad.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mad_async.h>
#include <infiniband/umad_monitor.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DESCRIPTORS 1024

/* Which descriptors there are, that of the directory aside. */
static void list(bool open[DESCRIPTORS])
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	memset(open, 0, DESCRIPTORS * sizeof(*open));
	if (!dir)
		skip();
	while ((entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && fd != dirfd(dir) && fd < DESCRIPTORS)
			open[fd] = true;
	}
	closedir(dir);
}

/* Checks those that were not there before; returns how many there are. */
static unsigned check_new(const bool before[DESCRIPTORS])
{
	bool now[DESCRIPTORS];
	unsigned found = 0;

	list(now);
	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		if (!now[fd] || before[fd])
			continue;
		found++;
		assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	}
	return found;
}

TEST(checker_finds_one_that_stays_open)
{
	bool before[DESCRIPTORS], now[DESCRIPTORS];
	int fd;

	list(before);
	fd = open("/dev/null", O_RDONLY);
	list(now);
	assert_true(now[fd] && !before[fd]);
	assert_false(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
}

TEST(monitors_descriptors)
{
	bool before[DESCRIPTORS];
	struct umad_monitor *monitor;

	list(before);
	monitor = umad_monitor_open(0);
	if (!monitor) {
		print_message("no monitor here: %s\n", strerror(errno));
		skip();
	}
	assert_between(check_new(before), 2, DESCRIPTORS);
	umad_monitor_close(monitor);
	assert_int_equal(check_new(before), 0);
}

FAKEUMAD_TEST(descriptor_of_asynchronous_requests)
{
	bool before[DESCRIPTORS];
	struct mad_async *async;

	list(before);
	async = mad_async_create(*state, NULL, 0);
	assert_non_null(async);
	assert_between(mad_async_get_fd(async), 0, DESCRIPTORS - 1);
	assert_int_equal(check_new(before), 3); /* epoll's, a timer and an event */
	mad_async_free(async);
	assert_int_equal(check_new(before), 0);
}
