/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Metrics in the text format of Prometheus, for the node exporter's textfile collector. Names and
 * labels are those of infiniband_exporter (treydock) 0.9 and 0.10, which dashboards of whole
 * fabrics are made for: ports of switches as infiniband_switch_port_*, those of hosts as
 * infiniband_hca_port_*. Names of nodes are labels of info metrics only, so that a node that gets
 * another name goes on in all other series. docs/fabric-metrics.md lists all. The node exporter's
 * own node_infiniband_* are of the local host, and it would refuse them from a
 * file.
 */
#include <inttypes.h>

#include "escape.h"
#include "sweep.h"

/* A counter as a metric; data are counted in bytes. */
static const struct {
	enum mad_fabric_counter counter;
	const char *name;
} metrics[] = {
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

static const char *prefix_of(bool is_switch)
{
	return is_switch ? "infiniband_switch" : "infiniband_hca";
}

static bool is_switch(const struct mad_fabric_node *node)
{
	return node->type == IB_NODE_SWITCH;
}

/* {guid="0x..." */
static void write_guid(const struct mad_fabric_node *node, FILE *file)
{
	fprintf(file, "{guid=\"0x%016" PRIx64 "\"", node->guid);
	if (node->duplicate) /* no series may come twice */
		fprintf(file, ",duplicate=\"%u\"", node->duplicate);
}

/* {guid="0x...",port="1" */
static void write_labels(const struct mad_fabric_port *port, FILE *file)
{
	write_guid(port->node, file);
	fprintf(file, ",port=\"%u\"", port->port_number);
}

/* ,switch="name" */
static void write_name(const struct mad_fabric_node *node, FILE *file)
{
	fprintf(file, ",%s=\"", is_switch(node) ? "switch" : "hca");
	escape_prometheus(file, node_name(node));
	putc('"', file);
}

/* The link is up; who is at its other end may be unknown. */
static bool is_up(const struct mad_fabric_port *port)
{
	return port->peer || port->peer_error ||
	       (port->has_info && port->physical_state == UMAD_PHYS_LINK_UP);
}

/* The last known link of a port; NULL: it had none. */
static const struct last_link *last_link(const struct sweep *sweep,
					 const struct mad_fabric_port *port)
{
	return sweep->state ? links_find(&sweep->state->links, port) : NULL;
}

static void write_head(const char *prefix, const char *name, const char *type, const char *help,
		       FILE *file)
{
	fprintf(file, "# HELP %s_%s %s\n# TYPE %s_%s %s\n", prefix, name, help, prefix, name, type);
}

/* With --brief, what is down or says that nothing is wrong is left out. */
static bool is_left_out(const struct options *options, const struct mad_fabric_counter_row *row,
			const struct mad_fabric_counter_kind *kind, uint64_t value)
{
	return options->brief && (!is_up(mad_fabric_row_port(row)) || (kind->is_error && !value));
}

static bool is_traffic(unsigned counter)
{
	return counter >= MAD_FABRIC_COUNTER_XMIT_DATA &&
	       counter <= MAD_FABRIC_COUNTER_MULTICAST_RCV_PACKETS;
}

static void write_counter(const struct sweep *sweep, const struct options *options, unsigned index,
			  bool switches, FILE *file)
{
	const struct mad_fabric_counter_row *row = NULL;
	unsigned counter = metrics[index].counter;
	const struct mad_fabric_counter_kind *kind = mad_fabric_counter_get_kind(counter);
	char name[64], help[64];
	bool any = false;
	uint64_t value;

	if (options->no_traffic && is_traffic(counter))
		return;
	snprintf(name, sizeof(name), "port_%s", metrics[index].name);
	snprintf(help, sizeof(help), "InfiniBand %s", kind->name);
	while ((row = mad_fabric_counters_next(sweep->counters, row))) {
		if (is_switch(mad_fabric_row_port(row)->node) != switches ||
		    mad_fabric_row_value(row, counter, &value) < 0 ||
		    is_left_out(options, row, kind, value))
			continue;
		if (!any)
			write_head(prefix_of(switches), name, "counter", help, file);
		any = true;
		fprintf(file, "%s_%s", prefix_of(switches), name);
		write_labels(mad_fabric_row_port(row), file);
		fprintf(file, "} %" PRIu64 "\n", value * kind->unit);
	}
}

/* One metric of ports with a link, of which value prints what follows the labels. */
static void write_links(const struct sweep *sweep, bool switches, const char *name,
			void (*value)(const struct mad_fabric_port *port, FILE *file), FILE *file)
{
	const struct mad_fabric_node *node = NULL;

	while ((node = mad_fabric_next_node(sweep->fabric, node)))
		for (unsigned i = 0; i <= node->port_count; i++) {
			const struct mad_fabric_port *port = mad_fabric_get_port(node, i);

			if (is_switch(node) != switches || !port->peer)
				continue;
			fprintf(file, "%s_%s", prefix_of(switches), name);
			write_labels(port, file);
			value(port, file);
		}
}

static void print_rate(const struct mad_fabric_port *port, FILE *file)
{
	fprintf(file, "} %" PRIu64 "\n", data_bytes_per_second(port));
}

static void print_raw_rate(const struct mad_fabric_port *port, FILE *file)
{
	fprintf(file, "} %" PRIu64 "\n", signal_bytes_per_second(port));
}

static void print_degraded(const struct mad_fabric_port *port, FILE *file)
{
	fprintf(file, "} %d\n", is_degraded(port));
}

static void print_uplink(const char *name, uint64_t guid, unsigned lid, unsigned port_number,
			 unsigned type, FILE *file)
{
	fputs(",uplink=\"", file);
	escape_prometheus(file, name);
	fprintf(file,
		"\",uplink_guid=\"0x%016" PRIx64
		"\",uplink_lid=\"%u\",uplink_port=\"%u\",uplink_type=\"%s\"}",
		guid, lid, port_number, type == IB_NODE_SWITCH ? "SW" : "CA");
}

/* The link of a port; or, with the value 0, the last one that was known. */
static void write_uplink(const struct sweep *sweep, const struct mad_fabric_port *port, FILE *file)
{
	const struct last_link *link = port->peer ? NULL : last_link(sweep, port);
	const struct mad_fabric_port *peer = port->peer;

	if (!peer && !link)
		return;
	fprintf(file, "%s_uplink_info", prefix_of(is_switch(port->node)));
	write_labels(port, file);
	write_name(port->node, file);
	if (peer)
		print_uplink(node_name(peer->node), peer->node->guid, peer->lid, peer->port_number,
			     peer->node->type, file);
	else
		print_uplink(node_name_or(link->to.guid, link->name), link->to.guid, link->lid,
			     link->to.port_number, link->type, file);
	fprintf(file, " %d\n", peer != NULL);
}

/* With --brief, without ports that have never been up. */
static void write_up(const struct sweep *sweep, const struct options *options,
		     const struct mad_fabric_port *port, FILE *file)
{
	bool is_known = is_up(port) || (port->has_info && !options->brief);

	if (!is_known && (!port->has_info || !last_link(sweep, port)))
		return;
	fprintf(file, "%s_port_up", prefix_of(is_switch(port->node)));
	write_labels(port, file);
	fprintf(file, "} %d\n", is_up(port));
}

static void write_ports(const struct sweep *sweep, const struct options *options, bool switches,
			FILE *file)
{
	const struct mad_fabric_node *node = NULL;
	const char *prefix = prefix_of(switches);

	write_head(prefix, "port_up", "gauge", "1: the link of the port is up", file);
	while ((node = mad_fabric_next_node(sweep->fabric, node)))
		for (unsigned i = 1; is_switch(node) == switches && i <= node->port_count; i++)
			write_up(sweep, options, mad_fabric_get_port(node, i), file);
	write_head(prefix, "uplink_info", "gauge", "1: a link; 0: the last one of the port", file);
	while ((node = mad_fabric_next_node(sweep->fabric, node)))
		for (unsigned i = 1; is_switch(node) == switches && i <= node->port_count; i++)
			write_uplink(sweep, mad_fabric_get_port(node, i), file);
}

/* The rates of hosts, of their first port with a link. */
static void write_hosts(const struct sweep *sweep, const char *name,
			uint64_t (*rate)(const struct mad_fabric_port *port), FILE *file)
{
	const struct mad_fabric_node *node = NULL;

	write_head("infiniband_hca", name, "gauge", "Rate of the first port with a link", file);
	while ((node = mad_fabric_next_node(sweep->fabric, node))) {
		unsigned i = 1;

		while (i <= node->port_count && !mad_fabric_get_port(node, i)->peer)
			i++;
		if (is_switch(node) || i > node->port_count)
			continue;
		fprintf(file, "infiniband_hca_%s", name);
		write_guid(node, file);
		fprintf(file, "} %" PRIu64 "\n", rate(mad_fabric_get_port(node, i)));
	}
}

/* Everything that the fabric shows of a node was read. */
static bool is_reachable(const struct mad_fabric_node *node)
{
	bool good = !node->description_error && !node->switch_info_error;

	for (unsigned i = 0; i <= node->port_count; i++)
		good &= !mad_fabric_get_port(node, i)->info_error;
	return good;
}

static void write_nodes(const struct sweep *sweep, bool switches, FILE *file)
{
	const struct mad_fabric_node *node = NULL;
	const char *prefix = prefix_of(switches);

	write_head(prefix, "info", "gauge", "A node", file);
	while ((node = mad_fabric_next_node(sweep->fabric, node))) {
		const struct mad_fabric_port *port = mad_fabric_get_port(node, 0);

		if (is_switch(node) != switches)
			continue;
		for (unsigned i = 1; i <= node->port_count && !port->lid; i++)
			port = mad_fabric_get_port(node, i);
		fprintf(file, "%s_info", prefix);
		write_guid(node, file);
		write_name(node, file);
		fprintf(file, ",lid=\"%u\"} 1\n", port->lid);
	}
	write_head(prefix, "reachable", "gauge", "1: the node responded to everything", file);
	while ((node = mad_fabric_next_node(sweep->fabric, node)))
		if (is_switch(node) == switches) {
			fprintf(file, "%s_reachable", prefix);
			write_guid(node, file);
			fprintf(file, "} %d\n", is_reachable(node));
		}
}

static void write_fabric(const struct sweep *sweep, const struct options *options, bool switches,
			 FILE *file)
{
	const char *prefix = prefix_of(switches);

	for (unsigned i = 0; sweep->counters && i < sizeof(metrics) / sizeof(metrics[0]); i++)
		write_counter(sweep, options, i, switches, file);
	write_head(prefix, "port_rate_bytes_per_second", "gauge", "Data rate of the link", file);
	write_links(sweep, switches, "port_rate_bytes_per_second", print_rate, file);
	write_head(prefix, "port_raw_rate_bytes_per_second", "gauge", "Signalling rate of the link",
		   file);
	write_links(sweep, switches, "port_raw_rate_bytes_per_second", print_raw_rate, file);
	write_head(prefix, "port_degraded", "gauge", "1: slower or narrower than both ends allow",
		   file);
	write_links(sweep, switches, "port_degraded", print_degraded, file);
	write_nodes(sweep, switches, file);
	write_ports(sweep, options, switches, file);
	if (switches)
		return;
	write_hosts(sweep, "rate_bytes_per_second", data_bytes_per_second, file);
	write_hosts(sweep, "raw_rate_bytes_per_second", signal_bytes_per_second, file);
}

static void write_gauge(const char *name, const char *help, double value, FILE *file)
{
	write_head("infiniband_sweep", name, "gauge", help, file);
	fprintf(file, "infiniband_sweep_%s %.15g\n", name, value);
}

static void write_total(const char *name, const char *help, uint64_t value, FILE *file)
{
	write_head("infiniband_sweep", name, "counter", help, file);
	fprintf(file, "infiniband_sweep_%s %" PRIu64 "\n", name, value);
}

/* When the last sweep that found something began to discover, or to read counters alone. */
static int64_t last_time(const struct sweep *sweep)
{
	int64_t seconds =
		sweep->fabric ? mad_fabric_get_info(sweep->fabric)->time_ns / NS_PER_S : 0;

	return sweep->counters && sweep->counters_time > seconds ? sweep->counters_time : seconds;
}

/* About the sweep itself: the only metrics of one that found nothing, since others are stale then.
 */
static void write_sweep(const struct sweep *sweep, FILE *file)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);
	const struct mad_rpc_statistics *mads = &sweep->statistics;

	write_gauge("complete", "1: everything that the fabric shows was read",
		    sweep_is_complete(sweep), file);
	write_gauge("last_complete_timestamp_seconds", "When the last complete sweep began",
		    (double)sweep->last_complete, file);
	write_gauge("timestamp_seconds", "When the last sweep that found something began",
		    (double)last_time(sweep), file);
	if (sweep->error)
		return;
	write_gauge("counters_timestamp_seconds", "When reading the counters began",
		    (double)sweep->counters_time, file);
	write_gauge("duration_seconds", "Time that the discovery took",
		    (double)info->duration_ns / 1e9, file);
	write_gauge("counters_duration_seconds", "Time that reading the counters took",
		    (double)sweep->counters_ns / 1e9, file);
	write_gauge("problems", "Problems that the sweep found", (double)info->problems, file);
	write_gauge("unread_nodes", "Nodes of which something could not be read",
		    (double)info->unread_nodes, file);
	write_gauge("unknown_ends", "Links that are up, and whose other end is not known",
		    (double)info->unknown_ends, file);
	write_gauge("unread_counters", "Ports whose counters could not be read",
		    (double)sweep->unread_counters, file);
	write_total("mads_sent_total", "MADs that the program sent", mads->sent, file);
	write_total("mads_received_total", "MADs that the program received", mads->received, file);
	write_total("mad_timeouts_total", "Requests without a response", mads->timeouts, file);
}

bool prometheus_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	for (int switches = 1; !sweep->error && switches >= 0; switches--)
		write_fabric(sweep, options, switches, file);
	write_sweep(sweep, file);
	return true;
}
