/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * attributes.c - attributes as nodes send them, decoded into the model. Taken alone, an attribute
 * can only have a wrong length; discover.c finds contradictions between attributes.
 */
#include <string.h>

#include "libibmad-fabric/fabric.h"

/* In all speeds of Mellanox's ExtendedPortInfo. */
#define FDR10_BIT 1
#define EDR20_BIT 2

/* A LinkSpeedExtEnabled that is no set of bits. */
#define EXTENDED_SPEEDS_DISABLED 30

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* The attribute of a response, or NULL. */
static void *attribute_of(const struct mad_async_result *result)
{
	if (result->error || !result->data || result->data_size < IB_SMP_DATA_SIZE)
		return NULL;
	return result->data;
}

bool fabric_read_node_info(const struct mad_async_result *result, struct mad_fabric_node *node,
			   uint64_t *port_guid, uint8_t *local_port)
{
	void *data = attribute_of(result);

	if (!data)
		return false;
	node->guid = mad_get_field64(data, 0, IB_NODE_GUID_F);
	node->system_guid = mad_get_field64(data, 0, IB_NODE_SYSTEM_GUID_F);
	node->vendor_id = mad_get_field(data, 0, IB_NODE_VENDORID_F);
	node->revision = mad_get_field(data, 0, IB_NODE_REVISION_F);
	node->device_id = (uint16_t)mad_get_field(data, 0, IB_NODE_DEVID_F);
	node->type = (uint8_t)mad_get_field(data, 0, IB_NODE_TYPE_F);
	node->port_count = (uint8_t)mad_get_field(data, 0, IB_NODE_NPORTS_F);
	node->base_version = (uint8_t)mad_get_field(data, 0, IB_NODE_BASE_VERS_F);
	node->class_version = (uint8_t)mad_get_field(data, 0, IB_NODE_CLASS_VERS_F);
	*port_guid = mad_get_field64(data, 0, IB_NODE_PORT_GUID_F);
	*local_port = (uint8_t)mad_get_field(data, 0, IB_NODE_LOCAL_PORT_F);
	return true;
}

/* LinkWidth fields: one bit for each width. */
static uint8_t greatest_width(unsigned widths)
{
	static const struct {
		unsigned bit;
		uint8_t lanes;
	} known[] = { { 8, 12 }, { 4, 8 }, { 2, 4 }, { 16, 2 }, { 1, 1 } };

	for (size_t i = 0; i < LENGTH(known); i++)
		if (widths & known[i].bit)
			return known[i].lanes;
	return 0;
}

static uint8_t active_width(unsigned width)
{
	return width && !(width & (width - 1)) ? greatest_width(width) : 0;
}

/* The highest speed of the three fields, of which newer ones override older ones. */
static uint8_t highest_speed(unsigned speed, unsigned extended, unsigned extended2)
{
	static const uint8_t newer[] = { MAD_FABRIC_SPEED_FDR, MAD_FABRIC_SPEED_EDR,
					 MAD_FABRIC_SPEED_HDR, MAD_FABRIC_SPEED_NDR };
	static const uint8_t older[] = { MAD_FABRIC_SPEED_SDR, MAD_FABRIC_SPEED_DDR,
					 MAD_FABRIC_SPEED_QDR };

	if (extended2 & 1)
		return MAD_FABRIC_SPEED_XDR;
	for (size_t i = LENGTH(newer); i-- > 0;)
		if (extended & 1U << i)
			return newer[i];
	for (size_t i = LENGTH(older); i-- > 0;)
		if (speed & 1U << i)
			return older[i];
	return MAD_FABRIC_SPEED_UNKNOWN;
}

/* An active speed is a number with one bit; several bits, or one without a meaning, is none. */
static uint8_t active_speed(void *data)
{
	unsigned speed = mad_get_field(data, 0, IB_PORT_LINK_SPEED_ACTIVE_F);
	unsigned extended = mad_get_field(data, 0, IB_PORT_LINK_SPEED_EXT_ACTIVE_F);
	unsigned extended2 = mad_get_field(data, 0, IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F);

	if (extended2)
		return highest_speed(0, 0, extended2 == 1);
	if (extended)
		return extended & (extended - 1) ? MAD_FABRIC_SPEED_UNKNOWN
						 : highest_speed(0, extended, 0);
	return speed & (speed - 1) ? MAD_FABRIC_SPEED_UNKNOWN : highest_speed(speed, 0, 0);
}

void fabric_take_port_info(void *data, struct mad_fabric_port *port)
{
	unsigned extended = mad_get_field(data, 0, IB_PORT_LINK_SPEED_EXT_ENABLED_F);

	memcpy(port->port_info, data, IB_SMP_DATA_SIZE);
	port->has_info = 1;
	port->info_error = 0;
	port->lid = (uint16_t)mad_get_field(data, 0, IB_PORT_LID_F);
	port->lmc = (uint8_t)mad_get_field(data, 0, IB_PORT_LMC_F);
	port->state = (uint8_t)mad_get_field(data, 0, IB_PORT_STATE_F);
	port->physical_state = (uint8_t)mad_get_field(data, 0, IB_PORT_PHYS_STATE_F);
	port->best_width = greatest_width(mad_get_field(data, 0, IB_PORT_LINK_WIDTH_ENABLED_F));
	port->best_speed =
		highest_speed(mad_get_field(data, 0, IB_PORT_LINK_SPEED_ENABLED_F),
			      extended != EXTENDED_SPEEDS_DISABLED ? extended : 0,
			      mad_get_field(data, 0, IB_PORT_LINK_SPEED_EXT_ENABLED_2_F));
	port->width = port->speed = 0;
	if (port->physical_state == UMAD_PHYS_LINK_UP) {
		port->width = active_width(mad_get_field(data, 0, IB_PORT_LINK_WIDTH_ACTIVE_F));
		port->speed = active_speed(data);
	}
}

bool fabric_read_port_info(const struct mad_async_result *result, struct mad_fabric_port *port)
{
	void *data = attribute_of(result);

	if (data)
		fabric_take_port_info(data, port);
	return data;
}

/* FDR and faster: then both ends know the extended fields. */
bool fabric_has_extended_speed(const struct mad_fabric_port *port)
{
	return port->speed >= MAD_FABRIC_SPEED_FDR;
}

/* Devices with Mellanox's ExtendedPortInfo: those that ibnetdiscover asks for it. */
static bool has_mlnx_ext_port_info(uint16_t device_id)
{
	static const struct {
		uint16_t first;
		uint16_t last;
	} known[] = {
		{ 0x1003, 0x101b },			/* ConnectX-3 to ConnectX-6 */
		{ 0xa2d2, 0xa2d2 },			/* BlueField */
		{ 0xc738, 0xc73b },			/* SwitchX */
		{ 0xc839, 0xc839 }, { 0xcb20, 0xcb20 }, /* Switch-IB */
		{ 0xcf08, 0xcf09 },			/* Switch-IB 2 */
		{ 0xd2f0, 0xd2f0 },			/* Quantum */
	};

	for (size_t i = 0; i < LENGTH(known); i++)
		if (device_id >= known[i].first && device_id <= known[i].last)
			return true;
	return false;
}

bool fabric_may_be_fdr10(const struct mad_fabric_port *port)
{
	return port->port_number && port->speed == MAD_FABRIC_SPEED_QDR &&
	       has_mlnx_ext_port_info(port->node->device_id);
}

/* The higher of the vendor's speeds; that of PortInfo where there is none. */
static uint8_t vendor_speed(unsigned speeds, uint8_t speed)
{
	if (speeds & EDR20_BIT)
		return MAD_FABRIC_SPEED_EDR20;
	return speeds & FDR10_BIT ? MAD_FABRIC_SPEED_FDR10 : speed;
}

void fabric_read_mlnx_ext_port_info(const struct mad_async_result *result,
				    struct mad_fabric_port *port)
{
	void *data = attribute_of(result);

	if (!data)
		return;
	port->speed = vendor_speed(mad_get_field(data, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F),
				   port->speed);
	if (port->best_speed == MAD_FABRIC_SPEED_QDR)
		port->best_speed =
			vendor_speed(mad_get_field(data, 0, IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F),
				     port->best_speed);
}

bool fabric_may_have_fec(const struct mad_fabric_port *port)
{
	const struct mad_fabric_port *agent =
		port->node->type == IB_NODE_SWITCH ? mad_fabric_get_port(port->node, 0) : port;
	void *data = (void *)(uintptr_t)agent->port_info;

	return port->port_number && fabric_has_extended_speed(port) && agent->has_info &&
	       mad_get_field(data, 0, IB_PORT_CAPMASK_F) & FABRIC_HAS_CAPABILITIES_2 &&
	       mad_get_field(data, 0, IB_PORT_CAPMASK2_F) & FABRIC_CAN_PORT_INFO_EXTENDED;
}

void fabric_read_port_info_extended(const struct mad_async_result *result,
				    struct mad_fabric_port *port)
{
	void *data = attribute_of(result);

	if (!data)
		return;
	port->has_fec = mad_get_field(data, 0, IB_PORT_EXT_CAPMASK_F) & FABRIC_REPORTS_FEC;
	port->fec_mode = (uint8_t)mad_get_field(data, 0, IB_PORT_EXT_FEC_MODE_ACTIVE_F);
}

bool fabric_read_description(const struct mad_async_result *result, struct mad_fabric_node *node)
{
	const void *data = attribute_of(result);

	if (!data)
		return false;
	memcpy(node->description, data, IB_SMP_DATA_SIZE);
	node->description[IB_SMP_DATA_SIZE] = '\0';
	return true;
}

void fabric_take_switch_info(void *data, struct mad_fabric_node *node)
{
	node->enhanced_port0 = mad_get_field(data, 0, IB_SW_ENHANCED_PORT0_F) != 0;
}

bool fabric_read_switch_info(const struct mad_async_result *result, struct mad_fabric_node *node)
{
	void *data = attribute_of(result);

	if (data)
		fabric_take_switch_info(data, node);
	return data;
}

const char *mad_fabric_speed_name(unsigned speed)
{
	static const char *const names[] = { "?",     "SDR", "DDR", "QDR", "FDR10", "FDR",
					     "EDR20", "EDR", "HDR", "NDR", "XDR" };

	return speed < LENGTH(names) ? names[speed] : "?";
}
