/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Interfaces between the source files of captures. Functions that return int return 0 or a negative
 * errno.
 */
#ifndef LIBIBUMAD_CAPTURE_H
#define LIBIBUMAD_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "libibumad/public.h"

/* file.c */
struct umad_capture_file {
	int fd;
	uint64_t device, inode;		    /* of the file, which fd may no longer refer to */
	struct umad_capture_shared *shared; /* with forked processes */
};
int umad_capture_file_create(const char *path, struct umad_capture_file *file);
int umad_capture_file_append(const struct umad_capture_file *file, const void *record, size_t size);
int umad_capture_file_close(struct umad_capture_file *file);

/* packet.c */
enum {
	UMAD_MAD_SIZE = 256,	  /* a MAD on the wire */
	UMAD_MAD_SIZE_MAX = 2048, /* of base version 0x80 */
	UMAD_PACKET_OVERHEAD = 8 + 40 + 12 + 8 + 4 + 2,
	UMAD_PACKET_SIZE_MAX = UMAD_PACKET_OVERHEAD + UMAD_MAD_SIZE_MAX,
};

/* A copied MAD, with what its packets need. */
struct umad_capture_note {
	struct timespec when;
	bool received;
	struct ib_mad_addr address; /* of the other side */
	uint16_t lid, pkey;	    /* of the local port */
	union umad_gid gid;	    /* of the local port, if the MAD has a GRH */
	size_t length;		    /* of the MAD */
	uint8_t *mad; /* in head, or allocated if it is longer; NULL if out of memory */
	uint8_t head[UMAD_MAD_SIZE]; /* the start of the MAD; the rest is 0 */
};

void umad_packet_find_own(int portid, struct umad_capture_note *note);
size_t umad_packet_build(const struct umad_capture_note *note, size_t index,
			 uint8_t packet[UMAD_PACKET_SIZE_MAX]); /* bytes */
uint32_t umad_packet_invariant_crc(const uint8_t *packet, size_t size, bool global);
bool umad_packet_is_data(const uint8_t *mad, size_t length); /* of an RMPP message */
size_t umad_packet_count(const uint8_t *mad, size_t length);

/* keys.c: overwrites the keys in a MAD, or a message of several, with zeros */
void umad_capture_hide_keys(uint8_t *mad, size_t length);

/* capture.c: for io.c, and for the code that opens ports */
void umad_capture_read_environment(void);
void umad_capture_note_mad(int portid, const void *umad, size_t length, bool received,
			   struct umad_capture_note *note);
void umad_capture_add(struct umad_capture_note *note);
void umad_capture_free_note(void *note);

#endif /* LIBIBUMAD_CAPTURE_H */
