/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See resolve.h. */
#include "resolve.h"
#include "test.h"

#include <string.h>

/* PortInfo: prefix fec0::1, LID, SM LID, local port 3, SM SL 5; NodeInfo: port GUID, local port 3.
 */
static const uint8_t portinfo[64] = {
	[8] = 0xfe, 0xc0, [15] = 1, [17] = OWN_LID, [19] = SM_LID, [28] = 3, [36] = 5
};
static const uint8_t nodeinfo[64] = { [20] = 0x11, 0x22, 0x33, 0x44,	0x55,
				      0x66,	   0x77, 0x88, [36] = 3 };
static const uint8_t path[64] = { [41] = FOUND_LID, [53] = FOUND_SL };

const struct fakeumad_reply port_reply = { .data = portinfo, .data_size = 64, .data_offset = 64 };
const struct fakeumad_reply node_reply = { .data = nodeinfo, .data_size = 64, .data_offset = 64 };
const struct fakeumad_reply path_reply = { .data = path, .data_size = 64, .data_offset = 56 };
const struct fakeumad_reply failure = { .status = 0x1c };

void expect_self(int attr_id, int timeout_ms, const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, &(struct fakeumad_packet){ .agent = 1,
							  .timeout_ms = timeout_ms,
							  .lid = 0xffff,
							  .mgmt_class = 0x81,
							  .method = 1,
							  .attr_id = (uint16_t)attr_id });
	memset(packet + FAKEUMAD_HEADER + 32, 0xff, 4);
	fakeumad_expect_write(packet, sizeof(packet), reply, 1);
}

void expect_path(int sm_lid, int sl, const char *into, const char *from,
		 const struct fakeumad_reply *reply)
{
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, &(struct fakeumad_packet){ .agent = 2,
							  .timeout_ms = 1000,
							  .lid = (uint16_t)sm_lid,
							  .sl = (uint8_t)sl,
							  .qpn = 1,
							  .qkey = IB_DEFAULT_QP1_QKEY,
							  .mgmt_class = 3,
							  .method = 1,
							  .attr_id = 0x35 });
	packet[FAKEUMAD_HEADER + 55] = 0x0c;
	memcpy(packet + FAKEUMAD_HEADER + 56 + 8, into, 16);
	memcpy(packet + FAKEUMAD_HEADER + 56 + 24, from, 16);
	fakeumad_expect_write(packet, sizeof(packet), reply, 1);
}

ib_portid_t garbage(void)
{
	ib_portid_t portid;

	memset(&portid, 0xee, sizeof(portid));
	return portid;
}

void assert_garbage(const ib_portid_t *portid)
{
	ib_portid_t before = garbage();

	assert_memory_equal(portid, &before, sizeof(before));
}
