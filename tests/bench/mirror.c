/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See mirror.h. A device is an eventfd that counts the responses that wait, so polls are libc's. */
#include "mirror.h"

#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <rdma/ib_user_mad.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEVICE	     "/dev/infiniband/umad"
#define MAX_FD	     1024
#define HEADER	     sizeof(struct ib_user_mad_hdr)
#define MAD	     256
#define WAITING_MAX  8192 /* responses of all devices; a power of two */
#define SA_HEADER    56
#define RMPP	     24 /* where the RMPP header is */
#define ATTR_OFFSET  44 /* SA header: bytes of a record, divided by 8 */
#define GET_TABLE    0x12
#define GET_RESPONSE 0x81

_Static_assert(HEADER == 64, "the layout with the P_Key index");

/* A response that waits: its first bytes, and where it is a table the others are in table. */
struct response {
	int fd;
	size_t size;
	uint8_t packet[HEADER + MAD];
};

static struct response waiting[WAITING_MAX];
static unsigned first, end;
static bool is_device[MAX_FD];
static uint32_t agents;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of waiting and ignored */
static int ignored_class = -1;
static unsigned ignored;
static uint8_t *table; /* the MAD of a table, as far as all are the same */
static size_t table_size;

static __typeof__(&open) next_open;
static __typeof__(&ioctl) next_ioctl;

__attribute__((constructor)) static void find_next(void)
{
	next_open = (__typeof__(&open))dlsym(RTLD_NEXT, "open");
	next_ioctl = (__typeof__(&ioctl))dlsym(RTLD_NEXT, "ioctl");
}

static bool is_ours(int fd)
{
	return fd >= 0 && fd < MAX_FD && is_device[fd];
}

int mirror_set_records(unsigned count, unsigned record_size)
{
	size_t data = (size_t)count * record_size;
	uint8_t *made = realloc(table, SA_HEADER + data);
	const uint8_t rmpp[] = { 1, 1,
				 0xfb }; /* version; DATA; active, first, last, no resend time */

	if (!made)
		return -1;
	table = made;
	table_size = SA_HEADER + data;
	memset(table, 0, SA_HEADER);
	memcpy(table + RMPP, rmpp, sizeof(rmpp));
	table[RMPP + 7] = 1; /* segment */
	*(uint32_t *)(void *)(table + RMPP + 8) = htobe32((uint32_t)(20 + data));
	*(uint16_t *)(void *)(table + ATTR_OFFSET) = htobe16((uint16_t)(record_size / 8));
	for (size_t i = 0; i < data; i++)
		table[SA_HEADER + i] = (uint8_t)(i * 7 + i / 256);
	return 0;
}

void mirror_ignore_class(unsigned mgmt_class)
{
	ignored_class = (int)mgmt_class;
}

unsigned mirror_ignored(void)
{
	unsigned count;

	pthread_mutex_lock(&lock);
	count = ignored;
	pthread_mutex_unlock(&lock);
	return count;
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;
	int fd;

	va_start(args, flags);
	if (flags & O_CREAT)
		mode = va_arg(args, mode_t);
	va_end(args);
	if (!strcmp(path, "/proc/sys/kernel/osrelease")) { /* no limits of this machine's kernel */
		errno = ENOENT;
		return -1;
	}
	if (strncmp(path, DEVICE, strlen(DEVICE)) != 0)
		return next_open(path, flags, mode);
	fd = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
	if (fd >= 0 && fd < MAX_FD)
		is_device[fd] = true;
	return fd;
}

int close(int fd)
{
	if (is_ours(fd))
		is_device[fd] = false;
	return (int)syscall(SYS_close, fd);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *argument;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	if (!is_ours(fd))
		return next_ioctl(fd, request, argument);
	if (request == IB_USER_MAD_REGISTER_AGENT)
		((struct ib_user_mad_reg_req *)argument)->id = agents++;
	else if (request == IB_USER_MAD_REGISTER_AGENT2)
		((struct ib_user_mad_reg_req2 *)argument)->id = agents++;
	return 0;
}

static void make_response(struct response *response)
{
	struct ib_user_mad_hdr *header = (void *)response->packet;
	uint8_t *mad = response->packet + HEADER;

	response->size = HEADER + MAD;
	if (mad[3] == GET_TABLE && table) {
		response->size = HEADER + table_size;
		memcpy(mad + RMPP, table + RMPP, MAD - RMPP);
	}
	mad[3] = mad[3] == GET_TABLE ? GET_TABLE | 0x80 : GET_RESPONSE;
	header->status = 0;
	header->length = (uint32_t)response->size;
}

static ssize_t take_write(int fd, const void *buffer, size_t size)
{
	struct response *response = &waiting[end % WAITING_MAX];
	const uint64_t one = 1;

	if (size > HEADER + 1 && ((const uint8_t *)buffer)[HEADER + 1] == ignored_class) {
		ignored++;
		return (ssize_t)size;
	}
	if (size > sizeof(response->packet) || end - first == WAITING_MAX)
		abort();
	memcpy(response->packet, buffer, size);
	response->fd = fd;
	make_response(response);
	end++;
	if (syscall(SYS_write, fd, &one, sizeof(one)) < 0)
		abort();
	return (ssize_t)size;
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	ssize_t result;

	if (!is_ours(fd))
		return syscall(SYS_write, fd, buffer, size);
	pthread_mutex_lock(&lock);
	result = take_write(fd, buffer, size);
	pthread_mutex_unlock(&lock);
	return result;
}

/* Brings the first response of the device to the front, as it is when there is one device. */
static struct response *first_of(int fd)
{
	for (unsigned i = first; i != end; i++) {
		struct response *found = &waiting[i % WAITING_MAX], *front;

		if (found->fd != fd)
			continue;
		front = &waiting[first % WAITING_MAX];
		if (found != front) {
			static struct response kept;

			kept = *found;
			*found = *front;
			*front = kept;
		}
		return front;
	}
	return NULL;
}

static ssize_t take_read(int fd, void *buffer, size_t size)
{
	struct response *response;
	size_t whole;
	uint64_t one;

	response = first_of(fd);
	if (!response) {
		errno = EAGAIN;
		return -1;
	}
	whole = response->size < sizeof(response->packet) ? response->size
							  : sizeof(response->packet);
	if (size < response->size) { /* the caller sees how long it is and comes again */
		memcpy(buffer, response->packet, size < whole ? size : whole);
		errno = ENOSPC;
		return -1;
	}
	memcpy(buffer, response->packet, whole);
	if (response->size > whole)
		memcpy((uint8_t *)buffer + whole, table + MAD, response->size - whole);
	first++;
	if (syscall(SYS_read, fd, &one, sizeof(one)) < 0)
		abort();
	return (ssize_t)response->size;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	ssize_t result;

	if (!is_ours(fd))
		return syscall(SYS_read, fd, buffer, size);
	pthread_mutex_lock(&lock);
	result = take_read(fd, buffer, size);
	pthread_mutex_unlock(&lock);
	return result;
}
