/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the kernel's RMPP does, for SA traffic on the simulated fabric, which has none: preloaded in
 * front of libumad2sim.so it cuts a long MAD that is written into segments (13.6.2 of the
 * InfiniBand Architecture Specification), and joins those that come for one read. There are no
 * ACKs: the simulator loses nothing. Both ends need it. All other traffic passes as it is.
 *
 * umad2sim hands a reader the first 224 bytes of a MAD and leaves garbage in the other 32, so a
 * segment carries 168 bytes of data on its way and not 200. A reader gets the RMPP header that it
 * would get with the kernel's 200.
 *
 * Several threads may use it. Writes to no files; complains on standard error.
 */
#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/ib_user_mad.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/preload.h"

#define UMAD_HEADER	sizeof(struct ib_user_mad_hdr)
#define MAD_SIZE	256
#define PACKET_SIZE	(UMAD_HEADER + MAD_SIZE)
#define SA_CLASS	0x03
#define SA_HEADER	56  /* bytes in front of the data in each segment */
#define SA_COUNTED	20  /* of them, those that a payload length counts */
#define KERNEL_DATA	200 /* bytes of data in a segment */
#define SIMULATOR_DATA	168 /* what umad2sim delivers of them */
#define LONGEST_MESSAGE (64 << 20)

/* How long a poll may not notice that another thread's read completed a message. */
#define POLL_SLICE_MS 50

enum { RMPP_VERSION = 1, RMPP_TYPE_NONE = 0, RMPP_TYPE_DATA = 1 };
enum { RMPP_ACTIVE = 1, RMPP_FIRST = 2, RMPP_LAST = 4, RMPP_FLAGS = 7 };

/* The headers that every MAD here begins with, as they lie on the wire. */
struct rmpp_mad {
	uint8_t base_version;
	uint8_t mgmt_class;
	uint8_t class_version;
	uint8_t method;
	uint16_t status;
	uint16_t class_specific;
	uint64_t tid;
	uint16_t attr_id;
	uint16_t reserved;
	uint32_t attr_mod;
	uint8_t rmpp_version;
	uint8_t rmpp_type;
	uint8_t rmpp_time_flags;
	uint8_t rmpp_status;
	uint32_t segment;
	uint32_t payload_length;
} __attribute__((packed));

_Static_assert(sizeof(struct rmpp_mad) == 36, "MAD header and RMPP header");
_Static_assert(UMAD_HEADER == 64, "the layout with the P_Key index");

/* A message for a reader: whole, or still growing. */
struct message {
	struct message *next;
	int fd;
	bool complete;
	uint32_t segments;  /* that have come */
	uint32_t announced; /* payload length in the first segment */
	size_t capacity;
	size_t size;   /* bytes of packet that are there */
	char packet[]; /* umad header and MAD */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct message *messages; /* oldest first */

static bool has_rmpp(const struct rmpp_mad *mad, size_t packet_size)
{
	return packet_size >= UMAD_HEADER + SA_HEADER && mad->mgmt_class == SA_CLASS &&
	       (mad->rmpp_time_flags & RMPP_ACTIVE);
}

/* How many segments so much data takes. */
static uint32_t count_segments(size_t data, size_t segment_data)
{
	return data ? (uint32_t)((data + segment_data - 1) / segment_data) : 1;
}

/* The RMPP header of segment number `segment` of `count`, which carries `data` bytes of `total`. */
static void fill_rmpp_header(struct rmpp_mad *mad, uint32_t segment, uint32_t count, size_t data,
			     size_t total)
{
	uint8_t flags = RMPP_ACTIVE;
	size_t payload = 0;

	if (segment == count) {
		flags |= RMPP_LAST;
		payload = data + SA_COUNTED;
	}
	if (segment == 1) {
		flags |= RMPP_FIRST;
		payload = total + (size_t)count * SA_COUNTED;
	}
	mad->rmpp_version = RMPP_VERSION;
	mad->rmpp_type = RMPP_TYPE_DATA;
	mad->rmpp_time_flags = (uint8_t)((mad->rmpp_time_flags & ~RMPP_FLAGS) | flags);
	mad->rmpp_status = 0;
	mad->segment = htobe32(segment);
	mad->payload_length = htobe32((uint32_t)payload);
}

/* Writes a message of any length, segment by segment. */
static ssize_t write_segments(int fd, const char *message, size_t size)
{
	const char *data = message + UMAD_HEADER + SA_HEADER;
	size_t total = size - UMAD_HEADER - SA_HEADER;
	uint32_t count = count_segments(total, SIMULATOR_DATA);

	for (uint32_t segment = 1; segment <= count; segment++) {
		size_t at = (size_t)(segment - 1) * SIMULATOR_DATA;
		size_t length = segment < count ? SIMULATOR_DATA : total - at;
		char packet[PACKET_SIZE] = { 0 };
		ssize_t written;

		memcpy(packet, message, UMAD_HEADER + SA_HEADER);
		memcpy(packet + UMAD_HEADER + SA_HEADER, data + at, length);
		fill_rmpp_header((void *)(packet + UMAD_HEADER), segment, count, length, total);
		written = NEXT(write)(fd, packet, sizeof(packet));
		if (written < 0)
			return written;
	}
	return (ssize_t)size;
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	const struct rmpp_mad *mad = (const void *)((const char *)buffer + UMAD_HEADER);

	if (is_simulated(fd) && has_rmpp(mad, size) &&
	    (mad->rmpp_type == RMPP_TYPE_NONE || mad->rmpp_type == RMPP_TYPE_DATA))
		return write_segments(fd, buffer, size);
	return NEXT(write)(fd, buffer, size);
}

/* With the lock held: takes a message out of the list. */
static void unlink_message(struct message *message)
{
	struct message **place = &messages;

	while (*place != message)
		place = &(*place)->next;
	*place = message->next;
}

/* With the lock held: puts a message at the end of the list. */
static void append(struct message *message)
{
	struct message **place = &messages;

	while (*place)
		place = &(*place)->next;
	message->next = NULL;
	*place = message;
}

static struct message *append_new(int fd, size_t capacity)
{
	struct message *message = calloc(1, sizeof(*message) + capacity);

	if (!message) {
		perror("rmpp-shim");
		abort();
	}
	message->fd = fd;
	message->capacity = capacity;
	append(message);
	return message;
}

static void drop(struct message *message, const char *why)
{
	fprintf(stderr, "rmpp-shim: message dropped after %u segments: %s\n", message->segments,
		why);
	unlink_message(message);
	free(message);
}

static struct message *first_complete(int fd)
{
	struct message *message = messages;

	while (message && (message->fd != fd || !message->complete))
		message = message->next;
	return message;
}

/* With the lock held: the message of the same transaction and source that is still growing. */
static struct message *find_growing(int fd, const char *packet)
{
	const struct ib_user_mad_hdr *header = (const void *)packet;
	const struct rmpp_mad *mad = (const void *)(packet + UMAD_HEADER);

	for (struct message *message = messages; message; message = message->next) {
		const struct ib_user_mad_hdr *its_header = (const void *)message->packet;
		const struct rmpp_mad *its_mad = (const void *)(message->packet + UMAD_HEADER);

		if (message->fd == fd && !message->complete && its_mad->tid == mad->tid &&
		    its_header->lid == header->lid)
			return message;
	}
	return NULL;
}

/* With the lock held: a whole message, with the headers that the kernel would have left in it. */
static void complete(struct message *message)
{
	struct ib_user_mad_hdr *header = (void *)message->packet;
	struct rmpp_mad *mad = (void *)(message->packet + UMAD_HEADER);
	size_t total = message->size - UMAD_HEADER - SA_HEADER;
	uint32_t count = count_segments(total, KERNEL_DATA);

	if (message->announced != total + (size_t)message->segments * SA_COUNTED) {
		drop(message, "its length is not that of the first segment");
		return;
	}
	fill_rmpp_header(mad, 1, count, total, total);
	header->length = (uint32_t)message->size;
	message->complete = true;
	/* Behind what came while it grew. */
	unlink_message(message);
	append(message);
}

/* With the lock held: the first segment of a message begins it, in place of that of an earlier
 * attempt. */
static struct message *begin_message(int fd, const char *packet, uint32_t announced)
{
	struct message *message = find_growing(fd, packet);

	if (message)
		drop(message, "the sender began anew");
	if (announced > LONGEST_MESSAGE) {
		fprintf(stderr, "rmpp-shim: message of %u bytes refused\n", announced);
		return NULL;
	}
	message = append_new(fd, UMAD_HEADER + SA_HEADER + announced);
	message->announced = announced;
	memcpy(message->packet, packet, UMAD_HEADER + SA_HEADER);
	message->size = UMAD_HEADER + SA_HEADER;
	return message;
}

/* With the lock held: adds a segment to the message that it belongs to. */
static void collect(int fd, const char *packet)
{
	const struct rmpp_mad *mad = (const void *)(packet + UMAD_HEADER);
	uint32_t payload = be32toh(mad->payload_length), segment = be32toh(mad->segment);
	bool last = mad->rmpp_time_flags & RMPP_LAST;
	size_t data = SIMULATOR_DATA;
	struct message *message;

	message = segment == 1 ? begin_message(fd, packet, payload) : find_growing(fd, packet);
	if (!message)
		return;
	if (segment != message->segments + 1) {
		drop(message, "a segment is missing");
		return;
	}
	if (last)
		data = payload - SA_COUNTED;
	if (data > SIMULATOR_DATA || message->size + data > message->capacity) {
		drop(message, "a segment is too long");
		return;
	}
	memcpy(message->packet + message->size, packet + UMAD_HEADER + SA_HEADER, data);
	message->size += data;
	message->segments = segment;
	if (last)
		complete(message);
}

/* With the lock held: takes one packet from the simulator, if one is there: umad2sim's read never
 * waits. Returns what that read returned. */
static ssize_t take_packet(int fd)
{
	char packet[PACKET_SIZE];
	ssize_t size = NEXT(read)(fd, packet, sizeof(packet));
	const struct rmpp_mad *mad = (const void *)(packet + UMAD_HEADER);
	struct message *message;

	if (size <= 0)
		return size;
	if (has_rmpp(mad, (size_t)size) && mad->rmpp_version == RMPP_VERSION &&
	    mad->rmpp_type == RMPP_TYPE_DATA) {
		collect(fd, packet);
	} else {
		message = append_new(fd, (size_t)size);
		memcpy(message->packet, packet, (size_t)size);
		message->size = (size_t)size;
		message->complete = true;
	}
	return size;
}

/* With the lock held: the next whole message, from what has come so far; NULL where there is none,
 * with what umad2sim's read returned. */
static struct message *next_message(int fd, ssize_t *result)
{
	struct message *message;

	*result = 0;
	while (!(message = first_complete(fd)) && (*result = take_packet(fd)) > 0)
		;
	return message;
}

/* With the lock held: what the kernel gives a reader. One whose buffer is too small learns from the
 * umad header how much it takes, and the message stays. */
static ssize_t deliver(struct message *message, char *buffer, size_t capacity)
{
	ssize_t size = (ssize_t)message->size;

	memcpy(buffer, message->packet, message->size < capacity ? message->size : capacity);
	if (message->size > capacity && message->size > PACKET_SIZE) {
		errno = ENOSPC;
		return -1;
	}
	if (message->size > capacity)
		size = (ssize_t)capacity; /* as umad2sim does */
	unlink_message(message);
	free(message);
	return size;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	struct message *message;
	ssize_t result;

	if (!is_simulated(fd))
		return NEXT(read)(fd, buffer, size);
	pthread_mutex_lock(&lock);
	message = next_message(fd, &result);
	if (message)
		result = deliver(message, buffer, size);
	pthread_mutex_unlock(&lock);
	return result;
}

static bool has_message(int fd)
{
	ssize_t result;
	bool has;

	pthread_mutex_lock(&lock);
	has = next_message(fd, &result);
	pthread_mutex_unlock(&lock);
	return has;
}

/* Waits for a whole message; a packet that is part of one does not end the wait. */
static int poll_umad(struct pollfd *polled, int timeout)
{
	int64_t deadline = timeout < 0 ? INT64_MAX : preload_now_ms() + timeout;

	for (;;) {
		int64_t left = deadline - preload_now_ms();
		int result;

		if ((polled->events & POLLIN) && has_message(polled->fd)) {
			polled->revents = POLLIN;
			return 1;
		}
		if (left < 0)
			left = 0;
		polled->revents = 0;
		result = NEXT(poll)(polled, 1, left < POLL_SLICE_MS ? (int)left : POLL_SLICE_MS);
		if (result < 0 || (result > 0 && !(polled->revents & POLLIN)))
			return result;
		if (!result && !left)
			return 0;
	}
}

/* No program polls a umad device along with other descriptors. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	struct pollfd *volatile given = fds; /* poll() is declared to write there only */
	bool is_device = count == 1 && is_simulated(given->fd);

	return is_device ? poll_umad(fds, timeout) : NEXT(poll)(fds, count, timeout);
}

int close(int fd)
{
	struct message *message, *next;

	if (is_simulated(fd)) {
		pthread_mutex_lock(&lock);
		for (message = messages; message; message = next) {
			next = message->next;
			if (message->fd == fd) {
				unlink_message(message);
				free(message);
			}
		}
		pthread_mutex_unlock(&lock);
	}
	return NEXT(close)(fd);
}
