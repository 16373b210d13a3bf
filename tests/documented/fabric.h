/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A small fabric on the scripted kernel of tests/unit, for the programs here: it answers requests
 * of each class as a node, a PMA, an SA or a vendor's agent would, and tells what was asked.
 */
#ifndef TESTS_DOCUMENTED_FABRIC_H
#define TESTS_DOCUMENTED_FABRIC_H

#include <stdint.h>

#define FABRIC_LID	   0x0011 /* the local port */
#define FABRIC_SM_LID	   0x0022
#define FABRIC_PATH_LID	   0x0055 /* where every path leads */
#define FABRIC_PORT	   2	  /* the local port's number */
#define FABRIC_PREFIX	   UINT64_C(0xfe80000000000000)
#define FABRIC_GUID	   UINT64_C(0x0002c90300000001)
#define FABRIC_SYMBOLS	   7 /* SymbolErrorCounter everywhere */
#define FABRIC_DESCRIPTION "a node"

/* From now on the fabric answers. */
void fabric_answers(void);

/* From now on it answers with this MAD status, or (lost) not at all. */
void fabric_answers_with_status(uint16_t status);
void fabric_loses_all(void);

/*
 * Fails the test unless request `number` (1 is the first since the test began) was of that class,
 * method, attribute and modifier, and went to that LID (0xffff: a direct route).
 */
void fabric_assert_request(int number, int mgmt_class, int method, int attr_id, unsigned attr_mod,
			   unsigned lid);

#endif
