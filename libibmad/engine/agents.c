/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * agents.c - see agents.h.
 */
/* Before any header, so that simulators replace these calls: open() rather than open64(), read()
 * rather than __read_chk(). */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS
#undef _FORTIFY_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "libibmad/engine/agents.h"
#include "libibmad/engine/engine.h"
#include "libibmad/engine/inflight.h"

#define RELEASE	   "/proc/sys/kernel/osrelease"
#define QUEUE_SIZE "/sys/module/ib_core/parameters/recv_queue_size"

#define DEFAULT_QUEUE_SIZE 512
#define SMI_QUEUE_SIZE	   512 /* of the queue pair 0, at most */

enum { SMI_AGENT, SMI_DIRECT_AGENT, SA_AGENT };

struct mad_agent *mad_agents_find(struct mad_engine *engine, uint8_t mgmt_class)
{
	switch (mgmt_class) {
	case IB_SMI_CLASS:
		return &engine->agents[SMI_AGENT];
	case IB_SMI_DIRECT_CLASS:
		return &engine->agents[SMI_DIRECT_AGENT];
	case IB_SA_CLASS:
		return &engine->agents[SA_AGENT];
	default: /* the kernel limits the CM's too, which this library does not register */
		return NULL;
	}
}

/* A short file, with a NUL behind it. Returns whether it could be read. */
static bool read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return false;
	length = read(fd, text, size - 1);
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
	return size && size <= INT_MAX ? (unsigned)size : DEFAULT_QUEUE_SIZE;
}

/* How many of an agent, with a receive queue of that length. */
static unsigned limit_of(int agent, unsigned size)
{
	unsigned of_smi = (size < SMI_QUEUE_SIZE ? size : SMI_QUEUE_SIZE) / 4;
	unsigned most = agent == SA_AGENT ? size / 32 : of_smi;

	return most ? most : 1;
}

/* Simulators hold nothing back. */
void mad_agents_init(struct mad_engine *engine)
{
	int cancel_state = mad_hold_cancel(), saved_errno = errno;
	unsigned size = 0;

	engine->limits_agents = kernel_limits_agents() && mad_wakeup_is_device(engine->fd);
	if (engine->limits_agents)
		size = queue_size();
	for (int i = 0; i < MAD_LIMITED_AGENTS && engine->limits_agents; i++) {
		engine->agents[i].most = limit_of(i, size);
		TAILQ_INIT(&engine->agents[i].line);
	}
	errno = saved_errno;
	mad_release_cancel(cancel_state);
}

/* Whether threads would take a place now: nobody may be waiting for requests that a program has
 * submitted. */
static bool can_take(const struct mad_contender *contender)
{
	const struct mad_waiter_group *group = contender->group;

	return contender->waiter || group->awake || !TAILQ_EMPTY(&group->waiting);
}

/* Whose turn it is. */
static struct mad_contender *next_of(const struct mad_agent *agent)
{
	struct mad_contender *contender;

	TAILQ_FOREACH(contender, &agent->line, link)
	if (can_take(contender))
		break;
	return contender ? contender : TAILQ_FIRST(&agent->line);
}

/* A thread that sends looks for places by itself, and no other could use them meanwhile. */
static void offer(struct mad_agent *agent)
{
	struct mad_contender *next = agent->in_flight < agent->most ? next_of(agent) : NULL;

	if (next && next->waiter)
		mad_engine_wake(next->waiter);
	else if (next && !next->group->is_sending)
		mad_engine_notify(next->group);
}

void mad_agents_offer(struct mad_engine *engine)
{
	for (int i = 0; i < MAD_LIMITED_AGENTS && engine->limits_agents; i++)
		offer(&engine->agents[i]);
}

bool mad_agent_has_place(const struct mad_agent *agent, const struct mad_contender *contender)
{
	const struct mad_contender *next;

	if (agent->in_flight >= agent->most)
		return false;
	next = next_of(agent);
	return !next || next == contender || !can_take(next);
}

void mad_agent_wait(struct mad_agent *agent, struct mad_contender *contender)
{
	if (contender->agent)
		return;
	contender->agent = agent;
	TAILQ_INSERT_TAIL(&agent->line, contender, link);
}

bool mad_agent_take(struct mad_agent *agent, struct mad_contender *contender,
		    struct mad_transaction *transaction)
{
	bool has_place = mad_agent_has_place(agent, contender);

	if (has_place) {
		transaction->place = agent;
		agent->in_flight++;
		mad_agent_withdraw(contender);
	} else {
		mad_agent_wait(agent, contender);
	}
	return has_place;
}

void mad_agent_withdraw(struct mad_contender *contender)
{
	struct mad_agent *agent = contender->agent;

	if (!agent)
		return;
	contender->agent = NULL;
	TAILQ_REMOVE(&agent->line, contender, link);
	offer(agent);
}

void mad_agent_give_back(struct mad_transaction *transaction)
{
	struct mad_agent *agent = transaction->place;

	if (!agent)
		return;
	transaction->place = NULL;
	agent->in_flight--;
	offer(agent);
}

void mad_agent_settle(struct mad_transaction *transaction)
{
	enum mad_try_phase phase = transaction->try.phase;

	if (phase != MAD_TRY_SENDING && phase != MAD_TRY_WAITING && phase != MAD_TRY_HELD)
		mad_agent_give_back(transaction);
}

static bool reclaim(struct mad_hash_node *node, void *context)
{
	struct mad_transaction *transaction = (struct mad_transaction *)node;
	const int64_t *now = context;

	if (!transaction->inflight.is_unwaited && transaction->place &&
	    transaction->try.phase != MAD_TRY_SENDING &&
	    transaction->try.until < *now - mad_try_return_delay(transaction->try.timeout_ms))
		mad_agent_give_back(transaction);
	return true;
}

void mad_agents_reclaim(struct mad_engine *engine, int64_t now)
{
	mad_hash_filter(&engine->in_flight, reclaim, &now);
}

void mad_agent_forget(const struct mad_transaction *transaction)
{
	if (transaction->place)
		transaction->place->in_flight--;
}

void mad_agents_forget_threads(struct mad_engine *engine)
{
	for (int i = 0; i < MAD_LIMITED_AGENTS && engine->limits_agents; i++) {
		struct mad_agent *agent = &engine->agents[i];
		struct mad_contender *contender = TAILQ_FIRST(&agent->line), *next;

		for (; contender; contender = next) {
			next = TAILQ_NEXT(contender, link);
			if (contender->waiter)
				TAILQ_REMOVE(&agent->line, contender, link);
		}
	}
}
