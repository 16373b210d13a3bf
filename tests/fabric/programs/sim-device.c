/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Preloaded in front of libumad2sim.so, adds to the simulated fabric of a program:
 * - with SIM_DEVICE_LID in the environment, a device at that LID, in the program itself, that
 * responds to the vendor's class by which mstflint's tools read and write a device's registers
 * in-band; what is written to it stays until the process ends;
 * - with SIM_REQUEST_LOG, a line in that file for each request that the program sends, without its
 *   transaction ID, so that two runs can be compared by their requests.
 * The programs have one thread, and one request in flight.
 */
#include <endian.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/preload.h"

enum {
	REGISTER_CLASS = 0x0a,
	METHOD_GET = 0x01,
	METHOD_SET = 0x02,
	METHOD_GET_RESPONSE = 0x81,
	ATTR_REGISTERS = 0x50,	     /* Get and Set of registers, at the address in the modifier */
	STATUS_BAD_ATTRIBUTE = 0x0c, /* method and attribute do not go together */
	STATUS_BAD_VALUE = 0x1c,     /* invalid field in attribute or modifier */
	MOST_REGISTERS = 56,
	MAD_DELIVERED = 224, /* bytes of a MAD that the simulator delivers */
	/* The register that identifies the device, and the ID of one that mstflint's tools know. */
	DEVICE_ID_ADDRESS = 0xf0014,
	DEVICE_ID = 0x20d,
};

/* A write to a umad device, and a read from it. */
struct packet {
	struct ib_user_mad_hdr header;
	struct mad {
		uint8_t base_version, mgmt_class, class_version, method;
		uint16_t status, class_specific;
		uint64_t tid;
		uint16_t attr_id, reserved;
		uint32_t attr_mod;
		uint8_t key[8];
		uint32_t data[MOST_REGISTERS];
	} mad;
};

_Static_assert(sizeof(struct mad) == 256, "a MAD");

static struct packet response;
static int response_fd = -1; /* the place in which a response waits to be read */

/* Registers that were written; the others hold a number that follows from their address. */
static struct {
	uint32_t address, value;
} written[256];
static unsigned written_count;

static uint32_t read_register(uint32_t address)
{
	if (address == DEVICE_ID_ADDRESS)
		return DEVICE_ID;
	for (unsigned i = written_count; i-- > 0;)
		if (written[i].address == address)
			return written[i].value;
	return address * 2654435761U;
}

static void write_register(uint32_t address, uint32_t value)
{
	if (written_count == sizeof(written) / sizeof(written[0]))
		abort();
	written[written_count].address = address;
	written[written_count++].value = value;
}

/* The modifier: bits 31 to 24 and 15 to 0 are the address, 23 to 16 count the registers. */
static uint16_t access_registers(struct mad *mad)
{
	uint32_t modifier = be32toh(mad->attr_mod);
	uint32_t address = (modifier >> 8 & 0xff0000) | (modifier & 0xffff);
	uint32_t count = modifier >> 16 & 0x3f;

	if (!count || count > MOST_REGISTERS || address % 4)
		return STATUS_BAD_VALUE;
	for (uint32_t i = 0; i < count; i++) {
		if (mad->method == METHOD_GET)
			mad->data[i] = htobe32(read_register(address + 4 * i));
		else
			write_register(address + 4 * i, be32toh(mad->data[i]));
	}
	return 0;
}

/* Prints the request as its receiver would see it, in one line. */
static void log_request(const struct packet *packet, size_t size)
{
	const char *path = getenv("SIM_REQUEST_LOG");
	const struct mad *mad = &packet->mad;
	FILE *file;

	if (!path || (mad->method & 0x80))
		return;
	file = fopen(path, "ae");
	if (!file)
		abort();
	fprintf(file, "lid %u class %#x version %u method %#x attribute %#x modifier %#x data ",
		be16toh(packet->header.lid), mad->mgmt_class, mad->class_version, mad->method,
		be16toh(mad->attr_id), be32toh(mad->attr_mod));
	size -= sizeof(packet->header);
	for (size_t i = offsetof(struct mad, key); i < size && i < MAD_DELIVERED; i++)
		fprintf(file, "%02x", ((const uint8_t *)mad)[i]);
	fputc('\n', file);
	fclose(file);
}

/* Makes the device's response, if the request is for it and it responds. */
static bool ask_device(int fd, const struct packet *packet)
{
	const char *lid = getenv("SIM_DEVICE_LID");
	struct mad *mad = &response.mad;

	if (!lid || be16toh(packet->header.lid) != strtoul(lid, NULL, 0) ||
	    packet->mad.mgmt_class != REGISTER_CLASS ||
	    (packet->mad.method != METHOD_GET && packet->mad.method != METHOD_SET))
		return false;
	response = *packet;
	response.header.status = 0;
	response.header.length = sizeof(response);
	mad->status = htobe16(be16toh(mad->attr_id) == ATTR_REGISTERS ? access_registers(mad)
								      : STATUS_BAD_ATTRIBUTE);
	mad->method = METHOD_GET_RESPONSE;
	response_fd = fd;
	return true;
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	if (is_simulated(fd) && size >= sizeof(struct ib_user_mad_hdr)) {
		log_request(buffer, size);
		if (size == sizeof(struct packet) && ask_device(fd, buffer))
			return (ssize_t)size;
	}
	return NEXT(write)(fd, buffer, size);
}

ssize_t read(int fd, void *buffer, size_t size)
{
	if (fd < 0 || fd != response_fd || size < sizeof(response))
		return NEXT(read)(fd, buffer, size);
	memcpy(buffer, &response, sizeof(response));
	response_fd = -1;
	return sizeof(response);
}

/* The device responds immediately, so its responses arrive before the requester begins to wait. */
int poll(struct pollfd *polled, nfds_t count, int timeout)
{
	if (response_fd < 0)
		return NEXT(poll)(polled, count, timeout);
	polled->revents = POLLIN;
	return 1;
}
