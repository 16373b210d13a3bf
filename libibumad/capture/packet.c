/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Makes packets of MADs, byte for byte as they are on the wire (InfiniBand Architecture
 * Specification, volume 1): local route header (7.7), global route header (8.3), base transport
 * header (9.2), datagram header (9.3.3), the MAD and the two checksums (7.8).
 */
#include <endian.h>
#include <string.h>

#include "common/bytes.h"
#include "libibumad/capture/capture.h"

/* The polynomials of the checksums, their lowest power first:
 * x^32 + x^26 + x^23 + x^22 + x^16 + x^12 + x^11 + x^10 + x^8 + x^7 + x^5 + x^4 + x^2 + x + 1,
 * x^16 + x^12 + x^3 + x + 1 */
#define POLYNOMIAL_32 0xedb88320
#define POLYNOMIAL_16 0xd008

enum {
	LRH_SIZE = 8,
	GRH_SIZE = 40,
	BTH_SIZE = 12,
	DETH_SIZE = 8,
	ICRC_SIZE = 4,
	VCRC_SIZE = 2,
	LNH_LOCAL = 2,	/* the base transport header follows */
	LNH_GLOBAL = 3, /* the global route header follows */
	VL_MANAGEMENT = 15,
	IP_VERSION = 6,
	NEXT_HEADER_IBA = 0x1b,
	OPCODE_UD_SEND_ONLY = 0x64,
	BTH_MIGRATED = 0x40,
	BTH_RESERVED = 4, /* the byte of the BTH that switches may change */
};

/* size: bytes of the packet up to and including the invariant checksum. */
static void put_lrh(uint8_t lrh[LRH_SIZE], const struct umad_packet_route *route, size_t size)
{
	lrh[0] = route->smp ? VL_MANAGEMENT << 4 : 0;
	lrh[1] = (uint8_t)(route->sl << 4 | (route->grh_present ? LNH_GLOBAL : LNH_LOCAL));
	mad_put_be16(lrh + 2, route->dlid);
	mad_put_be16(lrh + 4, (uint16_t)(size / 4));
	mad_put_be16(lrh + 6, route->slid);
}

static void put_grh(uint8_t grh[GRH_SIZE], const struct umad_packet_route *route, size_t size)
{
	mad_put_be32(grh, (uint32_t)IP_VERSION << 28 | (uint32_t)route->traffic_class << 20 |
				  (route->flow_label & 0xfffff));
	mad_put_be16(grh + 4, (uint16_t)(size - LRH_SIZE - GRH_SIZE));
	grh[6] = NEXT_HEADER_IBA;
	grh[7] = route->hop_limit;
	memcpy(grh + 8, &route->source_gid, sizeof(route->source_gid));
	memcpy(grh + 24, &route->destination_gid, sizeof(route->destination_gid));
}

/* The packet sequence number is 0: management has none. */
static void put_transport(uint8_t bth[BTH_SIZE + DETH_SIZE], const struct umad_packet_route *route,
			  size_t padding)
{
	bth[0] = OPCODE_UD_SEND_ONLY;
	bth[1] = (uint8_t)(BTH_MIGRATED | padding << 4);
	mad_put_be16(bth + 2, route->pkey);
	mad_put_be32(bth + 4, route->destination_qp & 0xffffff);
	mad_put_be32(bth + 8, 0);
	mad_put_be32(bth + BTH_SIZE, route->qkey);
	mad_put_be32(bth + BTH_SIZE + 4, route->source_qp & 0xffffff);
}

/* A reflected checksum, four bits at a time. */
static uint32_t checksum(uint32_t polynomial, uint32_t crc, const uint8_t *data, size_t size)
{
	uint32_t table[16];

	for (uint32_t i = 0; i < 16; i++) {
		table[i] = i;
		for (int bit = 0; bit < 4; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? polynomial : 0);
	}
	for (; size; size--, data++) {
		crc = crc >> 4 ^ table[(crc ^ *data) & 15];
		crc = crc >> 4 ^ table[(crc ^ *data >> 4) & 15];
	}
	return crc;
}

/* The invariant checksum (7.8.1), for which all-ones replace the fields that may change in transit:
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
	crc = checksum(POLYNOMIAL_32, 0xffffffff, head, head_size);
	return ~checksum(POLYNOMIAL_32, crc, packet + head_size, size - head_size);
}

/* The variant checksum (7.8.2), of everything before it. */
uint16_t umad_packet_variant_crc(const uint8_t *packet, size_t size)
{
	return (uint16_t)~checksum(POLYNOMIAL_16, 0xffff, packet, size);
}

/* Makes a packet of a MAD of at most UMAD_MAD_SIZE_MAX bytes, and returns its length. As the kernel
 * does, pads a MAD of less than 256 bytes with zeros. Checksums are sent lowest byte first. */
size_t umad_packet_build(const struct umad_packet_route *route, const uint8_t *mad, size_t length,
			 uint8_t packet[UMAD_PACKET_SIZE_MAX])
{
	size_t payload = length < UMAD_MAD_SIZE ? UMAD_MAD_SIZE : length, padding = -payload & 3;
	size_t transport = route->grh_present ? LRH_SIZE + GRH_SIZE : LRH_SIZE;
	size_t start = transport + BTH_SIZE + DETH_SIZE, end = start + payload + padding;
	uint32_t crc;

	put_lrh(packet, route, end + ICRC_SIZE);
	if (route->grh_present)
		put_grh(packet + LRH_SIZE, route, end + ICRC_SIZE);
	put_transport(packet + transport, route, padding);
	memcpy(packet + start, mad, length);
	memset(packet + start + length, 0, end - start - length);
	crc = htole32(umad_packet_invariant_crc(packet, end, route->grh_present));
	memcpy(packet + end, &crc, ICRC_SIZE);
	crc = htole32(umad_packet_variant_crc(packet, end + ICRC_SIZE));
	memcpy(packet + end + ICRC_SIZE, &crc, VCRC_SIZE);
	return end + ICRC_SIZE + VCRC_SIZE;
}
