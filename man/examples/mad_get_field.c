/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Fields of a NodeInfo, of each kind. */
#include <infiniband/mad.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 }, description[64] = { 0 };
	uint32_t type = IB_NODE_SWITCH;
	uint64_t guid;

	mad_set_field(info, 0, IB_NODE_NPORTS_F, 36);
	mad_set_field64(info, 0, IB_NODE_GUID_F, 0x0002c90300000001);
	mad_encode_field(info, IB_NODE_TYPE_F, &type);

	mad_decode_field(info, IB_NODE_GUID_F, &guid); /* 64 bits: a uint64_t */
	printf("%u ports, GUID 0x%016" PRIx64 "\n", mad_get_field(info, 0, IB_NODE_NPORTS_F), guid);
	printf("%s 0x%" PRIx64 "\n", mad_field_name(IB_NODE_GUID_F),
	       mad_get_field64(info, 0, IB_NODE_GUID_F));
	printf("%s: %u, byte 2 is 0x%02x\n", mad_field_name(IB_NODE_TYPE_F),
	       mad_get_field(info, 0, IB_NODE_TYPE_F), info[2]);

	/* An array of bytes, in an SMP whose data begins at byte 64. */
	memcpy(description, "spine-01", 8);
	uint8_t smp[IB_MAD_SIZE] = { 0 }, copy[65] = { 0 };

	mad_set_array(smp, IB_SMP_DATA_OFFS, IB_NODE_DESC_F, description);
	mad_get_array(smp, IB_SMP_DATA_OFFS, IB_NODE_DESC_F, copy);
	printf("%s\n", copy);
	return 0;
}
