/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Names of classes, methods, attributes, statuses, events and fields: for any number there is one,
 * or, for fields, none, and it is the same each time. */
#include <infiniband/mad.h>
#include <infiniband/umad_monitor.h>
#include <infiniband/umad_str.h>

#include "fuzz.h"

static void check(const char *name, const char *again)
{
	size_t i;

	FUZZ_CHECK(name && name == again && name[0] && strlen(name) < 80);
	for (i = 0; name[i]; i++)
		FUZZ_CHECK(name[i] >= ' ' && name[i] <= '~');
}

void fuzz_target(struct fuzz_input *input)
{
	uint8_t mgmt_class = fuzz_u8(input), method = fuzz_u8(input);
	uint16_t number = fuzz_u16(input);
	uint32_t field = fuzz_u32(input);
	const char *name;

	check(umad_class_str(mgmt_class), umad_class_str(mgmt_class));
	check(umad_method_str(mgmt_class, method), umad_method_str(mgmt_class, method));
	check(umad_common_mad_status_str(number), umad_common_mad_status_str(number));
	check(umad_sa_mad_status_str(number), umad_sa_mad_status_str(number));
	check(umad_attribute_str(mgmt_class, number), umad_attribute_str(mgmt_class, number));
	check(umad_event_str(field), umad_event_str(field));
	name = mad_field_name((enum MAD_FIELDS)(field & 0x80000000 ? field : field % 1024));
	if (name && *name) /* empty: the end of a group of fields */
		check(name, mad_field_name((enum MAD_FIELDS)(field % 1024)));
}
