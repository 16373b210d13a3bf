/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The file of a capture, the only file that this library writes. Input: a name, from the program or
 * its environment.
 *
 * In a program with many open files the capture may have a descriptor that a simulator reserves. So
 * openat, writev and the close system call, which simulators do not replace, stand here.
 *
 * Processes that a fork has made share the file and the offset of its end; a lock guards both,
 * which a killed process does not keep. The callers hold the lock of capture.c, with all signals
 * blocked.
 */
#undef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64 /* captures may exceed 2 GB, on 32-bit machines, too */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "libibumad/capture/capture.h"

enum {
	FIRST_FREE_FD = 3,   /* lower numbers are standard streams, even if closed */
	NAMES_TRIED = 100,   /* for the temporary file */
	TEMPORARY_SIZE = 64, /* of a name */
	LOCK_TIMEOUT_S = 1,  /* a process may be stopped while it holds the lock */
};

/* The header of a pcap file, in the machine's byte order, which readers detect by the magic number.
 */
static const struct {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, accuracy;
	uint32_t record_size_max;
	uint32_t link_type;
} header = {
	.magic = 0xa1b23c4d, /* timestamps in nanoseconds */
	.major = 2,
	.minor = 4,
	.record_size_max = 65535,
	.link_type = 197, /* ERF */
};
_Static_assert(sizeof(header) == 24, "pcap: file header");

struct umad_capture_shared {
	pthread_mutex_t lock;
	off_t end; /* of the last whole record */
};

static void close_fd(int fd)
{
	syscall(SYS_close, fd);
}

static struct umad_capture_shared *make_shared(void)
{
	struct umad_capture_shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
						  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t type;

	if (shared == MAP_FAILED)
		return NULL;
	pthread_mutexattr_init(&type);
	pthread_mutexattr_setpshared(&type, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&type, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&shared->lock, &type);
	pthread_mutexattr_destroy(&type);
	return shared;
}

static int lock_shared(struct umad_capture_shared *shared)
{
	int result = pthread_mutex_trylock(&shared->lock); /* TSan sees EOWNERDEAD of this alone */
	struct timespec until;

	if (result == EBUSY) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec += LOCK_TIMEOUT_S;
		result = pthread_mutex_timedlock(&shared->lock, &until);
	}
	if (result == EOWNERDEAD)
		result = pthread_mutex_consistent(&shared->lock);
	return -result;
}

/* Discards the signal of a file beyond its size limit, which would terminate the program. */
static void drop_size_signal(void)
{
	static const struct timespec now = { 0 };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGXFSZ);
	sigtimedwait(&signals, NULL, &now);
}

/* Appends data, in one call unless the disk is almost full. After a failure, settle() removes what
 * has been written. */
static int write_whole(const struct umad_capture_file *file, const void *data, size_t size)
{
	struct iovec left = { .iov_base = (void *)data, .iov_len = size };
	ssize_t count;
	int error = 0;

	while (left.iov_len && !error) {
		count = writev(file->fd, &left, 1);
		if (count > 0) {
			left.iov_base = (char *)left.iov_base + count;
			left.iov_len -= (size_t)count;
		} else if (!count || errno != EINTR) {
			error = count ? -errno : -ENOSPC;
		}
	}
	if (error == -EFBIG)
		drop_size_signal();
	if (!error)
		file->shared->end += (off_t)size;
	return error;
}

/* Creates a file in a directory and writes its header. On failure there is no such file. */
static int create(int directory, const char *path, struct umad_capture_file *file)
{
	struct stat status;
	int moved, error = 0;

	file->shared->end = 0;
	file->fd = openat(directory, path,
			  O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file->fd < 0)
		return -errno;
	if (file->fd < FIRST_FREE_FD) {
		moved = fcntl(file->fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
		error = moved < 0 ? -errno : 0;
		close_fd(file->fd);
		file->fd = moved;
	}
	if (!error)
		error = write_whole(file, &header, sizeof(header));
	if (!error && fstat(file->fd, &status) < 0)
		error = -errno;
	if (!error) {
		file->device = status.st_dev;
		file->inode = status.st_ino;
		return 0;
	}
	if (file->fd >= 0)
		close_fd(file->fd);
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

/* Creates a file with a temporary name in the directory. A killed process, of another container
 * maybe, may have left a file with the same process ID in its name. */
static int create_beside(int directory, struct umad_capture_file *file, char name[TEMPORARY_SIZE])
{
	int i, error = -EEXIST;

	for (i = 0; i < NAMES_TRIED && error == -EEXIST; i++) {
		snprintf(name, TEMPORARY_SIZE, ".umad-capture.%ld.%d", (long)getpid(), i);
		error = create(directory, name, file);
	}
	return error;
}

/* Opens the directory of a file, whose name begins at name in the path. */
static int open_directory(const char *path, const char *name)
{
	char *directory = malloc(strlen(path) + 2);
	int fd;

	if (!directory)
		return -ENOMEM;
	sprintf(directory, "%.*s.", (int)(name - path), path);
	fd = openat(AT_FDCWD, directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	fd = fd < 0 ? -errno : fd;
	free(directory);
	return fd;
}

/* Creates the new file beside the old one, which stays unchanged until the new one is complete. */
static int replace(const char *path, struct umad_capture_file *file)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char beside[TEMPORARY_SIZE];
	int directory, result = check_replaceable(path);

	if (result < 0)
		return result;
	directory = open_directory(path, name);
	if (directory < 0)
		return directory;
	result = create_beside(directory, file, beside);
	if (!result && renameat(directory, beside, directory, name) < 0) {
		result = -errno;
		close_fd(file->fd);
		unlinkat(directory, beside, 0);
	}
	close_fd(directory);
	return result;
}

/* Creates the file, or replaces the existing one, and writes its header. */
int umad_capture_file_create(const char *path, struct umad_capture_file *file)
{
	int error;

	file->shared = make_shared();
	if (!file->shared)
		return -ENOMEM;
	error = create(AT_FDCWD, path, file);
	if (error == -EEXIST)
		error = replace(path, file);
	if (error < 0)
		munmap(file->shared, sizeof(*file->shared));
	return error;
}

/* Whether the descriptor still refers to the file: programs close descriptors that they did not
 * open. */
static int check_descriptor(const struct umad_capture_file *file, struct stat *status)
{
	if (fstat(file->fd, status) < 0)
		return -errno;
	return status->st_dev == file->device && status->st_ino == file->inode ? 0 : -EBADF;
}

/* Makes the file end after its last whole record: a killed process may have left a part of another.
 * A file that somebody has cut begins anew. */
static int settle(const struct umad_capture_file *file)
{
	struct umad_capture_shared *shared = file->shared;
	struct stat status;
	int result = check_descriptor(file, &status);

	if (result < 0 || status.st_size == shared->end)
		return result;
	if (status.st_size < shared->end)
		shared->end = 0;
	if (ftruncate(file->fd, shared->end) < 0)
		return -errno;
	return shared->end ? 0 : write_whole(file, &header, sizeof(header));
}

/* Appends a record. After a failure the next call, such as that of umad_capture_file_close(),
 * removes any part of the record. */
int umad_capture_file_append(const struct umad_capture_file *file, const void *record, size_t size)
{
	int result = lock_shared(file->shared);

	if (result < 0)
		return result;
	result = settle(file);
	if (!result)
		result = write_whole(file, record, size);
	pthread_mutex_unlock(&file->shared->lock);
	return result;
}

/* Returns why the file may be incomplete. */
int umad_capture_file_close(struct umad_capture_file *file)
{
	int result = umad_capture_file_append(file, NULL, 0);
	struct stat status;

	if (!check_descriptor(file, &status))
		close_fd(file->fd);
	munmap(file->shared, sizeof(*file->shared));
	return result;
}
