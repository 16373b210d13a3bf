/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A hash table of nodes embedded in other structures, by a 64-bit key. It grows with its contents,
 * so that lookups take the same time with ten nodes and with a million; if it cannot grow (out of
 * memory), it gets slower and loses nothing. Several nodes may have the same key. A node that is
 * added to an empty table is in no bucket, since most programs have one request in flight.
 */
#ifndef LIBIBMAD_HASH_H
#define LIBIBMAD_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAD_HASH_FIRST_BITS 6

/* A table of up to this size never shrinks. */
#define MAD_HASH_KEPT_BITS 12

struct mad_hash_node {
	struct mad_hash_node *next;
	uint64_t key;
};

struct mad_hash {
	struct mad_hash_node *first;	/* the table was empty when it was added; or NULL */
	struct mad_hash_node **buckets; /* 1 << bits of them */
	unsigned bits;
	unsigned shift; /* of a hash, to compute the bucket number */
	size_t count;
	size_t most; /* capacity before the table grows */
	struct mad_hash_node *first_buckets[1 << MAD_HASH_FIRST_BITS];
};

void mad_hash_init(struct mad_hash *hash);

/* Frees the table, not its nodes. */
void mad_hash_free(struct mad_hash *hash);

/* Gives the table 1 << bits buckets; leaves it unchanged if out of memory. */
void mad_hash_resize(struct mad_hash *hash, unsigned bits);

/* Fibonacci hashing: the multiplication spreads consecutive keys, such as transaction IDs. */
static inline struct mad_hash_node **mad_hash_bucket(const struct mad_hash *hash, uint64_t key)
{
	return &hash->buckets[key * UINT64_C(0x9e3779b97f4a7c15) >> hash->shift];
}

/* mad_hash_add() without growing. */
static inline void mad_hash_append(struct mad_hash *hash, struct mad_hash_node *node)
{
	struct mad_hash_node **place = mad_hash_bucket(hash, node->key);

	while (*place)
		place = &(*place)->next;
	node->next = NULL;
	*place = node;
}

/* Adds the node, whose key is set. */
static inline void mad_hash_add(struct mad_hash *hash, struct mad_hash_node *node)
{
	if (!hash->count++) {
		hash->first = node;
		return;
	}
	mad_hash_append(hash, node);
	if (hash->count > hash->most)
		mad_hash_resize(hash, hash->bits + 2);
}

/* mad_hash_remove() of a node that is in a bucket. */
void mad_hash_remove_other(struct mad_hash *hash, struct mad_hash_node *node);

/* Removes the node, which is in the table. */
static inline void mad_hash_remove(struct mad_hash *hash, struct mad_hash_node *node)
{
	if (node != hash->first) {
		mad_hash_remove_other(hash, node);
		return;
	}
	hash->first = NULL;
	hash->count--;
}

/* The node with the key (the first that was added, if there are several), or NULL. */
static inline struct mad_hash_node *mad_hash_find(const struct mad_hash *hash, uint64_t key)
{
	struct mad_hash_node *node = hash->first;

	if (node && node->key == key)
		return node;
	node = *mad_hash_bucket(hash, key);
	while (node && node->key != key)
		node = node->next;
	return node;
}

/* The node with the same key that was added after this one, or NULL. */
static inline struct mad_hash_node *mad_hash_next(const struct mad_hash *hash,
						  const struct mad_hash_node *node)
{
	struct mad_hash_node *next =
		node == hash->first ? *mad_hash_bucket(hash, node->key) : node->next;

	while (next && next->key != node->key)
		next = next->next;
	return next;
}

/* Removes every node for which keep() returns false; keep() may free the node in that case. */
void mad_hash_filter(struct mad_hash *hash, bool (*keep)(struct mad_hash_node *node, void *context),
		     void *context);

#endif
