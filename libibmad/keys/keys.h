/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Key rings, by source file: ring.c is the ring, file.c reads files, engine/keys.c puts keys into
 * requests; requests/keys.c and requests/key_lids.c send requests for keys. Functions that return
 * int return 0 or -errno.
 */
#ifndef LIBIBMAD_KEYS_H
#define LIBIBMAD_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/mad_layout.h"
#include "libibmad/internal.h"

/* ring.c: memory that core dumps omit. */
void *mad_keys_allocate(size_t size); /* of zeros; NULL without memory */
void mad_keys_wipe(void *memory, size_t size);

/* The owner of a key, whose ID is a GUID, a LID or 0. */
enum mad_key_owner {
	MAD_KEY_OF_GUID,
	MAD_KEY_OF_LID,
	MAD_KEY_OF_ALL,
	MAD_KEY_LID_GUID, /* no key: the value is the GUID of the port that has the LID */
};

struct mad_port_extras;

struct mad_key_entry {
	uint64_t id;
	uint64_t value; /* 0: there is none */
	uint64_t kind;	/* 0: the entry is free; see mad_keys_kind() */
};

/* type: 0 for MAD_KEY_LID_GUID. */
static inline uint64_t mad_keys_kind(enum mad_key_owner owner, unsigned type)
{
	return ((uint64_t)owner << 8 | type) + 1;
}

/* LIDs up to the highest unicast one, and 0. */
#define MAD_KEYS_LIDS (IB_MAX_UCAST_LID + 1)

/* Sets all entries but free ones in the ring, or none; other entries of the replaced kind (0: none)
 * are removed. */
int mad_keys_change(struct mad_keys *keys, uint64_t replaced_kind,
		    const struct mad_key_entry *entries, size_t count);
/* Gives a port a ring (or NULL) instead of the one that it has. */
void mad_keys_exchange(struct mad_port_extras *extras, struct mad_keys *keys);
/* The destination of a request. */
struct mad_key_destination {
	uint64_t guid; /* 0: not known */
	int lid;       /* 0: it does not go by LID */
};
/* The key for a destination in a ring, or (keys NULL) in the ring of a port; 0 if there is none. */
uint64_t mad_keys_find(const struct mad_keys *keys, const struct mad_port_extras *extras,
		       unsigned type, const struct mad_key_destination *to);
static inline bool mad_keys_has_type(unsigned type)
{
	return type >= MAD_KEY_M && type <= MAD_KEY_PERF;
}

/* engine/keys.c, for ports whose requests are adjusted (mad_port_is_adjusting()): the key that the
 * ring of the port has for a request of that class, or 0. */
uint64_t mad_keys_for(const struct ibmad_port *port, int mgmt_class, enum mad_key_type type,
		      const ib_portid_t *dport);
/* Gives an encoded request that is redirected the key for its new address, unless the caller has
 * given a key. before: the old address, or NULL for a request without a key. */
void mad_keys_stamp_again(const struct ibmad_port *port, uint8_t *mad, const ib_portid_t *before,
			  const ib_portid_t *now);
/* Gives an encoded request that has no key the ring's. */
static inline void mad_keys_stamp(const struct ibmad_port *port, uint8_t *mad,
				  const ib_portid_t *dport)
{
	mad_keys_stamp_again(port, mad, NULL, dport);
}
/* Overwrites the place of keys in a umad packet, before its memory is freed. */
static inline void mad_keys_forget(void *umad, size_t header_size)
{
	explicit_bzero((uint8_t *)umad + header_size + MAD_HEADER_END,
		       SA_SM_KEY + sizeof(uint64_t) - MAD_HEADER_END);
}

#endif
