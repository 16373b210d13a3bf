/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <infiniband/mad.h>

#include <cstdio>
#include <memory>

int main()
{
	int classes[] = { IB_SMI_DIRECT_CLASS };
	std::unique_ptr<ibmad_port, decltype(&mad_rpc_close_port)> port(
		mad_rpc_open_port(nullptr, 0, classes, 1), mad_rpc_close_port);
	uint8_t info[IB_SMP_DATA_SIZE], name[IB_SMP_DATA_SIZE];
	ib_portid_t self = {};

	if (!port || !smp_query_via(info, &self, IB_ATTR_NODE_INFO, 0, 0, port.get()) ||
	    !smp_query_via(name, &self, IB_ATTR_NODE_DESC, 0, 0, port.get())) {
		std::perror("NodeInfo");
		return 1;
	}
	std::printf("%.64s has %u ports\n", reinterpret_cast<char *>(name),
		    mad_get_field(info, 0, IB_NODE_NPORTS_F));
}
