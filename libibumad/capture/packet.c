/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Makes packets of MADs, byte for byte as they are on the wire (InfiniBand Architecture
 * Specification, volume 1): local route header (7.7), global route header (8.3), base transport
 * header (9.2), datagram header (9.3.3), the MAD and the two checksums (7.8). Accesses only the
 * buffers that the caller passes. MADs come from programs and from the fabric, unchecked.
 */
#include <string.h>

#include "common/bytes.h"
#include "libibumad/capture/capture.h"

enum {
	LRH_SIZE = 8,
	GRH_SIZE = 40,
	BTH_SIZE = 12,
	ICRC_SIZE = 4,
	LNH_LOCAL = 2,	/* the base transport header follows */
	LNH_GLOBAL = 3, /* the global route header follows */
	VL_MANAGEMENT = 15,
	IP_VERSION = 6,
	NEXT_HEADER_IBA = 0x1b,
	OPCODE_UD_SEND_ONLY = 0x64,
	BTH_MIGRATED = 0x40,
	BTH_RESERVED = 4, /* the byte of the BTH that switches may change */
};

static uint8_t *put8(uint8_t *to, uint32_t value)
{
	*to = (uint8_t)value;
	return to + 1;
}

static uint8_t *put16(uint8_t *to, uint32_t value)
{
	mad_put_be16(to, (uint16_t)value);
	return to + sizeof(uint16_t);
}

static uint8_t *put24(uint8_t *to, uint32_t value)
{
	return put16(put8(to, value >> 16), value);
}

static uint8_t *put32(uint8_t *to, uint32_t value)
{
	mad_put_be32(to, value);
	return to + sizeof(uint32_t);
}

static uint8_t *put_bytes(uint8_t *to, const void *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

/* size: bytes of the packet up to and including the invariant checksum. */
static uint8_t *put_lrh(uint8_t *to, const struct umad_packet_route *route, size_t size)
{
	to = put8(to, route->smp ? VL_MANAGEMENT << 4 : 0);
	to = put8(to, (uint32_t)route->sl << 4 | (route->grh_present ? LNH_GLOBAL : LNH_LOCAL));
	to = put16(to, route->dlid);
	to = put16(to, (uint32_t)size / 4);
	return put16(to, route->slid);
}

static uint8_t *put_grh(uint8_t *to, const struct umad_packet_route *route, size_t size)
{
	to = put32(to, (uint32_t)IP_VERSION << 28 | (uint32_t)route->traffic_class << 20 |
			       (route->flow_label & 0xfffff));
	to = put16(to, (uint32_t)(size - LRH_SIZE - GRH_SIZE));
	to = put8(to, NEXT_HEADER_IBA);
	to = put8(to, route->hop_limit);
	to = put_bytes(to, route->source_gid.raw, sizeof(route->source_gid.raw));
	return put_bytes(to, route->destination_gid.raw, sizeof(route->destination_gid.raw));
}

/* Base transport and datagram header. The packet sequence number is 0: management has none. */
static uint8_t *put_transport(uint8_t *to, const struct umad_packet_route *route, size_t padding)
{
	to = put8(to, OPCODE_UD_SEND_ONLY);
	to = put8(to, (uint32_t)(BTH_MIGRATED | padding << 4));
	to = put16(to, route->pkey);
	to = put32(to, route->destination_qp & 0xffffff);
	to = put32(to, 0);
	to = put32(to, route->qkey);
	to = put8(to, 0);
	return put24(to, route->source_qp);
}

/* A reflected checksum, four bits at a time. */
static uint32_t checksum(const uint32_t table[16], uint32_t crc, const uint8_t *data, size_t size)
{
	for (; size; size--, data++) {
		crc = crc >> 4 ^ table[(crc ^ *data) & 15];
		crc = crc >> 4 ^ table[(crc ^ *data >> 4) & 15];
	}
	return crc;
}

/* x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1 */
static uint32_t checksum32(uint32_t crc, const uint8_t *data, size_t size)
{
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
		0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
		0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
	};

	return checksum(table, crc, data, size);
}

/* x^16 + x^12 + x^3 + x + 1 */
static uint32_t checksum16(uint32_t crc, const uint8_t *data, size_t size)
{
	static const uint32_t table[16] = {
		0x0000, 0x1a01, 0x3402, 0x2e03, 0x6804, 0x7205, 0x5c06, 0x4607,
		0xd008, 0xca09, 0xe40a, 0xfe0b, 0xb80c, 0xa20d, 0x8c0e, 0x960f,
	};

	return checksum(table, crc, data, size);
}

/* The invariant checksum (7.8.1): all-ones replace the fields that may change in transit. These are
 * the virtual lane and a reserved byte of the BTH; with a GRH also the whole local route header,
 * traffic class, flow label and hop limit. */
uint32_t umad_packet_invariant_crc(const uint8_t *packet, size_t size, bool global)
{
	uint8_t head[LRH_SIZE + GRH_SIZE + BTH_SIZE];
	size_t route_size = global ? LRH_SIZE + GRH_SIZE : LRH_SIZE;
	size_t head_size = route_size + BTH_SIZE;
	uint32_t crc;

	memcpy(head, packet, head_size);
	head[0] |= 0xf0;
	if (global) {
		memset(head, 0xff, LRH_SIZE);
		head[LRH_SIZE] |= 0x0f;
		memset(head + LRH_SIZE + 1, 0xff, 3);
		head[LRH_SIZE + 7] = 0xff;
	}
	head[route_size + BTH_RESERVED] = 0xff;
	crc = checksum32(0xffffffff, head, head_size);
	return ~checksum32(crc, packet + head_size, size - head_size);
}

/* The variant checksum (7.8.2), of everything before it. */
uint16_t umad_packet_variant_crc(const uint8_t *packet, size_t size)
{
	return (uint16_t)~checksum16(0xffff, packet, size);
}

/* Both checksums are sent lowest byte first. */
static uint8_t *put_checksums(uint8_t *packet, uint8_t *to, bool global)
{
	uint32_t crc = umad_packet_invariant_crc(packet, (size_t)(to - packet), global);

	for (int i = 0; i < 4; i++)
		to = put8(to, crc >> 8 * i);
	crc = umad_packet_variant_crc(packet, (size_t)(to - packet));
	return put8(put8(to, crc), crc >> 8);
}

/* Makes a packet of a MAD of at most UMAD_MAD_SIZE_MAX bytes; a shorter MAD is padded with zeros,
 * as the kernel does. Returns the length of the packet in bytes. */
size_t umad_packet_build(const struct umad_packet_route *route, const uint8_t *mad, size_t length,
			 uint8_t packet[UMAD_PACKET_SIZE_MAX])
{
	size_t payload = length < UMAD_MAD_SIZE ? UMAD_MAD_SIZE : length;
	size_t padding = -payload & 3, size;
	uint8_t *to = packet;
	size_t headers = UMAD_PACKET_OVERHEAD - ICRC_SIZE - 2 - (route->grh_present ? 0 : GRH_SIZE);

	size = headers + payload + padding + ICRC_SIZE;
	to = put_lrh(to, route, size);
	if (route->grh_present)
		to = put_grh(to, route, size);
	to = put_transport(to, route, padding);
	to = put_bytes(to, mad, length);
	memset(to, 0, payload + padding - length);
	to += payload + padding - length;
	return (size_t)(put_checksums(packet, to, route->grh_present) - packet);
}
