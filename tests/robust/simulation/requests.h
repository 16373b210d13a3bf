/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The requests of a run: what programs know of each, what the kernel and the fabric did with it,
 * and the rules that concern a single request (requests.c, busy.c) or a queue of them (queue.c). A
 * request is known by its token, the attribute modifier of its MADs.
 */
#ifndef TESTS_SIMULATION_REQUESTS_H
#define TESTS_SIMULATION_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mad_rpc_statistics;
struct sim_file;
struct sim_packet;

enum sim_request_kind {
	SIM_REQUEST_BLOCKING,
	SIM_REQUEST_ASYNC,
	SIM_REQUEST_SENT_ONLY, /* mad_send_via(), mad_message_send() */
};

/* Time during which nobody works for asynchronous requests. */
struct sim_gap {
	int64_t total;
	int64_t since; /* the gap lasts since then; SIM_NEVER: no gap */
};

struct sim_gaps {
	struct sim_gap work;	 /* no thread sends, reads and keeps time */
	struct sim_gap delivery; /* no thread calls callbacks */
};

/* When something was, or SIM_NEVER; and the gaps until then. */
struct sim_moment {
	int64_t at;
	int64_t work;
	int64_t delivery;
};

/* Responses that the SA is busy: see busy.c. */
struct sim_busy {
	bool is_unclear;	 /* the library may have taken any response */
	unsigned reads;		 /* responses since the last write */
	unsigned pauses;	 /* before the present attempt */
	int64_t began;		 /* the first attempt, or when that would have been */
	struct sim_moment heard; /* a response of the present attempt was read */
};

struct sim_request {
	uint32_t token;
	enum sim_request_kind kind;
	int timeout_ms;
	int tries;
	struct sim_gaps *gaps; /* NULL: its own thread works for it all the time */

	bool submitted;	    /* the library has taken it */
	bool made_in_child; /* of a fork */
	bool ended;
	int64_t ended_at;
	bool got_response;	/* the request has ended with a response */
	bool must_be_cancelled; /* mad_async_cancel() has promised it */
	unsigned cancels;	/* calls under way or over that may have cancelled it */
	bool abandoned;		/* the thread was cancelled: nothing more is expected */
	int64_t id;		/* asynchronous */

	/* Asynchronous: what is known of its place in the queue, for queue.c */
	const void *queue; /* requests with equal ones are in one queue */
	unsigned window;   /* of the queue */
	unsigned destination;
	unsigned agent;		    /* requests of one keep their order */
	bool is_silent;		    /* the destination never responds */
	struct sim_moment progress; /* the request was submitted, or another of its queue, and to a
				     * destination that responds, was sent or over since */
	uint64_t submission_began;  /* the step */
	uint64_t submission_ended;  /* the step, 0: not yet; from then on in the queue */
	unsigned
		passed_by; /* requests of others of its agent, while its queue has none in flight */

	int64_t deadline; /* or SIM_NEVER */
	struct sim_moment submission;
	int64_t call_end; /* when all attempts of a blocking call would be over; SIM_NEVER */
	bool was_refused;
	bool was_held_back; /* by the kernel, behind requests that nobody waits for */

	/* Attempts */
	bool is_out;	   /* an attempt lasts */
	unsigned attempts; /* since the last redirect */
	unsigned all_attempts;
	unsigned retries;
	unsigned timeouts;
	unsigned possible_timeouts; /* attempts whose response came late, and was taken */
	uint16_t lid;
	uint32_t tid; /* low half, as last written */
	struct sim_moment write;
	bool write_was_stalled;	      /* the attempt may have begun before it was written */
	bool return_was_read;	      /* the kernel has returned this attempt */
	bool earlier_return_was_read; /* since it was written, that of an earlier one */
	struct sim_moment refusal;    /* the first of this attempt */
	struct sim_moment release;    /* the kernel has returned what it held */
	int write_error;
	bool is_resolved; /* a redirect to a GID leads to requests of the library's own; or it was
			   * asked again after a response that the SA is busy */
	struct sim_busy busy;
	bool inexact; /* attempts can be counted in more than one way */

	/* Responses */
	struct sim_moment response; /* the first that has to be taken became readable */
	bool expects_status;
	unsigned responses;	    /* readable so far, at any time */
	struct sim_moment redirect; /* a redirect that has to be followed became readable */
	unsigned redirects_planned;
	unsigned redirects_readable;
	unsigned redirects_followed;

	/* Of a request that no call waits for: its responses, or itself, are for receivers */
	unsigned read_for_receivers;
	unsigned received;
};

/* The requests of this run: before it, the end is the beginning. */
extern struct sim_request sim_requests[], *sim_requests_end;
#define SIM_EACH_REQUEST(each)                   \
	struct sim_request *each = sim_requests; \
	each < sim_requests_end;                 \
	each++

/* A request that is about to be made. NULL if there have been too many. */
struct sim_request *sim_request_new(enum sim_request_kind kind, int timeout_ms, int tries,
				    struct sim_gaps *gaps);
struct sim_request *sim_request_find(uint32_t token);
/* Whether something disturbs a request in ways that its rules do not cover. */
bool sim_request_is_disturbed(const struct sim_request *request);
/* Whether things fail that nobody is to blame for: the device is removed, or memory is short. */
bool sim_things_fail(void);

/* The library says how the request ended: error is 0 or an errno. */
void sim_request_ended(struct sim_request *request, int error, bool has_status);

/* From the kernel: returns the number of the attempt. */
unsigned sim_request_was_written(const struct sim_packet *sent);
void sim_request_write_was_refused(struct sim_request *request, uint16_t lid);
void sim_request_write_failed(struct sim_request *request, uint16_t lid, int error);
void sim_request_is_readable(const struct sim_packet *packet);
void sim_request_was_read(const struct sim_packet *packet);

/* After a run: everything has ended, no receiver is left, and the port's statistics agree. */
void sim_requests_check_all_ended(void);
void sim_requests_check_all_received(void);
void sim_requests_check_statistics(const struct mad_rpc_statistics *statistics,
				   const struct sim_file *file, bool several_ports);

/* When the attempt that is out is over. */
int64_t sim_request_attempt_end(const struct sim_request *request);
/* Whether the gap lasts from now on. */
void sim_gap_lasts(struct sim_gap *gap, bool lasts);

/* This moment; and how much too late now is for what was due so many ns after an earlier one. */
struct sim_moment sim_moment_of(const struct sim_request *request);
int64_t sim_late(const struct sim_request *request, const struct sim_moment *since, int64_t due);

/* Allowances for lateness, in ns. The kernel returns a request an eighth of its timeout and 95 ms
 * late at most (kernel.c), since docs/internals.md promises to tolerate an eighth and 100 ms. */
#define SIM_ROUNDING 1000000 /* poll() counts whole milliseconds */
#define SIM_RUNNING  1000000 /* work of programs between two moments that have to be near */
#define SIM_SLICES   4000000 /* looks of 2 ms each on two ports, beside a simulator's descriptors */

/* How late something may be that was due some ns after that moment: rounding, the time in which
 * threads were stalled since, and the processor time of all threads. */
int64_t sim_excused_since(int64_t from);
/* The processor time of all threads in this run so far, which any of them may have waited for. */
int64_t sim_processor_time(void);

/* queue.c: an asynchronous request is about to be written for the first time; any is written, to an
 * agent of that class; an asynchronous one of a queue is sent or over. */
void sim_queue_check(const struct sim_request *request);
void sim_queue_note_written(const struct sim_request *request, uint8_t mgmt_class);
void sim_queue_note_progress(const struct sim_request *request);

/* Requests to an SA that responds that it is busy: when they are made again, and how often. A
 * response was read; the request is about to be written; the request is over. */
void sim_busy_note_read(struct sim_request *request, bool is_busy);
void sim_busy_check_written(struct sim_request *request);
void sim_busy_check_ended(const struct sim_request *request, int error);

#endif
