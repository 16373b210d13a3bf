/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-traffic.c - MADs sent and received, as packets of a capture and as lines of umad_debug()
 * (libibumad/capture, trace and base/owner.c): plays traffic.tbl. pcap_read() checks every byte of
 * each file.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test.h"
#include "fakesys.h"
#include "listen.h"
#include "pcapfile.h"
#include "scenes.h"
#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

enum { LARGE = 5000, AGENT = 3, FILLED = 0xa5, TID = 0x11223344 };

static int port;
static union {
	struct ib_user_mad header;
	uint8_t bytes[UMAD_HEADER_SIZE + LARGE];
} umad;
static size_t length; /* of the MAD that was sent or received last */
static uint32_t flags;
static bool rmpp_agent; /* the kernel numbers the segments of the agent */
static struct pcap_file file;
static char path[] = "/tmp/traffic-XXXXXX", *next_line;

static uint8_t *mad(void)
{
	return umad.bytes + umad_size();
}

static void expect_ioctl(unsigned long request, int error)
{
	fakesys_expect(
		&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = request, .error = error });
}

static int open_it(void)
{
	expect_ioctl(IB_USER_MAD_ENABLE_PKEY, 0);
	return umad_open_port("mlx5_0", 1);
}

static int setup(void **state)
{
	fakesys_setup(state);
	kernel_abi_version("5\n");
	kernel_ca("mlx5_0", 1, 1, 0);
	kernel_node(0, "mlx5_0", 1);
	port = open_it();
	assert_true(port >= 0);
	memset(&umad, 0, sizeof(umad));
	umad.header.agent_id = AGENT;
	flags = UMAD_CAPTURE_KEYS;
	rmpp_agent = false;
	umad_debug(1);
	return 0;
}

static int teardown(void **state)
{
	pcap_free(&file);
	umad_state_set_pkey_layout(true);
	umad_debug(0);
	umad_close_port(port);
	return fakesys_teardown(state);
}

static int make_file(void **state)
{
	(void)state;
	return close(mkstemp(path));
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

/*
 * The port
 */

static void write_port(const char *ca_name, char *rest)
{
	char *word, text[60];

	while ((word = scene_word(&rest))) {
		const char *value = scene_split(word, '=');

		if (value) {
			snprintf(text, sizeof(text), "%s\n", value);
			kernel_port_file(ca_name, 1, word, text);
		} else {
			kernel_remove_prefix("/sys/class/infiniband"); /* gone */
		}
	}
	fakesys_forget();
}

static void play_port(char *rest)
{
	write_port("mlx5_0", rest);
}

static void play_renamed(char *rest)
{
	kernel_ca("mlx5_9", 1, 1, 0);
	kernel_node(0, "mlx5_9", 1);
	write_port("mlx5_9", rest);
}

static void play_no_index(char *rest)
{
	(void)rest;
	umad_state_set_pkey_layout(false);
}

static void play_rmpp_agent(char *rest)
{
	rmpp_agent = scene_number(rest);
	umad_owner_note_agent(port, AGENT, rmpp_agent);
}

static void play_files(char *rest)
{
	assert_int_equal(fakesys_count(KERNEL_OPEN), scene_number(rest));
}

static void play_wait(char *rest)
{
	fakesys_expect(
		&(struct fakesys_io){ .call = KERNEL_POLL, .takes_ms = (int)scene_number(rest) });
	umad_poll(port, (int)scene_number(rest));
}

/*
 * The MAD
 */

static void play_address(char *rest)
{
#define ADDRESS(member) SCENE_NUMBER(struct ib_mad_addr, #member, member)
#define BIG(member)	SCENE_BIG(struct ib_mad_addr, #member, member)
	static const struct scene_member members[] = {
		BIG(lid),
		BIG(qpn),
		BIG(qkey),
		BIG(flow_label),
		ADDRESS(sl),
		ADDRESS(path_bits),
		ADDRESS(pkey_index),
		ADDRESS(grh_present),
		ADDRESS(gid_index),
		ADDRESS(hop_limit),
		ADDRESS(traffic_class),
		SCENE_BIG(struct ib_mad_addr, "net", ib_gid.global.subnet_prefix),
		SCENE_BIG(struct ib_mad_addr, "gid", ib_gid.global.interface_id),
		{ .name = NULL },
	};

	scene_set_members(members, &umad.header.addr, rest);
}

static void set_mad(char *rest)
{
#define NUMBER(name, member) SCENE_NUMBER(struct umad_smp, name, member)
#define WIDE(name, member)   SCENE_BIG(struct umad_smp, name, member)
	static const struct scene_member members[] = {
		NUMBER("base", base_version),
		NUMBER("class", mgmt_class),
		NUMBER("version", class_version),
		NUMBER("method", method),
		WIDE("status", status),
		NUMBER("hops", hop_cnt),
		WIDE("tid", tid),
		WIDE("attr", attr_id),
		WIDE("mod", attr_mod),
		WIDE("dr_slid", dr_slid),
		WIDE("dr_dlid", dr_dlid),
		{ "rmpp", 24, 4, SCENE_BIG_ENDIAN },
		{ "segment", 28, 4, SCENE_BIG_ENDIAN },
		{ "stride", 44, 2, SCENE_BIG_ENDIAN },
		{ .name = NULL },
	};

	scene_set_members(members, mad(), rest);
}

static void make_mad(int filling, char *rest)
{
	const char defaults[] = "base=1 version=0xff status=0 tid=0x11223344 mod=0 stride=0";
	char text[sizeof(defaults)];

	memset(mad(), filling, LARGE);
	set_mad(strcpy(text, defaults));
	set_mad(rest);
	if (mad()[2] == 0xff)
		mad()[2] = mad_is_opa(mad()) ? 0x80 : mad_class_wire_version(mad()[1]);
}

static void play_mad(char *rest)
{
	make_mad(0, rest);
}

static void play_filled(char *rest)
{
	make_mad(FILLED, rest);
}

/* Each byte of the MAD behind the headers identifies its offset. */
static void play_message(char *rest)
{
	make_mad(0, rest);
	for (size_t i = 36; i < LARGE; i++)
		mad()[i] = (uint8_t)(i * 7 + i / 256);
}

static void play_bytes(char *rest)
{
	uint8_t *at = mad() + scene_number(scene_word(&rest));

	for (; *rest; rest += 2, at++)
		*at = (uint8_t)strtoul((char[]){ rest[0], rest[1], 0 }, NULL, 16);
}

/* "TRAP LID": a generic notice whose further bytes count, or are 0 with "zeros". */
static void play_notice(char *rest)
{
	uint8_t *notice = mad() + mad_attribute_start(mad());
	unsigned trap = (unsigned)scene_number(scene_word(&rest));
	unsigned lid = (unsigned)scene_number(scene_word(&rest));

	for (int i = 8; i < 64; i++)
		notice[i] = (uint8_t)(*rest ? 0 : i);
	memcpy(notice, (uint8_t[]){ 0x81, 0, 0, 0 }, 4);
	mad_put_be16(notice + 4, (uint16_t)trap);
	mad_put_be16(notice + 6, (uint16_t)lid);
}

/*
 * Sending and receiving
 */

struct transfer {
	int length, after, status, fails, level;
};

static struct transfer begin(char *rest)
{
#define TRANSFER(member) SCENE_NUMBER(struct transfer, #member, member)
	static const struct scene_member members[] = { TRANSFER(length), TRANSFER(after),
						       TRANSFER(status), TRANSFER(fails),
						       TRANSFER(level),	 { .name = NULL } };
	struct transfer transfer = { .length = UMAD_MAD_SIZE, .level = 1 };

	scene_set_members(members, &transfer, rest);
	length = (size_t)transfer.length;
	umad.header.status = (uint32_t)transfer.status;
	umad_debug(transfer.level);
	pcap_free(&file);
	assert_int_equal(umad_capture_start(path, flags), 0);
	listen_begin();
	return transfer;
}

static void end(void)
{
	const char *wrong;

	listen_end();
	next_line = said;
	assert_int_equal(umad_capture_stop(), 0);
	wrong = pcap_read(path, &file);
	if (wrong)
		fail_msg("packet %zu: %s", file.count, wrong);
}

/* The kernel gets every byte, the keys, too. */
static void play_send(char *rest)
{
	struct transfer transfer = begin(rest);
	size_t size = umad_size() + length;

	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_WRITE, .result = (ssize_t)size, .error = transfer.fails });
	umad_send(port, AGENT, &umad, (int)length, 1000, 2);
	end();
	assert_int_equal(fakesys_calls.written_size, size);
	assert_memory_equal(fakesys_calls.written, &umad, size < 1024 ? size : 1024);
}

static void play_receive(char *rest)
{
	struct transfer transfer = begin(rest);
	uint8_t buffer[sizeof(umad)];
	int space = LARGE;

	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_POLL, .takes_ms = transfer.after, .revents = 1, .result = 1 });
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_READ,
					     .data = &umad,
					     .size = umad_size() + length,
					     .result = (ssize_t)(umad_size() + length) });
	assert_int_equal(umad_recv(port, buffer, &space, 1000), AGENT);
	end();
	assert_int_equal(space, length);
	assert_memory_equal(buffer, &umad, umad_size() + length);
}

/*
 * Checks
 */

static void play_packets(char *rest)
{
	assert_int_equal(file.count, scene_number(rest));
}

static const struct pcap_packet *packet_at(size_t index)
{
	assert_true(index < file.count);
	return &file.packets[index];
}

/* The headers of the first packet. */
static void play_packet(char *rest)
{
#define PACKET(member) SCENE_NUMBER(struct pcap_packet, #member, member)
#define HALF(name, gid, half)                                                         \
	{                                                                             \
		name, offsetof(struct pcap_packet, gid) + (half), 8, SCENE_BIG_ENDIAN \
	}
	static const struct scene_member members[] = { PACKET(time),
						       PACKET(received),
						       PACKET(vl),
						       PACKET(sl),
						       PACKET(slid),
						       PACKET(dlid),
						       PACKET(has_grh),
						       PACKET(traffic_class),
						       PACKET(hop_limit),
						       PACKET(flow_label),
						       PACKET(pkey),
						       PACKET(source_qp),
						       PACKET(destination_qp),
						       PACKET(qkey),
						       PACKET(length),
						       HALF("snet", sgid, 0),
						       HALF("sgid", sgid, 8),
						       HALF("dnet", dgid, 0),
						       HALF("dgid", dgid, 8),
						       { .name = NULL } };

	scene_assert_members(members, packet_at(0), rest);
}

/* Segment number i of a message, of which it has `own` bytes: its number, flags and length. */
static void check_segment(size_t i, size_t offset, size_t own)
{
	const uint8_t *segment = packet_at(i)->mad;
	size_t last = file.count - 1, class_header = offset - RMPP_END;

	assert_memory_equal(segment, mad(), RMPP_RTIME_FLAGS);
	assert_memory_equal(segment + RMPP_END, file.packets[0].mad + RMPP_END, class_header);
	assert_int_equal(segment[RMPP_RTIME_FLAGS] & 7, 1 | (i ? 0 : 2) | (i == last ? 4 : 0));
	assert_int_equal(segment[RMPP_RTIME_FLAGS] >> 3, mad()[RMPP_RTIME_FLAGS] >> 3);
	assert_int_equal(mad_get_be32(segment + RMPP_SEGMENT), i + 1);
	assert_int_equal(mad_get_be32(segment + RMPP_LENGTH),
			 i == 0 ? file.count * class_header +
					  (length > offset ? length - offset : 0)
			 : i == last ? class_header + own
				     : 0);
}

/* Whether the capture has given the message numbers. */
static bool is_numbered(void)
{
	return file.count > 1 ||
	       (umad_packet_is_data(mad(), length) &&
		(!mad_get_be32(mad() + RMPP_SEGMENT) || (rmpp_agent && !file.packets[0].received)));
}

/* The MAD of the only packet, or the message of all; returns its length. */
static size_t reassemble(uint8_t whole[LARGE])
{
	size_t offset = mad_class_rmpp_data(mad()[1]), size = packet_at(0)->length, at = offset;
	size_t own, data = length > offset ? length - offset : 0;

	memcpy(whole, file.packets[0].mad, size);
	if (!is_numbered())
		return size;
	for (size_t i = 0; i < file.count; i++, at += own, data -= own) {
		own = data < size - offset ? data : size - offset;
		memcpy(whole + at, file.packets[i].mad + offset, own);
		check_segment(i, offset, own);
	}
	memcpy(whole + RMPP_VERSION, mad() + RMPP_VERSION, RMPP_END - RMPP_VERSION);
	return file.count > 1 ? at : size;
}

/* "OFFSET+SIZE..." are zeros, all other bytes are those of the MAD. */
static void play_hidden(char *rest)
{
	uint8_t whole[LARGE], wanted[LARGE];
	size_t size = reassemble(whole), seen = size < length ? size : length;
	char *word;

	memcpy(wanted, mad(), length);
	while ((word = scene_word(&rest))) {
		const char *count = scene_split(word, '+');

		memset(wanted + scene_number(word), 0, count ? scene_number(count) : 0);
	}
	for (size_t i = 0; i < size; i++)
		if (whole[i] != (i < seen ? wanted[i] : 0))
			fail_msg("byte %zu is 0x%02x", i, whole[i]);
}

/* "OFFSET HEX" of the MAD of the last packet. */
static void play_recorded(char *rest)
{
	const uint8_t *at = packet_at(file.count - 1)->mad + scene_number(scene_word(&rest));

	for (; *rest; rest += 2, at++)
		assert_int_equal(*at, strtoul((char[]){ rest[0], rest[1], 0 }, NULL, 16));
}

/* The next line; "..." at the beginning, or at both ends, stands for any text. Statements end at
 * ";". */
static void play_line(char *rest)
{
	const char *line = next_line + strlen("libibumad: ");
	size_t size = strcspn(line, "\n"), wanted = strlen(rest);
	bool begins = strncmp(rest, "...", 3) != 0, ends = strcmp(rest + wanted - 3, "...") != 0;

	assert_memory_equal(next_line, "libibumad: ", strlen("libibumad: "));
	assert_int_equal(line[size], '\n');
	next_line += strlen("libibumad: ") + size + 1;
	next_line[-1] = '\0';
	for (char *at = rest; (at = strchr(at, '~'));)
		*at = ';';
	rest[ends ? wanted : wanted - 3] = '\0';
	rest += begins ? 0 : 3;
	wanted = strlen(rest);
	if (ends ? wanted > size || strcmp(line + (begins ? 0 : size - wanted), rest) != 0
		 : !strstr(line, rest))
		fail_msg("%s", line);
}

static void play_no_line(char *rest)
{
	(void)rest;
	assert_string_equal(next_line, "");
}

static void play_keys(char *rest)
{
	flags = scene_number(rest) ? UMAD_CAPTURE_KEYS : 0;
}

static void play(char *statement)
{
	static const struct scene_verb verbs[] = {
		{ "port", play_port },
		{ "renamed", play_renamed },
		{ "no-index", play_no_index },
		{ "rmpp-agent", play_rmpp_agent },
		{ "files", play_files },
		{ "wait", play_wait },
		{ "address", play_address },
		{ "mad", play_mad },
		{ "filled", play_filled },
		{ "message", play_message },
		{ "set", set_mad },
		{ "bytes", play_bytes },
		{ "notice", play_notice },
		{ "send", play_send },
		{ "receive", play_receive },
		{ "packets", play_packets },
		{ "packet", play_packet },
		{ "hidden", play_hidden },
		{ "recorded", play_recorded },
		{ "line", play_line },
		{ "no-line", play_no_line },
		{ "keys", play_keys },
		{ .name = NULL },
	};
	static const struct scene_verb *const arrays[] = { verbs, NULL };

	scene_play_verb(arrays, statement);
}

SCENES(CAPTURE_TABLES "/traffic.tbl", play, setup, teardown)
TEST_GROUP(make_file, remove_file)

#define CASE(name) TEST_WITH(name, setup, teardown)

/*
 * Lines
 */

/* Also with C libraries whose fprintf() writes in parts. */
CASE(a_line_is_one_write)
{
	char line[1000];
	int ends[2], saved = dup(STDERR_FILENO);

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
	dup2(ends[0], STDERR_FILENO);
	umad_debug(2);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_WRITE, .result = 320 });
	umad_send(port, AGENT, &umad, 256, 1000, 2);
	umad_dump(&umad);
	dup2(saved, STDERR_FILENO);
	for (int i = 0; i < 3; i++) {
		ssize_t size = recv(ends[1], line, sizeof(line), 0);

		assert_true(size > 0);
		assert_int_equal(line[size - 1], '\n');
		assert_memory_equal(line, i ? "ibwarn: [" : "libibumad", 9);
	}
	assert_int_equal(recv(ends[1], line, sizeof(line), 0), -1);
	close(ends[0]);
	close(ends[1]);
	close(saved);
}

CASE(attributes_have_names)
{
	static const struct {
		int mgmt_class, id;
		const char *name;
	} attributes[] = {
#define DUMPED(mgmt_class, id, name, function, ...) { mgmt_class, id, name },
#define PRINTED(mgmt_class, id, name, ...)	    { mgmt_class, id, name },
#define NAMED(mgmt_class, id, name)		    { mgmt_class, id, name },
#define PART(function, ...)
#include "common/mad_attributes.h"
	};
	char text[80];

	for (size_t i = 0; i < COUNT(attributes); i++) {
		if (!*attributes[i].name)
			continue;
		snprintf(text, sizeof(text), "mad class=%d method=1 attr=%d",
			 attributes[i].mgmt_class, attributes[i].id);
		scene_play_copy(play, text);
		scene_play_copy(play, "send");
		snprintf(text, sizeof(text), "line ... Get %s, ...", attributes[i].name);
		scene_play_copy(play, text);
	}
}

/* More than a program has under way, as a rule. */
CASE(the_last_512_requests_have_a_time)
{
	char text[20];

	scene_play_copy(play, "mad class=4 method=1");
	for (int i = 511; i >= 0; i--) {
		snprintf(text, sizeof(text), "set tid=%d", TID + i);
		scene_play_copy(play, text);
		scene_play_copy(play, "send");
	}
	scene_play_copy(play, "set method=0x81 tid=0x11223543");
	scene_play_copy(play, "receive after=12");
	scene_play_copy(play, "line ..., after 12.000 ms");
}

CASE(every_mad_is_a_line)
{
	char text[40];

	srand(1);
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 256; i++)
			mad()[i] = (uint8_t)rand();
		if (round % 2)
			mad()[1] = UMAD_CLASS_SUBN_DIRECTED_ROUTE;
		snprintf(text, sizeof(text), "receive level=2 length=%d", round * 37 % 257);
		scene_play_copy(play, text);
		scene_play_copy(play, "line ...");
		scene_play_copy(play, "no-line");
	}
}

static void assert_lines(const char *text)
{
	listen_end();
	assert_string_equal(said, text);
}

/* The port is the first descriptor of fakesys, 1024. */
CASE(calls_on_a_port_are_reported)
{
	int space = LARGE;

	listen_begin();
	expect_ioctl(IB_USER_MAD_REGISTER_AGENT, EPERM);
	umad_register(port, UMAD_CLASS_PERF_MGMT, 1, 0, NULL);
	expect_ioctl(IB_USER_MAD_UNREGISTER_AGENT, EINVAL);
	umad_unregister(port, 7);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL, .takes_ms = 5 });
	umad_poll(port, 5); /* reported at level 2 */
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_READ, .error = EAGAIN });
	umad_recv(port, &umad, &space, 0);
	umad_debug(2);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL, .takes_ms = 5 });
	umad_poll(port, 5);
	umad_close_port(port);
	assert_lines("libibumad: port 1024: registering class 0x04 version 1 rmpp 0: "
		     "Operation not permitted\n"
		     "libibumad: port 1024: unregistering agent 7: Invalid argument\n"
		     "libibumad: port 1024: nothing received: Resource temporarily unavailable\n"
		     "libibumad: port 1024: polled for 5 ms: Connection timed out\n"
		     "libibumad: closing 1024\n");
}

CASE(opening_a_port_is_reported)
{
	umad_close_port(port);
	listen_begin();
	umad_close_port(open_it());
	umad_open_port("mlx5_7", 1);
	fakesys_fail_path(KERNEL_OPEN, "/dev/infiniband/umad0", EACCES);
	umad_open_port("mlx5_0", 1);
	umad_debug(0);
	umad_open_port("mlx5_7", 1);
	assert_lines("libibumad: mlx5_0 port 1 is /dev/infiniband/umad0\n"
		     "libibumad: opened mlx5_0 port 1 as 1024, header of 64 bytes\n"
		     "libibumad: closing 1024\n"
		     "libibumad: no umad device for mlx5_7 port 1: No such device\n"
		     "libibumad: mlx5_0 port 1 is /dev/infiniband/umad0\n"
		     "libibumad: can't open /dev/infiniband/umad0: Permission denied\n");
}

/*
 * Ports
 */

CASE(ports_are_known_while_they_are_open)
{
	struct umad_port_choice choice = { .ca_name = "other0", .portnum = 2 };
	struct umad_owner *owner = umad_owner_find(port);
	int other = open_it(), known = 0;

	assert_string_equal(umad_owner_find(other)->port.ca_name, "mlx5_0");
	umad_close_port(other);
	assert_null(umad_owner_find(other));
	assert_null(umad_owner_find(-1));
	for (int i = 0; i < 1000; i++) /* more than the table has */
		umad_owner_remember(5000 + i, &choice);
	umad_owner_remember(INT_MAX, &choice);
	assert_null(umad_owner_find(INT_MAX));
	for (int i = 0; i < 1000; i++) {
		known += umad_owner_find(5000 + i) != NULL;
		umad_owner_forget(5000 + i);
		assert_null(umad_owner_find(5000 + i));
	}
	assert_between(known, 1, 999);
	umad_owner_remember(port, &choice); /* the program has closed the descriptor itself */
	assert_ptr_equal(umad_owner_find(port), owner);
	assert_string_equal(owner->port.ca_name, "other0");
	assert_int_equal(owner->port.portnum, 2);
}

/* Agents that ask for it, unless the program wants the segments. */
CASE(agents_for_which_the_kernel_numbers_segments_are_known)
{
	struct umad_reg_attr attr = { .mgmt_class = 3, .mgmt_class_version = 2 };
	uint32_t agent = 0;

	for (int rmpp = 1; rmpp >= 0; rmpp--) {
		expect_ioctl(IB_USER_MAD_REGISTER_AGENT, 0);
		agent = (uint32_t)umad_register(port, 3, 2, (uint8_t)rmpp, NULL);
		assert_int_equal(umad_owner_has_rmpp(port, agent), rmpp);
		for (attr.flags = 0; attr.flags <= UMAD_USER_RMPP; attr.flags++) {
			expect_ioctl(IB_USER_MAD_REGISTER_AGENT2, 0);
			attr.rmpp_version = (uint8_t)rmpp;
			assert_int_equal(umad_register2(port, &attr, &agent), 0);
			assert_int_equal(umad_owner_has_rmpp(port, agent), rmpp && !attr.flags);
		}
	}
	umad_owner_note_agent(port, 32, true);
	assert_false(umad_owner_has_rmpp(port, 32) || umad_owner_has_rmpp(port + 1, agent));
}

/* A packet of the specification's examples, up to its invariant checksum. */
TEST(checksum_of_the_specifications_sample)
{
	static const uint8_t sample[] = {
		0x70, 0x12, 0x37, 0x5c, 0x00, 0x0e, 0x17, 0xd2, 0x0a, 0x20, 0x24, 0x87, 0x00,
		0x87, 0xb1, 0xb3, 0x00, 0x0d, 0xec, 0x2a, 0x01, 0x71, 0x0a, 0x1c, 0x01, 0x5d,
		0x40, 0x02, 0x38, 0xf2, 0x7a, 0x05, 0x00, 0x00, 0x00, 0x0e, 0xbb, 0x88, 0x4d,
		0x85, 0xfd, 0x5c, 0xfb, 0xa4, 0x72, 0x8b, 0xc0, 0x69, 0x0e, 0xd4, 0x00, 0x00,
	};

	assert_int_equal(umad_packet_invariant_crc(sample, sizeof(sample), false), 0x5ab72596);
}
