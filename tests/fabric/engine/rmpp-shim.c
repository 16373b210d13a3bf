/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The kernel's RMPP, as its users see it, for SA traffic on the simulated fabric, which has none:
 * preloaded in front of libumad2sim.so it carries a long MAD that is written past the simulator, in
 * a memory file of the writer. Through the simulator goes the first segment, with the place of that
 * file in its SM_Key; a reader gets the whole MAD for it, with the RMPP header that the kernel
 * would have left in it. Without this preload a reader gets the segment. All other traffic passes
 * as it is.
 *
 * Several threads may use it. Writes to no files of the machine.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/ib_user_mad.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../lib/preload.h"

#define UMAD_HEADER  sizeof(struct ib_user_mad_hdr)
#define MAD_SIZE     256
#define PACKET_SIZE  (UMAD_HEADER + MAD_SIZE)
#define SA_CLASS     0x03
#define SA_HEADER    56	 /* bytes in front of the data in each segment */
#define SA_COUNTED   20	 /* of them, those that a payload length counts */
#define SEGMENT_DATA 200 /* bytes of data in a segment */
#define FILES_KEPT   256 /* of a writer: it does not know which were read */
#define MOST_DEVICES 64

enum { RMPP_VERSION = 1, RMPP_TYPE_DATA = 1 };
enum { RMPP_ACTIVE = 1, RMPP_FIRST = 2, RMPP_LAST = 4, RMPP_FLAGS = 7 };

/* The headers that every MAD here begins with, as they lie on the wire. */
struct sa_mad {
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
	struct { /* the SM_Key; on the way of a long MAD: where the rest of it is */
		uint32_t process;
		int32_t file;
	} place;
} __attribute__((packed));

_Static_assert(sizeof(struct sa_mad) == 44, "MAD header, RMPP header and SM_Key");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int files[FILES_KEPT];
static unsigned files_made;

/* MADs that were read from the simulator and that the program has not read yet. */
static struct message {
	char *packet; /* umad header and MAD, or NULL */
	size_t size;
} messages[MOST_DEVICES];

static struct message *message_of(int fd)
{
	return &messages[fd % MOST_DEVICES];
}

static bool is_rmpp(const struct sa_mad *mad, size_t packet_size)
{
	return packet_size >= UMAD_HEADER + SA_HEADER && mad->mgmt_class == SA_CLASS &&
	       (mad->rmpp_time_flags & RMPP_ACTIVE) && mad->rmpp_type <= RMPP_TYPE_DATA;
}

static void fill_rmpp_header(struct sa_mad *mad, size_t mad_size)
{
	size_t data = mad_size - SA_HEADER;
	size_t count = data ? (data + SEGMENT_DATA - 1) / SEGMENT_DATA : 1;
	uint8_t flags = RMPP_ACTIVE | RMPP_FIRST | (count == 1 ? RMPP_LAST : 0);

	mad->rmpp_version = RMPP_VERSION;
	mad->rmpp_type = RMPP_TYPE_DATA;
	mad->rmpp_time_flags = (uint8_t)((mad->rmpp_time_flags & ~RMPP_FLAGS) | flags);
	mad->rmpp_status = 0;
	mad->segment = htobe32(1);
	mad->payload_length = htobe32((uint32_t)(data + count * SA_COUNTED));
}

/* With the lock held: a file with the MAD, in the place of an earlier one. */
static int keep(const void *mad, size_t size)
{
	int file = memfd_create("rmpp-shim", MFD_CLOEXEC), *place = &files[files_made % FILES_KEPT];

	if (file < 0 || NEXT(write)(file, mad, size) != (ssize_t)size) {
		perror("rmpp-shim");
		abort();
	}
	if (files_made++ >= FILES_KEPT)
		NEXT(close)(*place);
	return *place = file;
}

static ssize_t write_long(int fd, const char *message, size_t size)
{
	char packet[PACKET_SIZE] = { 0 };
	struct sa_mad *mad = (void *)(packet + UMAD_HEADER);
	char *whole = malloc(size);

	if (!whole)
		return -1;
	memcpy(whole, message, size);
	fill_rmpp_header((void *)(whole + UMAD_HEADER), size - UMAD_HEADER);
	memcpy(packet, whole, size < PACKET_SIZE ? size : PACKET_SIZE);
	pthread_mutex_lock(&lock);
	mad->place.process = (uint32_t)getpid();
	mad->place.file = keep(whole + UMAD_HEADER, size - UMAD_HEADER);
	pthread_mutex_unlock(&lock);
	free(whole);
	return NEXT(write)(fd, packet, sizeof(packet)) < 0 ? -1 : (ssize_t)size;
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	if (is_simulated(fd) && is_rmpp((const void *)((const char *)buffer + UMAD_HEADER), size))
		return write_long(fd, buffer, size);
	return NEXT(write)(fd, buffer, size);
}

/* With the lock held: the MAD whose first segment has come. A file that is another's by now, or
 * gone, is a MAD that was lost on its way. */
static void fetch(struct message *message, const char *packet, const struct sa_mad *first)
{
	struct ib_user_mad_hdr *header;
	const struct sa_mad *mad;
	char path[64], *whole;
	off_t size;
	int file;

	snprintf(path, sizeof(path), "/proc/%u/fd/%d", first->place.process, first->place.file);
	file = NEXT(open)(path, O_RDONLY | O_CLOEXEC);
	size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
	whole = malloc(UMAD_HEADER + (size_t)size);
	header = (void *)whole;
	mad = (const void *)(whole + UMAD_HEADER);
	if (size < SA_HEADER || !whole ||
	    pread(file, whole + UMAD_HEADER, (size_t)size, 0) != size || mad->tid != first->tid) {
		fprintf(stderr, "rmpp-shim: lost a message, %s\n", path);
		free(whole);
	} else {
		memcpy(whole, packet, UMAD_HEADER);
		message->packet = whole;
		message->size = UMAD_HEADER + (size_t)size;
		header->length = (uint32_t)message->size;
	}
	if (file >= 0)
		NEXT(close)(file);
}

/* With the lock held: takes one packet from the simulator, if one is there: umad2sim's read never
 * waits. Returns what that read returned. */
static ssize_t take_packet(int fd, struct message *message)
{
	char packet[PACKET_SIZE];
	ssize_t size = NEXT(read)(fd, packet, sizeof(packet));
	const struct sa_mad *mad = (const void *)(packet + UMAD_HEADER);

	if (size <= 0)
		return size;
	if (is_rmpp(mad, (size_t)size) && mad->rmpp_type == RMPP_TYPE_DATA) {
		fetch(message, packet, mad);
	} else if ((message->packet = malloc((size_t)size))) {
		memcpy(message->packet, packet, (size_t)size);
		message->size = (size_t)size;
	}
	return size;
}

/* With the lock held: what the kernel gives a reader. One whose buffer is too small learns from the
 * umad header how much it takes, and the message stays. */
static ssize_t deliver(struct message *message, char *buffer, size_t capacity)
{
	size_t size = message->size < capacity ? message->size : capacity;

	memcpy(buffer, message->packet, size);
	if (message->size > capacity && message->size > PACKET_SIZE) {
		errno = ENOSPC;
		return -1;
	}
	free(message->packet);
	message->packet = NULL;
	return (ssize_t)size;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	struct message *message = message_of(fd);
	ssize_t result = 1;

	if (!is_simulated(fd))
		return NEXT(read)(fd, buffer, size);
	pthread_mutex_lock(&lock);
	while (!message->packet && result > 0)
		result = take_packet(fd, message);
	if (message->packet)
		result = deliver(message, buffer, size);
	pthread_mutex_unlock(&lock);
	return result;
}

/* No program polls a umad device along with other descriptors. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	struct pollfd *volatile given = fds; /* poll() is declared to write there only */
	bool waits = count == 1 && is_simulated(given->fd) && (given->events & POLLIN);

	pthread_mutex_lock(&lock);
	waits = waits && message_of(given->fd)->packet;
	pthread_mutex_unlock(&lock);
	if (!waits)
		return NEXT(poll)(fds, count, timeout);
	fds->revents = POLLIN;
	return 1;
}

int close(int fd)
{
	if (is_simulated(fd)) {
		pthread_mutex_lock(&lock);
		free(message_of(fd)->packet);
		message_of(fd)->packet = NULL;
		pthread_mutex_unlock(&lock);
	}
	return NEXT(close)(fd);
}
