/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pcapfile.h"

enum { MAX_SIZE = 1 << 24, FILE_HEADER = 24, RECORD_HEADER = 16, ERF_HEADER = 16 };
enum { LRH = 8, GRH = 40, BTH = 12, DETH = 8, ICRC = 4, VCRC = 2 };

static uint64_t big(const uint8_t *bytes, int count)
{
	uint64_t value = 0;

	while (count--)
		value = value << 8 | *bytes++;
	return value;
}

static uint64_t little(const uint8_t *bytes, int count)
{
	uint64_t value = 0;

	while (count--)
		value = value << 8 | bytes[count];
	return value;
}

static uint32_t native(const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

/* A checksum as the specification describes it: the bits of each byte go through a register, the
 * lowest first; the register starts with ones, and its complement is sent from its highest bit on.
 */
static uint32_t checksum(uint32_t polynomial, int bits, const uint8_t *data, size_t size)
{
	uint32_t mask = bits == 32 ? 0xffffffff : (1U << bits) - 1, reg = mask, sent = 0;
	int i;

	for (; size; size--, data++) {
		for (i = 0; i < 8; i++) {
			bool feedback = (reg >> (bits - 1) & 1) != (*data >> i & 1U);

			reg = reg << 1 & mask;
			if (feedback)
				reg ^= polynomial;
		}
	}
	reg = ~reg & mask;
	for (i = 0; i < bits; i++)
		sent |= (reg >> (bits - 1 - i) & 1) << i;
	return sent;
}

static const char *check_crcs(const uint8_t *packet, size_t size, bool has_grh)
{
	size_t covered = size - ICRC - VCRC, route = has_grh ? LRH + GRH : LRH;
	uint8_t *masked = malloc(size);
	uint32_t crc;

	if (!masked)
		return "no memory";
	memcpy(masked, packet, size);
	if (has_grh) {
		memset(masked, 0xff, LRH);
		masked[LRH] |= 0x0f;
		memset(masked + LRH + 1, 0xff, 3);
		masked[LRH + 7] = 0xff;
	} else {
		masked[0] |= 0xf0;
	}
	masked[route + 4] = 0xff;
	crc = checksum(0x04c11db7, 32, masked, covered);
	free(masked);
	if (crc != little(packet + covered, ICRC))
		return "wrong invariant checksum";
	if (checksum(0x100b, 16, packet, covered + ICRC) != little(packet + covered + ICRC, VCRC))
		return "wrong variant checksum";
	return NULL;
}

static const char *read_grh(const uint8_t *grh, size_t size, struct pcap_packet *packet)
{
	if (grh[0] >> 4 != 6 || grh[6] != 0x1b)
		return "no global route header";
	if (big(grh + 4, 2) != size - LRH - GRH - VCRC)
		return "wrong payload length";
	packet->traffic_class = (uint8_t)(big(grh, 2) >> 4);
	packet->flow_label = big(grh, 4) & 0xfffff;
	packet->hop_limit = grh[7];
	memcpy(packet->sgid, grh + 8, 16);
	memcpy(packet->dgid, grh + 24, 16);
	return NULL;
}

static const char *read_transport(const uint8_t *bth, struct pcap_packet *packet)
{
	if (bth[0] != 0x64)
		return "no datagram that is sent";
	if (bth[1] & 0x0f || big(bth + 8, 4))
		return "wrong base transport header";
	packet->length -= bth[1] >> 4 & 3;
	packet->pkey = (uint16_t)big(bth + 2, 2);
	packet->destination_qp = (uint32_t)big(bth + 4, 4);
	packet->qkey = (uint32_t)big(bth + BTH, 4);
	packet->source_qp = (uint32_t)big(bth + BTH + 4, 4);
	return NULL;
}

static const char *read_packet(const uint8_t *bytes, size_t size, struct pcap_packet *packet)
{
	size_t headers = LRH + BTH + DETH;
	const char *wrong = NULL;

	packet->has_grh = (bytes[1] & 3) == 3;
	headers += packet->has_grh ? GRH : 0;
	if (size < headers + 256 + ICRC + VCRC)
		return "packet too short";
	if ((bytes[0] & 0xf) || (bytes[1] & 0x0e) != 2)
		return "wrong local route header";
	if (big(bytes + 4, 2) * 4 != size - VCRC)
		return "wrong packet length";
	packet->vl = bytes[0] >> 4;
	packet->sl = bytes[1] >> 4;
	packet->dlid = (uint16_t)big(bytes + 2, 2);
	packet->slid = (uint16_t)big(bytes + 6, 2);
	packet->mad = bytes + headers;
	packet->length = size - headers - ICRC - VCRC;
	if (packet->has_grh)
		wrong = read_grh(bytes + LRH, size, packet);
	if (!wrong)
		wrong = read_transport(bytes + headers - BTH - DETH, packet);
	return wrong ? wrong : check_crcs(bytes, size, packet->has_grh);
}

static const char *read_erf(const uint8_t *erf, size_t size, struct pcap_packet *packet)
{
	uint64_t seconds = packet->time / 1000000000, fraction = packet->time % 1000000000;

	if (size < ERF_HEADER || (erf[8] != 21) || (erf[9] & 0xfe) != 4)
		return "no InfiniBand record";
	if (big(erf + 10, 2) != size || big(erf + 14, 2) != size - ERF_HEADER || big(erf + 12, 2))
		return "wrong ERF lengths";
	if (little(erf, 8) != (seconds << 32 | (fraction << 32) / 1000000000))
		return "two times";
	packet->received = erf[9] & 1;
	return read_packet(erf + ERF_HEADER, size - ERF_HEADER, packet);
}

static const char *read_record(struct pcap_file *file, size_t *at)
{
	const uint8_t *header = file->bytes + *at;
	struct pcap_packet *packet;
	size_t size;

	if (file->size - *at < RECORD_HEADER)
		return "half a record header at the end";
	size = native(header + 8);
	if (size != native(header + 12))
		return "two sizes";
	if (file->size - *at - RECORD_HEADER < size)
		return "half a record at the end";
	packet = realloc(file->packets, (file->count + 1) * sizeof(*packet));
	if (!packet)
		return "no memory";
	file->packets = packet;
	packet += file->count++;
	memset(packet, 0, sizeof(*packet));
	packet->time = native(header) * UINT64_C(1000000000) + native(header + 4);
	*at += RECORD_HEADER + size;
	return read_erf(header + RECORD_HEADER, size, packet);
}

static const char *read_bytes(const char *path, struct pcap_file *file)
{
	FILE *stream = fopen(path, "rb");

	if (!stream)
		return "no such file";
	file->bytes = malloc(MAX_SIZE);
	if (file->bytes)
		file->size = fread(file->bytes, 1, MAX_SIZE, stream);
	fclose(stream);
	return file->size < MAX_SIZE ? NULL : "too large";
}

const char *pcap_read(const char *path, struct pcap_file *file)
{
	const char *wrong;
	size_t at = FILE_HEADER;

	memset(file, 0, sizeof(*file));
	wrong = read_bytes(path, file);
	if (wrong)
		return wrong;
	if (file->size < FILE_HEADER || native(file->bytes) != 0xa1b23c4d ||
	    native(file->bytes + 20) != 197)
		return "no pcap file of ERF records";
	while (!wrong && at < file->size)
		wrong = read_record(file, &at);
	return wrong;
}

void pcap_free(struct pcap_file *file)
{
	free(file->packets);
	free(file->bytes);
	memset(file, 0, sizeof(*file));
}
