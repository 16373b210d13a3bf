/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads the counters of all ports that the sweep has found, by LID, from the performance management
 * agents: ClassPortInfo has the capabilities of an agent, PortCounters has errors and 32-bit
 * traffic, PortCountersExtended traffic in 64 bits. For switches it first reads SwitchInfo, to find
 * out whether port 0 has counters.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"

#define CAPABLE_OF_ANY_EXTENDED (CAPABLE_OF_EXTENDED | CAPABLE_OF_EXTENDED_NOIETF)

const struct counter counter_columns[COUNTERS] = {
	{ .field = IB_PC_ERR_SYM_F },
	{ .field = IB_PC_LINK_RECOVERS_F },
	{ .field = IB_PC_LINK_DOWNED_F },
	{ .field = IB_PC_ERR_RCV_F },
	{ .field = IB_PC_ERR_PHYSRCV_F },
	{ .field = IB_PC_ERR_SWITCH_REL_F },
	{ .field = IB_PC_XMT_DISCARDS_F },
	{ .field = IB_PC_ERR_XMTCONSTR_F },
	{ .field = IB_PC_ERR_RCVCONSTR_F },
	{ .field = IB_PC_ERR_LOCALINTEG_F },
	{ .field = IB_PC_ERR_EXCESS_OVR_F },
	{ .field = IB_PC_VL15_DROPPED_F },
	{ .field = IB_PC_XMT_WAIT_F, .needs = CAPABLE_OF_XMIT_WAIT },
	{ IB_PC_XMT_BYTES_F, IB_PC_EXT_XMT_BYTES_F, 0 },
	{ IB_PC_RCV_BYTES_F, IB_PC_EXT_RCV_BYTES_F, 0 },
	{ IB_PC_XMT_PKTS_F, IB_PC_EXT_XMT_PKTS_F, 0 },
	{ IB_PC_RCV_PKTS_F, IB_PC_EXT_RCV_PKTS_F, 0 },
	{ .extended = IB_PC_EXT_XMT_UPKTS_F, .needs = CAPABLE_OF_EXTENDED },
	{ .extended = IB_PC_EXT_RCV_UPKTS_F, .needs = CAPABLE_OF_EXTENDED },
	{ .extended = IB_PC_EXT_XMT_MPKTS_F, .needs = CAPABLE_OF_EXTENDED },
	{ .extended = IB_PC_EXT_RCV_MPKTS_F, .needs = CAPABLE_OF_EXTENDED },
};

static mad_async_callback on_port_counters, on_extended, on_class_port_info, on_switch_info;

static bool ask(struct counters_agent *agent, unsigned attribute, mad_async_callback *callback)
{
	ib_portid_t to = { .lid = agent->lid, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	int port = agent->rows[agent->next].port->number;

	return run_perf_get(agent->run, &to, port, attribute, callback, agent);
}

/* The current row is finished: proceeds to the next one that has counters. */
static void ask_next(struct counters_agent *agent)
{
	do
		agent->next++;
	while (agent->next < agent->number_of_rows &&
	       agent->rows[agent->next].stage == COUNTERS_NONE);
	if (agent->next < agent->number_of_rows)
		ask(agent, IB_GSI_PORT_COUNTERS, on_port_counters);
}

static void fail_row(struct counters_row *row, int error)
{
	row->stage = COUNTERS_FAILED;
	row->error = error;
}

/* The agent no longer responds: that applies to all remaining rows. */
static void give_up(struct counters_agent *agent, int error)
{
	for (; agent->next < agent->number_of_rows; agent->next++)
		if (agent->rows[agent->next].stage == COUNTERS_NOT_ASKED)
			fail_row(&agent->rows[agent->next], error);
}

/* Handles a response without counters; returns true if there are none. */
static bool failed(struct counters_agent *agent, const struct mad_async_result *result)
{
	struct counters_row *row = &agent->rows[agent->next];
	int error = result->error;

	if (!error && result->data_length < IB_PC_DATA_SZ)
		error = EPROTO;
	if (!error)
		return false;
	if (run_is_over(agent->run))
		return true;
	fabric_warn(agent->fabric, "0x%016" PRIx64 " port %u: no counters: %s",
		    row->port->node->guid, row->port->number, fabric_error_text(error));
	if (error == EIO || error == EPROTO) { /* it may have counters of other ports */
		fail_row(row, error);
		ask_next(agent);
	} else {
		give_up(agent, error);
	}
	return true;
}

/* Stores all counters of an attribute from a response. */
static void take(struct counters_agent *agent, const struct mad_async_result *result, bool extended)
{
	struct counters_row *row = &agent->rows[agent->next];
	uint8_t data[IB_PC_DATA_SZ];

	memcpy(data, result->data, sizeof(data));
	for (unsigned i = 0; i < COUNTERS; i++) {
		const struct counter *counter = &counter_columns[i];
		enum MAD_FIELDS field = extended ? counter->extended : counter->field;

		if (field == IB_NO_FIELD ||
		    (counter->needs && !(agent->capabilities & counter->needs)))
			continue;
		row->values[i] =
			extended ? mad_get_field64(data, 0, field) : mad_get_field(data, 0, field);
		row->present |= 1u << i;
	}
}

static void on_extended(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct counters_agent *agent = context;
	struct counters_row *row = &agent->rows[agent->next];

	(void)async;
	if (failed(agent, result))
		return;
	take(agent, result, true);
	row->has_extended = true;
	row->stage = COUNTERS_READ;
	ask_next(agent);
}

static void on_port_counters(struct mad_async *async, const struct mad_async_result *result,
			     void *context)
{
	struct counters_agent *agent = context;

	(void)async;
	if (failed(agent, result))
		return;
	take(agent, result, false);
	if (agent->capabilities & CAPABLE_OF_ANY_EXTENDED) {
		ask(agent, IB_GSI_PORT_COUNTERS_EXT, on_extended);
		return;
	}
	agent->rows[agent->next].stage = COUNTERS_READ;
	ask_next(agent);
}

/* An agent that responds, but not with this attribute, may have the counters that all agents
 * have. */
static void on_class_port_info(struct mad_async *async, const struct mad_async_result *result,
			       void *context)
{
	struct counters_agent *agent = context;
	uint8_t data[IB_PC_DATA_SZ];

	(void)async;
	if (result->error != EIO && failed(agent, result))
		return;
	if (!result->error && result->data_length >= sizeof(data)) {
		memcpy(data, result->data, sizeof(data));
		agent->capabilities = mad_get_field(data, 0, IB_CPI_CAPMASK_F);
	}
	ask(agent, IB_GSI_PORT_COUNTERS, on_port_counters);
}

/* Port 0 is the first row of a switch. Without a response it counts as one without counters. */
static void on_switch_info(struct mad_async *async, const struct mad_async_result *result,
			   void *context)
{
	struct counters_agent *agent = context;
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };

	(void)async;
	if (!result->error && result->data_length >= sizeof(data))
		memcpy(data, result->data, sizeof(data));
	if (!mad_get_field(data, 0, IB_SW_ENHANCED_PORT0_F)) {
		agent->rows[0].stage = COUNTERS_NONE;
		if (++agent->next >= agent->number_of_rows)
			return;
	}
	ask(agent, CLASS_PORT_INFO, on_class_port_info);
}

static void ask_agent(struct counters_agent *agent)
{
	const struct fabric_node *node = agent->rows[0].port->node;
	ib_portid_t to = { .drpath = node->path };

	if (run_is_over(agent->run))
		return;
	if (!IB_LID_VALID(agent->lid))
		give_up(agent, EADDRNOTAVAIL);
	else if (node->type == IB_NODE_SWITCH)
		run_smp_get(agent->run, &to, IB_ATTR_SWITCH_INFO, 0, on_switch_info, agent, NULL);
	else
		ask(agent, CLASS_PORT_INFO, on_class_port_info);
}

static void warn_of_lids(const struct counters *counters, struct fabric *fabric)
{
	size_t without = 0;

	for (size_t i = 0; i < counters->number_of_agents; i++)
		without += !IB_LID_VALID(counters->agents[i].lid);
	if (without)
		fabric_warn(fabric, "no counters of %zu nodes and ports that have no LID", without);
}

/* Appends rows for the ports of a node from first to last, and for the agent that has their
 * counters. */
static void add_agent(struct counters *counters, struct run *run, const struct fabric_node *node,
		      int first, int last)
{
	struct counters_agent *agent = &counters->agents[counters->number_of_agents++];

	agent->run = run;
	agent->fabric = node->fabric;
	agent->lid = node->ports[first].lid;
	agent->rows = &counters->rows[counters->number_of_rows];
	agent->number_of_rows = last - first + 1;
	for (int number = first; number <= last; number++)
		counters->rows[counters->number_of_rows++].port = &node->ports[number];
}

static void add_agents(struct counters *counters, struct run *run, const struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->number_of_nodes; i++) {
		const struct fabric_node *node = fabric->nodes[i];

		if (node->type == IB_NODE_SWITCH) {
			add_agent(counters, run, node, 0, node->number_of_ports);
			continue;
		}
		for (int number = 0; number <= node->number_of_ports; number++)
			if (node->ports[number].stage == FABRIC_PORT_KNOWN)
				add_agent(counters, run, node, number, number);
	}
}

static size_t count_ports(const struct fabric *fabric)
{
	size_t count = 0;

	for (size_t i = 0; i < fabric->number_of_nodes; i++)
		count += fabric->nodes[i]->number_of_ports + 1;
	return count;
}

void counters_free(struct counters *counters)
{
	if (!counters)
		return;
	free(counters->rows);
	free(counters->agents);
	free(counters);
}

int counters_read(struct run *run, struct fabric *fabric, struct counters **read)
{
	size_t ports = count_ports(fabric);
	struct counters *counters = calloc(1, sizeof(*counters));

	if (!counters)
		return -ENOMEM;
	counters->rows = calloc(ports + 1, sizeof(*counters->rows));
	counters->agents = calloc(ports + 1, sizeof(*counters->agents));
	if (!counters->rows || !counters->agents) {
		counters_free(counters);
		return -ENOMEM;
	}
	*read = counters;
	add_agents(counters, run, fabric);
	for (size_t i = 0; i < counters->number_of_agents; i++)
		ask_agent(&counters->agents[i]);
	if (!run_is_over(run))
		warn_of_lids(counters, fabric);
	return run_until_done(run, "counters", fabric);
}
