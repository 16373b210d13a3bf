/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What sys.c offers: the only calls of the kernel. An interrupted call is made again. Each function
 * returns 0 (or what is said beside it) or a negative errno, and leaves errno alone.
 *
 * A file that can't be read is taken for one that is missing, and its attribute for 0. Not so where
 * this process has no descriptors or no memory left: that says nothing about devices. So sys.c
 * remembers such a resource error. A public call that looks for devices clears it first, and fails
 * with the one that is there in the end.
 *
 * A thread can be cancelled only where it waits for a umad device or an event, and where it reads
 * from or writes to a umad device: umad_sys_read(), umad_sys_write(), umad_sys_poll_input() and
 * umad_sys_wait_and_read(). In all other calls here it would lose what it or its caller holds.
 */
#ifndef LIBIBUMAD_SYS_H
#define LIBIBUMAD_SYS_H

#include <dirent.h>
#include <stdint.h>
#include <sys/types.h>

#define UMAD_NO_DEADLINE (-1)

int umad_sys_hold_cancel(void); /* from now on; what umad_sys_release_cancel() needs */
void umad_sys_release_cancel(int state);
int umad_sys_open_read(const char *path);   /* a file descriptor */
int umad_sys_open_device(const char *path); /* a file descriptor */
int umad_sys_close(int fd);
ssize_t umad_sys_read(int fd, void *buffer, size_t size);	 /* bytes */
ssize_t umad_sys_read_file(int fd, void *buffer, size_t size);	 /* bytes, of an attribute */
ssize_t umad_sys_write(int fd, const void *buffer, size_t size); /* bytes */
int umad_sys_ioctl(int fd, unsigned long request, void *argument);
int64_t umad_sys_deadline(int timeout_ms);			     /* of a wait that begins now */
int umad_sys_remaining_ms(int64_t deadline);			     /* from now on; -1: for ever */
int umad_sys_poll_input(int fd, int remaining_ms, int64_t deadline); /* the events, above 0 */
int umad_sys_poll_input_for(int fd, int timeout_ms);		     /* the same */
ssize_t umad_sys_wait_and_read(int fd, void *buffer, size_t size, int timeout_ms); /* bytes */
int umad_sys_opendir(const char *path, DIR **dir);
int umad_sys_readdir(DIR *dir, const char **name); /* 1: a name, 0: no more */
void umad_sys_closedir(DIR *dir);

/* Of the calling thread: -EMFILE, -ENFILE or -ENOMEM if a call failed so since the error was
 * cleared (the first one counts), or 0. Errors of other calls may be noted; only these three (and
 * -ENOBUFS, netlink's want of memory) count. */
int umad_sys_resource_error(void);
int umad_sys_resource_error_or(int result); /* the error, or the result where there is none */
void umad_sys_note_resource_error(int error);
void umad_sys_clear_resource_error(void);

#endif /* LIBIBUMAD_SYS_H */
