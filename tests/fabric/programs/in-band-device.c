/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The device of in-band-device.h. */
#include "in-band-device.h"

#include <endian.h>
#include <stdint.h>
#include <string.h>

enum {
	METHOD_GET = 0x01,
	METHOD_SET = 0x02,
	METHOD_GET_RESPONSE = 0x81,
	ATTR_REGISTERS = 0x50, /* Get and Set of registers, at the address in the modifier */
	ATTR_CLASS_PORT_INFO = 0x01,
	ATTR_IO_UNIT_INFO = 0x10,
	ATTR_IOC_PROFILE = 0x11,
	ATTR_SERVICE_ENTRIES = 0x12,
	STATUS_BAD_ATTRIBUTE = 0x0c, /* method and attribute do not go together */
	STATUS_BAD_VALUE = 0x1c,     /* invalid field in attribute or modifier */
};

/* Register attribute: an 8-byte key, then the registers, in a MAD's data from byte 24 on. */
#define REGISTER_DATA  32
#define MOST_REGISTERS 56

/* The register that identifies the device, and the ID of a device that mstflint's tools know. */
#define DEVICE_ID_ADDRESS 0xf0014
#define DEVICE_ID	  0x0000020d

/* Where device management has its attribute, and an SRP target's. */
#define DM_DATA		 64
#define IOC_GUID	 0x0200000000a00001ULL
#define SERVICE_NAME	 "SRP.T10:0200000000A00002"
#define SERVICE_ID	 0x0200000000a00003ULL
#define IOC_TEXT	 "simulated SRP target"
#define SERVICE_NAME_LEN 40

/* IOControllerProfile, 16.3.3.4. */
struct ioc_profile {
	uint64_t guid;
	uint32_t vendor_id; /* the upper 24 bits */
	uint32_t device_id;
	uint16_t device_version;
	uint16_t reserved1;
	uint32_t subsystem_vendor_id;
	uint32_t subsystem_id;
	uint16_t io_class;
	uint16_t io_subclass;
	uint16_t protocol;
	uint16_t protocol_version;
	uint16_t service_connections;
	uint16_t initiators_supported;
	uint16_t send_queue_depth;
	uint8_t reserved2;
	uint8_t rdma_read_depth;
	uint32_t send_size;
	uint32_t rdma_size;
	uint8_t operations;
	uint8_t reserved3;
	uint8_t service_entries;
	uint8_t reserved4[9];
	char id[64];
} __attribute__((packed));

_Static_assert(sizeof(struct ioc_profile) == 128, "IOControllerProfile");

/* What was written to registers; others hold a number that their address gives. */
static struct {
	uint32_t address, value;
} written[256];
static unsigned written_count;

static uint32_t read_register(uint32_t address)
{
	if (address == DEVICE_ID_ADDRESS)
		return DEVICE_ID;
	for (unsigned i = 0; i < written_count; i++) {
		if (written[i].address == address)
			return written[i].value;
	}
	return address * 2654435761U;
}

static bool write_register(uint32_t address, uint32_t value)
{
	unsigned i = 0;

	while (i < written_count && written[i].address != address)
		i++;
	if (i == sizeof(written) / sizeof(written[0]))
		return false;
	if (i == written_count)
		written_count++;
	written[i].address = address;
	written[i].value = value;
	return true;
}

/* The modifier: bits 31 to 24 and 15 to 0 are the address, 23 to 16 count the registers. */
static uint32_t respond_registers(struct mad *mad)
{
	uint32_t modifier = be32toh(mad->attr_mod);
	uint32_t address = (modifier >> 8 & 0xff0000) | (modifier & 0xffff);
	uint32_t count = modifier >> 16 & 0x3f;
	uint32_t *data = (uint32_t *)((uint8_t *)mad + REGISTER_DATA);

	if (!count || count > MOST_REGISTERS || address % 4)
		return STATUS_BAD_VALUE;
	for (uint32_t i = 0; i < count; i++) {
		if (mad->method == METHOD_GET)
			data[i] = htobe32(read_register(address + 4 * i));
		else if (!write_register(address + 4 * i, be32toh(data[i])))
			return STATUS_BAD_VALUE;
	}
	return 0;
}

static void fill_ioc_profile(uint8_t *data)
{
	struct ioc_profile profile = {
		.guid = htobe64(IOC_GUID),
		.vendor_id = htobe32(0x00140500),
		.device_id = htobe32(0x1234),
		.device_version = htobe16(1),
		.subsystem_vendor_id = htobe32(0x00140500),
		.subsystem_id = htobe32(0x1234),
		.io_class = htobe16(0x0100), /* SRP */
		.io_subclass = htobe16(0x609e),
		.protocol = htobe16(0x0108),
		.protocol_version = htobe16(1),
		.send_queue_depth = htobe16(64),
		.rdma_read_depth = 4,
		.send_size = htobe32(260),
		.rdma_size = htobe32(65536),
		.operations = 0x38,
		.service_entries = 1,
		.id = IOC_TEXT,
	};

	memcpy(data, &profile, sizeof(profile));
}

/* One controller, in slot 1, with one service entry. */
static uint32_t respond_device_management(struct mad *mad)
{
	uint32_t modifier = be32toh(mad->attr_mod);
	uint8_t *data = (uint8_t *)mad + DM_DATA;
	uint64_t id = htobe64(SERVICE_ID);

	if (be16toh(mad->attr_id) == ATTR_CLASS_PORT_INFO)
		return 0; /* as it was set, or zeros */
	if (mad->method != METHOD_GET)
		return STATUS_BAD_ATTRIBUTE;
	switch (be16toh(mad->attr_id)) {
	case ATTR_IO_UNIT_INFO:
		data[1] = 1;	/* ChangeID */
		data[2] = 1;	/* MaxControllers */
		data[4] = 0x10; /* slot 1 has one */
		return 0;
	case ATTR_IOC_PROFILE:
		if (modifier != 1)
			return STATUS_BAD_VALUE;
		fill_ioc_profile(data);
		return 0;
	case ATTR_SERVICE_ENTRIES:
		if (modifier >> 16 != 1 || (modifier & 0xff))
			return STATUS_BAD_VALUE;
		memcpy(data, SERVICE_NAME, sizeof(SERVICE_NAME));
		memcpy(data + SERVICE_NAME_LEN, &id, sizeof(id));
		return 0;
	default:
		return STATUS_BAD_ATTRIBUTE;
	}
}

bool device_respond(struct mad *mad)
{
	uint32_t status = STATUS_BAD_ATTRIBUTE;

	if (mad->method != METHOD_GET && mad->method != METHOD_SET)
		return false;
	if (mad->mgmt_class == DEVICE_MGMT_CLASS)
		status = respond_device_management(mad);
	else if (mad->mgmt_class != REGISTER_CLASS)
		return false;
	else if (be16toh(mad->attr_id) == ATTR_REGISTERS)
		status = respond_registers(mad);
	mad->method = METHOD_GET_RESPONSE;
	mad->status = htobe16((uint16_t)status);
	return true;
}
