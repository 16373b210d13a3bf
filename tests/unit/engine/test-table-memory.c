/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* One SA response of 20,000 records, the memory that it takes, and what follows it. */
#include "test.h"
#include "count-memory.h"
#include "fakeumad.h"
#include "sa-response.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 20000

static size_t record_size(const struct mad_sa_table *table)
{
	size_t size = 0;

	mad_sa_table_record(table, 0, &size);
	return size;
}

FAKEUMAD_TEST(twenty_thousand_records)
{
	const size_t bytes = (size_t)MANY * NODE_STRIDE;
	struct sa_response response = { .type = DATA,
					.flags = ACTIVE | FIRST,
					.payload = (uint32_t)bytes +
						   (MANY * NODE_STRIDE + 199) / 200 * 20,
					.attr_offset = NODE_STRIDE / 8,
					.records = sa_response_make_nodes(MANY),
					.length = SA_DATA + bytes };
	struct mad_sa_table *table;
	struct mad_sa_node node;
	int reads = fakeumad_reads();

	fakeumad_respond_with(sa_response_give, &response);
	count_memory_begin();
	assert_return_code(sa_response_query(*state, 0, &table), errno);
	printf("%u records: %zu bytes, at most %zu held, %zu now\n", mad_sa_table_count(table),
	       bytes, count_memory_most(), count_memory_now());
	assert_true(count_memory_most() <= 2 * bytes);
	assert_true(count_memory_now() >= bytes);
	assert_true(fakeumad_reads() >= reads + 2); /* the first buffer was too small */
	assert_int_equal(fakeumad_writes(), 1);

	assert_int_equal(mad_sa_table_count(table), MANY);
	assert_int_equal(record_size(table), NODE_STRIDE);
	assert_int_equal(sa_response_status, 0);
	assert_false(mad_sa_table_truncated(table));
	assert_memory_equal(mad_sa_table_record(table, 0, NULL), response.records, bytes);
	for (unsigned i = 0; i < MANY; i++) {
		char name[16];

		snprintf(name, sizeof(name), "node %u", i);
		assert_int_equal(mad_sa_get_node(table, i, &node, sizeof(node)), 0);
		assert_int_equal(node.lid, i);
		assert_string_equal(node.description, name);
	}
	assert_null(mad_sa_table_record(table, MANY, NULL));

	mad_sa_table_free(table);
	assert_true(count_memory_now() < 1024); /* one MAD at most is kept for the next read */
	free((void *)response.records);
}

/* After a large response the port goes on as before. */
FAKEUMAD_TEST(small_responses_after_a_large_one)
{
	struct sa_response large = { .type = DATA,
				     .flags = ACTIVE | FIRST,
				     .attr_offset = NODE_STRIDE / 8,
				     .records = sa_response_make_nodes(1000),
				     .length = SA_DATA + 1000 * NODE_STRIDE };
	struct sa_response small = { .type = DATA,
				     .flags = WHOLE,
				     .payload = 20 + NODE_STRIDE,
				     .attr_offset = NODE_STRIDE / 8,
				     .records = large.records + NODE_STRIDE,
				     .length = SA_DATA + NODE_STRIDE };
	struct mad_sa_table *tables[6];

	for (int i = 0; i < 6; i++) {
		fakeumad_respond_with(sa_response_give, i % 2 ? &small : &large);
		assert_return_code(sa_response_query(*state, 0, &tables[i]), errno);
	}
	for (int i = 0; i < 6; i++) {
		assert_int_equal(mad_sa_table_count(tables[i]), i % 2 ? 1 : 1000);
		assert_memory_equal(mad_sa_table_record(tables[i], 0, NULL),
				    large.records + (i % 2 ? NODE_STRIDE : 0), NODE_STRIDE);
		mad_sa_table_free(tables[i]);
	}
	free((void *)large.records);
}

/* Without memory for the response the query fails, and the port works again once there is memory.
 */
FAKEUMAD_TEST(no_memory_for_the_response)
{
	struct sa_response response = { .type = DATA,
					.flags = ACTIVE | FIRST,
					.attr_offset = NODE_STRIDE / 8,
					.records = sa_response_make_nodes(MANY),
					.length = SA_DATA + (size_t)MANY * NODE_STRIDE };
	struct mad_sa_table *table;

	fakeumad_respond_with(sa_response_give, &response);
	count_memory_begin();
	count_memory_limit(1 << 20);
	assert_int_equal(sa_response_query(*state, 0, &table), -1);
	assert_int_equal(errno, ENOMEM);
	sa_response_assert_empty(table);
	count_memory_limit(SIZE_MAX);
	assert_return_code(sa_response_query(*state, 0, &table), errno);
	assert_int_equal(mad_sa_table_count(table), MANY);
	mad_sa_table_free(table);
	assert_true(count_memory_now() < 1024);
	free((void *)response.records);
}
