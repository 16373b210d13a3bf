/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * States of libibmad's machine of attempts, each with the events that led to it, and rules for
 * every state and every step from one to the next. Times in states are relative: every state is as
 * of the moment NOW.
 */
#ifndef TESTS_UNIT_ATTEMPTS_RULES_H
#define TESTS_UNIT_ATTEMPTS_RULES_H

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

/* Adds the input to the history, before the machine sees it. */
void rules_note(struct history *history, const struct state *before, const struct input *input);

/* Checks the step that the machine made at NOW, and what it returned. */
void rules_check_step(const struct state *before, const struct input *input,
		      const struct state *after, unsigned counts);
void rules_check_state(const struct state *state);

/* Whether the input is the next step of the code that carries out the request, or its end. */
bool rules_is_fair(const struct state *state, const struct input *input);

/* Whether it is right that nothing happens any more. */
bool rules_may_rest(const struct state *state);

/* Ends the test: says what is wrong, with the state and the input (or NULL). */
void rules_fail(const char *what, const struct state *state, const struct input *input);

#endif
