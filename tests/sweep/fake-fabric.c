/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The nodes and cables of the artificial fabric, and the nodes' responses. LIDs are indices plus 1.
 */
#include <errno.h>
#include <string.h>

#include "fake.h"

#define FIRST_GUID	UINT64_C(0x0200000000000010)
#define PORT_DOWN	1
#define PORT_ACTIVE	4
#define PHYS_POLLING	2
#define PHYS_LINK_UP	5
#define WIDTH_4X	2
#define SPEED_EXT_EDR	2
#define CAN_DO_EXTENDED 0x1200 /* 64-bit counters, and PortXmitWait */

struct fake_fabric fake;

void fake_reset(void)
{
	memset(&fake, 0, sizeof(fake));
}

int fake_add_node(uint8_t type, uint8_t number_of_ports, const char *name)
{
	struct fake_node *node = &fake.nodes[fake.number_of_nodes];

	node->guid = FIRST_GUID + (uint64_t)fake.number_of_nodes * 0x10;
	node->type = type;
	node->number_of_ports = number_of_ports;
	node->name = name;
	for (int port = 0; port <= FAKE_PORTS_MAX; port++)
		node->peers[port].node = -1;
	return fake.number_of_nodes++;
}

void fake_cable(int node, uint8_t port, int peer, uint8_t peer_port)
{
	fake.nodes[node].peers[port] = (struct fake_end){ peer, peer_port };
	fake.nodes[peer].peers[peer_port] = (struct fake_end){ node, port };
}

/* Where a directed route ends; node -1 where no cable is. */
static struct fake_end walk(const ib_dr_path_t *path)
{
	struct fake_end end = { 0, 1 };

	for (int hop = 1; hop <= path->cnt && end.node >= 0; hop++)
		end = path->p[hop] <= FAKE_PORTS_MAX ? fake.nodes[end.node].peers[path->p[hop]]
						     : (struct fake_end){ -1, 0 };
	return end;
}

static void answer_node_info(const struct fake_node *node, uint8_t local_port, uint8_t *data)
{
	mad_set_field(data, 0, IB_NODE_TYPE_F, node->type);
	mad_set_field(data, 0, IB_NODE_NPORTS_F, node->number_of_ports);
	mad_set_field(data, 0, IB_NODE_LOCAL_PORT_F, local_port);
	mad_set_field64(data, 0, IB_NODE_GUID_F, node->guid);
	mad_set_field64(data, 0, IB_NODE_PORT_GUID_F,
			node->type == IB_NODE_SWITCH ? node->guid : node->guid + local_port);
}

static void answer_port_info(int index, unsigned port, uint8_t *data)
{
	const struct fake_node *node = &fake.nodes[index];
	int cabled = port == 0 || (port <= FAKE_PORTS_MAX && node->peers[port].node >= 0);

	mad_set_field(data, 0, IB_PORT_LID_F, index + 1);
	mad_set_field(data, 0, IB_PORT_STATE_F, cabled ? PORT_ACTIVE : PORT_DOWN);
	mad_set_field(data, 0, IB_PORT_PHYS_STATE_F, cabled ? PHYS_LINK_UP : PHYS_POLLING);
	mad_set_field(data, 0, IB_PORT_LINK_WIDTH_ACTIVE_F, WIDTH_4X);
	mad_set_field(data, 0, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, SPEED_EXT_EDR);
}

static void answer_smp(const struct fake_request *request, struct fake_end end, uint8_t *data)
{
	switch (request->attribute) {
	case IB_ATTR_NODE_INFO:
		answer_node_info(&fake.nodes[end.node], end.port, data);
		break;
	case IB_ATTR_NODE_DESC:
		strncpy((char *)data, fake.nodes[end.node].name, IB_SMP_DATA_SIZE);
		break;
	case IB_ATTR_PORT_INFO:
		answer_port_info(end.node, request->modifier, data);
		break;
	case IB_ATTR_SWITCH_INFO:
		mad_set_field(data, 0, IB_SW_ENHANCED_PORT0_F, 0);
		break;
	}
}

/* Every counter of a port has a different value, which identifies its source. */
static void answer_perf(const struct fake_request *request, int node, uint8_t *data)
{
	unsigned port = request->modifier;

	switch (request->attribute) {
	case CLASS_PORT_INFO:
		mad_set_field(data, 0, IB_CPI_CAPMASK_F, CAN_DO_EXTENDED);
		break;
	case IB_GSI_PORT_COUNTERS:
		mad_set_field(data, 0, IB_PC_ERR_SYM_F, node * 100 + port);
		mad_set_field(data, 0, IB_PC_XMT_BYTES_F, UINT32_MAX);
		mad_set_field(data, 0, IB_PC_XMT_WAIT_F, 77);
		break;
	case IB_GSI_PORT_COUNTERS_EXT:
		mad_set_field64(data, 0, IB_PC_EXT_XMT_BYTES_F, UINT64_MAX - node * 100 - port);
		mad_set_field64(data, 0, IB_PC_EXT_XMT_UPKTS_F, 5);
		break;
	}
}

void fake_answer_request(const struct fake_request *request, struct fake_answer *answer)
{
	struct fake_end end;

	memset(answer, 0, sizeof(*answer));
	if (request->mgmt_class == IB_PERFORMANCE_CLASS)
		end = (struct fake_end){ request->to.lid - 1, 0 };
	else
		end = walk(&request->to.drpath);
	if (end.node < 0 || end.node >= fake.number_of_nodes) {
		answer->error = ETIMEDOUT;
	} else if (request->mgmt_class == IB_PERFORMANCE_CLASS) {
		answer->length = IB_PC_DATA_SZ;
		answer_perf(request, end.node, answer->data);
	} else {
		answer->length = IB_SMP_DATA_SIZE;
		answer_smp(request, end, answer->data);
	}
	if (fake.twist)
		fake.twist(request, end.node, answer);
}
