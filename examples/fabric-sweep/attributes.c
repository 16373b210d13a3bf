/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Attributes as nodes send them: decoded into the model, and checked as far as a single response
 * allows. Values without a meaning get names, too: a node may send any value.
 */
#include <string.h>

#include "fabric.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* mad_get_field() does not guarantee to leave the buffer unchanged, so it gets a copy. */
static bool copy_attribute(uint8_t copy[IB_SMP_DATA_SIZE], const uint8_t *data, size_t length)
{
	if (!data || length < IB_SMP_DATA_SIZE)
		return false;
	memcpy(copy, data, IB_SMP_DATA_SIZE);
	return true;
}

bool attribute_node_info(const uint8_t *data, size_t length, struct node_info *info)
{
	uint8_t copy[IB_SMP_DATA_SIZE];

	if (!copy_attribute(copy, data, length))
		return false;
	info->guid = mad_get_field64(copy, 0, IB_NODE_GUID_F);
	info->system_guid = mad_get_field64(copy, 0, IB_NODE_SYSTEM_GUID_F);
	info->port_guid = mad_get_field64(copy, 0, IB_NODE_PORT_GUID_F);
	info->vendor_id = mad_get_field(copy, 0, IB_NODE_VENDORID_F);
	info->revision = mad_get_field(copy, 0, IB_NODE_REVISION_F);
	info->device_id = mad_get_field(copy, 0, IB_NODE_DEVID_F);
	info->type = mad_get_field(copy, 0, IB_NODE_TYPE_F);
	info->number_of_ports = mad_get_field(copy, 0, IB_NODE_NPORTS_F);
	info->local_port = mad_get_field(copy, 0, IB_NODE_LOCAL_PORT_F);
	return true;
}

static const char *width_name(unsigned width)
{
	static const char *const names[] = {
		[1] = "1x", [2] = "4x", [4] = "8x", [8] = "12x", [16] = "2x"
	};

	return width < LENGTH(names) && names[width] ? names[width] : "?x";
}

/* Newer fields report higher speeds, and then take precedence over the older ones. */
static const char *speed_name(uint8_t *port_info)
{
	static const char *const names[] = { [1] = "SDR", [2] = "DDR", [4] = "QDR" };
	static const char *const extended[] = {
		[1] = "FDR", [2] = "EDR", [4] = "HDR", [8] = "NDR"
	};
	unsigned speed = mad_get_field(port_info, 0, IB_PORT_LINK_SPEED_ACTIVE_F);
	unsigned fast = mad_get_field(port_info, 0, IB_PORT_LINK_SPEED_EXT_ACTIVE_F);

	if (mad_get_field(port_info, 0, IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F) == 1)
		return "XDR";
	if (fast)
		return fast < LENGTH(extended) && extended[fast] ? extended[fast] : "?DR";
	return speed < LENGTH(names) && names[speed] ? names[speed] : "?DR";
}

bool attribute_port_info(const uint8_t *data, size_t length, struct fabric_port *port)
{
	uint8_t copy[IB_SMP_DATA_SIZE];

	if (!copy_attribute(copy, data, length))
		return false;
	port->lid = mad_get_field(copy, 0, IB_PORT_LID_F);
	port->lmc = mad_get_field(copy, 0, IB_PORT_LMC_F);
	port->state = mad_get_field(copy, 0, IB_PORT_STATE_F);
	port->physical_state = mad_get_field(copy, 0, IB_PORT_PHYS_STATE_F);
	if (port->physical_state == PHYSICAL_LINK_UP) {
		port->width = width_name(mad_get_field(copy, 0, IB_PORT_LINK_WIDTH_ACTIVE_F));
		port->speed = speed_name(copy);
	}
	return true;
}

bool attribute_name(const uint8_t *data, size_t length, struct fabric_node *node)
{
	if (!data || length < IB_SMP_DATA_SIZE)
		return false;
	memcpy(node->name, data, IB_SMP_DATA_SIZE);
	node->name[IB_SMP_DATA_SIZE] = '\0';
	return true;
}

const char *node_type_name(uint8_t type)
{
	static const char *const names[] = {
		[IB_NODE_CA] = "CA", [IB_NODE_SWITCH] = "switch", [IB_NODE_ROUTER] = "router"
	};

	return type < LENGTH(names) && names[type] ? names[type] : "unknown";
}

const char *port_state_name(uint8_t state)
{
	static const char *const names[] = { "NoChange", "Down", "Initialize", "Armed", "Active" };

	return state < LENGTH(names) ? names[state] : "unknown";
}

const char *physical_state_name(uint8_t state)
{
	static const char *const names[] = {
		"NoChange", "Sleep",  "Polling",	   "Disabled",
		"Training", "LinkUp", "LinkErrorRecovery", "PhyTest",
	};

	return state < LENGTH(names) ? names[state] : "unknown";
}
