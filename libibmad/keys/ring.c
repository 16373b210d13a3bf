/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The key ring: what it holds, and which key is for a destination. See keys.h.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "libibmad/base/fork.h"
#include "libibmad/engine/port.h"
#include "libibmad/keys/keys.h"

struct mad_keys {
	struct mad_fork_member fork_member;
	pthread_mutex_t lock;
	unsigned users; /* its creator, and the ports that it is attached to */
	struct mad_key_table table;
};

static void at_fork(struct mad_fork_member *member, enum mad_fork_moment moment)
{
	struct mad_keys *keys = (void *)((char *)member - offsetof(struct mad_keys, fork_member));

	if (moment == MAD_FORK_BEFORE)
		pthread_mutex_lock(&keys->lock);
	else if (moment == MAD_FORK_AFTER)
		pthread_mutex_unlock(&keys->lock);
}

static int create(struct mad_keys **created)
{
	struct mad_keys *keys = calloc(1, sizeof(*keys));
	int error;

	if (!keys)
		return -ENOMEM;
	error = -pthread_mutex_init(&keys->lock, NULL);
	if (error)
		goto err_free;
	keys->users = 1;
	keys->fork_member.rank = MAD_FORK_LEAF;
	keys->fork_member.at_fork = at_fork;
	error = mad_fork_add(&keys->fork_member);
	if (error)
		goto err_mutex;
	*created = keys;
	return 0;

err_mutex:
	pthread_mutex_destroy(&keys->lock);
err_free:
	free(keys);
	return error;
}

struct mad_keys *mad_keys_create(void)
{
	struct mad_keys *keys = NULL;
	int error = create(&keys);

	if (error)
		errno = -error;
	return keys;
}

struct mad_keys *mad_keys_retain(struct mad_keys *keys)
{
	pthread_mutex_lock(&keys->lock);
	keys->users++;
	pthread_mutex_unlock(&keys->lock);
	return keys;
}

void mad_keys_release(struct mad_keys *keys)
{
	bool is_last;

	pthread_mutex_lock(&keys->lock);
	is_last = --keys->users == 0;
	pthread_mutex_unlock(&keys->lock);
	if (!is_last)
		return;
	mad_fork_remove(&keys->fork_member);
	mad_key_table_free(&keys->table);
	pthread_mutex_destroy(&keys->lock);
	free(keys);
}

void mad_keys_destroy(struct mad_keys *keys)
{
	if (keys)
		mad_keys_release(keys);
}

int mad_keys_change(struct mad_keys *keys, size_t count,
		    void (*next)(void *context, struct mad_key_change *change), void *context)
{
	struct mad_key_change change;
	int error;

	pthread_mutex_lock(&keys->lock);
	error = mad_key_table_reserve(&keys->table, count);
	for (size_t i = 0; i < count && !error; i++) {
		next(context, &change);
		mad_key_table_set(&keys->table, change.kind, change.id, change.value);
	}
	pthread_mutex_unlock(&keys->lock);
	return error;
}

static void give(void *context, struct mad_key_change *change)
{
	*change = *(struct mad_key_change *)context;
}

/* What the public functions that set one entry return. */
static int set(struct mad_keys *keys, bool is_valid, struct mad_key_change change)
{
	return mad_zero_or_error(keys && is_valid ? mad_keys_change(keys, 1, give, &change)
						  : -EINVAL);
}

static bool is_type(enum mad_key_type type)
{
	return (unsigned)type < MAD_KEY_TYPES;
}

int mad_keys_set_guid(struct mad_keys *keys, enum mad_key_type type, uint64_t guid, uint64_t key)
{
	return set(keys, is_type(type) && guid,
		   (struct mad_key_change){ mad_keys_kind(MAD_KEY_OF_GUID, type), guid, key });
}

int mad_keys_set_lid(struct mad_keys *keys, enum mad_key_type type, int lid, uint64_t key)
{
	return set(keys, is_type(type) && IB_LID_VALID(lid),
		   (struct mad_key_change){ mad_keys_kind(MAD_KEY_OF_LID, type), lid, key });
}

int mad_keys_set_default(struct mad_keys *keys, enum mad_key_type type, uint64_t key)
{
	return set(keys, is_type(type),
		   (struct mad_key_change){ mad_keys_kind(MAD_KEY_OF_ALL, type), 0, key });
}

int mad_keys_set_lid_guid(struct mad_keys *keys, int lid, uint64_t guid)
{
	return set(keys, IB_LID_VALID(lid),
		   (struct mad_key_change){ mad_keys_kind(MAD_KEY_LID_GUID, 0), lid, guid });
}

/* With the lock held. */
static uint64_t find(const struct mad_keys *keys, enum mad_key_type type,
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

uint64_t mad_keys_find(struct mad_keys *keys, enum mad_key_type type,
		       const struct mad_key_destination *to)
{
	uint64_t key;

	pthread_mutex_lock(&keys->lock);
	key = find(keys, type, to);
	pthread_mutex_unlock(&keys->lock);
	return key;
}
