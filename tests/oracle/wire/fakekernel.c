/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fake kernel of fakekernel.h: replaces open, close, read, write, poll, ioctl, opendir and
 * scandir of libc for paths of InfiniBand's sysfs and device nodes, and leaves all others as they
 * are. The umad device is a timerfd that is readable when a MAD waits, so every kind of poll works.
 */
#include "fakekernel-internal.h"

#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define DEVICE_PATH "/dev/infiniband/umad0"
#define TID_OFFSET  8

struct fakekernel_state fakekernel = { .lock = PTHREAD_MUTEX_INITIALIZER };

static FILE *log_file(void)
{
	const char *name = getenv("WIRE_LOG");

	if (!fakekernel.log)
		fakekernel.log = name ? fopen(name, "we") : stderr;
	return fakekernel.log ? fakekernel.log : stderr;
}

static int device_index(int fd)
{
	for (int i = 0; i < fakekernel.device_count; i++)
		if (fakekernel.devices[i] == fd)
			return i;
	return -1;
}

static bool passed(const struct timespec *due)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > due->tv_sec ||
	       (now.tv_sec == due->tv_sec && now.tv_nsec >= due->tv_nsec);
}

/* Sets the device's timer to the first arrival that waits for it. */
static void arm(int fd)
{
	struct itimerspec when = { 0 };

	for (struct arrival *a = fakekernel.arrivals; a; a = a->next) {
		if (a->fd != fd)
			continue;
		if (!when.it_value.tv_sec || a->due.tv_sec < when.it_value.tv_sec ||
		    (a->due.tv_sec == when.it_value.tv_sec &&
		     a->due.tv_nsec < when.it_value.tv_nsec))
			when.it_value = a->due;
	}
	timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL);
}

void fakekernel_queue(int fd, int error, int delay_ms, const void *bytes, size_t size)
{
	struct arrival *a = calloc(1, sizeof(*a) + size), **end = &fakekernel.arrivals;

	if (!a)
		exit(99);
	clock_gettime(CLOCK_MONOTONIC, &a->due);
	a->due.tv_sec += delay_ms / 1000;
	a->due.tv_nsec += delay_ms % 1000 * 1000000L;
	if (a->due.tv_nsec >= 1000000000L) {
		a->due.tv_sec++;
		a->due.tv_nsec -= 1000000000L;
	}
	a->fd = fd;
	a->error = error;
	a->size = size;
	memcpy(a->bytes, bytes, size);
	while (*end)
		end = &(*end)->next;
	*end = a;
	arm(fd);
}

/* Transaction IDs are printed as numbers in the order in which their low halves were first seen. */
static int tid_number(uint32_t low)
{
	for (int i = 0; i < fakekernel.tid_count; i++)
		if (fakekernel.tids[i] == low)
			return i + 1;
	if (fakekernel.tid_count < MAX_TIDS)
		fakekernel.tids[fakekernel.tid_count++] = low;
	return fakekernel.tid_count;
}

static void log_hex(const uint8_t *bytes, size_t size)
{
	static const uint8_t zeros[32];
	bool hidden = fakekernel.hides_smp_data && (bytes[1] == 0x01 || bytes[1] == 0x81) &&
		      bytes[3] == 1;

	for (size_t i = 0; i < size; i += 32) {
		size_t n = size - i < 32 ? size - i : 32;

		if (!memcmp(bytes + i, zeros, n) || (i >= 64 && i < 128 && hidden))
			continue;
		fprintf(log_file(), "  %03zu:", i);
		for (size_t k = i; k < i + n; k++) {
			fputs(k % 4 ? "" : " ", log_file());
			if (k >= TID_OFFSET && k < TID_OFFSET + 8)
				fputs("..", log_file());
			else
				fprintf(log_file(), "%02x", bytes[k]);
		}
		fputc('\n', log_file());
	}
}

static void log_write(const uint8_t *packet, size_t size)
{
	const struct ib_user_mad_hdr *h = (const void *)packet;
	const uint8_t *mad = packet + HEADER_SIZE;
	uint64_t tid;

	if (size < HEADER_SIZE + 24) {
		fprintf(log_file(), "write of %zu bytes\n", size);
		return;
	}
	memcpy(&tid, mad + 8, 8);
	tid = be64toh(tid);
	fprintf(log_file(),
		"write %zu: agent %u status %u timeout %d retries %d length %u qpn %u qkey %08x "
		"lid %u sl %u path_bits %u grh %u gid_index %u hop_limit %u tclass %u flow %x "
		"pkey_index %u",
		size, h->id, h->status, (int)h->timeout_ms, (int)h->retries, h->length,
		be32toh(h->qpn), be32toh(h->qkey), be16toh(h->lid), h->sl, h->path_bits,
		h->grh_present, h->gid_index, h->hop_limit, h->traffic_class,
		be32toh(h->flow_label), h->pkey_index);
	if (h->grh_present) {
		fputs(" gid ", log_file());
		for (int i = 0; i < 16; i++)
			fprintf(log_file(), "%02x", h->gid[i]);
	}
	fprintf(log_file(), " tid %s#%d\n", tid >> 32 ? "high," : "", tid_number((uint32_t)tid));
	log_hex(mad, size - HEADER_SIZE);
}

void fakekernel_arrive(const void *packet, size_t length)
{
	pthread_mutex_lock(&fakekernel.lock);
	if (fakekernel.device_count)
		fakekernel_queue(fakekernel.devices[fakekernel.device_count - 1], 0, 0, packet,
				 length);
	pthread_mutex_unlock(&fakekernel.lock);
}

void fakekernel_hide_smp_data(void)
{
	fakekernel.hides_smp_data = true;
}

void fakekernel_refuse(int register_errno, int register2_errno)
{
	fakekernel.register_errno = register_errno;
	fakekernel.register2_errno = register2_errno;
}

static int fail(int error)
{
	errno = error;
	return -1;
}

int open(const char *path, int flags, ...)
{
	char real[512];
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(args, mode_t);
	va_end(args);
	if (fakekernel_redirects(path, real, sizeof(real)))
		return NEXT(open)(real, flags);
	if (strncmp(path, "/dev/infiniband/", 16))
		return NEXT(open)(path, flags, mode);
	fprintf(log_file(), "open %s%s\n", path, flags & O_NONBLOCK ? " nonblock" : "");
	if (strcmp(path, DEVICE_PATH) || fakekernel.device_count == MAX_DEVICES)
		return fail(ENOENT);

	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);

	pthread_mutex_lock(&fakekernel.lock);
	fakekernel.flags[fakekernel.device_count] = flags;
	fakekernel.devices[fakekernel.device_count++] = fd;
	pthread_mutex_unlock(&fakekernel.lock);
	return fd;
}

static void forget_device(int fd)
{
	struct arrival **p = &fakekernel.arrivals;

	while (*p) {
		struct arrival *a = *p;

		if (a->fd == fd) {
			*p = a->next;
			free(a);
		} else {
			p = &a->next;
		}
	}
	for (int i = 0; i < MAX_AGENTS; i++)
		if (fakekernel.agents[i] == fd)
			fakekernel.agents[i] = 0;
}

int close(int fd)
{
	pthread_mutex_lock(&fakekernel.lock);
	int i = device_index(fd);

	if (i >= 0) {
		forget_device(fd);
		fakekernel.devices[i] = fakekernel.devices[--fakekernel.device_count];
		fakekernel.flags[i] = fakekernel.flags[fakekernel.device_count];
		fprintf(log_file(), "close umad0\n");
	}
	pthread_mutex_unlock(&fakekernel.lock);
	return NEXT(close)(fd);
}

/* Takes the first arrival that is due: bytes read, or -errno. */
static ssize_t take(int fd, void *buf, size_t size)
{
	for (struct arrival **p = &fakekernel.arrivals; *p; p = &(*p)->next) {
		struct arrival *a = *p;

		if (a->fd != fd || !passed(&a->due))
			continue;
		if (!a->error && size < a->size) {
			memcpy(buf, a->bytes, size < HEADER_SIZE ? size : HEADER_SIZE);
			if (a->size <= HEADER_SIZE + MAD_SIZE)
				return -EINVAL;
			if (size > HEADER_SIZE)
				memcpy((char *)buf + HEADER_SIZE, a->bytes + HEADER_SIZE,
				       size - HEADER_SIZE);
			return -ENOSPC;
		}
		ssize_t result = a->error ? -a->error : (ssize_t)a->size;

		if (!a->error)
			memcpy(buf, a->bytes, a->size);
		*p = a->next;
		free(a);
		arm(fd);
		return result;
	}
	return -EAGAIN;
}

ssize_t read(int fd, void *buf, size_t size)
{
	pthread_mutex_lock(&fakekernel.lock);
	int i = device_index(fd);

	if (i < 0) {
		pthread_mutex_unlock(&fakekernel.lock);
		return NEXT(read)(fd, buf, size);
	}
	ssize_t result = take(fd, buf, size);

	while (result == -EAGAIN && !(fakekernel.flags[i] & O_NONBLOCK)) {
		pthread_mutex_unlock(&fakekernel.lock);
		usleep(500);
		pthread_mutex_lock(&fakekernel.lock);
		result = take(fd, buf, size);
	}
	if (getenv("WIRE_READS") && result != -EAGAIN)
		fprintf(log_file(), "read of up to %zu gives %zd\n", size, result);
	pthread_mutex_unlock(&fakekernel.lock);
	return result < 0 ? fail((int)-result) : result;
}

ssize_t write(int fd, const void *buf, size_t size)
{
	pthread_mutex_lock(&fakekernel.lock);
	if (device_index(fd) < 0) {
		pthread_mutex_unlock(&fakekernel.lock);
		return NEXT(write)(fd, buf, size);
	}
	log_write(buf, size);
	int error = fakekernel_response(fd, buf, size);

	pthread_mutex_unlock(&fakekernel.lock);
	return error ? fail(error) : (ssize_t)size;
}

static int agent_new(int fd)
{
	for (int i = 0; i < MAX_AGENTS; i++) {
		if (!fakekernel.agents[i]) {
			fakekernel.agents[i] = fd;
			return i;
		}
	}
	return -1;
}

static int register_agent(int fd, struct ib_user_mad_reg_req *r)
{
	unsigned long mask[2];

	memcpy(mask, r->method_mask, sizeof(mask));
	fprintf(log_file(), "register: qpn %u class %02x version %u rmpp %u mask %016lx %016lx",
		r->qpn, r->mgmt_class, r->mgmt_class_version, r->rmpp_version, mask[0], mask[1]);
	if (r->mgmt_class >= 0x30 && r->mgmt_class <= 0x4f) /* the kernel looks at it only there */
		fprintf(log_file(), " oui %02x%02x%02x", r->oui[0], r->oui[1], r->oui[2]);
	fputc('\n', log_file());
	if (fakekernel.register_errno)
		return fail(fakekernel.register_errno);
	r->id = (uint32_t)agent_new(fd);
	return 0;
}

static int register_agent2(int fd, struct ib_user_mad_reg_req2 *r)
{
	fprintf(log_file(),
		"register2: qpn %u class %02x version %u flags %x oui %06x rmpp %u mask %016llx "
		"%016llx\n",
		r->qpn, r->mgmt_class, r->mgmt_class_version, r->flags, r->oui, r->rmpp_version,
		(unsigned long long)r->method_mask[0], (unsigned long long)r->method_mask[1]);
	if (fakekernel.register2_errno)
		return fail(fakekernel.register2_errno);
	r->id = (uint32_t)agent_new(fd);
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;
	int known, result = 0;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	pthread_mutex_lock(&fakekernel.lock);
	known = device_index(fd) >= 0;
	if (known) {
		switch (request) {
		case IB_USER_MAD_REGISTER_AGENT:
			result = register_agent(fd, arg);
			break;
		case IB_USER_MAD_REGISTER_AGENT2:
			result = register_agent2(fd, arg);
			break;
		case IB_USER_MAD_UNREGISTER_AGENT:
			fprintf(log_file(), "unregister %u\n", *(uint32_t *)arg);
			if (*(uint32_t *)arg < MAX_AGENTS)
				fakekernel.agents[*(uint32_t *)arg] = 0;
			break;
		case IB_USER_MAD_ENABLE_PKEY:
			fprintf(log_file(), "enable_pkey\n");
			break;
		default:
			result = fail(ENOTTY);
		}
	}
	pthread_mutex_unlock(&fakekernel.lock);
	return known ? result : NEXT(ioctl)(fd, request, arg);
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	if (getenv("WIRE_POLLS")) {
		pthread_mutex_lock(&fakekernel.lock);
		if (count && device_index(fds[0].fd) >= 0)
			fprintf(log_file(), "poll %d ms\n", timeout);
		pthread_mutex_unlock(&fakekernel.lock);
	}
	return NEXT(poll)(fds, count, timeout);
}

DIR *opendir(const char *path)
{
	char real[512];

	return NEXT(opendir)(fakekernel_redirects(path, real, sizeof(real)) ? real : path);
}

int scandir(const char *path, struct dirent ***list, int (*filter)(const struct dirent *),
	    int (*compare)(const struct dirent **, const struct dirent **))
{
	char real[512];

	return NEXT(scandir)(fakekernel_redirects(path, real, sizeof(real)) ? real : path, list,
			     filter, compare);
}
