/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* State that the files of the responder share, under the lock of the kernel. */
#ifndef TESTS_LIB_RESPONDER_INTERNAL_H
#define TESTS_LIB_RESPONDER_INTERNAL_H

#include "responder.h"

#define RESPONDER_BUCKETS 4096
#define RESPONDER_FREED	  16
#define RESPONDER_AGENTS  16

/* An agent of a kernel that limits them. */
struct responder_agent {
	unsigned outstanding;
	struct responder_event *first, *last; /* held back */
};

/* Something to be read: a response, or a request that the kernel returns. */
struct responder_event {
	struct kernel_arrival arrival;
	struct responder_event *in_hold; /* next in its bucket */
	bool holds;			 /* the transaction ID of the request */
	bool over; /* the request has its response, or its agent unregistered */
	bool is_response;
	uint8_t mgmt_class;
	bool ends;	  /* a request in flight */
	bool counts;	  /* towards the limit of its agent */
	int64_t after_us; /* when it is due after the request has left */
	struct responder_event *next_back;
	int agent;
	uint32_t tid;
	unsigned record;
};

/* A transaction ID whose response is readable, and that is not free yet. */
struct responder_freed {
	int device;
	int agent;
	uint32_t tid;
	int64_t until_us;
};

struct responder {
	responder_plan_fn *plan;
	void *plan_context;
	responder_write_fn *before_write;
	void *before_write_context;
	bool gives_back;
	int64_t late_us;
	unsigned in_flight[RESPONDER_DEVICES];
	unsigned most_in_flight[RESPONDER_DEVICES];
	bool fails_send;
	int64_t freed_late_us;
	struct responder_freed freed[RESPONDER_FREED];
	unsigned freed_count;
	unsigned writes;
	unsigned taken;
	unsigned refused;
	bool limits_agents; /* and timers run an eighth late */
	unsigned held_back, holds_back;
	/* Each test begins with zeros above. */
	struct responder_event *held[RESPONDER_BUCKETS];
	struct responder_agent agents[RESPONDER_DEVICES][RESPONDER_AGENTS];
	struct responder_record records[RESPONDER_RECORDS];
	uint8_t kept[RESPONDER_KEPT][RESPONDER_PACKET];
};

extern struct responder responder;

/* responder-plan.c; all with the lock held. */
int responder_take_write(int device, const uint8_t *packet, size_t size); /* an errno, or 0 */
void responder_take_arrival(int device, const uint8_t *mad, size_t length);
void responder_describe(struct responder_request *request, int device, const void *packet,
			size_t size);
bool responder_arrived(struct kernel_arrival *arrival);
void responder_unregistered(int device, unsigned agent);
void responder_forget_agents(int device);
bool responder_taken(struct kernel_arrival *arrival);

#endif
