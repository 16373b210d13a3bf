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

#define WHERE __builtin_return_address(0)

void __tsan_init(void);
void __tsan_func_entry(const void *caller);
void __tsan_func_exit(void);
void __tsan_read_range(const void *start, unsigned long size);
void __tsan_write_range(const void *start, unsigned long size);

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

void __tsan_read_range(const void *start, unsigned long size)
{
	sim_races_access(start, size, SIM_READ, WHERE);
}

void __tsan_write_range(const void *start, unsigned long size)
{
	sim_races_access(start, size, SIM_WRITE, WHERE);
}

#define PLAIN(name, size, access)                             \
	void __tsan_##name(const void *start);                \
	void __tsan_##name(const void *start)                 \
	{                                                     \
		sim_races_access(start, size, access, WHERE); \
	}

PLAIN(read1, 1, SIM_READ)
PLAIN(read2, 2, SIM_READ)
PLAIN(read4, 4, SIM_READ)
PLAIN(read8, 8, SIM_READ)
PLAIN(read16, 16, SIM_READ)
PLAIN(write1, 1, SIM_WRITE)
PLAIN(write2, 2, SIM_WRITE)
PLAIN(write4, 4, SIM_WRITE)
PLAIN(write8, 8, SIM_WRITE)
PLAIN(write16, 16, SIM_WRITE)
PLAIN(unaligned_read2, 2, SIM_READ)
PLAIN(unaligned_read4, 4, SIM_READ)
PLAIN(unaligned_read8, 8, SIM_READ)
PLAIN(unaligned_read16, 16, SIM_READ)
PLAIN(unaligned_write2, 2, SIM_WRITE)
PLAIN(unaligned_write4, 4, SIM_WRITE)
PLAIN(unaligned_write8, 8, SIM_WRITE)
PLAIN(unaligned_write16, 16, SIM_WRITE)

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

#define CHANGING(bits, name, change)                                                              \
	uint##bits##_t __tsan_atomic##bits##_##name(uint##bits##_t *object, uint##bits##_t value, \
						    int order);                                   \
	uint##bits##_t __tsan_atomic##bits##_##name(uint##bits##_t *object, uint##bits##_t value, \
						    int order)                                    \
	{                                                                                         \
		uint##bits##_t before;                                                            \
                                                                                                  \
		begin_atomic(object, sizeof(*object), order, WHERE);                              \
		before = *object;                                                                 \
		*object = (uint##bits##_t)(change);                                               \
		end_atomic(object, order);                                                        \
		return before;                                                                    \
	}

/* clang calls the first form, gcc the other two. */
#define COMPARING(bits)                                                                           \
	uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                \
		uint##bits##_t *object, uint##bits##_t expected, uint##bits##_t value, int order, \
		int failed_order);                                                                \
	uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                \
		uint##bits##_t *object, uint##bits##_t expected, uint##bits##_t value, int order, \
		int failed_order)                                                                 \
	{                                                                                         \
		uint##bits##_t before;                                                            \
                                                                                                  \
		(void)failed_order;                                                               \
		begin_atomic(object, sizeof(*object), order, WHERE);                              \
		before = *object;                                                                 \
		if (before == expected) {                                                         \
			*object = value;                                                          \
			end_atomic(object, order);                                                \
		}                                                                                 \
		return before;                                                                    \
	}

#define COMPARING_AND(bits, strength)                                                              \
	int __tsan_atomic##bits##_compare_exchange_##strength(                                     \
		uint##bits##_t *object, uint##bits##_t *expected, uint##bits##_t value, int order, \
		int failed_order);                                                                 \
	int __tsan_atomic##bits##_compare_exchange_##strength(                                     \
		uint##bits##_t *object, uint##bits##_t *expected, uint##bits##_t value, int order, \
		int failed_order)                                                                  \
	{                                                                                          \
		uint##bits##_t wanted = *expected;                                                 \
                                                                                                   \
		*expected = __tsan_atomic##bits##_compare_exchange_val(object, wanted, value,      \
								       order, failed_order);       \
		return *expected == wanted;                                                        \
	}

#define ATOMIC(bits)                                                                               \
	uint##bits##_t __tsan_atomic##bits##_load(const uint##bits##_t *object, int order);        \
	uint##bits##_t __tsan_atomic##bits##_load(const uint##bits##_t *object, int order)         \
	{                                                                                          \
		begin_atomic(object, sizeof(*object), order, WHERE);                               \
		return *object;                                                                    \
	}                                                                                          \
	void __tsan_atomic##bits##_store(uint##bits##_t *object, uint##bits##_t value, int order); \
	void __tsan_atomic##bits##_store(uint##bits##_t *object, uint##bits##_t value, int order)  \
	{                                                                                          \
		begin_atomic(object, sizeof(*object), __ATOMIC_RELAXED, WHERE);                    \
		*object = value;                                                                   \
		end_atomic(object, order);                                                         \
	}                                                                                          \
	CHANGING(bits, exchange, value)                                                            \
	CHANGING(bits, fetch_add, before + value)                                                  \
	CHANGING(bits, fetch_sub, before - value)                                                  \
	CHANGING(bits, fetch_or, before | value)                                                   \
	CHANGING(bits, fetch_and, before &value)                                                   \
	COMPARING(bits)                                                                            \
	COMPARING_AND(bits, strong)                                                                \
	COMPARING_AND(bits, weak)

ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

/* Functions of libc that access the libraries' memory: those that calls.txt names "traced", and
 * what newer versions of clang make of them. */
#define MEMORY(prefix)                                                   \
	void *prefix##_memcpy(void *to, const void *from, size_t size);  \
	void *prefix##_memcpy(void *to, const void *from, size_t size)   \
	{                                                                \
		sim_races_access(from, size, SIM_READ, WHERE);           \
		sim_races_access(to, size, SIM_WRITE, WHERE);            \
		return memcpy(to, from, size);                           \
	}                                                                \
	void *prefix##_memmove(void *to, const void *from, size_t size); \
	void *prefix##_memmove(void *to, const void *from, size_t size)  \
	{                                                                \
		sim_races_access(from, size, SIM_READ, WHERE);           \
		sim_races_access(to, size, SIM_WRITE, WHERE);            \
		return memmove(to, from, size);                          \
	}                                                                \
	void *prefix##_memset(void *to, int with, size_t size);          \
	void *prefix##_memset(void *to, int with, size_t size)           \
	{                                                                \
		sim_races_access(to, size, SIM_WRITE, WHERE);            \
		return memset(to, with, size);                           \
	}

MEMORY(traced)
MEMORY(__tsan)

int traced_memcmp(const void *one, const void *other, size_t size);

int traced_memcmp(const void *one, const void *other, size_t size)
{
	sim_races_access(one, size, SIM_READ, WHERE);
	sim_races_access(other, size, SIM_READ, WHERE);
	return memcmp(one, other, size);
}
