/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Asynchronous and blocking requests of one thread, on the virtual clock: plays steps.tbl. */
#include "scenes.h"
#include "steps-run.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SETS = 16, NAME = 16, MAX_OBJECTS = 4 };

/* Requests of one step, by their name. */
struct set {
	char name[NAME];
	int count;
	int lid, lids; /* of request i: lid + i % lids */
	unsigned mod;
	int64_t *ids;
	struct outcome *outcomes;
};

static struct set sets[MAX_SETS];
static int set_count;
static struct mad_async *objects[MAX_OBJECTS];
static int current;	  /* the object that steps are about */
static ib_rpc_t last_rpc; /* of the last blocking call, for "again" */
static long slow_ms;	  /* duration of a callback */

/* Allocations of all that is linked in; the next ones fail, of whatever kind. */
static long allocations, failing_allocations;

static bool allocation_fails(void)
{
	allocations++;
	if (failing_allocations <= 0)
		return false;
	failing_allocations--;
	errno = ENOMEM;
	return true;
}

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
	return __wrap_realloc(NULL, size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return allocation_fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return allocation_fails() ? NULL : __real_realloc(old, size);
}

static void note_slowly(struct mad_async *of, const struct mad_async_result *result, void *context)
{
	sleep_ms((int)slow_ms);
	note_outcome(of, result, context);
}

static struct set *find_set(const char *name)
{
	for (int i = 0; i < set_count; i++)
		if (!strcmp(sets[i].name, name))
			return &sets[i];
	fail_msg("no requests %s", name);
	return NULL;
}

/* The requests of a step, "name" or "name*count", and where they go. */
static struct set *make_set(void)
{
	const char *name = steps_next(), *star = strchr(name, '*');
	size_t length = star ? (size_t)(star - name) : strlen(name);
	struct set *set = &sets[set_count++];

	assert_true(set_count <= MAX_SETS && length < NAME);
	memset(set, 0, sizeof(*set));
	memcpy(set->name, name, length);
	set->count = star ? atoi(star + 1) : 1;
	set->lid = (int)steps_number("lid", 1);
	set->lids = (int)steps_number("lids", set->count);
	set->mod = (unsigned)steps_number("mod", 0);
	set->ids = __real_calloc((size_t)set->count, sizeof(*set->ids));
	set->outcomes = __real_calloc((size_t)set->count, sizeof(*set->outcomes));
	assert_true(set->ids && set->outcomes);
	return set;
}

/* "route=1.3": out of port 1, and of port 3 of the next node. */
static ib_portid_t read_address(const struct set *set, int number, unsigned mgmt_class)
{
	ib_portid_t to = { .lid = set->lid + number % set->lids };
	const char *route = steps_value("route");

	if (mgmt_class != IB_SMI_CLASS && mgmt_class != IB_SMI_DIRECT_CLASS) {
		to.qp = 1;
		to.qkey = IB_DEFAULT_QP1_QKEY;
	}
	to.grh_present = steps_has("gid");
	to.gid[15] = (uint8_t)steps_number("gid", 0);
	if (route)
		to.lid = 0;
	for (; route; route = strchr(route, '.') ? strchr(route, '.') + 1 : NULL)
		to.drpath.p[++to.drpath.cnt] = (uint8_t)atoi(route);
	to.drpath.cnt = (int)steps_number("hops", to.drpath.cnt);
	return to;
}

static ib_rpc_t read_rpc(unsigned mod)
{
	int mgmt_class = (int)steps_number("class", IB_SMI_CLASS);
	ib_rpc_t rpc = { .mgtclass = mgmt_class,
			 .method = (int)steps_number("method", IB_MAD_METHOD_GET),
			 .attr = { .id = (unsigned)steps_number("attr", 0x11), .mod = mod },
			 .timeout = (int)steps_number("timeout", 0),
			 .trid = (uint64_t)steps_number("tid", 0),
			 .dataoffs = (int)steps_number("from", steps_data_at((unsigned)mgmt_class)),
			 .datasz = (int)steps_number("size", IB_SMP_DATA_SIZE) };

	if (steps_has("again"))
		rpc.trid = last_rpc.trid;
	return rpc;
}

/* Asynchronous requests; "gives": the errno with which they are refused. */
static void submit(void)
{
	struct set *set = make_set();
	int deadline = (int)steps_number("deadline", 0);
	const char *gives = steps_value("gives");
	static const uint8_t zeros[IB_MAD_SIZE];
	const void *payload = steps_has("payload") ? zeros : NULL;

	slow_ms = steps_number("slow", 0);
	for (int i = 0; i < set->count; i++) {
		ib_rpc_t rpc = read_rpc(set->mod + (unsigned)i);
		ib_portid_t to = read_address(set, i, (unsigned)rpc.mgtclass);

		errno = 0;
		set->ids[i] = mad_async_submit(objects[current],
					       ASYNC_FOR(&to, slow_ms ? note_slowly : note_outcome,
							 &set->outcomes[i], deadline, 0),
					       &rpc, payload);
		assert_int_equal(set->ids[i] > 0 ? 0 : errno, gives ? steps_error(gives) : 0);
	}
}

/* Blocking calls, one after the other. */
static void call(void)
{
	struct set *set = make_set();

	for (int i = 0; i < set->count; i++) {
		struct outcome *outcome = &set->outcomes[i];
		ib_rpc_t rpc = read_rpc(set->mod + (unsigned)i);
		ib_portid_t to = read_address(set, i, (unsigned)rpc.mgtclass);

		outcome->error = mad_rpc(steps_port(), &rpc, &to, NULL, outcome->data) ? 0 : errno;
		outcome->calls = 1;
		outcome->status = (unsigned)rpc.rstatus;
		outcome->has_mad = !outcome->error;
		outcome->at_us = responder_now_us();
		last_rpc = rpc;
	}
}

static void check_count(const char *verb, long count)
{
	const char *gives = steps_value("gives");

	if (gives && !steps_in_range(gives, count))
		fail_msg("%s gives %ld, not %s", verb, count, gives);
}

static void dispatch(void)
{
	const char *fails = steps_value("fails");
	int result;

	errno = 0;
	result = mad_async_dispatch(objects[current], (unsigned)steps_number("most", 0),
				    (int)steps_number("ms", 0));
	assert_int_equal(result < 0 ? errno : 0, fails ? steps_error(fails) : 0);
	check_count("dispatch", result);
}

static void dispatch_until(void)
{
	struct set *set = find_set(steps_next());

	for (int i = 0; i < set->count; i++)
		while (!set->outcomes[i].calls)
			dispatch_at_least(objects[current], 1);
}

static void cancel(void)
{
	const char *name, *fails = steps_value("fails");
	long count = 0;

	while ((name = steps_next())) {
		struct set *set = strcmp(name, "all") ? find_set(name) : NULL;

		for (int i = 0; i < (set ? set->count : 1); i++) {
			int result;

			errno = 0;
			result = set ? mad_async_cancel(objects[current], set->ids[i])
				     : mad_async_cancel_all(objects[current]);
			if (fails)
				assert_int_equal(errno, steps_error(fails));
			count += result > 0 ? result : 0;
		}
	}
	check_count("cancel", count);
}

/* Each request completed once, and its result is consistent. */
static void check_outcome(const struct set *set, int i)
{
	const struct outcome *outcome = &set->outcomes[i];

	assert_int_equal(outcome->calls, 1);
	assert_int_equal(outcome->id, set->ids[i]);
	if (set->ids[i])
		assert_int_equal(outcome->has_data, outcome->has_mad);
	if (outcome->error) {
		assert_true(outcome->status || !outcome->data_length);
		return;
	}
	assert_true(outcome->has_mad);
	steps_check("bytes", (long)outcome->data_length);
	if (steps_has("data"))
		return;
	assert_int_equal(outcome->data[0], (set->lid + i % set->lids) & 0xff);
	assert_int_equal(outcome->data[1], (set->mod + (unsigned)i) & 0xff);
	for (size_t at = 2; at < outcome->data_length && steps_has("length") && at < IB_MAD_SIZE;
	     at++)
		assert_int_equal(outcome->data[at], at % 251);
}

/* Whether "ok|EINVAL" has the errno. */
static bool has_error(const char *list, int error)
{
	char names[64], *rest = NULL;

	snprintf(names, sizeof(names), "%s", list);
	for (char *name = strtok_r(names, "|", &rest); name; name = strtok_r(NULL, "|", &rest))
		if (steps_error(name) == error)
			return true;
	return false;
}

/* How many of the requests have succeeded. */
static long check_set(const struct set *set, const char *results)
{
	const char *before = steps_value("before");
	long step = steps_number("orderstep", 1), succeeded = 0;

	for (int i = 0; i < set->count; i++) {
		const struct outcome *outcome = &set->outcomes[i];

		check_outcome(set, i);
		if (!has_error(results, outcome->error))
			fail_msg("%s %d: errno %d, not %s", set->name, i, outcome->error, results);
		succeeded += !outcome->error;
		steps_check("attempts", outcome->tries);
		steps_check("at", (outcome->at_us - steps_mark.us) / 1000);
		steps_check("status", outcome->status);
		steps_check("length", (long)outcome->mad_length);
		steps_check("order", outcome->order - i * step);
		for (int j = 0; before && j < find_set(before)->count; j++)
			assert_true(outcome->order < find_set(before)->outcomes[j].order);
	}
	return succeeded;
}

/* "expect RESULT NAME...": what came of requests; nothing has so far of those that are "pending".
 */
static void expect(void)
{
	const char *results = steps_next(), *name;
	long succeeded = 0;

	while ((name = steps_next())) {
		struct set *set = find_set(name);

		if (strcmp(results, "pending")) {
			succeeded += check_set(set, results);
			continue;
		}
		for (int i = 0; i < set->count; i++)
			assert_int_equal(set->outcomes[i].calls, 0);
	}
	steps_check("succeeded", succeeded);
}

static void create(void)
{
	const char *gives = steps_value("gives");
	struct mad_async_options options = {
		.flags = (uint32_t)steps_number("flags", 0),
		.window = (unsigned)steps_number("window", 0),
		.timeout_ms = (int)steps_number("timeout", 0),
		.attempts = (int)steps_number("attempts", 0),
		.max_queued = (unsigned)steps_number("queued", 0),
	};

	errno = 0;
	objects[current] = mad_async_create(steps_port(), &options);
	assert_int_equal(objects[current] ? 0 : errno, gives ? steps_error(gives) : 0);
}

static void choose_object(void)
{
	current = atoi(steps_next()) - 1;
	assert_between(current, 0, MAX_OBJECTS - 1);
}

static void free_object(void)
{
	mad_async_free(objects[current]);
	objects[current] = NULL;
}

static bool is_readable(const struct mad_async *async)
{
	struct pollfd polled = { .fd = mad_async_get_fd(async), .events = POLLIN };

	return poll(&polled, 1, 0) == 1;
}

static void check_readable(void)
{
	check_count("readable", is_readable(objects[current]));
}

/* A program's poll loop, which dispatches each ms for the objects whose descriptor is readable, or
 * for all. */
static void loop(void)
{
	bool waits = steps_has("waits") || !steps_has("dispatches");
	int called = 0;

	for (long ms = steps_number("ms", 0); ms > 0; ms--) {
		for (int i = 0; i < MAX_OBJECTS; i++) {
			int result = 0;

			if (objects[i] && (!waits || is_readable(objects[i])))
				result = mad_async_dispatch(objects[i], 0, 0);
			assert_true(result >= 0);
			called += result;
		}
		sleep_ms(1);
	}
	check_count("loop", called);
}

/* How many of the requests are over. */
static void check_over(void)
{
	const struct set *set = find_set(steps_next());
	int count = 0;

	for (int i = 0; i < set->count; i++)
		count += set->outcomes[i].calls;
	check_count("over", count);
}

static void reopen_port(void)
{
	mad_rpc_close_port(steps_port());
	steps_port();
}

static void set_memory(void)
{
	steps_check("left", failing_allocations);
	steps_check("taken", allocations);
	failing_allocations = steps_number("fails", 0);
	allocations = 0;
}

static void set_port(void)
{
	mad_rpc_set_retries(steps_port(), (int)steps_number("retries", 0));
	mad_rpc_set_timeout(steps_port(), (int)steps_number("timeout", 0));
}

static void mark(void)
{
	steps_mark = (struct steps_mark){ responder_now_us(), responder_writes(), responder_tried(),
					  responder_refused(), responder_polls(0) };
	reset_order();
}

static void register_class(void)
{
	assert_true(mad_register_client_via((int)steps_number("class", 0), 0, steps_port()) >= 0);
}

static void run(void)
{
	check_count("run", dispatch_all(objects[current]));
}

static void pass(void)
{
	sleep_ms((int)steps_number("ms", 0));
}

static void dispatch_some_time(void)
{
	dispatch_for(objects[current], (int)steps_number("ms", 0));
}

static void remove_device(void)
{
	responder_remove_device(0, steps_error(steps_next()));
}

static void check_pending(void)
{
	check_count("pending", mad_async_pending(objects[current]));
}

static const struct {
	const char *name;
	void (*carry_out)(void);
} verbs[] = {
	{ "kernel", steps_kernel },
	{ "plan", steps_plan },
	{ "port", set_port },
	{ "async", create },
	{ "submit", submit },
	{ "call", call },
	{ "run", run },
	{ "dispatch", dispatch },
	{ "for", dispatch_some_time },
	{ "until", dispatch_until },
	{ "pass", pass },
	{ "cancel", cancel },
	{ "free", free_object },
	{ "object", choose_object },
	{ "loop", loop },
	{ "over", check_over },
	{ "readable", check_readable },
	{ "reopen", reopen_port },
	{ "memory", set_memory },
	{ "remove", remove_device },
	{ "deliver", steps_deliver },
	{ "receive", steps_receive },
	{ "send", steps_send },
	{ "table", steps_table },
	{ "mark", mark },
	{ "expect", expect },
	{ "pending", check_pending },
	{ "ordered", steps_ordered },
	{ "register", register_class },
	{ "count", steps_count },
	{ "statistics", steps_statistics },
};

static void play(char *statement)
{
	const char *verb = scene_word(&statement);

	steps_begin(statement);
	for (size_t i = 0; i < COUNT(verbs); i++) {
		if (!strcmp(verbs[i].name, verb)) {
			verbs[i].carry_out();
			steps_end();
			return;
		}
	}
	fail_msg("unknown step %s", verb);
}

static int begin(void **state)
{
	(void)state;
	responder_reset();
	reset_order();
	steps_fabric_reset();
	madrpc_show_errors(0);
	last_rpc = (ib_rpc_t){ 0 };
	failing_allocations = 0;
	return 0;
}

static int end(void **state)
{
	(void)state;
	for (current = MAX_OBJECTS - 1; current > 0; current--)
		free_object();
	free_object();
	mad_rpc_close_port(steps_port());
	for (; set_count; set_count--) {
		free(sets[set_count - 1].ids);
		free(sets[set_count - 1].outcomes);
	}
	responder_finish();
	return 0;
}

SCENES(STEPS_TABLE, play, begin, end)
