/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-debug.c - what umad_debug() shows of the traffic (libibumad/trace/debug.c): one line for a
 * MAD, whatever the MAD is.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test.h"
#include "fakesys.h"
#include "listen.h"
#include "libibumad/internal.h"

enum { HEADER = 64, MAD = 256, AGENT = 3, TID_LOW = 0x11223344 };

static struct packet {
	struct ib_user_mad umad;
	union {
		struct umad_hdr header;
		struct umad_smp smp;
		uint8_t bytes[MAD];
	} mad;
} packet;
_Static_assert(offsetof(struct packet, mad) == HEADER, "the MAD is behind the umad header");

static int port;

static int setup(void **state)
{
	fakesys_setup(state);
	kernel_abi_version("5\n");
	kernel_ca("mlx5_0", 1, 1, 0);
	kernel_node(0, "mlx5_0", 1);
	fakesys_expect(
		&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = IB_USER_MAD_ENABLE_PKEY });
	port = umad_open_port("mlx5_0", 1);
	assert_true(port >= 0);
	memset(&packet, 0, sizeof(packet));
	packet.umad.agent_id = AGENT;
	umad_debug(1);
	return 0;
}

static int teardown(void **state)
{
	umad_debug(0);
	umad_close_port(port);
	return fakesys_teardown(state);
}

static void set_mad(uint8_t mgmt_class, uint8_t method, uint16_t attribute)
{
	packet.mad.header = (struct umad_hdr){
		.base_version = 1,
		.mgmt_class = mgmt_class,
		.method = method,
		.attr_id = htobe16(attribute),
		.tid = htobe64(TID_LOW),
	};
}

static void set_address(uint16_t lid, uint32_t qpn)
{
	packet.umad.addr.lid = htobe16(lid);
	packet.umad.addr.qpn = htobe32(qpn);
}

static void send_it(int result, int error)
{
	fakesys_expect(
		&(struct fakesys_io){ .call = KERNEL_WRITE, .result = result, .error = error });
	umad_send(port, AGENT, &packet, MAD, 1000, 2);
}

/* The packet comes after so many ms. */
static void receive_it(int after_ms, size_t size)
{
	struct packet buffer = { .umad = { 0 } };
	int length = MAD;

	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_POLL, .takes_ms = after_ms, .revents = 1, .result = 1 });
	fakesys_expect(&(struct fakesys_io){
		.call = KERNEL_READ, .data = &packet, .size = size, .result = (ssize_t)size });
	assert_int_equal(umad_recv(port, &buffer, &length, 1000), AGENT);
}

#define CASE(name) TEST_WITH(name, setup, teardown)

CASE(request_and_response_are_a_line_each)
{
	listen_begin();
	set_address(7, 1);
	set_mad(UMAD_CLASS_SUBN_ADM, UMAD_SA_METHOD_GET_TABLE, UMAD_SA_ATTR_NODE_REC);
	send_it(HEADER + MAD, 0);
	packet.mad.header.method = UMAD_SA_METHOD_GET_TABLE_RESP;
	packet.mad.header.tid = htobe64(0x500000000 | TID_LOW); /* as the kernel hands it out */
	packet.mad.header.status = htobe16(UMAD_SA_STATUS_NO_RECORDS << 8);
	receive_it(12, HEADER + MAD);
	listen_end();
	assert_string_equal(said,
			    "libibumad: mlx5_0 port 1: sends SubnAdm GetTable NodeRecord, "
			    "modifier 0x0, TID 0x11223344, to LID 7 QP 1\n"
			    "libibumad: mlx5_0 port 1: received SubnAdm GetTableResp NodeRecord, "
			    "modifier 0x0, TID 0x511223344, from LID 7 QP 1, "
			    "status 0x300 No Records, after 12.000 ms\n");
}

CASE(directed_routes_are_shown)
{
	listen_begin();
	set_address(0xffff, 0);
	set_mad(UMAD_CLASS_SUBN_DIRECTED_ROUTE, UMAD_METHOD_SET, UMAD_SM_ATTR_PORT_INFO);
	packet.mad.header.attr_mod = htobe32(18);
	packet.mad.smp.hop_cnt = 3;
	packet.mad.smp.dr_slid = packet.mad.smp.dr_dlid = 0xffff;
	packet.mad.smp.initial_path[1] = 1;
	packet.mad.smp.initial_path[2] = 20;
	packet.mad.smp.initial_path[3] = 7;
	send_it(HEADER + MAD, 0);
	packet.mad.smp.method = UMAD_METHOD_GET_RESP;
	packet.mad.smp.status = htobe16(UMAD_SMP_DIRECTION);
	packet.mad.smp.dr_slid = htobe16(9);
	receive_it(3, HEADER + MAD);
	listen_end();
	assert_string_equal(said, "libibumad: mlx5_0 port 1: sends Subn Set PortInfo, modifier "
				  "0x12, TID 0x11223344, to route 0,1,20,7\n"
				  "libibumad: mlx5_0 port 1: received Subn GetResp PortInfo, "
				  "modifier 0x12, TID 0x11223344, from route 0,1,20,7 from LID 9, "
				  "status 0x0 Success, after 3.000 ms\n");
}

CASE(requests_given_back_say_why)
{
	listen_begin();
	set_address(7, 1);
	set_mad(UMAD_CLASS_PERF_MGMT, UMAD_METHOD_GET, 0x1d);
	send_it(HEADER + MAD, 0);
	packet.umad.status = ETIMEDOUT;
	receive_it(1000, HEADER + MAD);
	packet.umad.status = 0;
	send_it(0, ENODEV);
	listen_end();
	assert_string_equal(
		said, "libibumad: mlx5_0 port 1: sends Perf Get PortCountersExtended, "
		      "modifier 0x0, TID 0x11223344, to LID 7 QP 1\n"
		      "libibumad: mlx5_0 port 1: no response to Perf Get PortCountersExtended, "
		      "modifier 0x0, TID 0x11223344, to LID 7 QP 1, after 1000.000 ms: "
		      "Connection timed out\n"
		      "libibumad: mlx5_0 port 1: sends Perf Get PortCountersExtended, "
		      "modifier 0x0, TID 0x11223344, to LID 7 QP 1\n"
		      "libibumad: mlx5_0 port 1: could not send Perf Get "
		      "PortCountersExtended, modifier 0x0, TID 0x11223344, to LID 7 QP 1: "
		      "No such device\n");
}

/* The notices of switches, of the SA's reports, and of a class of NVIDIA. */
CASE(notices_have_words)
{
	static const struct {
		uint8_t mgmt_class, method, data, trap[2];
		const char *words;
	} notices[] = {
		{ 0x01,
		  0x05,
		  64,
		  { 0, 128 },
		  "trap 128 (link state of a switch port changed) of LID 772: SwitchLID 0\n" },
		{ 0x81, 0x07, 64, { 0, 99 }, "trap 99 of LID 772" },
		{ 0x03, 0x06, 56, { 0, 64 }, "trap 64 (GID in service) of LID 772: GID ::\n" },
		{ 0x0c, 0x05, 32, { 0, 1 }, "trap 1 (N2N key misconfiguration) of LID 772" },
		{ 0x21, 0x05, 64, { 0, 0 }, "trap 0 (CC_Key violation) of LID 772" },
	};
	size_t i;

	for (i = 0; i < sizeof(notices) / sizeof(notices[0]); i++) {
		uint8_t *notice = (uint8_t *)&packet.mad + notices[i].data;

		set_address(7, 1);
		set_mad(notices[i].mgmt_class, notices[i].method, 2);
		memset(notice, 0, 64);
		notice[0] = 0x81;
		memcpy(notice + 4, notices[i].trap, 2);
		notice[6] = 3;
		notice[7] = 4;
		listen_begin();
		send_it(HEADER + MAD, 0);
		listen_end();
		if (!strstr(said, notices[i].words))
			fail_msg("no \"%s\" in: %s", notices[i].words, said);
	}
}

/* Omni-Path's are at other places, as is the LID in them; where their values are is not known. */
CASE(notices_of_omni_path_have_words)
{
	static const struct {
		uint8_t mgmt_class, data;
	} notices[] = { { 0x01, 32 }, { 0x81, 176 }, { 0x03, 56 } };

	for (size_t i = 0; i < COUNT(notices); i++) {
		set_mad(notices[i].mgmt_class, UMAD_METHOD_TRAP, 2);
		memset(packet.mad.bytes + 24, 0xa5, MAD - 24);
		packet.mad.bytes[0] = packet.mad.bytes[2] = 0x80;
		memcpy(packet.mad.bytes + notices[i].data, "\x81\0\0\1\1\0\0\0\0\1\2\3", 12);
		listen_begin();
		send_it(HEADER + MAD, 0);
		listen_end();
		if (!strstr(said, ", trap 256 (M_Key violation) of LID 66051\n"))
			fail_msg("class 0x%02x: %s", notices[i].mgmt_class, said);
	}
}

/* The name that the device has now. */
CASE(names_of_devices_change)
{
	listen_begin();
	set_mad(UMAD_CLASS_PERF_MGMT, UMAD_METHOD_GET, 1);
	kernel_ca("mlx5_9", 1, 1, 0);
	kernel_node(0, "mlx5_9", 1);
	send_it(HEADER + MAD, 0);
	listen_end();
	assert_non_null(strstr(said, "libibumad: mlx5_9 port 1: sends Perf Get"));
}

/* Also with C libraries whose fprintf() writes in parts. */
CASE(a_line_is_one_write)
{
	char line[1000];
	int ends[2], saved = dup(STDERR_FILENO);

	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
	dup2(ends[0], STDERR_FILENO);
	umad_debug(2);
	set_mad(UMAD_CLASS_PERF_MGMT, UMAD_METHOD_GET, 1);
	send_it(HEADER + MAD, 0);
	umad_dump(&packet);
	dup2(saved, STDERR_FILENO);
	for (int i = 0; i < 3; i++) {
		ssize_t length = recv(ends[1], line, sizeof(line), 0);

		assert_true(length > 0);
		assert_int_equal(line[length - 1], '\n');
		assert_memory_equal(line, i ? "ibwarn: [" : "libibumad", 9);
	}
	assert_int_equal(recv(ends[1], line, sizeof(line), 0), -1);
	close(ends[0]);
	close(ends[1]);
	close(saved);
}

/* Numbers, an address, a path of ports, and keys, which stay hidden. */
CASE(notices_have_values)
{
	static const struct {
		uint8_t trap[2];
		const char *words;
	} notices[] = {
		{ { 1, 0 },
		  " of LID 0: LID 3085, DRSLID 3599, Method 16, AttributeID 0x1213, "
		  "AttributeModifier 0x14151617, MKey hidden, DRNotice 0, DRPathTruncated 0, "
		  "DRHopCount 33, DRReturnPath "
		  "22232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f\n" },
		{ { 1, 1 },
		  ": LID1 3085, LID2 3599, Key 0x10111213, SL1 1, QP1 1381911, QP2 1645083, "
		  "GID1 1c1d:1e1f:2021:2223:2425:2627:2829:2a2b, "
		  "GID2 2c2d:2e2f:3031:3233:3435:3637:3839:3a3b\n" },
	};
	size_t i, j;

	for (i = 0; i < sizeof(notices) / sizeof(notices[0]); i++) {
		uint8_t *notice = packet.mad.bytes + 64;

		set_address(7, 1);
		set_mad(0x01, 0x05, 2);
		for (j = 8; j < 64; j++)
			notice[j] = (uint8_t)j;
		memcpy(notice, (uint8_t[8]){ 0x81, [4] = notices[i].trap[0], notices[i].trap[1] },
		       8);
		listen_begin();
		send_it(HEADER + MAD, 0);
		listen_end();
		if (!strstr(said, notices[i].words))
			fail_msg("no \"%s\" in: %s", notices[i].words, said);
	}
}

/* Those of vendors and of performance management, in each class that has them. */
CASE(attributes_have_names)
{
	static const struct {
		uint8_t mgmt_class;
		uint16_t id;
		const char *words;
	} attributes[] = {
		{ 0x04, 0x20, "Perf Get attribute 0x20," },
		{ 0x81, 0xff91, "Subn Get ExtendedNodeInfo," },
		{ 0x09, 0x10, "Vendor 0x09 RDM Get NVLReductionInfo," },
		{ 0x0a, 0x17, "Vendor 0x0a VS Get GeneralInfo," },
		{ 0x0b, 0x20, "Vendor 0x0b AM Get ANInfo," },
		{ 0x0c, 0x10, "Vendor 0x0c N2N Get NeighborsInfo," },
		{ 0x0d, 0x10, "Vendor 0x0d Get attribute 0x10," },
		{ 0x10, 0x11, "DevAdm Get " },
		{ 0x11, 0x11, "BootMgt Get " },
		{ 0x12, 0x11, "BIS Get " },
#define DUMPED(mgmt_class, id, name, function, ...) { mgmt_class, id, name },
#define PRINTED(mgmt_class, id, name, ...)	    { mgmt_class, id, name },
#define NAMED(mgmt_class, id, name)		    { mgmt_class, id, " Get " name "," },
#define PART(function, ...)
#include "common/mad_attributes.h"
	};
	size_t i;

	for (i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		listen_begin();
		set_address(7, 1);
		set_mad(attributes[i].mgmt_class, UMAD_METHOD_GET, attributes[i].id);
		send_it(HEADER + MAD, 0);
		listen_end();
		if (!strstr(said, attributes[i].words))
			fail_msg("no \"%s\" in: %s", attributes[i].words, said);
	}
}

CASE(numbers_stand_for_what_has_no_name)
{
	listen_begin();
	set_mad(0x32, 0x7f, 0x1234);
	packet.mad.header.tid = 0;
	receive_it(1, HEADER + MAD);
	set_mad(0xee, UMAD_METHOD_GET_RESP, 1);
	receive_it(1, HEADER + 24);
	listen_end();
	assert_string_equal(said, "libibumad: mlx5_0 port 1: received Vendor 0x32 method 0x7f "
				  "attribute 0x1234, modifier 0x0, TID 0x0, from LID 0 QP 0\n"
				  "libibumad: mlx5_0 port 1: received class 0xee GetResp Class "
				  "Port Info, modifier 0x0, TID 0x11223344, from LID 0 QP 0, "
				  "status 0x0 Success\n");
}

CASE(level_2_adds_addresses)
{
	listen_begin();
	umad_debug(2);
	set_address(7, 1);
	packet.umad.addr.qkey = htobe32(UMAD_QKEY);
	packet.umad.addr.sl = 2;
	packet.umad.addr.pkey_index = 4;
	packet.umad.addr.grh_present = 1;
	packet.umad.addr.gid_index = 5;
	packet.umad.addr.gid[0] = 0xfe;
	packet.umad.addr.gid[1] = 0x80;
	packet.umad.addr.gid[15] = 1;
	set_mad(UMAD_CLASS_PERF_MGMT, UMAD_METHOD_GET_RESP, 0x12);
	packet.mad.header.status = htobe16(UMAD_STATUS_BUSY);
	send_it(HEADER + MAD, 0);
	listen_end();
	assert_string_equal(
		said,
		"libibumad: mlx5_0 port 1: sends Perf GetResp PortCounters, modifier 0x0, TID "
		"0x11223344, to LID 7 QP 1, status 0x1 Busy; agent 3, 256 bytes, SL 2, Q_Key "
		"0x80010000, P_Key index 4, GID fe80::1, GID index 5, timeout 1000 ms, retries "
		"2\n");
}

/* More than a program has under way, as a rule. */
CASE(the_last_512_requests_have_a_time)
{
	uint32_t i;

	listen_begin();
	set_mad(UMAD_CLASS_PERF_MGMT, UMAD_METHOD_GET, 1);
	for (i = 0; i < 512; i++) {
		packet.mad.header.tid = htobe64(TID_LOW + i);
		send_it(HEADER + MAD, 0);
	}
	listen_end();
	listen_begin();
	packet.mad.header.method = UMAD_METHOD_GET_RESP;
	packet.mad.header.tid = htobe64(TID_LOW);
	receive_it(12, HEADER + MAD);
	listen_end();
	assert_non_null(strstr(said, ", after 12.000 ms\n"));
}

static void expect_ioctl(unsigned long request, int error)
{
	fakesys_expect(
		&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = request, .error = error });
}

/* The port of the fixture is the first descriptor of fakesys, 1024. */
CASE(calls_on_a_port_are_reported)
{
	uint8_t buffer[HEADER + MAD];
	int length = MAD;

	listen_begin();
	expect_ioctl(IB_USER_MAD_REGISTER_AGENT, EPERM);
	umad_register(port, UMAD_CLASS_PERF_MGMT, 1, 0, NULL);
	expect_ioctl(IB_USER_MAD_UNREGISTER_AGENT, EINVAL);
	umad_unregister(port, 7);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL, .takes_ms = 5 });
	umad_poll(port, 5); /* reported at level 2 */
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_READ, .error = EAGAIN });
	umad_recv(port, buffer, &length, 0);
	umad_debug(2);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL, .takes_ms = 5 });
	umad_poll(port, 5);
	umad_close_port(port);
	listen_end();
	assert_string_equal(
		said, "libibumad: port 1024: registering class 0x04 version 1 rmpp 0: "
		      "Operation not permitted\n"
		      "libibumad: port 1024: unregistering agent 7: Invalid argument\n"
		      "libibumad: port 1024: nothing received: Resource temporarily unavailable\n"
		      "libibumad: port 1024: polled for 5 ms: Connection timed out\n"
		      "libibumad: closing 1024\n");
}

CASE(level_0_prints_nothing)
{
	umad_debug(0);
	listen_begin();
	set_mad(UMAD_CLASS_PERF_MGMT, UMAD_METHOD_GET, 1);
	send_it(0, ENODEV);
	receive_it(1, HEADER + MAD);
	expect_ioctl(IB_USER_MAD_REGISTER_AGENT, EPERM);
	umad_register(port, UMAD_CLASS_PERF_MGMT, 1, 0, NULL);
	umad_open_port("mlx5_7", 1);
	listen_end();
	assert_string_equal(said, "");
}

CASE(opening_a_port_is_reported)
{
	umad_close_port(port);
	listen_begin();
	expect_ioctl(IB_USER_MAD_ENABLE_PKEY, 0);
	umad_close_port(umad_open_port("mlx5_0", 1));
	umad_open_port("mlx5_7", 1);
	fakesys_fail_path(KERNEL_OPEN, "/dev/infiniband/umad0", EACCES);
	umad_open_port("mlx5_0", 1);
	listen_end();
	assert_string_equal(said,
			    "libibumad: mlx5_0 port 1 is /dev/infiniband/umad0\n"
			    "libibumad: opened mlx5_0 port 1 as 1024, header of 64 bytes\n"
			    "libibumad: closing 1024\n"
			    "libibumad: no umad device for mlx5_7 port 1: No such device\n"
			    "libibumad: mlx5_0 port 1 is /dev/infiniband/umad0\n"
			    "libibumad: can't open /dev/infiniband/umad0: Permission denied\n");
}

/* A route is in the second half of an SMP. */
CASE(what_lies_behind_a_short_mad_is_not_shown)
{
	set_mad(UMAD_CLASS_SUBN_DIRECTED_ROUTE, UMAD_METHOD_GET, 0x15);
	packet.mad.bytes[7] = 1;
	packet.mad.bytes[128 + 1] = 9;
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_WRITE, .result = HEADER + 64 });
	listen_begin();
	umad_send(port, AGENT, &packet, 64, 1000, 2);
	listen_end();
	assert_non_null(strstr(said, "route 0,0 "));
}

CASE(every_mad_is_a_line)
{
	uint32_t number = 1;
	size_t i;
	int round;

	umad_debug(2);
	for (round = 0; round < 100; round++) {
		for (i = 0; i < sizeof(packet.mad.bytes); i++)
			packet.mad.bytes[i] =
				(uint8_t)((number = number * 1664525 + 1013904223) >> 24);
		if (round % 2)
			packet.mad.header.mgmt_class = UMAD_CLASS_SUBN_DIRECTED_ROUTE;
		listen_begin();
		receive_it(1, HEADER + (size_t)round * 37 % (MAD + 1));
		listen_end();
		assert_memory_equal(said, "libibumad: ", 11);
		assert_ptr_equal(strchr(said, '\n'), said + strlen(said) - 1);
	}
}
