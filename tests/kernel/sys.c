/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See sys.h. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys.h"

enum { WAIT_MS = 10000, LOOK_MS = 5 };

static void attribute_path(char path[SYS_TEXT_SIZE], const char *device, const char *attribute)
{
	snprintf(path, SYS_TEXT_SIZE, "/sys/class/infiniband/%s/%s", device, attribute);
}

const char *sys_read(const char *device, const char *attribute, char text[SYS_TEXT_SIZE])
{
	char path[SYS_TEXT_SIZE];
	FILE *file;

	attribute_path(path, device, attribute);
	file = fopen(path, "r");
	if (!file || !fgets(text, SYS_TEXT_SIZE, file))
		text[0] = '\0';
	if (file)
		fclose(file);
	text[strcspn(text, "\n")] = '\0';
	return text;
}

bool sys_is_umad_of(int fd, const char *device)
{
	char link[64], node[64] = "", umad[64], text[SYS_TEXT_SIZE];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, node, sizeof(node) - 1) < 0)
		return false;
	snprintf(umad, sizeof(umad), "../infiniband_mad/%.30s", strrchr(node, '/') + 1);
	return !strncmp(node, "/dev/infiniband/umad", strlen("/dev/infiniband/umad")) &&
	       !strcmp(sys_read(umad, "ibdev", text), device);
}

/* A leak checker is for the tests. */
bool sys_run(const char *command)
{
	char line[2 * SYS_TEXT_SIZE];

	snprintf(line, sizeof(line), "unset LD_PRELOAD; exec %s", command);
	return system(line) == 0;
}

bool sys_wait_for(const char *device, const char *attribute, const char *begins)
{
	char text[SYS_TEXT_SIZE];

	for (int ms = 0; ms < WAIT_MS; ms += LOOK_MS) {
		if (!strncmp(sys_read(device, attribute, text), begins, strlen(begins)))
			return true;
		usleep(LOOK_MS * 1000);
	}
	return false;
}

bool sys_add_device(const char *device, const char *netdev)
{
	char command[SYS_TEXT_SIZE];

	snprintf(command, sizeof(command), "rdma link add %s type rxe netdev %s", device, netdev);
	return sys_run(command) && sys_wait_for(device, "ports/1/state", "4: ACTIVE");
}

bool sys_delete_device(const char *device)
{
	char command[SYS_TEXT_SIZE];
	int ms = 0;

	snprintf(command, sizeof(command), "rdma link delete %s", device);
	if (!sys_run(command))
		return false;
	for (attribute_path(command, device, ""); !access(command, F_OK) && ms < WAIT_MS;
	     ms += LOOK_MS)
		usleep(LOOK_MS * 1000);
	return ms < WAIT_MS;
}

unsigned sys_count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned count = 0;

	while (dir && readdir(dir))
		count++;
	closedir(dir);
	return count - 3; /* ".", ".." and the directory itself */
}
