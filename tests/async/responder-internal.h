/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What the files of the responder share: its state, all of it under its lock. */
#ifndef TESTS_ASYNC_RESPONDER_INTERNAL_H
#define TESTS_ASYNC_RESPONDER_INTERNAL_H

#include "responder.h"

#include <pthread.h>

#define RESPONDER_FIRST_FD 1024
#define RESPONDER_BUCKETS  4096

/* Something to be read: a response, or a request that the kernel returns. */
struct responder_event {
	struct responder_event *next;	 /* in the list of what can be read, or of spare ones */
	struct responder_event *in_hold; /* next in its bucket */
	int64_t due_us;
	uint64_t sequence;
	bool holds; /* the transaction ID of the request */
	bool ends;  /* a request in flight */
	int device;
	int agent;
	uint32_t tid;
	unsigned record;
	size_t size;
	uint8_t *packet; /* own, or more */
	uint8_t own[RESPONDER_PACKET];
};

struct responder_device {
	bool open;
	int gone;
	int agents;
	unsigned in_flight;
	unsigned most_in_flight;
	unsigned polls;
	size_t flood_size; /* 0: no flood */
	uint8_t flood[RESPONDER_PACKET];
	struct responder_event *first; /* can be read */
	struct responder_event *last;
};

struct responder {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool ready;
	responder_plan_fn *plan;
	void *plan_context;
	responder_write_fn *before_write;
	void *before_write_context;
	bool gives_back;
	bool is_kernel;
	int64_t late_us;
	struct responder_device devices[RESPONDER_DEVICES];
	int bells[RESPONDER_DEVICES];  /* eventfds: something has changed */
	struct responder_event **heap; /* what is on its way, by due_us; [1] is the first */
	unsigned heap_count;
	unsigned heap_room;
	struct responder_event *held[RESPONDER_BUCKETS];
	struct responder_event *spare;
	uint64_t sequence;
	unsigned writes;
	unsigned taken;
	unsigned refused;
	struct responder_record records[RESPONDER_RECORDS];
	uint8_t kept[RESPONDER_KEPT][RESPONDER_PACKET];
};

extern struct responder responder;

/* responder.c: wakes all who poll. With the lock held. */
void responder_notify(void);

/* responder-kernel.c; all with the lock held. Those that can fail return 0 or the errno. */
int responder_take_write(int device, const uint8_t *packet, size_t size);
void responder_advance(void);
void responder_drop_event(struct responder_event *event);
void responder_clear_device(int device);
void responder_describe(struct responder_request *request, int device, const void *packet,
			size_t size);

#endif
