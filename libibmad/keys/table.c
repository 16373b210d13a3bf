/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A table of keys, in pages of its own: core dumps leave them out where the system can do that, and
 * they are overwritten before they are unmapped. See keys.h.
 */
/* Before any header: mmap64() would be a call that simulators do not see. */
#undef _FILE_OFFSET_BITS
#undef _TIME_BITS

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

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

/* The entry of that kind and ID, or the free one where it would be. */
static struct mad_key_entry *find(const struct mad_key_table *table, uint64_t kind, uint64_t id)
{
	uint64_t hash = (id ^ kind << 56) * UINT64_C(0x9e3779b97f4a7c15);
	size_t at = (size_t)(hash >> 32) & (table->size - 1);

	while (table->entries[at].kind &&
	       (table->entries[at].kind != kind || table->entries[at].id != id))
		at = (at + 1) & (table->size - 1);
	return &table->entries[at];
}

static void copy_entries(const struct mad_key_table *from, struct mad_key_table *to)
{
	for (size_t i = 0; i < from->size; i++) {
		const struct mad_key_entry *entry = &from->entries[i];

		if (entry->kind && entry->value)
			mad_key_table_set(to, entry->kind, entry->id, entry->value);
	}
}

int mad_key_table_reserve(struct mad_key_table *table, size_t count)
{
	struct mad_key_table larger = { .size = table->size ? table->size : FIRST_SIZE };
	size_t needed = count;

	if (count > SIZE_MAX / sizeof(*larger.entries) / 4 - table->used)
		return -ENOMEM;
	if ((table->used + count) * 2 <= table->size)
		return 0;
	for (size_t i = 0; i < table->size; i++)
		needed += table->entries[i].value != 0;
	while (needed * 2 > larger.size)
		larger.size *= 2;
	larger.entries = mad_keys_allocate(larger.size * sizeof(*larger.entries));
	if (!larger.entries)
		return -ENOMEM;
	copy_entries(table, &larger);
	mad_key_table_free(table);
	*table = larger;
	return 0;
}

void mad_key_table_clear(struct mad_key_table *table, uint64_t kind)
{
	for (size_t i = 0; i < table->size; i++)
		if (table->entries[i].kind == kind)
			table->entries[i].value = 0;
}

void mad_key_table_set(struct mad_key_table *table, uint64_t kind, uint64_t id, uint64_t value)
{
	struct mad_key_entry *entry = find(table, kind, id);

	table->used += !entry->kind;
	*entry = (struct mad_key_entry){ .id = id, .value = value, .kind = kind };
}

uint64_t mad_key_table_get(const struct mad_key_table *table, uint64_t kind, uint64_t id)
{
	return table->size ? find(table, kind, id)->value : 0;
}

void mad_key_table_free(struct mad_key_table *table)
{
	mad_keys_wipe(table->entries, table->size * sizeof(*table->entries));
	*table = (struct mad_key_table){ 0 };
}
