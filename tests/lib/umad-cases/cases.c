/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The cases: see cases.h. */
#include "cases.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

enum {
	SMP = 0x81,
	GMP = 0x04,
	SA = 0x03,
	BOARD = 0x05,
	VENDOR = 0x32, /* with an OUI */
	OUI = 0x001405,
	GET = 1,
	SET = 2,
	SEND = 3,
	TRAP = 5,
	REPORT = 6,
	GET_TABLE = 0x12,
	RESPONSE = 0x80,
	QKEY = 0x80010000,
	LID = 9,
	/* offsets in a MAD */
	CLASS = 1,
	METHOD = 3,
	STATUS = 4,
	HOP_POINTER = 6,
	HOP_COUNT = 7,
	TID = 8,
	TID_LOW = 12,
	ATTRIBUTE = 16,
	MODIFIER_LOW = 23,
	RMPP = 24,
	OUI_AT = 36, /* the byte before it is reserved */
	DR_LIDS = 32,
	PATH = 128,
	RETURN_PATH = 192,
	/* and in a GRH */
	GRH_HOP_LIMIT = 7,
	GRH_SGID = 8,
	GRH_DGID = 24,

	MAD = 256,
	RETURNED = 24, /* bytes of MAD of a request that timed out */
	TIMED_OUT = 110,
	DATA = 1, /* RMPP types, and the flag Active */
	ACK = 2,
	STOP = 3,
	ABORT = 4,
	ACTIVE = 1,
	FIRST = 2,
	LAST = 4,
	SEGMENT = 200, /* bytes of data of an SA segment; its length counts 20 of header, too */
	SEGMENT_HEADER = 20,
	IS_SM = 2,
	SHORT = 50,   /* ms: a timeout that passes */
	LONG = 10000, /* ms: one that does not */
	SPACE = 4096,
};

#define check(value, want)                                                   \
	do {                                                                 \
		long long got_ = (value), want_ = (want);                    \
		if (got_ != want_)                                           \
			cases_fail(#value, got_, want_, __FILE__, __LINE__); \
	} while (0)

/* An open port with an agent. */
struct port {
	int fd;
	int agent;
	int mgmt_class;
	uint64_t buffer[(64 + SPACE) / 8];
};

static uint8_t *mad_of(struct port *port)
{
	return umad_get_mad(port->buffer);
}

static struct ib_user_mad *header_of(struct port *port)
{
	return (void *)port->buffer;
}

static void open_port(struct port *port, int mgmt_class, int rmpp_version)
{
	memset(port, 0, sizeof(*port));
	port->mgmt_class = mgmt_class;
	port->fd = umad_open_port(cases_device, 1);
	check(port->fd >= 0, true);
	port->agent = umad_register(port->fd, mgmt_class, mgmt_class == SA ? 2 : 1,
				    (uint8_t)rmpp_version, NULL);
	check(port->agent >= 0, true);
}

static bool begin(struct port *port, int mgmt_class, int rmpp_version)
{
	cases_begin();
	open_port(port, mgmt_class, rmpp_version);
	return port->fd >= 0;
}

static void end(struct port *port)
{
	check(umad_close_port(port->fd), 0);
	cases_end();
}

/* Whether the case is skipped, as this kernel is without the feature. */
static bool is_without(enum cases_feature feature)
{
	const char *why = cases_missing(feature);

	if (why)
		cases_skip(why);
	return why;
}

/* A case on a port with an agent of that class and RMPP version, of kernels that have a feature. */
#define CASE_IF(name, is_skipped, mgmt_class, rmpp_version)                  \
	static void on_port_##name(struct port *port);                       \
	TEST(name)                                                           \
	{                                                                    \
		struct port port;                                            \
                                                                             \
		if ((is_skipped) || !begin(&port, mgmt_class, rmpp_version)) \
			return;                                              \
		on_port_##name(&port);                                       \
		end(&port);                                                  \
	}                                                                    \
	static void on_port_##name(struct port *port __attribute__((unused)))
#define CASE(name, mgmt_class, rmpp_version) CASE_IF(name, false, mgmt_class, rmpp_version)
#define CASE_WITH(name, feature, mgmt_class, rmpp_version) \
	CASE_IF(name, is_without(feature), mgmt_class, rmpp_version)

static void put32(uint8_t *at, uint32_t value)
{
	value = htobe32(value);
	memcpy(at, &value, sizeof(value));
}

/* A request to the neighbour, by directed route, or to LID 9. */
static void fill(struct port *port, uint32_t tid)
{
	uint8_t *mad = mad_of(port);
	bool smp = port->mgmt_class == SMP;

	memset(port->buffer, 0, sizeof(port->buffer));
	umad_set_addr(port->buffer, smp ? 0xffff : LID, !smp, 0, smp ? 0 : (int)QKEY);
	mad[0] = 1;
	mad[CLASS] = (uint8_t)port->mgmt_class;
	mad[2] = port->mgmt_class == SA ? 2 : 1;
	mad[METHOD] = port->mgmt_class == SA ? GET_TABLE : GET;
	put32(mad + TID_LOW, tid);
	mad[ATTRIBUTE + 1] = 0x11;
	if (port->mgmt_class == VENDOR)
		put32(mad + OUI_AT, OUI);
	if (!smp)
		return;
	memset(mad + DR_LIDS, 0xff, 4);
	mad[HOP_COUNT] = 1;
	mad[PATH + 1] = 1;
}

/* 0, or the errno of a write of so many bytes of MAD. */
static int write_size(struct port *port, int agent, int size, int timeout_ms)
{
	errno = 0;
	return umad_send(port->fd, agent, port->buffer, size, timeout_ms, 0) ? errno : 0;
}

static int send_request(struct port *port, uint32_t tid, int timeout_ms)
{
	fill(port, tid);
	return write_size(port, port->agent, MAD, timeout_ms);
}

/* The bytes of MAD that a read of at most size returns, or a negative errno; within ms. */
static int receive(struct port *port, int size, int ms)
{
	int length = size, agent;

	memset(port->buffer, 0, sizeof(port->buffer));
	errno = 0;
	agent = umad_recv(port->fd, port->buffer, &length, ms);
	return agent < 0 ? (errno ? -errno : agent) : length;
}

static uint32_t tid_of(struct port *port)
{
	uint32_t tid;

	memcpy(&tid, mad_of(port) + TID_LOW, sizeof(tid));
	return be32toh(tid);
}

static void make_response(struct cases_frame *frame)
{
	uint32_t qpn = frame->sqpn;
	uint16_t lid = frame->slid;

	frame->sqpn = frame->dqpn;
	frame->dqpn = qpn;
	frame->slid = frame->dlid;
	frame->dlid = lid;
	frame->mad[METHOD] |= RESPONSE;
	if (frame->mad[CLASS] == SMP) {
		frame->mad[STATUS] |= 0x80;
		frame->mad[RETURN_PATH + frame->mad[HOP_COUNT]] = 1;
	}
}

/* Sends a request, and makes the response to it, which has not arrived yet. */
static void ask(struct port *port, uint32_t tid, int timeout_ms, struct cases_frame *response)
{
	memset(response, 0, sizeof(*response));
	check(send_request(port, tid, timeout_ms), 0);
	check(cases_take(response), true);
	make_response(response);
}

static unsigned take_all(void)
{
	struct cases_frame frame;
	unsigned count = 0;

	while (cases_take(&frame))
		count++;
	return count;
}

static void check_received(struct port *port, uint32_t tid)
{
	check(receive(port, MAD, LONG), MAD);
	check(umad_status(port->buffer), 0);
	check(tid_of(port), tid);
}

/* What was put before is dropped, if it was for the request with this ID: the next that is read is
 * a response to another request. */
static void check_dropped(struct port *port)
{
	static uint32_t tid = 0x70000;
	struct cases_frame good;

	ask(port, ++tid, LONG, &good);
	cases_put(&good);
	check_received(port, tid);
}

static void check_returned(struct port *port, uint32_t tid)
{
	check(receive(port, MAD, LONG), RETURNED);
	check(umad_status(port->buffer), TIMED_OUT);
	check(tid_of(port), tid);
}

CASE(a_request_leaves_and_its_response_is_read, SMP, 0)
{
	struct cases_frame response;

	ask(port, 0x11, LONG, &response);
	cases_put(&response);
	check_received(port, 0x11);
	check(header_of(port)->agent_id, port->agent);
	check(header_of(port)->length, umad_size() + MAD);
	check(be16toh(umad_get_mad_addr(port->buffer)->lid), 0xffff);
	check(umad_get_mad_addr(port->buffer)->qpn, 0);
}

/* Byte `at` of the response has another value. */
static const struct {
	const char *what;
	uint16_t at;
	uint8_t value;
	bool is_delivered;
} differences[] = {
	{ "another attribute", ATTRIBUTE + 1, 0x15, true },
	{ "class version 9", 2, 9, true },
	{ "a status", STATUS + 1, 0x1c, true },
	{ "another TID", TID_LOW + 3, 0xee, false },
	{ "another upper half of the TID", TID, 0xee, false },
	{ "class 0x01", CLASS, 1, false },
	{ "base version 2", 0, 2, false },
};

CASE(what_a_response_is, SMP, 0)
{
	for (uint32_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++) {
		struct cases_frame response;

		ask(port, 0x100 + i, LONG, &response);
		response.mad[differences[i].at] = differences[i].value;
		cases_put(&response);
		if (differences[i].is_delivered)
			check_received(port, 0x100 + i);
		else
			check_dropped(port);
	}
}

CASE(a_second_or_late_response_is_dropped, SMP, 0)
{
	struct cases_frame response;

	ask(port, 0x30, LONG, &response);
	cases_put(&response);
	cases_put(&response);
	check_received(port, 0x30);
	check_dropped(port);
	ask(port, 0x31, SHORT, &response);
	check_returned(port, 0x31);
	cases_put(&response);
	check_dropped(port);
	ask(port, 0x32, 0, &response); /* no response is expected */
	cases_put(&response);
	check_dropped(port);
}

CASE(a_request_is_returned, SMP, 0)
{
	struct ib_user_mad *header;

	fill(port, 0x40);
	header_of(port)->length = 4711;
	umad_get_mad_addr(port->buffer)->qkey = htobe32(0x1234);
	umad_get_mad_addr(port->buffer)->sl = 2;
	check(umad_send(port->fd, port->agent, port->buffer, MAD, SHORT, 1), 0);
	check(umad_poll(port->fd, LONG), 0);
	check(receive(port, RETURNED - 1, 0), -EINVAL);
	check_returned(port, 0x40);
	header = header_of(port);
	check(header->agent_id, port->agent);
	check(header->length, 4711);
	check(header->timeout_ms, SHORT);
	check(header->retries, 1);
	check(be32toh(header->addr.qkey), 0x1234);
	check(header->addr.sl, 2);
	check(mad_of(port)[HOP_POINTER], 0);
	check(mad_of(port)[HOP_COUNT], 1);
}

CASE(returns_come_by_deadline, SMP, 0)
{
	static const int timeouts[] = { 400, 100, 250 };

	for (uint32_t i = 0; i < 3; i++)
		check(send_request(port, 0x50 + i, timeouts[i]), 0);
	check_returned(port, 0x51);
	check_returned(port, 0x52);
	check_returned(port, 0x50);
}

/* Each attempt has the whole timeout: the second of these is returned before the first. */
CASE(retries, SMP, 0)
{
	enum { RETRIES = 3 };

	fill(port, 0x58);
	check(umad_send(port->fd, port->agent, port->buffer, MAD, 2 * SHORT, RETRIES), 0);
	check(send_request(port, 0x59, 5 * SHORT), 0);
	check(send_request(port, 0x5a, 20 * SHORT), 0);
	check_returned(port, 0x59);
	check_returned(port, 0x58);
	check_returned(port, 0x5a);
	if (!cases_missing(CASES_REPEATS))
		check(take_all(), RETRIES + 3);
}

CASE(a_request_without_an_end_is_not_returned, SMP, 0)
{
	struct cases_frame response;

	ask(port, 0x60, -1, &response);
	check(send_request(port, 0x61, SHORT), 0);
	check_returned(port, 0x61);
	check(receive(port, MAD, 200), -ETIMEDOUT);
	cases_put(&response);
	check_received(port, 0x60);
}

TEST(a_transaction_id_is_held)
{
	struct cases_frame response, other;
	struct port port, second;
	int agent;

	if (!begin(&port, SMP, 0))
		return;
	agent = umad_register(port.fd, SMP, 1, 0, NULL);
	check(agent > port.agent, true);
	ask(&port, 0x70, LONG, &response);
	check(send_request(&port, 0x70, LONG), EINVAL);
	fill(&port, 0x70);
	put32(mad_of(&port) + TID, 0xabcd); /* the kernel has its own upper half */
	check(write_size(&port, port.agent, MAD, LONG), EINVAL);
	fill(&port, 0x70);
	check(write_size(&port, agent, MAD, LONG), 0);
	check(cases_take(&other), true);
	if (!cases_missing(CASES_FILES)) {
		open_port(&second, SMP, 0);
		check(send_request(&second, 0x70, LONG), 0);
		check(umad_close_port(second.fd), 0);
	}
	make_response(&other);
	cases_put(&other);
	check_received(&port, 0x70);
	check(header_of(&port)->agent_id, agent);
	cases_put(&response);
	check_received(&port, 0x70);
	check(header_of(&port)->agent_id, port.agent);
	end(&port);
}

/* It is free when the request is returned, before that is read; after a response it may take a
 * moment. */
CASE(a_transaction_id_is_free_again, SMP, 0)
{
	struct cases_frame response;
	int error;

	check(send_request(port, 0x80, SHORT), 0);
	check(umad_poll(port->fd, LONG), 0);
	check(send_request(port, 0x80, SHORT), 0);
	check_returned(port, 0x80);
	check_returned(port, 0x80);
	take_all();
	ask(port, 0x80, LONG, &response);
	cases_put(&response);
	check_received(port, 0x80);
	while ((error = send_request(port, 0x80, SHORT)) == EINVAL)
		umad_poll(port->fd, 1);
	check(error, 0);
	check_returned(port, 0x80);
}

CASE_WITH(a_response_is_readable_before_its_id_is_free, CASES_LATE_TID, SMP, 0)
{
	struct cases_frame response;

	ask(port, 0x81, LONG, &response);
	cases_put(&response);
	check_received(port, 0x81);
	check(send_request(port, 0x81, SHORT), EINVAL);
}

/* The sizes that umad_send() refuses itself are those of the kernel, or what old ones overran. */
TEST(sizes_of_writes)
{
	struct port port;

	if (!begin(&port, GMP, 0))
		return;
	fill(&port, 0x90);
	check(write_size(&port, port.agent, 35, SHORT), EINVAL);
	check(write_size(&port, port.agent, MAD + 1, SHORT), EINVAL);
	check(write_size(&port, port.agent, 36, SHORT), 0);
	check_returned(&port, 0x90);
	end(&port);
	if (!begin(&port, SA, 1))
		return;
	fill(&port, 0x91);
	check(write_size(&port, port.agent, 55, SHORT), EINVAL);
	check(write_size(&port, port.agent, 56, SHORT), 0);
	check_returned(&port, 0x91);
	end(&port);
}

CASE(agents, SMP, 0)
{
	int agents[31], id;

	fill(port, 0xa0);
	check(write_size(port, 31, MAD, SHORT), EIO);
	check(write_size(port, 32, MAD, SHORT), EINVAL);
	for (int i = 0; i < 31; i++)
		agents[i] = umad_register(port->fd, SMP, 1, 0, NULL);
	check(agents[30], 31);
	check(umad_register(port->fd, SMP, 1, 0, NULL), -EPERM);
	check(errno, ENOMEM);
	check(umad_unregister(port->fd, agents[10]), 0);
	check(umad_unregister(port->fd, agents[10]), -EINVAL);
	id = umad_register(port->fd, SMP, 1, 0, NULL);
	check(id, agents[10]);
	check(umad_unregister(port->fd, 0), 0); /* the first one's, like any other */
}

CASE(requests_of_an_agent_that_is_gone_are_not_returned, SMP, 0)
{
	int agent;

	agent = umad_register(port->fd, SMP, 1, 0, NULL);
	fill(port, 0xb0);
	check(write_size(port, agent, MAD, SHORT), 0);
	check(umad_unregister(port->fd, agent), 0);
	check(send_request(port, 0xb1, 3 * SHORT), 0);
	check_returned(port, 0xb1);
	check(receive(port, MAD, 3 * SHORT), -ETIMEDOUT);
}

/* 6.1 and 6.12 never return it, 7.2 does: either way the next one works. */
CASE_WITH(a_send_that_completes_with_an_error, CASES_FAILING, SMP, 0)
{
	struct cases_frame response;
	int length;

	cases_fail_send();
	check(send_request(port, 0xc0, SHORT), 0);
	length = receive(port, MAD, 500);
	check(length == -ETIMEDOUT || length == RETURNED, true);
	check(cases_take(&response), false);
	ask(port, 0xc0, LONG, &response);
	cases_put(&response);
	check_received(port, 0xc0);
}

CASE(small_buffers, SMP, 0)
{
	struct cases_frame response;

	ask(port, 0xd0, LONG, &response);
	cases_put(&response);
	check(umad_poll(port->fd, LONG), 0);
	check(receive(port, MAD - 1, 0), -EINVAL);
	check_received(port, 0xd0);
}

CASE(small_buffers_for_messages, SA, 1)
{
	enum { HEADER = 56, SIZE = 600 };
	struct cases_frame request;
	int length = MAD;

	check(send_request(port, 0xe0, LONG), 0);
	check(cases_take(&request), true);
	cases_put_message(&request, HEADER, SIZE);
	check(umad_poll(port->fd, LONG), 0);
	check(receive(port, MAD - 1, 0), -EINVAL);
	check(umad_recv(port->fd, port->buffer, &length, 0), -ENOSPC);
	check(length, HEADER + SIZE);
	check(tid_of(port), 0xe0);			/* the first segment is copied */
	check(mad_of(port)[MAD - 1], (MAD - 1) & 0xff); /* with its data */
	check(receive(port, SPACE, 0), HEADER + SIZE);
	check(header_of(port)->length, umad_size() + HEADER + SIZE);
	check(mad_of(port)[HEADER + SIZE - 1], (HEADER + SIZE - 1) & 0xff);
}

/* A segment of the response to a request. */
static void put_segment(struct cases_frame *response, uint32_t number, uint8_t flags,
			uint32_t length)
{
	response->mad[RMPP] = 1;
	response->mad[RMPP + 1] = DATA;
	response->mad[RMPP + 2] = ACTIVE | flags;
	put32(response->mad + RMPP + 4, number);
	put32(response->mad + RMPP + 8, length);
	cases_put(response);
}

/* Segments do not extend the timeout of the request, which is sent again whole. */
CASE_WITH(a_message_in_part_does_not_extend_the_timeout, CASES_SEGMENTS, SA, 1)
{
	struct cases_frame request, response;

	fill(port, 0xe1);
	check(umad_send(port->fd, port->agent, port->buffer, MAD, 200, 1), 0);
	check(cases_take(&request), true);
	response = request;
	make_response(&response);
	put_segment(&response, 1, FIRST, 0);
	check_returned(port, 0xe1);
	check(take_all(), 2); /* an acknowledgement, and the request */
}

/* However long the request waits, and though segments arrive. */
CASE_WITH(a_message_has_40_seconds_from_its_first_segment, CASES_SEGMENTS, SA, 1)
{
	enum { COUNT = 4, INTERVAL_MS = 9500, TIMES_OUT = 118 };
	struct cases_frame response, abort;

	ask(port, 0xe4, 5 * LONG, &response);
	for (uint32_t i = 1; i <= COUNT; i++) {
		put_segment(&response, i, i == 1 ? FIRST : 0, 0);
		check(receive(port, SPACE, INTERVAL_MS), -ETIMEDOUT);
	}
	check(take_all(), 1); /* an acknowledgement of the first */
	put_segment(&response, COUNT + 1, 0, 0);
	check(receive(port, SPACE, INTERVAL_MS), -ETIMEDOUT);
	check(cases_take(&abort), true);
	check(abort.mad[RMPP + 1], ABORT);
	check(abort.mad[RMPP + 3], TIMES_OUT);
	put_segment(&response, COUNT + 2, LAST, SEGMENT + SEGMENT_HEADER);
	check_returned(port, 0xe4);
}

/* A timeout of 0 is one of some seconds then. */
CASE_WITH(a_message_that_is_not_acknowledged_is_returned, CASES_SEGMENTS, SA, 1)
{
	struct cases_frame segment;

	for (uint32_t i = 0; i < 2; i++) {
		fill(port, 0xe3 + i);
		mad_of(port)[RMPP] = 1;
		mad_of(port)[RMPP + 2] = ACTIVE;
		check(write_size(port, port->agent, 56 + 1000, i ? 0 : 200), 0);
		check_returned(port, 0xe3 + i);
		while (cases_take(&segment)) {
			check(segment.mad[RMPP + 1], DATA);
			check(segment.mad[RMPP + 7], 1); /* the first, again and again */
		}
	}
}

static bool is_sm(void)
{
	umad_port_t attributes;
	bool is_set;

	check(umad_get_port(cases_device, 1, &attributes), 0);
	is_set = be32toh(attributes.capmask) & IS_SM;
	check(umad_release_port(&attributes), 0);
	return is_set;
}

/* As long as the device is open, and once at a time. */
CASE_WITH(the_device_of_a_subnet_manager, CASES_ISSM, SMP, 0)
{
	char path[256];
	int fd;

	check(umad_get_issm_path(cases_device, 1, path, sizeof(path)), 0);
	check(is_sm(), false);
	fd = open(path, O_NONBLOCK);
	check(fd >= 0, true);
	check(is_sm(), true);
	check(open(path, O_NONBLOCK), -1);
	check(errno, EAGAIN);
	close(fd);
	check(is_sm(), false);
}

/* These are returned next, in any order. */
static void check_returned_all(struct port *port, uint32_t first, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		check(receive(port, MAD, LONG), RETURNED);
		check(umad_status(port->buffer), TIMED_OUT);
		check(tid_of(port) >= first && tid_of(port) < first + count, true);
	}
}

/* All writes succeed, also of what the kernel holds back. That leaves as other requests end, and
 * its timeout begins then. */
static void send_many(int mgmt_class)
{
	enum { MORE = 10, MOST = 128 };
	unsigned window = cases_window(mgmt_class);
	unsigned held = window ? MORE : 0, sent = window ? window : MOST;
	struct port port;

	if (!begin(&port, mgmt_class, mgmt_class == SA))
		return;
	for (uint32_t i = 0; i < sent + held; i++)
		check(send_request(&port, 0x1000 + i, 8 * SHORT), 0);
	check(take_all(), sent);
	check_returned_all(&port, 0x1000, sent);
	check(take_all(), held);
	check(receive(&port, MAD, 0), -EAGAIN);
	check_returned_all(&port, 0x1000 + sent, held);
	check(receive(&port, MAD, 2 * SHORT), -ETIMEDOUT);
	end(&port);
}

TEST(many_smps)
{
	send_many(SMP);
}

TEST(many_requests_to_the_sa)
{
	send_many(SA);
}

TEST(many_requests_of_performance_management)
{
	send_many(GMP);
}

/* A response lets the next one leave. The transaction ID of what is held back is as taken as
 * others. */
CASE(what_is_held_back, SA, 1)
{
	unsigned window = cases_window(SA);
	struct cases_frame first, next;

	if (!window) {
		cases_skip("this kernel holds nothing back");
		return;
	}
	ask(port, 0x2000, LONG, &first);
	for (uint32_t i = 1; i <= window; i++)
		check(send_request(port, 0x2000 + i, LONG), 0);
	check(take_all(), window - 1);
	check(send_request(port, 0x2000 + window, LONG), EINVAL);
	cases_put(&first);
	check_received(port, 0x2000);
	check(cases_take(&next), true);
	check(next.mad[TID_LOW + 3], window);
}

CASE(a_removed_device, SMP, 0)
{
	struct umad_reg_attr attr = { .mgmt_class = SMP, .mgmt_class_version = 1 };
	struct cases_frame response;
	uint32_t id;

	check(cases_poll(port->fd, POLLIN | POLLOUT), POLLOUT);
	ask(port, 0xf0, LONG, &response);
	cases_put(&response);
	check(umad_poll(port->fd, LONG), 0);
	check(cases_poll(port->fd, POLLIN | POLLOUT), POLLIN | POLLOUT);
	cases_remove();
	check(cases_poll(port->fd, POLLIN | POLLOUT), POLLERR);
	check(umad_poll(port->fd, LONG), -EIO);
	check(receive(port, MAD, 0), -EIO); /* what was there to read is lost */
	check(receive(port, MAD, LONG), -EIO);
	check(send_request(port, 0xf1, SHORT), EIO);
	check(umad_register(port->fd, SMP, 1, 0, NULL), -EPERM);
	check(errno, EPIPE);
	check(umad_register2(port->fd, &attr, &id), EPIPE);
	check(umad_unregister(port->fd, port->agent), -EINVAL);
	check(umad_open_port(cases_device, 1) < 0, true);
}

typedef long method_mask[16 / sizeof(long)];

static void set_method(method_mask mask, unsigned method)
{
	const unsigned bits = 8 * sizeof(long);

	memset(mask, 0, sizeof(method_mask));
	mask[method / bits] = (long)(1UL << method % bits);
}

/* Each method of a class, and of a vendor, is one agent's. */
CASE_WITH(one_agent_a_method, CASES_AGENTS, VENDOR, 0)
{
	static uint8_t ours[] = { 0x00, 0x14, 0x05 }, other[] = { 0x00, 0x02, 0xc9 };
	static const uint8_t methods[] = { GET, 0x7f };
	method_mask mask;
	int agent;

	for (size_t i = 0; i < sizeof(methods); i++) {
		struct umad_reg_attr attr = { .mgmt_class = VENDOR, .mgmt_class_version = 1 };
		uint32_t id;

		attr.oui = OUI;
		attr.method_mask[methods[i] / 64] = 1ULL << methods[i] % 64;
		set_method(mask, methods[i]);
		agent = umad_register(port->fd, VENDOR, 1, 0, mask);
		check(agent > port->agent, true);
		check(umad_register(port->fd, VENDOR, 1, 0, mask), -EPERM);
		check(errno, EINVAL);
		check(umad_register_oui(port->fd, VENDOR, 0, ours, mask), -EPERM);
		check(umad_register2(port->fd, &attr, &id), EINVAL);
		attr.flags = UMAD_USER_RMPP; /* which stays, as the kernel knows it */
		check(umad_register2(port->fd, &attr, &id), EINVAL);
		check(attr.flags, UMAD_USER_RMPP);
		check(umad_register_oui(port->fd, VENDOR, 0, other, mask) > agent, true);
		check(umad_unregister(port->fd, agent), 0);
		attr.flags = 0;
		check(umad_register2(port->fd, &attr, &id), 0);
		check(id, agent);
	}
	check(umad_close_port(port->fd), 0);
	open_port(port, VENDOR, 0); /* all are free */
	check(umad_register_oui(port->fd, VENDOR, 0, other, mask) > port->agent, true);
}

CASE_WITH(agents_that_can_not_be, CASES_AGENTS, GMP, 0)
{
	struct umad_reg_attr attr = { .mgmt_class = VENDOR, .mgmt_class_version = 1, .oui = OUI };
	uint32_t id;

	attr.flags = 1U << 7 | UMAD_USER_RMPP;
	check(umad_register2(port->fd, &attr, &id), EINVAL);
	check(attr.flags, UMAD_USER_RMPP);			 /* what the kernel knows of them */
	check(umad_register(port->fd, GMP, 1, 1, NULL), -EPERM); /* a class without RMPP */
}

/* A request arrives for the agent of its method, class and OUI, and that one's response leaves. */
CASE_WITH(requests_for_an_agent, CASES_AGENTS, VENDOR, 0)
{
	struct cases_frame request, frame;
	method_mask mask;
	int server, length = MAD;

	set_method(mask, SET);
	server = umad_register(port->fd, VENDOR, 1, 0, mask);
	ask(port, 0x42, LONG, &request);
	request.mad[METHOD] = SET;
	request.mad[MAD - 1] = 0xa5;
	cases_put(&request);
	check(umad_recv(port->fd, port->buffer, &length, LONG), server);
	check(length, MAD);
	check(tid_of(port), 0x42);
	check(mad_of(port)[MAD - 1], 0xa5);
	check(be16toh(umad_get_mad_addr(port->buffer)->lid), LID);
	mad_of(port)[METHOD] = GET | RESPONSE;
	umad_get_mad_addr(port->buffer)->qkey = htobe32(QKEY);
	check(write_size(port, server, MAD, 0), 0);
	check(cases_take(&frame), true);
	check(frame.mad[METHOD], GET | RESPONSE);
	check(frame.dlid, request.slid);
	check(frame.mad[MAD - 1], 0xa5);
	request.mad[OUI_AT + 3] ^= 1;
	cases_put(&request);
	check(receive(port, MAD, 0), -EAGAIN);
}

/* Only bit 0 of its attribute modifier tells it from a request. */
CASE_WITH(a_send_of_board_management_gets_a_response, CASES_AGENTS, BOARD, 0)
{
	struct cases_frame response;

	fill(port, 0x43);
	mad_of(port)[METHOD] = SEND;
	check(write_size(port, port->agent, MAD, LONG), 0);
	check(cases_take(&response), true);
	make_response(&response);
	response.mad[METHOD] = SEND;
	cases_put(&response);
	check(receive(port, MAD, 2 * SHORT), -ETIMEDOUT);
	response.mad[MODIFIER_LOW] |= 1;
	cases_put(&response);
	check_received(port, 0x43);
}
