/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* play-responses.c - plays fabrics.tbl: what nodes respond, and how often they were asked. */
#include "play.h"

enum { MAX_RULES = 24 };

static struct model_rule rules[MAX_RULES + 1];
static size_t rule_count;

static const struct scene_name attributes[] = {
	{ "node", IB_ATTR_NODE_INFO },
	{ "name", IB_ATTR_NODE_DESC },
	{ "port", IB_ATTR_PORT_INFO },
	{ "switch", IB_ATTR_SWITCH_INFO },
	{ "vendor", IB_ATTR_MLNX_EXT_PORT_INFO },
	{ "fec", IB_ATTR_PORT_INFO_EXT },
	{ "any", 0 },
	/* of performance management */
	{ "agent", IB_PERFORMANCE_CLASS << 16 | CLASS_PORT_INFO },
	{ "counters", IB_PERFORMANCE_CLASS << 16 | IB_GSI_PORT_COUNTERS },
	{ "counters64", IB_PERFORMANCE_CLASS << 16 | IB_GSI_PORT_COUNTERS_EXT },
	{ "lanes", IB_PERFORMANCE_CLASS << 16 | IB_GSI_PORT_EXT_SPEEDS_COUNTERS },
	{ "perf", IB_PERFORMANCE_CLASS << 16 },
	{ .name = NULL }
};

static const struct scene_name fields[] = {
	{ "type", IB_NODE_TYPE_F },
	{ "local", IB_NODE_LOCAL_PORT_F },
	{ "portguid", IB_NODE_PORT_GUID_F },
	{ "ports", IB_NODE_NPORTS_F },
	{ "system", IB_NODE_SYSTEM_GUID_F },
	{ "vendor", IB_NODE_VENDORID_F },
	{ "device", IB_NODE_DEVID_F },
	{ "revision", IB_NODE_REVISION_F },
	{ "lid", IB_PORT_LID_F },
	{ "lmc", IB_PORT_LMC_F },
	{ "mask", IB_PORT_CAPMASK_F },
	{ "mask2", IB_PORT_CAPMASK2_F },
	{ "state", IB_PORT_STATE_F },
	{ "phys", IB_PORT_PHYS_STATE_F },
	{ "width", IB_PORT_LINK_WIDTH_ACTIVE_F },
	{ "speed", IB_PORT_LINK_SPEED_ACTIVE_F },
	{ "ext", IB_PORT_LINK_SPEED_EXT_ACTIVE_F },
	{ "ext2", IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F },
	{ "speed_on", IB_PORT_LINK_SPEED_ENABLED_F },
	{ "ext_on", IB_PORT_LINK_SPEED_EXT_ENABLED_F },
	{ "ext2_on", IB_PORT_LINK_SPEED_EXT_ENABLED_2_F },
	{ "enhanced0", IB_SW_ENHANCED_PORT0_F },
	{ "vendor_speed", IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F },
	{ "vendor_on", IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F },
	{ "fec_mask", IB_PORT_EXT_CAPMASK_F },
	{ "fec_mode", IB_PORT_EXT_FEC_MODE_ACTIVE_F },
	{ "symbol_errors", IB_PC_ERR_SYM_F },
	{ "integrity", IB_PC_ERR_LOCALINTEG_F },
	{ "qp1", IB_PC_QP1_DROP_F },
	{ "vl15", IB_PC_VL15_DROPPED_F },
	{ "lane_sync", IB_PESC_SYNC_HDR_ERR_CTR_F },
	{ "lane0", IB_PESC_FEC_CORR_BLOCK_CTR_LANE0_F },
	{ "lane3", IB_PESC_FEC_CORR_BLOCK_CTR_LANE3_F },
	{ "sync", IB_PESC_RSFEC_SYNC_HDR_ERR_CTR_F },
	{ "unknown", IB_PESC_RSFEC_UNK_BLOCK_CTR_F },
	{ "corrected", IB_PESC_PORT_FEC_CORR_BLOCK_CTR_F },
	{ "uncorrected", IB_PESC_PORT_FEC_UNCORR_BLOCK_CTR_F },
	{ "symbols", IB_PESC_PORT_FEC_CORR_SYMBOL_CTR_F },
	{ .name = NULL },
};

/* "port+ 1,2 .5": which requests a rule is for; "+" with bit 31 of extended speeds, "-" without. */
static struct model_rule take_rule(char **rest)
{
	char *name = scene_word(rest), *sign = name + strlen(name) - 1;
	struct model_rule rule = { .speeds = *sign == '+'   ? MODEL_EXTENDED
					     : *sign == '-' ? MODEL_PLAIN
							    : MODEL_ANY };
	unsigned attribute;

	if (rule.speeds)
		*sign = '\0';
	attribute = scene_find(attributes, name);
	rule.mgmt_class = attribute >> 16;
	rule.attribute = attribute & 0xffff;
	rule.nodes = play_nodes(scene_word(rest));
	if (**rest == '.')
		rule.port = (unsigned)scene_number(scene_word(rest) + 1);
	return rule;
}

static void add_rule(struct model_rule rule)
{
	assert_true(rule_count < MAX_RULES);
	rules[rule_count++] = rule;
	rules[rule_count] = (struct model_rule){ .is_end = true };
	model.rules = rules;
}

static void play_says(char *rest)
{
	struct model_rule rule = take_rule(&rest);
	char *word;

	while ((word = scene_word(&rest))) {
		char *value = scene_split(word, '=');

		rule.field = (enum MAD_FIELDS)scene_find(fields, word);
		rule.value = scene_number(value);
		add_rule(rule);
	}
}

/* "silent lanes * later": the first request has a response. */
static void play_silent(char *rest)
{
	struct model_rule rule = take_rule(&rest);

	rule.silent = true;
	rule.from_second = !strcmp(rest, "later");
	add_rule(rule);
}

static void play_refuses(char *rest)
{
	struct model_rule rule = take_rule(&rest);

	rule.status = (uint16_t)scene_number(rest);
	add_rule(rule);
}

/* Responses without their last byte. */
static void play_short(char *rest)
{
	struct model_rule rule = take_rule(&rest);

	rule.is_short = true;
	add_rule(rule);
}

static void play_slow(char *rest)
{
	struct model_rule rule = take_rule(&rest);

	rule.delay_us = (unsigned)scene_number(rest);
	add_rule(rule);
}

void play_forget_rules(void)
{
	rule_count = 0;
	model.rules = NULL;
}

static void play_forget(char *rest)
{
	(void)rest;
	play_forget_rules();
	play_forget_sa();
}

/* How often an attribute was asked for since the last discovery: "port=38 node=1..21". */
static void play_asked(char *rest)
{
	char *word;

	while ((word = scene_word(&rest))) {
		char *count = scene_split(word, '=');
		unsigned attribute = scene_find(attributes, word);

		scene_assert_count((attribute >> 16 ? model.perf : model.smps)[attribute & 0xff],
				   count);
	}
}

const struct scene_verb response_verbs[] = { { "says", play_says },	  { "silent", play_silent },
					     { "refuses", play_refuses }, { "forget", play_forget },
					     { "short", play_short },	  { "slow", play_slow },
					     { "asked", play_asked },	  { .name = NULL } };
