/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A day of --watch --keys in fast motion, on a fabric behind the fake kernel, with the virtual
 * clock: rounds with random outages, recabling, reboots, names, errors and keys that change, and
 * kill -9. A replica is changed by nothing but the reported changes, each of which must fit it: so
 * it equals what the program knows as long as every change is reported once. Whenever the outages
 * are over, both equal the truth.
 *
 * DAY_ROUNDS and DAY_SEED in the environment choose another day.
 */
/* The tests of asynchronous requests have a function of this name, too. */
#define open_port open_port_of_options
#include "tools/fabric-sweep/sweep.h"
#undef open_port

#include <infiniband/mad_keys.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scene.h"

#define ROUNDS	    50
#define CALM_EVERY  10
#define CALM_AFTER  7 /* rounds in which something happens */
#define OUTAGE_MOST 3 /* rounds */

volatile sig_atomic_t sweep_stop_signal;

/* 0 is where the program runs. The last two hosts respond to their own M_Key alone, so they stay
 * where they are: nobody would find them elsewhere. */
enum { HOSTS = 8, LEAF_1 = HOSTS, LEAF_2, SPINE_1, SPINE_2, NODES, PORTS = 13 };
enum { HOST_PROTECTED = HOSTS - 2, FIRST_SPINE_PORT = 9 };

enum outage { SILENT, AGENT_SILENT, NAME_SILENT, KEY_CHANGED, OUTAGES };

struct end {
	int node; /* -1: no link */
	unsigned port;
};

static struct {
	unsigned round; /* 0: the first sweep, of which opensm's file of neighbours tells later */
	unsigned left[OUTAGES][NODES]; /* rounds that an outage lasts yet */
	unsigned key[NODES];	       /* version of the M_Key */
	unsigned errors[NODES][PORTS]; /* counted by ports */
	struct model_end home[NODES];  /* the next place of a host that is out */
} day;

static struct {
	bool known[NODES], lost[NODES], was_gone[NODES];
	char name[NODES][32];
	struct end peer[NODES][PORTS];
	uint64_t errors[NODES][PORTS]; /* the sum of what was reported */
	unsigned changes;
} replica;

static struct mad_keys *keys;
static struct state known_state;
static uint64_t random_state;
static char file_name[32];

static unsigned random_below(unsigned limit)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (unsigned)(random_state >> 33) % limit;
}

static bool is_protected(int node)
{
	return node >= HOST_PROTECTED && node < HOSTS;
}

static uint64_t key_of(int node)
{
	return 0x1000U + (unsigned)node * 0x100U + day.key[node];
}

static void give_key(int node)
{
	uint64_t guid = MODEL_GUID(node) + (node < HOSTS ? 1 : 0);

	assert_int_equal(mad_keys_set_guid(keys, MAD_KEY_M, guid, key_of(node)), 0);
}

static void respond(const struct model_request *request, struct responder_response *response,
		    uint8_t *data)
{
	int node = request->node;

	if (node < 0)
		return;
	if (request->mgmt_class == IB_PERFORMANCE_CLASS) {
		response->silent |= day.left[SILENT][node] || day.left[AGENT_SILENT][node];
		if (request->attribute == IB_GSI_PORT_COUNTERS && request->port < PORTS)
			mad_set_field(data, 0, IB_PC_ERR_SYM_F, day.errors[node][request->port]);
		return;
	}
	response->silent |=
		day.left[SILENT][node] ||
		(day.round && is_protected(node) && request->key != key_of(node)) ||
		(day.left[NAME_SILENT][node] && request->attribute == IB_ATTR_NODE_DESC);
}

static void unplug(int node, uint8_t port)
{
	struct model_end *end = &model.nodes[node].peers[port];

	if (end->node >= 0)
		model.nodes[end->node].peers[end->port].node = -1;
	end->node = -1;
}

static void make_fabric(void)
{
	char name[32];

	for (int i = 0; i < NODES; i++) {
		snprintf(name, sizeof(name), "node-%d", i);
		model_add_node(i < HOSTS ? IB_NODE_CA : IB_NODE_SWITCH, i < HOSTS ? 1 : PORTS - 1,
			       name);
	}
	for (int i = 0; i < HOSTS; i++)
		model_cable(i, 1, i % 2 ? LEAF_2 : LEAF_1, (uint8_t)(1 + i / 2));
	for (int i = 0; i < 8; i++)
		model_cable(i % 2 ? LEAF_2 : LEAF_1, (uint8_t)(FIRST_SPINE_PORT + i / 2),
			    i < 4 ? SPINE_1 : SPINE_2, (uint8_t)(1 + i % 4));
	model.twist = respond;
	keys = mad_keys_create();
	assert_non_null(keys);
	for (int i = 0; i < NODES; i++)
		if (is_protected(i))
			give_key(i);
	assert_int_equal(mad_port_set_keys(scene_port, keys), 0);
}

static void begin_outage(enum outage outage, int node)
{
	if (day.left[outage][node])
		return;
	day.left[outage][node] = 1 + random_below(OUTAGE_MOST);
	if (outage == KEY_CHANGED) /* and the program learns of it after the outage */
		day.key[node]++;
}

static void end_outages(bool all)
{
	for (int node = 0; node < NODES; node++)
		for (int i = 0; i < OUTAGES; i++) {
			unsigned *left = &day.left[i][node];

			if (!*left || (--*left && !all))
				continue;
			*left = 0;
			if (i == KEY_CHANGED)
				give_key(node);
		}
}

/* A host that reboots is out; unprotected ones may be plugged elsewhere then. */
static void reboot_or_plug(int host)
{
	struct model_end *home = &day.home[host];

	if (model.nodes[host].peers[1].node >= 0) {
		*home = model.nodes[host].peers[1];
		unplug(host, 1);
		return;
	}
	if (!is_protected(host) && host && random_below(2)) {
		struct model_end other = { random_below(2) ? LEAF_1 : LEAF_2,
					   (uint8_t)(1 + random_below(FIRST_SPINE_PORT - 1)) };

		for (int i = 0; i < HOSTS; i++) /* each has its place */
			if (day.home[i].node == other.node && day.home[i].port == other.port)
				other = *home;
		*home = other;
	}
	if (model.nodes[home->node].peers[home->port].node < 0)
		model_cable(host, 1, home->node, home->port);
}

static void recable_spine(void)
{
	uint8_t port = (uint8_t)(FIRST_SPINE_PORT + random_below(4));
	int leaf = random_below(2) ? LEAF_1 : LEAF_2;
	struct model_end was = model.nodes[leaf].peers[port];

	unplug(leaf, port);
	if (was.node < 0 && random_below(2)) {
		int spine = random_below(2) ? SPINE_1 : SPINE_2;

		for (uint8_t to = 1; to < PORTS; to++)
			if (model.nodes[spine].peers[to].node < 0) {
				model_cable(leaf, port, spine, to);
				break;
			}
	}
}

static void count_errors(void)
{
	int node = (int)random_below(NODES);

	for (unsigned port = 1; port < PORTS; port++)
		day.errors[node][port] += random_below(4);
}

static void let_something_happen(void)
{
	int node = (int)random_below(NODES);

	switch (random_below(9)) {
	case 0:
		begin_outage(SILENT, node ? node : LEAF_2);
		break;
	case 1:
		begin_outage(AGENT_SILENT, node);
		break;
	case 2:
		begin_outage(NAME_SILENT, node);
		break;
	case 3:
		begin_outage(KEY_CHANGED, HOST_PROTECTED + (int)random_below(2));
		break;
	case 4:
	case 5:
		reboot_or_plug((int)random_below(HOSTS));
		break;
	case 6:
		recable_spine();
		break;
	case 7:
		snprintf(model.nodes[node].name, sizeof(model.nodes[node].name), "name-%u-%d",
			 day.round, node);
		break;
	default:
		count_errors();
	}
}

static int index_of(const struct mad_fabric_node *node)
{
	return (int)((node->guid - MODEL_GUID(0)) / 0x100);
}

static struct end end_of(const struct mad_fabric_port *port)
{
	return (struct end){ index_of(port->node), port->port_number };
}

static struct end *peer_in_replica(struct end end)
{
	return &replica.peer[end.node][end.port];
}

/* Links two ports of the replica that have no link; or takes the link away that they have. */
static void set_link(const struct mad_fabric_port *port, bool adds)
{
	struct end ends[] = { end_of(port), end_of(port->peer) };

	for (int i = 0; i < 2; i++) {
		struct end *peer = peer_in_replica(ends[i]);

		assert_int_equal(peer->node, adds ? -1 : ends[!i].node);
		if (!adds)
			assert_int_equal(peer->port, ends[!i].port);
	}
	for (int i = 0; i < 2; i++) {
		*peer_in_replica(ends[i]) = ends[!i];
		if (!adds)
			peer_in_replica(ends[i])->node = -1;
	}
}

static void copy_name(const struct mad_fabric_node *node)
{
	snprintf(replica.name[index_of(node)], sizeof(replica.name[0]), "%.31s", node->description);
}

static void flip(unsigned kind, bool *flag, bool value)
{
	if (*flag == value)
		fail_msg("round %u: change %u was reported already", day.round, kind);
	*flag = value;
}

static void apply_to_node(const struct mad_fabric_change *change)
{
	const struct mad_fabric_node *node = change->new_node ? change->new_node : change->old_node;
	int index = node ? index_of(node) : 0;

	switch (change->kind) {
	case MAD_FABRIC_CHANGE_NODE_APPEARED:
		flip(change->kind, &replica.known[index], true);
		copy_name(node);
		break;
	case MAD_FABRIC_CHANGE_NODE_DISAPPEARED:
		flip(change->kind, &replica.known[index], false);
		replica.lost[index] = false;
		replica.was_gone[index] = true;
		break;
	case MAD_FABRIC_CHANGE_NODE_RENAMED:
		assert_string_equal(replica.name[index], change->old_node->description);
		assert_string_not_equal(replica.name[index], node->description);
		copy_name(node);
		break;
	case MAD_FABRIC_CHANGE_NODE_UNREACHABLE:
		flip(change->kind, &replica.lost[index], true);
		break;
	case MAD_FABRIC_CHANGE_NODE_REACHABLE:
		if (!replica.known[index]) { /* the link was known before the node at its end */
			replica.known[index] = replica.was_gone[index] = true;
			copy_name(node);
			break;
		}
		flip(change->kind, &replica.lost[index], false);
		break;
	}
}

static void apply_to_links(const struct mad_fabric_change *change, bool adds)
{
	bool moved = change->kind == MAD_FABRIC_CHANGE_LINK_MOVED;

	if (!adds && (moved || change->kind == MAD_FABRIC_CHANGE_LINK_DISAPPEARED))
		set_link(change->old_port, false);
	if (adds && (moved || change->kind == MAD_FABRIC_CHANGE_LINK_APPEARED))
		set_link(change->new_port, true);
}

/* The links of a node that was not known are not reported on their own. */
static void take_links_of(const struct mad_fabric_node *node)
{
	for (unsigned i = 1; i <= node->port_count; i++) {
		const struct mad_fabric_port *port = mad_fabric_get_port(node, i);

		if (port->peer && peer_in_replica(end_of(port))->node < 0)
			set_link(port, true);
	}
}

static void apply_changes(const struct mad_fabric *before)
{
	struct mad_fabric_changes *changes = mad_fabric_compare(before, known_state.fabric);
	const struct mad_fabric_change *change = NULL;

	assert_non_null(changes);
	while ((change = mad_fabric_next_change(changes, change))) {
		replica.changes++;
		apply_to_node(change);
		apply_to_links(change, false);
	}
	while ((change = mad_fabric_next_change(changes, change)))
		apply_to_links(change, true);
	while ((change = mad_fabric_next_change(changes, change)))
		if (change->kind == MAD_FABRIC_CHANGE_NODE_REACHABLE && !change->old_node)
			take_links_of(change->new_node);
	mad_fabric_changes_free(changes);
}

static void apply_rises(const struct mad_fabric_counters *before)
{
	struct mad_fabric_counters *rises =
		mad_fabric_counters_subtract(before, known_state.counters);
	const struct mad_fabric_counter_row *row = NULL;
	uint64_t value;

	assert_non_null(rises);
	while ((row = mad_fabric_counters_next(rises, row))) {
		struct end end = end_of(mad_fabric_row_port(row));

		if (mad_fabric_row_value(row, MAD_FABRIC_COUNTER_SYMBOL_ERRORS, &value) >= 0)
			replica.errors[end.node][end.port] += value;
	}
	mad_fabric_counters_free(rises);
}

/* The first sweep makes no changes. */
static void begin_replica(void)
{
	const struct mad_fabric_node *node = NULL;
	const struct mad_fabric_port *link = NULL;

	memset(&replica, 0, sizeof(replica));
	for (int i = 0; i < NODES; i++)
		for (int port = 0; port < PORTS; port++)
			replica.peer[i][port].node = -1;
	while ((node = mad_fabric_next_node(known_state.fabric, node))) {
		replica.known[index_of(node)] = true;
		copy_name(node);
	}
	while ((link = mad_fabric_next_link(known_state.fabric, link)))
		set_link(link, true);
}

static void assert_replica_is_known(void)
{
	size_t nodes = 0, lost = 0;
	const struct mad_fabric_node *node = NULL;
	const struct mad_fabric_port *port;

	while ((node = mad_fabric_next_node(known_state.fabric, node))) {
		int index = index_of(node);

		assert_true(replica.known[index]);
		assert_int_equal(replica.lost[index], node->out_of_reach);
		if (!replica.name[index][0]) /* reading a name for the first time is no change */
			copy_name(node);
		assert_string_equal(replica.name[index], node->description);
		for (unsigned i = 1; i <= node->port_count; i++) {
			port = mad_fabric_get_port(node, i);
			assert_int_equal(replica.peer[index][i].node,
					 port->peer ? index_of(port->peer->node) : -1);
		}
	}
	for (int i = 0; i < NODES; i++) {
		nodes += replica.known[i];
		lost += replica.lost[i];
	}
	assert_int_equal(mad_fabric_get_info(known_state.fabric)->nodes, nodes);
	assert_int_equal(mad_fabric_get_info(known_state.fabric)->out_of_reach, lost);
}

static void mark_in_reach(int node, bool *reached)
{
	if (reached[node])
		return;
	reached[node] = true;
	for (int port = 1; port <= model.nodes[node].port_count; port++)
		if (model.nodes[node].peers[port].node >= 0)
			mark_in_reach(model.nodes[node].peers[port].node, reached);
}

static void assert_known_is_true(void)
{
	bool reached[NODES] = { false };
	uint64_t value;

	mark_in_reach(0, reached);
	for (int i = 0; i < NODES; i++) {
		if (replica.known[i] != reached[i] || replica.lost[i])
			fail_msg("round %u: node %d is %sknown, %slost and %sin reach", day.round,
				 i, replica.known[i] ? "" : "not ", replica.lost[i] ? "" : "not ",
				 reached[i] ? "" : "not ");
		if (!reached[i])
			continue;
		assert_string_equal(replica.name[i], model.nodes[i].name);
		for (unsigned port = 1; port <= model.nodes[i].port_count; port++) {
			const struct model_end *peer = &model.nodes[i].peers[port];
			const struct mad_fabric_counter_row *row =
				mad_fabric_counters_find(known_state.counters, MODEL_GUID(i), port);

			if (replica.peer[i][port].node != peer->node ||
			    (peer->node >= 0 && replica.peer[i][port].port != peer->port))
				fail_msg("round %u: port %d.%u is linked to %d.%u, not %d.%u",
					 day.round, i, port, peer->node, peer->port,
					 replica.peer[i][port].node, replica.peer[i][port].port);
			if (!row) /* a port of a host that is out */
				continue;
			assert_true(mad_fabric_row_value(row, MAD_FABRIC_COUNTER_SYMBOL_ERRORS,
							 &value) >= 0);
			assert_int_equal(value, day.errors[i][port]);
			if (!replica.was_gone[i]) /* else some came while nobody knew it */
				assert_int_equal(replica.errors[i][port], value);
		}
	}
}

static const struct options options = {
	.timeout_ms = 200, .retries = 1, .watch_seconds = 1, .keys = "are in the port"
};

static void write_file(const struct sweep *sweep)
{
	FILE *file = fopen(file_name, "we");

	assert_non_null(file);
	json_write(sweep, &options, file);
	assert_int_equal(fclose(file), 0);
}

/* With what opensm's file of neighbours would say: nodes that are gone are in no file of ours. */
static void start_again(struct mad_fabric *neighbours)
{
	state_free(&known_state);
	assert_true(json_read(fopen(file_name, "re"), "--json", file_name, &known_state));
	known_state.expected = neighbours;
	assert_true(state_expect(&known_state));
}

static struct mad_fabric *copy_expected(void)
{
	struct mad_fabric *copy = mad_fabric_merge(known_state.expected, known_state.expected, 0);

	assert_non_null(copy);
	return copy;
}

/* A round; the program may be killed before it has reported anything. */
static void sweep_once(bool is_killed)
{
	struct sweep sweep = { .state = &known_state };
	struct state before = { 0 };

	sweep_make(&options, scene_port, known_state.expected, &sweep);
	assert_non_null(sweep.fabric);
	if (!is_killed) {
		assert_true(state_take(&known_state, &sweep, true, &before));
		if (before.fabric) {
			apply_changes(before.fabric);
			apply_rises(before.counters);
		} else {
			begin_replica();
		}
		write_file(&sweep);
		assert_replica_is_known();
	}
	state_free(&before);
	sweep_free(&sweep);
}

static unsigned from_environment(const char *name, unsigned otherwise)
{
	const char *value = getenv(name);

	return value ? (unsigned)strtoul(value, NULL, 10) : otherwise;
}

SCENE_TEST(a_day_of_watching)
{
	unsigned rounds = from_environment("DAY_ROUNDS", ROUNDS), kills = 0;

	random_state = from_environment("DAY_SEED", 1);
	snprintf(file_name, sizeof(file_name), "day-%d.json", (int)getpid());
	memset(&day, 0, sizeof(day));
	make_fabric();
	sweep_once(false);
	for (day.round = 1; day.round <= rounds; day.round++) {
		bool is_calm = day.round % CALM_EVERY == 0, is_killed = !random_below(8);

		end_outages(is_calm);
		if (day.round % CALM_EVERY <= CALM_AFTER && !is_calm)
			for (unsigned i = random_below(4); i; i--)
				let_something_happen();
		if (is_calm && model.nodes[0].peers[1].node < 0)
			reboot_or_plug(0); /* from a port without a link, nothing is true */
		if (is_killed) {
			struct mad_fabric *neighbours = copy_expected();

			sweep_once(true);
			start_again(neighbours);
			assert_replica_is_known();
			kills++;
		}
		sweep_once(false);
		if (is_calm)
			assert_known_is_true();
	}
	printf("%u rounds, %u changes, killed %u times\n", rounds, replica.changes, kills);
	assert_true(replica.changes >= rounds / 2 && kills);
	state_free(&known_state);
	unlink(file_name);
	mad_keys_free(keys);
}

/* Of two hosts that exchange their LIDs, one has more errors than a check lets pass: it is not the
 * other one whose errors rise. */
SCENE_TEST(counters_after_an_exchange_of_lids)
{
	uint64_t limits[] = { [MAD_FABRIC_COUNTER_SYMBOL_ERRORS] = 10 };
	const struct options check = {
		.timeout_ms = 200, .retries = 1, .check = true, .limits = limits, .limit_count = 1
	};
	struct sweep sweep = { .state = &known_state };
	struct mad_fabric_counters *older;

	memset(&day, 0, sizeof(day));
	make_fabric();
	day.errors[2][1] = 100;
	assert_int_equal(sweep_make(&check, scene_port, NULL, &sweep), 0);
	older = sweep.counters;
	assert_true(sweep_read_again(&check, scene_port, &sweep));
	mad_fabric_counters_free(older);
	older = sweep.counters;
	model.nodes[2].lid = 4;
	model.nodes[3].lid = 3;
	assert_false(sweep_read_again(&check, scene_port, &sweep));
	mad_fabric_counters_free(older);
	sweep_free(&sweep);
	mad_keys_free(keys);
}
