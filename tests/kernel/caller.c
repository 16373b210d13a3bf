/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests of the libibmad tests to their local port; see caller.h.
 */
#include <errno.h>
#include <string.h>

#include "caller.h"
#include "loop.h"
#include "sys.h"
#include "tap.h"

bool caller_open(struct caller *caller, const char *device)
{
	int classes[] = { LOOP_CLASS };

	memset(caller, 0, sizeof(*caller));
	caller->port = mad_rpc_open_port((char *)device, 1, classes, 1);
	if (!check(caller->port != NULL)) {
		tap_note("mad_rpc_open_port(%s): errno %d", device, errno);
		return false;
	}
	caller->portid.lid = 1; /* which RoCE does not look at */
	caller->portid.qp = 1;
	caller->portid.qkey = LOOP_QKEY;
	caller->portid.grh_present = 1;
	sys_read_gid(device, caller->portid.gid);
	return true;
}

void caller_close(struct caller *caller)
{
	mad_rpc_close_port(caller->port);
	caller->port = NULL;
}

ib_rpc_t caller_rpc(unsigned timeout_ms)
{
	return (ib_rpc_t){
		.mgtclass = LOOP_CLASS,
		.method = METHOD_GET,
		.attr.id = CALLER_ATTR,
		.timeout = timeout_ms,
		.dataoffs = CALLER_DATA_OFFSET,
		.datasz = CALLER_DATA_SIZE,
		.oui = LOOP_OUI,
	};
}

int caller_call(struct caller *caller, unsigned timeout_ms, unsigned seed)
{
	uint8_t sent[CALLER_DATA_SIZE], got[CALLER_DATA_SIZE] = { 0 };
	ib_portid_t portid = caller->portid;
	ib_rpc_t rpc = caller_rpc(timeout_ms);

	for (int i = 0; i < CALLER_DATA_SIZE; i++)
		sent[i] = i * 11 + seed;
	errno = 0;
	if (!mad_rpc(caller->port, &rpc, &portid, sent, got))
		return errno ? errno : EPROTO;
	return memcmp(sent, got, sizeof(got)) ? EBADMSG : 0;
}
