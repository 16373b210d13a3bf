/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The descriptors of the fake kernel, and what every call of it does first. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct kernel_descriptor descriptors[KERNEL_MAX_FDS];

static bool begins(const char *path, const char *with)
{
	return !strncmp(path, with, strlen(with));
}

bool kernel_owns(const char *path)
{
	return (kernel.policy && kernel.policy->text) || begins(path, "/dev/infiniband/") ||
	       begins(path, "/sys/class/infiniband") || begins(path, "/sys/module/ib_core/") ||
	       !strcmp(path, "/proc/sys/kernel/osrelease") || !strcmp(path, "/proc/net/netlink");
}

ssize_t kernel_result(ssize_t result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

bool kernel_fails(enum kernel_call call, const char *path)
{
	if (kernel.policy->virtual_time)
		kernel.now_ns += kernel.policy->call_ns;
	return kernel.policy->fails && kernel.policy->fails(call, path);
}

int kernel_new_descriptor(int device, const char *path, const struct kernel_content *content)
{
	for (int i = 0; i < KERNEL_MAX_FDS; i++) {
		struct kernel_descriptor *descriptor = &descriptors[i];

		if (descriptor->open)
			continue;
		*descriptor = (struct kernel_descriptor){ .open = true, .device = device };
		if (path)
			snprintf(descriptor->path, sizeof(descriptor->path), "%s", path);
		if (content)
			descriptor->content = *content;
		/* The file may be replaced while the descriptor is open. */
		if (descriptor->content.own) {
			descriptor->content.bytes = kernel_allocate(NULL, content->size + 1);
			memcpy((char *)(uintptr_t)descriptor->content.bytes, content->bytes,
			       content->size);
		}
		return KERNEL_FIRST_FD + i;
	}
	return -EMFILE;
}

struct kernel_descriptor *kernel_descriptor(int fd)
{
	return fd >= KERNEL_FIRST_FD && fd < KERNEL_FIRST_FD + KERNEL_MAX_FDS
		       ? &descriptors[fd - KERNEL_FIRST_FD]
		       : NULL;
}

static void free_descriptor(struct kernel_descriptor *descriptor)
{
	if (descriptor->content.own)
		kernel_release((char *)(uintptr_t)descriptor->content.bytes);
	descriptor->content.own = false;
	descriptor->open = false;
}

int kernel_descriptors_open(bool reset)
{
	int count = 0;

	for (int i = 0; i < KERNEL_MAX_FDS; i++) {
		count += descriptors[i].open;
		if (reset)
			free_descriptor(&descriptors[i]);
	}
	return count;
}

void kernel_close_descriptor(struct kernel_descriptor *descriptor)
{
	KERNEL_LOCKED;
	free_descriptor(descriptor);
}

int kernel_open_file(const char *path)
{
	struct kernel_content content;

	KERNEL_LOCKED;
	if (kernel.policy->text) {
		content = (struct kernel_content){ .bytes = kernel.policy->text(path) };
		content.size = strlen(content.bytes);
	} else if (!kernel_find(path, &content)) {
		return -ENOENT;
	}
	return kernel_new_descriptor(-1, path, &content);
}

ssize_t kernel_read_file(struct kernel_descriptor *descriptor, void *buffer, size_t size)
{
	const struct kernel_content *content = &descriptor->content;
	size_t left = content->size - descriptor->at;

	if (!content->bytes)
		return -EISDIR;
	size = left < size ? left : size;
	memcpy(buffer, content->bytes + descriptor->at, size);
	descriptor->at += size;
	return (ssize_t)size;
}
