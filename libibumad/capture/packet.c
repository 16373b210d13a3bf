/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Makes packets of messages, byte for byte as they are on the wire (InfiniBand Architecture
 * Specification, volume 1): local route header (7.7), global route header (8.3), base transport
 * header (9.2), datagram header (9.3.3), the MAD and the two checksums (7.8). The umad header holds
 * the address of the other side; the addresses of the local port come from sysfs.
 *
 * Programs exchange whole messages of the reliable multi-packet protocol (13.6) with the kernel:
 * one header, followed by all data. On the wire each MAD of the message repeats the header, with a
 * segment number.
 */
#include <endian.h>
#include <string.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "libibumad/base/sys.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

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
	DEFAULT_PKEY = 0xffff,
	RMPP_TYPE_DATA = 1,
	RMPP_FIRST = 2, /* flags */
	RMPP_LAST = 4,
	NS_PER_S = 1000000000,
};

/* The LID and a P_Key of the local port, and the second of the reading: one number, so that
 * threads need no lock. Drivers ask the adapter's firmware for them, which would slow each MAD. */
union own_address {
	struct {
		uint16_t lid, pkey;
		uint16_t pkey_index, second;
	};
	uint64_t packed;
};

static union own_address read_own_address(struct umad_owner *owner, uint16_t pkey_index)
{
	uint16_t second = (uint16_t)(umad_sys_deadline(0) / NS_PER_S);
	union own_address own = { .packed = owner->addresses };
	struct umad_port_choice port;

	if (own.packed && own.second == second && own.pkey_index == pkey_index)
		return own;
	umad_node_read_owner(owner, &port);
	own.lid = (uint16_t)umad_port_read_lid(port.ca_name, port.portnum);
	own.pkey = DEFAULT_PKEY;
	umad_port_read_pkey(port.ca_name, port.portnum, pkey_index, &own.pkey);
	own.pkey_index = pkey_index;
	own.second = second;
	owner->addresses = own.packed;
	return own;
}

static bool is_smp(const struct umad_capture_note *note)
{
	return mad_class_is_smi(note->head[MAD_CLASS]);
}

/* Whether the path of the MAD ends here by directed hops, so that this end has no LID (volume 1,
 * 14.2.2). The D bit distinguishes responses from requests. */
static bool is_directed_here(const struct umad_capture_note *note)
{
	bool is_response = mad_get_be16(note->head + MAD_STATUS) & SMP_DIRECTION;
	bool is_source = is_response == note->received;

	return note->head[MAD_CLASS] == UMAD_CLASS_SUBN_DIRECTED_ROUTE &&
	       mad_get_be16(note->head + (is_source ? SMP_DR_SLID : SMP_DR_DLID)) ==
		       MAD_LID_PERMISSIVE;
}

/* Fills in the addresses of the local port; unknown ones are 0. */
void umad_packet_find_own(int portid, struct umad_capture_note *note)
{
	bool has_index = !is_smp(note) && umad_state_pkey_layout();
	struct umad_owner *owner = umad_owner_find(portid);
	union own_address own = { .pkey = DEFAULT_PKEY };
	struct umad_port_choice port;

	if (owner)
		own = read_own_address(owner, has_index ? note->address.pkey_index : 0);
	if (own.lid)
		own.lid |= note->address.path_bits & 0x7f;
	note->lid = is_directed_here(note) ? MAD_LID_PERMISSIVE : own.lid;
	note->pkey = is_smp(note) ? DEFAULT_PKEY : own.pkey;
	if (owner && note->address.grh_present) {
		umad_node_read_owner(owner, &port);
		umad_port_read_gid(port.ca_name, port.portnum, note->address.gid_index, &note->gid);
	}
}

/* size: bytes of the packet up to and including the invariant checksum. */
static void put_lrh(uint8_t lrh[LRH_SIZE], const struct umad_capture_note *note, size_t size)
{
	const struct ib_mad_addr *other = &note->address;

	lrh[0] = is_smp(note) ? VL_MANAGEMENT << 4 : 0;
	lrh[1] = (uint8_t)(other->sl << 4 | (other->grh_present ? LNH_GLOBAL : LNH_LOCAL));
	mad_put_be16(lrh + 2, note->received ? note->lid : be16toh(other->lid));
	mad_put_be16(lrh + 4, (uint16_t)(size / 4));
	mad_put_be16(lrh + 6, note->received ? be16toh(other->lid) : note->lid);
}

static void put_grh(uint8_t grh[GRH_SIZE], const struct umad_capture_note *note, size_t size)
{
	const struct ib_mad_addr *other = &note->address;

	mad_put_be32(grh, (uint32_t)IP_VERSION << 28 | (uint32_t)other->traffic_class << 20 |
				  (be32toh(other->flow_label) & 0xfffff));
	mad_put_be16(grh + 4, (uint16_t)(size - LRH_SIZE - GRH_SIZE));
	grh[6] = NEXT_HEADER_IBA;
	grh[7] = other->hop_limit;
	memcpy(grh + (note->received ? 24 : 8), &note->gid, sizeof(note->gid));
	memcpy(grh + (note->received ? 8 : 24), other->gid, sizeof(other->gid));
}

/* The packet sequence number is 0: management has none. The kernel does not report the Q_Key of
 * received MADs: it is that of the queue pair. */
static void put_transport(uint8_t bth[BTH_SIZE + DETH_SIZE], const struct umad_capture_note *note,
			  size_t padding)
{
	uint32_t own_qp = !is_smp(note), other_qp = be32toh(note->address.qpn) & 0xffffff;
	uint32_t qkey = is_smp(note) ? 0 : be32toh(note->address.qkey);

	if (note->received && own_qp && !qkey)
		qkey = UMAD_QKEY;
	bth[0] = OPCODE_UD_SEND_ONLY;
	bth[1] = (uint8_t)(BTH_MIGRATED | padding << 4);
	mad_put_be16(bth + 2, note->pkey);
	mad_put_be32(bth + 4, note->received ? own_qp : other_qp);
	mad_put_be32(bth + 8, 0);
	mad_put_be32(bth + BTH_SIZE, qkey);
	mad_put_be32(bth + BTH_SIZE + 4, note->received ? other_qp : own_qp);
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

bool umad_packet_is_data(const uint8_t *mad, size_t length)
{
	return length >= RMPP_END && mad_class_rmpp_data(mad[MAD_CLASS]) &&
	       mad[RMPP_VERSION] == UMAD_RMPP_VERSION && mad[RMPP_TYPE] == RMPP_TYPE_DATA &&
	       (mad[RMPP_RTIME_FLAGS] & UMAD_RMPP_FLAG_ACTIVE);
}

/* The bytes of data that a MAD of a message can hold. */
static size_t data_capacity(const uint8_t *mad)
{
	size_t size = mad_is_opa(mad) ? UMAD_MAD_SIZE_MAX : UMAD_MAD_SIZE;

	return size - mad_class_rmpp_data(mad[MAD_CLASS]);
}

/* The number of MADs that carry a message, with data or without. */
size_t umad_packet_count(const uint8_t *mad, size_t length)
{
	size_t offset, capacity;

	if (!umad_packet_is_data(mad, length))
		return 1;
	offset = mad_class_rmpp_data(mad[MAD_CLASS]);
	capacity = data_capacity(mad);
	return length <= offset ? 1 : (length - offset + capacity - 1) / capacity;
}

/* The length field of the first segment counts the data of all segments, that of the last segment
 * its own; both also count the class header after the RMPP header, once for each segment. */
static void put_rmpp_header(uint8_t *segment, size_t index, size_t count, size_t data, size_t own)
{
	size_t class_header = mad_class_rmpp_data(segment[MAD_CLASS]) - RMPP_END, length = 0;

	segment[RMPP_RTIME_FLAGS] &= (uint8_t) ~(RMPP_FIRST | RMPP_LAST);
	if (index == count - 1) {
		segment[RMPP_RTIME_FLAGS] |= RMPP_LAST;
		length = class_header + own;
	}
	if (index == 0) {
		segment[RMPP_RTIME_FLAGS] |= RMPP_FIRST;
		length = count * class_header + data;
	}
	mad_put_be32(segment + RMPP_SEGMENT, (uint32_t)(index + 1));
	mad_put_be32(segment + RMPP_LENGTH, (uint32_t)length);
}

/* Copies MAD number index (from 0) of a message, at most UMAD_MAD_SIZE_MAX bytes, and returns its
 * length. A MAD without RMPP, or with a segment number, stays as it is. */
static size_t put_segment(const uint8_t *mad, size_t length, size_t index,
			  uint8_t segment[UMAD_MAD_SIZE_MAX])
{
	size_t count = umad_packet_count(mad, length), offset, capacity, start, own;

	if (!umad_packet_is_data(mad, length) || (count == 1 && mad_get_be32(mad + RMPP_SEGMENT))) {
		own = length < UMAD_MAD_SIZE_MAX ? length : UMAD_MAD_SIZE_MAX;
		memcpy(segment, mad, own);
		return own;
	}
	offset = mad_class_rmpp_data(mad[MAD_CLASS]);
	if (offset > length)
		offset = length;
	capacity = data_capacity(mad);
	start = offset + index * capacity;
	own = length - start < capacity ? length - start : capacity;
	memcpy(segment, mad, offset);
	memcpy(segment + offset, mad + start, own);
	put_rmpp_header(segment, index, count, length - offset, own);
	return offset + own;
}

/* Makes a packet of MAD number index of a message, and returns its length. As the kernel does, pads
 * a MAD of less than 256 bytes with zeros. Checksums are sent lowest byte first; the variant one
 * (7.8.2) is of everything before it. */
size_t umad_packet_build(const struct umad_capture_note *note, size_t index,
			 uint8_t packet[UMAD_PACKET_SIZE_MAX])
{
	bool global = note->address.grh_present;
	size_t transport = global ? LRH_SIZE + GRH_SIZE : LRH_SIZE;
	size_t start = transport + BTH_SIZE + DETH_SIZE;
	size_t length = put_segment(note->mad, note->length, index, packet + start);
	size_t payload = length < UMAD_MAD_SIZE ? UMAD_MAD_SIZE : length, padding = -payload & 3;
	size_t end = start + payload + padding;
	uint32_t crc;

	memset(packet + start + length, 0, end - start - length);
	put_lrh(packet, note, end + ICRC_SIZE);
	if (global)
		put_grh(packet + LRH_SIZE, note, end + ICRC_SIZE);
	put_transport(packet + transport, note, padding);
	crc = htole32(umad_packet_invariant_crc(packet, end, global));
	memcpy(packet + end, &crc, ICRC_SIZE);
	crc = htole32(~checksum(POLYNOMIAL_16, 0xffff, packet, end + ICRC_SIZE));
	memcpy(packet + end + ICRC_SIZE, &crc, VCRC_SIZE);
	return end + ICRC_SIZE + VCRC_SIZE;
}
