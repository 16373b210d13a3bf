/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Rules for every state of the machine of attempts, and every step from one to the next. */
#ifndef TESTS_UNIT_ATTEMPTS_RULES_H
#define TESTS_UNIT_ATTEMPTS_RULES_H

#include "attempts-states.h"

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
