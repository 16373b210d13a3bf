/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Prints fields in each way. */
#include <infiniband/mad.h>
#include <stdio.h>

int main(void)
{
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	uint32_t mtu = 4;
	char text[256];

	mad_set_field(info, 0, IB_PORT_LID_F, 5);
	mad_set_field(info, 0, IB_PORT_STATE_F, 4);

	puts(mad_dump_field(IB_PORT_MTU_CAP_F, text, sizeof(text), &mtu));
	puts(mad_dump_val(IB_PORT_MTU_CAP_F, text, sizeof(text), &mtu));
	mad_print_field(IB_PORT_MTU_CAP_F, "the MTU", &mtu);

	/* Several at a time, from the attribute itself. */
	mad_dump_fields(text, sizeof(text), info, sizeof(info), IB_PORT_LID_F, IB_PORT_CAPMASK_F);
	fputs(text, stdout);
	xdump(stdout, "bytes:\n", info + 16, 8);
	return 0;
}
