/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Waits for input of a umad device, interruptible by another thread. For a device of the kernel,
 * poll() also covers an eventfd. A simulator's descriptor cannot be polled together with another
 * one: in that case the wait returns after MAD_WAKEUP_SLICE_MS at most.
 *
 * mad_wakeup_poll() is the only function of libibmad that polls a descriptor itself: umad_poll()
 * takes one descriptor only, and makes an interrupted wait again by a deadline of its own. A poll()
 * that a simulator replaces may return the negative errno itself.
 */
#ifndef LIBIBMAD_WAKEUP_H
#define LIBIBMAD_WAKEUP_H

#include <poll.h>
#include <stdbool.h>

#define MAD_WAKEUP_SLICE_MS 5

struct mad_wakeup {
	int event_fd;	 /* -1: waits cannot be interrupted */
	bool is_open;	 /* mad_wakeup_open() was called */
	bool is_pending; /* the eventfd has been written since it was last read */
};

void mad_wakeup_init(struct mad_wakeup *wakeup);

/* Makes waits for fd interruptible where that is possible. Returns 0 or -errno. */
int mad_wakeup_open(struct mad_wakeup *wakeup, int fd);
void mad_wakeup_close(struct mad_wakeup *wakeup);

/* In the child of a fork: replaces the eventfd by one that the parent does not share. */
void mad_wakeup_reopen(struct mad_wakeup *wakeup);

/* Limits a wait of ms (negative: no limit) so that mad_wakeup_signal() is noticed in time. */
int mad_wakeup_limit_ms(const struct mad_wakeup *wakeup, int ms);

/* What poll() returned for a umad device without input, as an error; all of these explain a read
 * that fails. */
int mad_wakeup_explain(int count, short events) __attribute__((cold));

/* Waits for input of fd, or for mad_wakeup_signal() where wakeup is not NULL. Returns 0,
 * -ETIMEDOUT, -EINTR (woken up or interrupted), or why the device can't be polled. */
static inline int mad_wakeup_poll(const struct mad_wakeup *wakeup, int fd, int timeout_ms)
{
	struct pollfd fds[] = { { .fd = fd, .events = POLLIN },
				{ .fd = wakeup ? wakeup->event_fd : -1, .events = POLLIN } };
	int count = poll(fds, fds[1].fd >= 0 ? 2 : 1, timeout_ms);

	return count > 0 && fds[0].revents & POLLIN ? 0 : mad_wakeup_explain(count, fds[0].revents);
}

/* With the lock of the engine held: ends the wait of the thread that is in mad_wakeup_poll(). */
void mad_wakeup_signal(struct mad_wakeup *wakeup);

/* Clears what mad_wakeup_signal() has written. */
void mad_wakeup_read(struct mad_wakeup *wakeup);

/* With the lock of the engine held, by the thread whose wait is over. */
static inline void mad_wakeup_clear(struct mad_wakeup *wakeup)
{
	if (wakeup->is_pending)
		mad_wakeup_read(wakeup);
}

#endif
