/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sysfs, links, descriptors and clock, read and changed without the libraries under test.
 */
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sys.h"

enum {
	ARGUMENTS_MAX = 16,
	WAIT_SECONDS = 10,
	POLL_MS = 5,
};

static void attribute_path(char *path, size_t size, const char *device, const char *attribute)
{
	snprintf(path, size, "/sys/class/infiniband/%s/%s", device, attribute);
}

const char *sys_read(const char *device, const char *attribute, char text[SYS_TEXT_SIZE])
{
	char path[SYS_TEXT_SIZE];
	FILE *file;

	attribute_path(path, sizeof(path), device, attribute);
	file = fopen(path, "r");
	if (!file || !fgets(text, SYS_TEXT_SIZE, file))
		text[0] = '\0';
	if (file)
		fclose(file);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

unsigned long sys_read_number(const char *device, const char *attribute)
{
	char text[SYS_TEXT_SIZE];

	return strtoul(sys_read(device, attribute, text), NULL, 0);
}

void sys_read_gid(const char *device, uint8_t gid[16])
{
	char text[SYS_TEXT_SIZE];
	char *at = text;

	memset(gid, 0, 16);
	sys_read(device, "ports/1/gids/0", text);
	for (int i = 0; i < 8 && *at; i++) {
		unsigned long group = strtoul(at, &at, 16);

		gid[2 * i] = group >> 8;
		gid[2 * i + 1] = group;
		at += *at == ':';
	}
}

bool sys_run(const char *program, ...)
{
	char *arguments[ARGUMENTS_MAX] = { (char *)program };
	int count = 1, status = 0;
	va_list list;
	pid_t child;

	va_start(list, program);
	while (count < ARGUMENTS_MAX - 1 && (arguments[count] = va_arg(list, char *)))
		count++;
	va_end(list);
	child = fork();
	if (!child) {
		unsetenv("LD_PRELOAD"); /* a leak checker is for the tests */
		execvp(program, arguments);
		_exit(127);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* attribute NULL: waits until the device is gone. */
static bool wait_until(const char *device, const char *attribute, const char *begins)
{
	int64_t end = sys_now_ms() + WAIT_SECONDS * 1000;
	char text[SYS_TEXT_SIZE];
	bool met;

	do {
		if (attribute) {
			sys_read(device, attribute, text);
			met = !strncmp(text, begins, strlen(begins));
		} else {
			attribute_path(text, sizeof(text), device, "");
			met = access(text, F_OK) != 0;
		}
		if (!met)
			sys_sleep_ms(POLL_MS);
	} while (!met && sys_now_ms() < end);
	return met;
}

bool sys_wait_for(const char *device, const char *attribute, const char *begins)
{
	return wait_until(device, attribute, begins);
}

bool sys_add_device(const char *device, const char *netdev)
{
	return sys_run("rdma", "link", "add", device, "type", "rxe", "netdev", netdev, NULL) &&
	       wait_until(device, "ports/1/state", "4: ACTIVE");
}

bool sys_delete_device(const char *device)
{
	return sys_run("rdma", "link", "delete", device, NULL) && wait_until(device, NULL, NULL);
}

unsigned sys_count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	if (!dir)
		return 0;
	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 3; /* ".", ".." and the directory itself */
}

int64_t sys_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void sys_sleep_ms(int ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };

	while (nanosleep(&time, &time))
		;
}
