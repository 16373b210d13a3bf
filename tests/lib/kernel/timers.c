/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Timers of a program (timerfd) where the clock of the fake kernel is virtual: they are readable
 * once that clock has reached their time. */
#include "internal.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/timerfd.h>

#define NS_PER_S   1000000000
#define MAX_TIMERS 16

int __real_timerfd_settime(int fd, int flags, const struct itimerspec *value,
			   struct itimerspec *old) __attribute__((weak));
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *value,
			   struct itimerspec *old);

static struct timer {
	int fd;
	int64_t due_ns; /* 0: it is not set */
} timers[MAX_TIMERS];
static int timer_count;

/* A descriptor that was closed, or is something else now, is no timer any more. The one of the
 * machine ends a moment after it was set. */
static bool set(const struct timer *timer)
{
	bool is_due = timer->due_ns && timer->due_ns <= kernel.now_ns;
	struct itimerspec value = { .it_value = { .tv_nsec = is_due } };
	struct pollfd polled = { .fd = timer->fd, .events = POLLIN };

	if (__real_timerfd_settime(timer->fd, 0, &value, NULL))
		return false;
	if (is_due)
		ppoll(&polled, 1, NULL, NULL);
	return true;
}

void kernel_run_timers(void)
{
	for (int i = timer_count; i-- > 0;)
		if (!set(&timers[i]))
			timers[i] = timers[--timer_count];
}

void kernel_forget_timers(void)
{
	timer_count = 0;
}

static struct timer *timer_of(int fd)
{
	for (int i = 0; i < timer_count; i++)
		if (timers[i].fd == fd)
			return &timers[i];
	return timer_count < MAX_TIMERS ? &timers[timer_count++] : NULL;
}

/* Times are absolute ones of CLOCK_MONOTONIC: others are not used. */
int __wrap_timerfd_settime(int fd, int flags, const struct itimerspec *value,
			   struct itimerspec *old)
{
	struct timer *timer;

	if (!kernel.policy || !kernel.policy->virtual_time)
		return __real_timerfd_settime(fd, flags, value, old);
	timer = timer_of(fd);
	if (!timer || !(flags & TFD_TIMER_ABSTIME))
		abort();
	*timer = (struct timer){ fd, (int64_t)value->it_value.tv_sec * NS_PER_S +
					     value->it_value.tv_nsec };
	return set(timer) ? 0 : -1;
}
