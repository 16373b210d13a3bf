/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See kernel.h. Sysfs is that of tests/lib/kernel. */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "../../lib/kernel/internal.h"
#include "invariants.h"
#include "kernel.h"
#include "memory.h"
#include "races.h"
#include "scheduler.h"
#include "threads.h"
#include "world.h"

#define DEVICE_PREFIX "/dev/infiniband/umad"

enum { DEVICE_MAJOR = 231, FIRST_EVENTFD = 3000, EVENTFDS = 64, MEMBERS = 8 };

/* An eventfd, a timerfd or an epoll descriptor. */
static struct eventfd_file {
	bool open;
	bool shared; /* with the parent of a fork, who would be woken as well */
	uint64_t value;
	int64_t due; /* of a timer; 0: not set */
	int members[MEMBERS];
	unsigned member_count;
} eventfds[EVENTFDS];

static const struct kernel_policy sysfs_alone;

DIR *__wrap_opendir(const char *path);

static int fail_with(int error)
{
	errno = error;
	return -1;
}

void sim_files_clear(void)
{
	char size[16];

	memset(eventfds, 0, sizeof(eventfds));
	kernel_reset(&sysfs_alone, 0);
	kernel_host();
	if (!sim_world.receive_queue)
		return;
	snprintf(size, sizeof(size), "%u\n", sim_world.receive_queue);
	kernel_file("/proc/sys/kernel/osrelease", "6.17.0\n");
	kernel_file("/sys/module/ib_core/parameters/recv_queue_size", size);
}

void sim_files_share(void)
{
	for (int i = 0; i < EVENTFDS; i++)
		eventfds[i].shared = eventfds[i].open;
}

void sim_files_check(void)
{
	int count = kernel_count_open() + sim_kernel_open_files();

	for (int i = 0; i < EVENTFDS; i++)
		count += eventfds[i].open;
	if (count)
		sim_broken("leak", "%d descriptors are open", count);
}

/* A program without standard input gets 0 for the first one. */
static int descriptor_of(int i)
{
	return !i && sim_world.has_no_stdin ? 0 : FIRST_EVENTFD + i;
}

static struct eventfd_file *eventfd_of(int fd)
{
	int i = fd ? fd - FIRST_EVENTFD : 0;

	if (i < 0 || i >= EVENTFDS || fd != descriptor_of(i) || !eventfds[i].open)
		return NULL;
	return &eventfds[i];
}

/* For a call that takes from the eventfd, polls it, or wakes who does. */
static void check_own(const struct eventfd_file *eventfd)
{
	if (eventfd && eventfd->shared && !sim_memory_has_failed)
		sim_broken("descriptor", "%s uses an eventfd of its parent", sim.current->name);
}

REPLACED(int, open, const char *path, UNUSED int flags, ...)
{
	int result = -ENOENT;

	sim_step();
	sim_cancellation_point("open");
	if (sim_fails_for_memory())
		result = -EMFILE;
	else if (!strncmp(path, DEVICE_PREFIX, strlen(DEVICE_PREFIX)))
		result = sim_kernel_open(path + strlen(DEVICE_PREFIX));
	else if (kernel_owns(path))
		result = kernel_open_file(path);
	return result < 0 ? fail_with(-result) : result;
}

REPLACED(int, close, int fd)
{
	struct eventfd_file *eventfd = eventfd_of(fd);

	sim_step();
	sim_cancellation_point("close");
	if (kernel_descriptor(fd)) {
		kernel_close_descriptor(kernel_descriptor(fd));
		return 0;
	}
	if (eventfd) {
		eventfd->open = false;
		return 0;
	}
	if (sim_kernel_close(fd)) {
		sim_broken("descriptor", "%s closes %d, which is not open", sim.current->name, fd);
		return fail_with(EBADF);
	}
	return 0;
}

void sim_check_locks(const char *call)
{
	if (sim.current->locks)
		sim_broken("lock-held", "%s holds %u mutexes in %s()", sim.current->name,
			   sim.current->locks, call);
}

REPLACED(int, eventfd_read, int fd, eventfd_t *value)
{
	struct eventfd_file *eventfd = eventfd_of(fd);

	sim_step();
	sim_cancellation_point("eventfd_read");
	check_own(eventfd);
	if (!eventfd || !eventfd->value)
		return fail_with(eventfd ? EAGAIN : EBADF);
	*value = eventfd->value;
	eventfd->value = 0;
	return 0;
}

REPLACED(ssize_t, read, int fd, void *buffer, size_t size)
{
	ssize_t result;

	sim_step();
	sim_cancellation_point("read");
	if (kernel_descriptor(fd))
		result = kernel_read_file(kernel_descriptor(fd), buffer, size);
	else if (eventfd_of(fd))
		result = size < sizeof(eventfd_t) ? -EINVAL : replaced_eventfd_read(fd, buffer);
	else
		result = sim_kernel_read(fd, buffer, size);
	if (result > 0)
		sim_races_access(buffer, (size_t)result, SIM_WRITE, __builtin_return_address(0));
	sim_step();
	return result < 0 ? fail_with((int)-result) : result;
}

/* A write may take some time, before the kernel has the request or after that. Threads that wait
 * for the lock meanwhile are not late. */
REPLACED(ssize_t, write, int fd, const void *buffer, size_t size)
{
	int64_t began, before, after;
	ssize_t result;

	sim_step();
	sim_cancellation_point("write");
	sim_races_access(buffer, size, SIM_READ, __builtin_return_address(0));
	before = after = 0;
	if (sim_world.write_takes && sim.stall_count < SIM_STALLS &&
	    sim_random_once_in(&sim_world.sends, 4)) {
		before = sim_random_between(&sim_world.sends, 0, sim_world.write_takes);
		after = sim_random_between(&sim_world.sends, 0, sim_world.write_takes);
	}
	began = sim.now;
	sim_sleep(before);
	sim.current->in_write = before;
	result = sim_kernel_write(fd, buffer, size);
	sim.current->in_write = 0;
	sim_sleep(after);
	sim_note_late(began);
	sim_step();
	return result < 0 ? fail_with((int)-result) : result;
}

REPLACED(int, ioctl, int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;
	int result;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	sim_step();
	result = sim_kernel_ioctl(fd, request, argument);
	return result < 0 ? fail_with(-result) : result;
}

struct polling {
	struct pollfd *fds;
	nfds_t count;
};

static bool is_readable(const struct eventfd_file *eventfd)
{
	for (unsigned i = 0; i < eventfd->member_count; i++) {
		const struct eventfd_file *member = eventfd_of(eventfd->members[i]);

		if (member ? is_readable(member)
			   : sim_kernel_events(eventfd->members[i]) & (POLLIN | POLLERR | POLLHUP))
			return true;
	}
	return eventfd->value || (eventfd->due && eventfd->due <= sim.now);
}

static short events_of(const struct pollfd *polled)
{
	struct eventfd_file *eventfd = eventfd_of(polled->fd);
	short events = sim_kernel_events(polled->fd);

	if (eventfd)
		events = is_readable(eventfd) ? POLLIN | POLLOUT : POLLOUT;
	return (short)(events & (polled->events | POLLERR | POLLHUP | POLLNVAL));
}

static bool has_events(const void *subject)
{
	const struct polling *polling = subject;

	for (nfds_t i = 0; i < polling->count; i++)
		if (events_of(&polling->fds[i]))
			return true;
	return false;
}

/* poll() takes a time that the thread has computed from the clock: if it was stalled in between,
 * the wait ends as much later, and so may everything that relies on it, even what began after the
 * stall. */
int replaced_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct polling polling = { fds, count };
	int64_t deadline = timeout_ms < 0 ? SIM_NEVER : sim.now + timeout_ms * SIM_MS;
	int64_t stalled = sim_stalled_since(sim.current->clock_read_at), began = sim.now;
	int found = 0;

	if (timeout_ms)
		sim_check_locks("poll");
	for (nfds_t i = 0; i < count; i++)
		check_own(eventfd_of(fds[i].fd));
	if (sim_wait(timeout_ms < 0 ? "poll(), without a limit" : "poll()", has_events, &polling,
		     deadline, true) == SIM_CANCELLED)
		sim_cancel_self();
	sim_check_cancellable(began);
	if (timeout_ms > 0 && stalled)
		sim_note_late(deadline - stalled);
	if (!sim_world.has_cases && sim_random_once_in(&sim.choices, 400))
		return fail_with(EINTR);
	for (nfds_t i = 0; i < count; i++) {
		fds[i].revents = events_of(&fds[i]);
		found += fds[i].revents != 0;
	}
	return found;
}

REPLACED(DIR *, opendir, const char *path)
{
	sim_step();
	return __wrap_opendir(path);
}

REPLACED(int, eventfd, unsigned value, UNUSED int flags)
{
	for (int i = 0; i < EVENTFDS && !sim_fails_for_memory(); i++) {
		if (eventfds[i].open)
			continue;
		eventfds[i] = (struct eventfd_file){ .open = true, .value = value };
		return descriptor_of(i);
	}
	return fail_with(EMFILE);
}

REPLACED(int, timerfd_create, UNUSED clockid_t clock, UNUSED int flags)
{
	return replaced_eventfd(0, 0);
}

REPLACED(int, epoll_create1, UNUSED int flags)
{
	return replaced_eventfd(0, 0);
}

/* Threads that wait look again. */
static void end_timer(UNUSED void *unused)
{
}

REPLACED(int, timerfd_settime, int fd, UNUSED int flags, const struct itimerspec *until,
	 UNUSED struct itimerspec *before)
{
	struct eventfd_file *timer = eventfd_of(fd);

	sim_step();
	if (!timer)
		return fail_with(EBADF);
	check_own(timer);
	timer->due = until->it_value.tv_sec * SIM_S + until->it_value.tv_nsec;
	if (timer->due > sim.now)
		sim_at(timer->due, end_timer, NULL);
	return 0;
}

REPLACED(int, epoll_ctl, int epoll, int operation, int fd, UNUSED struct epoll_event *event)
{
	struct eventfd_file *file = eventfd_of(epoll);
	unsigned i = 0;

	if (!file)
		return fail_with(EBADF);
	check_own(file);
	if (!eventfd_of(fd) && sim_kernel_file(fd) && sim_world.kernel == SIM_KERNEL_SIMULATOR)
		sim_broken("descriptor", "a simulator's descriptor is given to epoll_ctl()");
	while (i < file->member_count && file->members[i] != fd)
		i++;
	if (operation == EPOLL_CTL_DEL && i == file->member_count)
		return fail_with(ENOENT);
	if (operation == EPOLL_CTL_DEL)
		file->members[i] = file->members[--file->member_count];
	else if (file->member_count == MEMBERS || sim_fails_for_memory())
		return fail_with(ENOMEM);
	else
		file->members[file->member_count++] = fd;
	return 0;
}

REPLACED(int, eventfd_write, int fd, eventfd_t value)
{
	struct eventfd_file *eventfd = eventfd_of(fd);

	sim_step();
	sim_cancellation_point("eventfd_write");
	if (!eventfd) {
		sim_broken("descriptor", "%s writes to an eventfd that is not open",
			   sim.current->name);
		return fail_with(EBADF);
	}
	check_own(eventfd);
	eventfd->value += value;
	return 0;
}

/* Gives the file that fd names a second number, as which it is the only one from now on: what
 * the libraries do with fd next is to close it. */
REPLACED(int, dup3, int fd, int as, UNUSED int flags)
{
	struct eventfd_file *from = eventfd_of(fd), *to = eventfd_of(as);

	if (!from || !to)
		return fail_with(EBADF);
	*to = *from;
	return as;
}

/* Kernels have devices that are files; a simulator's descriptor is of none. Before glibc 2.33
 * fstat() is an inline function, which calls __fxstat(). */
#define FSTAT(suffix)                                                                            \
	REPLACED(int, fstat##suffix, int fd, struct stat##suffix *status)                        \
	{                                                                                        \
		sim_step();                                                                      \
		memset(status, 0, sizeof(*status));                                              \
		if (!sim_kernel_file(fd) || sim_world.kernel == SIM_KERNEL_SIMULATOR)            \
			return fail_with(EBADF);                                                 \
		status->st_mode = S_IFCHR | 0600;                                                \
		status->st_rdev = makedev(DEVICE_MAJOR, 0);                                      \
		return 0;                                                                        \
	}                                                                                        \
	REPLACED(int, __fxstat##suffix, UNUSED int version, int fd, struct stat##suffix *status) \
	{                                                                                        \
		return replaced_fstat##suffix(fd, status);                                       \
	}

FSTAT()
FSTAT(64)

REPLACED(ssize_t, readlink, const char *path, char *target, size_t size)
{
	static const char device[] = "../../devices/pci0000:00/infiniband_mad/umad0";
	char expected[64];

	snprintf(expected, sizeof(expected), "/sys/dev/char/%d:0", DEVICE_MAJOR);
	if (strcmp(path, expected) != 0)
		return fail_with(ENOENT);
	if (size > sizeof(device) - 1)
		size = sizeof(device) - 1;
	memcpy(target, device, size);
	return (ssize_t)size;
}

unsigned sim_wait_for(const int *descriptors, unsigned count, int timeout_ms)
{
	struct pollfd polled[MEMBERS];
	unsigned readable = 0;

	for (unsigned i = 0; i < count; i++)
		polled[i] = (struct pollfd){ .fd = descriptors[i], .events = POLLIN };
	if (replaced_poll(polled, count, timeout_ms) <= 0)
		return 0;
	for (unsigned i = 0; i < count; i++)
		readable |= (unsigned)(polled[i].revents != 0) << i;
	return readable;
}
