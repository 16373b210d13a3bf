/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Prints fields and whole attributes: "Name:.....value", a line each. An attribute is a list of
 * ranges of fields; each line is read from the attribute's bytes when it is printed.
 */
#include "libibmad/fields/format.h"

#define LONGEST_VALUE 2048 /* characters of the longest printed value, with some to spare */

/* Characters of the longest line with a number, with its 0x and its newline. */
#define NUMBER_LINE_WIDTH (TEXT_LABEL_WIDTH + 2 + TEXT_NUMBER_WIDTH + 1)

struct field_range {
	uint16_t first;
	uint16_t end; /* the ID after the last one */
};

/* Eight characters of a name (ASCII, zeros behind it), with a dot in place of each zero. */
static uint64_t fill_with_dots(uint64_t letters)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t zeros = ~(letters + 0x7f * ones) >> 7 & ones;

	return letters | zeros * '.';
}

/* Writes a field's name and dots: TEXT_LABEL_WIDTH characters. Returns the end. */
static char *put_label(char *to, const struct mad_field *field)
{
	uint64_t words[IB_FIELD_NAME_LEN / sizeof(uint64_t)];

	memcpy(words, mad_field_text(field), sizeof(words));
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		words[i] = fill_with_dots(words[i]);
	memcpy(to, words, sizeof(words));
	to[IB_FIELD_NAME_LEN] = '.';
	to[field->name_length] = ':';
	return to + TEXT_LABEL_WIDTH;
}

static void put_field_label(struct text *text, const struct mad_field *field)
{
	if (text_space(text) >= TEXT_LABEL_WIDTH)
		text->next = put_label(text->next, field);
	else
		text_label(text, mad_field_text(field), field->name_length);
}

/* Prints a field's value in the form in which mad_decode_field() stores it at val. */
static void put_decoded(struct text *text, const struct mad_field *field, const void *val)
{
	enum mad_format format = (enum mad_format)field->format;

	if (mad_field_is_word(field)) {
		uint32_t word;

		memcpy(&word, val, sizeof(word));
		mad_format_number(text, format, mad_field_size(field), word);
	} else if (field->bits == 64) {
		uint64_t number;

		memcpy(&number, val, sizeof(number));
		mad_format_number(text, format, sizeof(number), number);
	} else {
		mad_format_bytes(text, format, field->bits / 8, val);
	}
}

/* Prints a field's value from the attribute at data. */
static void put_encoded(struct text *text, const struct mad_field *field, const uint8_t *data)
{
	enum mad_format format = (enum mad_format)field->format;

	if (mad_field_is_word(field))
		mad_format_number(text, format, mad_field_size(field), mad_field_load(field, data));
	else if (field->bits == 64)
		mad_format_number(text, format, 8, mad_get_be64(data + field->offset));
	else
		mad_format_bytes(text, format, field->bits / 8, data + field->offset);
}

/*
 * How many bytes of an attribute may be read. Older versions never used valsz, and some callers
 * pass the size of a pointer, or 0: such small numbers are ignored.
 */
static unsigned readable_size(int valsz)
{
	return valsz > (int)sizeof(uint64_t) ? (unsigned)valsz : IB_MAD_SIZE;
}

static bool lies_within(const struct mad_field *field, unsigned size)
{
	return field->offset + (mad_field_is_word(field) ? 4u : field->bits / 8u) <= size;
}

static bool is_plain_number(const struct mad_field *field)
{
	return (field->format == MAD_FORMAT_UINT || field->format == MAD_FORMAT_HEX) &&
	       field->bits <= 64;
}

/* The line of a plain number, the most frequent kind, if the longest fits. */
static void put_number_line(struct text *text, const struct mad_field *field, const uint8_t *data)
{
	uint64_t value = mad_field_is_word(field) ? mad_field_load(field, data)
						  : mad_get_be64(data + field->offset);
	char *to = put_label(text->next, field);

	if (field->format == MAD_FORMAT_HEX) {
		*to++ = '0';
		*to++ = 'x';
		to = text_put_hex(to, value, 2 * mad_field_size(field));
	} else {
		to = text_put_unsigned(to, value);
	}
	*to++ = '\n';
	text->next = to;
}

static void put_range(struct text *text, const uint8_t *data, unsigned size,
		      const struct field_range *range)
{
	for (unsigned id = range->first; id < range->end; id++) {
		const struct mad_field *field = mad_field_find(id);

		if (!field || !lies_within(field, size))
			continue;
		if (text_space(text) >= NUMBER_LINE_WIDTH && is_plain_number(field)) {
			put_number_line(text, field, data);
			continue;
		}
		put_field_label(text, field);
		put_encoded(text, field, data);
		text_char(text, '\n');
	}
}

static void dump_ranges(char *buf, int bufsz, const void *val, int valsz,
			const struct field_range *ranges, unsigned count)
{
	struct text text;

	if (!text_begin(&text, buf, bufsz))
		return;
	for (unsigned i = 0; i < count; i++)
		put_range(&text, val, readable_size(valsz), &ranges[i]);
	text_end(&text);
}

void mad_dump_fields(char *buf, int bufsz, void *val, int valsz, int start, int end)
{
	struct field_range range = {
		.first = (uint16_t)(start > 0 ? start : 0),
		.end = (uint16_t)(end < IB_FIELD_LAST_ ? end : IB_FIELD_LAST_),
	};

	if (start >= IB_FIELD_LAST_ || end <= 0)
		range = (struct field_range){ 0, 0 };
	dump_ranges(buf, bufsz, val, valsz, &range, 1);
}

char *mad_dump_field(enum MAD_FIELDS field, char *buf, int bufsz, void *val)
{
	const struct mad_field *row = mad_field_find(field);
	struct text text;

	if (!row || bufsz <= IB_FIELD_NAME_LEN || !text_begin(&text, buf, bufsz))
		return NULL;
	put_field_label(&text, row);
	put_decoded(&text, row, val);
	text_end(&text);
	return buf;
}

char *mad_dump_val(enum MAD_FIELDS field, char *buf, int bufsz, void *val)
{
	const struct mad_field *row = mad_field_find(field);
	struct text text;

	if (!row)
		return NULL;
	if (text_begin(&text, buf, bufsz)) {
		put_decoded(&text, row, val);
		text_end(&text);
	}
	return buf;
}

int mad_print_field(enum MAD_FIELDS field, const char *name, void *val)
{
	const struct mad_field *row = mad_field_find(field);
	char label[TEXT_LABEL_WIDTH + 1], value[LONGEST_VALUE];
	struct text text;

	if (!row)
		return -1;
	if (!name)
		name = mad_field_names[field];
	if (strlen(name) >= IB_FIELD_NAME_LEN)
		return printf("%s:%s\n", name, mad_dump_val(field, value, sizeof(value), val));
	text_begin(&text, label, sizeof(label));
	text_label(&text, name, strlen(name));
	text_end(&text);
	return printf("%s%s\n", label, mad_dump_val(field, value, sizeof(value), val));
}

/* Sixteen bytes a line, in pairs; a last line that ends with a pair ends with a space. */
void xdump(FILE *file, const char *msg, void *p, int size)
{
	const uint8_t *bytes = p;

	if (msg)
		fputs(msg, file);
	for (int i = 0; i < size; i++) {
		fprintf(file, "%02x", bytes[i]);
		if (i % 16 == 15)
			fputc('\n', file);
		else if (i % 2)
			fputc(' ', file);
	}
	if (size > 0 && size % 16)
		fputc('\n', file);
}

/* Prints an attribute that consists of these ranges, in this order. */
#define ATTRIBUTE_DUMP(name, ...)                                                                \
	void mad_dump_##name(char *buf, int bufsz, void *val, int valsz)                         \
	{                                                                                        \
		static const struct field_range ranges[] = { __VA_ARGS__ };                      \
                                                                                                 \
		dump_ranges(buf, bufsz, val, valsz, ranges, sizeof(ranges) / sizeof(ranges[0])); \
	}

/* PortSelect and CounterSelect, the first fields of most performance attributes. */
#define PC_SELECT                                              \
	{                                                      \
		IB_PC_EXT_PORT_SELECT_F, IB_PC_EXT_XMT_BYTES_F \
	}

/* clang-format off */
ATTRIBUTE_DUMP(nodeinfo, { IB_NODE_FIRST_F, IB_NODE_LAST_F })
ATTRIBUTE_DUMP(portinfo,
	{ IB_PORT_FIRST_F, IB_PORT_LAST_F }, { IB_PORT_CAPMASK2_F, IB_PORT_LINK_SPEED_EXT_LAST_F })
ATTRIBUTE_DUMP(portstates, { IB_PORT_STATE_F, IB_PORT_LINK_DOWN_DEF_F })
ATTRIBUTE_DUMP(switchinfo, { IB_SW_FIRST_F, IB_SW_LAST_F })
ATTRIBUTE_DUMP(perfcounters,
	{ IB_PC_FIRST_F, IB_PC_VL15_DROPPED_F }, { IB_PC_QP1_DROP_F, IB_PC_QP1_DROP_F + 1 },
	{ IB_PC_VL15_DROPPED_F, IB_PC_LAST_F })
ATTRIBUTE_DUMP(perfcounters_ext,
	{ IB_PC_EXT_FIRST_F, IB_PC_EXT_LAST_F },
	{ IB_PC_EXT_COUNTER_SELECT2_F, IB_PC_EXT_ERR_LAST_F })
ATTRIBUTE_DUMP(perfcounters_xmt_sl,
	PC_SELECT, { IB_PC_XMT_DATA_SL_FIRST_F, IB_PC_XMT_DATA_SL_LAST_F })
ATTRIBUTE_DUMP(perfcounters_rcv_sl,
	PC_SELECT, { IB_PC_RCV_DATA_SL_FIRST_F, IB_PC_RCV_DATA_SL_LAST_F })
ATTRIBUTE_DUMP(perfcounters_xmt_disc, PC_SELECT, { IB_PC_XMT_INACT_DISC_F, IB_PC_XMT_DISC_LAST_F })
ATTRIBUTE_DUMP(perfcounters_rcv_err, PC_SELECT, { IB_PC_RCV_LOCAL_PHY_ERR_F, IB_PC_RCV_ERR_LAST_F })
ATTRIBUTE_DUMP(portsamples_control, { IB_PSC_OPCODE_F, IB_PSC_LAST_F })
ATTRIBUTE_DUMP(portsamples_result, { IB_PSR_TAG_F, IB_PSR_LAST_F })
ATTRIBUTE_DUMP(port_ext_speeds_counters_rsfec_active,
	{ IB_PESC_RSFEC_FIRST_F, IB_PESC_RSFEC_LAST_F })
ATTRIBUTE_DUMP(port_ext_speeds_counters, { IB_PESC_PORT_SELECT_F, IB_PESC_LAST_F })
ATTRIBUTE_DUMP(perfcounters_port_op_rcv_counters,
	PC_SELECT, { IB_PC_PORT_OP_RCV_COUNTERS_FIRST_F, IB_PC_PORT_OP_RCV_COUNTERS_LAST_F })
ATTRIBUTE_DUMP(perfcounters_port_flow_ctl_counters,
	PC_SELECT, { IB_PC_PORT_FLOW_CTL_COUNTERS_FIRST_F, IB_PC_PORT_FLOW_CTL_COUNTERS_LAST_F })
ATTRIBUTE_DUMP(perfcounters_port_vl_op_packet,
	PC_SELECT, { IB_PC_PORT_VL_OP_PACKETS_FIRST_F, IB_PC_PORT_VL_OP_PACKETS_LAST_F })
ATTRIBUTE_DUMP(perfcounters_port_vl_op_data,
	PC_SELECT, { IB_PC_PORT_VL_OP_DATA_FIRST_F, IB_PC_PORT_VL_OP_DATA_LAST_F })
ATTRIBUTE_DUMP(perfcounters_port_vl_xmit_flow_ctl_update_errors,
	PC_SELECT,
	{ IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS_FIRST_F,
	  IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS_LAST_F })
ATTRIBUTE_DUMP(perfcounters_port_vl_xmit_wait_counters,
	PC_SELECT,
	{ IB_PC_PORT_VL_XMIT_WAIT_COUNTERS_FIRST_F, IB_PC_PORT_VL_XMIT_WAIT_COUNTERS_LAST_F })
ATTRIBUTE_DUMP(perfcounters_sw_port_vl_congestion,
	PC_SELECT, { IB_PC_SW_PORT_VL_CONGESTION_FIRST_F, IB_PC_SW_PORT_VL_CONGESTION_LAST_F })
ATTRIBUTE_DUMP(perfcounters_rcv_con_ctrl,
	PC_SELECT, { IB_PC_RCV_CON_CTRL_FIRST_F, IB_PC_RCV_CON_CTRL_LAST_F })
ATTRIBUTE_DUMP(perfcounters_sl_rcv_fecn,
	PC_SELECT, { IB_PC_SL_RCV_FECN_FIRST_F, IB_PC_SL_RCV_FECN_LAST_F })
ATTRIBUTE_DUMP(perfcounters_sl_rcv_becn,
	PC_SELECT, { IB_PC_SL_RCV_BECN_FIRST_F, IB_PC_SL_RCV_BECN_LAST_F })
ATTRIBUTE_DUMP(perfcounters_xmit_con_ctrl,
	PC_SELECT, { IB_PC_XMIT_CON_CTRL_FIRST_F, IB_PC_XMIT_CON_CTRL_LAST_F })
ATTRIBUTE_DUMP(perfcounters_vl_xmit_time_cong,
	PC_SELECT, { IB_PC_VL_XMIT_TIME_CONG_FIRST_F, IB_PC_VL_XMIT_TIME_CONG_LAST_F })
ATTRIBUTE_DUMP(mlnx_ext_port_info, { IB_MLNX_EXT_PORT_STATE_CHG_ENABLE_F, IB_MLNX_EXT_PORT_LAST_F })
ATTRIBUTE_DUMP(cc_congestioninfo, { IB_CC_CONGESTION_INFO_FIRST_F, IB_CC_CONGESTION_INFO_LAST_F })
ATTRIBUTE_DUMP(cc_congestionkeyinfo,
	{ IB_CC_CONGESTION_KEY_INFO_FIRST_F, IB_CC_CONGESTION_KEY_INFO_LAST_F })
ATTRIBUTE_DUMP(cc_congestionlog, { IB_CC_CONGESTION_LOG_FIRST_F, IB_CC_CONGESTION_LOG_LAST_F })
ATTRIBUTE_DUMP(cc_congestionlogswitch,
	{ IB_CC_CONGESTION_LOG_SWITCH_FIRST_F, IB_CC_CONGESTION_LOG_SWITCH_LAST_F })
ATTRIBUTE_DUMP(cc_congestionlogentryswitch,
	{ IB_CC_CONGESTION_LOG_ENTRY_SWITCH_FIRST_F, IB_CC_CONGESTION_LOG_ENTRY_SWITCH_LAST_F })
ATTRIBUTE_DUMP(cc_congestionlogca,
	{ IB_CC_CONGESTION_LOG_CA_FIRST_F, IB_CC_CONGESTION_LOG_CA_LAST_F })
ATTRIBUTE_DUMP(cc_congestionlogentryca,
	{ IB_CC_CONGESTION_LOG_ENTRY_CA_FIRST_F, IB_CC_CONGESTION_LOG_ENTRY_CA_LAST_F })
ATTRIBUTE_DUMP(cc_switchcongestionsetting,
	{ IB_CC_SWITCH_CONGESTION_SETTING_FIRST_F, IB_CC_SWITCH_CONGESTION_SETTING_LAST_F })
ATTRIBUTE_DUMP(cc_switchportcongestionsettingelement,
	{ IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_FIRST_F,
	  IB_CC_SWITCH_PORT_CONGESTION_SETTING_ELEMENT_LAST_F })
ATTRIBUTE_DUMP(cc_cacongestionsetting,
	{ IB_CC_CA_CONGESTION_SETTING_FIRST_F, IB_CC_CA_CONGESTION_SETTING_LAST_F })
ATTRIBUTE_DUMP(cc_cacongestionentry,
	{ IB_CC_CA_CONGESTION_ENTRY_FIRST_F, IB_CC_CA_CONGESTION_ENTRY_LAST_F })
ATTRIBUTE_DUMP(cc_congestioncontroltable,
	{ IB_CC_CONGESTION_CONTROL_TABLE_FIRST_F, IB_CC_CONGESTION_CONTROL_TABLE_LAST_F })
ATTRIBUTE_DUMP(cc_congestioncontroltableentry,
	{ IB_CC_CONGESTION_CONTROL_TABLE_ENTRY_FIRST_F,
	  IB_CC_CONGESTION_CONTROL_TABLE_ENTRY_LAST_F })
ATTRIBUTE_DUMP(cc_timestamp, { IB_CC_TIMESTAMP_FIRST_F, IB_CC_TIMESTAMP_LAST_F })
ATTRIBUTE_DUMP(classportinfo, { IB_CPI_BASEVER_F, IB_CPI_TRAP_QKEY_F + 1 })
ATTRIBUTE_DUMP(portinfo_ext,
	{ IB_PORT_EXT_FIRST_F, IB_PORT_EXT_LAST_F },
	{ IB_PORT_EXT_HDR_FEC_MODE_SUPPORTED_F, IB_PORT_EXT_HDR_FEC_MODE_LAST_F },
	{ IB_PORT_EXT_NDR_FEC_MODE_SUPPORTED_F, IB_PORT_EXT_NDR_FEC_MODE_LAST_F })
/* clang-format on */
