/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * counters.c - reads port counters by LID from the performance management agents of a fabric. An
 * agent is a switch, which responds for all its ports, or a port of any other node. The library
 * asks an agent for one attribute after another, and many agents at a time: ClassPortInfo for what
 * the agent supports, then the attributes of each port.
 */
#include <errno.h>
#include <stdlib.h>

#include "libibmad-fabric/counters.h"

/*
 * PortExtendedSpeedsCounters is optional, and no capability announces it. After so many agents of a
 * kind of device that do not respond to it, and none that does, no other of that kind is asked.
 */
#define IGNORED_AT_MOST 3

/* Kinds that are distinguished; agents of further kinds are all asked. */
#define KINDS_MAX 64

/* PortSelect for the sum of all ports of an agent. */
#define ALL_PORTS 255

struct device_kind {
	uint32_t vendor_id;
	uint16_t device_id;
	bool responds;
	unsigned ignored; /* requests to so many agents */
};

/* An agent is asked for attributes of a port (enum counters_attribute), or for these. */
enum {
	ASK_SINGLE = COUNTERS_RSFEC + 1, /* PortCounters of the agent's only port */
	ASK_AGENT,			 /* ClassPortInfo */
	ASK_SUM,			 /* PortCounters of all ports, added up */
	ASK_OWNER,			 /* NodeInfo, for who has the LID */
};

/* Ports that one agent responds for: rows first to end - 1. */
struct agent {
	struct reading *reading;
	struct mad_fabric_counter_row *first;
	struct mad_fabric_counter_row *row; /* the row being read */
	struct mad_fabric_counter_row *end;
	uint64_t capabilities;
	struct device_kind *kind;
	unsigned asked;
	bool has_values;  /* rows have them, and may have another port's */
	int speeds_error; /* why no more PortExtendedSpeedsCounters are asked for; 0: they are */
};

struct reading {
	struct fabric_run run;
	struct mad_fabric_options options;
	struct mad_fabric_counters *counters;
	struct agent *agents;
	size_t number_of_agents;
	size_t next_agent;
	struct device_kind kinds[KINDS_MAX + 1]; /* the last one: of all further kinds */
	unsigned number_of_kinds;
};

static void on_response(struct mad_async *async, const struct mad_async_result *result,
			void *context);
static void end_agent(struct agent *agent, int error);

static int64_t submit(struct agent *agent, const struct mad_async_request *req)
{
	static const unsigned attributes[] = {
		[COUNTERS_BASIC] = IB_GSI_PORT_COUNTERS,
		[COUNTERS_EXTENDED] = IB_GSI_PORT_COUNTERS_EXT,
		[COUNTERS_SPEEDS] = IB_GSI_PORT_EXT_SPEEDS_COUNTERS,
		[COUNTERS_RSFEC] = IB_GSI_PORT_EXT_SPEEDS_COUNTERS,
		[ASK_SINGLE] = IB_GSI_PORT_COUNTERS,
		[ASK_AGENT] = CLASS_PORT_INFO,
		[ASK_SUM] = IB_GSI_PORT_COUNTERS,
		[ASK_OWNER] = IB_ATTR_NODE_INFO,
	};
	struct mad_async *async = agent->reading->run.async;
	unsigned attribute = attributes[agent->asked];

	if (agent->asked == ASK_OWNER)
		return mad_async_smp_sized(async, req, sizeof(*req), attribute, 0, NULL);
	return mad_async_perf_get_sized(async, req, sizeof(*req), attribute,
					agent->asked == ASK_SUM ? ALL_PORTS
								: agent->row->port->port_number);
}

static void ask(struct agent *agent, unsigned what)
{
	const struct mad_fabric_port *port = agent->first->port;
	ib_portid_t to = { .lid = port->lid };
	const struct mad_async_request req = { &to, on_response, agent, 0, 0, 0, 0 };
	struct fabric_run *run = &agent->reading->run;

	if (what != ASK_OWNER) {
		to.qp = 1;
		to.qkey = IB_DEFAULT_QP1_QKEY;
	}
	fabric_address_guid(&to, fabric_agent_guid(port));
	agent->asked = what;
	fabric_run_note_submitted(run, submit(agent, &req));
	if (run->error)
		end_agent(agent, -run->error);
}

/* Drops the values of all rows of an agent, for this reason. */
static void clear_rows(const struct agent *agent, int error)
{
	for (struct mad_fabric_counter_row *row = agent->first; row < agent->end; row++)
		*row = (struct mad_fabric_counter_row){ .port = row->port, .error = error };
}

/* Ends the rows that are left: the agent does not respond, or shows nothing to ask for (0). */
static void end_agent(struct agent *agent, int error)
{
	for (; agent->row < agent->end; agent->row++) {
		agent->row->error = error;
		agent->reading->run.progress.ports++;
	}
	if (!(agent->reading->options.flags & MAD_FABRIC_CHECK_OWNERS) || !agent->has_values)
		return;
	if (agent->reading->run.error)
		clear_rows(agent, -agent->reading->run.error);
	else
		ask(agent, ASK_OWNER);
}

static void take_owner(const struct agent *agent, const struct mad_async_result *result)
{
	const struct mad_fabric_port *port = agent->first->port;
	uint64_t guid = fabric_agent_guid(port), port_guid;
	struct mad_fabric_node node;
	uint8_t number;
	int error;
	void *data = fabric_attribute(result, IB_SMP_DATA_SIZE, &error);

	if (data)
		fabric_take_node_info(data, &node, &port_guid, &number);
	if (data && (node.guid != port->node->guid || (guid && port_guid != guid)))
		error = ESTALE;
	if (error)
		clear_rows(agent, error);
}

/* Ends a row, and asks for the next one. */
static void next_row(struct agent *agent, int error)
{
	agent->reading->run.progress.ports++;
	agent->row->error = error;
	agent->row++;
	if (agent->row < agent->end)
		ask(agent, COUNTERS_BASIC);
	else
		end_agent(agent, 0);
}

/*
 * An agent that does not know the attribute, or ignores it as ibsim's do, is asked no more; an
 * agent that refuses the attribute of one port may know those of other ports.
 */
static void skip_speeds(struct agent *agent, int error, unsigned status)
{
	agent->row->speeds_error = error;
	if (error == ETIMEDOUT || status == IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED)
		agent->speeds_error = error;
	if (error == ETIMEDOUT)
		agent->kind->ignored++;
	next_row(agent, 0);
}

/* A response without counters: a refusal of one port says nothing of the others. */
static void skip(struct agent *agent, int error, unsigned status)
{
	if (agent->asked >= COUNTERS_SPEEDS)
		skip_speeds(agent, error, status);
	else if (error == EIO || error == EPROTO)
		next_row(agent, error);
	else
		end_agent(agent, error);
}

/* Why the agent is not to be asked for PortExtendedSpeedsCounters; 0: it is. */
static int why_no_speeds(const struct agent *agent)
{
	const struct device_kind *kind = agent->kind;

	if (agent->speeds_error)
		return agent->speeds_error;
	return !kind->responds && kind->ignored >= IGNORED_AT_MOST ? ECANCELED : 0;
}

/*
 * PortExtendedSpeedsCounters of an agent that counts for RS-FEC have that shape where RS-FEC is
 * active, and where the mode is not known.
 */
static void ask_speeds(struct agent *agent)
{
	const struct mad_fabric_port *port = agent->row->port;
	bool is_rsfec = agent->capabilities & MAD_PM_RSFEC &&
			(!port->has_fec || mad_fec_is_rs(port->fec_mode));

	agent->row->speeds_error = why_no_speeds(agent);
	if (agent->row->speeds_error)
		next_row(agent, 0);
	else
		ask(agent, is_rsfec ? COUNTERS_RSFEC : COUNTERS_SPEEDS);
}

/* Takes an attribute into a row; false where the response does not have it. */
static bool take(const struct agent *agent, struct mad_fabric_counter_row *row,
		 enum counters_attribute attribute, const struct mad_async_result *result)
{
	int error;
	void *data = fabric_attribute(result, IB_PC_DATA_SZ, &error);

	if (!data)
		return false;
	if (!row->time_ns)
		row->time_ns = fabric_clock_ns(CLOCK_MONOTONIC);
	row->capabilities = agent->capabilities;
	fabric_take_counters(row, attribute, data);
	return true;
}

static void take_counters(struct agent *agent, const struct mad_async_result *result)
{
	const struct mad_fabric_options *options = &agent->reading->options;
	bool is_basic = agent->asked == COUNTERS_BASIC, is_enough;

	if (!take(agent, agent->row, agent->asked, result)) {
		skip(agent, result->error ? result->error : EPROTO, result->status);
		return;
	}
	agent->has_values = true;
	if (agent->asked >= COUNTERS_SPEEDS)
		agent->kind->responds = true;
	is_enough = agent->asked >= COUNTERS_SPEEDS ||
		    (is_basic && options->thresholds && !fabric_may_exceed(agent->row, options));
	if (!is_enough && is_basic &&
	    agent->capabilities &
		    (MAD_PM_EXTENDED | MAD_PM_EXTENDED_NO_IETF | MAD_PM_EXTENDED_ERRORS))
		ask(agent, COUNTERS_EXTENDED);
	else if (!is_enough && fabric_has_extended_speed(agent->row->port))
		ask_speeds(agent);
	else
		next_row(agent, 0);
}

/* Whether PortCounters of all ports of the agent show that nothing else is to be asked. */
static bool shows_nothing(const struct agent *agent, const struct mad_async_result *result)
{
	struct mad_fabric_counter_row all = { 0 };

	return take(agent, &all, COUNTERS_BASIC, result) &&
	       !fabric_may_exceed(&all, &agent->reading->options);
}

/* An agent that refuses ClassPortInfo can still be asked for the counters that all have. */
static void take_agent(struct agent *agent, const struct mad_async_result *result)
{
	int error;
	void *data = fabric_attribute(result, IB_PC_DATA_SZ, &error);

	agent->capabilities = 0;
	if (result->error && result->error != EIO) {
		end_agent(agent, result->error);
		return;
	}
	if (data)
		agent->capabilities = mad_get_field(data, 0, IB_CPI_CAPMASK_F) |
				      (uint64_t)mad_get_field(data, 0, IB_CPI_CAPMASK2_F)
					      << MAD_PM_MASK2_SHIFT;
	ask(agent, agent->reading->options.thresholds && agent->end - agent->row > 1 &&
				   agent->capabilities & MAD_PM_ALL_PORT_SELECT
			   ? ASK_SUM
			   : COUNTERS_BASIC);
}

static void on_response(struct mad_async *async, const struct mad_async_result *result,
			void *context)
{
	struct agent *agent = context;
	struct fabric_run *run = &agent->reading->run;

	(void)async;
	fabric_run_note(run, result);
	if (run->error)
		end_agent(agent, -run->error);
	else if (agent->asked == ASK_OWNER)
		take_owner(agent, result);
	else if (agent->asked == ASK_AGENT)
		take_agent(agent, result);
	else if (agent->asked == ASK_SINGLE && result->error == ETIMEDOUT)
		end_agent(agent, ETIMEDOUT);
	else if (agent->asked >= ASK_SINGLE && shows_nothing(agent, result))
		end_agent(agent, 0);
	else if (agent->asked == ASK_SINGLE)
		ask(agent, ASK_AGENT);
	else if (agent->asked == ASK_SUM)
		ask(agent, COUNTERS_BASIC);
	else
		take_counters(agent, result);
}

/*
 * The capabilities of an agent of a single port matter only where PortCounters, with all that is
 * optional in them, show something.
 */
static void begin(struct agent *agent)
{
	const struct fabric_run *run = &agent->reading->run;

	if (run->error || !IB_LID_VALID(agent->first->port->lid)) {
		end_agent(agent, run->error ? -run->error : EADDRNOTAVAIL);
		return;
	}
	agent->capabilities = MAD_PM_XMIT_WAIT | MAD_PM_QP1_DROPPED;
	ask(agent, agent->reading->options.thresholds && agent->end - agent->first == 1
			   ? ASK_SINGLE
			   : ASK_AGENT);
}

static void submit_agents(struct fabric_run *run, void *context)
{
	struct reading *reading = context;

	while (reading->next_agent < reading->number_of_agents &&
	       (run->error || fabric_run_has_space(run)))
		begin(&reading->agents[reading->next_agent++]);
	run->queued = reading->number_of_agents - reading->next_agent;
}

/* CAs and routers: only ports whose PortInfo was received; switches: port 0 only if it is enhanced.
 */
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
	if (reading->number_of_kinds < KINDS_MAX) {
		reading->number_of_kinds++;
		kind->vendor_id = node->vendor_id;
		kind->device_id = node->device_id;
	} else {
		kind->responds = true;
	}
	return kind;
}

/* Adds the row of a port, and its agent, where that does not respond for the port before. */
static void add_row(struct reading *reading, const struct mad_fabric_port *port)
{
	struct mad_fabric_counter_row *row =
		&reading->counters->rows[reading->counters->number_of_rows++];
	struct agent *agent = &reading->agents[reading->number_of_agents];

	row->port = port;
	if (!reading->number_of_agents || port->node->type != IB_NODE_SWITCH ||
	    agent[-1].first->port->node != port->node) {
		*agent = (struct agent){ .reading = reading,
					 .first = row,
					 .row = row,
					 .kind = kind_of(reading, port->node) };
		reading->number_of_agents++;
	}
	reading->agents[reading->number_of_agents - 1].end = row + 1;
}

static int list_agents(struct reading *reading, const struct mad_fabric *fabric)
{
	const struct fabric_port *port = NULL;

	reading->counters = fabric_create_counters(fabric);
	reading->agents = calloc(fabric->number_of_ports + 1, sizeof(*reading->agents));
	if (!reading->agents || !reading->counters)
		return -ENOMEM;
	while ((port = fabric_next_port(fabric, port)))
		if (is_wanted(reading, &port->public))
			add_row(reading, &port->public);
	return 0;
}

static int read_all(struct reading *reading, struct ibmad_port *port,
		    const struct mad_fabric *fabric, const struct mad_fabric_options *options,
		    size_t size)
{
	struct fabric_run *run = &reading->run;
	int error = !port     ? mad_refuse(MAD_REFUSED_PORT)
		    : !fabric ? mad_refuse(MAD_REFUSED_FABRIC)
			      : fabric_take_options(&reading->options, options, size);

	if (!error)
		error = list_agents(reading, fabric);
	if (!error)
		error = fabric_run_begin(run, port, &reading->options);
	if (error)
		return error;
	run->progress.nodes = fabric->info.nodes;
	run->progress.links = fabric->info.links;
	run->progress.all_ports = reading->counters->number_of_rows;
	fabric_run_until_done(run, submit_agents, reading);
	submit_agents(run, reading); /* after an error, ends the rows that are left */
	fabric_run_end(run);
	reading->counters = fabric_trim_counters(reading->counters);
	return run->error == -EINVAL ? -EINVAL : 0;
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
	return fabric_fail_null(error);
}

const struct mad_fabric_counter_row *mad_fabric_counters_next(
	const struct mad_fabric_counters *counters, const struct mad_fabric_counter_row *after)
{
	size_t index = counters && after ? (size_t)(after - counters->rows) + 1 : 0;

	return counters && index < counters->number_of_rows ? &counters->rows[index]
							    : fabric_none(counters);
}
