/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-dump.c - fields and whole attributes as text (libibmad/fields/dump.c).
 *
 * Every dump with every size of buffer, and with every size of attribute against a page that may
 * not be read. tests/oracle/golden compares the lines that each prints.
 */
#include "listen.h"
#include "test.h"
#include "bounds.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include <infiniband/mad.h>

#define ATTRIBUTE_SIZE	  IB_MAD_SIZE
#define LARGEST_UNCOUNTED 8 /* sizes up to here are ignored: see mad_dump_fields() */

static dump_function *const attributes[] = {
	mad_dump_nodeinfo,
	mad_dump_portinfo,
	mad_dump_portstates,
	mad_dump_switchinfo,
	mad_dump_perfcounters,
	mad_dump_perfcounters_ext,
	mad_dump_perfcounters_xmt_sl,
	mad_dump_perfcounters_rcv_sl,
	mad_dump_perfcounters_xmt_disc,
	mad_dump_perfcounters_rcv_err,
	mad_dump_portsamples_control,
	mad_dump_portsamples_result,
	mad_dump_port_ext_speeds_counters_rsfec_active,
	mad_dump_port_ext_speeds_counters,
	mad_dump_perfcounters_port_op_rcv_counters,
	mad_dump_perfcounters_port_flow_ctl_counters,
	mad_dump_perfcounters_port_vl_op_packet,
	mad_dump_perfcounters_port_vl_op_data,
	mad_dump_perfcounters_port_vl_xmit_flow_ctl_update_errors,
	mad_dump_perfcounters_port_vl_xmit_wait_counters,
	mad_dump_perfcounters_sw_port_vl_congestion,
	mad_dump_perfcounters_rcv_con_ctrl,
	mad_dump_perfcounters_sl_rcv_fecn,
	mad_dump_perfcounters_sl_rcv_becn,
	mad_dump_perfcounters_xmit_con_ctrl,
	mad_dump_perfcounters_vl_xmit_time_cong,
	mad_dump_mlnx_ext_port_info,
	mad_dump_cc_congestioninfo,
	mad_dump_cc_congestionkeyinfo,
	mad_dump_cc_congestionlog,
	mad_dump_cc_congestionlogswitch,
	mad_dump_cc_congestionlogentryswitch,
	mad_dump_cc_congestionlogca,
	mad_dump_cc_congestionlogentryca,
	mad_dump_cc_switchcongestionsetting,
	mad_dump_cc_switchportcongestionsettingelement,
	mad_dump_cc_cacongestionsetting,
	mad_dump_cc_cacongestionentry,
	mad_dump_cc_congestioncontroltable,
	mad_dump_cc_congestioncontroltableentry,
	mad_dump_cc_timestamp,
	mad_dump_classportinfo,
	mad_dump_portinfo_ext,
};

TEST(attributes_in_every_size)
{
	uint8_t *val = fenced_page() + PAGE - ATTRIBUTE_SIZE;

	for (size_t i = 0; i < COUNT(attributes); i++) {
		memset(val, 0, ATTRIBUTE_SIZE);
		check_every_size(attributes[i], val, ATTRIBUTE_SIZE);
		memset(val, 0xff, ATTRIBUTE_SIZE);
		check_every_size(attributes[i], val, ATTRIBUTE_SIZE);
		fill_random(val, ATTRIBUTE_SIZE);
		check_every_size(attributes[i], val, 1);
	}
}

static bool is_one_line_of(const char *line, const char *text)
{
	const char *end = strchr(line, '\n') + 1;
	char *one = strndup(line, (size_t)(end - line));
	bool found = strstr(text, one) != NULL;

	free(one);
	return found;
}

/* A shorter attribute has fewer lines, never others, and what is not there is not read. */
TEST(short_attributes)
{
	static char whole[LONGEST_TEXT], text[LONGEST_TEXT];
	uint8_t full[ATTRIBUTE_SIZE];

	fill_random(full, sizeof(full));
	for (size_t i = 0; i < COUNT(attributes); i++) {
		size_t length = 0;

		attributes[i](whole, sizeof(whole), full, ATTRIBUTE_SIZE);
		for (int valsz = LARGEST_UNCOUNTED + 1; valsz <= ATTRIBUTE_SIZE; valsz++) {
			uint8_t *val = fenced_page() + PAGE - valsz;

			memcpy(val, full, (size_t)valsz);
			attributes[i](text, sizeof(text), val, valsz);
			assert_true(strlen(text) >= length);
			length = strlen(text);
			for (char *line = text; *line; line = strchr(line, '\n') + 1)
				assert_true(is_one_line_of(line, whole));
		}
		assert_string_equal(text, whole);
		attributes[i](text, sizeof(text), full, 0);
		assert_string_equal(text, whole);
		attributes[i](text, sizeof(text), full, LARGEST_UNCOUNTED);
		assert_string_equal(text, whole);
	}
}

TEST(node_info)
{
	static const char expected[] = "BaseVers:........................1\n"
				       "ClassVers:.......................1\n"
				       "NodeType:........................Switch\n"
				       "NumPorts:........................36\n"
				       "SystemGuid:......................0x0002c90300000001\n"
				       "Guid:............................0x0002c90300000002\n"
				       "PortGuid:........................0x0002c90300000003\n"
				       "PartCap:.........................8\n"
				       "DevId:...........................0xd2f0\n"
				       "Revision:........................0x000000a0\n"
				       "LocalPort:.......................7\n"
				       "VendorId:........................0x0002c9\n";
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	char text[1024];

	mad_set_field(info, 0, IB_NODE_BASE_VERS_F, 1);
	mad_set_field(info, 0, IB_NODE_CLASS_VERS_F, 1);
	mad_set_field(info, 0, IB_NODE_TYPE_F, IB_NODE_SWITCH);
	mad_set_field(info, 0, IB_NODE_NPORTS_F, 36);
	mad_set_field64(info, 0, IB_NODE_SYSTEM_GUID_F, UINT64_C(0x0002c90300000001));
	mad_set_field64(info, 0, IB_NODE_GUID_F, UINT64_C(0x0002c90300000002));
	mad_set_field64(info, 0, IB_NODE_PORT_GUID_F, UINT64_C(0x0002c90300000003));
	mad_set_field(info, 0, IB_NODE_PARTITION_CAP_F, 8);
	mad_set_field(info, 0, IB_NODE_DEVID_F, 0xd2f0);
	mad_set_field(info, 0, IB_NODE_REVISION_F, 0xa0);
	mad_set_field(info, 0, IB_NODE_LOCAL_PORT_F, 7);
	mad_set_field(info, 0, IB_NODE_VENDORID_F, 0x2c9);
	mad_dump_nodeinfo(text, sizeof(text), info, sizeof(info));
	assert_string_equal(text, expected);
	mad_dump_fields(text, sizeof(text), info, sizeof(info), IB_NODE_FIRST_F, IB_NODE_LAST_F);
	assert_string_equal(text, expected);
}

static int first_id, end_id;

static void dump_some_fields(char *buf, int bufsz, void *val, int valsz)
{
	mad_dump_fields(buf, bufsz, val, valsz, first_id, end_id);
}

TEST(all_fields_in_one)
{
	static const int ranges[][2] = {
		{ 0, 200 },
		{ 200, 400 },
		{ 400, IB_FIELD_LAST_ },
		{ 600, INT_MAX },
		{ INT_MIN, 30 },
		{ 30, 20 },
		{ IB_FIELD_LAST_, INT_MAX },
		{ INT_MIN, INT_MAX },
		{ INT_MIN, -1 },
		{ 65536, 65636 },
		{ 0, 0 },
	};
	static char text[256 * 1024];
	uint8_t *val = fenced_page() + PAGE - ATTRIBUTE_SIZE;
	unsigned lines = 0;

	fill_random(val, ATTRIBUTE_SIZE);
	for (size_t i = 0; i < COUNT(ranges); i++) {
		first_id = ranges[i][0];
		end_id = ranges[i][1];
		if (end_id > 0 && (int64_t)end_id - first_id < 200)
			check_every_size(dump_some_fields, val, ATTRIBUTE_SIZE);
		dump_some_fields(text, sizeof(text), val, ATTRIBUTE_SIZE);
		assert_true((first_id < end_id && first_id < IB_FIELD_LAST_ && end_id > 0) ==
			    (text[0] != '\0'));
	}
	memset(val, 0, ATTRIBUTE_SIZE);
	mad_dump_fields(text, sizeof(text), val, ATTRIBUTE_SIZE, 0, IB_FIELD_LAST_);
	for (char *c = text; *c; c++)
		lines += *c == '\n';
	assert_int_equal(lines, 621);
}

static enum MAD_FIELDS one_field;

static void dump_one_field(char *buf, int bufsz, void *val, int valsz)
{
	char *result = mad_dump_field(one_field, buf, bufsz, val);

	(void)valsz;
	if (bufsz > IB_FIELD_NAME_LEN) {
		assert_ptr_equal(result, buf);
		return;
	}
	assert_null(result);
	/* As check_every_size() would have it, if this were not the one that gives up. */
	for (int i = 0; i < bufsz - 1; i++) {
		assert_int_equal(buf[i], GUARD);
		buf[i] = i < (int)strlen(mad_field_name(one_field)) ? mad_field_name(one_field)[i]
								    : '.';
	}
	if (bufsz > (int)strlen(mad_field_name(one_field)) + 1)
		buf[strlen(mad_field_name(one_field))] = ':';
	if (bufsz > 0)
		buf[bufsz - 1] = '\0';
}

static void dump_one_value(char *buf, int bufsz, void *val, int valsz)
{
	(void)valsz;
	assert_ptr_equal(mad_dump_val(one_field, buf, bufsz, val), buf);
}

/* The decoded value lies against the end of the page, and takes what mad_decode_field() says. */
TEST(fields_in_every_size)
{
	uint8_t attribute[ATTRIBUTE_SIZE], decoded[ATTRIBUTE_SIZE];

	fill_random(attribute, sizeof(attribute));
	for (int id = 0; id < IB_FIELD_LAST_; id++) {
		size_t size = sizeof(decoded);
		uint8_t *val;

		if (!*mad_field_name((enum MAD_FIELDS)id))
			continue;
		one_field = (enum MAD_FIELDS)id;
		memset(decoded, GUARD, sizeof(decoded));
		mad_decode_field(attribute, one_field, decoded);
		while (size > 4 && decoded[size - 1] == GUARD)
			size--;
		val = fenced_page() + PAGE - size;
		memcpy(val, decoded, size);
		check_every_size(dump_one_field, val, 0);
		check_every_size(dump_one_value, val, 0);
	}
}

TEST(ids_without_a_field)
{
	static const int ids[] = {
		0, IB_PORT_LAST_F, IB_SM_DATA_F, IB_FIELD_LAST_, IB_FIELD_LAST_ + 1, -1, INT_MAX
	};
	char text[64];

	memset(text, GUARD, sizeof(text));
	for (size_t i = 0; i < COUNT(ids); i++) {
		assert_null(mad_dump_field((enum MAD_FIELDS)ids[i], text, sizeof(text), text));
		assert_null(mad_dump_val((enum MAD_FIELDS)ids[i], text, sizeof(text), text));
		assert_int_equal(mad_print_field((enum MAD_FIELDS)ids[i], "name", text), -1);
		assert_int_equal(text[0], GUARD);
	}
}

/* What mad_print_field() prints is what it should, and as much as it says. */
static void expect_printed(enum MAD_FIELDS field, const char *name, void *val, const char *expected)
{
	int printed;

	listen_begin_to(STDOUT_FILENO);
	printed = mad_print_field(field, name, val);
	listen_end();
	assert_string_equal(said, expected);
	assert_int_equal(printed, strlen(expected));
}

TEST(printed_fields)
{
	uint32_t lid = 129;

	expect_printed(IB_PORT_LID_F, NULL, &lid, "Lid:.............................129\n");
	expect_printed(IB_PORT_LID_F, "My name", &lid, "My name:.........................129\n");
	expect_printed(IB_PORT_LID_F, "a name of thirty-one characters", &lid,
		       "a name of thirty-one characters:.129\n");
	expect_printed(IB_PORT_LID_F, "a name that has thirty-two letters", &lid,
		       "a name that has thirty-two letters:129\n");
}

/* The longest values of all come out whole. */
TEST(printed_long_values)
{
	static char expected[LONGEST_TEXT];
	uint8_t ones[ATTRIBUTE_SIZE];

	memset(ones, 0xff, sizeof(ones));
	for (int id = 0; id < IB_FIELD_LAST_; id++) {
		enum MAD_FIELDS field = (enum MAD_FIELDS)id;

		if (!*mad_field_name(field))
			continue;
		mad_dump_field(field, expected, sizeof(expected), ones);
		strcat(expected, "\n");
		expect_printed(field, NULL, ones, expected);
	}
}

static void expect_xdump(const char *msg, int size, const char *expected)
{
	static uint8_t bytes[] = { 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09,
				   0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0xff };
	char text[256];
	FILE *file = tmpfile();
	size_t length;

	assert_non_null(file);
	xdump(file, msg, bytes, size);
	rewind(file);
	length = fread(text, 1, sizeof(text) - 1, file);
	text[length] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

TEST(hexadecimal_dump)
{
	expect_xdump("msg\n", 0, "msg\n");
	expect_xdump("msg\n", -1, "msg\n");
	expect_xdump(NULL, 1, "00\n");
	expect_xdump("", 2, "0001 \n");
	expect_xdump(NULL, 3, "0001 02\n");
	expect_xdump(NULL, 16, "0001 0203 0405 0607 0809 0a0b 0c0d 0e0f\n");
	expect_xdump("m ", 20, "m 0001 0203 0405 0607 0809 0a0b 0c0d 0e0f\n1011 12ff \n");
}

/* Values are wrong on purpose. */
TEST_GROUP(listen_never, NULL)
