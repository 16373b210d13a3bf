/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The scripted SA of sa-response.h. */
#include "sa-response.h"
#include "test.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sa_response_put16(uint8_t *bytes, uint16_t value)
{
	bytes[0] = (uint8_t)(value >> 8);
	bytes[1] = (uint8_t)value;
}

void sa_response_put32(uint8_t *bytes, uint32_t value)
{
	sa_response_put16(bytes, (uint16_t)(value >> 16));
	sa_response_put16(bytes + 2, (uint16_t)value);
}

int sa_response_give(const struct fakeumad_request *request, void *context)
{
	const struct sa_response *response = context;
	size_t size = response->length > 24 ? response->length - 24 : 0;
	struct fakeumad_reply reply = { .status = response->status,
					.length = response->length,
					.data_offset = 24 };
	uint8_t *tail;

	tail = calloc(1, size + SA_DATA);
	assert_non_null(tail);
	tail[0] = response->type ? 1 : 0;
	tail[1] = response->type;
	tail[2] = (uint8_t)(0xf8 | response->flags);
	sa_response_put32(tail + 4, response->type ? 1 : 0);
	sa_response_put32(tail + 8, response->payload);
	sa_response_put16(tail + 20, response->attr_offset);
	if (response->records && size > 32)
		memcpy(tail + 32, response->records, size - 32);
	reply.data = tail;
	reply.data_size = size;
	fakeumad_reply(request, &reply);
	free(tail);
	return 0;
}

unsigned sa_response_status;

int sa_response_query(struct ibmad_port *port, unsigned method, struct mad_sa_table **table)
{
	struct mad_sa_request what = { .method = method,
				       .attr_id = IB_SA_ATTR_NODERECORD,
				       .timeout_ms = TIMEOUT_MS };
	ib_portid_t sm = { .lid = 1 };

	sa_response_status = 0xaa;
	errno = 0;
	*table = mad_sa_query(port, &sm, &what, sizeof(what), &sa_response_status);
	return *table ? 0 : -1;
}

void sa_response_assert_empty(const struct mad_sa_table *table)
{
	assert_int_equal(mad_sa_table_count(table), 0);
	assert_null(mad_sa_table_record(table, 0, NULL));
}

uint8_t *sa_response_make_nodes(unsigned count)
{
	uint8_t *records = calloc(count, NODE_STRIDE);

	assert_non_null(records);
	for (unsigned i = 0; i < count; i++) {
		uint8_t *record = records + (size_t)i * NODE_STRIDE;

		for (size_t j = 0; j < NODE_STRIDE; j++)
			record[j] = (uint8_t)(i * 7 + j * 13 + (i >> 8));
		sa_response_put16(record, (uint16_t)i);
		sa_response_put32(record + 4 + 20, i); /* the port's GUID, lower half */
		snprintf((char *)record + 44, 64, "node %u", i);
	}
	return records;
}
