/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * pcapfile.h - reads a capture back and checks every byte: file header, record and ERF
 * headers, every header of the InfiniBand packet, and both checksums, computed bit by bit.
 */
#ifndef TESTS_CAPTURE_PCAPFILE_H
#define TESTS_CAPTURE_PCAPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One packet; numbers in host order. */
struct pcap_packet {
	uint64_t time; /* ns since 1970 */
	bool received;
	uint8_t vl;
	uint8_t sl;
	uint16_t slid;
	uint16_t dlid;
	bool has_grh;
	uint8_t traffic_class;
	uint8_t hop_limit;
	uint32_t flow_label;
	uint8_t sgid[16];
	uint8_t dgid[16];
	uint16_t pkey;
	uint32_t source_qp;
	uint32_t destination_qp;
	uint32_t qkey;
	size_t length; /* of the MAD */
	const uint8_t *mad;
};

struct pcap_file {
	uint8_t *bytes;
	size_t size;
	size_t count;
	struct pcap_packet *packets;
};

/* Returns NULL, or what is wrong with the file, or with one of its records. What has been read up
 * to there is in file in any case; pcap_free() frees it. */
const char *pcap_read(const char *path, struct pcap_file *file);
void pcap_free(struct pcap_file *file);

/* The checksums, as the specification describes them: a bit at a time. */
uint32_t pcap_crc(uint32_t polynomial, int bits, const uint8_t *data, size_t size);

#endif
