/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <stdlib.h>
#include <string.h>

#include "libibmad/base/hash.h"

/* Nodes per bucket above which the table grows. */
#define NODES_A_BUCKET 2

static void use_buckets(struct mad_hash *hash, struct mad_hash_node **buckets, unsigned bits)
{
	hash->buckets = buckets;
	hash->bits = bits;
	hash->shift = 64 - bits;
	hash->most = (size_t)NODES_A_BUCKET << bits;
}

void mad_hash_init(struct mad_hash *hash)
{
	memset(hash, 0, sizeof(*hash));
	use_buckets(hash, hash->first_buckets, MAD_HASH_FIRST_BITS);
}

void mad_hash_free(struct mad_hash *hash)
{
	if (hash->buckets != hash->first_buckets)
		free(hash->buckets);
}

static struct mad_hash_node **make_buckets(struct mad_hash *hash, unsigned bits)
{
	if (bits > MAD_HASH_FIRST_BITS)
		return calloc((size_t)1 << bits, sizeof(struct mad_hash_node *));
	memset(hash->first_buckets, 0, sizeof(hash->first_buckets));
	return hash->first_buckets;
}

/* Nodes with the same key keep their order, because they come from the same bucket. */
void mad_hash_resize(struct mad_hash *hash, unsigned bits)
{
	struct mad_hash_node **old = hash->buckets;
	size_t old_count = (size_t)1 << hash->bits;
	struct mad_hash_node **buckets = make_buckets(hash, bits);

	if (!buckets)
		return;
	use_buckets(hash, buckets, bits);
	for (size_t i = 0; i < old_count; i++) {
		struct mad_hash_node *node, *next;

		for (node = old[i]; node; node = next) {
			next = node->next;
			mad_hash_append(hash, node);
		}
	}
	if (old != hash->first_buckets)
		free(old);
}

void mad_hash_remove_other(struct mad_hash *hash, struct mad_hash_node *node)
{
	struct mad_hash_node **place = mad_hash_bucket(hash, node->key);

	while (*place != node)
		place = &(*place)->next;
	*place = node->next;
	if (--hash->count < hash->most >> 4 && hash->bits > MAD_HASH_KEPT_BITS)
		mad_hash_resize(hash, hash->bits - 2);
}

void mad_hash_filter(struct mad_hash *hash, bool (*keep)(struct mad_hash_node *node, void *context),
		     void *context)
{
	size_t count = (size_t)1 << hash->bits;

	if (hash->first && !keep(hash->first, context)) {
		hash->first = NULL;
		hash->count--;
	}
	for (size_t i = 0; i < count; i++) {
		struct mad_hash_node **place = &hash->buckets[i];

		while (*place) {
			struct mad_hash_node *node = *place, *next = node->next;

			if (keep(node, context)) {
				place = &node->next;
			} else {
				*place = next;
				hash->count--;
			}
		}
	}
}
