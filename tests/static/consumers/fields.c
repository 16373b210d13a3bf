/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A program that needs no device: writes fields of a NodeInfo, reads them back and prints all. */
#include <inttypes.h>
#include <stdio.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <infiniband/umad_str.h>

int main(void)
{
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	char text[1024];

	mad_set_field(info, 0, IB_NODE_TYPE_F, 2);
	mad_set_field(info, 0, IB_NODE_NPORTS_F, 36);
	mad_set_field64(info, 0, IB_NODE_GUID_F, UINT64_C(0x0002c90300abcdef));
	mad_dump_nodeinfo(text, sizeof(text), info, sizeof(info));
	fputs(text, stdout);
	printf("guid %" PRIx64 ", %s %s\n", mad_get_field64(info, 0, IB_NODE_GUID_F),
	       umad_class_str(IB_SMI_CLASS), umad_method_str(IB_SMI_CLASS, IB_MAD_METHOD_GET));
	return 0;
}
