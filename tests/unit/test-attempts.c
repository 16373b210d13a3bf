/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every order of events of libibmad's machine of attempts: a breadth-first search from the state of
 * a new request, with every event in every state, at every moment that makes a difference (at once,
 * and just before, at and just after each deadline), until there is no new state. Rules hold for
 * every step, every phase is reached, every state leads to DONE, and a request without a
 * response ends, provided that its writes end and its timers run.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "libibmad/base/clock.h"
#include "attempts-rules.h"
#include "attempts-states.h"

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

/* Calls visit() with every step from the state. */
static void each_step(const struct state *from,
		      void (*visit)(void *context, const struct state *from,
				    const struct input *input, const struct state *to),
		      void *context)
{
	int64_t moments[MOMENTS];
	size_t count = moments_of(from, moments);

	for (size_t i = 0; i < count * INPUTS; i++) {
		struct input input = inputs[i % INPUTS];
		struct state to;

		if ((input.event == MAD_ATTEMPT_SENT || input.event == MAD_ATTEMPT_SEND_FAILED) &&
		    from->attempts.phase != MAD_ATTEMPT_READY)
			continue; /* only what is to be sent is sent */
		if (input.event == MAD_ATTEMPT_REDIRECTED &&
		    from->attempts.redirects == REDIRECTS_MAX)
			continue; /* the rule that redirects has a limit, the machine has not */
		input.delay = moments[i / INPUTS] - NOW;
		if (input.event == MAD_ATTEMPT_TIMER && from->attempts.action == MAD_ATTEMPT_WAIT &&
		    NOW + input.delay < from->attempts.until)
			continue; /* no timer ends early */
		step(from, &input, &to);
		visit(context, from, &input, &to);
	}
}

/* The search */

struct edge {
	uint32_t from, to;
};

struct graph {
	struct states states;
	struct edge *edges; /* without cancellations */
	size_t edge_count, edge_capacity;
	size_t at; /* the state that steps are made from */
};

static void add_edge(struct graph *graph, size_t to)
{
	if (graph->edge_count == graph->edge_capacity) {
		graph->edge_capacity = graph->edge_capacity ? graph->edge_capacity * 2 : 4096;
		graph->edges = realloc(graph->edges, graph->edge_capacity * sizeof(*graph->edges));
		assert_non_null(graph->edges);
	}
	graph->edges[graph->edge_count++] = (struct edge){ (uint32_t)graph->at, (uint32_t)to };
}

static void take_step(void *context, const struct state *from, const struct input *input,
		      const struct state *to)
{
	struct graph *graph = context;
	size_t number = states_add(&graph->states, to);

	(void)from;
	all_steps++;
	if (input->event != MAD_ATTEMPT_CANCEL && number != graph->at)
		add_edge(graph, number);
}

static void search(struct graph *graph, const struct kind *kind)
{
	struct state start;

	memset(&start, 0, sizeof(start));
	mad_attempts_init(&start.attempts, kind->timeout_ms, kind->attempts, kind->tid_reused);
	state_forget(&start);
	states_add(&graph->states, &start);
	for (graph->at = 0; graph->at < graph->states.count; graph->at++) {
		struct state from;

		memcpy(&from, &graph->states.known[graph->at], sizeof(from));
		phases_reached |= 1U << from.attempts.phase;
		each_step(&from, take_step, graph);
	}
	all_states += graph->states.count;
}

/* Every state leads to DONE, even without a cancellation. */
static void check_ends_exist(const struct graph *graph)
{
	bool *ends = calloc(graph->states.count, sizeof(*ends)), more = true;

	assert_non_null(ends);
	for (size_t i = 0; i < graph->states.count; i++)
		ends[i] = graph->states.known[i].attempts.phase == MAD_ATTEMPT_DONE;
	while (more) {
		more = false;
		for (size_t i = graph->edge_count; i-- > 0;) {
			const struct edge *edge = &graph->edges[i];

			if (ends[edge->to] && !ends[edge->from])
				ends[edge->from] = more = true;
		}
	}
	for (size_t i = 0; i < graph->states.count; i++)
		if (!ends[i])
			rules_fail("there is no way to DONE", &graph->states.known[i], NULL);
	free(ends);
}

/* A request without a response ends: decisions are carried out, writes end, timers run, and in no
 * order of these does a state recur. */

enum { UNSEEN, OPEN, ENDS };

struct walk {
	struct states *states;
	unsigned char *marks; /* by state */
	size_t capacity;
	bool goes_on; /* the state that steps are made from has a fair one */
};

static void walk_from(struct walk *walk, const struct state *from);

static void walk_step(void *context, const struct state *from, const struct input *input,
		      const struct state *to)
{
	struct walk *walk = context;

	if (!rules_is_fair(from, input))
		return;
	walk_from(walk, to);
	walk->goes_on = true;
}

static void walk_from(struct walk *walk, const struct state *from)
{
	size_t number = states_add(walk->states, from);

	assert_true(number < walk->capacity); /* no state is new */
	if (walk->marks[number] == OPEN)
		rules_fail("the request may go on for ever", from, NULL);
	if (walk->marks[number] != UNSEEN)
		return;
	walk->marks[number] = OPEN;
	walk->goes_on = false;
	each_step(from, walk_step, walk);
	if (!walk->goes_on && !rules_may_rest(from))
		rules_fail("nothing is to happen, and the request is not over", from, NULL);
	walk->marks[number] = ENDS;
}

static void check_ends_always(struct graph *graph)
{
	struct walk walk = { .states = &graph->states, .capacity = graph->states.count };

	walk.marks = calloc(walk.capacity, 1);
	assert_non_null(walk.marks);
	for (size_t i = 0; i < walk.capacity; i++) {
		struct state from;

		memcpy(&from, &graph->states.known[i], sizeof(from));
		walk_from(&walk, &from);
	}
	free(walk.marks);
}

static void search_kind(const struct kind *kind)
{
	struct graph graph;

	memset(&graph, 0, sizeof(graph));
	states_init(&graph.states);
	search(&graph, kind);
	check_ends_exist(&graph);
	check_ends_always(&graph);
	fprintf(stderr, "%u attempts of %d ms%s: %zu states\n", kind->attempts, kind->timeout_ms,
		kind->tid_reused ? ", a TID that was used before" : "", graph.states.count);
	states_free(&graph.states);
	free(graph.edges);
}

TEST(every_order_of_events)
{
	static const int timeouts[] = { -1, 0, 80, 1600 };

	for (size_t i = 0; i < sizeof(timeouts) / sizeof(timeouts[0]); i++)
		for (unsigned attempts = 1; attempts <= ATTEMPTS_MAX; attempts++)
			for (int reused = 0; reused < 2; reused++)
				search_kind(&(struct kind){ timeouts[i], attempts, reused });
	fprintf(stderr, "%zu states, %zu steps\n", all_states, all_steps);
	for (unsigned phase = 0; phase <= MAD_ATTEMPT_DONE; phase++)
		assert_true(phases_reached >> phase & 1);
}
