/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A fabric from tables of the SA: the same as by directed routes, and what becomes of tables that
 * are wrong, cut, or of different moments.
 */
/* in front of the variable of scene.h that has the name of many parameters */
#include "libibmad-fabric/fabric.h"
#include "libibmad/requests/requests.h"

#include "scene.h"

enum {
	NODE_RECORD = 108,
	PORT_INFO_RECORD = 68,
	LINK_RECORD = 8,
	SWITCH_RECORD = 24,
	RECORDS = 64,
	MUTATIONS = 20000,
};

static uint8_t node_records[RECORDS][NODE_RECORD], port_info_records[RECORDS][PORT_INFO_RECORD],
	link_records[RECORDS][LINK_RECORD], switch_records[RECORDS][SWITCH_RECORD];

static struct mad_sa_table node_table, port_info_table, link_table, switch_table;
static struct mad_sa_table *const tables[] = { &node_table, &port_info_table, &link_table,
					       &switch_table };
static struct mad_fabric *from_sa;

static uint8_t *append(struct mad_sa_table *table)
{
	uint8_t *record = (uint8_t *)(uintptr_t)table->records + table->count * table->record_size;

	assert_true(table->count++ < RECORDS);
	return record;
}

static void add_node_record(const struct mad_fabric_port *port)
{
	const struct mad_fabric_node *node = port->node;
	uint8_t *record = append(&node_table);

	mad_put_be16(record, port->lid);
	record += 4;
	mad_set_field(record, 0, IB_NODE_TYPE_F, node->type);
	mad_set_field(record, 0, IB_NODE_NPORTS_F, node->port_count);
	mad_set_field(record, 0, IB_NODE_LOCAL_PORT_F, port->port_number);
	mad_set_field(record, 0, IB_NODE_VENDORID_F, node->vendor_id);
	mad_set_field64(record, 0, IB_NODE_GUID_F, node->guid);
	mad_set_field64(record, 0, IB_NODE_SYSTEM_GUID_F, node->system_guid);
	mad_set_field64(record, 0, IB_NODE_PORT_GUID_F, port->guid);
	memcpy(record + 40, node->description, 64);
}

static void add_records(const struct mad_fabric_port *port)
{
	uint8_t *record;

	if (!port->has_info)
		return;
	if (!port->port_number || port->node->type != IB_NODE_SWITCH)
		add_node_record(port);
	if (!port->port_number)
		mad_put_be16(append(&switch_table), port->lid);
	record = append(&port_info_table);
	mad_put_be16(record, port->lid);
	record[2] = port->port_number;
	memcpy(record + 4, port->port_info, IB_SMP_DATA_SIZE);
	if (!port->peer)
		return;
	record = append(&link_table);
	mad_put_be16(record, port->lid);
	record[2] = port->port_number;
	record[3] = port->peer->port_number;
	mad_put_be16(record + 4, port->peer->lid);
}

#define TABLE(array, attribute)                                    \
	((struct mad_sa_table){ .attr_id = IB_SA_ATTR_##attribute, \
				.record_size = sizeof((array)[0]), \
				.records = (array)[0] })

static void make_tables(void)
{
	const struct mad_fabric_node *node = NULL;

	node_table = TABLE(node_records, NODERECORD);
	port_info_table = TABLE(port_info_records, PORTINFORECORD);
	link_table = TABLE(link_records, LINKRECORD);
	switch_table = TABLE(switch_records, SWITCHINFORECORD);
	memset(node_records, 0, sizeof(node_records));
	memset(switch_records, 0, sizeof(switch_records));
	while ((node = mad_fabric_next_node(fabric, node)))
		for (unsigned i = 0; i <= node->port_count; i++)
			add_records(mad_fabric_get_port(node, i));
}

static int setup(void **state)
{
	int failed = scene_setup(state);

	model_make_tree();
	discover();
	assert_int_equal(mad_fabric_get_info(fabric)->problems, 0);
	make_tables();
	return failed;
}

static int teardown(void **state)
{
	mad_fabric_free(from_sa);
	from_sa = NULL;
	return scene_teardown(state);
}

static int fill(bool switches_only)
{
	int error;

	mad_fabric_free(from_sa);
	from_sa = fabric_create();
	assert_non_null(from_sa);
	error = fabric_fill_from_sa(from_sa, tables, MODEL_GUID(0) + 1, switches_only);
	return error ? error : fabric_finish(from_sa);
}

static unsigned count_changes(void)
{
	struct mad_fabric_changes *changes = mad_fabric_compare(fabric, from_sa);
	const struct mad_fabric_change *change = NULL;
	unsigned count = 0;

	assert_non_null(changes);
	while ((change = mad_fabric_next_change(changes, change)))
		count++;
	mad_fabric_changes_free(changes);
	return count;
}

#define SA_TEST(name) TEST_WITH(name, setup, teardown)

SA_TEST(finds_what_directed_routes_find)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(fabric), *other;
	const struct mad_fabric_node *node = NULL, *same;

	assert_int_equal(fill(false), 0);
	other = mad_fabric_get_info(from_sa);
	assert_int_equal(count_changes(), 0);
	assert_int_equal(other->nodes, info->nodes);
	assert_int_equal(other->links, info->links);
	assert_int_equal(other->ports, info->ports);
	assert_int_equal(other->problems, 0);
	assert_int_equal(other->start->guid, info->start->guid);
	while ((node = mad_fabric_next_node(fabric, node))) {
		same = mad_fabric_find_node(from_sa, node->guid);
		assert_memory_equal(&same->route, &node->route, sizeof(node->route));
		assert_int_equal(same->vendor_id, node->vendor_id);
	}
}

SA_TEST(leaves_hosts_out)
{
	assert_int_equal(fill(true), 0);
	assert_int_equal(mad_fabric_get_info(from_sa)->nodes, 5);
	assert_int_equal(mad_fabric_get_info(from_sa)->cas, 1);
	assert_int_equal(mad_fabric_get_info(from_sa)->problems, 0);
	assert_null(mad_fabric_find_node(from_sa, MODEL_GUID(3)));
}

/* What is missing shows as a problem of what is there. */
SA_TEST(says_what_is_missing)
{
	const struct mad_fabric_problem *problem = NULL;
	const struct mad_fabric_node *node = NULL;
	size_t without_route = 0;

	port_info_table.count--;
	switch_table.count--;
	link_table.records += 2 * LINK_RECORD; /* leaf-1's to host-1 and to one spine */
	link_table.count -= 2;
	assert_int_equal(fill(false), 0);
	assert_int_equal(mad_fabric_get_info(from_sa)->unread_nodes, 2);
	/* the other ends of both links have records */
	assert_int_equal(mad_fabric_get_info(from_sa)->links, 10);
	link_table.count = 0;
	assert_int_equal(fill(false), 0);
	assert_int_equal(mad_fabric_get_info(from_sa)->links, 0);
	assert_true(mad_fabric_get_info(from_sa)->unknown_ends >= 19);
	while ((node = mad_fabric_next_node(from_sa, node)))
		assert_int_equal(node->route.cnt, node->guid == MODEL_GUID(0) ? 0 : -1);
	while ((problem = mad_fabric_next_problem(from_sa, problem)))
		without_route += problem->kind == MAD_FABRIC_PROBLEM_NO_ROUTE;
	assert_int_equal(without_route, 5);
}

static void copy_record(struct mad_sa_table *table, unsigned from, unsigned to)
{
	uint8_t *records = (uint8_t *)(uintptr_t)table->records;

	memcpy(records + to * table->record_size, records + from * table->record_size,
	       table->record_size);
}

/* Tables of two moments, and others that can't be true: another reading, or directed routes. */
SA_TEST(refuses_tables_that_contradict_each_other)
{
	for (int i = 0; i < 9; i++) {
		make_tables();
		node_table.count -= i == 0;
		if (i == 1 || i == 2)
			copy_record(&node_table, 0, 1); /* one LID twice */
		if (i == 2)
			node_records[1][1] = 77; /* one GUID at two LIDs */
		if (i == 3)
			copy_record(&port_info_table, 0, 1);
		if (i == 4)
			port_info_records[0][2] = 200;
		if (i == 5)
			link_records[0][3] = 0;
		if (i == 6)
			link_records[0][3]++;
		if (i == 7)
			mad_put_be16(switch_records[0], 9);
		if (i == 8) { /* a node of which there is nothing else */
			copy_record(&node_table, 1, node_table.count);
			mad_put_be16(node_records[node_table.count++], 0xc000);
		}
		assert_int_equal(fill(false), -EPROTO);
	}
}

SA_TEST(refuses_records_that_are_cut)
{
	for (unsigned i = 0; i < 4; i++) {
		make_tables();
		tables[i]->is_truncated = true;
		assert_int_equal(fill(false), -EBADMSG);
		make_tables();
		tables[i]->record_size = tables[i] == &link_table ? 5 : tables[i]->record_size - 1;
		assert_int_equal(fill(false), -EBADMSG);
	}
	make_tables();
	node_table.count = 0;
	port_info_table.count = 0;
	link_table.count = 0;
	switch_table.count = 0;
	assert_int_equal(fill(false), -EPROTO); /* not even the local port */
}

static unsigned wrong_answers; /* how often the links do not have the nodes that they are of */
static unsigned queries;

typeof(mad_sa_query_all) __wrap_mad_sa_query_all;

struct mad_sa_table *__wrap_mad_sa_query_all(struct ibmad_port *port, const ib_portid_t *sm,
					     unsigned attribute, int timeout_ms)
{
	struct mad_sa_table *copy = calloc(1, sizeof(*copy));

	(void)port;
	(void)sm;
	(void)timeout_ms;
	assert_non_null(copy);
	queries++;
	for (unsigned i = 0; i < FABRIC_SA_TABLES; i++)
		if (tables[i]->attr_id == attribute)
			*copy = *tables[i];
	if (attribute == IB_SA_ATTR_NODERECORD && wrong_answers) {
		wrong_answers--;
		copy->count--;
	}
	return copy;
}

/* Tables of different moments are requested again, three times in all; then there are routes. */
SA_TEST(asks_again_for_tables_that_contradict_each_other)
{
	for (unsigned wrong = 0; wrong <= 3; wrong++) {
		const struct mad_fabric_info *info;

		queries = 0;
		wrong_answers = wrong;
		info = discover(.flags = MAD_FABRIC_FROM_SA);
		assert_int_equal(info->nodes, 6);
		assert_int_equal(info->from_sa, wrong < 3);
		assert_int_equal(info->sa_error, wrong < 3 ? 0 : EPROTO);
		assert_true(queries > 3 * wrong);
	}
}

static uint32_t next_random(uint32_t *seed)
{
	return (*seed = *seed * 1664525 + 1013904223) >> 8;
}

/* Any byte may be anything: what comes out can be read, and is nothing or a sound fabric. */
SA_TEST(survives_any_record)
{
	unsigned refused = 0, taken = 0;
	uint32_t seed = 1;

	for (int i = 0; i < MUTATIONS; i++) {
		const struct mad_sa_table *table = tables[next_random(&seed) % 4];
		uint8_t *byte = (uint8_t *)(uintptr_t)table->records +
				next_random(&seed) % (table->count * table->record_size);
		const struct mad_fabric_port *link = NULL;
		uint8_t before = *byte;

		*byte = (uint8_t)next_random(&seed);
		if (fill(next_random(&seed) % 2)) {
			refused++;
		} else {
			taken++;
			while ((link = mad_fabric_next_link(from_sa, link)))
				assert_ptr_equal(link->peer->peer, link);
		}
		*byte = before;
	}
	assert_true(refused > MUTATIONS / 100);
	assert_true(taken > MUTATIONS / 100);
	assert_int_equal(fill(false), 0);
}
