/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* test-capture.c - what is in a capture, from begin to end (libibumad/capture/capture.c). */
#include "recording.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "libibumad/internal.h"

/* With a response at once, the program may use a buffer again before the write is over. */
static void *reused;
static size_t reused_size;

/* The clock moves with each look at it, and is not that of the machine, which may be set. */
static uint64_t clock_ns = UINT64_C(1000000000) * 1000000;

int __wrap_clock_gettime(clockid_t id, struct timespec *now);

int __wrap_clock_gettime(clockid_t id, struct timespec *now)
{
	(void)id;
	clock_ns += 1500000001;
	now->tv_sec = (time_t)(clock_ns / 1000000000);
	now->tv_nsec = (long)(clock_ns % 1000000000);
	return 0;
}

ssize_t __real_write(int fd, const void *data, size_t size);
ssize_t __wrap_write(int fd, const void *data, size_t size);

ssize_t __wrap_write(int fd, const void *data, size_t size)
{
	ssize_t count = __real_write(fd, data, size);

	if (reused)
		memset(reused, 0xa5, reused_size);
	return count;
}

CASE(what_is_sent_and_received_is_recorded)
{
	struct wire_packet packet;
	struct pcap_file file;
	uint64_t before = clock_ns;

	errno = CALLERS;
	assert_int_equal(umad_capture_start(name, 0), 0);
	assert_int_equal(wire_send(&wire, 0x1234), 0);
	assert_int_equal(errno, CALLERS);
	assert_int_equal(wire_receive(&wire, &packet), 0);
	assert_int_equal(umad_capture_stop(), 0);
	assert_int_equal(errno, CALLERS);

	file = read_back(name, 2);
	assert_false(file.packets[0].received);
	assert_true(file.packets[1].received);
	assert_true(file.packets[0].time > before);
	assert_true(file.packets[1].time > file.packets[0].time);
	assert_true(file.packets[1].time <= clock_ns);
	for (int i = 0; i < 2; i++) {
		const struct pcap_packet *one = &file.packets[i];

		assert_int_equal(one->length, WIRE_MAD);
		assert_memory_equal(one->mad, packet.mad.bytes, WIRE_MAD);
		assert_int_equal(one->slid, i ? WIRE_LID : 0); /* the wire has no LID of its own */
		assert_int_equal(one->dlid, i ? 0 : WIRE_LID);
		assert_int_equal(one->source_qp, 1);
		assert_int_equal(one->destination_qp, 1);
		assert_int_equal(one->qkey, UMAD_QKEY);
		assert_int_equal(one->pkey, 0xffff);
		assert_int_equal(one->sl, 2);
		assert_int_equal(one->vl, 0);
		assert_false(one->has_grh);
	}
	pcap_free(&file);
}

CASE(buffers_belong_to_the_program_once_sent)
{
	enum { LONG = 1000, SEGMENTS = 5 };
	union {
		struct ib_user_mad umad;
		uint8_t bytes[WIRE_HEADER + LONG];
	} buffer;
	struct pcap_file file;

	assert_int_equal(umad_capture_start(name, 0), 0);
	reused = &buffer;
	reused_size = sizeof(buffer);
	for (int length = WIRE_MAD; length <= LONG; length += LONG - WIRE_MAD) {
		memset(&buffer, 0x11, sizeof(buffer));
		umad_set_addr(&buffer, WIRE_LID, 1, 0, UMAD_QKEY);
		buffer.umad.addr.grh_present = 0;
		buffer.bytes[WIRE_HEADER] = UMAD_BASE_VERSION;
		buffer.bytes[WIRE_HEADER + 1] = UMAD_CLASS_SUBN_ADM;
		buffer.bytes[WIRE_HEADER + 2] = UMAD_SA_CLASS_VERSION;
		buffer.bytes[WIRE_HEADER + 24] = buffer.bytes[WIRE_HEADER + 25] = 1;
		assert_int_equal(umad_send(wire.near, WIRE_AGENT, &buffer, length, 0, 0), 0);
		assert_int_equal(buffer.bytes[WIRE_HEADER], 0xa5);
	}
	reused = NULL;
	assert_int_equal(umad_capture_stop(), 0);
	file = read_back(name, 1 + SEGMENTS);
	for (size_t i = 0; i < file.count; i++) {
		assert_int_equal(file.packets[i].dlid, WIRE_LID);
		assert_int_equal(file.packets[i].mad[3], 0x11);
		assert_int_equal(file.packets[i].mad[80], 0x11);
	}
	pcap_free(&file);
}

/* A message of one MAD whose RMPP header still has what an earlier one had. */
CASE(segments_have_the_numbers_that_the_kernel_gives)
{
	struct umad_port_choice port = { .ca_name = "none" };
	struct wire_packet packet = { .umad = { .agent_id = WIRE_AGENT } };
	struct pcap_file file;
	uint8_t *mad = packet.mad.bytes;

	memset(mad, 0xa5, WIRE_MAD);
	memcpy(mad, "\1\3\2\x92", 4);
	memcpy(mad + 16, "\0\x12", 2);		 /* PortInfoRecord */
	memcpy(mad + 24, "\1\1\1\0\0\0\0\3", 8); /* segment 3 */
	memcpy(mad + 44, "\0\11", 2);
	assert_int_equal(umad_capture_start(name, 0), 0);
	umad_owner_remember(wire.near, &port);
	for (int has_rmpp = 0; has_rmpp < 2; has_rmpp++) {
		umad_owner_note_agent(wire.near, WIRE_AGENT, has_rmpp);
		assert_int_equal(umad_send(wire.near, WIRE_AGENT, &packet, WIRE_MAD, 0, 0), 0);
	}
	umad_owner_forget(wire.near);
	assert_int_equal(umad_capture_stop(), 0);
	file = read_back(name, 2);
	/* the program's own number; its data may belong anywhere */
	assert_memory_equal(file.packets[0].mad + 24, "\1\1\1\0\0\0\0\3", 8);
	assert_int_equal(file.packets[0].mad[56] | file.packets[0].mad[255], 0);
	/* the first and last one of a message, with one M_Key in 72 bytes */
	assert_memory_equal(file.packets[1].mad + 24, "\1\1\7\0\0\0\0\1", 8);
	assert_int_equal(file.packets[1].mad[59], 0xa5);
	assert_memory_equal(file.packets[1].mad + 60, "\0\0\0\0\0\0\0\0\xa5", 9);
	assert_memory_equal(file.packets[1].mad + 60 + 72, "\0\0\0\0\0\0\0\0\xa5", 9);
	pcap_free(&file);
}

CASE(nothing_is_recorded_before_and_after)
{
	send_many(3);
	assert_int_equal(umad_capture_start(name, 0), 0);
	send_many(2);
	assert_int_equal(umad_capture_stop(), 0);
	send_many(3);
	assert_packets(name, 2);
}

CASE(what_fails_or_comes_back_is_not_recorded)
{
	struct wire_packet packet = { .umad = { .agent_id = WIRE_AGENT, .status = ETIMEDOUT } };
	int length = WIRE_MAD;

	assert_int_equal(umad_capture_start(name, 0), 0);
	assert_int_equal(send(wire.far, &packet, sizeof(packet), 0), sizeof(packet));
	assert_int_equal(umad_recv(wire.near, &packet, &length, 1000), WIRE_AGENT);
	assert_int_equal(umad_send(-1, WIRE_AGENT, &packet, WIRE_MAD, 0, 0), -EINVAL);
	assert_int_equal(umad_recv(wire.near, &packet, &length, 0), -EAGAIN);
	shutdown(wire.near, SHUT_WR);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(umad_send(wire.near, WIRE_AGENT, &packet, WIRE_MAD, 0, 0), -EIO);
	signal(SIGPIPE, SIG_DFL);
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(name, 0);
}

CASE(one_capture_at_a_time)
{
	char other[PATH_SIZE];

	snprintf(other, sizeof(other), "%s/other.pcap", folder);
	assert_errno(umad_capture_stop(), EINVAL);
	assert_int_equal(umad_capture_start(name, 0), 0);
	assert_errno(umad_capture_start(other, 0), EBUSY);
	assert_int_equal(access(other, F_OK), -1);
	send_many(1);
	assert_int_equal(umad_capture_stop(), 0);
	assert_errno(umad_capture_stop(), EINVAL);
	assert_packets(name, 1);
	assert_int_equal(umad_capture_start(name, 0), 0);
	assert_int_equal(umad_capture_stop(), 0);
	assert_packets(name, 0);
}

TEST_GROUP(make_folder, remove_folder)
