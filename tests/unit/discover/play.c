/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* play.c - plays fabrics.tbl: a fabric, what its nodes respond, and a discovery of it. */
#include "play.h"

#include <errno.h>
#include <stdio.h>

struct mad_fabric *older;

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
	static const struct scene_name types[] = { { "ca", IB_NODE_CA },
						   { "switch", IB_NODE_SWITCH },
						   { "router", IB_NODE_ROUTER },
						   { .name = NULL } };
	unsigned type = scene_find(types, scene_word(&rest));
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

/* "guid 3-5 0": these nodes have the GUID of node 0. */
static void play_guid(char *rest)
{
	unsigned nodes = play_nodes(scene_word(&rest));

	for (int i = 0; i < model.node_count; i++)
		if (nodes >> i & 1)
			model.nodes[i].guid = MODEL_GUID(scene_number(rest));
}

/* "hosts 10 1.2": cabled to port 2 of node 1 and those after it. */
static void play_hosts(char *rest)
{
	unsigned count = (unsigned)scene_number(scene_word(&rest));
	struct model_end end = play_end(rest);

	while (count--)
		model_cable(model_add_node(IB_NODE_CA, 1, "host"), 1, end.node, end.port++);
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
			bits |= 1U << i;
	}
	return bits;
}

static void play_devices(char *rest)
{
	unsigned nodes = play_nodes(scene_word(&rest));

	for (int i = 0; i < model.node_count; i++)
		if (!nodes || nodes >> i & 1)
			model.nodes[i].device_id = (uint16_t)scene_number(rest);
}

/* CapabilityMask and CapabilityMask2 of performance management, and PortInfo with extended speeds.
 */
static void play_can(char *rest)
{
	static const struct scene_name bits[] = {
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
			model.capabilities |= scene_find(bits, word);
}

/*
 * Discovery
 */

static unsigned reports_left;

static bool cancel(const struct mad_fabric_progress *progress, void *context)
{
	(void)progress;
	(void)context;
	return --reports_left > 0;
}

static bool is_port_2(const struct mad_fabric_port *port, void *context)
{
	(void)context;
	return port->port_number == 2;
}

static void add_thresholds(struct mad_fabric_options *options, uint64_t most)
{
	static uint64_t thresholds[FABRIC_COUNTERS];

	for (unsigned i = 0; i < COUNT(thresholds); i++)
		thresholds[i] = mad_fabric_counter_get_kind(i)->is_error ? most : UINT64_MAX;
	options->thresholds = thresholds;
	options->threshold_count = COUNT(thresholds);
}

struct mad_fabric_options play_options(char *rest)
{
	static const struct scene_name flags[] = {
		{ "switches", MAD_FABRIC_SWITCHES_ONLY }, { "topology", MAD_FABRIC_TOPOLOGY_ONLY },
		{ "fec", MAD_FABRIC_READ_FEC },		  { "owners", MAD_FABRIC_CHECK_OWNERS },
		{ "from-sa", MAD_FABRIC_FROM_SA },	  { .name = NULL }
	};
	static ib_dr_path_t route;
	struct mad_fabric_options options = { .timeout_ms = 200, .attempts = 1 };
	char *word;

	while ((word = scene_word(&rest))) {
		char *value = scene_split(word, '=');
		unsigned number = value ? (unsigned)scene_number(value) : 0;

		if (!strcmp(word, "expected"))
			options.expected = older;
		else if (!strcmp(word, "port-2"))
			options.filter = is_port_2;
		else if (!value)
			options.flags |= scene_find(flags, word);
		else if (!strcmp(word, "window"))
			options.window = number;
		else if (!strcmp(word, "hops"))
			options.max_hops = number;
		else if (!strcmp(word, "above"))
			add_thresholds(&options, number);
		else if (!strcmp(word, "cancel")) {
			reports_left = number;
			options.progress = cancel;
			options.timeout_ms = 1000;
		} else {
			assert_string_equal(word, "subtree");
			route = (ib_dr_path_t){ .cnt = 1, .p = { 0, (uint8_t)number } };
			options.subtree = &route;
		}
	}
	return options;
}

/* "discover [ERROR] OPTION..." */
static void play_discover(char *rest)
{
	int error = *rest == 'E' ? (int)scene_number(scene_word(&rest)) : 0;
	struct mad_fabric_options options = play_options(rest);

	memset(model.smps, 0, sizeof(model.smps));
	errno = 0;
	if (discover_with(&options))
		assert_int_equal(error, 0);
	else
		assert_int_equal(errno, error);
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
						       INFO("from_sa", from_sa),
						       INFO("sa_error", sa_error),
						       { .name = NULL } };

	scene_assert_members(members, mad_fabric_get_info(fabric), rest);
}

/* "-": no port. */
static void assert_port(const struct mad_fabric_port *port, char *wanted)
{
	struct model_end end;

	if (!wanted || *wanted == '-') {
		assert_null(port);
		return;
	}
	end = play_end(wanted);
	assert_ptr_equal(port, port_of(end.node, end.port));
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
			assert_port(port->peer, value);
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

/* The fabric has all cables, and no other links. */
static void play_cabled(char *rest)
{
	unsigned ends = 0;

	(void)rest;
	for (int i = 0; i < model.node_count; i++)
		for (unsigned number = 1; number <= model.nodes[i].port_count; number++) {
			struct model_end end = model.nodes[i].peers[number];

			ends += end.node >= 0;
			assert_ptr_equal(port_of(i, number)->peer,
					 end.node < 0 ? NULL : port_of(end.node, end.port));
		}
	assert_int_equal(mad_fabric_get_info(fabric)->links, ends / 2);
}

static void play_starts(char *rest)
{
	assert_port(mad_fabric_get_info(fabric)->start, rest);
}

/* "finds guid=0x0200000000000611 6.1 6.2": all ports with a port GUID, the port with a LID, or port
 * 0 of nodes with a name. */
static void play_finds(char *rest)
{
	char *what = scene_word(&rest), *value = scene_split(what, '='), *word;
	const struct mad_fabric_port *port = NULL;

	do {
		word = scene_word(&rest);
		if (!strcmp(what, "guid"))
			port = mad_fabric_find_port(fabric, scene_number(value), port);
		else if (!strcmp(what, "name"))
			port = mad_fabric_get_port(
				mad_fabric_find_name(fabric, value, port ? port->node : NULL), 0);
		else
			port = port ? NULL
				    : mad_fabric_find_lid(fabric, (unsigned)scene_number(value));
		assert_port(port, word);
	} while (word);
}

static void play_missing(char *rest)
{
	assert_null(mad_fabric_find_node(fabric, MODEL_GUID(scene_number(rest))));
}

static enum mad_fabric_problem_kind find_problem_kind(const char *name)
{
	static const struct scene_name kinds[] = {
		{ "no-response", MAD_FABRIC_PROBLEM_NO_RESPONSE },
		{ "no-port-info", MAD_FABRIC_PROBLEM_NO_PORT_INFO },
		{ "no-name", MAD_FABRIC_PROBLEM_NO_DESCRIPTION },
		{ "no-switch-info", MAD_FABRIC_PROBLEM_NO_SWITCH_INFO },
		{ "same-guid", MAD_FABRIC_PROBLEM_DUPLICATE_GUID },
		{ "wrong-port", MAD_FABRIC_PROBLEM_WRONG_PORT },
		{ "half-link", MAD_FABRIC_PROBLEM_HALF_LINK },
		{ "same-lid", MAD_FABRIC_PROBLEM_SAME_LID },
		{ "no-route", MAD_FABRIC_PROBLEM_NO_ROUTE },
		{ .name = NULL },
	};

	return (enum mad_fabric_problem_kind)scene_find(kinds, name);
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
	{ "tree", play_tree },
	{ "node", play_node },
	{ "hosts", play_hosts },
	{ "cable", play_cable },
	{ "cut", play_cut },
	{ "guid", play_guid },
	{ "rename", play_rename },
	{ "exchange", play_exchange },
	{ "devices", play_devices },
	{ "can", play_can },
	{ "discover", play_discover },
	{ "keep", play_keep },
	{ "merge", play_merge },
	{ "found", play_found },
	{ "port", play_port },
	{ "is", play_is },
	{ "cabled", play_cabled },
	{ "starts", play_starts },
	{ "finds", play_finds },
	{ "missing", play_missing },
	{ "problems", play_problems },
	{ "words", play_words },
	{ .name = NULL },
};

static void play_statement(char *statement)
{
	static const struct scene_verb *const all[] = { verbs,	       response_verbs, change_verbs,
							counter_verbs, key_verbs,      sa_verbs,
							NULL };

	scene_play_verb(all, statement);
}

void play(const char *statement)
{
	scene_play_copy(play_statement, statement);
}

int play_set_up(void **state)
{
	play_forget_rules();
	play_forget_sa();
	return scene_setup(state);
}

int play_tear_down(void **state)
{
	free_counters();
	keep_counters(); /* drops those that were kept */
	free_keys();
	mad_fabric_free(older);
	older = NULL;
	return scene_teardown(state);
}

SCENES(DISCOVER_TABLES "/fabrics.tbl", play_statement, play_set_up, play_tear_down)
