/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Keys in captures (libibumad/capture/keys.c): they are zeros unless the program asks for them, and
 * everything else stays; what is sent and received is as it was.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <infiniband/umad_capture.h>

#include "test.h"
#include "libibumad/capture/capture.h"
#include "pcapfile.h"
#include "wire.h"

enum { MAX = 1000, FILLED = 0xa5 };

/* A MAD, and the bytes of it that are keys. */
struct expected {
	const char *what;
	uint8_t mgmt_class;
	int attr_id;
	size_t length;
	unsigned stride; /* of records, in units of 8 bytes */
	struct {
		size_t at;
		size_t size;
	} keys[6];
};

static const struct expected all[] = {
	{ "SMP by LID", 0x01, 0x11, 256, 0, { { 24, 8 } } },
	{ "SMP by route, PortInfo", 0x81, 0x15, 256, 0, { { 24, 8 }, { 64, 8 } } },
	{ "SMInfo", 0x01, 0x20, 256, 0, { { 24, 8 }, { 72, 8 } } },
	{ "SA request", 0x03, 0x35, 256, 0, { { 36, 8 } } },
	{ "PortInfoRecord", 0x03, 0x12, 256, 0, { { 36, 8 }, { 60, 8 } } },
	{ "PortInfoRecords",
	  0x03,
	  0x12,
	  56 + 3 * 72,
	  9,
	  { { 36, 8 }, { 60, 8 }, { 132, 8 }, { 204, 8 } } },
	{ "SMInfoRecords", 0x03, 0x18, 56 + 2 * 32, 4, { { 36, 8 }, { 68, 8 }, { 100, 8 } } },
	{ "ServiceRecords",
	  0x03,
	  0x31,
	  56 + 2 * 176,
	  22,
	  { { 36, 8 }, { 88, 16 }, { 88 + 176, 16 } } },
	{ "a record that is cut", 0x03, 0x31, 92, 22, { { 36, 8 }, { 88, 4 } } },
	{ "performance management", 0x04, 0x12, 256, 0, { { 24, 8 } } },
	{ "board management", 0x05, 0x11, 256, 0, { { 24, 8 } } },
	{ "BKeyInfo", 0x05, 0x10, 256, 0, { { 24, 8 }, { 64, 8 } } },
	{ "congestion control", 0x21, 0x11, 256, 0, { { 24, 8 } } },
	{ "CongestionKeyInfo", 0x21, 0x12, 256, 0, { { 24, 8 }, { 64, 8 } } },
	{ "vendor class with a key", 0x0a, 0x50, 256, 0, { { 24, 8 } } },
	{ "another vendor class", 0x09, 0x15, 256, 0, { { 0, 0 } } },
	{ "vendor range 2", 0x32, 0x15, 256, 0, { { 0, 0 } } },
	{ "shorter than a header", 0x01, 0x15, 23, 0, { { 0, 0 } } },
	{ "a header and no more", 0x01, 0x15, 24, 0, { { 0, 0 } } },
	{ "a part of a key", 0x01, 0x15, 27, 0, { { 24, 3 } } },
};

enum { COUNT = sizeof(all) / sizeof(all[0]) };

static void fill(const struct expected *expected, uint8_t *mad)
{
	memset(mad, FILLED, expected->length);
	mad[0] = 1;
	mad[1] = expected->mgmt_class;
	mad[16] = (uint8_t)(expected->attr_id >> 8);
	mad[17] = (uint8_t)expected->attr_id;
	if (expected->length > 46) {
		mad[44] = (uint8_t)(expected->stride >> 8);
		mad[45] = (uint8_t)expected->stride;
	}
}

/* In memory of exactly the length, for the sanitizers and valgrind. */
TEST(keys_are_hidden_and_nothing_else)
{
	for (int i = 0; i < COUNT; i++) {
		uint8_t wanted[MAX], *mad = malloc(all[i].length);

		assert_non_null(mad);
		fill(&all[i], mad);
		memcpy(wanted, mad, all[i].length);
		for (int k = 0; k < 6; k++)
			memset(wanted + all[i].keys[k].at, 0, all[i].keys[k].size);
		umad_capture_hide_keys(mad, all[i].length);
		if (memcmp(mad, wanted, all[i].length))
			fail_msg("%s", all[i].what);
		free(mad);
	}
}

/* Whatever the length and the distance of records, no byte behind the message is touched. */
TEST(any_length)
{
	for (int i = 0; i < COUNT; i++)
		for (size_t length = 0; length <= 300; length++) {
			struct expected changed = all[i];
			uint8_t *mad = malloc(length + 1), full[MAX];

			changed.length = 300;
			changed.stride = (unsigned)length;
			fill(&changed, full);
			memcpy(mad, full, length);
			mad[length] = FILLED;
			umad_capture_hide_keys(mad, length);
			assert_int_equal(mad[length], FILLED);
			free(mad);
		}
}

/* Sends a PortInfo with keys through a capture; returns its bytes in the file. */
static void record(const char *path, uint8_t mad[WIRE_MAD])
{
	struct wire_packet packet = { .umad.agent_id = WIRE_AGENT }, arrived;
	struct pcap_file file;
	struct wire wire;

	assert_int_equal(wire_open(&wire), 0);
	fill(&all[1], packet.mad.bytes);
	assert_int_equal(umad_capture_start(path), 0);
	assert_int_equal(umad_send(wire.near, WIRE_AGENT, &packet, WIRE_MAD, 0, 0), 0);
	assert_int_equal(umad_capture_stop(), 0);
	assert_true(recv(wire.far, &arrived, sizeof(arrived), 0) > 0);
	assert_int_equal(arrived.mad.bytes[24], FILLED);
	assert_null(pcap_read(path, &file));
	assert_int_equal(file.count, 1);
	memcpy(mad, file.packets[0].mad, WIRE_MAD);
	pcap_free(&file);
	wire_close(&wire);
	unlink(path);
}

TEST(captures_have_none_unless_asked_for)
{
	char path[] = "/tmp/capture-keys-XXXXXX";
	uint8_t mad[WIRE_MAD];
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	record(path, mad);
	assert_int_equal(mad[23], FILLED);
	assert_int_equal(mad[24] | mad[31] | mad[64] | mad[71], 0);
	assert_int_equal(mad[72], FILLED);
	umad_capture_include_keys(1);
	record(path, mad);
	assert_int_equal(mad[24] & mad[31] & mad[64] & mad[71], FILLED);
	umad_capture_include_keys(0);
	record(path, mad);
	assert_int_equal(mad[24] | mad[31] | mad[64] | mad[71], 0);
}
