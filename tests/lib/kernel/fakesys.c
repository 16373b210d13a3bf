/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakesys.c - the failures that tests of fakesys ask for, setup and teardown. Setup empties
 * everything, so that no test sees what another left.
 */
#include "fakesys.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FAILURES = 64 };

struct failure {
	enum kernel_call call;
	char path[KERNEL_PATH_SIZE]; /* "": the call with this number */
	int number;
	int error;
};

static struct failure failures[MAX_FAILURES];
static int failure_count;
static int counts[KERNEL_CALL_COUNT];
static char (*opened)[KERNEL_PATH_SIZE];
static int opened_count, opened_size;
static int opens_left;
static void (*at_open)(void);

static struct failure *add_failure(enum kernel_call call, int error)
{
	assert_between(failure_count, 0, MAX_FAILURES - 1);
	failures[failure_count] = (struct failure){ .call = call, .error = error };
	return &failures[failure_count++];
}

void fakesys_fail_path(enum kernel_call call, const char *path, int error)
{
	snprintf(add_failure(call, error)->path, KERNEL_PATH_SIZE, "%s", path);
}

void fakesys_fail_nth(enum kernel_call call, int nth, int error)
{
	add_failure(call, error)->number = counts[call] + nth;
}

bool fakesys_fails(enum kernel_call call, const char *path)
{
	counts[call]++;
	for (int i = 0; i < failure_count; i++) {
		if (failures[i].call != call)
			continue;
		if (failures[i].path[0] ? path && !strcmp(failures[i].path, path)
					: failures[i].number == counts[call]) {
			errno = failures[i].error;
			return true;
		}
	}
	return false;
}

int fakesys_count(enum kernel_call call)
{
	return counts[call];
}

static void note_opened(const char *path, int flags)
{
	bool device = !strncmp(path, "/dev/", 5);

	if (flags != O_DIRECTORY) {
		assert_int_equal(flags,
				 O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (device ? O_RDWR : O_RDONLY));
		pthread_testcancel();
	}
	if (opened_count == opened_size) {
		opened_size = opened_size ? 2 * opened_size : 256;
		opened = kernel_allocate(opened, (size_t)opened_size * sizeof(*opened));
	}
	snprintf(opened[opened_count++], KERNEL_PATH_SIZE, "%s", path);
	if (opens_left && !--opens_left)
		at_open();
}

void fakesys_at_open(int nth, void (*happens)(void))
{
	opens_left = nth;
	at_open = happens;
}

int fakesys_opened(const char *path_begin)
{
	int i, found = 0;

	for (i = 0; i < opened_count; i++)
		found += !strncmp(opened[i], path_begin, strlen(path_begin));
	return found;
}

const char *fakesys_last_device(void)
{
	int i = opened_count;

	while (i > 0 && strncmp(opened[i - 1], "/dev/", 5) != 0)
		i--;
	return i ? opened[i - 1] : "";
}

void fakesys_forget(void)
{
	memset(counts, 0, sizeof(counts));
	failure_count = 0;
	opened_count = 0;
	opens_left = 0;
}

static int open_by_path(const char *path)
{
	return kernel_has(path) ? KERNEL_UNUSED : -ENOENT;
}

static const struct kernel_policy policy = {
	.virtual_time = true,
	.lists_dots = true,
	.fails = fakesys_fails,
	.check_open = note_opened,
	.open_device = open_by_path,
	.read = fakesys_device_read,
	.write = fakesys_device_write,
	.poll = fakesys_device_poll,
	.ioctl = fakesys_device_ioctl,
};

int fakesys_open_device(void)
{
	int fd = kernel_open_device(KERNEL_UNUSED);

	assert_true(fd >= 0);
	return fd;
}

int fakesys_setup(void **state)
{
	(void)state;
	kernel_reset(&policy, 0);
	fakesys_forget();
	fakesys_device_reset();
	fakesys_memory_reset();
	return 0;
}

int fakesys_teardown(void **state)
{
	if (kernel_count_open())
		fail_msg("%d descriptors and directories were left open", kernel_count_open());
	if (fakesys_device_left())
		fail_msg("%d expected calls did not come", fakesys_device_left());
	fakesys_memory_check();
	fakesys_setup(state);
	kernel_release(opened);
	opened = NULL;
	opened_size = 0;
	return 0;
}
