/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * fakesys.c - the calls of fakesys for files and directories, the failures that tests ask for,
 * setup and teardown. Setup empties everything, so that no test sees what another left.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fakesys-internal.h"
#include "../assert-between.h"

enum {
	MAX_FAILURES = 16,
	MAX_DIRECTORIES = 4,
	FIRST_FD = 1024, /* as in simulators: no descriptor that the kernel could have given */
	MAX_FD = 16,
	DEVICE_WITHOUT_PATH = -1,
};

struct failure {
	enum fakesys_call call;
	char path[FAKESYS_PATH_SIZE]; /* "": the call with this number */
	int number;
	int error;
};

struct directory {
	bool open;
	size_t prefix_length;
	char prefix[FAKESYS_PATH_SIZE];
	int at;
	struct dirent entry;
};

static struct failure failures[MAX_FAILURES];
static int failure_count;
static int counts[FAKESYS_CALLS];
static struct {
	bool open;
	int file;
	size_t at;
} descriptors[MAX_FD];
static struct directory directories[MAX_DIRECTORIES];
static char (*opened)[FAKESYS_PATH_SIZE];
static int opened_count, opened_room;

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_read(int fd, void *buffer, size_t size);
DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *dir);
int __real_closedir(DIR *dir);

int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *dir);
int __wrap_closedir(DIR *dir);

/*
 * Failures and counts
 */

static struct failure *add_failure(enum fakesys_call call, int error)
{
	assert_between(failure_count, 0, MAX_FAILURES - 1);
	failures[failure_count] = (struct failure){ .call = call, .error = error };
	return &failures[failure_count++];
}

void fakesys_fail_path(enum fakesys_call call, const char *path, int error)
{
	snprintf(add_failure(call, error)->path, FAKESYS_PATH_SIZE, "%s", path);
}

void fakesys_fail_nth(enum fakesys_call call, int nth, int error)
{
	add_failure(call, error)->number = counts[call] + nth;
}

/* Counts a call, and says with errno whether it is to fail. */
bool fakesys_fails(enum fakesys_call call, const char *path)
{
	int i;

	counts[call]++;
	for (i = 0; i < failure_count; i++) {
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

int fakesys_count(enum fakesys_call call)
{
	return counts[call];
}

static void note_opened(const char *path)
{
	if (opened_count == opened_room) {
		opened_room = opened_room ? 2 * opened_room : 256;
		opened = __real_realloc(opened, (size_t)opened_room * FAKESYS_PATH_SIZE);
	}
	snprintf(opened[opened_count++], FAKESYS_PATH_SIZE, "%s", path);
}

int fakesys_opened(const char *path_begin)
{
	int i, found = 0;

	for (i = 0; i < opened_count; i++)
		found += !strncmp(opened[i], path_begin, strlen(path_begin));
	return found;
}

void fakesys_forget(void)
{
	memset(counts, 0, sizeof(counts));
	failure_count = 0;
	opened_count = 0;
}

/*
 * Setup and teardown
 */

int fakesys_setup(void **state)
{
	(void)state;
	fakesys_remove("");
	fakesys_forget();
	fakesys_device_reset();
	fakesys_memory_reset();
	memset(descriptors, 0, sizeof(descriptors));
	memset(directories, 0, sizeof(directories));
	return 0;
}

int fakesys_teardown(void **state)
{
	int i;

	for (i = 0; i < MAX_FD; i++)
		if (descriptors[i].open)
			fail_msg("descriptor %d was left open", FIRST_FD + i);
	for (i = 0; i < MAX_DIRECTORIES; i++)
		if (directories[i].open)
			fail_msg("directory %s was left open", directories[i].prefix);
	if (fakesys_device_left())
		fail_msg("%d expected calls did not come", fakesys_device_left());
	fakesys_memory_check();
	fakesys_setup(state);
	__real_free(opened);
	opened = NULL;
	opened_room = 0;
	return 0;
}

/*
 * Descriptors
 */

static bool is_ours(const char *path)
{
	return !strncmp(path, "/sys/class/infiniband", 21) ||
	       !strncmp(path, "/dev/infiniband", 15) || !strcmp(path, "/proc/net/netlink");
}

static int new_descriptor(int file)
{
	int i;

	for (i = 0; i < MAX_FD; i++) {
		if (descriptors[i].open)
			continue;
		descriptors[i].open = true;
		descriptors[i].file = file;
		descriptors[i].at = 0;
		return FIRST_FD + i;
	}
	errno = EMFILE;
	return -1;
}

int fakesys_open_device(void)
{
	return new_descriptor(DEVICE_WITHOUT_PATH);
}

bool fakesys_is_descriptor(int fd)
{
	return fd >= FIRST_FD && fd < FIRST_FD + MAX_FD;
}

static struct fakesys_file *file_of(int fd)
{
	int file = descriptors[fd - FIRST_FD].file;

	return file == DEVICE_WITHOUT_PATH ? NULL : fakesys_file_number(file);
}

static const char *path_of(int fd)
{
	return file_of(fd) ? file_of(fd)->path : NULL;
}

static bool is_open(int fd)
{
	if (!descriptors[fd - FIRST_FD].open)
		errno = EBADF;
	return descriptors[fd - FIRST_FD].open;
}

bool fakesys_is_device(int fd)
{
	return is_open(fd) && (!file_of(fd) || !strncmp(path_of(fd), "/dev/", 5));
}

int __wrap_open(const char *path, int flags, ...)
{
	bool device = !strncmp(path, "/dev/", 5);
	va_list args;
	int mode, file;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, int) : 0;
	va_end(args);
	if (!is_ours(path))
		return __real_open(path, flags, mode);
	pthread_testcancel();
	assert_int_equal(flags, O_CLOEXEC | (device ? O_RDWR | O_NONBLOCK : O_RDONLY));
	pthread_testcancel();
	note_opened(path);
	if (fakesys_fails(FAKESYS_OPEN, path))
		return -1;
	file = fakesys_find_file(path);
	if (file >= 0)
		return new_descriptor(file);
	errno = ENOENT;
	return -1;
}

int __wrap_close(int fd)
{
	if (!fakesys_is_descriptor(fd))
		return __real_close(fd);
	pthread_testcancel();
	if (!is_open(fd))
		return -1;
	descriptors[fd - FIRST_FD].open = false;
	return fakesys_fails(FAKESYS_CLOSE, path_of(fd)) ? -1 : 0;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	struct fakesys_file *file;
	size_t *at;

	if (!fakesys_is_descriptor(fd))
		return __real_read(fd, buffer, size);
	pthread_testcancel();
	if (!is_open(fd) || fakesys_fails(FAKESYS_READ, path_of(fd)))
		return -1;
	if (fakesys_is_device(fd))
		return fakesys_device_read(buffer, size);
	file = file_of(fd);
	if (!file->content) {
		errno = EISDIR;
		return -1;
	}
	at = &descriptors[fd - FIRST_FD].at;
	size = file->size - *at < size ? file->size - *at : size;
	memcpy(buffer, file->content + *at, size);
	*at += size;
	return (ssize_t)size;
}

/*
 * Directories
 */

static struct directory *directory_of(DIR *dir)
{
	struct directory *directory = (struct directory *)dir;

	return directory >= directories && directory < directories + MAX_DIRECTORIES ? directory
										     : NULL;
}

/* Whether there is such a directory; else errno says what there is. */
static bool is_directory(const char *path)
{
	struct fakesys_file *file;
	int i;

	for (i = 0; (file = fakesys_file_number(i)); i++) {
		if (!fakesys_is_at_or_below(file->path, path))
			continue;
		errno = ENOTDIR;
		return !file->content || strcmp(file->path, path) != 0;
	}
	errno = ENOENT;
	return false;
}

DIR *__wrap_opendir(const char *path)
{
	struct directory *directory = directories;

	if (!is_ours(path))
		return __real_opendir(path);
	note_opened(path);
	if (fakesys_fails(FAKESYS_OPENDIR, path) || !is_directory(path))
		return NULL;
	while (directory->open)
		directory++;
	assert_non_null(directory_of((DIR *)directory));
	*directory = (struct directory){ .open = true, .at = -2 };
	directory->prefix_length =
		(size_t)snprintf(directory->prefix, sizeof(directory->prefix), "%s/", path);
	return (DIR *)directory;
}

/* What the path of a file is within the directory; NULL if it is elsewhere. */
static const char *path_within(const struct directory *directory, int number)
{
	const char *path = fakesys_file_number(number)->path;

	if (strncmp(path, directory->prefix, directory->prefix_length) != 0)
		return NULL;
	return path + directory->prefix_length;
}

/* Puts the name that a file has in the directory into its entry, if none before has the same. */
static bool set_entry(struct directory *directory, int number)
{
	const char *path = path_within(directory, number), *other;
	char name[sizeof(directory->entry.d_name)];
	int before;

	if (!path)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(path, "/"), path);
	for (before = 0; before < number; before++) {
		other = path_within(directory, before);
		if (other && fakesys_is_at_or_below(other, name))
			return false;
	}
	strcpy(directory->entry.d_name, name);
	return true;
}

struct dirent *__wrap_readdir(DIR *dir)
{
	struct directory *directory = directory_of(dir);

	if (!directory)
		return __real_readdir(dir);
	pthread_testcancel();
	if (fakesys_fails(FAKESYS_READDIR, NULL))
		return NULL;
	if (directory->at < 0) {
		strcpy(directory->entry.d_name, directory->at++ == -2 ? "." : "..");
		return &directory->entry;
	}
	while (fakesys_file_number(directory->at))
		if (set_entry(directory, directory->at++))
			return &directory->entry;
	return NULL;
}

int __wrap_closedir(DIR *dir)
{
	struct directory *directory = directory_of(dir);

	if (!directory)
		return __real_closedir(dir);
	pthread_testcancel();
	assert_true(directory->open);
	directory->open = false;
	return 0;
}
