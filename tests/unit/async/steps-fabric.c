/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* steps-fabric.c - what is behind the port in a case of steps.tbl, and what is received from it. */
#include "steps-run.h"
#include "test.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_RULES = 10,
	ATTRIBUTES = 256,
	REMEMBERED = 16384,
	LONGEST = 300000,
	RECORDS = 100,
	STEPS = 16
};
enum { TID_AT = 12, RECORD_SIZE_AT = 44, SA_DATA_AT = 56, RECORD_SIZE = 112 };

/* The fate of the requests that match: the first rule counts. */
struct rule {
	char *lid, *mod, *mgmt_class, *attr, *attempt; /* ranges; NULL: any */
	long every, until_ms;
	long left;	 /* how often it matches; below 0: always */
	int64_t step_us; /* for each modifier */
	struct responder_response response;
};

static struct rule rules[MAX_RULES];
static int rule_count;
static unsigned written[ATTRIBUTES];  /* by attribute */
static unsigned attempts[REMEMBERED]; /* by modifier and attribute */
static uint8_t data[LONGEST];
static int write_ms; /* duration of a write */
struct steps_mark steps_mark;

void steps_fabric_reset(void)
{
	for (int i = 0; i < rule_count; i++) {
		free(rules[i].lid);
		free(rules[i].mod);
		free(rules[i].mgmt_class);
		free(rules[i].attr);
		free(rules[i].attempt);
	}
	rule_count = 0;
	memset(written, 0, sizeof(written));
	memset(attempts, 0, sizeof(attempts));
	steps_mark = (struct steps_mark){ 0 };
}

int steps_data_at(unsigned mgmt_class)
{
	return mgmt_class == IB_SA_CLASS ? SA_DATA_AT : IB_SMP_DATA_OFFS;
}

static bool fits(const char *range, long number)
{
	return !range || steps_in_range(range, number);
}

static bool matches(struct rule *rule, const struct responder_request *request, unsigned attr,
		    unsigned attempt)
{
	if (!fits(rule->lid, (long)request->lid) || !fits(rule->mod, (long)request->attr_mod) ||
	    !fits(rule->mgmt_class, (long)request->mgmt_class) || !fits(rule->attr, (long)attr) ||
	    !fits(rule->attempt, (long)attempt) ||
	    (rule->every && request->attr_mod % (unsigned long)rule->every) ||
	    (rule->until_ms && responder_now_us() >= steps_mark.us + rule->until_ms * 1000))
		return false;
	if (rule->left > 0)
		return rule->left--;
	return rule->left < 0;
}

/* Every response has the LID and the modifier that were asked for, and a pattern behind them. */
static void fill(const struct responder_request *request, struct responder_response *response)
{
	response->data_offset = (size_t)steps_data_at(request->mgmt_class);
	response->data = data;
	response->data_size = 2;
	data[0] = (uint8_t)request->lid;
	data[1] = (uint8_t)request->attr_mod;
	if (response->length)
		response->data_size = response->length - response->data_offset;
	for (size_t i = 2; i < response->data_size; i++)
		data[i] = (uint8_t)(i % 251);
}

static void fill_table(struct responder_response *response)
{
	static const uint8_t size[] = { 0, RECORD_SIZE / 8 };

	response->length = SA_DATA_AT + RECORDS * RECORD_SIZE;
	response->data = size;
	response->data_size = sizeof(size);
	response->data_offset = RECORD_SIZE_AT;
}

static void decide(const struct responder_request *request, struct responder_response *response,
		   void *context)
{
	unsigned attr = request->mad[17];
	unsigned attempt = ++attempts[(attr * 64 + request->attr_mod) % REMEMBERED];

	(void)context;
	written[attr]++;
	for (int i = 0; i < rule_count; i++) {
		if (!matches(&rules[i], request, attr, attempt))
			continue;
		*response = rules[i].response;
		response->delay_us += rules[i].step_us * (request->attr_mod % STEPS);
		break;
	}
	if (response->length == SIZE_MAX)
		fill_table(response);
	else
		fill(request, response);
}

static char *copy_value(const char *name)
{
	const char *value = steps_value(name);

	return value ? strdup(value) : NULL;
}

void steps_plan(void)
{
	struct rule *rule = &rules[rule_count];

	if (steps_has("none")) {
		rule_count = 0;
		return;
	}
	assert_true(rule_count++ < MAX_RULES);
	steps_has("any");
	*rule = (struct rule){
		.lid = copy_value("lid"),
		.mod = copy_value("mod"),
		.mgmt_class = copy_value("class"),
		.attr = copy_value("attr"),
		.attempt = copy_value("attempt"),
		.every = steps_number("every", 0),
		.until_ms = steps_number("until", 0),
		.step_us = steps_number("step", 0),
		.left = steps_number("times", -1),
	};
	rule->response = (struct responder_response){
		.silent = steps_has("silent"),
		.send_fails = steps_has("sendfails"),
		.delay_us = 1000 * steps_number("after", 0),
		.status = (uint16_t)steps_number("status", 0),
		.returned = (uint32_t)steps_number("returned", 0),
		.copies = (int)steps_number("copies", 0),
		.length = steps_has("records") ? SIZE_MAX : (size_t)steps_number("length", 0),
		.write_error = steps_has("error") ? steps_error(steps_value("error")) : 0,
	};
}

static void write_slowly(const struct responder_request *request, void *context)
{
	(void)request;
	(void)context;
	responder_pass(write_ms);
}

/* The kernel, which may be another before the port is opened. */
void steps_kernel(void)
{
	if (steps_has("silent"))
		responder_stays_silent();
	if (steps_has("returns"))
		responder_gives_back((int)steps_number("returns", 0));
	if (steps_has("limited")) {
		responder_act_as_kernel(steps_has("contained"));
		responder_limits_agents();
	}
	write_ms = (int)steps_number("write", 0);
	responder_before_writes(write_ms ? write_slowly : NULL, NULL);
	responder_plan(decide, NULL);
}

struct ibmad_port *steps_port(void)
{
	static struct ibmad_port *port;

	if (kernel_count_open())
		return port;
	port = open_port("mlx5_0");
	if (kernel.policy->virtual_time) /* not the first one of the case */
		return port;
	use_clock(true);
	steps_mark.us = responder_now_us();
	responder_plan(decide, NULL);
	return port;
}

static void put_tid(uint8_t *mad, uint32_t tid)
{
	uint32_t big_endian = htobe32(tid);

	memcpy(mad + TID_AT, &big_endian, sizeof(big_endian));
}

static uint32_t tid_of(void *umad)
{
	return (uint32_t)mad_get_field64(umad_get_mad(umad), 0, IB_MAD_TRID_F);
}

/* A request to a server. */
static void make_unsolicited(uint8_t *packet)
{
	uint8_t *mad = packet + RESPONDER_HEADER;

	((struct ib_user_mad *)(void *)packet)->addr.lid = htobe16(7);
	memcpy(mad, "\1\4\1\1", 4);
	mad[17] = 0x12;
}

/* Unsolicited MADs; or the response to what was written as number "like", as its port sends it. */
void steps_deliver(void)
{
	size_t length = (size_t)steps_number("length", RESPONDER_MAD);
	uint8_t *packet = calloc(1, RESPONDER_HEADER + length + RESPONDER_MAD);
	uint8_t *mad = packet + RESPONDER_HEADER;
	uint32_t tid = (uint32_t)steps_number("tid", 0);
	unsigned like = (unsigned)steps_number("like", 0);

	assert_non_null(packet);
	steps_port();
	make_unsolicited(packet);
	if (like) {
		tid += responder_record(like).tid;
		((struct ib_user_mad *)(void *)packet)->addr.lid =
			htobe16(responder_record(like).lid);
		if (like <= RESPONDER_KEPT)
			responder_written(like, packet);
		mad[3] |= IB_MAD_RESPONSE;
	}
	if (steps_has("rmpp"))
		memcpy(mad + 24, "\1\1\xf9", 3);
	mad[0] = (uint8_t)steps_number("base", mad[0]);
	mad[1] = (uint8_t)steps_number("class", mad[1]);
	mad[3] = (uint8_t)steps_number("method", mad[3]);
	mad[17] = (uint8_t)steps_number("attr", mad[17]);
	((struct ib_user_mad *)(void *)packet)->status = 0;
	((struct ib_user_mad *)(void *)packet)->length = (uint32_t)(RESPONDER_HEADER + length);
	for (long i = steps_number("count", 1); i > 0; i--) {
		put_tid(mad, tid++);
		responder_deliver(0, packet, RESPONDER_HEADER + length);
	}
	free(packet);
}

static bool was_written(uint32_t tid)
{
	for (unsigned i = 1; i <= responder_writes(); i++)
		if (responder_record(i).tid == tid)
			return true;
	return false;
}

static void check_received(void *umad)
{
	uint32_t tid = tid_of(umad);
	unsigned like = (unsigned)steps_number("like", 0);

	assert_int_equal(umad_status(umad), 0);
	steps_check("tid", tid);
	steps_check("length", ((struct ib_user_mad *)umad)->length - RESPONDER_HEADER);
	if (like)
		assert_int_equal(tid, responder_record(like).tid);
	if (steps_has("sent"))
		assert_true(((uint8_t *)umad_get_mad(umad))[3] == 0x81 && was_written(tid));
}

/* mad_receive_via(), into a buffer for one MAD or without a buffer. */
void steps_receive(void)
{
	int ms = (int)steps_number("ms", 1000);
	bool has_buffer = steps_has("buffer"), fails = steps_has("fails");
	int error = fails ? steps_error(steps_value("fails")) : 0;

	for (long i = steps_number("count", 1); i > 0; i--) {
		void *buffer = has_buffer ? mad_alloc() : NULL, *umad;

		errno = 0;
		umad = mad_receive_via(buffer, ms, steps_port());
		if (!umad != fails || (!umad && errno != error))
			fail_msg("received %s, errno %d, TID 0x%x", umad ? "a MAD" : "nothing",
				 errno, umad ? tid_of(umad) : 0);
		if (umad)
			check_received(umad);
		mad_free(umad ? umad : buffer);
	}
}

/* mad_send_via(), to one LID after the other; "mine": every second has an ID of the program. */
void steps_send(void)
{
	int lid = (int)steps_number("lid", 5), lids = (int)steps_number("lids", 1);
	int mgmt_class = (int)steps_number("class", IB_PERFORMANCE_CLASS);
	int timeout = (int)steps_number("timeout", 1000);
	bool mine = steps_has("mine");

	for (long i = 0, count = steps_number("count", 1); i < count; i++) {
		ib_portid_t to = { .lid = lid + (int)i % lids,
				   .qp = 1,
				   .qkey = IB_DEFAULT_QP1_QKEY };
		ib_rpc_t rpc = { .mgtclass = mgmt_class,
				 .method = IB_MAD_METHOD_GET,
				 .attr = { .id = 0x12 },
				 .timeout = timeout,
				 .trid = mine && i % 2 ? 0x77770000 + (uint64_t)i : 0 };

		assert_int_equal(mad_send_via(&rpc, &to, NULL, NULL, steps_port()), 0);
	}
}

/* A query for all NodeRecords. */
void steps_table(void)
{
	struct mad_sa_request query = { .attr_id = IB_SA_ATTR_NODERECORD,
					.sm_key = (uint64_t)steps_number("key", 0),
					.timeout_ms = (int)steps_number("timeout", 0) };
	ib_portid_t sm = { .lid = 1 };
	struct mad_sa_table *table = mad_sa_query(steps_port(), &sm, &query, NULL);
	int error = table ? 0 : errno;

	assert_int_equal(error, steps_error(steps_next()));
	if (table)
		assert_int_equal(mad_sa_table_count(table), RECORDS);
	mad_sa_table_free(table);
}

/* Whether requests were written in the order of their modifiers: all, or those to each LID. */
void steps_ordered(void)
{
	static int64_t last[UINT16_MAX + 1];
	bool by_lid = !steps_has("all") && steps_has("lid");

	memset(last, 0xff, sizeof(last));
	for (unsigned i = steps_mark.writes + 1; i <= responder_writes(); i++) {
		struct responder_record record = responder_record(i);
		int64_t *before = &last[by_lid ? record.lid : 0];

		assert_true(*before < record.attr_mod);
		*before = record.attr_mod;
	}
}

/* How many transaction IDs the writes had. */
static long count_tids(void)
{
	long count = 0;

	for (unsigned i = steps_mark.writes + 1; i <= responder_writes(); i++) {
		unsigned j = steps_mark.writes + 1;

		while (responder_record(j).tid != responder_record(i).tid)
			j++;
		count += j == i;
	}
	return count;
}

void steps_count(void)
{
	steps_check("writes", responder_writes() - steps_mark.writes);
	steps_check("tried", responder_tried() - steps_mark.tried);
	steps_check("refused", responder_refused() - steps_mark.refused);
#if __has_include(<sys/single_threaded.h>) /* else waits for a simulator end every 2 ms */
	steps_check("polls", responder_polls(0) - steps_mark.polls);
#else
	steps_value("polls");
#endif
	steps_check("now", (responder_now_us() - steps_mark.us) / 1000);
	steps_check("most", responder_most_in_flight(0));
	steps_check("in_flight", responder_in_flight(0));
	steps_check("held", responder_held_back());
	steps_check("unread", responder_unread(0));
	steps_check("tables", written[IB_SA_ATTR_NODERECORD]);
	steps_check("class_infos", written[CLASS_PORT_INFO]);
	if (steps_has("tids"))
		steps_check("tids", count_tids());
}

void steps_statistics(void)
{
	struct mad_rpc_statistics now;

	assert_int_equal(mad_rpc_get_statistics(steps_port(), &now), 0);
	steps_check("sent", (long)now.sent);
	steps_check("retries", (long)now.retries);
	steps_check("timeouts", (long)now.timeouts);
	steps_check("errors", (long)now.errors);
	steps_check("unmatched", (long)now.unmatched);
}
