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

#include "libibmad/engine/async.h"

int mad_async_open_fd(struct mad_async *async)
{
	bool has_port = mad_engine_is_pollable(async->engine) && !async->failed;

	return mad_watch_open(&async->watch, has_port ? async->engine->fd : -1, true);
}

/* The event is readable, so that the program dispatches, which finds out what is due. */
void mad_async_reopen_fd(struct mad_async *async)
{
	async->armed = MAD_NO_DEADLINE;
	mad_async_open_fd(async);
	mad_wakeup_signal(&async->watch.event);
}

static int64_t due_time(const struct mad_async *async, int64_t now)
{
	int64_t due = async->engine->first_due ? async->engine->first_due->due : MAD_NO_DEADLINE;
	int64_t slice_end = now + MAD_WAKEUP_SLICE_MS * MAD_NS_PER_MS;

	return !mad_engine_is_pollable(async->engine) && async->pending > async->running &&
			       due > slice_end
		       ? slice_end
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
	timerfd_settime(async->watch.timer_fd, TFD_TIMER_ABSTIME, &until, NULL);
	async->armed = due;
}

void mad_async_update_timers(struct mad_engine *engine)
{
	bool has_threads = engine->poller || engine->sleeping;
	struct mad_async *async;

	if (!engine->watched)
		return;
	LIST_FOREACH(async, &engine->asyncs, link)
	set_timer(async, has_threads);
}

void mad_async_drop_port(struct mad_async *async)
{
	if (mad_engine_is_pollable(async->engine))
		epoll_ctl(async->watch.epoll_fd, EPOLL_CTL_DEL, async->engine->fd, NULL);
}
