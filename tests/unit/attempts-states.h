/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * States of libibmad's machine of attempts, each with the events that led to it. Times in them are
 * relative: every state is as of the moment NOW.
 */
#ifndef TESTS_UNIT_ATTEMPTS_STATES_H
#define TESTS_UNIT_ATTEMPTS_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "libibmad/engine/attempts.h"

/* The moment that every state is seen from. */
#define NOW (INT64_C(1) << 50)

/* The events that the machine got, for rules that do not trust its own state. */
struct history {
	unsigned sent;	   /* to the present address */
	unsigned followed; /* redirects */
	unsigned returns; /* by the kernel, of what was sent to the present address; at most sent */
	bool was_refused; /* by the kernel, at the present address */
	int64_t held_until; /* how long the attempt that was refused first may be refused; or 0 */
	bool has_response;  /* the machine said that it takes one */
	int response_error; /* of that response */
	bool has_status;    /* a response with a status is not followed up yet */
	bool was_cancelled; /* when the machine said that this has an effect */
};

struct state {
	struct mad_attempts attempts;
	struct history history;
};

struct input {
	enum mad_attempt_event event;
	int error;
	int64_t delay; /* from the state's moment to the event */
};

/* The state after so much time; moments that are long past are not distinguished. */
void state_pass_time(struct state *state, int64_t delay);

/* Clears what has no meaning in the phase of the state, as attempts.h says, so that states which
 * differ in nothing else are the same. */
void state_forget(struct state *state);

#endif
