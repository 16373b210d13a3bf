/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Key rings, by source file: table.c holds numbers in memory that core dumps omit; ring.c is the
 * ring; file.c reads files; engine/keys.c puts keys into requests. Functions that return int return
 * 0 or -errno. What sends requests for keys is in requests/keys.c and requests/key_lids.c.
 */
#ifndef LIBIBMAD_KEYS_H
#define LIBIBMAD_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/mad_layout.h"
#include "libibmad/internal.h"

/* table.c: memory from mmap() that core dumps omit. */
void *mad_keys_allocate(size_t size); /* of zeros; NULL without memory */
void mad_keys_wipe(void *memory, size_t size);

/* What an entry of the table is about; the ID is a GUID, a LID or 0. */
enum mad_key_owner {
	MAD_KEY_OF_GUID,
	MAD_KEY_OF_LID,
	MAD_KEY_OF_ALL,
	MAD_KEY_LID_GUID, /* the value is the GUID of the port that has the LID; no type */
};

struct mad_port_extras;

struct mad_key_entry {
	uint64_t id;
	uint64_t value; /* 0: there is none */
	uint64_t kind;	/* 0: the entry is free; see mad_keys_kind() */
};

/* A hash table with open addressing, at most half full. All 0: an empty one. */
struct mad_key_table {
	struct mad_key_entry *entries;
	size_t size; /* a power of two, or 0 */
	size_t used;
};

/* type is 0 for MAD_KEY_LID_GUID. */
static inline uint64_t mad_keys_kind(enum mad_key_owner owner, unsigned type)
{
	return ((uint64_t)owner << 8 | type) + 1;
}

/* Reserves space for that many further entries. */
int mad_key_table_reserve(struct mad_key_table *table, size_t count);
/* Sets the value of all entries of a kind to 0. */
void mad_key_table_clear(struct mad_key_table *table, uint64_t kind);
/* The space must be reserved. */
void mad_key_table_set(struct mad_key_table *table, uint64_t kind, uint64_t id, uint64_t value);
/* The value, or 0. */
uint64_t mad_key_table_get(const struct mad_key_table *table, uint64_t kind, uint64_t id);
void mad_key_table_free(struct mad_key_table *table);

/* ring.c */
struct mad_key_change { /* an entry that is to be set */
	uint64_t kind;
	uint64_t id;
	uint64_t value;
};
/* Has next() give `count` changes and makes all of them, or none; entries of the replaced kind (0:
 * none) that are not among them go. */
int mad_keys_change(struct mad_keys *keys, uint64_t replaced_kind, size_t count,
		    void (*next)(void *context, struct mad_key_change *change), void *context);
/* Gives a port that ring (or NULL) in place of the one it has. */
void mad_keys_exchange(struct mad_port_extras *extras, struct mad_keys *keys);
/* Where a request goes. */
struct mad_key_destination {
	uint64_t guid; /* 0: not known */
	int lid;       /* 0: it does not go by LID */
};
/* The key that a ring, or the ring of a port if it has one, holds; or 0. */
uint64_t mad_keys_find(const struct mad_keys *keys, unsigned type,
		       const struct mad_key_destination *to);
uint64_t mad_keys_find_for(const struct mad_port_extras *extras, unsigned type,
			   const struct mad_key_destination *to);
static inline bool mad_keys_has_type(unsigned type)
{
	return type >= MAD_KEY_M && type <= MAD_KEY_PERF;
}

/* file.c: the lines of a text, in order; called again and again until it returns 0. */
#define MAD_KEYS_NUMBERS_MAX 3
struct mad_keys_text {
	const char *at;
	const char *end;
	unsigned line; /* of the numbers that were read last, from 1 */
};
/* Reads the next line that holds numbers. Returns 1; 0 at the end of the text; -EBADMSG. */
int mad_keys_read_line(struct mad_keys_text *text, unsigned count,
		       uint64_t numbers[MAD_KEYS_NUMBERS_MAX]);

/* engine/keys.c: with a port whose requests are adjusted (mad_port_is_adjusting()) */
/* The key that the ring of the port has for a request of that class, or 0. */
uint64_t mad_keys_for(const struct ibmad_port *port, int mgmt_class, enum mad_key_type type,
		      const ib_portid_t *dport);
/* Puts the key into an encoded request that has none. */
void mad_keys_stamp(const struct ibmad_port *port, uint8_t *mad, const ib_portid_t *dport);
/* The same for a request that was redirected. */
void mad_keys_stamp_again(const struct ibmad_port *port, uint8_t *mad, const ib_portid_t *before,
			  const ib_portid_t *now);
/* Overwrites the place of keys in a umad packet, before its memory is freed. */
static inline void mad_keys_forget(void *umad, size_t header_size)
{
	explicit_bzero((uint8_t *)umad + header_size + MAD_HEADER_END,
		       SA_SM_KEY + sizeof(uint64_t) - MAD_HEADER_END);
}

#endif
