/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The try machine: what a request does next. It alone decides on attempts, deadlines, retries,
 * requests that the kernel returns or refuses, pauses and cancellation, for blocking calls and
 * asynchronous requests alike. What a response with a status and the last timeout mean is for the
 * table of rpc/followups.c. The machine performs no input or output, takes no lock and reads
 * no clock: mad_try_step() computes the next state from the state, an event and the time. The usual
 * ways are these; tests/unit/test-try-search.c searches all of them, in every order of events.
 *
 *	                             BEGIN             SENT
 *	                    READY ----------> SENDING ----------> WAITING
 *	                     ^  ^                |  |               |  |
 *	                     |  |   SEND_FAILED  |  |               |  |
 *	                     |  |    (refused)   |  |               |  |
 *	                     |  +---- HELD <-----+  |               |  |
 *	                     |   RETURNED,          |               |  |
 *	                     |   RELEASED, TIMER    |               |  |
 *	                     +----------------------|---------------+  |
 *	                     |   RETURNED or TIMER, with attempts left  |
 *	                     |                      |                  |
 *	                     +--- FOLLOW_UP <-------+------------------+  STATUS,
 *	                     |   REDIRECTED                            |  last timeout
 *	                     +--- PAUSED <- FOLLOW_UP  BUSY
 *	                         TIMER
 *
 * From every phase: to DONE with RESPONSE, CANCEL, or an error that ends the request; from
 *FOLLOW_UP with CONCLUDED. While the request is being written (SENDING), what happens is remembered
 *and takes effect after that.
 */
#ifndef LIBIBMAD_TRY_H
#define LIBIBMAD_TRY_H

#include <stdbool.h>
#include <stdint.h>

#include "libibmad/base/clock.h"

/* A request that is redirected more often fails with ELOOP. */
#define MAD_REDIRECTS_MAX 8

enum mad_try_phase {
	MAD_TRY_READY,	   /* to be sent; the initial state */
	MAD_TRY_SENDING,   /* a thread is in umad_send() for it */
	MAD_TRY_WAITING,   /* sent; the attempt ends at the deadline */
	MAD_TRY_HELD,	   /* refused, as the kernel holds an earlier request with this TID */
	MAD_TRY_FOLLOW_UP, /* a rule says what the response with a status, or the timeout, means */
	MAD_TRY_PAUSED,	   /* who responded is busy, and is asked again after a pause */
	MAD_TRY_DONE,
};

enum mad_try_event {
	MAD_TRY_NOTHING,     /* none has happened */
	MAD_TRY_BEGIN,	     /* a thread starts to carry out the decision: send, or follow up */
	MAD_TRY_SENT,	     /* the request has been sent */
	MAD_TRY_SEND_FAILED, /* error: why */
	MAD_TRY_RETURNED,    /* the kernel returned it without a response; error: -status */
	MAD_TRY_RELEASED,    /* the kernel no longer holds another request with its TID */
	MAD_TRY_RESPONSE,    /* error: 0, or why the response could not be taken */
	MAD_TRY_STATUS,	     /* a response with a status, or one that ends a transfer */
	MAD_TRY_REDIRECTED,  /* the rule gave the request a new address */
	MAD_TRY_BUSY, /* the rule has it asked again; error: what it ends with if it can't be */
	MAD_TRY_CONCLUDED, /* the rule ends the request; error: with what */
	MAD_TRY_TIMER,	   /* all that had arrived by `now` has been read */
	MAD_TRY_CANCEL,	   /* error: what the request ends with */
};

/* What the code that carries out the request has to do. */
enum mad_try_action {
	MAD_TRY_WAIT,	/* for an event; if `until` is reached first, for a TIMER event */
	MAD_TRY_SEND,	/* send it, between the events BEGIN and SENT or SEND_FAILED */
	MAD_TRY_FOLLOW, /* carry out the rule, between BEGIN and REDIRECTED, BUSY or CONCLUDED */
	MAD_TRY_FINISH, /* the request has ended, with `error` */
};

/* Counts that a step adds to the statistics of the port, apart from those of single MADs. */
enum mad_try_count {
	MAD_TRY_COUNT_SENT = 1, /* the statistics count by adding this bit */
	MAD_TRY_COUNT_SEND_FAILED = 1 << 1,
	MAD_TRY_COUNT_RETRY = 1 << 2,
	MAD_TRY_COUNT_TIMEOUT = 1 << 3,
	MAD_TRY_COUNT_REDIRECTED = 1 << 4,
	MAD_TRY_COUNT_IGNORED = 1 << 5, /* a response that came too late, or to another request */
};

struct mad_try {
	/* How the request is to be sent. */
	int timeout_ms; /* of an attempt; negative: none */
	unsigned attempts;
	int64_t deadline; /* of the whole request; or MAD_NO_DEADLINE */

	/* The state. */
	enum mad_try_phase phase;
	unsigned sent;	     /* attempts at the present address */
	unsigned sent_all;   /* attempts at all addresses */
	unsigned redirects;  /* followed so far */
	unsigned pauses;     /* at the present address */
	unsigned owed;	     /* attempts that ended before the kernel returned them */
	int64_t began;	     /* when the last attempt began */
	int64_t asked_since; /* with pauses: when the first attempt at the present address began */
	int64_t held_until;  /* when a refused request is sent once more; 0: not refused */
	bool tid_reused;     /* another request, or this one at another address, may have the TID */
	bool released;	     /* in SENDING: what the kernel held with this TID is over */
	bool returned;	     /* the last attempt ended with the kernel returning it */
	bool send_failed;    /* the request ended with a send that failed */
	enum mad_try_event pending; /* in SENDING: takes effect after it, as does `error` */

	/* The decision. */
	enum mad_try_action action;
	int error;     /* FINISH: 0 with a response, or -errno; FOLLOW: 0, or -ETIMEDOUT */
	int64_t until; /* WAIT: until when; or MAD_NO_DEADLINE */
};

/*
 * Initialises the machine of a new request. attempts: 1 or more. tid_reused: another request may
 * have the same TID, so that the kernel may still hold that one.
 */
static inline void mad_try_init(struct mad_try *try, int timeout_ms, unsigned attempts,
				bool tid_reused)
{
	*try = (struct mad_try){ .timeout_ms = timeout_ms,
				 .attempts = attempts,
				 .tid_reused = tid_reused,
				 .deadline = MAD_NO_DEADLINE,
				 .phase = MAD_TRY_READY,
				 .action = MAD_TRY_SEND };
}

static inline void mad_try_wait_until(struct mad_try *try, enum mad_try_phase phase, int64_t until)
{
	try->phase = phase;
	try->action = MAD_TRY_WAIT;
	try->until = until;
}

static inline void mad_try_finish(struct mad_try *try, int error)
{
	try->phase = MAD_TRY_DONE;
	try->action = MAD_TRY_FINISH;
	try->error = error;
}

static inline void mad_try_begin(struct mad_try *try, int64_t now)
{
	try->began = now;
	try->pending = MAD_TRY_NOTHING;
	try->released = false;
	try->returned = false;
	mad_try_wait_until(try, MAD_TRY_SENDING, MAD_NO_DEADLINE);
}

/* The request has been sent. Returns mad_try_count bits. */
static inline unsigned mad_try_count_attempt(struct mad_try *try)
{
	try->held_until = 0;
	try->sent_all++;
	return ++try->sent > 1 ? MAD_TRY_COUNT_SENT | MAD_TRY_COUNT_RETRY : MAD_TRY_COUNT_SENT;
}

static inline void mad_try_await_response(struct mad_try *try)
{
	int64_t until = mad_clock_after(try->began, try->timeout_ms);

	mad_try_wait_until(try, MAD_TRY_WAITING, until < try->deadline ? until : try->deadline);
}

/* The remaining cases of mad_try_step(). */
unsigned mad_try_step_other(struct mad_try *try, enum mad_try_event event, int error, int64_t now);

/*
 * Processes an event. error is as documented for the event, or 0. Returns mad_try_count bits. The
 * three steps of a request whose first attempt gets a response are inline: the compiler knows the
 * event there, and leaves a single comparison; try.c handles all other steps.
 */
static inline unsigned mad_try_step(struct mad_try *try, enum mad_try_event event, int error,
				    int64_t now)
{
	if (event == MAD_TRY_BEGIN && try->phase == MAD_TRY_READY) {
		mad_try_begin(try, now);
		return 0;
	}
	if (event == MAD_TRY_SENT && try->phase == MAD_TRY_SENDING && !try->pending) {
		mad_try_await_response(try);
		return mad_try_count_attempt(try);
	}
	if (event == MAD_TRY_RESPONSE && try->phase == MAD_TRY_WAITING) {
		mad_try_finish(try, error);
		return 0;
	}
	return mad_try_step_other(try, event, error, now);
}

/* Whether a response that arrives now would be accepted. A request that was never written gets
 * none; while it is being written, that is known afterwards. */
static inline bool mad_try_takes_response(const struct mad_try *try)
{
	switch (try->phase) {
	case MAD_TRY_SENDING:
		return !try->pending || try->pending == MAD_TRY_RETURNED;
	case MAD_TRY_READY:
	case MAD_TRY_HELD:
	case MAD_TRY_PAUSED:
		return try->sent > 0;
	case MAD_TRY_WAITING:
		return true;
	default:
		return false;
	}
}

/* In the child of a fork: the thread that carried out the rule is gone. */
static inline void mad_try_follow_again(struct mad_try *try)
{
	try->action = MAD_TRY_FOLLOW;
}

/* Whether a cancellation would still have an effect. */
static inline bool mad_try_can_cancel(const struct mad_try *try)
{
	if (try->phase == MAD_TRY_SENDING && try->pending)
		return try->pending == MAD_TRY_RETURNED || try->pending == MAD_TRY_STATUS;
	return try->phase != MAD_TRY_DONE;
}

/*
 * How much later than its deadline the kernel may return a request, in ns: its timers run late by
 * up to an eighth of their time.
 */
static inline int64_t mad_try_return_delay(int timeout_ms)
{
	return (100 + (timeout_ms > 0 ? timeout_ms / 8 : 0)) * INT64_C(1000000);
}

#endif
