/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The cases of tests/lib/umad-cases on a real kernel: a virtual HCA (hca) with a tap as its cable,
 * and this program as the fabric behind that.
 */
#include "cases.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "hca/frame.h"
#include "loop.h"
#include "sys.h"
#include "tap.h"

enum {
	SILENCE_MS = 200, /* in which a MAD leaves the port */
	SMP_CLASS = 0x81,
	SA_CLASS = 0x03,
	LID_OF_PORT = 5,
	LID_OF_SM = 9,
	PERMISSIVE = 0xffff,
	METHOD_TRAP = 5,
	ATTR_CLASS_PORT_INFO = 1,
	ATTR_PORT_INFO = 0x15,
	PORT_INFO = 64, /* offset in an SMP */
	PORT_INFO_LID = PORT_INFO + 16,
	PORT_INFO_SM_LID = PORT_INFO + 18,
	PORT_INFO_STATE = PORT_INFO + 32,
	ARMED = 3,
	ACTIVE = 4,
	SEGMENT_DATA = 200, /* of SA messages */
	SEGMENT_CLASS_HEADER = 20,
	RMPP_DATA = 1,
	FLAG_ACTIVE = 1,
	FLAG_FIRST = 2,
	FLAG_LAST = 4,
};

const char *const cases_device = "cases0";

static int tap = -1;
static struct vhca_frame last; /* that left the port */

static void command(const char *verb, const char *arguments)
{
	int fd = open("/sys/module/vhca/parameters/cmd", O_WRONLY);
	char line[64];
	int length = snprintf(line, sizeof(line), "%s %s%s", verb, cases_device, arguments);

	check_equal(write(fd, line, (size_t)length), length);
	close(fd);
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
	return mad[MAD_METHOD] == METHOD_TRAP ||
	       (mad[MAD_CLASS] == SA_CLASS && mad[MAD_METHOD] == METHOD_GET &&
		loop_get16(mad + MAD_ATTR_ID) == ATTR_CLASS_PORT_INFO);
}

/* PortInfo of the port, as a subnet manager at the other end of the cable sets it. */
static void set_port(struct vhca_frame *frame, int method)
{
	struct vhca_frame response;

	frame->mad[MAD_METHOD] = (uint8_t)method;
	write_frame(frame);
	do
		if (!check(read_frame(&response)))
			return;
	while (response.mad[MAD_METHOD] != (METHOD_GET | METHOD_RESPONSE));
	memcpy(frame->mad + PORT_INFO, response.mad + PORT_INFO, 64);
}

static void make_active(void)
{
	struct vhca_frame frame = {
		.port = 1, .vl = 15, .pkey = 0xffff, .slid = PERMISSIVE, .dlid = PERMISSIVE
	};
	uint8_t *mad = frame.mad;

	mad[MAD_BASE_VERSION] = mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_CLASS] = SMP_CLASS;
	mad[6] = mad[7] = 1; /* one hop, over which it has come */
	loop_put16(mad + MAD_ATTR_ID, ATTR_PORT_INFO);
	loop_put32(mad + MAD_ATTR_MOD, 1);
	loop_put32(mad + 32, 0xffffffff);
	mad[129] = 1;
	set_port(&frame, METHOD_GET);
	for (int state = ARMED; state <= ACTIVE; state++) {
		loop_put16(mad + PORT_INFO_LID, LID_OF_PORT);
		loop_put16(mad + PORT_INFO_SM_LID, LID_OF_SM);
		mad[PORT_INFO_STATE] = (uint8_t)state;
		mad[PORT_INFO_STATE + 1] = 0;
		set_port(&frame, METHOD_SET);
	}
	check(sys_wait_for(cases_device, "ports/1/state", "4: ACTIVE"));
}

void cases_begin(void)
{
	struct vhca_frame ignored;
	char text[SYS_TEXT_SIZE];

	tap = open("/dev/vhca", O_RDWR);
	check(tap >= 0);
	if (*sys_read(cases_device, "node_guid", text))
		command("del", "");
	command("add", " ca 1");
	command("tap", " 1");
	make_active();
	while (read_frame(&ignored)) /* what the kernel does with the news */
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
	frame->sl = last.sl;
	frame->has_grh = last.flags & VHCA_GRH;
	memcpy(frame->grh, last.grh, sizeof(frame->grh));
	memcpy(frame->mad, last.mad, sizeof(frame->mad));
	return true;
}

/* VL and P_Key are those of the request. */
void cases_put(const struct cases_frame *frame)
{
	struct vhca_frame arrival = last;

	arrival.dev = 0;
	arrival.port = 1;
	arrival.slid = frame->slid;
	arrival.dlid = frame->dlid;
	arrival.sqpn = frame->sqpn;
	arrival.dqpn = frame->dqpn;
	arrival.qkey = frame->qkey;
	arrival.sl = frame->sl;
	arrival.flags = frame->has_grh ? VHCA_GRH : 0;
	memcpy(arrival.grh, frame->grh, sizeof(arrival.grh));
	memcpy(arrival.mad, frame->mad, sizeof(arrival.mad));
	write_frame(&arrival);
}

static void put_segment(struct cases_frame *segment, size_t header, size_t number, size_t count,
			size_t data)
{
	size_t begin = number * SEGMENT_DATA, own = data - begin, length = 0;
	uint8_t flags = FLAG_ACTIVE;

	if (own > SEGMENT_DATA)
		own = SEGMENT_DATA;
	if (!number) {
		flags |= FLAG_FIRST;
		length = data + count * SEGMENT_CLASS_HEADER;
	}
	if (number == count - 1) {
		flags |= FLAG_LAST;
		length = own + SEGMENT_CLASS_HEADER;
	}
	segment->mad[MAD_RMPP_VERSION] = 1;
	segment->mad[MAD_RMPP_TYPE] = RMPP_DATA;
	segment->mad[MAD_RMPP_FLAGS] = flags;
	loop_put32(segment->mad + MAD_RMPP_SEGMENT, (uint32_t)number + 1);
	loop_put32(segment->mad + MAD_RMPP_LENGTH, (uint32_t)length);
	for (size_t i = 0; i < own; i++)
		segment->mad[header + i] = (uint8_t)(header + begin + i);
	cases_put(segment);
}

void cases_put_message(const struct cases_frame *request, size_t header, size_t data, bool whole)
{
	struct cases_frame segment = { .slid = request->dlid,
				       .dlid = request->slid,
				       .sqpn = request->dqpn,
				       .dqpn = request->sqpn,
				       .qkey = request->qkey };
	size_t count = (data + SEGMENT_DATA - 1) / SEGMENT_DATA;

	memcpy(segment.mad, request->mad, header);
	segment.mad[MAD_METHOD] |= METHOD_RESPONSE;
	for (size_t i = 0; i < (whole ? count : 1); i++)
		put_segment(&segment, header, i, count, data);
}

void cases_remove(void)
{
	command("del", "");
}

void cases_unplug(void)
{
	command("unplug", " 1");
}

/* Since 6.17, of the 512 entries of a QP's queue. */
unsigned cases_window(int mgmt_class)
{
	int version = 0, patch = 0;
	struct utsname system;

	check_equal(uname(&system), 0);
	check_equal(sscanf(system.release, "%d.%d", &version, &patch), 2);
	if (version < 6 || (version == 6 && patch < 17))
		return 0;
	return mgmt_class == SMP_CLASS ? 128 : mgmt_class == SA_CLASS ? 16 : 0;
}

void cases_fail_send(void)
{
	command("fail", " 1");
}

short cases_poll(int fd, short events)
{
	struct pollfd polled = { .fd = fd, .events = events };

	return poll(&polled, 1, 0) < 0 ? 0 : polled.revents;
}

void cases_fail(const char *what, long long got, long long want, const char *file, int line)
{
	tap_check_equal(got, want, file, line, what);
}

void cases_skip(const char *why)
{
	tap_skip("%s", why);
}
