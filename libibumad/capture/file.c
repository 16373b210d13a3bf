/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The file of a capture, the only file that this library writes. Input: its name, from the program
 * or its environment.
 *
 * This file is not part of the kernel's InfiniBand interface, and must reach the disk even under a
 * simulator. Simulators replace open, write and close, and reserve descriptors from some number
 * upwards; in a program with many open files, the descriptor of the capture may be one of those. So
 * this file avoids those three calls: openat, writev and the close system call do the same and
 * always reach the kernel.
 */
#undef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64 /* captures may exceed 2 GB, on 32-bit machines, too */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "libibumad/capture/capture.h"

enum {
	FIRST_FREE_FD = 3,   /* lower numbers are standard streams, even if closed */
	NAMES_TRIED = 100,   /* for the temporary file */
	TEMPORARY_SIZE = 64, /* size of its name */
};

static void close_fd(int fd)
{
	syscall(SYS_close, fd);
}

/* Exceeding a size limit also raises a signal that terminates programs. The callers block all
 * signals, so it is discarded here. */
static void drop_size_signal(void)
{
	static const struct timespec now = { 0 };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGXFSZ);
	sigtimedwait(&signals, NULL, &now);
}

/* Returns the number of bytes written, or a negative errno if none were. */
static ssize_t write_some(int fd, const void *data, size_t size)
{
	struct iovec part = { .iov_base = (void *)data, .iov_len = size };
	ssize_t count;

	do
		count = writev(fd, &part, 1);
	while (count < 0 && errno == EINTR);
	if (count > 0)
		return count;
	if (count == 0)
		return -ENOSPC;
	if (errno == EFBIG)
		drop_size_signal();
	return -errno;
}

/* One call writes everything unless the disk is almost full: then the next call fails. */
static int write_all(int fd, const uint8_t *data, size_t size)
{
	ssize_t count;

	while (size) {
		count = write_some(fd, data, size);
		if (count < 0)
			return (int)count;
		data += count;
		size -= (size_t)count;
	}
	return 0;
}

/* Creates a file in a directory and writes its header. On failure there is no such file. */
static int create(int directory, const char *path, const void *header, size_t size,
		  struct umad_capture_file *file)
{
	struct stat status;
	int moved, error;
	int fd = openat(directory, path,
			O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return -errno;
	if (fd < FIRST_FREE_FD) {
		moved = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
		error = moved < 0 ? -errno : 0;
		close_fd(fd);
		fd = moved;
	} else {
		error = 0;
	}
	if (!error)
		error = write_all(fd, header, size);
	if (!error && fstat(fd, &status) < 0)
		error = -errno;
	if (!error) {
		*file = (struct umad_capture_file){ fd, status.st_dev, status.st_ino };
		return 0;
	}
	if (fd >= 0)
		close_fd(fd);
	unlinkat(directory, path, 0);
	return error;
}

/* Whether an existing file of that name may be replaced. */
static int check_replaceable(const char *path)
{
	struct stat status;

	if (fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	if (S_ISLNK(status.st_mode))
		return -ELOOP;
	return S_ISREG(status.st_mode) && status.st_uid == geteuid() ? 0 : -EPERM;
}

/* Creates a file with a temporary name in the directory. A process that was killed may have left
 * one with the same process ID in its name, even if no other process in this container has that
 * ID. */
static int create_beside(int directory, const void *header, size_t size,
			 struct umad_capture_file *file, char name[TEMPORARY_SIZE])
{
	int i, error = -EEXIST;

	for (i = 0; i < NAMES_TRIED && error == -EEXIST; i++) {
		snprintf(name, TEMPORARY_SIZE, ".umad-capture.%ld.%d", (long)getpid(), i);
		error = create(directory, name, header, size, file);
	}
	return error;
}

/* Opens the directory of a file, and finds where the file's name begins in the path. */
static int open_directory(const char *path, const char **name)
{
	const char *slash = strrchr(path, '/');
	char directory[PATH_MAX];
	int fd, length;

	*name = slash ? slash + 1 : path;
	length = snprintf(directory, sizeof(directory), "%.*s.", (int)(*name - path), path);
	if (length < 0 || (size_t)length >= sizeof(directory))
		return -ENAMETOOLONG;
	fd = openat(AT_FDCWD, directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Creates the new file beside the old one, which stays unchanged until the new one is complete. */
static int replace(const char *path, const void *header, size_t size,
		   struct umad_capture_file *file)
{
	char beside[TEMPORARY_SIZE];
	const char *name;
	int directory;
	int result = check_replaceable(path);

	if (result < 0)
		return result;
	directory = open_directory(path, &name);
	if (directory < 0)
		return directory;
	result = create_beside(directory, header, size, file, beside);
	if (!result && renameat(directory, beside, directory, name) < 0) {
		result = -errno;
		close_fd(file->fd);
		unlinkat(directory, beside, 0);
	}
	close_fd(directory);
	return result;
}

/* Creates the file, or replaces the existing one, and writes its header. */
int umad_capture_file_create(const char *path, const void *header, size_t size,
			     struct umad_capture_file *file)
{
	int error = create(AT_FDCWD, path, header, size, file);

	return error == -EEXIST ? replace(path, header, size, file) : error;
}

/* Programs close descriptors that they did not open; the number may then be that of another
 * file. */
static int check_descriptor(const struct umad_capture_file *file, struct stat *status)
{
	if (fstat(file->fd, status) < 0 || status->st_dev != file->device ||
	    status->st_ino != file->inode)
		return -EBADF;
	return 0;
}

/* Appends a record, in one call. On failure, no part of it is left in the file. The caller blocks
 * all signals. */
int umad_capture_file_append(const struct umad_capture_file *file, const void *record, size_t size)
{
	struct stat before, after;
	int result = check_descriptor(file, &before);

	if (result < 0)
		return result;
	result = write_all(file->fd, record, size);
	if (result < 0 && !fstat(file->fd, &after) && after.st_size > before.st_size &&
	    after.st_size < before.st_size + (off_t)size && ftruncate(file->fd, before.st_size) < 0)
		result = -EIO;
	return result;
}

void umad_capture_file_close(struct umad_capture_file *file)
{
	struct stat status;

	if (!check_descriptor(file, &status))
		close_fd(file->fd);
}
