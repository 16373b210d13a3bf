/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The descriptor of mad_async_get_fd(): an epoll descriptor over the port, a timer (until the
 * first of the engine's, where no thread waits for that) and an event (callbacks are due, and no
 * thread is about to run them). Without a program that waits for it, only the creation costs
 * anything.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "libibmad/engine/async.h"

/* See the rule in wakeup.h. */
static bool is_pollable(const struct mad_async *async)
{
	return async->engine->wakeup.event_fd >= 0;
}

/* Returns 0 or -errno; mad_watch_close() closes what was opened. */
static int open_all(struct mad_async *async)
{
	int error;

	error = mad_wakeup_open_event(&async->event);
	if (error)
		return error;
	async->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (async->timer_fd < 0)
		return -errno;
	error = mad_wakeup_watch(async->epoll_fd, async->event.event_fd);
	if (!error)
		error = mad_wakeup_watch(async->epoll_fd, async->timer_fd);
	if (!error && is_pollable(async) && !async->failed)
		error = mad_wakeup_watch(async->epoll_fd, async->engine->fd);
	return error;
}

int mad_watch_open(struct mad_async *async)
{
	int saved_errno = errno, error;

	async->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (async->epoll_fd < 0)
		return -errno;
	error = open_all(async);
	errno = saved_errno;
	return error;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* All but the descriptor of the program. */
static void close_rest(struct mad_async *async)
{
	close_fd(&async->timer_fd);
	async->armed = MAD_NO_DEADLINE;
	mad_wakeup_close(&async->event);
}

void mad_watch_close(struct mad_async *async)
{
	int cancel_state = mad_hold_cancel();

	close_rest(async);
	close_fd(&async->epoll_fd);
	mad_release_cancel(cancel_state);
}

/* The program keeps the number. The event is readable, so that the program dispatches, which finds
 * out what is due. */
void mad_watch_reopen(struct mad_async *async)
{
	close_rest(async);
	mad_wakeup_renew(async->epoll_fd);
	open_all(async);
	mad_wakeup_signal(&async->event);
}

static int64_t due_time(const struct mad_async *async, int64_t now)
{
	int64_t due = async->engine->first_due ? async->engine->first_due->due : MAD_NO_DEADLINE;
	int64_t slice_end = now + MAD_WAKEUP_SLICE_MS * MAD_NS_PER_MS;

	return !is_pollable(async) && async->pending > async->running && due > slice_end ? slice_end
											 : due;
}

/* A timer that fires early costs the program one dispatch; re-arming it for every response would
 * cost a system call each. Where threads wait, a timer that has fired is only taken back. */
static void set_timer(struct mad_async *async, bool has_threads)
{
	struct itimerspec until = { .it_value = { 0 } };
	int64_t now, due;

	if (!async->is_watched || (async->armed == MAD_NO_DEADLINE && has_threads))
		return;
	now = mad_clock_now();
	due = has_threads ? MAD_NO_DEADLINE : due_time(async, now);
	if (due == async->armed ||
	    (async->armed > now && async->armed < due && (has_threads || due != MAD_NO_DEADLINE)))
		return;
	if (due != MAD_NO_DEADLINE) {
		until.it_value.tv_sec = due / MAD_NS_PER_S;
		until.it_value.tv_nsec = due % MAD_NS_PER_S;
	}
	timerfd_settime(async->timer_fd, TFD_TIMER_ABSTIME, &until, NULL);
	async->armed = due;
}

void mad_watch_update(struct mad_engine *engine)
{
	bool has_threads = engine->poller || engine->sleeping;
	struct mad_async *async;

	if (!engine->watched)
		return;
	LIST_FOREACH(async, &engine->asyncs, link)
	set_timer(async, has_threads);
}

void mad_watch_drop_port(struct mad_async *async)
{
	if (is_pollable(async))
		epoll_ctl(async->epoll_fd, EPOLL_CTL_DEL, async->engine->fd, NULL);
}
