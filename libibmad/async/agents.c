/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How many requests of an agent may be in flight. From Linux 6.17 on, the kernel sends so many and
 * holds back the rest without saying so. Their timeouts begin when they leave: until then our
 * attempts end without having been made, and the kernel refuses their transaction IDs. Requests
 * beyond the limit therefore wait here, silent destinations or not. Child requests are counted and
 * do not wait, because requests that are followed up, which count, too, wait for them.
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

#include "libibmad/async/async.h"

#define RELEASE	   "/proc/sys/kernel/osrelease"
#define QUEUE_SIZE "/sys/module/ib_core/parameters/recv_queue_size"

#define DEFAULT_QUEUE_SIZE 512

/* Classes that the kernel limits: to a fraction of its receive queue. */
static const struct {
	uint8_t mgmt_class;
	unsigned queue_most; /* a longer queue counts as this */
	unsigned divisor;
} limited[MAD_ASYNC_AGENTS] = {
	{ IB_SMI_CLASS, 512, 4 },
	{ IB_SMI_DIRECT_CLASS, 512, 4 },
	{ IB_SA_CLASS, UINT_MAX, 32 },
	{ IB_CM_CLASS, UINT_MAX, 4 },
};

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

void mad_agents_init(struct mad_queue *queue)
{
	int cancel_state = mad_hold_cancel(), saved_errno = errno;
	bool limits = kernel_limits_agents();
	unsigned size = limits ? queue_size() : 0;

	for (int i = 0; i < MAD_ASYNC_AGENTS; i++) {
		unsigned length = size < limited[i].queue_most ? size : limited[i].queue_most;
		unsigned most = length / limited[i].divisor;

		queue->agents[i].most = !limits ? UINT_MAX : most ? most : 1;
		TAILQ_INIT(&queue->agents[i].held);
	}
	errno = saved_errno;
	mad_release_cancel(cancel_state);
}

struct mad_async_agent *mad_agent_find(struct mad_queue *queue, uint8_t mgmt_class)
{
	for (int i = 0; i < MAD_ASYNC_AGENTS; i++)
		if (limited[i].mgmt_class == mgmt_class && queue->agents[i].most != UINT_MAX)
			return &queue->agents[i];
	return NULL;
}

bool mad_agent_holds(struct mad_queue *queue, struct mad_request *request)
{
	struct mad_async_agent *agent = request->agent;

	if (!agent || request->follow_up || agent->in_flight < agent->most)
		return false;
	request->place = MAD_ASYNC_HELD;
	TAILQ_INSERT_TAIL(&agent->held, request, link);
	queue->held++;
	return true;
}

void mad_agent_drop(struct mad_queue *queue, struct mad_request *request)
{
	TAILQ_REMOVE(&request->agent->held, request, link);
	queue->held--;
}

struct mad_request *mad_agent_next(const struct mad_queue *queue)
{
	for (int i = 0; queue->held && i < MAD_ASYNC_AGENTS; i++) {
		const struct mad_async_agent *agent = &queue->agents[i];
		struct mad_request *request = TAILQ_FIRST(&agent->held);
		enum mad_async_share share = MAD_ASYNC_IN_WINDOW;

		if (!request || agent->in_flight >= agent->most)
			continue;
		if (request->is_probe)
			share = MAD_ASYNC_AMONG_SILENT;
		if (queue->shares[share] < queue->window)
			return request;
	}
	return NULL;
}
