/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Declarations that the files of the fake kernel share and that its policies do not need. */
#ifndef TESTS_LIB_KERNEL_INTERNAL_H
#define TESTS_LIB_KERNEL_INTERNAL_H

#include "kernel.h"

#include <dirent.h>
#include <poll.h>

struct kernel_content {
	const char *bytes; /* NULL: a directory */
	size_t size;
	bool own;
};

struct kernel_file {
	char path[KERNEL_PATH_SIZE];
	size_t length;
	struct kernel_content content;
};

struct kernel_descriptor {
	bool open;
	int device; /* -1: a file */
	char path[KERNEL_PATH_SIZE];
	struct kernel_content content;
	size_t at;
};

/* files.c; with the lock held. Files are in the order in which they were made. */
extern struct kernel_file kernel_files[];
extern int kernel_file_count;
void kernel_files_reset(void);
bool kernel_is_at_or_below(const char *path, const char *top, size_t length);
bool kernel_find(const char *path, struct kernel_content *content);

/* directories.c, lock held */
int kernel_directories_open(bool reset);

/* descriptors.c; the first three with the lock held */
int kernel_new_descriptor(int device, const char *path, const struct kernel_content *content);
struct kernel_descriptor *kernel_descriptor(int fd); /* NULL: not one of the kernel's */
int kernel_descriptors_open(bool reset);
void kernel_close_descriptor(struct kernel_descriptor *descriptor);
ssize_t kernel_read_file(struct kernel_descriptor *descriptor, void *buffer, size_t size);

/* arrivals.c, lock held: removes what would be read next. */
void kernel_take_first(struct kernel_device *device);

/* A call begins: whether it fails, with errno. */
bool kernel_fails(enum kernel_call call, const char *path);

/* timers.c, lock held: the virtual clock has moved; a test begins */
void kernel_run_timers(void);
void kernel_forget_timers(void);

/* poll.c: bells ring, in the place of devices, where they are polled along with other descriptors
 */
void kernel_ring(void);
int kernel_input(int device); /* the descriptor that epoll waits for instead of the device */
void kernel_set_inputs(bool is_news);	/* lock held: after each change of what can be read */
int64_t kernel_next_due_of(int device); /* arrivals.c, lock held; INT64_MAX: nothing */
void kernel_open_bells(void);
/* A device, which is the first, and descriptors of the machine. */
int kernel_poll_several(int device, struct pollfd *fds, nfds_t count, int timeout_ms);

#endif
