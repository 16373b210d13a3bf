/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Port counters on a made-up fabric: a host with a name that needs care, on a switch. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "examples/fabric-sweep/counters.h"
#include "fake.h"

static struct fabric fabric;
static struct counters *counters;

static int read_all(void)
{
	struct run run = { .stop = &fake.stop };
	int host = fake_add_node(IB_NODE_CA, 2, "my \"host\",\nsaid it"), error;

	fake_cable(host, 1, fake_add_node(IB_NODE_SWITCH, 2, "switch"), 2);
	assert_int_equal(fabric_init(&fabric), 0);
	run.async = mad_async_create(NULL, NULL);
	assert_non_null(run.async);
	assert_int_equal(sweep_fabric(&run, &fabric), 0);
	error = counters_read(&run, &fabric, &counters);
	mad_async_destroy(run.async);
	return error;
}

static int setup(void **state)
{
	(void)state;
	fake_reset();
	counters = NULL;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	counters_free(counters);
	fabric_destroy(&fabric);
	return 0;
}

/* The lines of the file, without the heading, must be these. */
static void assert_lines(const char *wanted)
{
	char *text = NULL, *lines;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	assert_non_null(file);
	counters_write(counters, file);
	assert_int_equal(fclose(file), 0);
	lines = strchr(text, '\n');
	assert_non_null(lines);
	assert_string_equal(lines + 1, wanted);
	free(text);
}

#define SWITCH "0x0200000000000020,0x0200000000000020,switch,\"switch\""
#define HOST   "0x0200000000000010,0x0200000000000011,CA,\"my \\x22host\\x22,\\x0asaid it\""

static void reads_64_bits_and_no_base_port_0(void **state)
{
	(void)state;
	assert_int_equal(read_all(), 0);
	assert_lines(SWITCH ",1,2,Down,64,101,0,0,0,0,0,0,0,0,0,0,0,77,18446744073709551514,"
			    "0,0,0,5,0,0,0,\n" SWITCH
			    ",2,2,Active,64,102,0,0,0,0,0,0,0,0,0,0,0,77,18446744073709551513,"
			    "0,0,0,5,0,0,0,\n" HOST
			    ",1,1,Active,64,1,0,0,0,0,0,0,0,0,0,0,0,77,18446744073709551614,"
			    "0,0,0,5,0,0,0,\n");
	assert_int_equal(fake.asked[IB_ATTR_SWITCH_INFO], 1);
	assert_int_equal(fake.asked_perf[CLASS_PORT_INFO], 2);
	assert_int_equal(fabric.number_of_warnings, 0);
}

static void twist_old_agent(const struct fake_request *request, int node,
			    struct fake_answer *answer)
{
	(void)node;
	if (request->mgmt_class == IB_PERFORMANCE_CLASS && request->attribute == CLASS_PORT_INFO)
		answer->error = EIO;
}

static void reads_32_bits_where_there_are_no_more(void **state)
{
	(void)state;
	fake.twist = twist_old_agent;
	assert_int_equal(read_all(), 0);
	assert_lines(SWITCH ",1,2,Down,32,101,0,0,0,0,0,0,0,0,0,0,0,,4294967295,0,0,0,,,,,\n" SWITCH
			    ",2,2,Active,32,102,0,0,0,0,0,0,0,0,0,0,0,,4294967295,0,0,0,,,,,\n" HOST
			    ",1,1,Active,32,1,0,0,0,0,0,0,0,0,0,0,0,,4294967295,0,0,0,,,,,\n");
	assert_int_equal(fake.asked_perf[IB_GSI_PORT_COUNTERS_EXT], 0);
}

static void twist_no_unicast(const struct fake_request *request, int node,
			     struct fake_answer *answer)
{
	if (request->mgmt_class == IB_PERFORMANCE_CLASS && request->attribute == CLASS_PORT_INFO)
		mad_set_field(answer->data, 0, IB_CPI_CAPMASK_F, CAPABLE_OF_EXTENDED_NOIETF);
	(void)node;
}

static void leaves_out_what_an_agent_has_not(void **state)
{
	(void)state;
	fake.twist = twist_no_unicast;
	assert_int_equal(read_all(), 0);
	assert_lines(SWITCH ",1,2,Down,64,101,0,0,0,0,0,0,0,0,0,0,0,,18446744073709551514,"
			    "0,0,0,,,,,\n" SWITCH
			    ",2,2,Active,64,102,0,0,0,0,0,0,0,0,0,0,0,,18446744073709551513,"
			    "0,0,0,,,,,\n" HOST
			    ",1,1,Active,64,1,0,0,0,0,0,0,0,0,0,0,0,,18446744073709551614,"
			    "0,0,0,,,,,\n");
}

static void twist_silent_switch(const struct fake_request *request, int node,
				struct fake_answer *answer)
{
	if (request->mgmt_class == IB_PERFORMANCE_CLASS && node == 1 &&
	    request->attribute == IB_GSI_PORT_COUNTERS)
		answer->error = ETIMEDOUT;
}

#define NOTHING ",,,,,,,,,,,,,,,,,,,,,,"

static void asks_no_silent_agent_for_each_port(void **state)
{
	char *host_line = NULL;

	(void)state;
	fake.twist = twist_silent_switch;
	assert_int_equal(read_all(), 0);
	assert_int_equal(fake.asked_perf[IB_GSI_PORT_COUNTERS], 2);
	assert_int_equal(fabric.number_of_warnings, 1);
	assert_true(asprintf(&host_line, "%s,1,2,Down%s,no response\n%s,2,2,Active%s,no response\n%s%s",
			     SWITCH, NOTHING, SWITCH, NOTHING, HOST,
			     ",1,1,Active,64,1,0,0,0,0,0,0,0,0,0,0,0,77,18446744073709551614,"
			     "0,0,0,5,0,0,0,\n") > 0);
	assert_lines(host_line);
	free(host_line);
}

static void twist_refused_port(const struct fake_request *request, int node,
			       struct fake_answer *answer)
{
	if (request->mgmt_class == IB_PERFORMANCE_CLASS && node == 1 &&
	    request->attribute == IB_GSI_PORT_COUNTERS_EXT && request->modifier == 1)
		answer->error = EIO;
	if (request->mgmt_class == IB_PERFORMANCE_CLASS && node == 0)
		answer->length = 10;
}

/* If an agent refuses the counters of one port, it still reports those of others. */
static void goes_on_after_a_refusal(void **state)
{
	(void)state;
	fake.twist = twist_refused_port;
	assert_int_equal(read_all(), 0);
	assert_int_equal(counters->rows[1].stage, COUNTERS_FAILED);
	assert_int_equal(counters->rows[1].error, EIO);
	assert_int_equal(counters->rows[2].stage, COUNTERS_READ);
	assert_int_equal(counters->rows[3].error, EPROTO);
	assert_int_equal(fabric.number_of_warnings, 2);
}

static void twist_no_lid(const struct fake_request *request, int node, struct fake_answer *answer)
{
	if (request->mgmt_class != IB_PERFORMANCE_CLASS && node == 1 &&
	    request->attribute == IB_ATTR_PORT_INFO)
		mad_set_field(answer->data, 0, IB_PORT_LID_F, 0xffff);
}

static void asks_no_lid_that_is_none(void **state)
{
	(void)state;
	fake.twist = twist_no_lid;
	assert_int_equal(read_all(), 0);
	assert_int_equal(counters->rows[1].error, EADDRNOTAVAIL);
	assert_int_equal(counters->rows[3].stage, COUNTERS_READ);
	assert_int_equal(fabric.number_of_warnings, 1);
}

static void stops_when_told_to(void **state)
{
	(void)state;
	/* The sweep has 1 + 2 + 1 + 3 + 1 responses, the counters some more. */
	for (unsigned answers = 10; answers < 16; answers++) {
		fake_reset();
		fake.stop_after = answers;
		assert_int_equal(read_all(), -EINTR);
		assert_int_equal(fabric.number_of_warnings, 0);
		counters_free(counters);
		fabric_destroy(&fabric);
	}
	counters = NULL;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(reads_64_bits_and_no_base_port_0),
		TEST(reads_32_bits_where_there_are_no_more),
		TEST(leaves_out_what_an_agent_has_not),
		TEST(asks_no_silent_agent_for_each_port),
		TEST(goes_on_after_a_refusal),
		TEST(asks_no_lid_that_is_none),
		TEST(stops_when_told_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
