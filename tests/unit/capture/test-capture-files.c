/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-capture-files.c - which files captures make, replace and leave alone
 * (libibumad/capture/file.c). Devices and FIFOs are left alone in environment.sh.
 */
#include "recording.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

CASE(the_file_is_the_owners_alone)
{
	mode_t mask = umask(0);
	struct stat status;
	char path[100];
	int fd, flags;

	fd = open("/dev/null", O_RDONLY);
	close(fd);
	assert_int_equal(umad_capture_start(name, 0), 0);
	umask(mask);
	assert_int_equal(stat(name, &status), 0);
	assert_int_equal(status.st_mode, S_IFREG | 0600);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd); /* the lowest that was free */
	flags = fcntl(fd, F_GETFD);
	assert_true(flags >= 0);
	assert_true(flags & FD_CLOEXEC);
	assert_int_equal(umad_capture_stop(), 0);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

CASE(an_older_file_of_the_user_is_replaced)
{
	char other[PATH_SIZE];

	snprintf(other, sizeof(other), "%s/link", folder);
	put_file(name, "older");
	assert_int_equal(link(name, other), 0);
	assert_int_equal(umad_capture_start(name, 0), 0);
	send_many(1);
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(name, 1);
	assert_content(other, "older"); /* replaced, not written into */
	unlink(other);
}

/* What a process leaves that is killed while it replaces a file. In a container the next one has
 * the same number. */
CASE(what_a_killed_process_left_is_passed_over)
{
	char left[2 * PATH_SIZE], beside[2 * PATH_SIZE];

	snprintf(beside, sizeof(beside), "%s.%d", name, getpid());
	snprintf(left, sizeof(left), "%s/.umad-capture.%d.0", folder, getpid());
	put_file(name, "older");
	put_file(beside, "left");
	put_file(left, "left");
	for (int i = 0; i < 3; i++) {
		assert_int_equal(umad_capture_start(name, 0), 0);
		send_many(1);
		assert_int_equal(umad_capture_stop(), 0);
		assert_packets(name, 1);
	}
	assert_content(beside, "left");
	assert_content(left, "left");
	unlink(beside);
	unlink(left);
}

/* A name as long as names can be, and a path as long as paths can be, with a file there and
 * without. */
CASE(long_names_work_more_than_once)
{
	char path[PATH_MAX], *end = path;
	int i;

	end += snprintf(path, sizeof(path), "%s/", folder);
	memset(end, 'x', NAME_MAX);
	end[NAME_MAX] = '\0';
	for (i = 0; i < 3; i++) {
		assert_int_equal(umad_capture_start(path, 0), 0);
		assert_int_equal(umad_capture_stop(), 0);
	}
	unlink(path);
	while (end + 2 + sizeof("x.pcap") < path + sizeof(path))
		end = stpcpy(end, "./");
	strcpy(end, "x.pcap");
	assert_between(strlen(path), sizeof(path) - 4, sizeof(path) - 1);
	for (i = 0; i < 3; i++) {
		assert_int_equal(umad_capture_start(path, 0), 0);
		assert_int_equal(umad_capture_stop(), 0);
	}
	unlink(path);
}

CASE(other_things_are_left_alone)
{
	char target[PATH_SIZE], missing[PATH_MAX + 1];
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct stat status;
	int fd;

	assert_errno(umad_capture_start(NULL, 0), EINVAL);
	assert_errno(umad_capture_start("", 0), EINVAL);
	assert_errno(umad_capture_start(name, 2), EINVAL);
	assert_errno(umad_capture_start(folder, 0), EPERM);
	assert_errno(umad_capture_start("/dev/stdin/x", 0), ENOTDIR);
	snprintf(missing, sizeof(missing), "%s/no/it.pcap", folder);
	assert_errno(umad_capture_start(missing, 0), ENOENT);
	memset(missing, 'x', sizeof(missing) - 1);
	missing[sizeof(missing) - 1] = '\0';
	assert_errno(umad_capture_start(missing, 0), ENAMETOOLONG);

	snprintf(target, sizeof(target), "%s/target", folder);
	put_file(target, "untouched");
	assert_int_equal(symlink(target, name), 0);
	assert_errno(umad_capture_start(name, 0), ELOOP);
	assert_content(target, "untouched");
	unlink(target);
	assert_errno(umad_capture_start(name, 0), ELOOP); /* nor is it made */
	assert_int_equal(access(target, F_OK), -1);
	unlink(name);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_errno(umad_capture_start(name, 0), EPERM);
	assert_int_equal(lstat(name, &status), 0);
	assert_true(S_ISSOCK(status.st_mode));
	close(fd);
}

CASE(another_users_file_is_left_alone)
{
	put_file(name, "another's");
	if (chown(name, geteuid() + 1, getegid() + 1) < 0)
		skip();
	assert_errno(umad_capture_start(name, 0), EPERM);
	assert_content(name, "another's");
}

TEST_GROUP(make_folder, remove_folder)
