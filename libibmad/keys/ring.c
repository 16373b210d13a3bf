/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The key ring: a table of keys in pages of its own, which core dumps leave out where the system
 * can do that, and which are overwritten before they are unmapped; and which key is for a
 * destination. See keys.h.
 */
/* Before any header: mmap64() would be a call that simulators do not see. */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libibmad/base/extras.h"
#include "libibmad/base/fork.h"
#include "libibmad/keys/keys.h"

#define FIRST_SIZE 256 /* entries; a power of two */

void *mad_keys_allocate(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	madvise(memory, size, MADV_DONTDUMP);
	return memory;
}

void mad_keys_wipe(void *memory, size_t size)
{
	if (!memory)
		return;
	explicit_bzero(memory, size);
	munmap(memory, size);
}

/* A hash table with open addressing, at most half full. All 0: an empty one. */
struct table {
	struct mad_key_entry *entries;
	size_t size; /* a power of two, or 0 */
	size_t used;
};

/* The entry of that kind and ID, or the free one where it would be. */
static struct mad_key_entry *table_find(const struct table *table, uint64_t kind, uint64_t id)
{
	uint64_t hash = (id ^ kind << 56) * UINT64_C(0x9e3779b97f4a7c15);
	size_t at = (size_t)(hash >> 32) & (table->size - 1);

	while (table->entries[at].kind &&
	       (table->entries[at].kind != kind || table->entries[at].id != id))
		at = (at + 1) & (table->size - 1);
	return &table->entries[at];
}

/* The space must be reserved. */
static void table_set(struct table *table, const struct mad_key_entry *entry)
{
	struct mad_key_entry *place = table_find(table, entry->kind, entry->id);

	table->used += !place->kind;
	*place = *entry;
}

static void table_free(struct table *table)
{
	mad_keys_wipe(table->entries, table->size * sizeof(*table->entries));
	*table = (struct table){ 0 };
}

/* Reserves space for all of these entries that are of a kind. Returns 0 or -ENOMEM. */
static int table_reserve(struct table *table, const struct mad_key_entry *entries, size_t count)
{
	struct table larger = { .size = table->size ? table->size : FIRST_SIZE };
	size_t added = 0, needed;

	for (size_t i = 0; i < count; i++)
		added += entries[i].kind != 0;
	if (added > SIZE_MAX / sizeof(*larger.entries) / 4 - table->used)
		return -ENOMEM;
	if ((table->used + added) * 2 <= table->size)
		return 0;
	needed = added;
	for (size_t i = 0; i < table->size; i++)
		needed += table->entries[i].value != 0;
	while (needed * 2 > larger.size)
		larger.size *= 2;
	larger.entries = mad_keys_allocate(larger.size * sizeof(*larger.entries));
	if (!larger.entries)
		return -ENOMEM;
	for (size_t i = 0; i < table->size; i++)
		if (table->entries[i].value)
			table_set(&larger, &table->entries[i]);
	table_free(table);
	*table = larger;
	return 0;
}

/* Sets all values of that kind to 0. */
static void table_clear(struct table *table, uint64_t kind)
{
	for (size_t i = 0; i < table->size; i++)
		if (table->entries[i].kind == kind)
			table->entries[i].value = 0;
}

/* The value, or 0. */
static uint64_t table_get(const struct table *table, uint64_t kind, uint64_t id)
{
	return table->size ? table_find(table, kind, id)->value : 0;
}

struct mad_keys {
	unsigned users; /* the creator, and the ports that have the ring */
	struct table table;
};

/* Guards all rings and the ring of each port: no ring is freed while a request reads it. */
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
	table_free(&keys->table);
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

int mad_keys_change(struct mad_keys *keys, uint64_t replaced_kind,
		    const struct mad_key_entry *entries, size_t count)
{
	int error;

	pthread_mutex_lock(&lock);
	error = table_reserve(&keys->table, entries, count);
	if (!error && replaced_kind)
		table_clear(&keys->table, replaced_kind);
	for (size_t i = 0; i < count && !error; i++)
		if (entries[i].kind)
			table_set(&keys->table, &entries[i]);
	pthread_mutex_unlock(&lock);
	return error;
}

/* The result of a public function that sets one entry. */
static int set(const char *function, struct mad_keys *keys, enum mad_refusal why,
	       struct mad_key_entry entry)
{
	int error = mad_refuse(keys ? why : MAD_REFUSED_KEYS);

	return mad_end_call(function, error ? error : mad_keys_change(keys, 0, &entry, 1));
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
		   (struct mad_key_entry){ guid, key, mad_keys_kind(MAD_KEY_OF_GUID, type) });
}

int mad_keys_set_lid(struct mad_keys *keys, unsigned type, unsigned lid, uint64_t key)
{
	return set(__func__, keys, check_type(type, is_lid(lid), MAD_REFUSED_LID),
		   (struct mad_key_entry){ lid, key, mad_keys_kind(MAD_KEY_OF_LID, type) });
}

int mad_keys_set_default(struct mad_keys *keys, unsigned type, uint64_t key)
{
	return set(__func__, keys, check_type(type, true, MAD_REFUSED_NOTHING),
		   (struct mad_key_entry){ 0, key, mad_keys_kind(MAD_KEY_OF_ALL, type) });
}

int mad_keys_map_lid(struct mad_keys *keys, unsigned lid, uint64_t guid)
{
	return set(__func__, keys, is_lid(lid) ? MAD_REFUSED_NOTHING : MAD_REFUSED_LID,
		   (struct mad_key_entry){ lid, guid, mad_keys_kind(MAD_KEY_LID_GUID, 0) });
}

/* With the lock held. */
static uint64_t find(const struct mad_keys *keys, unsigned type,
		     const struct mad_key_destination *to)
{
	const struct table *table = &keys->table;
	uint64_t by_guid = mad_keys_kind(MAD_KEY_OF_GUID, type), key = 0, guid;

	if (to->guid)
		key = table_get(table, by_guid, to->guid);
	if (!key && to->lid)
		key = table_get(table, mad_keys_kind(MAD_KEY_OF_LID, type), to->lid);
	if (!key && to->lid) {
		guid = table_get(table, mad_keys_kind(MAD_KEY_LID_GUID, 0), to->lid);
		key = guid ? table_get(table, by_guid, guid) : 0;
	}
	return key ? key : table_get(table, mad_keys_kind(MAD_KEY_OF_ALL, type), 0);
}

uint64_t mad_keys_find(const struct mad_keys *keys, const struct mad_port_extras *extras,
		       unsigned type, const struct mad_key_destination *to)
{
	uint64_t key;

	pthread_mutex_lock(&lock);
	if (!keys)
		keys = atomic_load(&extras->keys);
	key = keys ? find(keys, type, to) : 0;
	pthread_mutex_unlock(&lock);
	return key;
}
