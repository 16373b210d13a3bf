/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Printing: whole attributes as an active port has them, and every number by itself. */
#include "works.h"

#include <stdbool.h>
#include <stddef.h>

#define ATTRIBUTE 1024 /* as the tools pass them */
#define TEXT	  4096

struct setting {
	enum MAD_FIELDS id;
	uint64_t value;
};

/* An EDR port. */
static const struct setting port_info[] = {
	{ IB_PORT_GID_PREFIX_F, 0xfe80000000000000 },
	{ IB_PORT_LID_F, 1021 },
	{ IB_PORT_SMLID_F, 1 },
	{ IB_PORT_CAPMASK_F, 0x2651e848 },
	{ IB_PORT_LOCAL_PORT_F, 1 },
	{ IB_PORT_LINK_WIDTH_ENABLED_F, 3 },
	{ IB_PORT_LINK_WIDTH_SUPPORTED_F, 3 },
	{ IB_PORT_LINK_WIDTH_ACTIVE_F, 2 },
	{ IB_PORT_LINK_SPEED_SUPPORTED_F, 7 },
	{ IB_PORT_STATE_F, 4 },
	{ IB_PORT_PHYS_STATE_F, 5 },
	{ IB_PORT_LINK_DOWN_DEF_F, 2 },
	{ IB_PORT_LINK_SPEED_ACTIVE_F, 4 },
	{ IB_PORT_LINK_SPEED_ENABLED_F, 7 },
	{ IB_PORT_NEIGHBOR_MTU_F, 5 },
	{ IB_PORT_VL_CAP_F, 3 },
	{ IB_PORT_VL_HIGH_LIMIT_F, 4 },
	{ IB_PORT_VL_ARBITRATION_HIGH_CAP_F, 8 },
	{ IB_PORT_VL_ARBITRATION_LOW_CAP_F, 8 },
	{ IB_PORT_MTU_CAP_F, 5 },
	{ IB_PORT_HOQ_LIFE_F, 31 },
	{ IB_PORT_OPER_VLS_F, 3 },
	{ IB_PORT_GUID_CAP_F, 128 },
	{ IB_PORT_SUBN_TIMEOUT_F, 18 },
	{ IB_PORT_RESP_TIME_VAL_F, 16 },
	{ IB_PORT_LOCAL_PHYS_ERR_F, 8 },
	{ IB_PORT_OVERRUN_ERR_F, 8 },
};

static const struct setting node_info[] = {
	{ IB_NODE_BASE_VERS_F, 1 },
	{ IB_NODE_CLASS_VERS_F, 1 },
	{ IB_NODE_TYPE_F, 1 },
	{ IB_NODE_NPORTS_F, 1 },
	{ IB_NODE_SYSTEM_GUID_F, 0x0002c903004a1b23 },
	{ IB_NODE_GUID_F, 0x0002c903004a1b20 },
	{ IB_NODE_PORT_GUID_F, 0x0002c903004a1b21 },
	{ IB_NODE_PARTITION_CAP_F, 128 },
	{ IB_NODE_DEVID_F, 0x1017 },
	{ IB_NODE_LOCAL_PORT_F, 1 },
	{ IB_NODE_VENDORID_F, 0x2c9 },
};

static const struct setting counters[] = {
	{ IB_PC_PORT_SELECT_F, 1 },	   { IB_PC_COUNTER_SELECT_F, 0x1b01 },
	{ IB_PC_ERR_SYM_F, 17 },	   { IB_PC_LINK_DOWNED_F, 2 },
	{ IB_PC_XMT_DISCARDS_F, 4711 },	   { IB_PC_XMT_BYTES_F, 4294967295 },
	{ IB_PC_RCV_BYTES_F, 3123456789 }, { IB_PC_XMT_PKTS_F, 83712345 },
	{ IB_PC_RCV_PKTS_F, 71234567 },	   { IB_PC_XMT_WAIT_F, 90123 },
};

static const struct setting counters_ext[] = {
	{ IB_PC_EXT_PORT_SELECT_F, 1 },		  { IB_PC_EXT_XMT_BYTES_F, 8123456789012 },
	{ IB_PC_EXT_RCV_BYTES_F, 7612345678901 }, { IB_PC_EXT_XMT_PKTS_F, 20123456789 },
	{ IB_PC_EXT_RCV_PKTS_F, 19876543210 },	  { IB_PC_EXT_XMT_UPKTS_F, 20123450000 },
	{ IB_PC_EXT_RCV_UPKTS_F, 19876540000 },	  { IB_PC_EXT_XMT_MPKTS_F, 6789 },
	{ IB_PC_EXT_RCV_MPKTS_F, 3210 },
};

static char text[TEXT];

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void set_field(const struct pair *pair, const struct setting *setting, uint8_t *attribute)
{
	for (unsigned i = 0; i < work_numbers.count; i++)
		if (work_numbers.fields[i].id != setting->id)
			continue;
		else if (work_numbers.fields[i].bits == 64)
			pair->mad_set_field64(attribute, 0, setting->id, setting->value);
		else
			pair->mad_set_field(attribute, 0, setting->id, (uint32_t)setting->value);
}

/* A work: prints an attribute, which is filled in the first time. */
#define DUMP(name, settings)                                                             \
	static unsigned name(const struct pair *pair, enum work_order order)             \
	{                                                                                \
		static uint8_t attribute[ATTRIBUTE];                                     \
		static bool filled;                                                      \
                                                                                         \
		(void)order;                                                             \
		for (size_t i = 0; !filled && i < COUNT(settings); i++)                  \
			set_field(pair, &(settings)[i], attribute);                      \
		filled = true;                                                           \
		pair->mad_dump_##name(text, sizeof(text), attribute, sizeof(attribute)); \
		return 1;                                                                \
	}

/* One that prints each number. */
#define PRINT(name)                                                                          \
	static unsigned name(const struct pair *pair, enum work_order order)                 \
	{                                                                                    \
		(void)order;                                                                 \
		for (unsigned i = 0; i < work_numbers.count; i++)                            \
			pair->mad_dump_##name(work_numbers.fields[i].id, text, sizeof(text), \
					      work_numbers.fields[i].value);                 \
		return work_numbers.count;                                                   \
	}

DUMP(portinfo, port_info)
DUMP(perfcounters, counters)
DUMP(perfcounters_ext, counters_ext)
DUMP(nodeinfo, node_info)
PRINT(field)
PRINT(val)

const struct work dump_works[] = {
	{ "time of printing", "mad_dump_portinfo", portinfo, TABLE_ORDER },
	{ "time of printing", "mad_dump_perfcounters", perfcounters, TABLE_ORDER },
	{ "time of printing", "mad_dump_perfcounters_ext", perfcounters_ext, TABLE_ORDER },
	{ "time of printing", "mad_dump_nodeinfo", nodeinfo, TABLE_ORDER },
	{ "time of printing", "mad_dump_field", field, TABLE_ORDER },
	{ "time of printing", "mad_dump_val", val, TABLE_ORDER },
	{ NULL, NULL, NULL, TABLE_ORDER },
};
