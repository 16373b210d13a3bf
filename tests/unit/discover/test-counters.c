/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Counters that fabrics.tbl has no words for: filters, cancelling, wrong arguments. */
#include "play.h"

#include <errno.h>

static void read_with(const struct mad_fabric_options *options)
{
	discover();
	assert_non_null(fabric);
	counters = mad_fabric_counters_read(scene_port, fabric, options);
	assert_non_null(counters);
}

/* With these options, as initialisers. */
#define read_counters(...) \
	read_with(&(struct mad_fabric_options){ .timeout_ms = 200, .attempts = 1, __VA_ARGS__ })

static const struct mad_fabric_counter_row *row_of(int node, unsigned number)
{
	const struct mad_fabric_counter_row *row =
		mad_fabric_counters_find(counters, MODEL_GUID(node), number);

	assert_non_null(row);
	return row;
}

static unsigned count_rows(void)
{
	const struct mad_fabric_counter_row *row = NULL;
	unsigned count = 0;

	while ((row = mad_fabric_counters_next(counters, row)))
		count++;
	return count;
}

static int set_up_tree(void **state)
{
	int failed = play_set_up(state);

	model_make_tree();
	return failed;
}

#define COUNTERS_TEST(name) TEST_WITH(name, set_up_tree, play_tear_down)

static void twist_ignore_speeds_but_first(const struct model_request *request,
					  struct responder_response *response, uint8_t *data)
{
	(void)data;
	if (request->mgmt_class == IB_PERFORMANCE_CLASS &&
	    request->attribute == IB_GSI_PORT_EXT_SPEEDS_COUNTERS)
		response->silent = model.perf[IB_GSI_PORT_EXT_SPEEDS_COUNTERS] > 1;
}

static unsigned speeds_errors_of(int error)
{
	const struct mad_fabric_counter_row *row = NULL;
	unsigned count = 0;

	while ((row = mad_fabric_counters_next(counters, row)))
		count += row->speeds_error == error;
	return count;
}

/* One that has responded shows that its kind knows the attribute: what is lost later proves
 * nothing. */
COUNTERS_TEST(goes_on_where_one_of_a_kind_has_responded)
{
	model.twist = twist_ignore_speeds_but_first;
	read_counters(.window = 1);
	assert_true(model.perf[IB_GSI_PORT_EXT_SPEEDS_COUNTERS] >= 6);
	assert_int_equal(speeds_errors_of(ECANCELED), 0);
}

static bool only_port_2(const struct mad_fabric_port *port, void *context)
{
	assert_ptr_equal(context, &model);
	return port->port_number == 2;
}

COUNTERS_TEST(reads_a_set_of_ports)
{
	read_counters(.filter = only_port_2, .context = &model);
	assert_int_equal(count_rows(), 5);
	assert_int_equal(row_of(3, 2)->values[MAD_FABRIC_COUNTER_SYMBOL_ERRORS], 302);
}

static bool cancel(const struct mad_fabric_progress *progress, void *context)
{
	(void)context;
	assert_int_equal(progress->all_ports, 34);
	return false;
}

COUNTERS_TEST(can_be_cancelled)
{
	MODEL_RULES({ .mgmt_class = IB_PERFORMANCE_CLASS, .delay_us = 60000 });
	read_counters(.progress = cancel, .window = 1);
	assert_int_equal(row_of(5, 8)->error, ECANCELED);
}

COUNTERS_TEST(puts_differences_into_numbers)
{
	const struct mad_fabric_counter_row *row;
	uint64_t value;
	double rate;

	discover();
	play("rises PortXmitData:1000/64>2000/64=1000/64");
	row = mad_fabric_counters_next(counters, NULL);
	assert_true(mad_fabric_row_rate(row, MAD_FABRIC_COUNTER_XMIT_DATA, &rate) >= 0 &&
		    rate == 400);
	assert_errno(mad_fabric_row_value(row, MAD_FABRIC_COUNTER_RCV_DATA, &value), ENODATA);
	assert_errno(mad_fabric_row_value(row, mad_fabric_counter_count(), &value), EINVAL);
	assert_int_equal(mad_fabric_row_rate(row, MAD_FABRIC_COUNTER_XMIT_DATA, NULL), -1);
	assert_int_equal(mad_fabric_row_value(NULL, 0, NULL), -1);
	assert_null(mad_fabric_row_port(NULL));
	assert_null(mad_fabric_counters_next(NULL, NULL));
	assert_null(mad_fabric_counters_find(NULL, 1, 1));
	assert_null_errno(mad_fabric_counters_subtract(NULL, counters), EINVAL);
}

COUNTERS_TEST(names_all_counters)
{
	const struct mad_fabric_counter_row able = { .capabilities = UINT64_MAX };
	const struct mad_fabric_counter_row old = { 0 };

	for (unsigned i = 0; i < FABRIC_COUNTERS; i++) {
		assert_true(fabric_has_counter(&able, i));
		assert_non_null(mad_fabric_counter_get_kind(i)->name);
		assert_true(mad_fabric_counter_get_kind(i)->unit > 0);
	}
	assert_true(fabric_has_counter(&old, MAD_FABRIC_COUNTER_SYMBOL_ERRORS));
	assert_false(fabric_has_counter(&old, MAD_FABRIC_COUNTER_UNICAST_XMIT_PACKETS));
	assert_null(mad_fabric_counter_get_kind(FABRIC_COUNTERS));
	assert_true(mad_fabric_counter_get_kind(MAD_FABRIC_COUNTER_SYMBOL_ERRORS)->is_error);
	assert_false(mad_fabric_counter_get_kind(MAD_FABRIC_COUNTER_XMIT_WAIT)->is_error);
}

/* Of a file, whose values have no width. */
COUNTERS_TEST(builds_counters)
{
	struct mad_fabric_counter_value values[2];
	struct mad_fabric_counters *built, *rises;
	uint64_t rise;

	discover();
	play("read");
	values[0] = (struct mad_fabric_counter_value){ row_of(3, 2)->port, 300,
						       MAD_FABRIC_COUNTER_SYMBOL_ERRORS, 0 };
	values[1] = (struct mad_fabric_counter_value){ row_of(1, 2)->port, 102,
						       MAD_FABRIC_COUNTER_SYMBOL_ERRORS, 16 };
	built = mad_fabric_counters_build(fabric, values, 2);
	assert_non_null(built);
	assert_int_equal(mad_fabric_row_bits(mad_fabric_counters_next(built, NULL), 0), 16);
	rises = mad_fabric_counters_subtract(built, counters);
	assert_int_equal(mad_fabric_row_errors(mad_fabric_counters_find(rises, MODEL_GUID(3), 2)),
			 2);
	assert_int_equal(
		mad_fabric_row_value(mad_fabric_counters_find(rises, MODEL_GUID(1), 2), 0, &rise),
		0);
	assert_int_equal(rise, 0);
	mad_fabric_counters_free(rises);
	mad_fabric_counters_free(built);
	values[1].value = 1 << 16;
	assert_null_errno(mad_fabric_counters_build(fabric, values, 2), EINVAL);
	values[1].bits = 17;
	values[0].counter = FABRIC_COUNTERS;
	assert_null_errno(mad_fabric_counters_build(fabric, values, 2), EINVAL);
	values[0].counter = 0;
	values[0].port = NULL;
	assert_null_errno(mad_fabric_counters_build(fabric, values, 2), EINVAL);
	assert_null_errno(mad_fabric_counters_build(fabric, NULL, 2), EINVAL);
	assert_null_errno(mad_fabric_counters_build_sized(fabric, values, 2, sizeof(values[0]) - 1),
			  EINVAL);
}

COUNTERS_TEST(refuses_wrong_arguments)
{
	discover();
	assert_null_errno(mad_fabric_counters_read(NULL, fabric, NULL), EINVAL);
	assert_null_errno(mad_fabric_counters_read(scene_port, NULL, NULL), EINVAL);
}
