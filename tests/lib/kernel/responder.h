/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A fabric that responds behind the umad devices of the fake kernel, of two ports (mlx5_0 and
 * mlx5_1, each port 1): it responds to each request as a plan says, after a delay, twice, late, or
 * not at all. Requests without a response are returned as by a kernel, which refuses a transaction
 * ID that it still holds, or never, as in simulators. Everything that was written is recorded. Any
 * number of threads may use it, and once warm it allocates nothing. Reading, writing and polling
 * are cancellation points, as they are in libc. A process that is forked has a fabric of its own,
 * in the state of that moment.
 */
#ifndef TESTS_LIB_RESPONDER_H
#define TESTS_LIB_RESPONDER_H

#include "kernel.h"

#define RESPONDER_DEVICES 2
#define RESPONDER_HEADER  KERNEL_HEADER
#define RESPONDER_MAD	  KERNEL_MAD
#define RESPONDER_PACKET  KERNEL_PACKET
#define RESPONDER_LID	  1	 /* of mlx5_0, which sends */
#define RESPONDER_KEPT	  64	 /* packets that are kept whole */
#define RESPONDER_RECORDS 400000 /* writes that are recorded */

/* A write, as a plan sees it. */
struct responder_request {
	const uint8_t *packet; /* umad header and MAD */
	const uint8_t *mad;
	size_t size;	 /* of the packet */
	unsigned number; /* 1 for the first write to any device */
	int device;
	unsigned lid;
	unsigned mgmt_class;
	unsigned attr_mod;
	uint32_t tid; /* low half */
	int timeout_ms;
	unsigned retries; /* of the kernel */
};

/* The outcome of a request. All 0: an immediate valid response with the request's data. */
struct responder_response {
	int write_error; /* the write fails with this errno, and nothing follows it */
	bool silent;	 /* no response */
	bool send_fails; /* as responder_fail_send() */
	int64_t delay_us;
	uint32_t returned; /* the request itself comes back with this umad status, after the delay;
			    * with a length, as from ibsim: from the sender's LID */
	uint16_t status;   /* of the MAD */
	uint16_t attr_id;  /* 0: the request's */
	size_t length;	   /* of the MAD, 0: 256; what the request has not is 0 */
	const void *data;  /* data_size bytes for the MAD, at data_offset; read at once */
	size_t data_size;
	size_t data_offset;
	int copies; /* how often the response arrives; 0: once */
};

/* Fills in *response, in the thread that writes. Must not call responder_*() nor the library. */
typedef void responder_plan_fn(const struct responder_request *request,
			       struct responder_response *response, void *context);

/* Called before a write is taken, without any lock: may wait, and may call the library. */
typedef void responder_write_fn(const struct responder_request *request, void *context);

/* A write that was taken. */
struct responder_record {
	int64_t written_us;
	int64_t read_us; /* when its response, or its return, was read; 0: neither */
	uint32_t attr_mod;
	uint32_t tid;
	uint16_t lid;
	uint8_t mgmt_class;
	uint8_t device;
};

/* Begins a test: every request gets an immediate response. */
void responder_reset(void);

/*
 * After responder_reset(): the clock moves only when a thread polls without anything to read, and
 * by responder_pass(). For tests of one thread.
 */
void responder_use_virtual_clock(void);
void responder_pass(int ms);

/* Ends it; fails the test where a device is still open. */
void responder_finish(void);

void responder_plan(responder_plan_fn *plan, void *context);
void responder_before_writes(responder_write_fn *function, void *context);

/*
 * Requests without a response are returned (status 110) late_ms after their timeout, and their TIDs
 * are refused until then; or they are never returned. The default: returned, at once. (The timers
 * of Linux 6.1 run 4 to 8 ms and up to an eighth late, those of 7.2 less.)
 */
void responder_gives_back(int late_ms);
void responder_stays_silent(void);

/*
 * From now on a transaction ID is free only so many microseconds after its response is readable, as
 * in Linux. The default, 0, is for tests that count requests: whether a thread is quick enough to
 * meet that depends on the machine.
 */
void responder_frees_late(int64_t us);

/* The next send completes with an error: Linux 6.1 neither returns the request nor holds its ID. */
void responder_fail_send(void);

/*
 * From now on the kernel is one of Linux 6.17: it holds back requests of an agent, more than 16 of
 * the SA's class, and more than 128 SMPs. Their timeout begins when they leave, which one does when
 * another is returned or has its response. Timers run an eighth late, as late as they ever do. And
 * the limit of a class, 0 for none.
 */
void responder_limits_agents(void);
unsigned responder_limit_of(unsigned mgmt_class);

/* Names of functions of kernel.h for tests of the responder. */
#define responder_act_as_kernel			kernel_act_as_chardev
#define responder_remove_device			kernel_remove_device
#define responder_deliver(device, packet, size) kernel_deliver(device, packet, size, 0)

/* A MAD arrives from the fabric: a response to a request that is held (by class and transaction
 * ID, whose upper half is the number of the agent plus 1) is readable; any other is dropped. */
void responder_arrive(int device, const uint8_t *mad, size_t length);

/*
 * From now on there is always something to read on the device: this umad packet, where nothing else
 * has come; NULL: no more.
 */
void responder_flood(int device, const void *packet, size_t size);

/* Counts of events so far, at a device or any, and of requests in flight now. */
struct responder_counts {
	unsigned writes;		/* taken */
	unsigned tried;			/* with those that failed */
	unsigned refused;		/* EINVAL for a TID that is held */
	unsigned held_back, holds_back; /* by a kernel that limits agents: so far, and now */
	/* of the device */
	unsigned polls;
	unsigned unread;	 /* can be read now */
	unsigned in_flight;	 /* requests that were written and had nothing read for them */
	unsigned most_in_flight; /* at most so far */
};
struct responder_counts responder_counts(int device);
#define responder_writes()		 responder_counts(0).writes
#define responder_tried()		 responder_counts(0).tried
#define responder_refused()		 responder_counts(0).refused
#define responder_held_back()		 responder_counts(0).held_back
#define responder_holds_back()		 responder_counts(0).holds_back
#define responder_polls(device)		 responder_counts(device).polls
#define responder_unread(device)	 responder_counts(device).unread
#define responder_in_flight(device)	 responder_counts(device).in_flight
#define responder_most_in_flight(device) responder_counts(device).most_in_flight

struct responder_record responder_record(unsigned number); /* of a taken write, from 1 */
void responder_written(unsigned number, uint8_t packet[RESPONDER_PACKET]);

/* Microseconds of CLOCK_MONOTONIC. */
int64_t responder_now_us(void);

#endif
