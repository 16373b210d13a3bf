/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The cases on the fake kernel of tests/lib/kernel, with the responder as its policy, in virtual
 * time. */
#include "cases.h"
#include "common/bytes.h"
#include "responder.h"

#include <errno.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <string.h>

enum { FRAMES = 512, RELEASE_US = 20 };

const char *const cases_device = "mlx5_0";

static struct cases_frame frames[FRAMES];
static unsigned first, count;

static void keep_frame(const struct responder_request *request, struct responder_response *response,
		       void *unused)
{
	struct cases_frame *frame = &frames[count++ % FRAMES];
	size_t length = request->size - RESPONDER_HEADER;
	uint32_t agent;

	(void)unused;
	memset(frame, 0, sizeof(*frame));
	memcpy(frame->mad, request->mad, length < sizeof(frame->mad) ? length : sizeof(frame->mad));
	memcpy(&agent, request->packet, sizeof(agent));
	mad_put_be32(frame->mad + 8, agent + 1); /* the kernel's half of the TID */
	response->silent = true;
}

void cases_begin(void)
{
	first = count = 0;
	responder_reset();
	responder_use_virtual_clock();
	responder_limits_agents();
	responder_frees_late(RELEASE_US);
	responder_plan(keep_frame, NULL);
}

const char *cases_missing(enum cases_feature feature)
{
	static const char *const reasons[] = {
		[CASES_SEGMENTS] = "messages are whole on both sides of the fake kernel",
		[CASES_AGENTS] = "the plan decides what the local port responds",
		[CASES_FILES] = "no test opens a device of the fake kernel twice",
		[CASES_REPEATS] =
			"the fake kernel asks its policy once a request, and repeats in itself",
	};

	return feature < sizeof(reasons) / sizeof(reasons[0]) ? reasons[feature] : NULL;
}

void cases_end(void)
{
	responder_finish();
}

bool cases_take(struct cases_frame *frame)
{
	if (first + responder_holds_back() ==
	    count) /* requests that have not left are of one agent */
		return false;
	*frame = frames[first++ % FRAMES];
	return true;
}

void cases_put(const struct cases_frame *frame, const uint8_t *mad, size_t length)
{
	(void)frame;
	responder_arrive(0, mad, length);
}

void cases_remove(void)
{
	responder_remove_device(0, EIO);
	kernel_remove("/sys/class/infiniband/mlx5_0");
}

unsigned cases_window(int mgmt_class)
{
	return responder_limit_of((unsigned)mgmt_class);
}

void cases_fail_send(void)
{
	responder_fail_send();
}

short cases_poll(int fd, short events)
{
	struct pollfd polled = { .fd = fd, .events = events };

	return poll(&polled, 1, 0) < 0 ? 0 : polled.revents;
}
