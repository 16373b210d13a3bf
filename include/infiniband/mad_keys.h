/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Keys of a locked fabric, by port GUID or LID: mad_keys_create(3), which says which key a request
 * carries and where. Every request without a key, on a port with a key ring, takes its key from the
 * ring. Any thread may call these functions at any time, except mad_keys_free(). */
#ifndef INFINIBAND_MAD_KEYS_H
#define INFINIBAND_MAD_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include <infiniband/mad.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A key ring. */
struct mad_keys;

/* Types of keys. */
enum mad_key_type {
	MAD_KEY_M = 1,	/* M_Key: SMPs (guid2mkey) */
	MAD_KEY_SA,	/* SM_Key: SA requests */
	MAD_KEY_VENDOR, /* vendor key: class 0x0a (guid2vskey) */
	MAD_KEY_CC,	/* CC key: congestion control (guid2cckey) */
	MAD_KEY_PERF,	/* key of performance management */
};

/* Flags of mad_keys_read() and mad_keys_read_lids(); other bits are EINVAL. */
enum mad_keys_flag {
	MAD_KEYS_REPLACE = 1 << 0,    /* remove entries of that kind that the file does not have */
	MAD_KEYS_ANY_READER = 1 << 1, /* keys: others may be able to read the file */
};

/* Makes an empty ring. Returns it, for mad_keys_free(); NULL with ENOMEM or EAGAIN. */
struct mad_keys *mad_keys_create(void);

/* Ends the caller's use of a ring. Ports that have it keep it; the last of all overwrites and frees
 * it. No other thread may be in or enter a call with keys. NULL is ignored. */
void mad_keys_free(struct mad_keys *keys);

/* Sets the key (host byte order; 0 removes it) of a type (enum mad_key_type) for the port with that
 * port GUID (host byte order; a switch has that of its port 0). Returns 0; -1 with EINVAL (NULL, no
 * such type, GUID 0) or ENOMEM. */
int mad_keys_set_guid(struct mad_keys *keys, unsigned type, uint64_t guid, uint64_t key);

/* As mad_keys_set_guid(), for a destination LID, 1 to 0xbfff. */
int mad_keys_set_lid(struct mad_keys *keys, unsigned type, unsigned lid, uint64_t key);

/* As mad_keys_set_guid(), for all destinations that have no key of their own. */
int mad_keys_set_default(struct mad_keys *keys, unsigned type, uint64_t key);

/* Notes that the port with that GUID has this LID, so that requests by LID find its keys; GUID 0:
 * no port has it. Returns 0; -1 with EINVAL or ENOMEM. */
int mad_keys_map_lid(struct mad_keys *keys, unsigned lid, uint64_t guid);

/* Adds the keys of a file as opensm writes it (guid2mkey, guid2vskey, guid2cckey); flags:
 * MAD_KEYS_..., or 0. why (or NULL) has why_size bytes for a message, which never holds a key.
 * Returns 0; -1, the ring unchanged, with EINVAL (arguments), EBADMSG (the contents), EPERM (owner
 * or permissions), EIO (the file changes meanwhile), ENOMEM, or as open(2) and read(2). */
int mad_keys_read(struct mad_keys *keys, unsigned type, const char *path, uint32_t flags, char *why,
		  size_t why_size);

/* Notes which ports have which LIDs from a file as opensm writes it (guid2lid). Others may be able
 * to read it; otherwise as mad_keys_read(). */
int mad_keys_read_lids(struct mad_keys *keys, const char *path, uint32_t flags, char *why,
		       size_t why_size);

/* Notes which ports have which LIDs as the SA at sm (NULL: the local port's) knows them. timeout_ms
 * is per attempt, 0: that of the port. Returns 0; -1, the ring unchanged, with ENOMEM or as
 * mad_sa_query(). */
int mad_keys_query_lids(struct mad_keys *keys, struct ibmad_port *port, const ib_portid_t *sm,
			int timeout_ms);

/* Writes to *key (host byte order) the key that a request to that address takes from the ring; SMPs
 * go by LID or directed route as smp_query_via() chooses. Returns 0; -1 with EINVAL, or ENOENT
 * where there is none. */
int mad_keys_get(const struct mad_keys *keys, unsigned type, const ib_portid_t *to, uint64_t *key);

/* Gives a port a ring instead of the one it has; NULL: none. Later requests take their keys from
 * it, until the port gets another one or is closed; any number of ports may have the same ring.
 * Returns 0; -1 with EINVAL. */
int mad_port_set_keys(struct ibmad_port *port, struct mad_keys *keys);

#ifdef __cplusplus
}
#endif

#endif
