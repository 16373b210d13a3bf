/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Cases: performance_reset_via(), each kind of attribute with each kind of mask. */
#include "wire.h"

static void reset(struct ibmad_port *port, unsigned mask, unsigned id)
{
	ib_portid_t dest = wire_lid(4);
	uint8_t data[256];
	char text[60];

	memset(data, WIRE_UNTOUCHED, sizeof(data));
	mad_rpc_set_retries(port, 1);
	snprintf(text, sizeof(text), "performance_reset_via mask %#x id %#x", mask, id);
	show_result(text, performance_reset_via(data, &dest, 3, mask, 20, id, port), data,
		    IB_PC_DATA_SZ);
	show_portid("dest", &dest);
}

TEST(perf_reset_masks)
{
	static const unsigned ids[] = { 0x12, 0x1d, 0x1f, 0x15, 0x16, 0x36, 0x37, 0x10, 0x31 };
	static const unsigned masks[] = { 0, 0xffff, 0x00010001, 0xfffff, 0x12345678, 0xffffffff };
	struct ibmad_port *port = wire_port();

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		for (size_t k = 0; k < sizeof(masks) / sizeof(masks[0]); k++)
			reset(port, masks[k], ids[i]);
}
