/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * counters.c - reads port counters by LID from the performance management agents of a fabric. An
 * agent is a switch, which responds for all its ports, or a port of any other node. Each is asked
 * one thing after another, and many agents at a time: ClassPortInfo for what it supports, then the
 * attributes of each port.
 */
#include <errno.h>
#include <stdlib.h>

#include "libibmad-fabric/counters.h"

/*
 * PortExtendedSpeedsCounters is optional, and no capability announces it. After so many agents of a
 * kind of device that do not respond to it, and none that does, no other of that kind is asked.
 */
#define IGNORED_AT_MOST 3

/* Kinds that are distinguished; agents of further ones are all asked. */
#define KINDS_MAX 64

/* PortSelect of all ports of an agent: their counters are added up. */
#define ALL_PORTS 255

struct device_kind {
	uint32_t vendor_id;
	uint16_t device_id;
	bool responds;
	unsigned ignored; /* by so many agents */
};

struct reading;

/* Ports that one agent responds for: rows first to last - 1. */
struct agent {
	struct reading *reading;
	struct mad_fabric_counter_row *row; /* that is being asked for */
	struct mad_fabric_counter_row *end;
	uint64_t guid; /* of its port */
	uint32_t capabilities;
	uint32_t capabilities2;
	enum counters_attribute attribute; /* that is being asked for */
	struct device_kind *kind;	   /* NULL: not distinguished */
	uint16_t lid;
	int speeds_error; /* why it is asked for no more PortExtendedSpeedsCounters; 0: it is */
};

struct reading {
	struct fabric_run run;
	struct mad_fabric_options options;
	struct mad_fabric_counters *counters;
	struct agent *agents;
	size_t number_of_agents;
	size_t next_agent;
	struct device_kind kinds[KINDS_MAX];
	unsigned number_of_kinds;
};

static void on_class_port_info(struct mad_async *async, const struct mad_async_result *result,
			       void *context);
static void on_counters(struct mad_async *async, const struct mad_async_result *result,
			void *context);

static const unsigned attribute_ids[] = {
	[COUNTERS_BASIC] = IB_GSI_PORT_COUNTERS,
	[COUNTERS_EXTENDED] = IB_GSI_PORT_COUNTERS_EXT,
	[COUNTERS_SPEEDS] = IB_GSI_PORT_EXT_SPEEDS_COUNTERS,
	[COUNTERS_RSFEC] = IB_GSI_PORT_EXT_SPEEDS_COUNTERS,
};

static void submit(struct agent *agent, unsigned attribute, unsigned port_number,
		   mad_async_callback callback)
{
	ib_portid_t to = { .lid = agent->lid, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	const struct mad_async_request req = { &to, callback, agent, 0, 0, 0, 0 };
	struct fabric_run *run = &agent->reading->run;
	int64_t id;

	if (run->error)
		return;
	fabric_address_guid(&to, agent->guid);
	id = mad_async_perf_get_sized(run->async, &req, sizeof(req), attribute, port_number);
	if (id < 0)
		fabric_run_fail(run, -errno);
	else
		run->requests++;
}

static void ask(struct agent *agent, enum counters_attribute attribute)
{
	agent->attribute = attribute;
	submit(agent, attribute_ids[attribute], agent->row->port->port_number, on_counters);
}

/* The row is finished: on to the next one. */
static void next_row(struct agent *agent)
{
	agent->reading->run.progress.ports++;
	agent->row->error = 0;
	agent->row++;
	if (agent->row < agent->end)
		ask(agent, COUNTERS_BASIC);
}

/* All rows that are left end so: the agent does not respond, or there is nothing to ask (0). */
static void finish_rows(struct agent *agent, int error)
{
	for (; agent->row < agent->end; agent->row++) {
		agent->row->error = error;
		agent->reading->run.progress.ports++;
	}
}

/*
 * An agent that does not know the attribute, or ignores it as ibsim's do, is asked no more; one
 * that refuses it of one port may know those of others.
 */
static void skip_speeds(struct agent *agent, int error, unsigned status)
{
	agent->row->speeds_error = error;
	if (error == ETIMEDOUT || status == IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED)
		agent->speeds_error = error;
	if (error == ETIMEDOUT && agent->kind)
		agent->kind->ignored++;
	next_row(agent);
}

/*
 * What to make of a response without counters. An agent that refuses an attribute of one port may
 * know those of others.
 */
static void skip(struct agent *agent, int error, unsigned status)
{
	if (agent->reading->run.error)
		return; /* the remaining rows report ECANCELED */
	if (agent->attribute >= COUNTERS_SPEEDS) {
		skip_speeds(agent, error, status);
	} else if (error == EIO || error == EPROTO) {
		next_row(agent);
		agent->row[-1].error = error;
	} else {
		finish_rows(agent, error);
	}
}

/* 0: the agent is to be asked for PortExtendedSpeedsCounters; else why not. */
static int why_no_speeds(const struct agent *agent)
{
	const struct device_kind *kind = agent->kind;

	if (agent->speeds_error)
		return agent->speeds_error;
	return kind && !kind->responds && kind->ignored >= IGNORED_AT_MOST ? ECANCELED : 0;
}

/*
 * PortExtendedSpeedsCounters of an agent that counts for RS-FEC have that shape where RS-FEC is
 * active, and where the mode is not known.
 */
static bool counts_rs_fec(const struct agent *agent)
{
	const struct mad_fabric_port *port = agent->row->port;

	return agent->capabilities & MAD_PM_RSFEC &&
	       (!port->has_fec || mad_fec_is_rs(port->fec_mode));
}

static void ask_speeds(struct agent *agent)
{
	agent->row->speeds_error = why_no_speeds(agent);
	if (agent->row->speeds_error)
		next_row(agent);
	else
		ask(agent, counts_rs_fec(agent) ? COUNTERS_RSFEC : COUNTERS_SPEEDS);
}

static void ask_further(struct agent *agent)
{
	const struct mad_fabric_options *options = &agent->reading->options;
	bool is_basic = agent->attribute == COUNTERS_BASIC;
	bool is_enough = is_basic && options->thresholds && !fabric_may_exceed(agent->row, options);
	bool extended = agent->capabilities & (MAD_PM_EXTENDED | MAD_PM_EXTENDED_NO_IETF) ||
			agent->capabilities2 & MAD_PM2_EXTENDED_ERRORS;

	if (is_basic && !is_enough && extended)
		ask(agent, COUNTERS_EXTENDED);
	else if (!is_enough && agent->attribute < COUNTERS_SPEEDS &&
		 fabric_has_extended_speed(agent->row->port))
		ask_speeds(agent);
	else
		next_row(agent);
}

/* Takes an attribute into a row; false: the response does not have it. */
static bool take(const struct agent *agent, struct mad_fabric_counter_row *row,
		 enum counters_attribute attribute, const struct mad_async_result *result)
{
	if (result->error || !result->data || result->data_size < IB_PC_DATA_SZ)
		return false;
	if (!row->time_ns)
		row->time_ns = fabric_clock_ns(CLOCK_MONOTONIC);
	row->capabilities = agent->capabilities;
	row->capabilities2 = agent->capabilities2;
	fabric_take_counters(row, attribute, (void *)(uintptr_t)result->data);
	return true;
}

static void on_counters(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct agent *agent = context;

	(void)async;
	fabric_run_note(&agent->reading->run, result);
	if (!take(agent, agent->row, agent->attribute, result)) {
		skip(agent, result->error ? result->error : EPROTO, result->status);
		return;
	}
	if (agent->attribute >= COUNTERS_SPEEDS && agent->kind)
		agent->kind->responds = true;
	ask_further(agent);
}

/*
 * The only port of an agent: what the agent supports matters only where PortCounters, as they are
 * with all that is optional, show something.
 */
static void on_single(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct agent *agent = context;
	struct mad_fabric_counter_row all = { 0 };

	(void)async;
	fabric_run_note(&agent->reading->run, result);
	if (agent->reading->run.error)
		return;
	agent->capabilities = MAD_PM_XMIT_WAIT | MAD_PM_QP1_DROPPED;
	if (result->error == ETIMEDOUT || (take(agent, &all, COUNTERS_BASIC, result) &&
					   !fabric_may_exceed(&all, &agent->reading->options)))
		finish_rows(agent, result->error);
	else
		submit(agent, CLASS_PORT_INFO, agent->row->port->port_number, on_class_port_info);
}

/* The sum over all ports of a switch shows whether any of them has to be asked. */
static void on_sum(struct mad_async *async, const struct mad_async_result *result, void *context)
{
	struct agent *agent = context;
	struct mad_fabric_counter_row sum = { 0 };

	(void)async;
	fabric_run_note(&agent->reading->run, result);
	if (agent->reading->run.error)
		return;
	if (take(agent, &sum, COUNTERS_BASIC, result) &&
	    !fabric_may_exceed(&sum, &agent->reading->options))
		finish_rows(agent, 0);
	else
		ask(agent, COUNTERS_BASIC);
}

static void ask_first(struct agent *agent)
{
	bool is_sum = agent->reading->options.thresholds && agent->end - agent->row > 1 &&
		      agent->capabilities & MAD_PM_ALL_PORT_SELECT;

	if (is_sum)
		submit(agent, IB_GSI_PORT_COUNTERS, ALL_PORTS, on_sum);
	else
		ask(agent, COUNTERS_BASIC);
}

/* An agent that refuses this one can still be asked for the counters that all have. */
static void on_class_port_info(struct mad_async *async, const struct mad_async_result *result,
			       void *context)
{
	struct agent *agent = context;

	(void)async;
	fabric_run_note(&agent->reading->run, result);
	agent->capabilities = 0;
	if (agent->reading->run.error)
		return;
	if (result->error && result->error != EIO) {
		finish_rows(agent, result->error);
		return;
	}
	if (!result->error && result->data && result->data_size >= IB_PC_DATA_SZ) {
		void *data = (void *)(uintptr_t)result->data;

		agent->capabilities = mad_get_field(data, 0, IB_CPI_CAPMASK_F);
		agent->capabilities2 = mad_get_field(data, 0, IB_CPI_CAPMASK2_F);
	}
	ask_first(agent);
}

static void begin(struct agent *agent)
{
	bool is_single = agent->reading->options.thresholds && agent->end - agent->row == 1;

	if (is_single)
		submit(agent, IB_GSI_PORT_COUNTERS, agent->row->port->port_number, on_single);
	else
		submit(agent, CLASS_PORT_INFO, agent->row->port->port_number, on_class_port_info);
}

static void submit_agents(struct fabric_run *run, void *context)
{
	struct reading *reading = context;

	run->queued = reading->number_of_agents - reading->next_agent;
	while (reading->next_agent < reading->number_of_agents && fabric_run_has_space(run)) {
		struct agent *agent = &reading->agents[reading->next_agent++];

		if (IB_LID_VALID(agent->lid))
			begin(agent);
		else
			finish_rows(agent, EADDRNOTAVAIL);
	}
}

/* Ports of CAs and routers count when they were seen; port 0 of switches when it is enhanced. */
static bool is_wanted(const struct reading *reading, const struct mad_fabric_port *port)
{
	bool is_switch = port->node->type == IB_NODE_SWITCH;

	if (is_switch && port->port_number == 0 && !port->node->enhanced_port0)
		return false;
	if (!is_switch && (!port->has_info || reading->options.flags & MAD_FABRIC_SWITCHES_ONLY))
		return false;
	return !reading->options.filter || reading->options.filter(port, reading->options.context);
}

static struct device_kind *kind_of(struct reading *reading, const struct mad_fabric_node *node)
{
	struct device_kind *kind = reading->kinds;

	for (; kind < &reading->kinds[reading->number_of_kinds]; kind++)
		if (kind->vendor_id == node->vendor_id && kind->device_id == node->device_id)
			return kind;
	if (reading->number_of_kinds == KINDS_MAX)
		return NULL;
	reading->number_of_kinds++;
	kind->vendor_id = node->vendor_id;
	kind->device_id = node->device_id;
	return kind;
}

/* Adds rows for the ports of a node, and who responds for them; without arrays, only counts. */
static void add_rows(struct reading *reading, const struct fabric_node *node, size_t *rows,
		     size_t *agents)
{
	struct mad_fabric_counter_row *row;
	const struct fabric_node *last = NULL;

	for (unsigned number = 0; number <= node->public.port_count; number++) {
		const struct mad_fabric_port *port = &node->ports[number].public;
		bool new_agent = last != node || node->public.type != IB_NODE_SWITCH;

		if (!is_wanted(reading, port))
			continue;
		last = node;
		*agents += new_agent;
		(*rows)++;
		if (!reading->counters->rows)
			continue;
		row = &reading->counters->rows[*rows - 1];
		row->port = port;
		row->error = ECANCELED;
		if (new_agent)
			reading->agents[*agents - 1] =
				(struct agent){ .reading = reading,
						.row = row,
						.guid = fabric_agent_guid(port),
						.kind = kind_of(reading, port->node),
						.lid = port->lid };
		reading->agents[*agents - 1].end = row + 1;
	}
}

static void add_all(struct reading *reading, const struct mad_fabric *fabric, size_t *rows,
		    size_t *agents)
{
	*rows = *agents = 0;
	for (size_t i = 0; i < fabric->info.nodes; i++)
		add_rows(reading, fabric->nodes[i], rows, agents);
}

static int list_agents(struct reading *reading, const struct mad_fabric *fabric)
{
	struct mad_fabric_counters *counters = reading->counters;
	size_t rows, agents;

	add_all(reading, fabric, &rows, &agents);
	reading->agents = calloc(agents + 1, sizeof(*reading->agents));
	counters->rows = calloc(rows + 1, sizeof(*counters->rows));
	if (!reading->agents || !counters->rows)
		return -ENOMEM;
	counters->number_of_rows = rows;
	add_all(reading, fabric, &rows, &reading->number_of_agents);
	return 0;
}

/* Rows that were not read have the reason for which the reading ended. */
static void note_end(const struct reading *reading)
{
	struct mad_fabric_counters *counters = reading->counters;

	for (size_t i = 0; reading->run.error && i < counters->number_of_rows; i++)
		if (counters->rows[i].error == ECANCELED)
			counters->rows[i].error = -reading->run.error;
}

static int read_all(struct reading *reading, struct ibmad_port *port,
		    const struct mad_fabric *fabric, const struct mad_fabric_options *options,
		    size_t size)
{
	int error = !port     ? mad_refuse(MAD_REFUSED_PORT)
		    : !fabric ? mad_refuse(MAD_REFUSED_FABRIC)
			      : fabric_take_options(&reading->options, options, size);

	if (error)
		return error;
	reading->counters = calloc(1, sizeof(*reading->counters));
	if (!reading->counters)
		return -ENOMEM;
	reading->counters->fabric = fabric;
	error = list_agents(reading, fabric);
	if (!error)
		error = fabric_run_begin(&reading->run, port, &reading->options);
	if (error)
		return error;
	reading->run.progress.nodes = fabric->info.nodes;
	reading->run.progress.links = fabric->info.links;
	reading->run.progress.all_ports = reading->counters->number_of_rows;
	fabric_run_until_done(&reading->run, submit_agents, reading);
	fabric_run_end(&reading->run);
	note_end(reading);
	return reading->run.error == -EINVAL ? -EINVAL : 0;
}

struct mad_fabric_counters *mad_fabric_counters_read_sized(struct ibmad_port *port,
							   const struct mad_fabric *fabric,
							   const struct mad_fabric_options *options,
							   size_t size)
{
	struct reading reading = { 0 };
	int error = read_all(&reading, port, fabric, options, size);

	free(reading.agents);
	if (!error)
		return reading.counters;
	mad_fabric_counters_free(reading.counters);
	fabric_zero_or_error(error);
	return NULL;
}

const struct mad_fabric_counter_row *mad_fabric_counters_next(
	const struct mad_fabric_counters *counters, const struct mad_fabric_counter_row *after)
{
	size_t index = counters && after ? (size_t)(after - counters->rows) + 1 : 0;

	return counters && index < counters->number_of_rows ? &counters->rows[index]
							    : fabric_none(counters);
}
