/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Describes what is wrong with a fabric: kept in the model, for stderr and for every output. The
 * texts contain no names, only GUIDs, so they are safe to print.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric.h"

size_t fabric_warnings_kept(const struct fabric *fabric)
{
	return fabric->number_of_warnings < FABRIC_WARNINGS_MAX ? fabric->number_of_warnings
								: FABRIC_WARNINGS_MAX;
}

void fabric_warn(struct fabric *fabric, const char *format, ...)
{
	size_t index = fabric->number_of_warnings;
	va_list arguments;

	if (index >= FABRIC_WARNINGS_MAX) {
		fabric->number_of_warnings++;
		return;
	}
	va_start(arguments, format);
	if (vasprintf(&fabric->warnings[index], format, arguments) >= 0)
		fabric->number_of_warnings++;
	else
		fabric->warnings[index] = NULL;
	va_end(arguments);
}

/* The meaning of an errno of a request to a node. */
const char *fabric_error_text(int error)
{
	switch (error) {
	case ETIMEDOUT:
		return "no response";
	case EIO:
		return "refused";
	case ECANCELED:
		return "skipped, as the node did not respond";
	case EPROTO:
		return "invalid response";
	case ELOOP:
		return "too far away for a directed route";
	case EADDRNOTAVAIL:
		return "no LID";
	default:
		return strerror(error);
	}
}

static void warn_of_port(struct fabric *fabric, const struct fabric_port *port)
{
	if (port->stage == FABRIC_PORT_SILENT)
		fabric_warn(fabric, "0x%016" PRIx64 " port %u: no PortInfo: %s", port->node->guid,
			    port->number, fabric_error_text(port->info_error));
	if (port->peer_error)
		fabric_warn(fabric, "0x%016" PRIx64 " port %u: peer unknown: %s", port->node->guid,
			    port->number, fabric_error_text(port->peer_error));
}

/*
 * Lists everything that has not responded, once the sweep has ended: before that, a node that does
 * not respond on one path may still respond on another.
 */
void fabric_warn_silent(struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->number_of_nodes; i++) {
		struct fabric_node *node = fabric->nodes[i];

		if (node->name_error)
			fabric_warn(fabric, "0x%016" PRIx64 ": no NodeDescription: %s", node->guid,
				    fabric_error_text(node->name_error));
		for (int number = 0; number <= node->number_of_ports; number++)
			warn_of_port(fabric, &node->ports[number]);
	}
}
