/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * line.c - see line.h. Input: the release of the kernel, and the length of its receive queue.
 */
/* Before any header, so that simulators replace these calls: open() rather than open64(), read()
 * rather than __read_chk(). */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#undef _FORTIFY_SOURCE

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/regular_file.h"
#include "libibmad/engine/async.h"

#define RELEASE	   "/proc/sys/kernel/osrelease"
#define QUEUE_SIZE "/sys/module/ib_core/parameters/recv_queue_size"

#define DEFAULT_QUEUE_SIZE 512
#define MAX_QUEUE_SIZE	   8192
#define SMI_QUEUE_SIZE	   512 /* of the queue pair 0, at most */

/* The agent of a request, or NULL where the kernel has no limit: it limits the CM's requests too,
 * a class that this library does not register, and neither those without a timeout, which have no
 * response, nor those that are sent in several packets. */
static struct mad_agent *find_agent(struct mad_engine *engine, const uint8_t *mad, int timeout_ms)
{
	if (!engine->limits_agents || !timeout_ms)
		return NULL;
	switch (mad[MAD_CLASS]) {
	case IB_SMI_CLASS:
		return &engine->agents[MAD_AGENT_SMI];
	case IB_SMI_DIRECT_CLASS:
		return &engine->agents[MAD_AGENT_SMI_DIRECT];
	case IB_SA_CLASS:
		return mad[RMPP_RTIME_FLAGS] & IB_RMPP_FLAG_ACTIVE ? NULL
								   : &engine->agents[MAD_AGENT_SA];
	default:
		return NULL;
	}
}

/* Reads a short file, with a NUL behind it. Returns whether it could be read. */
static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open_for_reading(path);
	ssize_t length;

	if (fd < 0)
		return false;
	length = is_regular_file(fd) ? read(fd, text, size - 1) : 0;
	close(fd);
	text[length < 0 ? 0 : length] = '\0';
	return length > 0;
}

static bool kernel_limits_agents(void)
{
	char release[64], *end;
	unsigned long major, minor;

	if (!read_text(RELEASE, release, sizeof(release)))
		return false;
	major = strtoul(release, &end, 10);
	minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
	return major > 6 || (major == 6 && minor >= 17);
}

static unsigned queue_size(void)
{
	unsigned long size = 0;
	char text[32];

	if (read_text(QUEUE_SIZE, text, sizeof(text)))
		size = strtoul(text, NULL, 10);
	return size && size <= MAX_QUEUE_SIZE ? (unsigned)size : DEFAULT_QUEUE_SIZE;
}

static unsigned limit_of(int agent, unsigned size)
{
	unsigned of_smi = (size < SMI_QUEUE_SIZE ? size : SMI_QUEUE_SIZE) / 4;
	unsigned most = agent == MAD_AGENT_SA ? size / 32 : of_smi;

	return most ? most : 1;
}

static struct mad_place *new_place(struct mad_agent *agent)
{
	struct mad_place *place = calloc(1, sizeof(*place));

	if (place) {
		place->agent = agent;
		place->timer.of_place = true;
	}
	return place;
}

static int make_places(struct mad_agent *agent)
{
	for (unsigned i = 0; i < agent->most; i++) {
		struct mad_place *place = new_place(agent);

		if (!place)
			return -ENOMEM;
		TAILQ_INSERT_TAIL(&agent->free, place, link);
	}
	return 0;
}

void mad_lines_init(struct mad_line *lines)
{
	for (int i = 0; i < MAD_LIMITED_AGENTS; i++)
		TAILQ_INIT(&lines[i].requests);
}

/* Simulators hold nothing back. */
int mad_line_init(struct mad_engine *engine)
{
	int cancel_state = mad_hold_cancel(), saved_errno = errno, error = 0;
	unsigned size = 0;

	engine->limits_agents = engine->wakeup.event_fd >= 0 && kernel_limits_agents();
	if (engine->limits_agents)
		size = queue_size();
	mad_lines_init(engine->lines);
	for (int i = 0; i < MAD_LIMITED_AGENTS; i++) {
		struct mad_agent *agent = &engine->agents[i];

		agent->most = limit_of(i, size);
		TAILQ_INIT(&agent->free);
		TAILQ_INIT(&agent->delayed);
		TAILQ_INIT(&agent->lines);
		if (engine->limits_agents && !error)
			error = make_places(agent);
	}
	errno = saved_errno;
	mad_release_cancel(cancel_state);
	return error;
}

static bool free_held(struct mad_hash_node *node, void *context)
{
	(void)context;
	free(node);
	return false;
}

/* Without requests: what is taken is held. */
void mad_line_free(struct mad_engine *engine)
{
	struct mad_place *place;

	for (int i = 0; i < MAD_LIMITED_AGENTS; i++) {
		while ((place = TAILQ_FIRST(&engine->agents[i].free))) {
			TAILQ_REMOVE(&engine->agents[i].free, place, link);
			free(place);
		}
	}
	mad_hash_filter(&engine->held, free_held, NULL);
	mad_hash_free(&engine->held);
}

static bool has_place(const struct mad_agent *agent)
{
	return agent->taken < agent->most;
}

static struct mad_place *take_place(struct mad_agent *agent, struct mad_request *owner)
{
	struct mad_place *place = TAILQ_FIRST(&agent->free);

	TAILQ_REMOVE(&agent->free, place, link);
	agent->taken++;
	place->owner = owner;
	return place;
}

/* The kernel has sent the place's request just now. The timer of a place without an owner ends the
 * place where nothing else does. */
static void hold(struct mad_engine *engine, struct mad_place *place, int64_t now)
{
	int64_t timeout_end = mad_clock_after(now, place->timeout_ms);

	place->held_until = timeout_end == MAD_NO_DEADLINE
				    ? timeout_end
				    : timeout_end + mad_attempts_return_delay(place->timeout_ms);
	if (!place->owner && place->held_until != MAD_NO_DEADLINE)
		mad_timer_set(&engine->first_due, &place->timer, place->held_until);
}

/* Frees a place; a request that the kernel holds back is sent by it then. */
void mad_line_free_place(struct mad_engine *engine, struct mad_place *place)
{
	struct mad_agent *agent = place->agent;
	struct mad_place *next = TAILQ_FIRST(&agent->delayed);

	mad_timer_clear(&engine->first_due, &place->timer);
	place->owner = NULL;
	engine->is_unsettled = true;
	if (place->is_delayed) {
		TAILQ_REMOVE(&agent->delayed, place, link);
		free(place);
		return;
	}
	if (!next) {
		agent->taken--;
		TAILQ_INSERT_HEAD(&agent->free, place, link);
		return;
	}
	free(place);
	TAILQ_REMOVE(&agent->delayed, next, link);
	next->is_delayed = false;
	hold(engine, next, mad_clock_now());
}

/* A response or the request itself was read, or neither will be: unless there is more to read, the
 * kernel holds the place's request no longer, and has sent another one meanwhile. */
static void forget(struct mad_engine *engine, struct mad_place *place, unsigned reads)
{
	place->unread -= reads;
	if (place->unread)
		return;
	mad_hash_remove(&engine->held, &place->node);
	if (place->owner)
		place->owner->place = NULL;
	mad_line_free_place(engine, place);
}

static bool is_unresponsive(struct mad_request *request)
{
	struct mad_item *item = mad_item_of(request);

	return item && mad_item_is_unresponsive(item);
}

static struct mad_line *find_line(struct mad_engine *engine, const struct mad_agent *agent,
				  struct mad_request *request)
{
	struct mad_item *item = mad_item_of(request);

	return &(item ? item->async->lines : engine->lines)[agent - engine->agents];
}

static void join(struct mad_engine *engine, struct mad_agent *agent, struct mad_request *request)
{
	struct mad_line *line = find_line(engine, agent, request);
	struct mad_request *root = mad_request_root(request);

	if (TAILQ_EMPTY(&line->requests))
		TAILQ_INSERT_TAIL(&agent->lines, line, link);
	if (root->attempts.sent_all) /* the others may be thousands */
		TAILQ_INSERT_HEAD(&line->requests, request, link_line);
	else
		TAILQ_INSERT_TAIL(&line->requests, request, link_line);
	line->agent = agent;
	request->line = line;
	engine->is_unsettled = true;
	if (mad_item_of(request))
		mad_item_set_share(mad_item_of(request), MAD_SHARE_NONE);
	if (root->waiter)
		mad_attempts_limit(&request->attempts, mad_clock_now());
}

static void leave_line(struct mad_request *request)
{
	struct mad_line *line = request->line;

	TAILQ_REMOVE(&line->requests, request, link_line);
	if (TAILQ_EMPTY(&line->requests))
		TAILQ_REMOVE(&line->agent->lines, line, link);
	request->line = NULL;
}

bool mad_line_take(struct mad_engine *engine, struct mad_request *request)
{
	struct mad_agent *agent = find_agent(engine, request->mad, request->attempts.timeout_ms);

	if (!agent || request->place)
		return true;
	if (request->line)
		return false;
	if (!has_place(agent) || !TAILQ_EMPTY(&agent->lines)) {
		join(engine, agent, request);
		return false;
	}
	request->place = take_place(agent, request);
	return true;
}

void mad_line_sent(struct mad_engine *engine, struct mad_place *place, const uint8_t *mad,
		   int timeout_ms, int64_t now)
{
	place->timeout_ms = timeout_ms;
	if (!place->unread++) { /* something with its TID and class will be read */
		place->node.key = mad_request_key(mad);
		mad_hash_add(&engine->held, &place->node);
	}
	if (!place->is_delayed)
		hold(engine, place, now);
}

void mad_line_leave(struct mad_engine *engine, struct mad_request *request)
{
	struct mad_place *place = request->place;

	if (request->line) {
		leave_line(request);
		engine->is_unsettled = true;
	}
	if (!place)
		return;
	engine->is_unsettled = true; /* the thread that polls has to know of the timer */
	request->place = NULL;
	place->owner = NULL;
	if (!place->unread)
		mad_line_free_place(engine, place);
	else if (place->held_until != MAD_NO_DEADLINE)
		mad_timer_set(&engine->first_due, &place->timer, place->held_until);
}

/* The first request of the line, perhaps of those whose destination responds, if its object may
 * send that request now; or NULL. */
static struct mad_request *find_first(const struct mad_line *line, bool skips_unresponsive)
{
	struct mad_request *request = TAILQ_FIRST(&line->requests);

	while (request && skips_unresponsive && is_unresponsive(request))
		request = TAILQ_NEXT(request, link_line);
	return request && mad_item_enter_window(request) ? request : NULL;
}

/* Takes a request out of the line, which then comes last. */
static struct mad_request *take_first(struct mad_agent *agent, struct mad_line *line)
{
	struct mad_request *request = find_first(line, !line->is_fair);

	if (!request)
		request = find_first(line, line->is_fair);
	if (!request)
		return NULL;
	line->is_fair = !line->is_fair;
	leave_line(request);
	if (!TAILQ_EMPTY(&line->requests)) {
		TAILQ_REMOVE(&agent->lines, line, link);
		TAILQ_INSERT_TAIL(&agent->lines, line, link);
	}
	request->place = take_place(agent, request);
	return request;
}

struct mad_request *mad_line_next(struct mad_engine *engine)
{
	struct mad_request *request = NULL;
	struct mad_line *line;

	for (int i = 0; i < MAD_LIMITED_AGENTS && !request; i++) {
		if (!has_place(&engine->agents[i]))
			continue;
		TAILQ_FOREACH(line, &engine->agents[i].lines, link)
		{
			request = take_first(&engine->agents[i], line);
			if (request)
				break;
		}
	}
	return request;
}

int mad_line_reserve(struct mad_engine *engine, const uint8_t *mad, int timeout_ms,
		     struct mad_place **place)
{
	struct mad_agent *agent = find_agent(engine, mad, timeout_ms);

	*place = NULL;
	if (!agent)
		return 0;
	if (has_place(agent)) {
		*place = take_place(agent, NULL);
		return 0;
	}
	*place = new_place(agent);
	if (!*place)
		return -ENOMEM;
	(*place)->is_delayed = true;
	TAILQ_INSERT_TAIL(&agent->delayed, *place, link);
	return 0;
}

void mad_line_release(struct mad_engine *engine, uint64_t key)
{
	struct mad_hash_node *node = mad_hash_find(&engine->held, key);

	if (node)
		forget(engine, (struct mad_place *)node, 1);
}

void mad_line_expire(struct mad_engine *engine, struct mad_timer *timer)
{
	struct mad_place *place = (void *)((char *)timer - offsetof(struct mad_place, timer));

	forget(engine, place, place->unread);
}
