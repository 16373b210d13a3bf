/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The descriptor of mad_receive_get_fd(): an epoll descriptor over the port, where MADs arrive, and
 * an event: a MAD that another thread has read is in the receive queue. A simulator's port cannot
 * be polled along with others (see wakeup.h): there a timer stands for it. Ports whose program does
 * not ask for the descriptor have none of this.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "libibmad/engine/port.h"

static int open_timer(struct mad_receive_fd *watch)
{
	static const struct itimerspec slices = {
		.it_interval.tv_nsec = MAD_WAKEUP_SLICE_MS * MAD_NS_PER_MS,
		.it_value.tv_nsec = MAD_WAKEUP_SLICE_MS * MAD_NS_PER_MS,
	};

	watch->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (watch->timer_fd < 0 || timerfd_settime(watch->timer_fd, 0, &slices, NULL) < 0)
		return -errno;
	return mad_wakeup_watch(watch->epoll_fd, watch->timer_fd);
}

void mad_receive_fd_show(struct mad_receive_queue *queue)
{
	struct mad_buffer *buffer;

	if (queue->watch.epoll_fd < 0)
		return;
	STAILQ_FOREACH(buffer, &queue->buffers, link)
	if (!buffer->refused)
		break;
	if (buffer)
		mad_wakeup_signal(&queue->watch.event);
	else
		mad_wakeup_clear(&queue->watch.event);
}

/* Adds to the epoll descriptor all that it covers. Returns 0 or -errno. */
static int fill(struct mad_engine *engine)
{
	struct mad_receive_fd *watch = &engine->received.watch;
	int error = mad_wakeup_open_event(&watch->event);

	if (!error)
		error = mad_wakeup_watch(watch->epoll_fd, watch->event.event_fd);
	if (!error)
		error = engine->wakeup.event_fd >= 0 ? mad_wakeup_watch(watch->epoll_fd, engine->fd)
						     : open_timer(watch);
	if (!error)
		mad_receive_fd_show(&engine->received);
	return error;
}

static void close_rest(struct mad_receive_fd *watch)
{
	mad_wakeup_close(&watch->event);
	if (watch->timer_fd >= 0)
		close(watch->timer_fd);
	watch->timer_fd = -1;
}

void mad_receive_fd_init(struct mad_receive_fd *watch)
{
	mad_wakeup_init(&watch->event);
	watch->epoll_fd = watch->timer_fd = -1;
}

void mad_receive_fd_close(struct mad_receive_fd *watch)
{
	int cancel_state = mad_hold_cancel();

	close_rest(watch);
	if (watch->epoll_fd >= 0)
		close(watch->epoll_fd);
	watch->epoll_fd = -1;
	mad_release_cancel(cancel_state);
}

/* The program keeps the number. */
void mad_receive_fd_reopen(struct mad_engine *engine)
{
	struct mad_receive_fd *watch = &engine->received.watch;

	if (watch->epoll_fd < 0)
		return;
	close_rest(watch);
	mad_wakeup_renew(watch->epoll_fd);
	fill(engine);
}

void mad_receive_fd_rearm(struct mad_receive_fd *watch)
{
	uint64_t ignored;
	int saved_errno = errno;

	if (watch->timer_fd >= 0 && read(watch->timer_fd, &ignored, sizeof(ignored)) < 0)
		errno = saved_errno; /* the timer has not ended since */
}

static int open_fd(struct mad_engine *engine)
{
	struct mad_receive_fd *watch = &engine->received.watch;
	int saved_errno = errno, error;

	watch->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	error = watch->epoll_fd < 0 ? -errno : fill(engine);
	if (error)
		mad_receive_fd_close(watch);
	errno = saved_errno;
	return error;
}

int mad_receive_get_fd(struct ibmad_port *port)
{
	struct mad_engine *engine = port ? &port->engine : NULL;
	int cancel_state, error = 0, fd;

	if (!port)
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_PORT));
	cancel_state = mad_engine_lock(engine);
	if (engine->received.watch.epoll_fd < 0)
		error = open_fd(engine);
	fd = engine->received.watch.epoll_fd;
	mad_engine_unlock(engine, cancel_state);
	return error ? mad_zero_or_error(error) : fd;
}
