/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Umad devices of the fuzz targets' kernel: agents, and what arrives, in the order in which it is
 * due. A poll moves the clock to the next arrival or to its end; one without end, when nothing more
 * can come, finds the device removed.
 */
#include <errno.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>

#include "kernel-internal.h"

enum {
	NS_PER_MS = 1000000,
	MAD_HEADER = 24,
	CLASS_SA = 3,
	CLASS_BOARD_MANAGEMENT = 5,
	METHOD_TRAP = 5,
	METHOD_TRAP_REPRESS = 7,
	RESPONSE = 0x80,
};

struct arrival fuzz_arrivals[MAX_ARRIVALS];
static uint8_t last_write[FUZZ_PACKET_MAX];

static bool script_says_no(void)
{
	return fuzz_kernel.script_calls && (fuzz_u8(fuzz_kernel.input) & 0xc0) == 0xc0;
}

int fuzz_device_open(const char *path)
{
	size_t length = strlen(path);
	int i;

	FUZZ_CHECK(length > 20 && length < 24 && !strncmp(path, "/dev/infiniband/umad", 20));
	FUZZ_CHECK(path[20 + strspn(path + 20, "0123456789")] == '\0');
	if (script_says_no())
		return fuzz_failed(fuzz_kernel.input->left ? fuzz_kernel_errno(fuzz_kernel.input)
							   : EIO);
	for (i = 0; i < MAX_DEVICES; i++) {
		if (fuzz_kernel.devices[i].open)
			continue;
		fuzz_kernel.devices[i].open = true;
		fuzz_kernel.devices[i].gone = false;
		return FIRST_DEVICE + i;
	}
	return fuzz_failed(EMFILE);
}

int fuzz_device_close(int fd)
{
	size_t i;

	FUZZ_CHECK(fuzz_kernel.devices[fd - FIRST_DEVICE].open);
	fuzz_kernel.devices[fd - FIRST_DEVICE].open = false;
	for (i = 0; i < fuzz_kernel.arrival_count; i++)
		if (fuzz_arrivals[i].fd == fd)
			fuzz_arrivals[i].taken = true;
	return 0;
}

struct arrival *fuzz_device_arrival(int fd)
{
	struct arrival *arrival;

	if (fuzz_kernel.arrival_count == MAX_ARRIVALS)
		return NULL;
	arrival = &fuzz_arrivals[fuzz_kernel.arrival_count++];
	arrival->kind = ARRIVAL_PACKET;
	arrival->fd = fd;
	arrival->due = fuzz_kernel.now;
	arrival->taken = arrival->delivered = false;
	arrival->size = 0;
	return arrival;
}

/* The one that is due first, of those that are equal the first that was made. */
static struct arrival *next_arrival(int fd)
{
	struct arrival *next = NULL;
	size_t i;

	for (i = 0; i < fuzz_kernel.arrival_count; i++) {
		struct arrival *arrival = &fuzz_arrivals[i];

		if (!arrival->taken && arrival->fd == fd && (!next || arrival->due < next->due))
			next = arrival;
	}
	return next;
}

/* The header is there whole in any case; what is too small for that is refused. */
static ssize_t too_small(const struct arrival *arrival, void *buffer, size_t size)
{
	if (size < fuzz_kernel.header + FUZZ_MAD)
		return fuzz_failed(EINVAL);
	memcpy(buffer, arrival->packet, fuzz_kernel.header);
	return fuzz_failed(ENOSPC);
}

ssize_t fuzz_device_read(int fd, void *buffer, size_t size)
{
	struct arrival *arrival = next_arrival(fd);

	FUZZ_CHECK(fuzz_kernel.devices[fd - FIRST_DEVICE].open);
	if (fuzz_kernel.devices[fd - FIRST_DEVICE].gone)
		return fuzz_failed(ENODEV);
	if (!arrival || arrival->due > fuzz_kernel.now)
		return fuzz_failed(EAGAIN);
	if (arrival->kind == ARRIVAL_PACKET && arrival->size > size)
		return too_small(arrival, buffer, size);
	arrival->taken = true;
	switch (arrival->kind) {
	case ARRIVAL_PACKET:
		arrival->delivered = true;
		memcpy(buffer, arrival->packet, arrival->size);
		return (ssize_t)arrival->size;
	case ARRIVAL_SPURIOUS:
		return fuzz_failed(EAGAIN);
	case ARRIVAL_GONE:
		fuzz_kernel.devices[fd - FIRST_DEVICE].gone = true;
		return fuzz_failed(ENODEV);
	default:
		return fuzz_failed(arrival->error);
	}
}

/* What poll() says of an arrival that is due. */
static int poll_arrival(struct arrival *arrival, short *revents)
{
	if (arrival->kind == ARRIVAL_POLL_ERROR) {
		arrival->taken = true;
		return fuzz_failed(arrival->error);
	}
	*revents = arrival->kind == ARRIVAL_GONE ? POLLERR | POLLHUP : POLLIN;
	return 1;
}

int fuzz_device_poll(int fd, short *revents, int timeout_ms)
{
	int64_t deadline = fuzz_kernel.now + (int64_t)timeout_ms * NS_PER_MS;
	struct arrival *arrival = next_arrival(fd);

	FUZZ_CHECK(fuzz_kernel.devices[fd - FIRST_DEVICE].open);
	*revents = 0;
	if (fuzz_kernel.devices[fd - FIRST_DEVICE].gone || (!arrival && timeout_ms < 0)) {
		fuzz_kernel.devices[fd - FIRST_DEVICE].gone = true;
		*revents = POLLERR | POLLHUP;
		return 1;
	}
	if (arrival && (timeout_ms < 0 || arrival->due <= deadline)) {
		if (arrival->due > fuzz_kernel.now)
			fuzz_kernel.now = arrival->due;
		return poll_arrival(arrival, revents);
	}
	fuzz_kernel.now = deadline;
	return 0;
}

int fuzz_device_ioctl(int fd, unsigned long request, void *argument)
{
	FUZZ_CHECK(fuzz_kernel.devices[fd - FIRST_DEVICE].open);
	if (script_says_no()) {
		if (request == IB_USER_MAD_ENABLE_PKEY)
			fuzz_kernel.header = FUZZ_HEADER - 8;
		return fuzz_failed(fuzz_kernel.input->left ? fuzz_kernel_errno(fuzz_kernel.input)
							   : EINVAL);
	}
	switch (request) {
	case IB_USER_MAD_REGISTER_AGENT:
		((struct ib_user_mad_reg_req *)argument)->id = fuzz_kernel.next_agent++;
		return 0;
	case IB_USER_MAD_REGISTER_AGENT2:
		((struct ib_user_mad_reg_req2 *)argument)->id = fuzz_kernel.next_agent++;
		return 0;
	case IB_USER_MAD_UNREGISTER_AGENT:
		return *(uint32_t *)argument < fuzz_kernel.next_agent ? 0 : fuzz_failed(EINVAL);
	case IB_USER_MAD_ENABLE_PKEY:
		fuzz_kernel.header = FUZZ_HEADER;
		return 0;
	}
	FUZZ_CHECK(!"an ioctl that umad devices have");
	return fuzz_failed(ENOTTY);
}

ssize_t fuzz_device_write(int fd, const void *buffer, size_t size)
{
	int error;

	FUZZ_CHECK(fuzz_kernel.devices[fd - FIRST_DEVICE].open);
	FUZZ_CHECK(fuzz_kernel.stack - (const char *)__builtin_frame_address(0) < STACK_MAX);
	if (size > sizeof(last_write))
		fuzz_touch(buffer, size);
	fuzz_kernel.writes++;
	fuzz_kernel.last_size = size < sizeof(last_write) ? size : sizeof(last_write);
	memcpy(last_write, buffer, fuzz_kernel.last_size);
	if (fuzz_kernel.devices[fd - FIRST_DEVICE].gone)
		return fuzz_failed(ENODEV);
	error = fuzz_answer(fd, last_write, fuzz_kernel.last_size);
	fuzz_kernel.writes -= error == EINTR; /* it is made again */
	if (error < 0)
		return (ssize_t)size / 2;
	return error ? fuzz_failed(error) : (ssize_t)size;
}

const uint8_t *fuzz_kernel_last_write(size_t *size)
{
	*size = fuzz_kernel.last_size;
	return last_write;
}

unsigned fuzz_kernel_writes(void)
{
	return fuzz_kernel.writes;
}

void fuzz_kernel_script_calls(bool on)
{
	fuzz_kernel.script_calls = on;
}

static bool holds(const struct arrival *arrival, const uint8_t *bytes, size_t offset, size_t size)
{
	size_t start = fuzz_kernel.header + offset;
	size_t there = arrival->size > start ? arrival->size - start : 0;
	size_t i;

	if (there > size)
		there = size;
	if (memcmp(arrival->packet + start, bytes, there) != 0)
		return false;
	for (i = there; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/* Board management marks its responses by a bit of the attribute modifier (16.2). */
static bool is_response(const uint8_t *mad)
{
	return mad[3] & RESPONSE || (mad[1] == CLASS_BOARD_MANAGEMENT && mad[23] & 1);
}

/* Whether it may count as the response to the last write: its transaction ID and class, a
 * response without an error, and, but for tables that may be empty, some of its data. */
static bool answers(const struct arrival *arrival, size_t offset)
{
	const uint8_t *mad = arrival->packet + fuzz_kernel.header;
	const uint8_t *request = last_write + fuzz_kernel.header;
	size_t length = arrival->size - fuzz_kernel.header;

	if (!arrival->delivered || length < MAD_HEADER || length < offset ||
	    (length == offset && mad[1] != CLASS_SA))
		return false;
	if (!is_response(mad) && !(request[3] == METHOD_TRAP && mad[3] == METHOD_TRAP_REPRESS))
		return false;
	return mad[0] == 1 && mad[1] == request[1] && !memcmp(mad + 12, request + 12, 4) &&
	       !(mad[4] & 0x7f) && !mad[5];
}

bool fuzz_kernel_answered(const void *bytes, size_t offset, size_t size)
{
	size_t i;

	for (i = 0; i < fuzz_kernel.arrival_count; i++)
		if (answers(&fuzz_arrivals[i], size ? offset : 0) &&
		    holds(&fuzz_arrivals[i], bytes, offset, size))
			return true;
	return false;
}

bool fuzz_kernel_delivered(const void *bytes, size_t offset, size_t size)
{
	size_t i;

	for (i = 0; i < fuzz_kernel.arrival_count; i++)
		if (fuzz_arrivals[i].delivered && holds(&fuzz_arrivals[i], bytes, offset, size))
			return true;
	return false;
}

size_t fuzz_kernel_longest(void)
{
	size_t i, longest = 0;

	for (i = 0; i < fuzz_kernel.arrival_count; i++)
		if (fuzz_arrivals[i].delivered && fuzz_arrivals[i].size > longest)
			longest = fuzz_arrivals[i].size;
	return longest > fuzz_kernel.header ? longest - fuzz_kernel.header : 0;
}
