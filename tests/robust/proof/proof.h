/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the proofs are written with. CBMC reads them, no compiler does: a nondet_ function returns
 * any value of its type, and a proof holds for all of them.
 */
#ifndef TESTS_PROOF_H
#define TESTS_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROVE(condition, claim) __CPROVER_assert(condition, claim)
#define ASSUME(condition)	__CPROVER_assume(condition)

bool nondet_bool(void);
uint8_t nondet_byte(void);
int nondet_int(void);
unsigned nondet_unsigned(void);
uint32_t nondet_uint32(void);
uint64_t nondet_uint64(void);
size_t nondet_size(void);

/* A MAD of any content: assign it to a variable. */
struct any_mad {
	uint8_t byte[256];
};
struct any_mad nondet_mad(void);

#endif
