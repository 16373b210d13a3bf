/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Keys of a locked fabric, by port GUID or LID: mad_keys_create(3), which says which key a request
 * carries and where. Attached to a port, every request of that port that has no key takes it from
 * the ring. Any thread may call these functions at any time, except mad_keys_free(), as it says. In
 * the child of a fork() a ring is what it was in the parent.
 */
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

/* What a key is for. */
enum mad_key_type {
	MAD_KEY_M = 1,	/* M_Key: SMPs (guid2mkey) */
	MAD_KEY_SA,	/* SM_Key: SA requests */
	MAD_KEY_VENDOR, /* vendor key: class 0x0a (guid2vskey) */
	MAD_KEY_CC,	/* CC key: congestion control (guid2cckey) */
	MAD_KEY_PERF,	/* key of performance management */
};

/* What mad_keys_read() and mad_keys_read_lids() do besides; other bits are EINVAL. */
enum mad_keys_flag {
	MAD_KEYS_REPLACE = 1 << 0,    /* what is not in the file, of that kind, is removed */
	MAD_KEYS_ANY_READER = 1 << 1, /* keys: others may be able to read the file */
};

/* Makes an empty ring. Returns it, for mad_keys_free(); NULL with ENOMEM or EAGAIN. */
struct mad_keys *mad_keys_create(void);

/*
 * Ends the caller's use of a ring. Ports that have it keep it until they are closed or get
 * another one; the last of all overwrites and frees it. No other thread may be in or enter a call
 * with keys. NULL is ignored.
 */
void mad_keys_free(struct mad_keys *keys);

/*
 * Sets the key (host byte order) of a type (enum mad_key_type) for the port with that port GUID
 * (host byte order); key 0 removes it. A switch has the GUID of its port 0. Returns 0; -1 with
 * EINVAL (NULL, no such type, GUID 0) or ENOMEM.
 */
int mad_keys_set_guid(struct mad_keys *keys, unsigned type, uint64_t guid, uint64_t key);

/* The same for a destination LID, 1 to 0xbfff. Returns 0; -1 with EINVAL or ENOMEM. */
int mad_keys_set_lid(struct mad_keys *keys, unsigned type, unsigned lid, uint64_t key);

/* The same for all destinations that have no key of their own. */
int mad_keys_set_default(struct mad_keys *keys, unsigned type, uint64_t key);

/*
 * Notes that the port with that GUID has this LID, so that requests by LID find its keys; GUID 0:
 * no port has it. mad_keys_read_lids() and mad_keys_query_lids() do that for all ports. Returns 0;
 * -1 with EINVAL or ENOMEM.
 */
int mad_keys_map_lid(struct mad_keys *keys, unsigned lid, uint64_t guid);

/*
 * Adds the keys of a file as opensm writes it (guid2mkey, guid2vskey, guid2cckey): each line is
 * `0xGUID 0xKEY`, or blank, or begins with #, and has a line end, without which the file was cut
 * off; of a GUID that comes twice the last line counts. Keys of
 * this type for other GUIDs stay, and go with MAD_KEYS_REPLACE; those for LIDs and the default stay
 * in both cases. The file must be a regular file of root's or of the user's own that others can't
 * write or (without MAD_KEYS_ANY_READER) read, and the group can't write: opensm writes with the
 * umask that it was started with. flags: MAD_KEYS_..., or 0. why (or NULL): why_size bytes for a
 * message with the name of the file and the line, which never holds a key. Returns 0; -1, the ring
 * unchanged, with EINVAL (arguments), EBADMSG (a line is something else, or the file is longer than
 * 256 MB), EPERM (who may access it), EIO (it changes meanwhile), ENOMEM, or what opening and
 * reading it gives.
 */
int mad_keys_read(struct mad_keys *keys, unsigned type, const char *path, uint32_t flags, char *why,
		  size_t why_size);

/*
 * Notes which ports have which LIDs from a file as opensm writes it (guid2lid): each line is
 * `0xGUID 0xFIRST 0xLAST`. LIDs that are not in the file stay, and go with
 * MAD_KEYS_REPLACE. Who may read the file does not matter; others and the group must not be able to
 * write it. Otherwise as mad_keys_read().
 */
int mad_keys_read_lids(struct mad_keys *keys, const char *path, uint32_t flags, char *why,
		       size_t why_size);

/*
 * Notes which ports have which LIDs as the SA at sm (NULL: that of the local port, as in
 * mad_sa_query()) knows them: one query
 * for all NodeRecords and one for all PortInfoRecords (for the LMC). timeout_ms is per attempt, 0:
 * that of the port. Returns 0; -1 with errno as mad_sa_query(), the ring unchanged; ENOMEM.
 */
int mad_keys_query_lids(struct mad_keys *keys, struct ibmad_port *port, const ib_portid_t *sm,
			int timeout_ms);

/*
 * Writes the key (host byte order) that a request to that address takes from the ring to *key. An
 * SMP goes by LID or directed route as smp_query_via() chooses; all others go by LID. Returns 0; -1
 * with EINVAL, or ENOENT where there is none.
 */
int mad_keys_get(const struct mad_keys *keys, unsigned type, const ib_portid_t *to, uint64_t *key);

/*
 * Has requests of the port take their keys from the ring in place of the one it had; NULL: no
 * longer. Any thread may call this at any time; a request that was made before keeps its key. A
 * port keeps its ring until it gets another one or is closed, and any number of ports may have the
 * same one; those of a pair are two. Returns 0; -1 with EINVAL.
 */
int mad_port_set_keys(struct ibmad_port *port, struct mad_keys *keys);

#ifdef __cplusplus
}
#endif

#endif
