/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every order of events of libibmad's machine of attempts: a breadth-first search from the state of
 * a new request, with every event in every state, at every moment that makes a difference (at once,
 * and just before, at and just after each deadline), until there is no new state. Rules hold for
 * every step, every phase is reached, and a request without a response ends,
 * provided that its writes end and its timers run.
 */
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "libibmad/base/clock.h"
#include "attempts-rules.h"

enum { MOMENTS = 10, ATTEMPTS_MAX = 3, REDIRECTS_MAX = 1 };

/* Every event, with each error that makes a difference. */
static const struct input inputs[] = {
	{ .event = MAD_ATTEMPT_SENT },
	{ .event = MAD_ATTEMPT_SEND_FAILED, .error = -EINVAL },
	{ .event = MAD_ATTEMPT_SEND_FAILED, .error = -EIO },
	{ .event = MAD_ATTEMPT_RETURNED, .error = -ETIMEDOUT },
	{ .event = MAD_ATTEMPT_RELEASED },
	{ .event = MAD_ATTEMPT_RESPONSE },
	{ .event = MAD_ATTEMPT_RESPONSE, .error = -ENOMEM },
	{ .event = MAD_ATTEMPT_STATUS },
	{ .event = MAD_ATTEMPT_REDIRECTED },
	{ .event = MAD_ATTEMPT_BUSY, .error = -EIO },
	{ .event = MAD_ATTEMPT_CONCLUDED, .error = -EBADMSG },
	{ .event = MAD_ATTEMPT_TIMER },
	{ .event = MAD_ATTEMPT_CANCEL, .error = -ECANCELED },
};

enum { INPUTS = sizeof(inputs) / sizeof(inputs[0]) };

/* The subject of one search: requests of one kind. */
struct kind {
	int timeout_ms; /* against the 100 ms and an eighth that a refused request waits */
	unsigned attempts;
	bool tid_reused;
};

static size_t all_states, all_steps;
static unsigned phases_reached;

static void add_moment(int64_t *moments, size_t *count, int64_t moment)
{
	if (moment < NOW || moment == MAD_NO_DEADLINE)
		return;
	for (size_t i = 0; i < *count; i++)
		if (moments[i] == moment)
			return;
	moments[(*count)++] = moment;
}

/* The times from now on that the state may distinguish: just before, at and after a deadline.
 * After it, long enough that a request which is refused again and again meets only a few of them.
 */
static size_t moments_of(const struct state *state, int64_t *moments)
{
	static const int64_t offsets[] = { -1, 0, 50 * MAD_NS_PER_MS };
	const struct mad_attempts *attempts = &state->attempts;
	int64_t deadline = mad_clock_after(attempts->began, attempts->timeout_ms);
	size_t count = 0;

	add_moment(moments, &count, NOW);
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		if (deadline != MAD_NO_DEADLINE)
			add_moment(moments, &count, deadline + offsets[i]);
		if (attempts->until != MAD_NO_DEADLINE)
			add_moment(moments, &count, attempts->until + offsets[i]);
		add_moment(moments, &count, attempts->held_until + offsets[i]);
	}
	return count;
}

/* The state after the event; the rules of a step are checked. */
static void step(const struct state *from, const struct input *input, struct state *after)
{
	struct state before;
	unsigned counts;

	memcpy(&before, from, sizeof(before));
	state_pass_time(&before, input->delay);
	memcpy(after, &before, sizeof(before));
	rules_note(&after->history, &before, input);
	counts = mad_attempts_step(&after->attempts, input->event, input->error, NOW);
	rules_check_step(&before, input, after, counts);
	rules_check_state(after);
	state_forget(after);
}

/* A state that the search has reached. */
struct node {
	struct state state; /* first */
	struct node *next;  /* reached later */
	enum { UNSEEN, OPEN, ENDS } mark;
	bool goes_on; /* a fair step leads on from it */
};

static void *tree; /* of all nodes */
static struct node *first, **last;

static int compare(const void *one, const void *other)
{
	return memcmp(one, other, sizeof(struct state));
}

/* The node of a state, which is added where it is new. */
static struct node *find(const struct state *state)
{
	struct node **place = tsearch(state, &tree, compare), *node;

	if ((const void *)*place != state)
		return *place;
	*place = node = calloc(1, sizeof(*node));
	assert_non_null(node);
	memcpy(&node->state, state, sizeof(*state));
	*last = node;
	last = &node->next;
	all_states++;
	return node;
}

/* Calls visit() with every step from the state. */
static void each_step(struct node *node,
		      void (*visit)(struct node *from, const struct input *input, struct node *to))
{
	const struct mad_attempts *attempts = &node->state.attempts;
	int64_t moments[MOMENTS];
	size_t count = moments_of(&node->state, moments);

	for (size_t i = 0; i < count * INPUTS; i++) {
		struct input input = inputs[i % INPUTS];
		struct state to;

		if ((input.event == MAD_ATTEMPT_SENT || input.event == MAD_ATTEMPT_SEND_FAILED) &&
		    attempts->phase != MAD_ATTEMPT_READY)
			continue; /* only what is to be sent is sent */
		if (input.event == MAD_ATTEMPT_REDIRECTED && attempts->redirects == REDIRECTS_MAX)
			continue; /* the rule that redirects has a limit, the machine has not */
		input.delay = moments[i / INPUTS] - NOW;
		if (input.event == MAD_ATTEMPT_TIMER && attempts->action == MAD_ATTEMPT_WAIT &&
		    NOW + input.delay < attempts->until)
			continue; /* no timer ends early */
		step(&node->state, &input, &to);
		visit(node, &input, find(&to));
	}
}

static void count_step(struct node *from, const struct input *input, struct node *to)
{
	(void)from, (void)input, (void)to;
	all_steps++;
}

/* A request without a response ends: decisions are carried out, writes end, timers run, and in no
 * order of these does a state recur. A response ends what may rest (attempts-rules.c). */
static void follow_fair_step(struct node *from, const struct input *input, struct node *to);

static void follow(struct node *node)
{
	if (node->mark == OPEN)
		rules_fail("the request may go on permanently", &node->state, NULL);
	if (node->mark != UNSEEN)
		return;
	node->mark = OPEN;
	each_step(node, follow_fair_step);
	if (!node->goes_on && !rules_may_rest(&node->state))
		rules_fail("nothing is to happen, and the request is not over", &node->state, NULL);
	node->mark = ENDS;
}

static void follow_fair_step(struct node *from, const struct input *input, struct node *to)
{
	if (!rules_is_fair(&from->state, input))
		return;
	from->goes_on = true;
	follow(to);
}

static void search_kind(const struct kind *kind)
{
	struct state start;

	memset(&start, 0, sizeof(start));
	mad_attempts_init(&start.attempts, kind->timeout_ms, kind->attempts, kind->tid_reused);
	state_forget(&start);
	last = &first;
	find(&start);
	for (struct node *node = first; node; node = node->next) {
		phases_reached |= 1U << node->state.attempts.phase;
		each_step(node, count_step);
	}
	for (struct node *node = first; node; node = node->next)
		follow(node);
	tdestroy(tree, free);
	tree = NULL;
}

TEST(every_order_of_events)
{
	static const int timeouts[] = { -1, 0, 80, 1600 };

	for (size_t i = 0; i < COUNT(timeouts); i++)
		for (unsigned attempts = 1; attempts <= ATTEMPTS_MAX; attempts++)
			for (int reused = 0; reused < 2; reused++)
				search_kind(&(struct kind){ timeouts[i], attempts, reused });
	fprintf(stderr, "%zu states, %zu steps\n", all_states, all_steps);
	for (unsigned phase = 0; phase <= MAD_ATTEMPT_DONE; phase++)
		assert_true(phases_reached >> phase & 1);
}
