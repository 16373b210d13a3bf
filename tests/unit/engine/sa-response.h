/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An SA as the tests of tables script it on the kernel of tests/unit: each request gets the same
 * response, valid or not.
 */
#ifndef TESTS_ENGINE_SA_RESPONSE_H
#define TESTS_ENGINE_SA_RESPONSE_H

#include "fakeumad.h"

#include <infiniband/mad_sa.h>
#include <stddef.h>
#include <stdint.h>

#define SA_DATA	       56  /* where records begin in a MAD */
#define ONE_MAD	       200 /* bytes of records in one MAD */
#define NODE_SIZE      108
#define NODE_STRIDE    112
#define TIMEOUT_MS     2000
#define SA_NO_RECORDS  0x0300
#define SA_REQ_INVALID 0x0200

/* RMPP types and flags (13.6.2). */
enum { NONE = 0, DATA = 1, ACK = 2, STOP = 3, ABORT = 4 };
enum { ACTIVE = 1, FIRST = 2, LAST = 4, WHOLE = ACTIVE | FIRST | LAST };

/* The response of the SA. */
struct sa_response {
	uint16_t status;
	uint8_t type;
	uint8_t flags;
	uint32_t payload;     /* in the RMPP header */
	uint16_t attr_offset; /* units of 8 bytes */
	const uint8_t *records;
	size_t length; /* of the MAD */
};

/* Responds with the struct sa_response at context. */
fakeumad_response_fn sa_response_give;

/* Requests all NodeRecords with that method (0: GetTable). Returns 0, or -1 with no table; the
 * status is in sa_response_status. */
int sa_response_query(struct ibmad_port *port, unsigned method, struct mad_sa_table **table);
extern unsigned sa_response_status;

/* count NodeRecords of NODE_STRIDE bytes, different in every byte; free() them. */
uint8_t *sa_response_make_nodes(unsigned count);

/* Fails the test where a table has records, or memory. */
void sa_response_assert_empty(const struct mad_sa_table *table);

void sa_response_put16(uint8_t *bytes, uint16_t value);
void sa_response_put32(uint8_t *bytes, uint32_t value);

#endif
