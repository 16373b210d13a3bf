/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The key ring: what it holds, and which key is for a destination. See keys.h.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "libibmad/base/fork.h"
#include "libibmad/base/extras.h"
#include "libibmad/keys/keys.h"

struct mad_keys {
	unsigned users; /* its creator, and the ports that have it */
	struct mad_key_table table;
};

/* Of all rings, and of which one a port has: so no ring is freed while a request reads it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct mad_fork_member fork_member = { .rank = MAD_FORK_LEAF, .lock = &lock };

struct mad_keys *mad_keys_create(void)
{
	struct mad_keys *keys = calloc(1, sizeof(*keys));
	int error = keys ? mad_fork_add(&fork_member) : -ENOMEM;

	if (error) {
		free(keys);
		mad_zero_or_error(error);
		return NULL;
	}
	keys->users = 1;
	return keys;
}

/* With the lock held. */
static void release(struct mad_keys *keys)
{
	if (!keys || --keys->users)
		return;
	mad_key_table_free(&keys->table);
	free(keys);
}

void mad_keys_exchange(struct mad_port_extras *extras, struct mad_keys *keys)
{
	pthread_mutex_lock(&lock);
	if (keys)
		keys->users++;
	release(atomic_exchange(&extras->keys, keys));
	if (keys)
		atomic_fetch_or(&extras->adjustments, MAD_PORT_HAS_KEYS);
	else
		atomic_fetch_and(&extras->adjustments, ~(unsigned)MAD_PORT_HAS_KEYS);
	pthread_mutex_unlock(&lock);
}

void mad_keys_free(struct mad_keys *keys)
{
	pthread_mutex_lock(&lock);
	release(keys);
	pthread_mutex_unlock(&lock);
}

int mad_keys_change(struct mad_keys *keys, uint64_t replaced_kind, size_t count,
		    void (*next)(void *context, struct mad_key_change *change), void *context)
{
	struct mad_key_change change;
	int error;

	pthread_mutex_lock(&lock);
	error = mad_key_table_reserve(&keys->table, count);
	if (!error && replaced_kind)
		mad_key_table_clear(&keys->table, replaced_kind);
	for (size_t i = 0; i < count && !error; i++) {
		next(context, &change);
		mad_key_table_set(&keys->table, change.kind, change.id, change.value);
	}
	pthread_mutex_unlock(&lock);
	return error;
}

static void give(void *context, struct mad_key_change *change)
{
	*change = *(struct mad_key_change *)context;
}

/* What the public functions that set one entry return. */
static int set(const char *function, struct mad_keys *keys, enum mad_refusal why,
	       struct mad_key_change change)
{
	int error = mad_refuse(keys ? why : MAD_REFUSED_KEYS);

	return mad_end_call(function, error ? error : mad_keys_change(keys, 0, 1, give, &change));
}

static enum mad_refusal check_type(unsigned type, bool is_valid, enum mad_refusal else_why)
{
	if (!mad_keys_has_type(type))
		return MAD_REFUSED_KEY_TYPE;
	return is_valid ? MAD_REFUSED_NOTHING : else_why;
}

static bool is_lid(unsigned lid)
{
	return lid <= IB_MAX_UCAST_LID && IB_LID_VALID((int)lid);
}

int mad_keys_set_guid(struct mad_keys *keys, unsigned type, uint64_t guid, uint64_t key)
{
	return set(__func__, keys, check_type(type, guid, MAD_REFUSED_KEY_GUID),
		   (struct mad_key_change){ mad_keys_kind(MAD_KEY_OF_GUID, type), guid, key });
}

int mad_keys_set_lid(struct mad_keys *keys, unsigned type, unsigned lid, uint64_t key)
{
	return set(__func__, keys, check_type(type, is_lid(lid), MAD_REFUSED_LID),
		   (struct mad_key_change){ mad_keys_kind(MAD_KEY_OF_LID, type), lid, key });
}

int mad_keys_set_default(struct mad_keys *keys, unsigned type, uint64_t key)
{
	return set(__func__, keys, check_type(type, true, MAD_REFUSED_NOTHING),
		   (struct mad_key_change){ mad_keys_kind(MAD_KEY_OF_ALL, type), 0, key });
}

int mad_keys_map_lid(struct mad_keys *keys, unsigned lid, uint64_t guid)
{
	return set(__func__, keys, is_lid(lid) ? MAD_REFUSED_NOTHING : MAD_REFUSED_LID,
		   (struct mad_key_change){ mad_keys_kind(MAD_KEY_LID_GUID, 0), lid, guid });
}

/* With the lock held. */
static uint64_t find(const struct mad_keys *keys, unsigned type,
		     const struct mad_key_destination *to)
{
	const struct mad_key_table *table = &keys->table;
	uint64_t by_guid = mad_keys_kind(MAD_KEY_OF_GUID, type), key = 0, guid;

	if (to->guid)
		key = mad_key_table_get(table, by_guid, to->guid);
	if (!key && to->lid)
		key = mad_key_table_get(table, mad_keys_kind(MAD_KEY_OF_LID, type), to->lid);
	if (!key && to->lid) {
		guid = mad_key_table_get(table, mad_keys_kind(MAD_KEY_LID_GUID, 0), to->lid);
		key = guid ? mad_key_table_get(table, by_guid, guid) : 0;
	}
	return key ? key : mad_key_table_get(table, mad_keys_kind(MAD_KEY_OF_ALL, type), 0);
}

uint64_t mad_keys_find(const struct mad_keys *keys, unsigned type,
		       const struct mad_key_destination *to)
{
	uint64_t key;

	pthread_mutex_lock(&lock);
	key = find(keys, type, to);
	pthread_mutex_unlock(&lock);
	return key;
}

uint64_t mad_keys_find_for(const struct mad_port_extras *extras, unsigned type,
			   const struct mad_key_destination *to)
{
	const struct mad_keys *keys;
	uint64_t key;

	pthread_mutex_lock(&lock);
	keys = atomic_load(&extras->keys);
	key = keys ? find(keys, type, to) : 0;
	pthread_mutex_unlock(&lock);
	return key;
}
