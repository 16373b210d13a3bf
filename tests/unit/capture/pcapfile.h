/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * pcapfile.h - reads a capture back and checks every byte: file header, record and ERF headers,
 * every header of the InfiniBand packet, and both checksums, a bit at a time.
 */
#ifndef TESTS_CAPTURE_PCAPFILE_H
#define TESTS_CAPTURE_PCAPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A packet; numbers in host order. */
struct pcap_packet {
	uint64_t time; /* ns since 1970 */
	bool received;
	bool has_grh;
	uint8_t vl, sl, traffic_class, hop_limit;
	uint16_t slid, dlid, pkey;
	uint32_t flow_label, source_qp, destination_qp, qkey;
	uint8_t sgid[16], dgid[16];
	size_t length; /* of the MAD */
	const uint8_t *mad;
};

struct pcap_file {
	uint8_t *bytes;
	size_t size;
	size_t count;
	struct pcap_packet *packets;
};

/* Returns NULL, or what is wrong with the file or a record. The records before are in file in any
 * case; pcap_free() frees them. */
const char *pcap_read(const char *path, struct pcap_file *file);
void pcap_free(struct pcap_file *file);

#endif
