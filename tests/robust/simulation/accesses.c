/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Functions that the compiler calls for each access to memory, with -fsanitize=thread: the names
 * are ThreadSanitizer's, and races.c does the work.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "races.h"
#include "scheduler.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define WHERE __builtin_return_address(0)

void __tsan_init(void)
{
}

void __tsan_func_entry(const void *caller)
{
	(void)caller;
}

void __tsan_func_exit(void)
{
}

#define PLAIN(name, access, size, ...)                        \
	void __tsan_##name(const void *start, ##__VA_ARGS__)  \
	{                                                     \
		sim_races_access(start, size, access, WHERE); \
	}
#define PLAIN_OF(size)                              \
	PLAIN(read##size, SIM_READ, size)           \
	PLAIN(write##size, SIM_WRITE, size)         \
	PLAIN(unaligned_read##size, SIM_READ, size) \
	PLAIN(unaligned_write##size, SIM_WRITE, size)

PLAIN_OF(1)
PLAIN_OF(2)
PLAIN_OF(4)
PLAIN_OF(8)
PLAIN_OF(16)
PLAIN(read_range, SIM_READ, size, unsigned long size)
PLAIN(write_range, SIM_WRITE, size, unsigned long size)

/* An atomic operation is a step, at which another thread may come in between. */
static void begin_atomic(const void *object, size_t size, int order, const void *where)
{
	sim_step();
	sim_races_access(object, size, SIM_ATOMIC, where);
	if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
		sim_races_acquire(object);
}

static void end_atomic(const void *object, int order)
{
	if (order != __ATOMIC_RELAXED && order != __ATOMIC_ACQUIRE && order != __ATOMIC_CONSUME)
		sim_races_release(object);
}

#define TYPE(bits) uint##bits##_t

#define CHANGING(bits, name, change)                                                              \
	TYPE(bits) __tsan_atomic##bits##_##name(TYPE(bits) * object, TYPE(bits) value, int order) \
	{                                                                                         \
		TYPE(bits) before;                                                                \
                                                                                                  \
		begin_atomic(object, sizeof(*object), order, WHERE);                              \
		before = *object;                                                                 \
		*object = (TYPE(bits))(change);                                                   \
		end_atomic(object, order);                                                        \
		return before;                                                                    \
	}

/* clang calls the first form, gcc the other two. */
#define COMPARING(bits)                                                                      \
	TYPE(bits)                                                                           \
	__tsan_atomic##bits##_compare_exchange_val(TYPE(bits) * object, TYPE(bits) expected, \
						   TYPE(bits) value, int order, int failed)  \
	{                                                                                    \
		TYPE(bits) before;                                                           \
                                                                                             \
		(void)failed;                                                                \
		begin_atomic(object, sizeof(*object), order, WHERE);                         \
		before = *object;                                                            \
		if (before == expected) {                                                    \
			*object = value;                                                     \
			end_atomic(object, order);                                           \
		}                                                                            \
		return before;                                                               \
	}

#define COMPARING_AND(bits, strength)                                                         \
	int __tsan_atomic##bits##_compare_exchange_##strength(                                \
		TYPE(bits) * object, TYPE(bits) * expected, TYPE(bits) value, int order,      \
		int failed)                                                                   \
	{                                                                                     \
		TYPE(bits) wanted = *expected;                                                \
                                                                                              \
		*expected = __tsan_atomic##bits##_compare_exchange_val(object, wanted, value, \
								       order, failed);        \
		return *expected == wanted;                                                   \
	}

#define ATOMIC(bits)                                                                       \
	TYPE(bits) __tsan_atomic##bits##_load(const TYPE(bits) * object, int order)        \
	{                                                                                  \
		begin_atomic(object, sizeof(*object), order, WHERE);                       \
		return *object;                                                            \
	}                                                                                  \
	void __tsan_atomic##bits##_store(TYPE(bits) * object, TYPE(bits) value, int order) \
	{                                                                                  \
		begin_atomic(object, sizeof(*object), __ATOMIC_RELAXED, WHERE);            \
		*object = value;                                                           \
		end_atomic(object, order);                                                 \
	}                                                                                  \
	CHANGING(bits, exchange, value)                                                    \
	CHANGING(bits, fetch_add, before + value)                                          \
	CHANGING(bits, fetch_sub, before - value)                                          \
	CHANGING(bits, fetch_or, before | value)                                           \
	CHANGING(bits, fetch_and, before &value)                                           \
	COMPARING(bits)                                                                    \
	COMPARING_AND(bits, strong)                                                        \
	COMPARING_AND(bits, weak)

ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

/* Functions of libc that access the libraries' memory: those that calls.txt names "traced", and
 * what newer versions of clang make of them. */
#define COPYING(prefix)                                                 \
	void *prefix##_memcpy(void *to, const void *from, size_t size)  \
	{                                                               \
		sim_races_access(from, size, SIM_READ, WHERE);          \
		sim_races_access(to, size, SIM_WRITE, WHERE);           \
		return memcpy(to, from, size);                          \
	}                                                               \
	void *prefix##_memmove(void *to, const void *from, size_t size) \
	{                                                               \
		sim_races_access(from, size, SIM_READ, WHERE);          \
		sim_races_access(to, size, SIM_WRITE, WHERE);           \
		return memmove(to, from, size);                         \
	}                                                               \
	void *prefix##_memset(void *to, int with, size_t size)          \
	{                                                               \
		sim_races_access(to, size, SIM_WRITE, WHERE);           \
		return memset(to, with, size);                          \
	}

COPYING(traced)
COPYING(__tsan)

int traced_memcmp(const void *one, const void *other, size_t size)
{
	sim_races_access(one, size, SIM_READ, WHERE);
	sim_races_access(other, size, SIM_READ, WHERE);
	return memcmp(one, other, size);
}
