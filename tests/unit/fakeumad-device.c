/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The umad device of fakeumad.h. Its descriptors are not the machine's: a poll waits on a condition
 * variable until a MAD is due or its time is over, so many threads can use the device at once.
 */
#include "fakeumad-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int __real_open(const char *path, int flags, ...);
int __real_close(int fd);
ssize_t __real_read(int fd, void *buffer, size_t size);
ssize_t __real_write(int fd, const void *buffer, size_t size);
int __real_poll(struct pollfd *fds, nfds_t count, int timeout);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_close(int fd);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
ssize_t __wrap_write(int fd, const void *buffer, size_t size);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap_ioctl(int fd, unsigned long request, ...);

static int fail_with(int error)
{
	errno = error;
	return -1;
}

static bool is_device(int fd)
{
	return fd >= FIRST_FD && fd < FIRST_FD + MAX_DEVICES;
}

static int open_device(const char *path)
{
	bool wrong;
	struct step *step = fakeumad_take_step(STEP_OPEN, &wrong);
	int error = wrong ? EBADMSG : step ? step->error : 0;

	if (step && strcmp(step->path, path))
		fakeumad_note_failure("open of %s came where that of %s was to come", path,
				      step->path);
	if (!step && strncmp(path, "/dev/infiniband/umad", strlen("/dev/infiniband/umad")))
		error = ENOENT;
	for (int i = 0; !error && i < MAX_DEVICES; i++) {
		if (!fake.open[i]) {
			fake.open[i] = true;
			return FIRST_FD + i;
		}
	}
	return -(error ? error : EMFILE);
}

int __wrap_open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list arguments;
	int fd;

	va_start(arguments, flags);
	if (flags & O_CREAT)
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (fakeumad_sysfs_has(path)) {
		fd = fakeumad_sysfs_open(path);
	} else if (!strncmp(path, "/dev/infiniband/", strlen("/dev/infiniband/"))) {
		pthread_mutex_lock(&fake.lock);
		fd = open_device(path);
		pthread_mutex_unlock(&fake.lock);
	} else {
		return __real_open(path, flags, mode);
	}
	return fd < 0 ? fail_with(-fd) : fd;
}

int __wrap_close(int fd)
{
	if (fakeumad_sysfs_owns(fd)) {
		fakeumad_sysfs_close(fd);
		return 0;
	}
	if (!is_device(fd))
		return __real_close(fd);
	pthread_mutex_lock(&fake.lock);
	if (!fake.open[fd - FIRST_FD])
		fakeumad_note_failure("close of a device that is not open");
	fake.open[fd - FIRST_FD] = false;
	fakeumad_clear_arrivals(fd);
	for (int i = 0; i < MAX_AGENTS; i++)
		if (fake.agents[i] == fd)
			fake.agents[i] = 0;
	pthread_mutex_unlock(&fake.lock);
	return 0;
}

static int new_agent(int fd)
{
	for (int i = 0; i < MAX_AGENTS; i++) {
		if (!fake.agents[i]) {
			fake.agents[i] = fd;
			return i;
		}
	}
	return -1;
}

static int register_agent(int fd, struct ib_user_mad_reg_req *request)
{
	bool wrong;
	struct step *step = fakeumad_take_step(STEP_REGISTER, &wrong);

	if (wrong)
		return EBADMSG;
	if (step) {
		struct ib_user_mad_reg_req asked = *request;

		asked.id = 0;
		if (asked.mgmt_class < 0x30 || asked.mgmt_class > 0x4f)
			memset(asked.oui, 0, sizeof(asked.oui)); /* nobody looks at it there */
		if (memcmp(&asked, &step->registration,
			   offsetof(struct ib_user_mad_reg_req, rmpp_version) + 1))
			fakeumad_note_failure(
				"registration of class 0x%x version %u rmpp %u mask %lx %lx "
				"qpn %u came where class 0x%x was to come, or its details are "
				"others",
				request->mgmt_class, request->mgmt_class_version,
				request->rmpp_version, request->method_mask[0],
				request->method_mask[1], request->qpn,
				step->registration.mgmt_class);
		request->id = (uint32_t)step->agent;
		return step->error;
	}
	request->id = (uint32_t)new_agent(fd);
	return 0;
}

static int unregister_agent(const uint32_t *agent)
{
	bool wrong;
	struct step *step = fakeumad_take_step(STEP_UNREGISTER, &wrong);

	if (step && step->agent != (int)*agent)
		fakeumad_note_failure("agent %u was unregistered, not %d", *agent, step->agent);
	return wrong ? EBADMSG : step ? step->error : 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list arguments;
	void *argument;
	int error = 0;
	bool wrong;

	va_start(arguments, request);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (!is_device(fd))
		return __real_ioctl(fd, request, argument);
	pthread_mutex_lock(&fake.lock);
	if (request == IB_USER_MAD_REGISTER_AGENT) {
		error = register_agent(fd, argument);
	} else if (request == IB_USER_MAD_UNREGISTER_AGENT) {
		error = unregister_agent(argument);
	} else if (request == IB_USER_MAD_ENABLE_PKEY) {
		struct step *step = fakeumad_take_step(STEP_ENABLE_PKEY, &wrong);

		error = step ? step->error : 0;
	} else {
		error = ENOTTY;
	}
	pthread_mutex_unlock(&fake.lock);
	return error ? fail_with(error) : 0;
}

static void keep(const uint8_t *packet, size_t size)
{
	int i = fake.writes++;

	if (i >= FAKEUMAD_KEPT)
		return;
	memset(fake.kept[i], 0, sizeof(fake.kept[i]));
	memcpy(fake.kept[i], packet, size < sizeof(fake.kept[i]) ? size : sizeof(fake.kept[i]));
	fake.kept_size[i] = size;
}

ssize_t __wrap_write(int fd, const void *buffer, size_t size)
{
	struct fakeumad_request request = { .packet = buffer, .size = size };
	fakeumad_answer_fn *answer;
	void *context;
	int error;

	if (!is_device(fd))
		return __real_write(fd, buffer, size);
	pthread_mutex_lock(&fake.lock);
	keep(buffer, size);
	request.mad = request.packet + FAKEUMAD_HEADER;
	request.number = fake.writes;
	answer = fake.answer;
	context = fake.context;
	error = fake.gone ? fake.gone : fakeumad_scripted_write(fd, buffer, size);
	pthread_mutex_unlock(&fake.lock);
	if (!error && answer)
		error = answer(&request, context);
	return error ? fail_with(error) : (ssize_t)size;
}

/* With the lock held: the first arrival that is due, or NULL. */
static struct arrival **first_due(int fd)
{
	for (struct arrival **place = &fake.arrivals; *place; place = &(*place)->next)
		if ((*place)->fd == fd)
			return (*place)->due <= fakeumad_now_ms() ? place : NULL;
	return NULL;
}

static ssize_t read_device(int fd, uint8_t *buffer, size_t size)
{
	struct arrival **place, *arrival;
	ssize_t result;

	if (fake.gone)
		return -fake.gone;
	place = first_due(fd);
	if (!place)
		return -EAGAIN;
	arrival = *place;
	if (!arrival->error && size < arrival->size) {
		memcpy(buffer, arrival->packet, size < FAKEUMAD_HEADER ? size : FAKEUMAD_HEADER);
		return size < FAKEUMAD_HEADER + FAKEUMAD_MAD ? -EINVAL : -ENOSPC;
	}
	result = arrival->error ? -arrival->error : (ssize_t)arrival->size;
	memcpy(buffer, arrival->packet, arrival->size);
	*place = arrival->next;
	free(arrival);
	return result;
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
	ssize_t result;

	if (fakeumad_sysfs_owns(fd)) {
		result = fakeumad_sysfs_read(fd, buffer, size);
	} else if (is_device(fd)) {
		pthread_mutex_lock(&fake.lock);
		fake.reads++;
		result = read_device(fd, buffer, size);
		pthread_mutex_unlock(&fake.lock);
	} else {
		return __real_read(fd, buffer, size);
	}
	return result < 0 ? fail_with((int)-result) : result;
}

/* With the lock held: waits until something may have changed, or until the deadline (ms; < 0:
 * none).
 */
static void wait_for_change(int fd, int64_t deadline)
{
	struct arrival *arrival = fake.arrivals;
	struct timespec until;

	while (arrival && arrival->fd != fd)
		arrival = arrival->next;
	if (arrival && (deadline < 0 || arrival->due < deadline))
		deadline = arrival->due;
	if (deadline < 0) {
		pthread_cond_wait(&fake.changed, &fake.lock);
		return;
	}
	until.tv_sec = deadline / 1000;
	until.tv_nsec = deadline % 1000 * 1000000;
	pthread_cond_timedwait(&fake.changed, &fake.lock, &until);
}

static int poll_device(struct pollfd *polled, int timeout)
{
	/* A millisecond more than asked: the clock is read in whole ones. */
	int64_t deadline = timeout < 0 ? -1 : fakeumad_now_ms() + timeout + (timeout > 0);

	fake.polls++;
	if (fake.poll_failures > 0 && timeout) {
		fake.poll_failures--;
		return -fake.poll_error;
	}
	for (;;) {
		polled->revents = 0;
		if (fake.gone)
			polled->revents = POLLERR | POLLHUP;
		else if (first_due(polled->fd))
			polled->revents = POLLIN;
		if (polled->revents)
			return 1;
		if (deadline >= 0 && fakeumad_now_ms() >= deadline)
			return 0;
		wait_for_change(polled->fd, deadline);
	}
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	int result;

	if (count != 1 || !is_device(fds[0].fd))
		return __real_poll(fds, count, timeout);
	pthread_mutex_lock(&fake.lock);
	result = poll_device(fds, timeout);
	pthread_mutex_unlock(&fake.lock);
	return result < 0 ? fail_with(-result) : result;
}
