/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * How long SA tables are waited for where the caller says nothing: the kernel returns a request
 * whose response has not arrived as a whole, however much of it has. In virtual time.
 */
#include "test.h"
#include "fixture.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <string.h>

#define NODE_STRIDE  112
#define TRANSFER_MS  100000 /* of an SA that begins after a minute, with losses */
#define ATTEMPTS     3
#define US_PER_MS    1000
#define CLASS_INFO   1
#define ATTRIBUTE_AT 17

/* What the SA does. */
static struct {
	bool dead;
	int64_t transfer_ms;
	unsigned lost; /* requests for the table that it does not get */
	unsigned tables, others;
} sa;

static void respond(const struct responder_request *request, struct responder_response *response,
		    void *context)
{
	static const uint8_t size[] = { 0, NODE_STRIDE / 8 };

	(void)context;
	if (request->mad[ATTRIBUTE_AT] == CLASS_INFO) {
		sa.others++;
		response->silent = sa.dead;
		return;
	}
	sa.tables++;
	response->silent = sa.dead || sa.tables <= sa.lost;
	response->delay_us = sa.transfer_ms * US_PER_MS;
	response->length = IB_SA_DATA_OFFS + 100 * NODE_STRIDE;
	response->data = size;
	response->data_size = sizeof(size);
	response->data_offset = 44; /* the size of a record */
}

static int set_up(void **state)
{
	setup_port(state);
	responder_plan(respond, NULL);
	memset(&sa, 0, sizeof(sa));
	return 0;
}

#define CASE(name) TEST_WITH(name, set_up, teardown_port)

/* The errno, or 0 with a table. */
static int query_nodes(void **state, int timeout_ms)
{
	ib_portid_t sm = { .lid = 1 };
	struct mad_sa_table *table;

	table = mad_sa_query_all(*state, &sm, IB_SA_ATTR_NODERECORD, timeout_ms);
	if (!table)
		return errno;
	assert_int_equal(mad_sa_table_count(table), 100);
	mad_sa_table_free(table);
	return 0;
}

CASE(a_short_transfer_takes_one_request)
{
	sa.transfer_ms = 900;
	assert_int_equal(query_nodes(state, 0), 0);
	assert_int_equal(sa.tables, 1);
	assert_int_equal(sa.others, 0);
}

CASE(a_large_table_arrives_on_a_fabric_with_losses)
{
	sa.transfer_ms = TRANSFER_MS;
	assert_int_equal(query_nodes(state, 0), 0);
	assert_int_equal(sa.tables, ATTEMPTS + 2);
	assert_int_equal(sa.others, 2);
}

CASE(an_sa_without_the_table_is_given_up)
{
	int64_t began = responder_now_us();

	sa.lost = 1000;
	assert_int_equal(query_nodes(state, 0), ETIMEDOUT);
	assert_int_equal(sa.tables, ATTEMPTS + 2);
	assert_int_equal(sa.others, 2);
	assert_true(responder_now_us() - began < 3 * 60 * 1000 * (int64_t)US_PER_MS);
}

CASE(a_lost_request_costs_little)
{
	int64_t began = responder_now_us();

	sa.lost = ATTEMPTS;
	sa.transfer_ms = 900;
	assert_int_equal(query_nodes(state, 0), 0);
	assert_true(responder_now_us() - began < 5000 * US_PER_MS);
}

CASE(a_dead_sa_is_noticed_soon)
{
	int64_t began = responder_now_us();

	sa.dead = true;
	assert_int_equal(query_nodes(state, 0), ETIMEDOUT);
	assert_int_equal(sa.tables, ATTEMPTS);
	assert_int_equal(sa.others, ATTEMPTS);
	assert_true(responder_now_us() - began < 13000 * US_PER_MS);
}

CASE(a_timeout_of_the_caller_is_kept)
{
	sa.transfer_ms = 900;
	assert_int_equal(query_nodes(state, 800), ETIMEDOUT);
	assert_int_equal(sa.tables, ATTEMPTS);
	assert_int_equal(sa.others, 0);
}

/* An SA does not respond where the SM_Key is wrong, and does where there is none. */
CASE(a_key_of_the_query_is_not_waited_for)
{
	struct mad_sa_request query = { .attr_id = IB_SA_ATTR_NODERECORD, .sm_key = 0x5a };
	ib_portid_t sm = { .lid = 1 };
	struct mad_sa_table *table;

	sa.lost = 1000;
	assert_null(table = mad_sa_query(*state, &sm, &query, sizeof(query), NULL));
	assert_int_equal(errno, ETIMEDOUT);
	assert_int_equal(sa.tables, ATTEMPTS);
}
