/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-codec.c - fields and their text: no call here can fail for want of anything.
 */
#include "cases.h"
#include "fabric.h"

#include <stdio.h>

#define BUFFER ((void *)(run->output + 1024))
#define TEXT   ((char *)run->output)
#define SIZE   1024

#define SURE(function, ...) FAULT_CALL_SURE(call_##function, (void)run, __VA_ARGS__)

/* The functions that print an attribute; those that print a value are in value_dumps.h. */
#define DUMPED(mgmt_class, id, name, function, ...) PART(function, __VA_ARGS__)
#define PRINTED(mgmt_class, id, name, ...)
#define NAMED(mgmt_class, id, name)
#define PART(function, ...) VALUE(mad_dump_##function)
#define VALUE(function)	    SURE(function, function(TEXT, SIZE, BUFFER, 256))
#include "common/mad_attributes.h"
#include "value_dumps.h"
#undef VALUE

SURE(mad_dump_attribute, (void)mad_dump_attribute(TEXT, SIZE, BUFFER, 256, IB_SMI_CLASS, 0xff17))
SURE(mad_notice_kind, (void)mad_notice_kind(BUFFER, IB_SMI_CLASS))
SURE(mad_notice_value,
     (void)mad_notice_value(BUFFER, IB_SMI_CLASS, 0, &(struct mad_notice_value){ 0 },
			    sizeof(struct mad_notice_value)))
SURE(mad_fec_name, (void)mad_fec_name(2))
SURE(mad_fec_is_rs, (void)mad_fec_is_rs(2))

SURE(mad_dump_field, mad_dump_field(IB_PORT_LID_F, TEXT, SIZE, BUFFER))
SURE(mad_dump_fields, mad_dump_fields(TEXT, SIZE, BUFFER, 64, IB_NODE_FIRST_F, IB_NODE_LAST_F))
SURE(mad_dump_val, mad_dump_val(IB_PORT_LID_F, TEXT, SIZE, BUFFER))
SURE(mad_print_field, mad_print_field(IB_PORT_LID_F, "lid", BUFFER))
SURE(mad_field_name, (void)mad_field_name(IB_PORT_LID_F))
SURE(mad_get_field, (void)mad_get_field(BUFFER, 0, IB_PORT_LID_F))
SURE(mad_set_field, mad_set_field(BUFFER, 0, IB_PORT_LID_F, 7))
SURE(mad_get_field64, (void)mad_get_field64(BUFFER, 0, IB_PORT_MKEY_F))
SURE(mad_set_field64, mad_set_field64(BUFFER, 0, IB_PORT_MKEY_F, 7))
SURE(mad_get_array, mad_get_array(BUFFER, 0, IB_NODE_DESC_F, TEXT))
SURE(mad_set_array, mad_set_array(BUFFER, 0, IB_NODE_DESC_F, TEXT))
SURE(mad_decode_field, mad_decode_field(BUFFER, IB_PORT_LID_F, TEXT))
SURE(mad_encode_field, mad_encode_field(BUFFER, IB_PORT_LID_F, TEXT))
SURE(xdump, xdump(stdout, (char *)(uintptr_t) "", BUFFER, 64))

#define PURE(function)	FAULT_CASE(function, NULL, fabric_bare, call_##function, FAULT_PURE)
#define VALUE(function) PURE(function),

static const struct fault_case cases[] = {
#include "common/mad_attributes.h"
#include "value_dumps.h"
	PURE(mad_dump_attribute),
	PURE(mad_notice_kind),
	PURE(mad_notice_value),
	PURE(mad_fec_name),
	PURE(mad_fec_is_rs),
	PURE(mad_dump_field),
	PURE(mad_dump_fields),
	PURE(mad_dump_val),
	PURE(mad_print_field),
	PURE(mad_field_name),
	PURE(mad_get_field),
	PURE(mad_set_field),
	PURE(mad_get_field64),
	PURE(mad_set_field64),
	PURE(mad_get_array),
	PURE(mad_set_array),
	PURE(mad_decode_field),
	PURE(mad_encode_field),
	PURE(xdump),
};

const struct fault_group cases_codec = FAULT_GROUP(cases);
