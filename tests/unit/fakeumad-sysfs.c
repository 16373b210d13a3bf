/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The sysfs of fakeumad.h: a list of paths and their texts, from which directories follow. Stands
 * in for opendir, readdir, closedir and scandir below /sys/class/infiniband and _mad.
 */
#include "fakeumad-internal.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ATTRIBUTES 64
#define MAX_FILES      32
#define FIRST_FILE     2000

struct attribute {
	char path[128];
	char text[128];
};

static const struct attribute one_hca[] = {
	{ "/sys/class/infiniband_mad/abi_version", "5\n" },
	{ "/sys/class/infiniband_mad/umad0/ibdev", "mlx5_0\n" },
	{ "/sys/class/infiniband_mad/umad0/port", "1\n" },
	{ "/sys/class/infiniband/mlx5_0/node_type", "1: CA\n" },
	{ "/sys/class/infiniband/mlx5_0/fw_ver", "16.35.2000\n" },
	{ "/sys/class/infiniband/mlx5_0/hw_rev", "0\n" },
	{ "/sys/class/infiniband/mlx5_0/hca_type", "MT4119\n" },
	{ "/sys/class/infiniband/mlx5_0/node_guid", "0002:c903:0000:0000\n" },
	{ "/sys/class/infiniband/mlx5_0/sys_image_guid", "0002:c903:0000:0003\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/phys_state", "5: LinkUp\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/lid", "0x1\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/sm_lid", "0x1\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/lid_mask_count", "0\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/sm_sl", "0\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/cap_mask", "0x2651e848\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/gids/0",
	  "fe80:0000:0000:0000:0002:c903:0000:0001\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/pkeys/0", "0xffff\n" },
	{ "/sys/class/infiniband/mlx5_0/ports/1/pkeys/1", "0x8001\n" },
};

/* A directory that is open: the names in it. */
struct fake_dir {
	char names[MAX_ATTRIBUTES][64];
	int count;
	int next;
	struct dirent entry;
};

static struct {
	pthread_mutex_t lock;
	struct attribute attributes[MAX_ATTRIBUTES];
	int count;
	struct {
		bool used;
		char text[128];
		size_t at;
	} files[MAX_FILES];
} tree = { .lock = PTHREAD_MUTEX_INITIALIZER };

DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *dir);
int __real_closedir(DIR *dir);
int __real_scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
		   int (*compare)(const struct dirent **, const struct dirent **));
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *dir);
int __wrap_closedir(DIR *dir);
int __wrap_scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
		   int (*compare)(const struct dirent **, const struct dirent **));

void fakeumad_sysfs_reset(void)
{
	pthread_mutex_lock(&tree.lock);
	memset(tree.attributes, 0, sizeof(tree.attributes));
	memset(tree.files, 0, sizeof(tree.files));
	memcpy(tree.attributes, one_hca, sizeof(one_hca));
	tree.count = sizeof(one_hca) / sizeof(one_hca[0]);
	pthread_mutex_unlock(&tree.lock);
}

bool fakeumad_sysfs_has(const char *path)
{
	return !strncmp(path, "/sys/class/infiniband", strlen("/sys/class/infiniband"));
}

static struct attribute *find(const char *path)
{
	for (int i = 0; i < tree.count; i++)
		if (!strcmp(tree.attributes[i].path, path))
			return &tree.attributes[i];
	return NULL;
}

void fakeumad_set_attribute(const char *path, const char *text)
{
	pthread_mutex_lock(&tree.lock);
	struct attribute *attribute = find(path);

	if (!attribute && text && tree.count < MAX_ATTRIBUTES)
		attribute = &tree.attributes[tree.count++];
	if (attribute && text) {
		snprintf(attribute->path, sizeof(attribute->path), "%s", path);
		snprintf(attribute->text, sizeof(attribute->text), "%s", text);
	} else if (attribute) {
		*attribute = tree.attributes[--tree.count];
	}
	pthread_mutex_unlock(&tree.lock);
}

void fakeumad_clear_attributes(const char *prefix)
{
	pthread_mutex_lock(&tree.lock);
	for (int i = tree.count - 1; i >= 0; i--)
		if (!strncmp(tree.attributes[i].path, prefix, strlen(prefix)))
			tree.attributes[i] = tree.attributes[--tree.count];
	pthread_mutex_unlock(&tree.lock);
}

/* A descriptor, or -errno. */
int fakeumad_sysfs_open(const char *path)
{
	int fd = -ENOENT;

	pthread_mutex_lock(&tree.lock);
	struct attribute *attribute = find(path);

	for (int i = 0; attribute && i < MAX_FILES && fd < 0; i++) {
		if (tree.files[i].used)
			continue;
		tree.files[i].used = true;
		tree.files[i].at = 0;
		memcpy(tree.files[i].text, attribute->text, sizeof(attribute->text));
		fd = FIRST_FILE + i;
	}
	pthread_mutex_unlock(&tree.lock);
	return fd;
}

bool fakeumad_sysfs_owns(int fd)
{
	return fd >= FIRST_FILE && fd < FIRST_FILE + MAX_FILES;
}

long fakeumad_sysfs_read(int fd, void *buffer, size_t size)
{
	long count = -EBADF;

	pthread_mutex_lock(&tree.lock);
	int i = fd - FIRST_FILE;

	if (tree.files[i].used) {
		size_t left = strlen(tree.files[i].text + tree.files[i].at);

		count = (long)(left < size ? left : size);
		memcpy(buffer, tree.files[i].text + tree.files[i].at, (size_t)count);
		tree.files[i].at += (size_t)count;
	}
	pthread_mutex_unlock(&tree.lock);
	return count;
}

void fakeumad_sysfs_close(int fd)
{
	pthread_mutex_lock(&tree.lock);
	tree.files[fd - FIRST_FILE].used = false;
	pthread_mutex_unlock(&tree.lock);
}

int fakeumad_sysfs_open_files(void)
{
	int count = 0;

	pthread_mutex_lock(&tree.lock);
	for (int i = 0; i < MAX_FILES; i++)
		count += tree.files[i].used;
	pthread_mutex_unlock(&tree.lock);
	return count;
}

static bool has_name(const struct fake_dir *dir, const char *name)
{
	for (int i = 0; i < dir->count; i++)
		if (!strcmp(dir->names[i], name))
			return true;
	return false;
}

/* The names in a directory, or NULL with errno ENOENT where no attribute is below it. */
static struct fake_dir *list(const char *path)
{
	struct fake_dir *dir = calloc(1, sizeof(*dir));
	size_t length = strlen(path);

	while (length && path[length - 1] == '/')
		length--;
	pthread_mutex_lock(&tree.lock);
	for (int i = 0; dir && i < tree.count; i++) {
		const char *whole = tree.attributes[i].path;
		char name[sizeof(dir->names[0])];

		if (strncmp(whole, path, length) || whole[length] != '/')
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(whole + length + 1, "/"),
			 whole + length + 1);
		if (!has_name(dir, name))
			memcpy(dir->names[dir->count++], name, sizeof(name));
	}
	pthread_mutex_unlock(&tree.lock);
	if (dir && !dir->count) {
		free(dir);
		dir = NULL;
		errno = ENOENT;
	}
	return dir;
}

/* Fake handles are distinguished from real ones by their lowest bit, which no allocation has set.
 */
static DIR *to_handle(struct fake_dir *dir)
{
	return (DIR *)((uintptr_t)dir | 1);
}

static struct fake_dir *from_handle(DIR *handle)
{
	return (uintptr_t)handle & 1 ? (struct fake_dir *)((uintptr_t)handle & ~(uintptr_t)1)
				     : NULL;
}

DIR *__wrap_opendir(const char *path)
{
	struct fake_dir *dir;

	if (!fakeumad_sysfs_has(path))
		return __real_opendir(path);
	dir = list(path);
	return dir ? to_handle(dir) : NULL;
}

struct dirent *__wrap_readdir(DIR *handle)
{
	struct fake_dir *dir = from_handle(handle);

	if (!dir)
		return __real_readdir(handle);
	if (dir->next == dir->count)
		return NULL;
	memset(&dir->entry, 0, sizeof(dir->entry));
	snprintf(dir->entry.d_name, sizeof(dir->entry.d_name), "%s", dir->names[dir->next++]);
	return &dir->entry;
}

int __wrap_closedir(DIR *handle)
{
	struct fake_dir *dir = from_handle(handle);

	if (!dir)
		return __real_closedir(handle);
	free(dir);
	return 0;
}

typedef int compare_fn(const void *, const void *);

int __wrap_scandir(const char *path, struct dirent ***found, int (*filter)(const struct dirent *),
		   int (*compare)(const struct dirent **, const struct dirent **))
{
	struct dirent **entries;
	struct fake_dir *dir;
	DIR *handle;
	int count = 0;

	if (!fakeumad_sysfs_has(path))
		return __real_scandir(path, found, filter, compare);
	handle = __wrap_opendir(path);
	if (!handle)
		return -1;
	dir = from_handle(handle);
	entries = calloc((size_t)dir->count, sizeof(entries[0]));
	while (entries && __wrap_readdir(handle)) {
		if (filter && !filter(&dir->entry))
			continue;
		entries[count] = malloc(sizeof(dir->entry));
		memcpy(entries[count++], &dir->entry, sizeof(dir->entry));
	}
	__wrap_closedir(handle);
	if (compare)
		qsort(entries, (size_t)count, sizeof(entries[0]), (compare_fn *)(void *)compare);
	*found = entries;
	return count;
}
