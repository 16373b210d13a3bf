/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Counters of ports: what is requested, the result, and differences of two readings. */
/* in front of the variable of scene.h that has the name of many parameters */
#include "libibmad/fabric/counters.h"

#include "test.h"
#include "scene.h"

#include <errno.h>

#define BIT(counter) (UINT64_C(1) << (counter))

static struct mad_fabric_counters *counters;

static void read_with(const struct mad_fabric_options *options)
{
	discover();
	assert_non_null(fabric);
	counters = mad_fabric_counters_read(scene_port, fabric, options, sizeof(*options));
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

static int teardown(void **state)
{
	mad_fabric_counters_free(counters);
	counters = NULL;
	return scene_teardown(state);
}

static unsigned count_rows(void)
{
	const struct mad_fabric_counter_row *row = NULL;
	unsigned count = 0;

	while ((row = mad_fabric_counters_next(counters, row)))
		count++;
	return count;
}

#define COUNTERS_TEST(name) TEST_WITH(name, tree_setup, teardown)

COUNTERS_TEST(reads_what_each_port_has)
{
	const struct mad_fabric_counter_row *row;

	read_counters();
	assert_int_equal(count_rows(), 4 * 8 + 2);
	row = row_of(1, 2);
	assert_int_equal(row->error, 0);
	assert_int_equal(fabric_counter_value(row, MAD_FABRIC_SYMBOL_ERRORS), 102);
	assert_int_equal(fabric_counter_bits(row, MAD_FABRIC_SYMBOL_ERRORS), 16);
	assert_int_equal(fabric_counter_value(row, MAD_FABRIC_XMIT_DATA), UINT64_MAX - 102);
	assert_int_equal(fabric_counter_bits(row, MAD_FABRIC_XMIT_DATA), 64);
	assert_int_equal(fabric_counter_value(row, MAD_FABRIC_XMIT_WAIT), 77);
	assert_int_equal(fabric_counter_value(row, MAD_FABRIC_UNICAST_XMIT_PACKETS), 5);
	assert_int_equal(fabric_counter_value(row, MAD_FABRIC_SYNC_HEADER_ERRORS), 3);
	assert_int_equal(fabric_counter_value(row, MAD_FABRIC_FEC_CORRECTABLE_BLOCKS), 21);
	assert_int_equal(row->saturated, 0);
	assert_false(row->present & BIT(MAD_FABRIC_QP1_DROPPED));
	assert_int_equal(mad_fabric_row_errors(row), 102 + 3);
	assert_true(row->time_ns > 0);
	/* no extended speed where there is no link, and no such counters */
	assert_false(row_of(1, 8)->present & BIT(MAD_FABRIC_SYNC_HEADER_ERRORS));
	assert_null(mad_fabric_counters_find(counters, MODEL_GUID(1), 0));
	assert_null(mad_fabric_counters_find(counters, 5, 1));
	assert_int_equal(model.perf[CLASS_PORT_INFO], 6);
}

COUNTERS_TEST(reads_only_what_agents_support)
{
	const struct mad_fabric_counter_row *row;

	model.capabilities = 0;
	read_counters();
	row = row_of(1, 2);
	assert_int_equal(model.perf[IB_GSI_PORT_COUNTERS_EXT], 0);
	assert_int_equal(fabric_counter_value(row, MAD_FABRIC_XMIT_DATA), UINT32_MAX);
	assert_int_equal(row->saturated, BIT(MAD_FABRIC_XMIT_DATA));
	assert_false(row->present & BIT(MAD_FABRIC_XMIT_WAIT));
	assert_false(row->present & BIT(MAD_FABRIC_UNICAST_RCV_PACKETS));
}

static void twist_qp1_dropped(const struct model_request *request,
			      struct responder_response *response, uint8_t *data)
{
	(void)response;
	if (request->mgmt_class == IB_PERFORMANCE_CLASS &&
	    request->attribute == IB_GSI_PORT_COUNTERS)
		memcpy(data + 20, "\x01\x02\x03\x04", 4);
}

/* QP1Dropped is the half word before VL15Dropped. */
COUNTERS_TEST(reads_qp1_dropped)
{
	model.capabilities |= MAD_PM_QP1_DROPPED;
	model.twist = twist_qp1_dropped;
	read_counters();
	assert_int_equal(fabric_counter_value(row_of(1, 2), MAD_FABRIC_QP1_DROPPED), 0x102);
	assert_int_equal(fabric_counter_value(row_of(1, 2), MAD_FABRIC_VL15_DROPPED), 0x304);
}

COUNTERS_TEST(reads_errors_of_64_bits)
{
	model.capabilities2 = MAD_PM2_EXTENDED_ERRORS;
	read_counters(.flags = MAD_FABRIC_SWITCHES_ONLY);
	assert_int_equal(fabric_counter_value(row_of(1, 2), MAD_FABRIC_SYMBOL_ERRORS),
			 UINT64_C(0x100000000) + 102);
	assert_int_equal(count_rows(), 4 * 8);
}

static void twist_rsfec(const struct model_request *request, struct responder_response *response,
			uint8_t *data)
{
	(void)response;
	if (request->mgmt_class != IB_PERFORMANCE_CLASS ||
	    request->attribute != IB_GSI_PORT_EXT_SPEEDS_COUNTERS)
		return;
	memset(data, 0, IB_PC_DATA_SZ);
	mad_set_field(data, 0, IB_PESC_RSFEC_SYNC_HDR_ERR_CTR_F, 1);
	mad_set_field(data, 0, IB_PESC_RSFEC_UNK_BLOCK_CTR_F, 2);
	mad_set_field(data, 0, IB_PESC_PORT_FEC_CORR_BLOCK_CTR_F, 3);
	mad_set_field(data, 0, IB_PESC_PORT_FEC_UNCORR_BLOCK_CTR_F, 4);
	mad_set_field(data, 0, IB_PESC_PORT_FEC_CORR_SYMBOL_CTR_F, 5);
}

COUNTERS_TEST(reads_counters_of_rs_fec)
{
	model.capabilities |= MAD_PM_RSFEC;
	model.twist = twist_rsfec;
	read_counters();
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(
			fabric_counter_value(row_of(1, 2), MAD_FABRIC_SYNC_HEADER_ERRORS + i),
			1 + i);
}

/* Port 2 of the first leaf is without FEC, and RS-FEC is active at all others. */
static void twist_fec(const struct model_request *request, struct responder_response *response,
		      uint8_t *data)
{
	bool is_smp = request->mgmt_class != IB_PERFORMANCE_CLASS;

	if (is_smp && request->attribute == IB_ATTR_PORT_INFO) {
		mad_set_field(data, 0, IB_PORT_CAPMASK_F, 1 << 14 | 1 << 15);
		mad_set_field(data, 0, IB_PORT_CAPMASK2_F, 2);
	} else if (is_smp && request->attribute == IB_ATTR_PORT_INFO_EXT) {
		mad_set_field(data, 0, IB_PORT_EXT_CAPMASK_F, 1);
		mad_set_field(data, 0, IB_PORT_EXT_FEC_MODE_ACTIVE_F,
			      request->node == 1 && request->modifier == 2 ? 0 : 2);
	} else if (request->node != 1 || request->port != 2) {
		twist_rsfec(request, response, data);
	}
}

COUNTERS_TEST(reads_the_shape_of_the_active_fec)
{
	struct mad_fabric_options options = { .flags = MAD_FABRIC_READ_FEC };

	model.capabilities |= MAD_PM_RSFEC;
	model.twist = twist_fec;
	assert_non_null(discover_with(&options));
	assert_int_equal(model.smps[IB_ATTR_PORT_INFO_EXT], 20); /* the ends of links */
	assert_true(port_of(1, 2)->has_fec);
	assert_int_equal(port_of(1, 3)->fec_mode, 2);
	counters = mad_fabric_counters_read(scene_port, fabric, &options, sizeof(options));
	assert_non_null(counters);
	assert_int_equal(fabric_counter_value(row_of(1, 3), MAD_FABRIC_FEC_CORRECTED_SYMBOLS), 5);
	assert_false(row_of(1, 2)->present & BIT(MAD_FABRIC_FEC_CORRECTED_SYMBOLS));
	assert_int_equal(fabric_counter_value(row_of(1, 2), MAD_FABRIC_FEC_CORRECTABLE_BLOCKS), 21);
}

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

/* One at a time, so that no agent is asked before three have shown that they do not respond. */
COUNTERS_TEST(does_not_wait_for_optional_counters)
{
	MODEL_RULES(SILENT(IB_PERFORMANCE_CLASS, IB_GSI_PORT_EXT_SPEEDS_COUNTERS, 0));
	read_counters(.window = 1);
	assert_int_equal(row_of(1, 2)->error, 0);
	assert_int_equal(row_of(5, 1)->error, 0);
	assert_true(model.perf[IB_GSI_PORT_EXT_SPEEDS_COUNTERS] <= 6);
	/* the 20 ends of links: the agents that were asked, and those that were not */
	assert_true(speeds_errors_of(ETIMEDOUT) >= 3);
	assert_int_equal(speeds_errors_of(ETIMEDOUT) + speeds_errors_of(ECANCELED), 20);
}

/* A refusal is a response: it says nothing of other ports and agents. */
COUNTERS_TEST(asks_of_the_next_port_after_refusals)
{
	MODEL_RULES(REFUSES(IB_PERFORMANCE_CLASS, IB_GSI_PORT_EXT_SPEEDS_COUNTERS, 0, 0, 0x1c));
	read_counters(.window = 1);
	assert_int_equal(speeds_errors_of(EIO), 20);
	assert_int_equal(model.perf[IB_GSI_PORT_EXT_SPEEDS_COUNTERS], 20);
}

/* Devices of one kind, hosts and leaves, are silent: those of another kind are asked nevertheless.
 */
COUNTERS_TEST(asks_each_kind_of_device_for_optional_counters)
{
	for (int i = 0; i < 4; i++)
		model.nodes[i].device_id = 7;
	MODEL_RULES(SILENT(IB_PERFORMANCE_CLASS, IB_GSI_PORT_EXT_SPEEDS_COUNTERS, 0xf));
	read_counters(.window = 1);
	assert_int_equal(row_of(4, 1)->speeds_error, 0);
	assert_true(row_of(4, 1)->present & BIT(MAD_FABRIC_SYNC_HEADER_ERRORS));
	assert_true(row_of(5, 1)->present & BIT(MAD_FABRIC_SYNC_HEADER_ERRORS));
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
	assert_int_equal(fabric_counter_value(row_of(3, 2), MAD_FABRIC_SYMBOL_ERRORS), 302);
}

COUNTERS_TEST(reports_what_agents_refuse)
{
	MODEL_RULES(SAYS(IB_ATTR_SWITCH_INFO, 0, 0, IB_SW_ENHANCED_PORT0_F, 1),
		    SILENT(IB_PERFORMANCE_CLASS, 0, NODE(1)),
		    REFUSES(IB_PERFORMANCE_CLASS, 0, NODE(2), 3, 0x0c),
		    REFUSES(IB_PERFORMANCE_CLASS, IB_GSI_PORT_EXT_SPEEDS_COUNTERS, 0, 0, 0x0c),
		    REFUSES(IB_PERFORMANCE_CLASS, CLASS_PORT_INFO, NODE(4), 0, 0x0c));
	read_counters();
	assert_int_equal(count_rows(), 4 * 9 + 2);
	assert_int_equal(row_of(1, 0)->error, ETIMEDOUT);
	assert_int_equal(row_of(1, 8)->error, ETIMEDOUT);
	assert_int_equal(row_of(2, 3)->error, EIO);
	assert_int_equal(row_of(2, 4)->error, 0);
	assert_int_equal(fabric_counter_value(row_of(2, 4), MAD_FABRIC_SYMBOL_ERRORS), 204);
	assert_int_equal(row_of(4, 1)->error, 0);
	assert_int_equal(fabric_counter_bits(row_of(4, 1), MAD_FABRIC_XMIT_DATA), 32);
	/* each agent is asked only once for an attribute that it does not know */
	assert_int_equal(row_of(4, 1)->speeds_error, EIO);
	assert_int_equal(model.perf[IB_GSI_PORT_EXT_SPEEDS_COUNTERS], 5);
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

COUNTERS_TEST(asks_no_port_without_a_lid)
{
	MODEL_RULES(SAYS(IB_ATTR_PORT_INFO, 0, 0, IB_PORT_LID_F, 0));
	read_counters();
	assert_int_equal(row_of(5, 8)->error, EADDRNOTAVAIL);
	assert_int_equal(model.perf[CLASS_PORT_INFO], 0);
}

/* A reading of one port made by hand: readings are plain data that subtraction only reads. */
struct reading {
	struct mad_fabric_counters *counters;
	struct mad_fabric_counter_row *row;
};

static struct reading make_reading(int64_t seconds)
{
	struct reading reading;

	read_counters(.filter = only_port_2, .context = &model, .flags = MAD_FABRIC_SWITCHES_ONLY);
	reading.counters = counters;
	reading.row = (struct mad_fabric_counter_row *)(uintptr_t)row_of(1, 2);
	reading.row->time_ns = seconds * 1000000000;
	counters = NULL;
	return reading;
}

/* bits: 64, or as many as the counter has in PortCounters. */
static void set(struct reading *reading, unsigned counter, unsigned bits, uint64_t value)
{
	struct mad_fabric_counter_row *row = reading->row;
	uint64_t values[FABRIC_COUNTERS];

	for (unsigned i = 0; i < FABRIC_COUNTERS; i++)
		values[i] = fabric_counter_value(row, i);
	values[counter] = value;
	row->present |= COUNTER_BIT(counter);
	row->wide &= ~COUNTER_BIT(counter);
	if (bits == 64)
		row->wide |= COUNTER_BIT(counter);
	assert_int_equal(fabric_counter_bits(row, counter), bits);
	assert_int_equal(fabric_keep_values(reading->counters, row, values), 0);
}

static struct mad_fabric *kept[2];

static void subtract(struct reading *older, struct reading *newer)
{
	counters = mad_fabric_counters_subtract(older->counters, newer->counters);
	assert_non_null(counters);
}

static struct reading before, after;

static void make_readings(void)
{
	before = make_reading(100);
	kept[0] = fabric;
	fabric = NULL;
	after = make_reading(110);
	before.row->present = after.row->present = 0;
	before.row->saturated = after.row->saturated = 0;
}

static void free_readings(void)
{
	mad_fabric_counters_free(before.counters);
	mad_fabric_counters_free(after.counters);
	mad_fabric_free(kept[0]);
	kept[0] = NULL;
}

COUNTERS_TEST(subtracts_what_rose)
{
	const struct mad_fabric_counter_row *row;
	uint64_t value;
	double rate;

	make_readings();
	set(&before, MAD_FABRIC_XMIT_DATA, 64, 1000);
	set(&after, MAD_FABRIC_XMIT_DATA, 64, 2000);
	set(&before, MAD_FABRIC_SYMBOL_ERRORS, 16, 5);
	set(&after, MAD_FABRIC_SYMBOL_ERRORS, 16, 5);
	set(&after, MAD_FABRIC_LINK_DOWNED, 8, 9); /* only one has it */
	set(&before, MAD_FABRIC_RCV_DATA, 32, 9);  /* another width */
	set(&after, MAD_FABRIC_RCV_DATA, 64, 10);
	subtract(&before, &after);
	row = row_of(1, 2);
	assert_int_equal(row->present, BIT(MAD_FABRIC_XMIT_DATA) | BIT(MAD_FABRIC_SYMBOL_ERRORS));
	assert_int_equal(fabric_counter_value(row, MAD_FABRIC_XMIT_DATA), 1000);
	assert_int_equal(row->time_ns, 10 * INT64_C(1000000000));
	assert_true(mad_fabric_row_rate(row, MAD_FABRIC_XMIT_DATA, &rate) >= 0 && rate == 400);
	assert_int_equal(mad_fabric_row_errors(row), 0);
	assert_int_equal(mad_fabric_row_value(row, MAD_FABRIC_XMIT_DATA, &value), 0);
	assert_int_equal(value, 1000);
	assert_int_equal(mad_fabric_row_bits(row, MAD_FABRIC_XMIT_DATA), 64);
	assert_int_equal(mad_fabric_row_value(row, MAD_FABRIC_RCV_DATA, &value), -1);
	assert_int_equal(errno, ENODATA);
	assert_int_equal(mad_fabric_row_bits(row, MAD_FABRIC_RCV_DATA), 0);
	assert_int_equal(mad_fabric_row_value(row, mad_fabric_counter_count(), &value), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_fabric_row_rate(row, MAD_FABRIC_XMIT_DATA, NULL), -1);
	assert_int_equal(mad_fabric_row_value(NULL, 0, NULL), -1);
	assert_null(mad_fabric_row_port(NULL));
	assert_null(mad_fabric_counters_next(NULL, NULL));
	assert_null(mad_fabric_counters_find(NULL, 1, 1));
	assert_null(mad_fabric_counters_subtract(NULL, counters));
	assert_int_equal(errno, EINVAL);
	assert_int_equal(row->wrapped | row->reset, 0);
	free_readings();
}

COUNTERS_TEST(counts_over_the_greatest_value)
{
	make_readings();
	set(&before, MAD_FABRIC_RCV_PACKETS, 64, UINT64_MAX - 9);
	set(&after, MAD_FABRIC_RCV_PACKETS, 64, 20);
	subtract(&before, &after);
	assert_int_equal(fabric_counter_value(row_of(1, 2), MAD_FABRIC_RCV_PACKETS), 30);
	assert_true(row_of(1, 2)->wrapped & BIT(MAD_FABRIC_RCV_PACKETS));
	assert_int_equal(row_of(1, 2)->reset, 0);
	free_readings();
}

/* Counters of fewer than 64 bits stop at their greatest value: one that fell was set to 0. */
COUNTERS_TEST(does_not_count_over_where_counters_stop)
{
	static const unsigned widths[][2] = { { MAD_FABRIC_LINK_DOWNED, 8 },
					      { MAD_FABRIC_SYMBOL_ERRORS, 16 },
					      { MAD_FABRIC_XMIT_PACKETS, 32 } };

	make_readings();
	for (unsigned i = 0; i < COUNT(widths); i++) {
		set(&before, widths[i][0], widths[i][1], BIT(widths[i][1]) - 10);
		set(&after, widths[i][0], widths[i][1], 0);
	}
	subtract(&before, &after);
	for (unsigned i = 0; i < COUNT(widths); i++) {
		assert_int_equal(fabric_counter_value(row_of(1, 2), widths[i][0]), 0);
		assert_true(row_of(1, 2)->reset & BIT(widths[i][0]));
	}
	assert_int_equal(row_of(1, 2)->wrapped, 0);
	free_readings();
}

/* What fell far shows that the port was reset; then what fell a little has not wrapped either. */
COUNTERS_TEST(notices_resets)
{
	make_readings();
	set(&before, MAD_FABRIC_XMIT_DATA, 64, 1000000);
	set(&after, MAD_FABRIC_XMIT_DATA, 64, 17);
	set(&before, MAD_FABRIC_LINK_DOWNED, 8, 250);
	set(&after, MAD_FABRIC_LINK_DOWNED, 8, 1);
	subtract(&before, &after);
	assert_int_equal(fabric_counter_value(row_of(1, 2), MAD_FABRIC_XMIT_DATA), 17);
	assert_int_equal(fabric_counter_value(row_of(1, 2), MAD_FABRIC_LINK_DOWNED), 1);
	assert_int_equal(row_of(1, 2)->reset,
			 BIT(MAD_FABRIC_XMIT_DATA) | BIT(MAD_FABRIC_LINK_DOWNED));
	assert_int_equal(row_of(1, 2)->wrapped, 0);
	free_readings();
}

/* A counter that had stopped at its greatest value fell because a tool set it to 0. */
COUNTERS_TEST(notices_resets_of_saturated_counters)
{
	make_readings();
	set(&before, MAD_FABRIC_LINK_DOWNED, 8, 255);
	before.row->saturated = BIT(MAD_FABRIC_LINK_DOWNED);
	set(&after, MAD_FABRIC_LINK_DOWNED, 8, 2);
	subtract(&before, &after);
	assert_int_equal(fabric_counter_value(row_of(1, 2), MAD_FABRIC_LINK_DOWNED), 2);
	assert_int_equal(row_of(1, 2)->reset, BIT(MAD_FABRIC_LINK_DOWNED));
	free_readings();
}

COUNTERS_TEST(names_all_counters)
{
	for (unsigned i = 0; i < FABRIC_COUNTERS; i++) {
		assert_non_null(mad_fabric_counter_get_kind(i)->name);
		assert_true(mad_fabric_counter_get_kind(i)->unit > 0);
	}
	assert_null(mad_fabric_counter_get_kind(FABRIC_COUNTERS));
	assert_true(mad_fabric_counter_get_kind(MAD_FABRIC_SYMBOL_ERRORS)->is_error);
	assert_false(mad_fabric_counter_get_kind(MAD_FABRIC_XMIT_WAIT)->is_error);
	assert_int_equal(fabric_supported_counters(UINT32_MAX, UINT32_MAX, true),
			 BIT(FABRIC_COUNTERS) - 1);
	assert_false(fabric_supported_counters(0, 0, false) >> MAD_FABRIC_UNICAST_XMIT_PACKETS);
}

COUNTERS_TEST(refuses_wrong_arguments)
{
	discover();
	assert_null(mad_fabric_counters_read(NULL, fabric, NULL, 0));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(mad_fabric_counters_read(scene_port, NULL, NULL, 0));
	assert_int_equal(errno, EINVAL);
}
