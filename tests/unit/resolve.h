/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The subnet that the tests of libibmad/requests/resolve.c query: its agents' responses, and the
 * requests that are expected to go there.
 */
#ifndef TESTS_UNIT_RESOLVE_H
#define TESTS_UNIT_RESOLVE_H

#include "fakeumad.h"

#include <infiniband/mad.h>

#define OWN_LID	  0x11
#define SM_LID	  0x22
#define FOUND_LID 0x33
#define FOUND_SL  4

#define DEFAULT_PREFIX "\xfe\x80\0\0\0\0\0\0"
#define OWN_GID	       DEFAULT_PREFIX "\x11\x22\x33\x44\x55\x66\x77\x88"
#define OTHER_GUID     "\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8"
#define OTHER_GID      DEFAULT_PREFIX OTHER_GUID

/* PortInfo and NodeInfo of the local port, a PathRecord to FOUND_LID, and a refusal. */
extern const struct fakeumad_reply port_reply, node_reply, path_reply, failure;

/* Expects a Get of an attribute of the local port, with nothing but zeros as data. */
void expect_self(int attr_id, int timeout_ms, const struct fakeumad_reply *reply);

/* Expects a Get of a path between two GIDs (16 bytes), from the SM at that LID and SL. */
void expect_path(int sm_lid, int sl, const char *into, const char *from,
		 const struct fakeumad_reply *reply);

/* An address without a valid member, and the check that it is unchanged. */
ib_portid_t garbage(void);
void assert_garbage(const ib_portid_t *portid);

#endif
