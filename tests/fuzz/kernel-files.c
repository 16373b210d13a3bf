/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sysfs in the memory of the fuzz targets' kernel: a list of paths, from which directories follow.
 * Whatever is asked for must lie below the directories that the libraries have business with.
 */
#include <errno.h>
#include <stdio.h>

#include "kernel-internal.h"

enum { BUCKETS = 256, MAX_FILES = 96, PATH_SIZE = 160, MAX_DIRS = 8 };

struct file {
	char path[PATH_SIZE];
	size_t length;
	uint8_t next;	     /* one more than the number of the next in its bucket */
	const char *content; /* NULL: a directory */
	size_t size;
};

struct dir {
	bool open;
	size_t length; /* of the prefix, slash included */
	char prefix[PATH_SIZE];
	int at;
	struct dirent entry;
};

static struct file files[MAX_FILES];
static int file_count;
static uint8_t buckets[BUCKETS]; /* by the hash of the path; as next */
static struct {
	bool open;
	const struct file *file;
	size_t at;
} opened[MAX_OPEN_FILES];
static struct dir dirs[MAX_DIRS];

void fuzz_files_start(void)
{
	file_count = 0;
	memset(buckets, 0, sizeof(buckets));
}

void fuzz_files_end(void)
{
	int i;

	for (i = 0; i < MAX_OPEN_FILES; i++)
		FUZZ_CHECK(!opened[i].open);
	for (i = 0; i < MAX_DIRS; i++)
		FUZZ_CHECK(!dirs[i].open);
}

bool fuzz_files_own(const char *path)
{
	return !strncmp(path, "/sys/class/infiniband", 21) || !strcmp(path, "/proc/net/netlink");
}

/* The middle is looked at first, since it is where paths differ. */
static bool is_at_or_below(const struct file *file, const char *top, size_t length)
{
	return file->length >= length && (file->path[length] == '/' || !file->path[length]) &&
	       file->path[length - 1] == top[length - 1] && !memcmp(file->path, top, length);
}

static uint8_t *bucket_of(const char *path, size_t *length)
{
	uint32_t hash = 2166136261;
	const char *at;

	for (at = path; *at; at++)
		hash = (hash ^ (uint8_t)*at) * 16777619;
	*length = (size_t)(at - path);
	return &buckets[(hash ^ hash >> 16) % BUCKETS];
}

static struct file *find_in(uint8_t bucket, const char *path, size_t length)
{
	struct file *file;

	for (; bucket; bucket = file->next) {
		file = &files[bucket - 1];
		if (file->length == length && !memcmp(file->path, path, length))
			return file;
	}
	return NULL;
}

static struct file *find(const char *path)
{
	size_t length;
	const uint8_t *bucket = bucket_of(path, &length);

	return find_in(*bucket, path, length);
}

void fuzz_kernel_file(const char *path, const char *content, size_t size)
{
	size_t length;
	uint8_t *bucket = bucket_of(path, &length);
	struct file *file = find_in(*bucket, path, length);

	if (!file && (file_count == MAX_FILES || length >= PATH_SIZE))
		return;
	if (!file) {
		file = &files[file_count++];
		file->length = length;
		memcpy(file->path, path, length + 1);
		file->next = *bucket;
		*bucket = (uint8_t)file_count;
	}
	file->content = content;
	file->size = size;
}

void fuzz_kernel_remove(const char *path)
{
	size_t length = strlen(path);
	int i, kept = 0;
	uint8_t *bucket;

	memset(buckets, 0, sizeof(buckets));
	for (i = 0; i < file_count; i++) {
		if (is_at_or_below(&files[i], path, length))
			continue;
		files[kept] = files[i];
		bucket = bucket_of(files[kept].path, &files[kept].length);
		files[kept].next = *bucket;
		*bucket = (uint8_t)++kept;
	}
	file_count = kept;
}

bool fuzz_kernel_has(const char *path)
{
	size_t length = strlen(path);
	int i;

	for (i = 0; i < file_count; i++)
		if (is_at_or_below(&files[i], path, length))
			return true;
	return false;
}

void fuzz_kernel_fail_files(bool on)
{
	fuzz_kernel.fail_files = on;
}

void fuzz_kernel_one_hca(void)
{
	static const char *const tree[][2] = {
		{ "/sys/class/infiniband_mad/umad0/ibdev", "mlx5_0\n" },
		{ "/sys/class/infiniband_mad/umad0/port", "1\n" },
		{ "/sys/class/infiniband_mad/abi_version", "5\n" },
	};
	size_t i;

	for (i = 0; i < sizeof(tree) / sizeof(tree[0]); i++)
		fuzz_kernel_file(tree[i][0], tree[i][1], strlen(tree[i][1]));
}

/* One byte of input decides, where the target wants that: one call in eight fails. */
static bool fails(void)
{
	if (!fuzz_kernel.fail_files || (fuzz_u8(fuzz_kernel.input) & 0xe0) != 0xe0)
		return false;
	errno = fuzz_kernel_errno(fuzz_kernel.input);
	if (errno == EINTR && !fuzz_kernel.input->left)
		errno = EIO;
	return true;
}

/* No name may lead out of the class directories. */
static void check_path(const char *path)
{
	const char *at;

	for (at = path; *at; at++)
		FUZZ_CHECK(*at != '/' || (at[1] != '.' && at[1] != '/' && at[1]));
	FUZZ_CHECK(at - path < 384);
}

int fuzz_files_open(const char *path)
{
	const struct file *file = find(path);
	int i;

	check_path(path);
	if (fails())
		return -1;
	if (!file)
		return fuzz_failed(ENOENT);
	for (i = 0; i < MAX_OPEN_FILES; i++) {
		if (opened[i].open)
			continue;
		opened[i].open = true;
		opened[i].file = file;
		opened[i].at = 0;
		return FIRST_FILE + i;
	}
	return fuzz_failed(EMFILE);
}

int fuzz_files_close(int fd)
{
	FUZZ_CHECK(opened[fd - FIRST_FILE].open);
	opened[fd - FIRST_FILE].open = false;
	return 0;
}

ssize_t fuzz_files_read(int fd, void *buffer, size_t size)
{
	const struct file *file = opened[fd - FIRST_FILE].file;
	size_t *at = &opened[fd - FIRST_FILE].at;

	FUZZ_CHECK(opened[fd - FIRST_FILE].open);
	if (fails())
		return -1;
	if (!file->content)
		return fuzz_failed(EISDIR);
	if (size > file->size - *at)
		size = file->size - *at;
	memcpy(buffer, file->content + *at, size);
	*at += size;
	return (ssize_t)size;
}

bool fuzz_files_own_dir(DIR *dir)
{
	return (struct dir *)dir >= dirs && (struct dir *)dir < dirs + MAX_DIRS;
}

/* 0, or why the path is no directory. */
static int check_directory(const char *path)
{
	size_t length = strlen(path);
	int i;

	for (i = 0; i < file_count; i++)
		if (is_at_or_below(&files[i], path, length))
			return files[i].content && files[i].length == length ? ENOTDIR : 0;
	return ENOENT;
}

DIR *fuzz_files_opendir(const char *path)
{
	struct dir *dir = dirs;

	check_path(path);
	if (fails())
		return NULL;
	errno = check_directory(path);
	if (errno || strlen(path) + 2 > PATH_SIZE) {
		errno = errno ? errno : ENAMETOOLONG;
		return NULL;
	}
	while (dir < dirs + MAX_DIRS && dir->open)
		dir++;
	FUZZ_CHECK(dir < dirs + MAX_DIRS);
	dir->open = true;
	dir->at = 0;
	dir->length = (size_t)snprintf(dir->prefix, sizeof(dir->prefix), "%s/", path);
	return (DIR *)dir;
}

/* The name that a file has in a directory; NULL where it is not in it. */
static const char *name_in(const struct dir *dir, const struct file *file, size_t *length)
{
	const char *name = file->path + dir->length;

	if (file->length <= dir->length || name[-1] != '/' ||
	    name[-2] != dir->prefix[dir->length - 2] ||
	    memcmp(file->path, dir->prefix, dir->length) != 0)
		return NULL;
	*length = strcspn(name, "/");
	return name;
}

static bool was_listed(const struct dir *dir, const char *name, size_t length, int before)
{
	const char *other;
	int i;

	for (i = before - 1; i >= 0; i--) {
		other = files[i].path + dir->length;
		if (files[i].length < dir->length + length || other[0] != name[0] ||
		    (other[length] && other[length] != '/'))
			continue;
		if (!memcmp(files[i].path, dir->prefix, dir->length) &&
		    !memcmp(other, name, length))
			return true;
	}
	return false;
}

struct dirent *fuzz_files_readdir(DIR *stream)
{
	struct dir *dir = (struct dir *)stream;
	const char *name;
	size_t length;

	FUZZ_CHECK(dir->open);
	if (fails())
		return NULL;
	while (dir->at < file_count) {
		name = name_in(dir, &files[dir->at], &length);
		if (!name || was_listed(dir, name, length, dir->at++)) {
			dir->at += !name;
			continue;
		}
		memcpy(dir->entry.d_name, name, length);
		dir->entry.d_name[length] = '\0';
		return &dir->entry;
	}
	return NULL;
}

void fuzz_files_closedir(DIR *stream)
{
	struct dir *dir = (struct dir *)stream;

	FUZZ_CHECK(dir->open);
	dir->open = false;
}
