/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Polling umad devices of the fake kernel. A poll waits on a condition variable until something is
 * due or its time is over, so many threads can use a device at once. Along with other descriptors
 * only devices that act as the kernel's can be polled, each by its bell in its place, and epoll
 * gets a timer for each, which ends when there is something to read. A virtual clock moves when a
 * poll finds nothing.
 */
#include "internal.h"
#include "umad-rules.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_MS 1000000
#define NS_PER_S  1000000000
#define FOREVER	  (INT64_MAX / 2)

enum { BELLS = 2 };

static int bells[BELLS]; /* of the first devices */
static int inputs[BELLS];
static int64_t input_due[BELLS]; /* the time that each input is set to; 1: the device can be read */
static pid_t owner;		 /* the process that has opened them */

void kernel_open_bells(void)
{
	if (!kernel.is_chardev || owner == getpid())
		return;
	owner = getpid();
	for (int i = 0; i < BELLS; i++) {
		bells[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		inputs[i] = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
		input_due[i] = 0;
		if (bells[i] < 0 || inputs[i] < 0)
			abort();
	}
}

/* With the lock held, so the thread must not be cancelled in these writes. */
void kernel_ring(void)
{
	int cancel_state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	for (int i = 0; i < BELLS; i++)
		eventfd_write(bells[i], 1);
	pthread_setcancelstate(cancel_state, NULL);
}

static short events_of(const struct kernel_device *device, short wanted)
{
	bool removed = device->gone || (device->first && device->first->removes);

	return umad_rules_events(removed, device->first || device->flood_size) & (wanted | POLLERR);
}

int kernel_input(int device)
{
	return device < BELLS ? inputs[device] : -1;
}

/* EPOLLET: a read that leaves something behind is no news. */
void kernel_set_inputs(bool is_news)
{
	for (int i = 0; kernel.is_chardev && i < BELLS; i++) {
		int64_t due = events_of(&kernel.devices[i], POLLIN) ? 1 : kernel_next_due_of(i);
		struct itimerspec until = { .it_value = { due / NS_PER_S, due % NS_PER_S } };

		if (due == INT64_MAX)
			until.it_value = (struct timespec){ 0 };
		if (is_news || due != 1 || input_due[i] != 1)
			timerfd_settime(inputs[i], TFD_TIMER_ABSTIME, &until, NULL);
		input_due[i] = due;
	}
}

/* With the lock held: the error of a poll that an arrival brings, or 0. */
static int take_poll_error(struct kernel_device *device)
{
	struct kernel_arrival *arrival = device->first;
	int error = arrival && !device->gone ? arrival->poll_error : 0;

	if (error) {
		kernel_take_first(device);
		kernel_arrival_drop(arrival);
	}
	return error;
}

static int64_t deadline_of(int timeout_ms)
{
	return timeout_ms < 0 ? FOREVER : kernel_now_ns() + (int64_t)timeout_ms * NS_PER_MS;
}

static int64_t earlier(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

/* With the lock held. In virtual time no other thread can deliver anything. */
static void wait_until(struct kernel_device *device, int64_t until_ns)
{
	if (kernel.policy->virtual_time && until_ns >= FOREVER)
		device->gone = ENODEV;
	else
		kernel_wait(until_ns);
}

static int wait_for_events(struct kernel_device *device, struct pollfd *polled, int timeout_ms)
{
	int64_t deadline = deadline_of(timeout_ms);
	int error;

	device->polls++;
	for (;;) {
		kernel_advance();
		error = take_poll_error(device);
		if (error)
			return -error;
		polled->revents = events_of(device, polled->events);
		if (polled->revents)
			return 1;
		if (kernel_now_ns() >= deadline)
			return 0;
		wait_until(device, earlier(deadline, kernel_next_due()));
	}
}

static void unlock(void *unused)
{
	(void)unused;
	kernel_unlock();
}

int kernel_device_poll(int device, struct pollfd *polled, int timeout_ms)
{
	int result;

	kernel_lock();
	pthread_cleanup_push(unlock, NULL);
	result = wait_for_events(&kernel.devices[device], polled, timeout_ms);
	pthread_cleanup_pop(true);
	return (int)kernel_result(result);
}

/* Until the deadline, the next event or the bell, or until another descriptor has something. */
static int wait_for_others(struct pollfd *fds, nfds_t count, int64_t until_ns)
{
	int64_t left_ns = until_ns - kernel_now_ns();
	struct timespec left = { 0 };

	if (left_ns > 0) {
		left.tv_sec = left_ns / NS_PER_S;
		left.tv_nsec = left_ns % NS_PER_S;
	}
	return ppoll(fds, count, &left, NULL);
}

int kernel_poll_several(int number, struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct kernel_device *device = &kernel.devices[number];
	int64_t deadline = deadline_of(timeout_ms), until;
	bool is_virtual = kernel.policy->virtual_time;
	int ready = 0, device_fd = fds[0].fd;
	eventfd_t ignored;
	short events;

	kernel_lock();
	device->polls++;
	kernel_unlock();
	for (;;) {
		eventfd_read(bells[number], &ignored);
		kernel_lock();
		kernel_advance();
		events = events_of(device, fds[0].events);
		until = earlier(deadline, kernel_next_due());
		kernel_unlock();
		fds[0].fd = bells[number];
		ready = wait_for_others(fds, count, events || is_virtual ? 0 : until);
		fds[0].fd = device_fd;
		if (ready > 0 && fds[0].revents)
			ready--;
		fds[0].revents = events;
		if (ready < 0)
			return ready;
		if (events || ready || kernel_now_ns() >= deadline)
			return ready + !!events;
		if (is_virtual) {
			kernel_lock();
			wait_until(device, until);
			kernel_unlock();
		}
	}
}
