/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See fabric.h, and tests/lib/umad-cases/cases.h for what the functions do. */
#include "fabric.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "invariants.h"
#include "kernel.h"
#include "threads.h"
#include "scheduler.h"
#include "test-list.h"
#include "world.h"

enum { FRAMES = 512 };

const char *const cases_device = "mlx5_0";

static const struct sim_packet *frames[FRAMES], *taken;
static unsigned first, count;
static const char *running;
static jmp_buf next_case;

const char *sim_cases_pattern = "*";

void sim_cases_keep(const struct sim_packet *sent)
{
	frames[count++ % FRAMES] = sent;
}

void cases_begin(void)
{
	first = count = 0;
	sim_kernel_clear();
}

const char *cases_missing(enum cases_feature feature)
{
	static const char *const reasons[] = {
		[CASES_SEGMENTS] = "messages are whole on both sides of the kernel",
		[CASES_AGENTS] = "the local port does not respond by itself",
		[CASES_REPEATS] = "the kernel repeats in itself",
	};

	return feature < sizeof(reasons) / sizeof(reasons[0]) ? reasons[feature] : NULL;
}

void cases_end(void)
{
	if (sim_kernel_open_files())
		sim_broken("cases", "%s: a device is still open", running);
}

bool cases_take(struct cases_frame *frame)
{
	sim_world.send_fails_once_in = 0;
	if (first == count)
		return false;
	taken = frames[first++ % FRAMES];
	*frame = (struct cases_frame){ .dlid = taken->lid,
				       .dqpn = be32toh(taken->header->qpn),
				       .qkey = be32toh(taken->header->qkey) };
	memcpy(frame->mad, taken->mad, taken->length < SIM_MAD ? taken->length : SIM_MAD);
	mad_put_be32(frame->mad + MAD_TID_AT, taken->header->id + 1); /* the kernel's half */
	return true;
}

void cases_put(const struct cases_frame *frame, const uint8_t *mad, size_t length)
{
	struct sim_packet *packet;

	if (umad_rules_response(mad) < 0)
		return;
	packet = sim_packet_new(taken->file, length);
	packet->agent = umad_rules_response(mad);
	packet->loses = true;
	packet->lid = frame->slid;
	memcpy(packet->mad, mad, length);
	sim_packet_send(packet, 0);
}

void cases_remove(void)
{
	sim_kernel_plan_removal(0);
}

unsigned cases_window(int mgmt_class)
{
	return sim_kernel_limit((uint8_t)mgmt_class); /* as of Linux 6.17 */
}

void cases_fail_send(void)
{
	sim_world.send_fails_once_in = 1;
}

short cases_poll(int fd, short events)
{
	struct pollfd polled = { .fd = fd, .events = events };

	return replaced_poll(&polled, 1, 0) < 0 ? 0 : polled.revents;
}

void test_fail(const char *format, ...)
{
	char text[160];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	printf("not ok - %s\n# %s\n", running, text);
	sim_broken("cases", "%s: %s", running, text);
	longjmp(next_case, 1);
}

void test_skip(const char *why)
{
	printf("ok - %s # SKIP %s\n", running, why);
	longjmp(next_case, 1);
}

static void run_case(struct test *test)
{
	running = test->name;
	if (setjmp(next_case))
		return;
	test_play(test);
	printf("ok - %s\n", running);
}

void *sim_cases_program(void *unused)
{
	for (struct test *test = test_list; test; test = test->next)
		if (test_matches(test, sim_cases_pattern))
			run_case(test);
	return unused;
}
