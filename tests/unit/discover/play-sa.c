/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * play-sa.c - plays fabrics.tbl: tables of the SA, which are those of the fabric that was kept. The
 * linker has the library call __wrap_mad_sa_query_all() instead of mad_sa_query_all().
 */
#include "play.h"

#include "libibmad/requests/requests.h"

enum { RECORDS = 64, MAX_CHANGES = 4, MUTATIONS = 20000 };

static const struct {
	unsigned attribute;
	size_t record_size;
} kinds[FABRIC_SA_TABLES] = {
	[FABRIC_SA_NODES] = { IB_SA_ATTR_NODERECORD, 108 },
	[FABRIC_SA_PORT_INFOS] = { IB_SA_ATTR_PORTINFORECORD, 68 },
	[FABRIC_SA_LINKS] = { IB_SA_ATTR_LINKRECORD, 8 },
	[FABRIC_SA_SWITCHES] = { IB_SA_ATTR_SWITCHINFORECORD, 24 },
};

/* Changes of tables: see play_sa(). */
static struct change {
	unsigned table;
	enum { WITHOUT, TWICE, BYTE, CUT, SHORT } kind;
	unsigned number, value;
	unsigned times; /* queries for which it holds */
} changes[MAX_CHANGES];
static size_t change_count;
static unsigned queries;

static uint8_t *append(struct mad_sa_table *table, const struct mad_fabric_port *port)
{
	uint8_t *record = (uint8_t *)(uintptr_t)table->records + table->count * table->record_size;

	assert_true(table->count++ < RECORDS);
	mad_put_be16(record, port->lid);
	return record;
}

static void add_node_record(struct mad_sa_table *table, const struct mad_fabric_port *port)
{
	const struct mad_fabric_node *node = port->node;
	uint8_t *record = append(table, port) + 4;

	mad_set_field(record, 0, IB_NODE_TYPE_F, node->type);
	mad_set_field(record, 0, IB_NODE_NPORTS_F, node->port_count);
	mad_set_field(record, 0, IB_NODE_LOCAL_PORT_F, port->port_number);
	mad_set_field(record, 0, IB_NODE_VENDORID_F, node->vendor_id);
	mad_set_field64(record, 0, IB_NODE_GUID_F, node->guid);
	mad_set_field64(record, 0, IB_NODE_SYSTEM_GUID_F, node->system_guid);
	mad_set_field64(record, 0, IB_NODE_PORT_GUID_F, port->guid);
	memcpy(record + 40, node->description, 64);
}

static void add_record(struct mad_sa_table *table, unsigned kind,
		       const struct mad_fabric_port *port)
{
	bool is_switch = port->node->type == IB_NODE_SWITCH;
	uint8_t *record;

	if (!port->has_info)
		return;
	if (kind == FABRIC_SA_NODES && (!port->port_number || !is_switch)) {
		add_node_record(table, port);
	} else if (kind == FABRIC_SA_SWITCHES && !port->port_number) {
		append(table, port);
	} else if (kind == FABRIC_SA_PORT_INFOS) {
		record = append(table, port);
		record[2] = port->port_number;
		memcpy(record + 4, port->port_info, IB_SMP_DATA_SIZE);
	} else if (kind == FABRIC_SA_LINKS && port->peer) {
		record = append(table, port);
		record[2] = port->port_number;
		record[3] = port->peer->port_number;
		mad_put_be16(record + 4, port->peer->lid);
	}
}

static void apply(struct mad_sa_table *table, const struct change *change)
{
	uint8_t *records = (uint8_t *)(uintptr_t)table->records;
	size_t size = table->record_size;

	switch (change->kind) {
	case WITHOUT:
		table->count -= change->number;
		break;
	case TWICE:
		memcpy(records + change->value * size, records + change->number * size, size);
		table->count += change->value == table->count;
		break;
	case BYTE:
		records[change->number] = (uint8_t)change->value;
		break;
	case CUT:
		table->is_truncated = true;
		break;
	case SHORT:
		table->record_size = change->number;
		break;
	}
}

static struct mad_sa_table *make_table(unsigned kind)
{
	const struct mad_fabric_node *node = NULL;
	size_t size = kinds[kind].record_size;
	struct mad_sa_table *table = calloc(1, sizeof(*table) + RECORDS * size);

	assert_non_null(table);
	table->attr_id = kinds[kind].attribute;
	table->record_size = size;
	table->records = (uint8_t *)(table + 1);
	while ((node = mad_fabric_next_node(older, node)))
		for (unsigned i = 0; i <= node->port_count; i++)
			add_record(table, kind, mad_fabric_get_port(node, i));
	for (size_t i = 0; i < change_count; i++)
		if (changes[i].table == kind && changes[i].times) {
			changes[i].times--;
			apply(table, &changes[i]);
		}
	return table;
}

__typeof__(mad_sa_query_all) __wrap_mad_sa_query_all;

struct mad_sa_table *__wrap_mad_sa_query_all(struct ibmad_port *port, const ib_portid_t *sm,
					     unsigned attribute, int timeout_ms)
{
	unsigned kind = 0;

	(void)port;
	(void)sm;
	(void)timeout_ms;
	queries++;
	while (kinds[kind].attribute != attribute)
		kind++;
	return make_table(kind);
}

/* "sa links twice 0 1": see fabrics.tbl. */
static void play_sa(char *rest)
{
	static const struct scene_name tables[] = { { "nodes", FABRIC_SA_NODES },
						    { "ports", FABRIC_SA_PORT_INFOS },
						    { "links", FABRIC_SA_LINKS },
						    { "switches", FABRIC_SA_SWITCHES },
						    { .name = NULL } };
	static const struct scene_name words[] = { { "without", WITHOUT }, { "twice", TWICE },
						   { "byte", BYTE },	   { "cut", CUT },
						   { "size", SHORT },	   { .name = NULL } };
	struct change *change = &changes[change_count++];
	char *word;

	assert_true(change_count <= MAX_CHANGES);
	*change = (struct change){ .table = scene_find(tables, scene_word(&rest)), .times = 100 };
	change->kind = scene_find(words, scene_word(&rest));
	word = scene_word(&rest);
	change->number = word ? (unsigned)scene_number(word) : 0;
	word = scene_word(&rest);
	if (word && !strncmp(word, "times=", 6))
		change->times = (unsigned)scene_number(word + 6);
	else
		change->value = word ? (unsigned)scene_number(word) : 0;
}

static void play_queries(char *rest)
{
	assert_int_equal(queries, scene_number(rest));
}

void play_forget_sa(void)
{
	change_count = 0;
	queries = 0;
}

const struct scene_verb sa_verbs[] = { { "sa", play_sa },
				       { "queries", play_queries },
				       { .name = NULL } };

static uint32_t next_random(uint32_t *seed)
{
	return (*seed = *seed * 1664525 + 1013904223) >> 8;
}

/* Any byte of the tables may be anything: the fabric is refused, or sound. */
PLAY_TEST(survives_any_record)
{
	struct mad_sa_table *tables[FABRIC_SA_TABLES];
	unsigned refused = 0;
	uint32_t seed = 1;

	play("tree");
	play("discover");
	play("keep");
	for (unsigned i = 0; i < FABRIC_SA_TABLES; i++)
		tables[i] = make_table(i);
	for (int i = 0; i < MUTATIONS; i++) {
		struct mad_sa_table *table = tables[next_random(&seed) % FABRIC_SA_TABLES];
		uint8_t *byte = (uint8_t *)(table + 1) +
				next_random(&seed) % (table->count * table->record_size);
		const struct mad_fabric_port *link = NULL;
		struct mad_fabric *made = fabric_create();
		uint8_t before = *byte;

		*byte = (uint8_t)next_random(&seed);
		if (fabric_fill_from_sa(made, tables, MODEL_GUID(0) + 1, next_random(&seed) % 2)) {
			refused++;
		} else {
			assert_int_equal(fabric_finish(made), 0);
			while ((link = mad_fabric_next_link(made, link)))
				assert_ptr_equal(link->peer->peer, link);
		}
		mad_fabric_free(made);
		*byte = before;
	}
	assert_between(refused, MUTATIONS / 100, MUTATIONS - MUTATIONS / 100);
	for (unsigned i = 0; i < FABRIC_SA_TABLES; i++)
		mad_sa_table_free(tables[i]);
}
