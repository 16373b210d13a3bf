/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The cases of tests/lib/umad-cases on a real kernel: a virtual HCA (hca) with a tap as its cable,
 * and this program as the fabric behind that.
 */
#include "cases.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <infiniband/mad.h>

#include "common/bytes.h"
#include "hca/frame.h"
#include "tap.h"
#include "../lib/kernel/umad-rules.h"

enum {
	SILENCE_MS = 200, /* in which a MAD leaves the port */
	/* offsets in a MAD */
	METHOD = 3,
	ATTRIBUTE = 16,
	RMPP = 24,
	SA_HEADER = 56,
	SEGMENT_DATA = 200, /* of SA messages */
	SEGMENT_CLASS_HEADER = 20,
	FLAG_ACTIVE = 1,
	FLAG_FIRST = 2,
	FLAG_LAST = 4,
};

const char *const cases_device = "cases0";

static int tap = -1;
static struct vhca_frame last; /* the last frame that left the port */

static bool command(const char *verb, const char *arguments)
{
	int fd = open("/sys/module/vhca/parameters/cmd", O_WRONLY);
	char line[64];
	int length = snprintf(line, sizeof(line), "%s %s%s", verb, cases_device, arguments);
	bool done = write(fd, line, (size_t)length) == length;

	close(fd);
	return done;
}

static bool read_frame(struct vhca_frame *frame)
{
	struct pollfd polled = { .fd = tap, .events = POLLIN };

	return poll(&polled, 1, SILENCE_MS) > 0 &&
	       read(tap, frame, sizeof(*frame)) == (ssize_t)sizeof(*frame);
}

static void write_frame(const struct vhca_frame *frame)
{
	check_equal(write(tap, frame, sizeof(*frame)), sizeof(*frame));
}

/* Traps, and the kernel's own queries after events of the port. */
static bool is_of_the_kernel(const uint8_t *mad)
{
	return mad[METHOD] == IB_MAD_METHOD_TRAP ||
	       (mad[1] == IB_SA_CLASS && mad[METHOD] == IB_MAD_METHOD_GET &&
		mad_get_be16(mad + ATTRIBUTE) == CLASS_PORT_INFO);
}

void cases_begin(void)
{
	struct vhca_frame ignored;

	tap = open("/dev/vhca", O_RDWR);
	check(tap >= 0);
	command("del", ""); /* of the case before */
	check(command("add", " ca 1") && command("tap", " 1"));
	check(command("active", " 1 5 9")); /* the LIDs of the port, and of the subnet manager */
	while (read_frame(&ignored)) /* the kernel sends traps and queries after the change */
		;
}

const char *cases_missing(enum cases_feature feature)
{
	return feature == CASES_LATE_TID ? "a reader is seldom that quick" : NULL;
}

void cases_end(void)
{
	close(tap);
}

bool cases_take(struct cases_frame *frame)
{
	do
		if (!read_frame(&last))
			return false;
	while (is_of_the_kernel(last.mad));
	frame->slid = last.slid;
	frame->dlid = last.dlid;
	frame->sqpn = last.sqpn;
	frame->dqpn = last.dqpn;
	frame->qkey = last.qkey;
	memcpy(frame->mad, last.mad, sizeof(frame->mad));
	return true;
}

/* VL and P_Key are those of the request. */
static void put_mad(const struct cases_frame *frame, const uint8_t *mad)
{
	struct vhca_frame arrival = last;

	arrival.dev = 0;
	arrival.port = 1;
	arrival.slid = frame->slid;
	arrival.dlid = frame->dlid;
	arrival.sqpn = frame->sqpn;
	arrival.dqpn = frame->dqpn;
	arrival.qkey = frame->qkey;
	memcpy(arrival.mad, mad, sizeof(arrival.mad));
	write_frame(&arrival);
}

void cases_put(const struct cases_frame *frame, const uint8_t *mad, size_t length)
{
	uint8_t segment[IB_MAD_SIZE] = { 0 }, *rmpp = segment + RMPP;
	size_t count = (length - SA_HEADER + SEGMENT_DATA - 1) / SEGMENT_DATA;

	if (length == IB_MAD_SIZE) {
		put_mad(frame, mad);
		return;
	}
	memcpy(segment, mad, SA_HEADER);
	rmpp[0] = rmpp[1] = 1; /* version, DATA */
	for (size_t i = 0; i < count; i++) {
		size_t at = SA_HEADER + i * SEGMENT_DATA, left = length - at;
		bool is_last = i == count - 1;

		rmpp[2] = FLAG_ACTIVE | (i ? 0 : FLAG_FIRST) | (is_last ? FLAG_LAST : 0);
		mad_put_be32(rmpp + 4, (uint32_t)(i + 1));
		mad_put_be32(rmpp + 8, is_last ? (uint32_t)left + SEGMENT_CLASS_HEADER : 0);
		memcpy(segment + SA_HEADER, mad + at, left < SEGMENT_DATA ? left : SEGMENT_DATA);
		put_mad(frame, segment);
	}
}

void cases_remove(void)
{
	check(command("del", ""));
}

unsigned cases_window(int mgmt_class)
{
	int version = 0, patch = 0;
	struct utsname system;

	check_equal(uname(&system), 0);
	check_equal(sscanf(system.release, "%d.%d", &version, &patch), 2);
	if (version < 6 || (version == 6 && patch < 17))
		return 0;
	return umad_rules_limit((uint8_t)mgmt_class, UMAD_RULES_QUEUE);
}

void cases_fail_send(void)
{
	check(command("fail", " 1"));
}

short cases_poll(int fd, short events)
{
	struct pollfd polled = { .fd = fd, .events = events };

	return poll(&polled, 1, 0) < 0 ? 0 : polled.revents;
}
