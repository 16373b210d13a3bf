/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* errors.c - what each libc call can fail with, as far as it makes a difference. */
#include "engine-internal.h"

#include <errno.h>

#include <netlink/errno.h>

static const int open_errors[] = {
	ENOENT, EACCES, ENODEV, ENXIO, EIO, EMFILE, ENFILE, ENOMEM, EINTR
};
static const int close_errors[] = { EIO, EINTR };
static const int read_errors[] = { EIO, EINVAL, ENODEV, ENOMEM, EAGAIN, EINTR, FAULT_SHORT };
static const int write_errors[] = { EIO, EINVAL, ENODEV, ENOMEM, EAGAIN, EINTR, FAULT_SHORT };
static const int poll_errors[] = { EINVAL, ENOMEM, EFAULT, EINTR, FAULT_SHORT };
static const int ioctl_errors[] = { EINVAL, ENOTTY, ENOMEM, EPERM, EBUSY, ENODEV, EFAULT, EINTR };
static const int opendir_errors[] = { ENOENT, ENOTDIR, EACCES, EMFILE, ENFILE, ENOMEM };
static const int readdir_errors[] = { EIO, ENOENT };
static const int memory_errors[] = { ENOMEM };
static const int init_errors[] = { EAGAIN, ENOMEM };
static const int thread_errors[] = { EAGAIN, EPERM };
static const int descriptor_errors[] = { EMFILE, ENFILE, ENOMEM };
static const int epoll_ctl_errors[] = { ENOMEM, ENOSPC };
static const int random_errors[] = { EAGAIN, ENOSYS, EINTR, FAULT_SHORT };
static const int openat_errors[] = { EACCES, EEXIST, ENOENT, EMFILE, ENOSPC, EROFS };
static const int writev_errors[] = { EIO, ENOSPC, EINTR, FAULT_SHORT };
static const int stat_errors[] = { EIO, ENOMEM, EOVERFLOW };
static const int rename_errors[] = { EACCES, ENOSPC, EIO };
static const int load_errors[] = { ENOENT };
static const int netlink_connect_errors[] = { ENOMEM, EPROTONOSUPPORT, EPERM, EAFNOSUPPORT };
static const int netlink_errors[] = { ENOMEM, EPERM, EBADF };

#define ERRORS(array)                                       \
	{                                                   \
		(array), sizeof(array) / sizeof((array)[0]) \
	}
const struct fault_errors fault_errors_of[FAULT_CALLS] = {
	[FAULT_OPEN] = ERRORS(open_errors),
	[FAULT_CLOSE] = ERRORS(close_errors),
	[FAULT_READ] = ERRORS(read_errors),
	[FAULT_WRITE] = ERRORS(write_errors),
	[FAULT_POLL] = ERRORS(poll_errors),
	[FAULT_IOCTL] = ERRORS(ioctl_errors),
	[FAULT_OPENDIR] = ERRORS(opendir_errors),
	[FAULT_READDIR] = ERRORS(readdir_errors),
	[FAULT_ALLOCATE] = ERRORS(memory_errors),
	[FAULT_MUTEX_INIT] = ERRORS(init_errors),
	[FAULT_COND_INIT] = ERRORS(init_errors),
	[FAULT_CONDATTR_INIT] = ERRORS(memory_errors),
	[FAULT_THREAD_CREATE] = ERRORS(thread_errors),
	[FAULT_EVENTFD] = ERRORS(descriptor_errors),
	[FAULT_TIMERFD] = ERRORS(descriptor_errors),
	[FAULT_EPOLL_CREATE] = ERRORS(descriptor_errors),
	[FAULT_EPOLL_CTL] = ERRORS(epoll_ctl_errors),
	[FAULT_GETRANDOM] = ERRORS(random_errors),
	[FAULT_OPENAT] = ERRORS(openat_errors),
	[FAULT_WRITEV] = ERRORS(writev_errors),
	[FAULT_FSTAT] = ERRORS(stat_errors),
	[FAULT_RENAMEAT] = ERRORS(rename_errors),
	[FAULT_DLOPEN] = ERRORS(load_errors),
	[FAULT_DLSYM] = ERRORS(load_errors),
	[FAULT_NL_ALLOCATE] = ERRORS(memory_errors),
	[FAULT_NL_CONNECT] = ERRORS(netlink_connect_errors),
	[FAULT_NL_SETUP] = ERRORS(netlink_errors),
	[FAULT_NL_JOIN] = ERRORS(netlink_errors),
	[FAULT_NL_SEND] = ERRORS(netlink_errors),
	[FAULT_NL_RECEIVE] = ERRORS(netlink_errors),
};
