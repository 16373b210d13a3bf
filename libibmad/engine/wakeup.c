/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * wakeup.c - see wakeup.h, also about _FORTIFY_SOURCE.
 */
#undef _FORTIFY_SOURCE

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "libibmad/engine/wakeup.h"

/* glibc 2.32 and later report whether a second thread exists that could interrupt a wait. */
#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define IS_SINGLE_THREADED __libc_single_threaded
#endif
#endif
#ifndef IS_SINGLE_THREADED
#define IS_SINGLE_THREADED 0
#endif

void mad_wakeup_init(struct mad_wakeup *wakeup)
{
	*wakeup = (struct mad_wakeup){ .event_fd = -1 };
}

/* Whether the descriptor really is a umad device: simulators return descriptors of other files, or
 * numbers that are not open. */
static bool is_kernel_device(int fd)
{
	struct stat status;
	char path[64], target[256];
	ssize_t length;

	if (fstat(fd, &status) < 0 || !S_ISCHR(status.st_mode))
		return false;
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u", major(status.st_rdev),
		 minor(status.st_rdev));
	length = readlink(path, target, sizeof(target) - 1);
	if (length < 0)
		return false;
	target[length] = '\0';
	return strstr(target, "/infiniband_mad/umad");
}

static int open_event(void)
{
	return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int mad_wakeup_open(struct mad_wakeup *wakeup, int fd)
{
	int saved_errno = errno;

	if (!wakeup->is_open && is_kernel_device(fd)) {
		wakeup->event_fd = open_event();
		if (wakeup->event_fd < 0)
			return -errno;
	}
	wakeup->is_open = true;
	errno = saved_errno;
	return 0;
}

void mad_wakeup_close(struct mad_wakeup *wakeup)
{
	if (wakeup->event_fd >= 0)
		close(wakeup->event_fd);
	mad_wakeup_init(wakeup);
}

void mad_wakeup_reopen(struct mad_wakeup *wakeup)
{
	bool was_open = wakeup->event_fd >= 0;

	mad_wakeup_close(wakeup);
	wakeup->is_open = true;
	if (was_open)
		wakeup->event_fd = open_event();
}

int mad_wakeup_limit_ms(const struct mad_wakeup *wakeup, int ms)
{
	if (wakeup->event_fd >= 0 || IS_SINGLE_THREADED)
		return ms;
	return ms < 0 || ms > MAD_WAKEUP_SLICE_MS ? MAD_WAKEUP_SLICE_MS : ms;
}

int mad_wakeup_explain(int count, short events)
{
	if (count < 0)
		return count == -1 ? -errno : count;
	if (!count)
		return -ETIMEDOUT;
	if (!events)
		return -EINTR;
	return events & POLLNVAL ? -EINVAL : -EIO;
}

int mad_wakeup_poll_both(const struct mad_wakeup *wakeup, int fd, int timeout_ms)
{
	struct pollfd fds[] = { { .fd = fd, .events = POLLIN },
				{ .fd = wakeup->event_fd, .events = POLLIN } };
	int count = poll(fds, 2, timeout_ms);

	return count > 0 && fds[0].revents & POLLIN ? 0 : mad_wakeup_explain(count, fds[0].revents);
}

void mad_wakeup_signal(struct mad_wakeup *wakeup)
{
	if (wakeup->event_fd < 0 || wakeup->is_pending)
		return;
	wakeup->is_pending = true;
	eventfd_write(wakeup->event_fd, 1);
}

void mad_wakeup_read(struct mad_wakeup *wakeup)
{
	eventfd_t ignored;

	wakeup->is_pending = false;
	eventfd_read(wakeup->event_fd, &ignored);
}
