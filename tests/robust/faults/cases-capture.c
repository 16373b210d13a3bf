/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-capture.c - captures. A capture that cannot start leaves files as they were; a capture that
 * cannot go on ends, and does not affect what the program sends.
 */
#include "fabric.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad_capture.h>

static const char old_content[] = "an old file";

/* Makes a new folder. The state is its name. */
static void *make_folder(void)
{
	static char path[] = "/tmp/faults-XXXXXX";

	memcpy(path, "/tmp/faults-XXXXXX", sizeof(path));
	fabric_bare.set_up();
	return mkdtemp(path);
}

static const char *capture_path(const void *folder)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/capture", (const char *)folder);
	return path;
}

/* Removes all files, temporary ones too, and counts them. */
static int clear(const char *folder)
{
	struct dirent *entry;
	int count = 0;
	char path[512];
	DIR *dir;

	fault_enter_kernel();
	dir = opendir(folder);
	while (dir && (entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		count += !unlink(path);
	}
	if (dir)
		closedir(dir);
	fault_leave_kernel();
	return count;
}

static void remove_folder(void *state)
{
	clear(state);
	rmdir(state);
}

static const struct fault_scene folder = { "a folder", make_folder, remove_folder, NULL };

static void put_old_file(const char *path)
{
	FILE *file = fopen(path, "w");

	if (file) {
		fputs(old_content, file);
		fclose(file);
	}
}

static bool has_old_content(const char *path)
{
	char text[64] = "";
	FILE *file = fopen(path, "r");

	if (!file)
		return false;
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return !strcmp(text, old_content);
}

static void start(struct fault_run *run, bool replaces)
{
	const char *path = capture_path(run->state);

	if (replaces)
		put_old_file(path);
	fault_begin(run);
	fault_minus_one(run, umad_capture_start(path, 0));
	if (run->failed && replaces)
		FAULT_EXPECT(run, has_old_content(path));
	if (!run->failed)
		FAULT_EXPECT(run, umad_capture_stop() == 0);
	FAULT_EXPECT(run, clear(run->state) == (replaces || !run->failed));
}

/* The type of the existing file cannot be determined. */
static const struct fault_rule start_rules[] = {
	{ FAULT_BIT(OPENAT), EEXIST, FAULT_REPORTS, { EEXIST, ENOENT } },
};

FAULT_DO(start(run, false), umad_capture_start, NULL, folder, 0, FAULT_RULES(start_rules))
FAULT_DO(start(run, true), umad_capture_start, "instead of an old file", folder, 0)

FAULT(umad_capture_stop, NULL, folder, FAULT_UNKNOWN)
{
	FAULT_EXPECT(run, umad_capture_start(capture_path(run->state), 0) == 0);
	fault_begin(run);
	fault_minus_one(run, umad_capture_stop());
	clear(run->state);
}

/* A MAD that is longer than a segment is copied. */
FAULT(umad_send, "with a capture", folder, FAULT_UNKNOWN)
{
	enum { LENGTH = 300 };
	int fd = umad_open_port("mlx5_0", 1), agent = umad_register(fd, 3, 2, 1, NULL);
	uint8_t *umad = calloc(1, umad_size() + LENGTH), *mad = umad_get_mad(umad);

	umad_set_addr(umad, 7, 1, 0, 0);
	memcpy(mad, "\1\3\2\1", 4);
	memcpy(mad + 24, "\1\1\1", 3); /* RMPP data */
	FAULT_EXPECT(run, umad_capture_start(capture_path(run->state), 0) == 0);
	fault_begin(run);
	fault_refused(run, umad_send(fd, agent, umad, LENGTH, 100, 0), -EIO);
	umad_capture_stop();
	clear(run->state);
	free(umad);
	umad_close_port(fd);
}
