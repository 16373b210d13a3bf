/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The interface without a port argument. */
#include <infiniband/mad.h>
#include <stdio.h>

int main(void)
{
	int classes[] = { IB_SMI_DIRECT_CLASS, IB_SMI_CLASS }, agent;
	uint8_t info[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t self = { 0 };

	madrpc_init(NULL, 0, classes, 2); /* ends the program if it fails */
	if (!smp_query(info, &self, IB_ATTR_NODE_INFO, 0, 0)) {
		perror("NodeInfo");
		return 1;
	}
	printf("%u ports\n", mad_get_field(info, 0, IB_NODE_NPORTS_F));
	agent = mad_class_agent(IB_SMI_CLASS);
	printf("class 0x%02x, portid %s\n", mad_agent_class(agent),
	       madrpc_portid() < 0 ? "none" : "there");
	return 0;
}
