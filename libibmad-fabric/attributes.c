/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * attributes.c - decodes attributes of SMPs into the model. An attribute alone can only have a
 * wrong length; discover.c finds contradictions between attributes.
 */
#include <string.h>

#include "libibmad-fabric/fabric.h"

/* Bits of both speeds in Mellanox's ExtendedPortInfo. */
#define FDR10_BIT 1
#define EDR20_BIT 2

/* LinkSpeedExtEnabled is no set of bits where it has this value. */
#define EXTENDED_SPEEDS_DISABLED 30

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static unsigned get(void *data, enum MAD_FIELDS field)
{
	return mad_get_field(data, 0, field);
}

void *fabric_attribute(const struct mad_async_result *result, size_t size, int *error)
{
	*error = result->error ? result->error : result->data_size < size ? EPROTO : 0;
	return *error ? NULL : result->data;
}

void fabric_take_node_info(void *data, struct mad_fabric_node *node, uint64_t *port_guid,
			   uint8_t *local_port)
{
	node->guid = mad_get_field64(data, 0, IB_NODE_GUID_F);
	node->system_guid = mad_get_field64(data, 0, IB_NODE_SYSTEM_GUID_F);
	node->vendor_id = get(data, IB_NODE_VENDORID_F);
	node->revision = get(data, IB_NODE_REVISION_F);
	node->device_id = (uint16_t)get(data, IB_NODE_DEVID_F);
	node->type = (uint8_t)get(data, IB_NODE_TYPE_F);
	node->port_count = (uint8_t)get(data, IB_NODE_NPORTS_F);
	node->base_version = (uint8_t)get(data, IB_NODE_BASE_VERS_F);
	node->class_version = (uint8_t)get(data, IB_NODE_CLASS_VERS_F);
	*port_guid = mad_get_field64(data, 0, IB_NODE_PORT_GUID_F);
	*local_port = (uint8_t)get(data, IB_NODE_LOCAL_PORT_F);
}

/* LinkWidth fields: one bit for each width. */
static uint8_t greatest_width(unsigned widths)
{
	static const struct {
		uint8_t bit, lanes;
	} known[] = { { 8, 12 }, { 4, 8 }, { 2, 4 }, { 16, 2 }, { 1, 1 } };

	for (size_t i = 0; i < LENGTH(known); i++)
		if (widths & known[i].bit)
			return known[i].lanes;
	return 0;
}

/* An active width or speed is a number with one bit; several bits are none. */
static bool is_one_bit(unsigned bits)
{
	return bits && !(bits & (bits - 1));
}

/* The fields of a speed, of which newer ones override older ones. */
enum { SPEED, EXTENDED, EXTENDED_2, SPEED_FIELDS };

static uint8_t highest_speed(const unsigned fields[SPEED_FIELDS])
{
	static const struct {
		uint8_t field, bit, speed;
	} known[] = {
		{ EXTENDED_2, 1, MAD_FABRIC_SPEED_XDR }, { EXTENDED, 8, MAD_FABRIC_SPEED_NDR },
		{ EXTENDED, 4, MAD_FABRIC_SPEED_HDR },	 { EXTENDED, 2, MAD_FABRIC_SPEED_EDR },
		{ EXTENDED, 1, MAD_FABRIC_SPEED_FDR },	 { SPEED, 4, MAD_FABRIC_SPEED_QDR },
		{ SPEED, 2, MAD_FABRIC_SPEED_DDR },	 { SPEED, 1, MAD_FABRIC_SPEED_SDR },
	};

	for (size_t i = 0; i < LENGTH(known); i++)
		if (fields[known[i].field] & known[i].bit)
			return known[i].speed;
	return MAD_FABRIC_SPEED_UNKNOWN;
}

static uint8_t active_speed(void *data)
{
	const unsigned all[] = { get(data, IB_PORT_LINK_SPEED_ACTIVE_F),
				 get(data, IB_PORT_LINK_SPEED_EXT_ACTIVE_F),
				 get(data, IB_PORT_LINK_SPEED_EXT_ACTIVE_2_F) };
	unsigned newest[SPEED_FIELDS] = { 0 }, field = SPEED_FIELDS - 1;

	while (field && !all[field])
		field--;
	newest[field] = is_one_bit(all[field]) ? all[field] : 0;
	return highest_speed(newest);
}

void fabric_take_port_info(void *data, struct mad_fabric_port *port)
{
	unsigned width = get(data, IB_PORT_LINK_WIDTH_ACTIVE_F);
	unsigned enabled[] = { get(data, IB_PORT_LINK_SPEED_ENABLED_F),
			       get(data, IB_PORT_LINK_SPEED_EXT_ENABLED_F),
			       get(data, IB_PORT_LINK_SPEED_EXT_ENABLED_2_F) };
	bool is_up;

	if (enabled[EXTENDED] == EXTENDED_SPEEDS_DISABLED)
		enabled[EXTENDED] = 0;
	memcpy(port->port_info, data, IB_SMP_DATA_SIZE);
	port->has_info = 1;
	port->info_error = 0;
	port->lid = (uint16_t)get(data, IB_PORT_LID_F);
	port->lmc = (uint8_t)get(data, IB_PORT_LMC_F);
	port->state = (uint8_t)get(data, IB_PORT_STATE_F);
	port->physical_state = (uint8_t)get(data, IB_PORT_PHYS_STATE_F);
	port->best_width = greatest_width(get(data, IB_PORT_LINK_WIDTH_ENABLED_F));
	port->best_speed = highest_speed(enabled);
	is_up = port->physical_state == UMAD_PHYS_LINK_UP;
	port->width = is_up && is_one_bit(width) ? greatest_width(width) : 0;
	port->speed = is_up ? active_speed(data) : 0;
}

/* At FDR and above, both ends know the extended fields. */
bool fabric_has_extended_speed(const struct mad_fabric_port *port)
{
	return port->speed >= MAD_FABRIC_SPEED_FDR;
}

/* Devices with Mellanox's ExtendedPortInfo, as ibnetdiscover knows them. */
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

/* The higher of the vendor's speeds; without one, the speed of PortInfo. */
static uint8_t vendor_speed(unsigned speeds, uint8_t speed)
{
	if (speeds & EDR20_BIT)
		return MAD_FABRIC_SPEED_EDR20;
	return speeds & FDR10_BIT ? MAD_FABRIC_SPEED_FDR10 : speed;
}

void fabric_take_vendor_info(void *data, struct mad_fabric_port *port)
{
	port->speed = vendor_speed(get(data, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F), port->speed);
	if (port->best_speed == MAD_FABRIC_SPEED_QDR)
		port->best_speed = vendor_speed(get(data, IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F),
						port->best_speed);
}

bool fabric_has_capability(const struct mad_fabric_port *port, uint32_t capability)
{
	return get((void *)(uintptr_t)port->port_info, IB_PORT_CAPMASK_F) & capability;
}

bool fabric_may_have_fec(const struct mad_fabric_port *port)
{
	const struct mad_fabric_port *agent = fabric_agent_port(port);

	return port->port_number && fabric_has_extended_speed(port) &&
	       fabric_has_capability(agent, FABRIC_HAS_CAPABILITIES_2) &&
	       get((void *)(uintptr_t)agent->port_info, IB_PORT_CAPMASK2_F) &
		       FABRIC_CAN_PORT_INFO_EXTENDED;
}

void fabric_take_fec(void *data, struct mad_fabric_port *port)
{
	port->has_fec = get(data, IB_PORT_EXT_CAPMASK_F) & FABRIC_REPORTS_FEC;
	port->fec_mode = (uint8_t)get(data, IB_PORT_EXT_FEC_MODE_ACTIVE_F);
}

const char *mad_fabric_speed_name(unsigned speed)
{
	static const char *const names[] = { "?",     "SDR", "DDR", "QDR", "FDR10", "FDR",
					     "EDR20", "EDR", "HDR", "NDR", "XDR" };

	return speed < LENGTH(names) ? names[speed] : "?";
}
