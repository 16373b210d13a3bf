/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The cases of tests/lib/umad-cases on a real kernel: a virtual HCA (hca) with a tap as its cable,
 * and this program as the fabric behind that.
 */
#include "cases.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "hca/frame.h"
#include "hca/node.h"
#include "sys.h"
#include "tap.h"
#include "../lib/kernel/umad-rules.h"

enum {
	SILENCE_MS = 200, /* in which a MAD leaves the port */
	SA_CLASS = 0x03,
	LID_OF_PORT = 5,
	LID_OF_SM = 9,
	ATTR_CLASS_PORT_INFO = 1,
	ATTR_PORT_INFO = 0x15,
	/* offsets in a MAD */
	METHOD = 3,
	ATTRIBUTE = 16,
	RMPP = 24,
	SMP_DATA = 64,
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
	return mad[METHOD] == MAD_TRAP || (mad[1] == SA_CLASS && mad[METHOD] == MAD_GET &&
					   be_get(mad + ATTRIBUTE, 2) == ATTR_CLASS_PORT_INFO);
}

/* PortInfo of the port, as a subnet manager at the other end of the cable sets it. */
static void set_port(struct vhca_frame *frame, int method)
{
	struct vhca_frame response;

	frame->mad[METHOD] = (uint8_t)method;
	write_frame(frame);
	do
		if (!check(read_frame(&response)))
			return;
	while (response.mad[METHOD] != (MAD_GET | MAD_RESPONSE));
	memcpy(frame->mad + SMP_DATA, response.mad + SMP_DATA, 64);
}

static void make_active(void)
{
	struct vhca_frame frame = { .port = 1,
				    .vl = 15,
				    .pkey = 0xffff,
				    .slid = FNODE_PERMISSIVE,
				    .dlid = FNODE_PERMISSIVE };
	uint8_t *mad = frame.mad, *info = mad + SMP_DATA;

	mad[0] = mad[2] = 1;
	mad[1] = MAD_CLASS_DIRECTED;
	mad[6] = mad[7] = 1; /* the SMP has come over one hop */
	be_put(mad + ATTRIBUTE, 2, ATTR_PORT_INFO);
	be_put(mad + 20, 4, 1);
	be_put(mad + 32, 4, 0xffffffff);
	mad[129] = 1;
	set_port(&frame, MAD_GET);
	for (int state = FPORT_ARMED; state <= FPORT_ACTIVE; state++) {
		be_put(info + PI_LID, 2, LID_OF_PORT);
		be_put(info + PI_SM_LID, 2, LID_OF_SM);
		info[PI_STATE] = (uint8_t)state;
		info[PI_PHYS] = 0;
		set_port(&frame, MAD_SET);
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
	uint8_t segment[FNODE_MAD] = { 0 }, *rmpp = segment + RMPP;
	size_t count = (length - SA_HEADER + SEGMENT_DATA - 1) / SEGMENT_DATA;

	if (length == FNODE_MAD) {
		put_mad(frame, mad);
		return;
	}
	memcpy(segment, mad, SA_HEADER);
	rmpp[0] = rmpp[1] = 1; /* version, DATA */
	for (size_t i = 0; i < count; i++) {
		size_t at = SA_HEADER + i * SEGMENT_DATA, left = length - at;
		bool is_last = i == count - 1;

		rmpp[2] = FLAG_ACTIVE | (i ? 0 : FLAG_FIRST) | (is_last ? FLAG_LAST : 0);
		be_put(rmpp + 4, 4, i + 1);
		be_put(rmpp + 8, 4, is_last ? left + SEGMENT_CLASS_HEADER : 0);
		memcpy(segment + SA_HEADER, mad + at, left < SEGMENT_DATA ? left : SEGMENT_DATA);
		put_mad(frame, segment);
	}
}

void cases_remove(void)
{
	command("del", "");
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
	command("fail", " 1");
}

short cases_poll(int fd, short events)
{
	struct pollfd polled = { .fd = fd, .events = events };

	return poll(&polled, 1, 0) < 0 ? 0 : polled.revents;
}

static bool is_sm(void)
{
	umad_port_t attributes;

	check_equal(umad_get_port(cases_device, 1, &attributes), 0);
	umad_release_port(&attributes);
	return be32toh(attributes.capmask) & 2;
}

/* The port has a subnet manager as long as the device is open, which is once at a time. */
TEST(the_device_of_a_subnet_manager)
{
	char path[256];
	int fd;

	cases_begin();
	check_equal(umad_get_issm_path(cases_device, 1, path, sizeof(path)), 0);
	check(!is_sm());
	fd = open(path, O_NONBLOCK);
	check(fd >= 0);
	check(is_sm());
	check_equal(open(path, O_NONBLOCK), -1);
	check_equal(errno, EAGAIN);
	close(fd);
	check(!is_sm());
	cases_end();
}
