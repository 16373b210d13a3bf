/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Nodes, ports and their values in words. */
#include <inttypes.h>
#include <string.h>
#include <sys/param.h>
#include <time.h>

#include "escape.h"
#include "sweep.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

const char *node_type_name(unsigned type)
{
	static const char *const names[] = {
		[IB_NODE_CA] = "CA", [IB_NODE_SWITCH] = "switch", [IB_NODE_ROUTER] = "router"
	};

	return type < LENGTH(names) && names[type] ? names[type] : "unknown";
}

const char *port_state_name(unsigned state)
{
	static const char *const names[] = { "NoChange", "Down", "Initialize", "Armed", "Active" };

	return state < LENGTH(names) ? names[state] : "unknown";
}

const char *physical_state_name(unsigned state)
{
	static const char *const names[] = {
		"NoChange", "Sleep",  "Polling",	   "Disabled",
		"Training", "LinkUp", "LinkErrorRecovery", "PhyTest",
	};

	return state < LENGTH(names) ? names[state] : "unknown";
}

void print_node(const struct mad_fabric_node *node, FILE *file)
{
	const char *name = node_name(node);

	escape_text(file, name);
	fprintf(file, "%s0x%016" PRIx64 "%s", *name ? " (" : "", node->guid, *name ? ")" : "");
}

void print_end(const struct mad_fabric_port *port, FILE *file)
{
	print_node(port->node, file);
	fprintf(file, " port %u", port->port_number);
}

int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* ISO 8601, UTC, of nanoseconds since 1970. */
void format_time(int64_t ns, char text[32])
{
	time_t when = (time_t)(ns / NS_PER_S);
	struct tm parts;

	if (!gmtime_r(&when, &parts) || !strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts))
		text[0] = '\0';
}

static void write_rate(unsigned width, unsigned speed, char text[16])
{
	snprintf(text, 16, "%ux%s", width, speed ? mad_fabric_speed_name(speed) : "?DR");
}

/* Both ends of a link have one width and speed; one of them may not have reported it. */
void format_rate(const struct mad_fabric_port *port, char text[16])
{
	if (!port->width && port->peer)
		port = port->peer;
	if (port->width)
		write_rate(port->width, port->speed, text);
	else
		strcpy(text, "?????");
}

void format_best_rate(const struct mad_fabric_port *link, char text[16])
{
	write_rate(MIN(link->best_width, link->peer->best_width),
		   MIN(link->best_speed, link->peer->best_speed), text);
}

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
	[MAD_FABRIC_SPEED_EDR20] = { 25781250, 25000000 },
	[MAD_FABRIC_SPEED_EDR] = { 25781250, 25000000 },
	[MAD_FABRIC_SPEED_HDR] = { 53125000, 50000000 },
	[MAD_FABRIC_SPEED_NDR] = { 106250000, 100000000 },
	[MAD_FABRIC_SPEED_XDR] = { 212500000, 200000000 },
};

static uint64_t bytes_per_second(const struct mad_fabric_port *port, bool signal)
{
	if (port->speed >= LENGTH(lane_rates))
		return 0;
	return (uint64_t)(signal ? lane_rates[port->speed].signal : lane_rates[port->speed].data) *
	       port->width * 125;
}

uint64_t signal_bytes_per_second(const struct mad_fabric_port *port)
{
	return bytes_per_second(port, true);
}

uint64_t data_bytes_per_second(const struct mad_fabric_port *port)
{
	return bytes_per_second(port, false);
}

bool has_subnet_manager(const struct mad_fabric_port *port)
{
	return mad_get_field((void *)(uintptr_t)port->port_info, 0, IB_PORT_CAPMASK_F) & IS_SM;
}

bool is_degraded(const struct mad_fabric_port *port)
{
	const struct mad_fabric_port *peer = port->peer;

	if (!peer || !port->width || !peer->best_width || !port->best_width)
		return false;
	return port->width < MIN(port->best_width, peer->best_width) ||
	       (port->speed && port->speed < MIN(port->best_speed, peer->best_speed));
}
