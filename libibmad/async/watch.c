/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The descriptor of mad_async_get_fd(): an epoll descriptor over the ports, and for each queue a
 * timer (until the first of its timers) and an event (there is something to do, and no thread
 * works for the queue). Without a program that waits for it, only the creation costs anything.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "libibmad/async/async.h"

/* See the rule in wakeup.h. */
static bool is_pollable(const struct mad_queue *queue)
{
	return queue->engine->wakeup.event_fd >= 0;
}

static int add(struct mad_async *async, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(async->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

/* Returns 0 or -errno; mad_watch_close() closes what there is. */
static int open_queue(struct mad_async *async, struct mad_queue *queue)
{
	int error;

	queue->event.event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (queue->event.event_fd < 0)
		return -errno;
	queue->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (queue->timer_fd < 0)
		return -errno;
	error = add(async, queue->event.event_fd);
	if (!error)
		error = add(async, queue->timer_fd);
	if (!error && is_pollable(queue) && !queue->failed)
		error = add(async, queue->engine->fd);
	return error;
}

static int open_queues(struct mad_async *async)
{
	int error = 0;

	for (unsigned i = 0; i < async->queue_count && !error; i++)
		error = open_queue(async, &async->queues[i]);
	return error;
}

int mad_watch_open(struct mad_async *async)
{
	int saved_errno = errno, error = 0;

	async->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (async->epoll_fd < 0)
		return -errno;
	if (async->has_thread)
		async->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (async->has_thread && async->event_fd < 0)
		error = -errno;
	if (!error)
		error = open_queues(async);
	errno = saved_errno;
	return error;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_queues(struct mad_async *async)
{
	for (unsigned i = 0; i < async->queue_count; i++) {
		struct mad_queue *queue = &async->queues[i];

		mad_wakeup_close(&queue->event);
		close_fd(&queue->timer_fd);
		queue->armed = MAD_NO_DEADLINE;
	}
}

void mad_watch_close(struct mad_async *async)
{
	int cancel_state = mad_hold_cancel();

	close_queues(async);
	close_fd(&async->event_fd);
	close_fd(&async->epoll_fd);
	mad_release_cancel(cancel_state);
}

/* The program keeps the number. */
static bool replace(int *fd, int own)
{
	if (own < 0)
		return false;
	dup3(own, *fd, O_CLOEXEC);
	close(own);
	return true;
}

/* Those that close_queues() has closed leave their numbers to the others. All are readable, so that
 * the program dispatches, which finds out what there is to do. */
void mad_watch_reopen(struct mad_async *async)
{
	close_queues(async);
	async->is_watchable = replace(&async->epoll_fd, epoll_create1(EPOLL_CLOEXEC));
	if (async->event_fd >= 0)
		replace(&async->event_fd, eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK));
	if (open_queues(async))
		async->is_watchable = false;
	for (unsigned i = 0; i < async->queue_count; i++)
		mad_watch_signal(&async->queues[i]);
}

void mad_watch_signal(struct mad_queue *queue)
{
	if (atomic_load(&queue->async->is_watched))
		mad_wakeup_signal(&queue->event);
}

static int64_t due_time(const struct mad_queue *queue, int64_t now)
{
	int64_t due = queue->first_due ? queue->first_due->due : MAD_NO_DEADLINE;
	int64_t slice_end = now + MAD_WAKEUP_SLICE_MS * MAD_NS_PER_MS;

	return !is_pollable(queue) && queue->in_flight && due > slice_end ? slice_end : due;
}

/* One that ends too early costs the program one look, one that is set for each response more. Where
 * threads work for the queue, one that has ended is only taken back. */
void mad_watch_set_timer(struct mad_queue *queue)
{
	bool has_threads = queue->workers.awake || !TAILQ_EMPTY(&queue->workers.waiting);
	struct itimerspec until = { .it_value = { 0 } };
	int64_t now, due;

	if (!atomic_load(&queue->async->is_watched) ||
	    (queue->armed == MAD_NO_DEADLINE &&
	     (has_threads || (!queue->in_flight && !queue->first_due))))
		return;
	now = mad_clock_now();
	due = has_threads ? MAD_NO_DEADLINE : due_time(queue, now);
	if (due == queue->armed ||
	    (queue->armed > now && queue->armed < due && (has_threads || due != MAD_NO_DEADLINE)))
		return;
	if (due != MAD_NO_DEADLINE) {
		until.it_value.tv_sec = due / MAD_NS_PER_S;
		until.it_value.tv_nsec = due % MAD_NS_PER_S;
	}
	timerfd_settime(queue->timer_fd, TFD_TIMER_ABSTIME, &until, NULL);
	queue->armed = due;
}

void mad_watch_drop_port(struct mad_queue *queue)
{
	if (is_pollable(queue))
		epoll_ctl(queue->async->epoll_fd, EPOLL_CTL_DEL, queue->engine->fd, NULL);
}
