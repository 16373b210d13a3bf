/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The machine: what a request does next. It alone decides on attempts, deadlines, retries,
 * requests that the kernel returns or refuses, pauses and cancellation, for blocking calls and
 * asynchronous requests alike. What a response with a status and the last timeout mean is for the
 * table of rules.c. The machine performs no input or output, takes no lock and reads no clock:
 * mad_attempts_step() computes the next state from the state, an event and the time. The usual ways
 * are these; tests/unit/test-attempts.c searches all of them, in every order of events.
 *
 *	       SENT                          STATUS, last timeout
 *	READY ------> WAITING --------------------------> FOLLOW_UP
 *	 ^  |           | RETURNED or TIMER,               |    |
 *	 |<-------------+ with attempts left               |    | BUSY
 *	 |  | SEND_FAILED (refused)                        |    v
 *	 |  +------> HELD                                  |  PAUSED
 *	 |<----------+ RETURNED, RELEASED, TIMER           |    | TIMER
 *	 |<------------------------------------------------+----+
 *	     REDIRECTED
 *
 * From every phase: to DONE with RESPONSE, CANCEL, or an error that ends the request; from
 * FOLLOW_UP with CONCLUDED. No event comes while a request is written: the lock is held.
 */
#ifndef LIBIBMAD_ATTEMPTS_H
#define LIBIBMAD_ATTEMPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "libibmad/base/clock.h"

/* A request that is redirected more often fails with ELOOP. */
#define MAD_REDIRECTS_MAX 8

enum mad_attempt_phase {
	MAD_ATTEMPT_READY,     /* to be sent; the initial state */
	MAD_ATTEMPT_WAITING,   /* sent; the attempt ends at the deadline */
	MAD_ATTEMPT_HELD,      /* refused, as the kernel holds an earlier request with this TID */
	MAD_ATTEMPT_FOLLOW_UP, /* a rule interprets the status or the timeout */
	MAD_ATTEMPT_PAUSED,    /* until a busy responder is asked again */
	MAD_ATTEMPT_DONE,
};

enum mad_attempt_event {
	MAD_ATTEMPT_SENT,	 /* the request has been sent; now: when umad_send() had returned */
	MAD_ATTEMPT_SEND_FAILED, /* error: why */
	MAD_ATTEMPT_RETURNED,	 /* the kernel returned it, with no response; error: -status */
	MAD_ATTEMPT_RELEASED,	 /* the kernel no longer holds another request with its TID */
	MAD_ATTEMPT_RESPONSE,	 /* error: 0, or why the response could not be taken */
	MAD_ATTEMPT_STATUS,	 /* a response with a status, or one that ends a transfer */
	MAD_ATTEMPT_REDIRECTED,	 /* the rule gave the request a new address */
	MAD_ATTEMPT_BUSY, /* the rule has it asked again; error: what it ends with if it can't be */
	MAD_ATTEMPT_CONCLUDED, /* the rule ends the request; error: with what */
	MAD_ATTEMPT_TIMER,  /* `until` or the deadline is reached; what arrived by then is read */
	MAD_ATTEMPT_CANCEL, /* error: what the request ends with */
};

/* The decision, for the code that carries out the request. */
enum mad_attempt_action {
	MAD_ATTEMPT_WAIT,   /* for an event; if `until` is reached first, for a TIMER event */
	MAD_ATTEMPT_SEND,   /* send it, then SENT or SEND_FAILED */
	MAD_ATTEMPT_FOLLOW, /* carry out the rule, then REDIRECTED, BUSY or CONCLUDED */
	MAD_ATTEMPT_FINISH, /* the request has ended, with `error` */
};

/* Counts that a step adds to the statistics of the port, apart from those of single MADs. */
enum mad_attempt_count {
	MAD_ATTEMPT_COUNT_SENT = 1, /* the statistics count by adding this bit */
	MAD_ATTEMPT_COUNT_SEND_FAILED = 1 << 1,
	MAD_ATTEMPT_COUNT_RETRY = 1 << 2,
	MAD_ATTEMPT_COUNT_TIMEOUT = 1 << 3,
	MAD_ATTEMPT_COUNT_REDIRECTED = 1 << 4,
	MAD_ATTEMPT_COUNT_IGNORED = 1 << 5, /* a response that was late, or another one's */
};

struct mad_attempts {
	/* How the request is to be sent. */
	int timeout_ms;	  /* of an attempt; negative: none */
	unsigned most;	  /* attempts at one address */
	int64_t deadline; /* of the whole request; or MAD_NO_DEADLINE */

	/* The state. */
	enum mad_attempt_phase phase;
	unsigned sent;	     /* attempts at the present address */
	unsigned sent_all;   /* attempts at all addresses */
	unsigned redirects;  /* followed so far */
	unsigned pauses;     /* at the present address */
	unsigned owed;	     /* attempts that ended before the kernel returned them */
	int64_t began;	     /* when the last attempt had been sent */
	int64_t asked_since; /* with pauses: when the first attempt at the present address began */
	int64_t held_until;  /* when a refused request is sent once more; 0: not refused */
	bool tid_reused;     /* another request, or this one at another address, may have the TID */
	bool returned;	     /* the last attempt ended with the kernel returning it */
	bool send_failed;    /* the request ended with a send that failed */

	/* The decision. */
	enum mad_attempt_action action;
	int error;     /* FINISH: 0 with a response, or -errno; FOLLOW: 0, or -ETIMEDOUT */
	int64_t until; /* WAIT: until when; or MAD_NO_DEADLINE */
};

/*
 * Initialises the machine of a new request. most: attempts, 1 or more. tid_reused: another request
 * may have the same TID, so that the kernel may still hold that one.
 */
static inline void mad_attempts_init(struct mad_attempts *attempts, int timeout_ms, unsigned most,
				     bool tid_reused)
{
	*attempts = (struct mad_attempts){ .timeout_ms = timeout_ms,
					   .most = most,
					   .tid_reused = tid_reused,
					   .deadline = MAD_NO_DEADLINE,
					   .phase = MAD_ATTEMPT_READY,
					   .action = MAD_ATTEMPT_SEND };
}

static inline void mad_attempts_wait_until(struct mad_attempts *attempts,
					   enum mad_attempt_phase phase, int64_t until)
{
	attempts->phase = phase;
	attempts->action = MAD_ATTEMPT_WAIT;
	attempts->until = until;
}

static inline void mad_attempts_finish(struct mad_attempts *attempts, int error)
{
	attempts->phase = MAD_ATTEMPT_DONE;
	attempts->action = MAD_ATTEMPT_FINISH;
	attempts->error = error;
}

/*
 * The request begins to wait for a place of its agent: from now on all that is left of it takes no
 * longer than its remaining attempts.
 */
static inline void mad_attempts_limit(struct mad_attempts *attempts, int64_t now)
{
	unsigned left = attempts->most > attempts->sent ? attempts->most - attempts->sent : 1;
	int64_t end = now + attempts->timeout_ms * MAD_NS_PER_MS * left;

	if (attempts->timeout_ms >= 0 && end < attempts->deadline)
		attempts->deadline = end;
}

/* The attempt was sent at `now`, and its time begins. Returns mad_attempts_count bits. */
static inline unsigned mad_attempts_sent(struct mad_attempts *attempts, int64_t now)
{
	int64_t until = mad_clock_after(now, attempts->timeout_ms);

	attempts->began = now;
	attempts->returned = false;
	attempts->held_until = 0;
	attempts->sent_all++;
	mad_attempts_wait_until(attempts, MAD_ATTEMPT_WAITING,
				until < attempts->deadline ? until : attempts->deadline);
	return ++attempts->sent > 1 ? MAD_ATTEMPT_COUNT_SENT | MAD_ATTEMPT_COUNT_RETRY
				    : MAD_ATTEMPT_COUNT_SENT;
}

unsigned mad_attempts_step_other(struct mad_attempts *attempts, enum mad_attempt_event event,
				 int error, int64_t now);

/*
 * Processes an event. error is as documented for the event, or 0. Returns mad_attempts_count bits.
 * The two steps of a request whose first attempt gets a response are inline: the compiler knows the
 * event there, and leaves a single comparison; attempts.c handles all other steps.
 */
static inline unsigned mad_attempts_step(struct mad_attempts *attempts,
					 enum mad_attempt_event event, int error, int64_t now)
{
	if (event == MAD_ATTEMPT_SENT && attempts->phase == MAD_ATTEMPT_READY)
		return mad_attempts_sent(attempts, now);
	if (event == MAD_ATTEMPT_RESPONSE && attempts->phase == MAD_ATTEMPT_WAITING) {
		mad_attempts_finish(attempts, error);
		return 0;
	}
	return mad_attempts_step_other(attempts, event, error, now);
}

/* Whether a response that arrives now would be accepted: a request that was never written gets
 * none. */
static inline bool mad_attempts_takes_response(const struct mad_attempts *attempts)
{
	switch (attempts->phase) {
	case MAD_ATTEMPT_READY:
	case MAD_ATTEMPT_HELD:
	case MAD_ATTEMPT_PAUSED:
		return attempts->sent > 0;
	case MAD_ATTEMPT_WAITING:
		return true;
	default:
		return false;
	}
}

/*
 * How much later than its deadline the kernel may return a request, in ns: its timers run late by
 * up to an eighth of their time.
 */
static inline int64_t mad_attempts_return_delay(int timeout_ms)
{
	return (100 + (timeout_ms > 0 ? timeout_ms / 8 : 0)) * INT64_C(1000000);
}

#endif
