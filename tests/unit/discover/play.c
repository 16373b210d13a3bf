/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* play.c - plays fabrics.tbl: a fabric, what its nodes respond, and a discovery of it. */
#include "play.h"

#include <errno.h>
#include <stdio.h>

struct mad_fabric *older;

unsigned play_find(const struct play_word *words, const char *name)
{
	while (words->name && strcmp(words->name, name) != 0)
		words++;
	if (!words->name)
		fail_msg("no such word: %s", name);
	return words->number;
}

/*
 * The fabric
 */

static void play_tree(char *rest)
{
	(void)rest;
	model_make_tree();
}

static void play_node(char *rest)
{
	static const struct play_word types[] = { { "ca", IB_NODE_CA },
						  { "switch", IB_NODE_SWITCH },
						  { "router", IB_NODE_ROUTER },
						  { .name = NULL } };
	unsigned type = play_find(types, scene_word(&rest));
	unsigned ports = (unsigned)scene_number(scene_word(&rest));

	model_add_node((uint8_t)type, (uint8_t)ports, rest);
}

/* "3.2" is port 2 of node 3; without a port it is 0. */
struct model_end play_end(char *text)
{
	char *port = scene_split(text, '.');

	return (struct model_end){ (int)scene_number(text),
				   port ? (uint8_t)scene_number(port) : 0 };
}

static void play_cable(char *rest)
{
	struct model_end one = play_end(scene_word(&rest)), other = play_end(rest);

	model_cable(one.node, one.port, other.node, other.port);
}

static void play_cut(char *rest)
{
	struct model_end one = play_end(rest);
	struct model_end other = model.nodes[one.node].peers[one.port];

	model.nodes[one.node].peers[one.port].node = -1;
	if (other.node >= 0)
		model.nodes[other.node].peers[other.port].node = -1;
}

/* "guid 3 0": node 3 has the GUID of node 0. */
static void play_guid(char *rest)
{
	int node = play_end(scene_word(&rest)).node;

	model.nodes[node].guid = MODEL_GUID(scene_number(rest));
}

/* "exchange 3 0": node 3 has the LID of node 0, and the other way round. */
static void play_exchange(char *rest)
{
	struct model_node *one = &model.nodes[play_end(scene_word(&rest)).node];
	struct model_node *other = &model.nodes[play_end(rest).node];
	uint16_t lid = one->lid;

	one->lid = other->lid;
	other->lid = lid;
}

static void play_rename(char *rest)
{
	struct model_node *node = &model.nodes[play_end(scene_word(&rest)).node];

	snprintf(node->name, sizeof(node->name), "%s", rest);
}

/* The bits of nodes: "*" of all of them, else "0,3-5". */
unsigned play_nodes(char *list)
{
	unsigned bits = 0;
	char *item, *left;

	for (item = strtok_r(list, ",", &left); item; item = strtok_r(NULL, ",", &left)) {
		char *end = scene_split(item, '-');

		if (*item == '*')
			return 0;
		for (unsigned i = (unsigned)scene_number(item); i <= scene_number(end ? end : item);
		     i++)
			bits |= NODE(i);
	}
	return bits;
}

static void play_devices(char *rest)
{
	unsigned nodes = play_nodes(scene_word(&rest));

	for (int i = 0; i < model.node_count; i++)
		if (!nodes || nodes & NODE(i))
			model.nodes[i].device_id = (uint16_t)scene_number(rest);
}

/* CapabilityMask and CapabilityMask2 of performance management, and PortInfo with extended speeds.
 */
static void play_can(char *rest)
{
	static const struct play_word bits[] = {
		{ "extended", MAD_PM_EXTENDED }, { "all-ports", MAD_PM_ALL_PORT_SELECT },
		{ "wait", MAD_PM_XMIT_WAIT },	 { "rsfec", MAD_PM_RSFEC },
		{ "qp1", MAD_PM_QP1_DROPPED },	 { .name = NULL }
	};
	char *word;

	model.capabilities = 0;
	while ((word = scene_word(&rest)))
		if (!strcmp(word, "speeds"))
			model.extended_speeds = true;
		else if (!strcmp(word, "errors64"))
			model.capabilities |= MAD_PM_EXTENDED_ERRORS;
		else
			model.capabilities |= play_find(bits, word);
}

/*
 * Discovery
 */

/* "window=1 hops=2 above=10 switches topology fec expected subtree=0,1" */
struct mad_fabric_options play_options(char *rest)
{
	static const struct play_word flags[] = { { "switches", MAD_FABRIC_SWITCHES_ONLY },
						  { "topology", MAD_FABRIC_TOPOLOGY_ONLY },
						  { "fec", MAD_FABRIC_READ_FEC },
						  { "owners", MAD_FABRIC_CHECK_OWNERS },
						  { .name = NULL } };
	static uint64_t thresholds[FABRIC_COUNTERS];
	static ib_dr_path_t route;
	struct mad_fabric_options options = { .timeout_ms = 200, .attempts = 1 };
	char *word;

	while ((word = scene_word(&rest))) {
		char *value = scene_split(word, '=');

		if (!value && strcmp(word, "expected") != 0) {
			options.flags |= play_find(flags, word);
		} else if (!strcmp(word, "window")) {
			options.window = (uint32_t)scene_number(value);
		} else if (!strcmp(word, "expected")) {
			options.expected = older;
		} else if (!strcmp(word, "above")) {
			for (unsigned i = 0; i < COUNT(thresholds); i++)
				thresholds[i] = mad_fabric_counter_get_kind(i)->is_error
							? scene_number(value)
							: UINT64_MAX;
			options.thresholds = thresholds;
			options.threshold_count = COUNT(thresholds);
		} else if (!strcmp(word, "hops")) {
			options.max_hops = (uint32_t)scene_number(value);
		} else {
			route = (ib_dr_path_t){ .cnt = 1,
						.p = { 0, (uint8_t)scene_number(value) } };
			options.subtree = &route;
		}
	}
	return options;
}

static void play_discover(char *rest)
{
	struct mad_fabric_options options = play_options(*rest == 'E' ? (char[]){ "" } : rest);

	memset(model.smps, 0, sizeof(model.smps));
	errno = 0;
	if (*rest != 'E') {
		assert_non_null(discover_with(&options));
		return;
	}
	assert_null(discover_with(&options));
	assert_int_equal(errno, scene_number(rest));
}

static void play_keep(char *rest)
{
	(void)rest;
	keep_counters();
	mad_fabric_free(older);
	older = fabric;
	fabric = NULL;
}

/* The last known state, of what was kept and what was discovered. */
static void play_merge(char *rest)
{
	struct mad_fabric *merged =
		mad_fabric_merge(older, fabric, *rest ? MAD_FABRIC_KEEP_GONE : 0);

	assert_non_null(merged);
	merge_counters(merged);
	mad_fabric_free(fabric);
	fabric = merged;
}

static void play_found(char *rest)
{
#define INFO(name, member) SCENE_NUMBER(struct mad_fabric_info, name, member)
	static const struct scene_member members[] = { INFO("nodes", nodes),
						       INFO("lost", out_of_reach),
						       INFO("switches", switches),
						       INFO("cas", cas),
						       INFO("routers", routers),
						       INFO("ports", ports),
						       INFO("links", links),
						       INFO("problems", problems),
						       INFO("unread", unread_nodes),
						       INFO("ends", unknown_ends),
						       INFO("error", error),
						       INFO("timeouts", timeouts),
						       { .name = NULL } };

	scene_assert_members(members, mad_fabric_get_info(fabric), rest);
}

static void assert_peer(const struct mad_fabric_port *port, char *wanted)
{
	struct model_end end;

	if (*wanted == '-') {
		assert_null(port->peer);
		return;
	}
	end = play_end(wanted);
	assert_ptr_equal(port->peer, port_of(end.node, end.port));
	assert_ptr_equal(port->peer->peer, port);
}

static void play_port(char *rest)
{
#define PORT(name, member) SCENE_NUMBER(struct mad_fabric_port, name, member)
	static const struct scene_member members[] = { PORT("guid", guid),
						       PORT("lid", lid),
						       PORT("lmc", lmc),
						       PORT("state", state),
						       PORT("width", width),
						       PORT("best_width", best_width),
						       PORT("half", half_link),
						       PORT("info", info_error),
						       PORT("end", peer_error),
						       PORT("has_fec", has_fec),
						       PORT("fec_mode", fec_mode),
						       PORT("has_info", has_info),
						       { .name = NULL } };
	struct model_end end = play_end(scene_word(&rest));
	const struct mad_fabric_port *port = port_of(end.node, end.port);
	char *word;

	while ((word = scene_word(&rest))) {
		char *value = strchr(word, '=') + 1;

		if (!strncmp(word, "peer=", 5))
			assert_peer(port, value);
		else if (!strncmp(word, "speed=", 6))
			assert_string_equal(mad_fabric_speed_name(port->speed), value);
		else if (!strncmp(word, "best=", 5))
			assert_string_equal(mad_fabric_speed_name(port->best_speed), value);
		else
			scene_assert_members(members, port, word);
	}
}

static void play_is(char *rest)
{
#define MEMBER(name, member) SCENE_NUMBER(struct mad_fabric_node, name, member)
	static const struct scene_member members[] = { MEMBER("type", type),
						       MEMBER("hops", route.cnt),
						       MEMBER("enhanced0", enhanced_port0),
						       MEMBER("no_name", description_error),
						       MEMBER("lost", out_of_reach),
						       MEMBER("no_switch", switch_info_error),
						       SCENE_TEXT(struct mad_fabric_node, "name",
								  description),
						       { .name = NULL } };
	int node = play_end(scene_word(&rest)).node;

	scene_assert_members(members, port_of(node, 1)->node, rest);
}

static void play_starts(char *rest)
{
	struct model_end end = play_end(rest);

	assert_ptr_equal(mad_fabric_get_info(fabric)->start, port_of(end.node, end.port));
}

/* "lid 35 3.2": whose LID it is; "-": nobody's. */
static void play_lid(char *rest)
{
	unsigned lid = (unsigned)scene_number(scene_word(&rest));
	struct model_end end;

	if (*rest == '-') {
		assert_null(mad_fabric_find_lid(fabric, lid));
		return;
	}
	end = play_end(rest);
	assert_ptr_equal(mad_fabric_find_lid(fabric, lid), port_of(end.node, end.port));
}

/* All ports with a port GUID. */
static void play_planes(char *rest)
{
	uint64_t guid = scene_number(scene_word(&rest));
	const struct mad_fabric_port *port = NULL;
	char *word;

	while ((word = scene_word(&rest))) {
		struct model_end end = play_end(word);

		port = mad_fabric_find_port(fabric, guid, port);
		assert_ptr_equal(port, port_of(end.node, end.port));
	}
	assert_null(mad_fabric_find_port(fabric, guid, port));
}

static void play_missing(char *rest)
{
	assert_null(mad_fabric_find_node(fabric, MODEL_GUID(scene_number(rest))));
}

static const char *const problem_kinds[] = { "no-response",    "no-port-info", "no-name",
					     "no-switch-info", "same-guid",    "wrong-port",
					     "half-link",      "same-lid" };

static enum mad_fabric_problem_kind find_problem_kind(const char *name)
{
	unsigned kind = 0;

	while (kind < COUNT(problem_kinds) && strcmp(problem_kinds[kind], name) != 0)
		kind++;
	assert_true(kind < COUNT(problem_kinds));
	return (enum mad_fabric_problem_kind)(kind + 1);
}

/* Also that a text which does not fit is cut. */
static void play_words(char *rest)
{
	enum mad_fabric_problem_kind kind = find_problem_kind(scene_word(&rest));
	const struct mad_fabric_problem *problem = NULL;
	char text[300], cut[7];
	int length;

	do {
		problem = mad_fabric_next_problem(fabric, problem);
		assert_non_null(problem);
	} while (problem->kind != kind);
	length = mad_fabric_problem_text(problem, text, sizeof(text));
	assert_int_equal(length, strlen(text));
	assert_int_equal(mad_fabric_problem_text(problem, cut, sizeof(cut)), length);
	assert_int_equal(strlen(cut), sizeof(cut) - 1);
	assert_memory_equal(cut, text, strlen(cut));
	if (!strstr(text, rest))
		fail_msg("\"%s\" is not in \"%s\"", rest, text);
}

/* All problems: "half-link=1". */
static void play_problems(char *rest)
{
	char *word;
	unsigned sum = 0;

	while ((word = scene_word(&rest))) {
		const char *count = scene_split(word, '=');

		assert_int_equal(problems_of(find_problem_kind(word)), scene_number(count));
		sum += (unsigned)scene_number(count);
	}
	assert_int_equal(mad_fabric_get_info(fabric)->problems, sum);
}

static const struct scene_verb verbs[] = {
	{ "tree", play_tree },	     { "node", play_node },
	{ "cable", play_cable },     { "cut", play_cut },
	{ "guid", play_guid },	     { "rename", play_rename },
	{ "devices", play_devices }, { "exchange", play_exchange },
	{ "can", play_can },	     { "discover", play_discover },
	{ "keep", play_keep },	     { "merge", play_merge },
	{ "found", play_found },     { "port", play_port },
	{ "starts", play_starts },   { "lid", play_lid },
	{ "planes", play_planes },   { "is", play_is },
	{ "missing", play_missing }, { "problems", play_problems },
	{ "words", play_words },     { .name = NULL }
};

static void play_statement(char *statement)
{
	static const struct scene_verb *const all[] = { verbs,	       response_verbs, change_verbs,
							counter_verbs, key_verbs,      NULL };

	scene_play_verb(all, statement);
}

void play(const char *statement)
{
	scene_play_copy(play_statement, statement);
}

int play_set_up(void **state)
{
	play_forget_rules();
	return scene_setup(state);
}

int play_tear_down(void **state)
{
	free_counters();
	keep_counters(); /* none */
	free_keys();
	mad_fabric_free(older);
	older = NULL;
	return scene_teardown(state);
}

SCENES(DISCOVER_TABLES "/fabrics.tbl", play_statement, play_set_up, play_tear_down)
