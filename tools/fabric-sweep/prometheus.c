/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Metrics in the text format of Prometheus, for the node exporter's textfile collector. Names and
 * labels are those of infiniband_exporter (treydock) 0.9 and 0.10, which dashboards of whole
 * fabrics are made for: ports of switches as infiniband_switch_port_*, those of hosts as
 * infiniband_hca_port_*. Names of nodes are labels of info metrics only, so that a node that gets
 * another name goes on in all other series. docs/fabric-metrics.md lists all. The node exporter's
 * own node_infiniband_* are of the local host, and it would refuse them from a file.
 */
#include <inttypes.h>

#include "escape.h"
#include "sweep.h"

/* A counter as a metric; data are counted in bytes. */
static const struct {
	enum mad_fabric_counter counter;
	const char *name;
} counters[] = {
	{ MAD_FABRIC_COUNTER_EXCESSIVE_BUFFER_OVERRUNS, "excessive_buffer_overrun_errors_total" },
	{ MAD_FABRIC_COUNTER_LINK_DOWNED, "link_downed_total" },
	{ MAD_FABRIC_COUNTER_LINK_RECOVERS, "link_error_recovery_total" },
	{ MAD_FABRIC_COUNTER_LOCAL_LINK_INTEGRITY_ERRORS, "local_link_integrity_errors_total" },
	{ MAD_FABRIC_COUNTER_MULTICAST_RCV_PACKETS, "multicast_receive_packets_total" },
	{ MAD_FABRIC_COUNTER_MULTICAST_XMIT_PACKETS, "multicast_transmit_packets_total" },
	{ MAD_FABRIC_COUNTER_QP1_DROPPED, "qp1_dropped_total" },
	{ MAD_FABRIC_COUNTER_RCV_CONSTRAINT_ERRORS, "receive_constraint_errors_total" },
	{ MAD_FABRIC_COUNTER_RCV_DATA, "receive_data_bytes_total" },
	{ MAD_FABRIC_COUNTER_RCV_ERRORS, "receive_errors_total" },
	{ MAD_FABRIC_COUNTER_RCV_PACKETS, "receive_packets_total" },
	{ MAD_FABRIC_COUNTER_RCV_REMOTE_PHYSICAL_ERRORS, "receive_remote_physical_errors_total" },
	{ MAD_FABRIC_COUNTER_RCV_SWITCH_RELAY_ERRORS, "receive_switch_relay_errors_total" },
	{ MAD_FABRIC_COUNTER_SYMBOL_ERRORS, "symbol_error_total" },
	{ MAD_FABRIC_COUNTER_XMIT_CONSTRAINT_ERRORS, "transmit_constraint_errors_total" },
	{ MAD_FABRIC_COUNTER_XMIT_DATA, "transmit_data_bytes_total" },
	{ MAD_FABRIC_COUNTER_XMIT_DISCARDS, "transmit_discards_total" },
	{ MAD_FABRIC_COUNTER_XMIT_PACKETS, "transmit_packets_total" },
	{ MAD_FABRIC_COUNTER_XMIT_WAIT, "transmit_wait_total" },
	{ MAD_FABRIC_COUNTER_UNICAST_RCV_PACKETS, "unicast_receive_packets_total" },
	{ MAD_FABRIC_COUNTER_UNICAST_XMIT_PACKETS, "unicast_transmit_packets_total" },
	{ MAD_FABRIC_COUNTER_VL15_DROPPED, "vl15_dropped_total" },
	{ MAD_FABRIC_COUNTER_SYNC_HEADER_ERRORS, "sync_header_error_total" },
	{ MAD_FABRIC_COUNTER_UNKNOWN_BLOCKS, "unknown_block_total" },
	{ MAD_FABRIC_COUNTER_FEC_CORRECTABLE_BLOCKS, "fec_correctable_block_total" },
	{ MAD_FABRIC_COUNTER_FEC_UNCORRECTABLE_BLOCKS, "fec_uncorrectable_block_total" },
	{ MAD_FABRIC_COUNTER_FEC_CORRECTED_SYMBOLS, "fec_corrected_symbol_total" },
};

/* Metrics of switches, or those of all other nodes. */
struct metrics {
	const struct sweep *sweep;
	const struct options *options;
	bool switches;
	const char *prefix;
	FILE *file;
};

static bool is_switch(const struct mad_fabric_node *node)
{
	return node->type == IB_NODE_SWITCH;
}

static const struct mad_fabric_node *next_node(const struct metrics *metrics,
					       const struct mad_fabric_node *node)
{
	do {
		node = mad_fabric_next_node(metrics->sweep->fabric, node);
	} while (node && is_switch(node) != metrics->switches);
	return node;
}

/* The port after a port, NULL: the first; without those of number 0. */
static const struct mad_fabric_port *next_port(const struct metrics *metrics,
					       const struct mad_fabric_port *port)
{
	const struct mad_fabric_node *node = port ? port->node : next_node(metrics, NULL);
	unsigned number = port ? port->port_number + 1U : 1;

	while (node && number > node->port_count) {
		node = next_node(metrics, node);
		number = 1;
	}
	return node ? mad_fabric_get_port(node, number) : NULL;
}

/* The link is up; the node at its other end may be unknown. */
static bool is_up(const struct mad_fabric_port *port)
{
	return port->peer || port->peer_error ||
	       (port->has_info && port->physical_state == UMAD_PHYS_LINK_UP);
}

/* The last known link of a port; NULL: it had none. */
static const struct last_link *last_link(const struct metrics *metrics,
					 const struct mad_fabric_port *port)
{
	return metrics->sweep->state ? links_find(&metrics->sweep->state->links, port) : NULL;
}

static void put_head(const char *prefix, const char *name, const char *type, const char *help,
		     FILE *file)
{
	fprintf(file, "# HELP %s_%s %s\n# TYPE %s_%s %s\n", prefix, name, help, prefix, name, type);
}

static void put_gauge_head(const struct metrics *metrics, const char *name, const char *help)
{
	put_head(metrics->prefix, name, "gauge", help, metrics->file);
}

/* infiniband_switch_NAME{guid="0x...", and the port's number where there is a port. */
static void begin(const struct metrics *metrics, const char *name,
		  const struct mad_fabric_node *node, const struct mad_fabric_port *port)
{
	fprintf(metrics->file, "%s_%s{guid=\"0x%016" PRIx64 "\"", metrics->prefix, name,
		node->guid);
	if (node->duplicate) /* no series may come twice */
		fprintf(metrics->file, ",duplicate=\"%u\"", node->duplicate);
	if (port)
		fprintf(metrics->file, ",port=\"%u\"", port->port_number);
}

static void put_label(const struct metrics *metrics, const char *label, const char *value)
{
	fprintf(metrics->file, ",%s=\"", label);
	escape_prometheus(metrics->file, value);
	putc('"', metrics->file);
}

static void end(const struct metrics *metrics, uint64_t value)
{
	fprintf(metrics->file, "} %" PRIu64 "\n", value);
}

static bool is_traffic(unsigned counter)
{
	return counter >= MAD_FABRIC_COUNTER_XMIT_DATA &&
	       counter <= MAD_FABRIC_COUNTER_MULTICAST_RCV_PACKETS;
}

/* With --brief, ports that are down and errors that did not happen are left out. */
static void put_counter(const struct metrics *metrics, unsigned index)
{
	const struct mad_fabric_counter_row *row = NULL;
	unsigned counter = counters[index].counter;
	const struct mad_fabric_counter_kind *kind = mad_fabric_counter_get_kind(counter);
	char name[64], help[64];
	bool any = false;
	uint64_t value;

	if (metrics->options->no_traffic && is_traffic(counter))
		return;
	snprintf(name, sizeof(name), "port_%s", counters[index].name);
	snprintf(help, sizeof(help), "InfiniBand %s", kind->name);
	while ((row = mad_fabric_counters_next(metrics->sweep->counters, row))) {
		const struct mad_fabric_port *port = mad_fabric_row_port(row);

		if (is_switch(port->node) != metrics->switches ||
		    mad_fabric_row_value(row, counter, &value) < 0 ||
		    (metrics->options->brief && (!is_up(port) || (kind->is_error && !value))))
			continue;
		if (!any)
			put_head(metrics->prefix, name, "counter", help, metrics->file);
		any = true;
		begin(metrics, name, port->node, port);
		end(metrics, value * kind->unit);
	}
}

static uint64_t degraded(const struct mad_fabric_port *port)
{
	return is_degraded(port);
}

/* A metric of ports with a link; or of nodes, for their first such port. */
static void put_links(const struct metrics *metrics, const char *name, const char *help,
		      uint64_t (*value)(const struct mad_fabric_port *port), bool of_nodes)
{
	const struct mad_fabric_port *port = NULL;
	const struct mad_fabric_node *last = NULL;

	put_gauge_head(metrics, name, help);
	while ((port = next_port(metrics, port))) {
		if (!port->peer || (of_nodes && port->node == last))
			continue;
		last = port->node;
		begin(metrics, name, last, of_nodes ? NULL : port);
		end(metrics, value(port));
	}
}

/* The link of a port, with the value 1; or the last one that was known, with the value 0. */
static void put_uplink(const struct metrics *metrics, const struct mad_fabric_port *port)
{
	const struct last_link *last = port->peer ? NULL : last_link(metrics, port);
	const struct mad_fabric_port *peer = port->peer;
	struct last_link link = last ? *last : (struct last_link){ .type = 0 };

	if (!peer && !last)
		return;
	if (peer) {
		link.to = link_end_of(peer);
		link.lid = peer->lid;
		link.type = peer->node->type;
	}
	begin(metrics, "uplink_info", port->node, port);
	put_label(metrics, metrics->switches ? "switch" : "hca", node_name(port->node));
	put_label(metrics, "uplink",
		  peer ? node_name(peer->node) : node_name_or(link.to.guid, link.name));
	fprintf(metrics->file,
		",uplink_guid=\"0x%016" PRIx64
		"\",uplink_lid=\"%u\",uplink_port=\"%u\",uplink_type=\"%s\"",
		link.to.guid, link.lid, link.to.port_number,
		link.type == IB_NODE_SWITCH ? "SW" : "CA");
	end(metrics, peer != NULL);
}

/* With --brief, without ports that have never been up. */
static void put_ports(const struct metrics *metrics)
{
	const struct mad_fabric_port *port = NULL;

	put_gauge_head(metrics, "port_up", "1: the link of the port is up");
	while ((port = next_port(metrics, port))) {
		if (!is_up(port) &&
		    (!port->has_info || (metrics->options->brief && !last_link(metrics, port))))
			continue;
		begin(metrics, "port_up", port->node, port);
		end(metrics, is_up(port));
	}
	put_gauge_head(metrics, "uplink_info", "1: a link; 0: the last one of the port");
	while ((port = next_port(metrics, port)))
		put_uplink(metrics, port);
}

/* Everything that the fabric shows of a node was read. */
static bool is_reachable(const struct mad_fabric_node *node)
{
	bool good = !node->description_error && !node->switch_info_error;

	for (unsigned i = 0; i <= node->port_count; i++)
		good &= !mad_fabric_get_port(node, i)->info_error;
	return good;
}

static void put_nodes(const struct metrics *metrics)
{
	const struct mad_fabric_node *node = NULL;

	put_gauge_head(metrics, "info", "A node");
	while ((node = next_node(metrics, node))) {
		const struct mad_fabric_port *port = mad_fabric_get_port(node, 0);

		for (unsigned i = 1; i <= node->port_count && !port->lid; i++)
			port = mad_fabric_get_port(node, i);
		begin(metrics, "info", node, NULL);
		put_label(metrics, metrics->switches ? "switch" : "hca", node_name(node));
		fprintf(metrics->file, ",lid=\"%u\"", port->lid);
		end(metrics, 1);
	}
	put_gauge_head(metrics, "reachable", "1: the node responded to everything");
	while ((node = next_node(metrics, node))) {
		begin(metrics, "reachable", node, NULL);
		end(metrics, is_reachable(node));
	}
}

static void put_fabric(const struct metrics *metrics)
{
	for (unsigned i = 0; metrics->sweep->counters && i < sizeof(counters) / sizeof(counters[0]);
	     i++)
		put_counter(metrics, i);
	put_links(metrics, "port_rate_bytes_per_second", "Data rate of the link",
		  data_bytes_per_second, false);
	put_links(metrics, "port_raw_rate_bytes_per_second", "Signalling rate of the link",
		  signal_bytes_per_second, false);
	put_links(metrics, "port_degraded", "1: slower or narrower than both ends allow", degraded,
		  false);
	put_nodes(metrics);
	put_ports(metrics);
	if (metrics->switches)
		return;
	put_links(metrics, "rate_bytes_per_second", "Rate of the first port with a link",
		  data_bytes_per_second, true);
	put_links(metrics, "raw_rate_bytes_per_second", "Rate of the first port with a link",
		  signal_bytes_per_second, true);
}

/* When the last sweep that found something began to discover, or to read counters alone. */
static int64_t last_time(const struct sweep *sweep)
{
	int64_t seconds =
		sweep->fabric ? mad_fabric_get_info(sweep->fabric)->time_ns / NS_PER_S : 0;

	return sweep->counters && sweep->counters_time > seconds ? sweep->counters_time : seconds;
}

static void put_value(const char *name, const char *type, const char *help, double value,
		      FILE *file)
{
	put_head("infiniband_sweep", name, type, help, file);
	fprintf(file, "infiniband_sweep_%s %.15g\n", name, value);
}

/* A sweep that found nothing has no metrics but these, as others are stale then. */
static void put_times(const struct sweep *sweep, FILE *file)
{
	put_value("complete", "gauge", "1: everything that the fabric shows was read",
		  sweep_is_complete(sweep), file);
	put_value("last_complete_timestamp_seconds", "gauge", "When the last complete sweep began",
		  (double)sweep->last_complete, file);
	put_value("timestamp_seconds", "gauge", "When the last sweep that found something began",
		  (double)last_time(sweep), file);
}

static void put_sweep(const struct sweep *sweep, FILE *file)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);
	const struct mad_rpc_statistics *mads = &sweep->statistics;

	put_value("counters_timestamp_seconds", "gauge", "When reading the counters began",
		  (double)sweep->counters_time, file);
	put_value("duration_seconds", "gauge", "Time that the discovery took",
		  (double)info->duration_ns / 1e9, file);
	put_value("counters_duration_seconds", "gauge", "Time that reading the counters took",
		  (double)sweep->counters_ns / 1e9, file);
	put_value("problems", "gauge", "Problems that the sweep found", (double)info->problems,
		  file);
	put_value("unread_nodes", "gauge", "Nodes of which something could not be read",
		  (double)info->unread_nodes, file);
	put_value("unknown_ends", "gauge", "Links that are up, and whose other end is not known",
		  (double)info->unknown_ends, file);
	put_value("unread_counters", "gauge", "Ports whose counters could not be read",
		  (double)sweep->unread_counters, file);
	put_value("mads_sent_total", "counter", "MADs that the program sent", (double)mads->sent,
		  file);
	put_value("mads_received_total", "counter", "MADs that the program received",
		  (double)mads->received, file);
	put_value("mad_timeouts_total", "counter", "Requests without a response",
		  (double)mads->timeouts, file);
}

bool prometheus_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	if (!sweep->error) {
		put_fabric(&(struct metrics){ sweep, options, true, "infiniband_switch", file });
		put_fabric(&(struct metrics){ sweep, options, false, "infiniband_hca", file });
	}
	put_times(sweep, file);
	if (!sweep->error)
		put_sweep(sweep, file);
	return true;
}
