/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Tables in responses of the SA: whatever the SA header and the RMPP header say, the records lie
 * within the bytes that came, and an accessor reads nothing outside its record.
 */
#include "libibmad/wire/packet.c"
#include "libibmad/requests/table.c"
#include "libibmad/fields/codec.c"
#include "libibmad/fields/fields.c"
#include "libibmad/requests/records.c"

#include "proof.h"

/* A bound on the length, since CBMC takes ever longer for the division of larger numbers. */
#define LONGEST_RESPONSE 16384

/* For every content of the first MAD. */
void sa_geometry(void)
{
	struct any_mad mad = nondet_mad();
	struct mad_sa_table table = { 0 };
	size_t length = nondet_size(), length_of_data;
	unsigned method = nondet_unsigned();
	int error;

	ASSUME(length <= LONGEST_RESPONSE);
	error = measure(method, mad.byte, length, &table);
	PROVE(error == 0 || error == -EBADMSG || error == -ECONNABORTED, "errors");
	if (error)
		return;
	length_of_data = length - IB_SA_DATA_OFFS;
	PROVE(length >= IB_SA_DATA_OFFS, "a response without the SA header is refused");
	PROVE(table.count == 0 || table.record_size > 0, "records have a size");
	PROVE((size_t)table.count * table.record_size <= length_of_data,
	      "records lie within the response");
	PROVE(method != IB_MAD_METHOD_GET || table.count == 1, "Get has one record");
}

/* A table of up to 3 records of any size up to 256 bytes, in a block that ends with the last. */
static struct mad_sa_table any_table(unsigned attr_id)
{
	struct mad_sa_table table = { .attr_id = attr_id,
				      .count = nondet_unsigned(),
				      .record_size = nondet_unsigned() };
	size_t size;

	ASSUME(table.count <= 3 && table.record_size <= 256);
	size = (size_t)table.count * table.record_size;
	table.records = malloc(size);
	ASSUME(table.records);
	return table;
}

#define RECORD_PROOF(name, attr_id, least)                                              \
	void sa_record_##name(void)                                                     \
	{                                                                               \
		struct mad_sa_table table = any_table(attr_id);                         \
		unsigned index = nondet_unsigned();                                     \
		struct mad_sa_##name record;                                            \
		int result = mad_record_get(&table, index, attr_id, &record);           \
                                                                                        \
		PROVE(!result == (index < table.count && table.record_size >= (least)), \
		      "a record is read if it is there and long enough");               \
	}

RECORD_PROOF(node, IB_SA_ATTR_NODERECORD, 108)
RECORD_PROOF(port_info, IB_SA_ATTR_PORTINFORECORD, 68)
RECORD_PROOF(link, IB_SA_ATTR_LINKRECORD, 6)
RECORD_PROOF(path, IB_SA_ATTR_PATHRECORD, 64)
RECORD_PROOF(sm_info, IB_SA_ATTR_SMINFORECORD, 25)
RECORD_PROOF(mc_member, IB_SA_ATTR_MCRECORD, 52)
RECORD_PROOF(service, IB_SA_ATTR_SERVICERECORD, 176)
