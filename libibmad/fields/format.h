/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Formatters of values, for the public functions (format.c) and for the dumps of fields (dump.c).
 * Each appends one value to a text; numbers are in host byte order.
 */
#ifndef LIBIBMAD_FORMAT_H
#define LIBIBMAD_FORMAT_H

#include "libibmad/fields/fields.h"
#include "libibmad/fields/text.h"

#pragma GCC visibility push(hidden)

/* format.c: a number of size bytes, or the size bytes at bytes, in the field's format. */
void mad_format_number(struct text *text, enum mad_format format, unsigned size, uint64_t value);
void mad_format_bytes(struct text *text, enum mad_format format, unsigned size,
		      const uint8_t *bytes);

/* notice.c */
void mad_format_notice(struct text *text, const uint8_t *notice, unsigned size, int mgmt_class);

/* format_link.c: widths and speeds. */
void mad_format_link_width(struct text *text, uint32_t value);
void mad_format_link_width_supported(struct text *text, uint32_t value);
void mad_format_link_width_enabled(struct text *text, uint32_t value);
void mad_format_link_speed(struct text *text, uint32_t value);
void mad_format_link_speed_supported(struct text *text, uint32_t value);
void mad_format_link_speed_ext(struct text *text, uint32_t value);
void mad_format_link_speed_ext_supported(struct text *text, uint32_t value);
void mad_format_link_speed_ext_enabled(struct text *text, uint32_t value);
void mad_format_link_speed_ext_2(struct text *text, uint32_t value);
void mad_format_link_speed_ext_2_set(struct text *text, uint32_t value);

/* format_port.c: states, capabilities, MTU, VLs and their tables, the node type. */
void mad_format_link_down_default(struct text *text, uint32_t value);
void mad_format_port_state(struct text *text, uint32_t value);
void mad_format_phys_state(struct text *text, uint32_t value);
void mad_format_cap_mask(struct text *text, uint32_t value);
void mad_format_cap_mask_2(struct text *text, uint32_t value);
void mad_format_mtu(struct text *text, uint32_t value);
void mad_format_vl_cap(struct text *text, uint32_t value);
void mad_format_operational_vls(struct text *text, uint32_t value);
void mad_format_node_type(struct text *text, uint32_t value);
void mad_format_vendor_caps(struct text *text, unsigned word, uint32_t value);

#pragma GCC visibility pop

#endif
