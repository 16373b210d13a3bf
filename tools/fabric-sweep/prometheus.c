/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Metrics in the text format of Prometheus, for the node exporter's textfile collector. Names and
 * labels are those of infiniband_exporter (treydock), which dashboards of whole fabrics are made
 * for: ports of switches as infiniband_switch_port_*, those of hosts as infiniband_hca_port_*. The
 * node exporter's own node_infiniband_* are of the local host, and it would refuse them from a
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
	{ MAD_FABRIC_EXCESSIVE_BUFFER_OVERRUNS, "excessive_buffer_overrun_errors_total" },
	{ MAD_FABRIC_LINK_DOWNED, "link_downed_total" },
	{ MAD_FABRIC_LINK_RECOVERS, "link_error_recovery_total" },
	{ MAD_FABRIC_LOCAL_LINK_INTEGRITY_ERRORS, "local_link_integrity_errors_total" },
	{ MAD_FABRIC_MULTICAST_RCV_PACKETS, "multicast_receive_packets_total" },
	{ MAD_FABRIC_MULTICAST_XMIT_PACKETS, "multicast_transmit_packets_total" },
	{ MAD_FABRIC_QP1_DROPPED, "qp1_dropped_total" },
	{ MAD_FABRIC_RCV_CONSTRAINT_ERRORS, "receive_constraint_errors_total" },
	{ MAD_FABRIC_RCV_DATA, "receive_data_bytes_total" },
	{ MAD_FABRIC_RCV_ERRORS, "receive_errors_total" },
	{ MAD_FABRIC_RCV_PACKETS, "receive_packets_total" },
	{ MAD_FABRIC_RCV_REMOTE_PHYSICAL_ERRORS, "receive_remote_physical_errors_total" },
	{ MAD_FABRIC_RCV_SWITCH_RELAY_ERRORS, "receive_switch_relay_errors_total" },
	{ MAD_FABRIC_SYMBOL_ERRORS, "symbol_error_total" },
	{ MAD_FABRIC_XMIT_CONSTRAINT_ERRORS, "transmit_constraint_errors_total" },
	{ MAD_FABRIC_XMIT_DATA, "transmit_data_bytes_total" },
	{ MAD_FABRIC_XMIT_DISCARDS, "transmit_discards_total" },
	{ MAD_FABRIC_XMIT_PACKETS, "transmit_packets_total" },
	{ MAD_FABRIC_XMIT_WAIT, "transmit_wait_total" },
	{ MAD_FABRIC_UNICAST_RCV_PACKETS, "unicast_receive_packets_total" },
	{ MAD_FABRIC_UNICAST_XMIT_PACKETS, "unicast_transmit_packets_total" },
	{ MAD_FABRIC_VL15_DROPPED, "vl15_dropped_total" },
	{ MAD_FABRIC_SYNC_HEADER_ERRORS, "sync_header_error_total" },
	{ MAD_FABRIC_UNKNOWN_BLOCKS, "unknown_block_total" },
	{ MAD_FABRIC_FEC_CORRECTABLE_BLOCKS, "fec_correctable_block_total" },
	{ MAD_FABRIC_FEC_UNCORRECTABLE_BLOCKS, "fec_uncorrectable_block_total" },
	{ MAD_FABRIC_FEC_CORRECTED_SYMBOLS, "fec_corrected_symbol_total" },
};

/* Rates of a lane in kb/s: of the signal, and of the data in it, as sysfs and tools have it. */
static const struct {
	unsigned signal;
	unsigned data;
} lane_rates[] = {
	[MAD_FABRIC_SPEED_SDR] = { 2500000, 2000000 },
	[MAD_FABRIC_SPEED_DDR] = { 5000000, 4000000 },
	[MAD_FABRIC_SPEED_QDR] = { 10000000, 8000000 },
	[MAD_FABRIC_SPEED_FDR10] = { 10312500, 10000000 },
	[MAD_FABRIC_SPEED_FDR] = { 14062500, 13636364 },
	[MAD_FABRIC_SPEED_EDR] = { 25781250, 25000000 },
	[MAD_FABRIC_SPEED_HDR] = { 53125000, 50000000 },
	[MAD_FABRIC_SPEED_NDR] = { 106250000, 100000000 },
	[MAD_FABRIC_SPEED_XDR] = { 212500000, 200000000 },
};

static uint64_t bytes_per_second(const struct mad_fabric_port *port, bool signal)
{
	if (port->speed >= sizeof(lane_rates) / sizeof(lane_rates[0]))
		return 0;
	return (uint64_t)(signal ? lane_rates[port->speed].signal : lane_rates[port->speed].data) *
	       port->lanes * 125;
}

static const char *prefix_of(bool is_switch)
{
	return is_switch ? "infiniband_switch" : "infiniband_hca";
}

static bool is_switch(const struct mad_fabric_node *node)
{
	return node->type == IB_NODE_SWITCH;
}

/* guid="0x...",port="1",switch="name" */
static void write_labels(const struct mad_fabric_port *port, FILE *file)
{
	const struct mad_fabric_node *node = port->node;

	fprintf(file, "{guid=\"0x%016" PRIx64 "\",%s=\"", node->guid,
		is_switch(node) ? "switch" : "hca");
	escape_prometheus(file, node->description);
	fprintf(file, "\",port=\"%u\"", port->number);
}

static void write_counter(const struct sweep *sweep, unsigned index, bool switches, FILE *file)
{
	const struct mad_fabric_port_counters *row = NULL;
	unsigned counter = metrics[index].counter;
	bool any = false;

	while ((row = mad_fabric_next_counters(sweep->counters, row))) {
		if (is_switch(row->port->node) != switches || !(row->present >> counter & 1))
			continue;
		if (!any)
			fprintf(file,
				"# HELP %s_port_%s InfiniBand %s\n# TYPE %s_port_%s counter\n",
				prefix_of(switches), metrics[index].name,
				mad_fabric_counter_info(counter)->name, prefix_of(switches),
				metrics[index].name);
		any = true;
		fprintf(file, "%s_port_%s", prefix_of(switches), metrics[index].name);
		write_labels(row->port, file);
		fprintf(file, "} %" PRIu64 "\n",
			row->values[counter] * mad_fabric_counter_info(counter)->unit);
	}
}

static void write_rates(const struct sweep *sweep, bool switches, bool signal, FILE *file)
{
	const char *prefix = prefix_of(switches), *name = signal ? "raw_rate" : "rate";
	const struct mad_fabric_node *node = NULL;

	fprintf(file,
		"# HELP %s_port_%s_bytes_per_second %s rate of the link\n"
		"# TYPE %s_port_%s_bytes_per_second gauge\n",
		prefix, name, signal ? "Signalling" : "Data", prefix, name);
	while ((node = mad_fabric_next_node(sweep->fabric, node)))
		for (unsigned i = 0; i <= node->number_of_ports; i++) {
			const struct mad_fabric_port *port = mad_fabric_get_port(node, i);

			if (is_switch(node) != switches || !port->peer || !port->lanes)
				continue;
			fprintf(file, "%s_port_%s_bytes_per_second", prefix, name);
			write_labels(port, file);
			fprintf(file, "} %" PRIu64 "\n", bytes_per_second(port, signal));
		}
}

static void write_uplink(const struct mad_fabric_port *port, FILE *file)
{
	const struct mad_fabric_port *peer = port->peer;

	fprintf(file, "%s_uplink_info", prefix_of(is_switch(port->node)));
	write_labels(port, file);
	fputs(",uplink=\"", file);
	escape_prometheus(file, peer->node->description);
	fprintf(file,
		"\",uplink_guid=\"0x%016" PRIx64
		"\",uplink_lid=\"%u\",uplink_port=\"%u\",uplink_type=\"%s\"} 1\n",
		peer->node->guid, peer->lid, peer->number, is_switch(peer->node) ? "SW" : "CA");
}

static void write_infos(const struct sweep *sweep, bool switches, FILE *file)
{
	const struct mad_fabric_node *node = NULL;
	const char *prefix = prefix_of(switches);

	fprintf(file, "# HELP %s_info A node\n# TYPE %s_info gauge\n", prefix, prefix);
	while ((node = mad_fabric_next_node(sweep->fabric, node))) {
		const struct mad_fabric_port *port = mad_fabric_get_port(node, 0);

		if (is_switch(node) != switches)
			continue;
		for (unsigned i = 1; i <= node->number_of_ports && !port->lid; i++)
			port = mad_fabric_get_port(node, i);
		fprintf(file, "%s_info{guid=\"0x%016" PRIx64 "\",%s=\"", prefix, node->guid,
			switches ? "switch" : "hca");
		escape_prometheus(file, node->description);
		fprintf(file, "\",lid=\"%u\"} 1\n", port->lid);
	}
	fprintf(file, "# HELP %s_uplink_info A link\n# TYPE %s_uplink_info gauge\n", prefix,
		prefix);
	while ((node = mad_fabric_next_node(sweep->fabric, node)))
		for (unsigned i = 0; i <= node->number_of_ports; i++) {
			const struct mad_fabric_port *port = mad_fabric_get_port(node, i);

			if (is_switch(node) == switches && port->peer)
				write_uplink(port, file);
		}
}

void prometheus_write(const struct sweep *sweep, const struct options *options, FILE *file)
{
	const struct mad_fabric_info *info = mad_fabric_get_info(sweep->fabric);

	(void)options;
	for (int switches = 1; switches >= 0; switches--) {
		for (unsigned i = 0; sweep->counters && i < sizeof(metrics) / sizeof(metrics[0]);
		     i++)
			write_counter(sweep, i, switches, file);
		write_rates(sweep, switches, false, file);
		write_rates(sweep, switches, true, file);
		write_infos(sweep, switches, file);
	}
	fprintf(file,
		"# HELP infiniband_sweep_problems Problems that the sweep found\n"
		"# TYPE infiniband_sweep_problems gauge\ninfiniband_sweep_problems %zu\n"
		"# HELP infiniband_sweep_complete 1: everything was discovered\n"
		"# TYPE infiniband_sweep_complete gauge\ninfiniband_sweep_complete %d\n"
		"# HELP infiniband_sweep_duration_seconds Time that the discovery took\n"
		"# TYPE infiniband_sweep_duration_seconds gauge\n"
		"infiniband_sweep_duration_seconds %.6f\n",
		info->problems, !info->error, (double)info->duration_ns / 1e9);
}
