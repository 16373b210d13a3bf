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
#include "common/mad_layout.h"
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
	} keys[15];
	uint8_t base_version; /* 0: that of InfiniBand */
	uint32_t segment;     /* of RMPP; 0: a MAD without RMPP */
	bool is_notice;
	unsigned trap;
};

static const struct expected all[] = {
	{ "SMP by LID", 0x01, 0x11, 256, 0, .keys = { { 24, 8 } } },
	{ "SMP by route, PortInfo", 0x81, 0x15, 256, 0, .keys = { { 24, 8 }, { 64, 8 } } },
	{ "SMInfo", 0x01, 0x20, 256, 0, .keys = { { 24, 8 }, { 72, 8 } } },
	{ "SA request", 0x03, 0x35, 256, 0, .keys = { { 36, 8 } } },
	{ "PortInfoRecord", 0x03, 0x12, 256, 0, .keys = { { 36, 8 }, { 60, 8 } } },
	{ "PortInfoRecords", 0x03, 0x12, 56 + 3 * 72, 9,
	  .keys = { { 36, 8 }, { 60, 8 }, { 132, 8 }, { 204, 8 } } },
	{ "SMInfoRecords", 0x03, 0x18, 56 + 2 * 32, 4,
	  .keys = { { 36, 8 }, { 68, 8 }, { 100, 8 } } },
	{ "ServiceRecords", 0x03, 0x31, 56 + 2 * 176, 22,
	  .keys = { { 36, 8 }, { 88, 16 }, { 88 + 176, 16 } } },
	{ "a record that is cut", 0x03, 0x31, 92, 22, .keys = { { 36, 8 }, { 88, 4 } } },
	{ "performance management", 0x04, 0x12, 256, 0, .keys = { { 24, 8 } } },
	{ "board management", 0x05, 0x11, 256, 0, .keys = { { 24, 8 } } },
	{ "BKeyInfo", 0x05, 0x10, 256, 0, .keys = { { 24, 8 }, { 64, 8 } } },
	{ "congestion control", 0x21, 0x11, 256, 0, .keys = { { 24, 8 } } },
	{ "CongestionKeyInfo", 0x21, 0x12, 256, 0, .keys = { { 24, 8 }, { 64, 8 } } },
	{ "vendor class with a key", 0x0a, 0x50, 256, 0, .keys = { { 24, 8 } } },
	{ "another vendor class", 0x09, 0x15, 256, 0, .keys = { { 0, 0 } } },
	{ "vendor range 2", 0x32, 0x15, 256, 0, .keys = { { 0, 0 } } },
	{ "shorter than a header", 0x01, 0x15, 23, 0, .keys = { { 0, 0 } } },
	{ "a header and no more", 0x01, 0x15, 24, 0, .keys = { { 0, 0 } } },
	{ "a part of a key", 0x01, 0x15, 27, 0, .keys = { { 24, 3 } } },
	/* the data of segment n begin 200 * (n - 1) bytes after those of the first one */
	{ "first segment", 0x03, 0x12, 256, 9,
	  .keys = { { 36, 8 }, { 60, 8 }, { 132, 8 }, { 204, 8 } }, .segment = 1 },
	{ "second segment: 200 = 2 * 72 + 56", 0x03, 0x12, 256, 9,
	  .keys = { { 36, 8 }, { 76, 8 }, { 148, 8 }, { 220, 8 } }, .segment = 2 },
	{ "third segment: 400 = 5 * 72 + 40", 0x03, 0x12, 256, 9,
	  .keys = { { 36, 8 }, { 92, 8 }, { 164, 8 }, { 236, 8 } }, .segment = 3 },
	{ "a whole message of two", 0x03, 0x12, 56 + 216, 9,
	  .keys = { { 36, 8 }, { 60, 8 }, { 132, 8 }, { 204, 8 } }, .segment = 2 },
	{ "half of an SM_Key", 0x03, 0x18, 256, 3,
	  .keys = { { 36, 8 },
		    { 56, 4 },
		    { 76, 8 },
		    { 100, 8 },
		    { 124, 8 },
		    { 148, 8 },
		    { 172, 8 },
		    { 196, 8 },
		    { 220, 8 },
		    { 244, 8 } },
	  .segment = 3 },
	{ "ServiceRecords", 0x03, 0x31, 256, 22, .keys = { { 36, 8 }, { 64, 16 }, { 240, 16 } },
	  .segment = 2 },
	{ "the last segment that there can be", 0x03, 0x12, 256, 9,
	  .keys = { { 36, 8 }, { 92, 8 }, { 164, 8 }, { 236, 8 } }, .segment = 0xffffffff },
	{ "a segment of records of unknown length", 0x03, 0x12, 256, 0,
	  .keys = { { 36, 8 }, { 56, 200 } }, .segment = 2 },
	{ "Omni-Path, PortInfo by LID", 0x01, 0x15, 300, 0, .keys = { { 24, 8 }, { 32, 268 } },
	  .base_version = 0x80 },
	{ "Omni-Path, PortInfo by route", 0x81, 0x15, 300, 0, .keys = { { 24, 8 }, { 176, 124 } },
	  .base_version = 0x80 },
	{ "Omni-Path, several attributes", 0x81, 0x80, 300, 0, .keys = { { 24, 8 }, { 176, 124 } },
	  .base_version = 0x80 },
	{ "Omni-Path, PortInfoRecord", 0x03, 0x12, 300, 9, .keys = { { 36, 8 }, { 56, 244 } },
	  .base_version = 0x80 },
	{ "Omni-Path, NodeRecord", 0x03, 0x11, 300, 14, .keys = { { 36, 8 } },
	  .base_version = 0x80 },
	{ "VS key", 0x0a, 0x0f, 256, 0, .keys = { { 24, 8 }, { 32, 8 } } },
	{ "aggregation management", 0x0b, 0x20, 256, 0, .keys = { { 24, 40 } } },
	{ "aggregation management's key", 0x0b, 0x10, 256, 0, .keys = { { 24, 40 }, { 64, 192 } } },
	{ "node to node", 0x0c, 0x11, 256, 0, .keys = { { 24, 8 } } },
	{ "N2N key", 0x0c, 0x0f, 256, 0, .keys = { { 24, 8 }, { 32, 8 } } },
	{ "a trap with an M_Key", 0x81, 2, 256, 0, .keys = { { 24, 8 }, { 64 + 24, 8 } },
	  .is_notice = true, .trap = 256 },
	{ "a report of it", 0x03, 2, 256, 0, .keys = { { 36, 8 }, { 56 + 24, 8 } },
	  .is_notice = true, .trap = 256 },
	{ "a trap with a VS key", 0x0a, 2, 256, 0, .keys = { { 24, 8 }, { 32 + 24, 8 } },
	  .is_notice = true, .trap = 0 },
	{ "a trap without a key", 0x01, 2, 256, 0, .keys = { { 24, 8 } }, .is_notice = true,
	  .trap = 128 },
	{ "a trap that nobody knows", 0x01, 2, 256, 0, .keys = { { 24, 8 }, { 64 + 10, 54 } } },
	{ "a trap that is cut", 0x01, 2, 100, 0, .keys = { { 24, 8 }, { 64 + 10, 26 } },
	  .is_notice = true, .trap = 128 },
	{ "attribute 2 of a class without keys", 0x32, 2, 256, 0, .keys = { { 0, 0 } } },
	{ "keys of 14 neighbours", 0x0c, 0x10, 256, 0,
	  .keys = { { 24, 8 },
		    { 40, 8 },
		    { 56, 8 },
		    { 72, 8 },
		    { 88, 8 },
		    { 104, 8 },
		    { 120, 8 },
		    { 136, 8 },
		    { 152, 8 },
		    { 168, 8 },
		    { 184, 8 },
		    { 200, 8 },
		    { 216, 8 },
		    { 232, 8 },
		    { 248, 8 } } },
};

enum {
	COUNT = sizeof(all) / sizeof(all[0]),
	KEYS = sizeof(all[0].keys) / sizeof(all[0].keys[0]),
};

static void fill(const struct expected *expected, uint8_t *mad)
{
	memset(mad, FILLED, expected->length);
	mad[0] = expected->base_version ? expected->base_version : 1;
	mad[1] = expected->mgmt_class;
	mad[16] = (uint8_t)(expected->attr_id >> 8);
	mad[17] = (uint8_t)expected->attr_id;
	if (expected->length > 46) {
		mad[44] = (uint8_t)(expected->stride >> 8);
		mad[45] = (uint8_t)expected->stride;
	}
	if (expected->is_notice) {
		uint8_t *notice = mad + mad_attribute_start(mad);

		notice[4] = (uint8_t)(expected->trap >> 8);
		notice[5] = (uint8_t)expected->trap;
	}
	if (expected->segment && expected->length >= 36) {
		mad[24] = 1;				  /* version */
		mad[25] = 1;				  /* data */
		mad[26] = expected->segment == 1 ? 3 : 1; /* active, first */
		for (int i = 0; i < 4; i++)
			mad[28 + i] = (uint8_t)(expected->segment >> (24 - 8 * i));
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
		for (int k = 0; k < KEYS; k++)
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
static void record(const char *path, uint32_t flags, uint8_t mad[WIRE_MAD])
{
	struct wire_packet packet = { .umad.agent_id = WIRE_AGENT }, arrived;
	struct pcap_file file;
	struct wire wire;

	assert_int_equal(wire_open(&wire), 0);
	fill(&all[1], packet.mad.bytes);
	assert_int_equal(umad_capture_start(path, flags), 0);
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
	record(path, 0, mad);
	assert_int_equal(mad[23], FILLED);
	assert_int_equal(mad[24] | mad[31] | mad[64] | mad[71], 0);
	assert_int_equal(mad[72], FILLED);
	record(path, UMAD_CAPTURE_KEYS, mad);
	assert_int_equal(mad[24] & mad[31] & mad[64] & mad[71], FILLED);
	record(path, 0, mad);
	assert_int_equal(mad[24] | mad[31] | mad[64] | mad[71], 0);
}

/* A MAD that was copied for a capture with keys is written to the next one. */
TEST(next_capture_has_no_keys_of_the_last_one)
{
	char path[] = "/tmp/capture-keys-XXXXXX";
	struct wire_packet packet = { .umad.agent_id = WIRE_AGENT };
	struct umad_capture_note note;
	struct pcap_file file;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	fill(&all[1], packet.mad.bytes);
	assert_int_equal(umad_capture_start(path, UMAD_CAPTURE_KEYS), 0);
	umad_capture_note_mad(-1, &packet, WIRE_MAD, false, &note);
	assert_int_equal(note.head[24], FILLED);
	assert_int_equal(umad_capture_stop(), 0);
	assert_int_equal(umad_capture_start(path, 0), 0);
	umad_capture_add(&note);
	umad_capture_free_note(&note);
	assert_int_equal(umad_capture_stop(), 0);
	assert_null(pcap_read(path, &file));
	assert_int_equal(file.count, 1);
	assert_int_equal(file.packets[0].mad[24], 0);
	assert_int_equal(file.packets[0].mad[72], FILLED);
	pcap_free(&file);
	unlink(path);
}
