/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Plays umad.tbl, whose head explains the statements: see cases.h. */
#include "cases.h"

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "scenes.h"
#include "steps.h"

enum {
	SMP = 0x81,
	SA = 3,
	VENDOR = 0x32,
	QKEY = (int)0x80010000,
	MAD = 256,
	LONG = 10000, /* ms: a timeout that does not pass */
	SPACE = 4096,
	MANY = 128, /* requests, of an agent that has no limit */
	MORE = 10,  /* requests than an agent's limit */
};

static struct {
	int fd;
	int mgmt_class;
} ports[3], *port; /* the first is none */
static bool has_begun;
static struct {
	struct ib_user_mad umad;
	uint8_t mad[SPACE];
} buffer;
static struct cases_frame frames[2];

/* Bytes of a MAD that a statement names. */
static struct {
	size_t at;
	uint8_t value;
} bytes[MAD];
static size_t byte_count;

static void read_bytes(void)
{
	const char *word;

	byte_count = 0;
	while ((word = steps_next())) {
		char *hex;
		unsigned value;
		size_t at = strtoul(word, &hex, 10);

		if (*hex != ':')
			test_fail("no bytes: %s", word);
		for (hex++; sscanf(hex, "%2x", &value) == 1 && byte_count < MAD; hex += 2) {
			bytes[byte_count].at = at++;
			bytes[byte_count++].value = (uint8_t)value;
		}
		if (*hex || at > SPACE)
			test_fail("no bytes: %s", word);
	}
}

static void set_bytes(uint8_t *mad)
{
	for (size_t i = 0; i < byte_count; i++)
		mad[bytes[i].at] = bytes[i].value;
}

static void check_bytes(const uint8_t *mad)
{
	for (size_t i = 0; i < byte_count; i++)
		if (mad[bytes[i].at] != bytes[i].value)
			test_fail("byte %zu is 0x%02x, not 0x%02x", bytes[i].at, mad[bytes[i].at],
				  bytes[i].value);
}

/* An error as the statement wants it: fails=, else none. */
static void check_error(int error)
{
	const char *wanted = steps_value("fails");

	if (wanted ? !error || (*wanted && error != steps_error(wanted)) : error)
		test_fail("%s, not %s", error ? strerror(error) : "success",
			  wanted ? wanted : "success");
}

static void check_number(const char *what, long number, long wanted)
{
	if (number != wanted)
		test_fail("%s is %ld, not %ld", what, number, wanted);
}

static long next_number(void)
{
	const char *word = steps_next();

	if (!word)
		test_fail("a number is missing");
	return (long)scene_number(word);
}

/* A number of requests: "sent" are those that the kernel sends before one of them ends, "held" some
 * more that it holds back, if it does so, and "all" both. */
static unsigned request_count(const char *text)
{
	unsigned window = cases_window(port->mgmt_class);
	unsigned sent = window ? window : MANY, held = window ? MORE : 0;

	if (!strcmp(text, "sent"))
		return sent;
	if (!strcmp(text, "held"))
		return held;
	return !strcmp(text, "all") ? sent + held : (unsigned)scene_number(text);
}

static unsigned count_of(const char *name, unsigned missing)
{
	const char *count = steps_value(name);

	return count ? request_count(count) : missing;
}

/* The transaction ID that comes next, or so many requests after it. */
static uint32_t next_tid(void)
{
	return (uint32_t)next_number() + count_of("after", 0);
}

static void play_open(void)
{
	int mgmt_class = (int)next_number();

	if (!has_begun)
		cases_begin();
	has_begun = true;
	errno = 0;
	port++;
	port->mgmt_class = mgmt_class;
	port->fd = umad_open_port(cases_device, 1);
	if (port->fd < 0) {
		port--;
		check_error(errno ? errno : EIO);
		return;
	}
	check_error(0);
	check_number("the agent",
		     umad_register(port->fd, mgmt_class, mgmt_class == SA ? 2 : 1, mgmt_class == SA,
				   NULL),
		     0);
}

static void play_close(void)
{
	check_number("the result of a close", umad_close_port(port--->fd), 0);
}

/* An agent of a method, where the statement has one. */
static void play_register(void)
{
	int mgmt_class = (int)next_number(), agent = -1;
	unsigned method = (unsigned)steps_number("method", 0), bits = 8 * sizeof(long);
	uint8_t rmpp = (uint8_t)steps_number("rmpp", 0);
	long oui = steps_number("oui", -1), mask[16 / sizeof(long)] = { 0 };
	uint8_t oui_bytes[] = { (uint8_t)(oui >> 16), (uint8_t)(oui >> 8), (uint8_t)oui };

	if (method)
		mask[method / bits] = (long)(1UL << method % bits);
	errno = 0;
	for (unsigned i = count_of("times", 1); i > 0; i--)
		agent = oui < 0 ? umad_register(port->fd, mgmt_class, 1, rmpp, mask)
				: umad_register_oui(port->fd, mgmt_class, rmpp, oui_bytes, mask);
	if (agent < 0)
		check_number("the result", agent, -EPERM);
	check_error(agent < 0 ? errno : 0);
	steps_check("gives", agent);
}

static void play_register2(void)
{
	unsigned method = (unsigned)steps_number("method", 0);
	struct umad_reg_attr attr = { .mgmt_class = (uint8_t)next_number(),
				      .mgmt_class_version = 1,
				      .oui = (uint32_t)steps_number("oui", 0),
				      .flags = (uint32_t)steps_number("flags", 0) };
	uint32_t id = 0;

	if (method)
		attr.method_mask[method / 64] = 1ULL << method % 64;
	check_error(umad_register2(port->fd, &attr, &id));
	steps_check("gives", id);
	steps_check("left", attr.flags);
}

static void play_unregister(void)
{
	check_error(-umad_unregister(port->fd, (int)next_number()));
}

/* A request to the neighbour, by directed route, or to LID 9. */
static void fill(void)
{
	bool smp = port->mgmt_class == SMP;
	uint8_t *mad = buffer.mad;

	memset(&buffer, 0, sizeof(buffer));
	umad_set_addr(&buffer, smp ? 0xffff : 9, !smp, (int)steps_number("sl", 0),
		      (int)steps_number("qkey", smp ? 0 : QKEY));
	buffer.umad.length = (uint32_t)steps_number("header", 0);
	mad[0] = 1;
	mad[MAD_CLASS] = (uint8_t)port->mgmt_class;
	mad[2] = port->mgmt_class == SA ? 2 : 1;
	mad[MAD_METHOD] = port->mgmt_class == SA ? 0x12 : 1; /* GetTable, Get */
	mad[17] = 0x11;
	if (port->mgmt_class == VENDOR)
		mad_put_be32(mad + VENDOR2_WORD, UMAD_OPENIB_OUI);
	if (smp) {
		mad[SMP_HOP_COUNT] = 1;
		memset(mad + 32, 0xff, 4); /* DrSLID, DrDLID */
		mad[129] = 1;
	}
}

static int submit(int size, int timeout_ms)
{
	errno = 0;
	return umad_send(port->fd, (int)steps_number("agent", 0), &buffer, size, timeout_ms,
			 (int)steps_number("retries", 0))
		       ? errno
		       : 0;
}

static void play_send(void)
{
	uint32_t tid = next_tid();
	int size = (int)steps_number("size", MAD), error = 0;
	int timeout_ms = (int)steps_number("timeout", LONG);
	bool waits = steps_has("soon");

	read_bytes();
	fill();
	set_bytes(buffer.mad);
	for (unsigned i = count_of("times", 1); i > 0 && !error; i--) {
		mad_put_be32(buffer.mad + MAD_TID_LOW, tid++);
		while ((error = submit(size, timeout_ms)) == EINVAL && waits)
			umad_poll(port->fd, 1);
	}
	check_error(error);
}

/* Sends what was read, with other bytes, as a response. */
static void play_reply(void)
{
	read_bytes();
	set_bytes(buffer.mad);
	buffer.umad.addr.qkey = htobe32((uint32_t)QKEY);
	check_error(submit(MAD, 0));
}

static struct cases_frame *frame_of_step(void)
{
	return &frames[steps_has("other")];
}

static void play_take(void)
{
	struct cases_frame *frame = frame_of_step();

	read_bytes();
	if (!cases_take(frame))
		test_fail("no MAD has left the port");
	steps_check("dlid", frame->dlid);
	check_bytes(frame->mad);
}

static void play_ask(void)
{
	play_send();
	play_take();
}

static void play_left(void)
{
	const char *wanted = steps_next();
	struct cases_frame frame;
	unsigned count = 0;

	read_bytes();
	for (; cases_take(&frame); count++)
		check_bytes(frame.mad);
	if (strcmp(wanted, "any") != 0)
		check_number("the number of MADs that have left", count, request_count(wanted));
}

void cases_make_response(const struct cases_frame *request, struct cases_frame *addresses,
			 uint8_t *mad)
{
	*addresses = *request;
	addresses->sqpn = request->dqpn;
	addresses->dqpn = request->sqpn;
	addresses->slid = request->dlid;
	addresses->dlid = request->slid;
	memcpy(mad, request->mad, MAD);
	if (mad[MAD_METHOD] == UMAD_METHOD_SET)
		mad[MAD_METHOD] = UMAD_METHOD_GET;
	mad[MAD_METHOD] |= UMAD_METHOD_RESP_MASK;
	if (mad[MAD_CLASS] == SMP) {
		mad[MAD_STATUS] |= 0x80;
		mad[SMP_RETURN_PATH + mad[SMP_HOP_COUNT]] = 1;
	}
}

/* The response to a MAD that has left, with other bytes, arrives. */
static void play_put(void)
{
	const struct cases_frame *request = frame_of_step();
	size_t length = (size_t)steps_number("length", MAD);
	struct cases_frame addresses;
	uint8_t mad[SPACE];

	cases_make_response(request, &addresses, mad);
	for (size_t i = SA_DATA; i < length && length > MAD; i++)
		mad[i] = (uint8_t)i;
	read_bytes();
	set_bytes(mad);
	cases_put(&addresses, mad, length);
}

static void play_poll(void)
{
	check_error(-umad_poll(port->fd, LONG));
}

static void play_events(void)
{
	int wanted = (steps_has("in") ? POLLIN : 0) | (steps_has("out") ? POLLOUT : 0) |
		     (steps_has("err") ? POLLERR : 0);

	check_number("poll()'s events", cases_poll(port->fd, POLLIN | POLLOUT), wanted);
}

/* Reads a MAD, and checks all that the statement says of it. Returns the transaction ID. */
static uint32_t read_mad(int status, int usual_length)
{
	int length = (int)steps_number("size", MAD), wanted, agent, error;
	const struct ib_user_mad *umad = &buffer.umad;
	bool is_optional = steps_has("maybe");

	read_bytes();
	memset(&buffer, 0, sizeof(buffer));
	errno = 0;
	agent = umad_recv(port->fd, &buffer, &length, (int)steps_number("ms", LONG));
	error = agent >= 0 ? 0 : errno ? errno : -agent;
	if (error == ETIMEDOUT && is_optional)
		return 0;
	check_error(error);
	wanted = (int)steps_number("length", usual_length);
	if (!error || steps_has("length"))
		check_number("the length", length, wanted);
	if (!error)
		check_number("the status", umad_status(&buffer), status);
	if (!error && !status)
		check_number("the length in the header", umad->length, umad_size() + wanted);
	steps_check("agent", agent);
	steps_check("header", umad->length);
	steps_check("timeout", umad->timeout_ms);
	steps_check("retries", umad->retries);
	steps_check("qkey", be32toh(umad->addr.qkey));
	steps_check("qpn", be32toh(umad->addr.qpn));
	steps_check("lid", be16toh(umad->addr.lid));
	steps_check("sl", umad->addr.sl);
	check_bytes(buffer.mad);
	return mad_get_be32(buffer.mad + MAD_TID_LOW);
}

static void play_read(void)
{
	read_mad(0, MAD);
}

static void play_received(void)
{
	uint32_t tid = next_tid();

	check_number("the transaction ID", read_mad(0, MAD), tid);
}

/* Returned requests, whose transaction IDs follow each other, in any order. */
static void play_returned(void)
{
	uint32_t first = next_tid();
	unsigned count = count_of("times", 1);

	for (unsigned i = 0; i < count; i++) {
		uint32_t tid = read_mad(ETIMEDOUT, MAD_HEADER_END);

		if (tid - first >= count && !(steps_has("maybe") && !tid))
			test_fail("the transaction ID is 0x%x", tid);
	}
}

static const char *why_missing(const char *feature)
{
	static const char *const names[] = {
		[CASES_SEGMENTS] = "segments",	[CASES_AGENTS] = "agents",
		[CASES_FAILING] = "failing",	[CASES_FILES] = "files",
		[CASES_LATE_TID] = "late-tids", [CASES_REPEATS] = "repeats",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], feature))
			return cases_missing((enum cases_feature)i);
	test_fail("no feature %s", feature);
}

static void play_needs(void)
{
	const char *why = why_missing(steps_next());

	if (why)
		test_skip(why);
}

static void play_needs_limit(void)
{
	if (!cases_window(port->mgmt_class))
		test_skip("this kernel holds nothing back");
}

static const struct {
	const char *name;
	void (*play)(void);
} verbs[] = {
	{ "open", play_open },
	{ "close", play_close },
	{ "register", play_register },
	{ "register2", play_register2 },
	{ "unregister", play_unregister },
	{ "send", play_send },
	{ "reply", play_reply },
	{ "ask", play_ask },
	{ "take", play_take },
	{ "left", play_left },
	{ "put", play_put },
	{ "poll", play_poll },
	{ "events", play_events },
	{ "read", play_read },
	{ "received", play_received },
	{ "returned", play_returned },
	{ "remove", cases_remove },
	{ "fail-send", cases_fail_send },
	{ "needs", play_needs },
	{ "needs-limit", play_needs_limit },
};

static void play(char *statement)
{
	const char *verb = scene_word(&statement);

	if (!strcmp(verb, "where")) {
		if (!why_missing(scene_word(&statement)))
			play(statement);
		return;
	}
	steps_begin(statement);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (!strcmp(verbs[i].name, verb)) {
			verbs[i].play();
			steps_end();
			return;
		}
	}
	test_fail("no statement: %s", verb);
}

static int begin(void **state)
{
	(void)state;
	port = ports;
	has_begun = false;
	return 0;
}

static int end(void **state)
{
	(void)state;
	while (port > ports)
		play_close();
	if (has_begun)
		cases_end();
	return 0;
}

SCENES(UMAD_TABLE, play, begin, end)
