/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the kernel does beside RMPP, for SA traffic on the simulated fabric: preloaded between
 * rmpp-shim.so and libumad2sim.so
 * - it carries the last 32 bytes of a MAD, where they are not zeros, in a packet that goes before
 * it; umad2sim hands a reader the first 224. Both ends need it;
 * - it returns a request to its sender, with the kernel's status for it, when the time of all
 * its attempts has passed without a response. There is but one attempt: the simulator loses
 * nothing. Several threads may use it. Complains on standard error.
 */
#include <endian.h>
#include <errno.h>
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

#define SA_CLASS  0x03
#define RESPONSE  0x80
#define DELIVERED 224
#define TAIL	  32
#define TAIL_AT	  24 /* where a tail's packet has the tail, behind the common header */
#define MARK	  0x7461

struct packet {
	struct ib_user_mad_hdr header;
	uint8_t mad[DELIVERED + TAIL];
};

enum { MGMT_CLASS = 1, METHOD = 3, TID = 8, RESERVED = 18 };

/* A tail that waits for its MAD, or a request that waits for its response. */
struct waiting {
	struct waiting *next;
	int fd;
	int64_t deadline; /* of a request, ms; 0: a tail */
	struct packet packet;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct waiting *list;

static bool has_mark(const struct packet *packet)
{
	return packet->mad[RESERVED] == MARK >> 8 && packet->mad[RESERVED + 1] == (MARK & 0xff);
}

/* With the lock held. */
static void add(int fd, int64_t deadline, const struct packet *packet)
{
	struct waiting *waiting = calloc(1, sizeof(*waiting));

	if (!waiting) {
		perror("mad-shim");
		abort();
	}
	waiting->fd = fd;
	waiting->deadline = deadline;
	waiting->packet = *packet;
	waiting->next = list;
	list = waiting;
}

/* With the lock held: takes out of the list what has the packet's transaction (the low half: the
 * upper is the kernel's), if it is a request, or a tail from the same source. */
static bool take(int fd, const struct packet *packet, bool request, struct packet *taken)
{
	struct waiting **place = &list, *waiting;

	while (*place && ((*place)->fd != fd || !(*place)->deadline == request ||
			  memcmp((*place)->packet.mad + TID + 4, packet->mad + TID + 4, 4) ||
			  (!request && (*place)->packet.header.lid != packet->header.lid)))
		place = &(*place)->next;
	waiting = *place;
	if (!waiting)
		return false;
	*place = waiting->next;
	*taken = waiting->packet;
	free(waiting);
	return true;
}

/* With the lock held: a request whose time is over, or NULL. */
static struct waiting **find_expired(int fd)
{
	struct waiting **place = &list;

	while (*place &&
	       ((*place)->fd != fd || !(*place)->deadline || (*place)->deadline > preload_now_ms()))
		place = &(*place)->next;
	return *place ? place : NULL;
}

static ssize_t send_tail(int fd, const struct packet *packet)
{
	static const uint8_t zeros[TAIL];
	struct packet tail = *packet;

	if (!memcmp(packet->mad + DELIVERED, zeros, TAIL))
		return 0;
	memset(tail.mad + TAIL_AT, 0, sizeof(tail.mad) - TAIL_AT);
	memcpy(tail.mad + TAIL_AT, packet->mad + DELIVERED, TAIL);
	tail.mad[RESERVED] = MARK >> 8;
	tail.mad[RESERVED + 1] = MARK & 0xff;
	return NEXT(write)(fd, &tail, sizeof(tail));
}

/* With the lock held: sends what is one MAD of the SA's class. */
static ssize_t send_mad(int fd, const void *buffer, size_t size)
{
	struct packet packet = { 0 };
	int64_t timeout;
	ssize_t written;

	memcpy(&packet, buffer, size); /* it may be a short one */
	written = send_tail(fd, &packet);
	if (written < 0)
		return written;
	timeout = (int64_t)packet.header.timeout_ms * (packet.header.retries + 1);
	if (!(packet.mad[METHOD] & RESPONSE) && timeout)
		add(fd, preload_now_ms() + timeout, &packet);
	return NEXT(write)(fd, buffer, size);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	const struct packet *packet = buffer;
	ssize_t written;

	if (!is_simulated(fd) || size < sizeof(packet->header) + TAIL_AT ||
	    size > sizeof(*packet) || packet->mad[MGMT_CLASS] != SA_CLASS)
		return NEXT(write)(fd, buffer, size);
	pthread_mutex_lock(&lock);
	written = send_mad(fd, buffer, size);
	pthread_mutex_unlock(&lock);
	return written;
}

/* With the lock held: whether that is a tail, which is kept then; its MAD comes next. A MAD gets
 * its tail, and a response ends the wait for it. */
static bool is_tail(int fd, struct packet *packet, ssize_t size)
{
	struct packet taken;

	if (size < (ssize_t)sizeof(packet->header) + TAIL_AT + TAIL ||
	    packet->mad[MGMT_CLASS] != SA_CLASS)
		return false;
	if (has_mark(packet)) {
		add(fd, 0, packet);
		return true;
	}
	memset(packet->mad + DELIVERED, 0, TAIL);
	if (take(fd, packet, false, &taken))
		memcpy(packet->mad + DELIVERED, taken.mad + TAIL_AT, TAIL);
	if (packet->mad[METHOD] & RESPONSE)
		take(fd, packet, true, &taken);
	return false;
}

/* With the lock held: returns the request whose time is over. */
static void return_expired(struct waiting **place, void *buffer)
{
	struct waiting *expired = *place;

	*place = expired->next;
	expired->packet.header.status = ETIMEDOUT;
	memcpy(buffer, &expired->packet, sizeof(expired->packet));
	free(expired);
}

ssize_t read(int fd, void *buffer, size_t size)
{
	struct waiting **place;
	ssize_t length = sizeof(struct packet);

	if (!is_simulated(fd) || size < sizeof(struct packet))
		return NEXT(read)(fd, buffer, size);
	pthread_mutex_lock(&lock);
	place = find_expired(fd);
	if (place) {
		return_expired(place, buffer);
	} else {
		do
			length = NEXT(read)(fd, buffer, size);
		while (is_tail(fd, buffer, length));
	}
	pthread_mutex_unlock(&lock);
	return length;
}

/* rmpp-shim calls this in slices of time, and so notices a request whose time is over. */
int poll(struct pollfd *polled, nfds_t count, int timeout)
{
	bool expired = false;

	pthread_mutex_lock(&lock);
	if (count == 1 && is_simulated(polled->fd) && (polled->events & POLLIN))
		expired = find_expired(polled->fd);
	pthread_mutex_unlock(&lock);
	if (!expired)
		return NEXT(poll)(polled, count, timeout);
	polled->revents = POLLIN;
	return 1;
}

int close(int fd)
{
	struct waiting **place = &list, *closed;

	pthread_mutex_lock(&lock);
	while ((closed = *place)) {
		if (closed->fd == fd) {
			*place = closed->next;
			free(closed);
		} else {
			place = &closed->next;
		}
	}
	pthread_mutex_unlock(&lock);
	return NEXT(close)(fd);
}
