/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Keys of a locked fabric: a key ring holds M_Keys, SM_Keys, and the keys of vendor, congestion
 * control and performance management, by port GUID or LID. Attached to a port, every request of
 * that port that has no key takes it from the ring.
 *
 *	struct mad_keys *keys = mad_keys_create();
 *	char why[256];
 *
 *	if (mad_keys_read(keys, MAD_KEY_M, "guid2mkey", 0, why, sizeof(why)) < 0 ||
 *	    mad_keys_read_lids(keys, "guid2lid", 0, why, sizeof(why)) < 0)
 *		errx(1, "%s", why);
 *	mad_port_set_keys(port, keys);
 *	mad_keys_free(keys);		(the port still uses it)
 *
 * Which key a request carries, the first that is not 0:
 *
 * 1. the one in the call: rpc->mkey, cckey, bkey, request->sm_key, or what the data of a request of
 *    class 0x0a begin with;
 * 2. that of the port: smp_mkey_set() for SMPs, sa_key_set() for SA requests;
 * 3. from the ring, for the GUID in the lower half of portid->gid (whether or not grh_present is
 *    set), or of the local port for a directed route without hops;
 * 4. from the ring, for the destination LID, where the request goes by LID;
 * 5. from the ring, for the port GUID that the ring knows to have this LID;
 * 6. the ring's default of that type.
 *
 * A request that follows a redirect takes the key of its new destination, unless it came with one
 * of its own. Requests carry the key in these places: classes 0x01 and 0x81 the M_Key, class 0x03
 * the SM_Key, class 0x04 the key of performance management, class 0x21 the CC key, and class 0x0a
 * the vendor key, each in the 8 bytes behind the common header but the SM_Key, which is in the SA
 * header. Other classes, responses and traps are sent as they are.
 *
 * A key is refused: an SMP whose response has status 0x1c fails with EKEYREJECTED instead of EIO on
 * a port with a ring (SMAs use that status for other invalid fields, too; rstatus has it). An SA
 * drops a request with a wrong SM_Key. An SA request with a key that times out on a port with a
 * ring, blocking or asynchronous, is therefore followed by one ClassPortInfo query without a key,
 * which takes at most as long again: where the SA responds to that, the request fails with
 * EKEYREJECTED instead of ETIMEDOUT.
 *
 * Keys appear in no debugging line, and in captures only where UMAD_CAPTURE_KEYS (umad_capture.h)
 * asks for it. A ring's memory is left out of core dumps where the system can do that
 * (MADV_DONTDUMP) and is overwritten before it is freed. Requests and received MADs, which may hold
 * keys, too, are in memory that core dumps include and that is overwritten before it is freed.
 *
 * Any thread may call these functions at any time, except mad_keys_free(), as it says. In the child
 * of a fork() a ring is what it was in the parent.
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
#define MAD_KEYS_REPLACE    (1U << 0) /* what is not in the file, of that kind, is removed */
#define MAD_KEYS_ANY_READER (1U << 1) /* keys: others may be able to read the file */

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
