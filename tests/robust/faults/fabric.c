/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The fabric of fabric.h. */
#include "fabric.h"

#include <stdio.h>
#include <string.h>

#include "libibmad/internal.h"
#include "common/bytes.h"
#include "common/mad_layout.h"
#include "responder.h"

int fabric_classes[FABRIC_CLASSES] = { IB_SMI_CLASS,	     IB_SMI_DIRECT_CLASS, IB_SA_CLASS,
				       IB_PERFORMANCE_CLASS, IB_BOARD_MGMT_CLASS, IB_CC_CLASS,
				       FABRIC_VENDOR1,	     FABRIC_VENDOR2 };

static uint8_t pattern[IB_SMP_DATA_SIZE], port_info[IB_SMP_DATA_SIZE], node_info[IB_SMP_DATA_SIZE];
static uint8_t record[IB_SA_DATA_OFFS - SA_ATTR_OFFSET + IB_SA_DATA_SIZE];
static uint8_t table[IB_SA_DATA_OFFS - SA_ATTR_OFFSET + FABRIC_RECORDS * FABRIC_RECORD_SIZE];

static void make_responses(void)
{
	uint8_t *path = record + IB_SA_DATA_OFFS - SA_ATTR_OFFSET;

	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (uint8_t)(i + 1);
	memcpy(port_info, pattern, sizeof(port_info));
	mad_set_field(port_info, 0, IB_PORT_LID_F, 3);
	mad_set_field(port_info, 0, IB_PORT_SMLID_F, 1);
	memcpy(node_info, pattern, sizeof(node_info)); /* a host whose only port has no link */
	mad_set_field(node_info, 0, IB_NODE_TYPE_F, IB_NODE_CA);
	mad_set_field(node_info, 0, IB_NODE_NPORTS_F, 1);
	mad_set_field(node_info, 0, IB_NODE_LOCAL_PORT_F, 1);
	mad_set_field(path, 0, IB_SA_PR_DLID_F, 7);
	record[1] = IB_SA_DATA_SIZE / 8;
	for (size_t i = IB_SA_DATA_OFFS - SA_ATTR_OFFSET; i < sizeof(table); i++)
		table[i] = (uint8_t)i;
	table[1] = FABRIC_RECORD_SIZE / 8;
}

static void response(const struct responder_request *request, struct responder_response *reply,
		     void *context)
{
	unsigned attr_id = (unsigned)request->mad[MAD_ATTR_ID] << 8 | request->mad[MAD_ATTR_ID + 1];
	bool smi =
		request->mgmt_class == IB_SMI_CLASS || request->mgmt_class == IB_SMI_DIRECT_CLASS;

	(void)context;
	reply->data = pattern;
	if (smi && attr_id == IB_ATTR_PORT_INFO)
		reply->data = port_info;
	if (smi && attr_id == IB_ATTR_NODE_INFO)
		reply->data = node_info;
	reply->data_size = sizeof(pattern);
	reply->data_offset = IB_SMP_DATA_OFFS;
	if (request->mgmt_class != IB_SA_CLASS)
		return;
	reply->data_offset = SA_ATTR_OFFSET;
	if (request->mad[MAD_METHOD] == IB_MAD_METHOD_GET) {
		reply->data = record;
		reply->data_size = sizeof(record);
	} else {
		reply->data = table;
		reply->data_size = sizeof(table);
		reply->length = SA_ATTR_OFFSET + sizeof(table);
	}
}

static void *set_up_bare(void)
{
	make_responses();
	fault_enter_kernel();
	responder_reset();
	responder_plan(response, NULL);
	fault_leave_kernel();
	return NULL;
}

static void *set_up_port(void)
{
	char name[] = "mlx5_0";
	struct ibmad_port *port;

	set_up_bare();
	port = mad_rpc_open_port(name, 1, fabric_classes, FABRIC_CLASSES);
	mad_rpc_set_timeout(port, FABRIC_TIMEOUT_MS);
	mad_rpc_set_retries(port, 2);
	return port;
}

static void tear_down_port(void *state)
{
	mad_rpc_close_port(state);
}

static void *set_up_default(void)
{
	struct ibmad_port *port = set_up_port();

	mad_state_set_default_port(port);
	return port;
}

static void tear_down_default(void *state)
{
	mad_state_set_default_port(NULL);
	mad_rpc_close_port(state);
}

const struct fault_scene fabric_bare = { .name = "a fabric", .set_up = set_up_bare };
const struct fault_scene fabric_port = { "an open port", set_up_port, tear_down_port, NULL };
const struct fault_scene fabric_default = { "the default port", set_up_default, tear_down_default,
					    NULL };

/* Delivers a MAD that no request waits for. */
static void deliver(uint8_t mgmt_class, uint8_t method, uint16_t attr_id)
{
	uint8_t packet[RESPONDER_PACKET] = { 0 };
	struct ib_user_mad *umad = (void *)packet;
	uint8_t *mad = packet + RESPONDER_HEADER;

	umad->length = RESPONDER_PACKET;
	umad->agent_id = 3;
	umad->addr.lid = htobe16(5);
	umad->addr.qpn = htobe32(1);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = mgmt_class;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = method;
	mad_put_be16(mad + MAD_ATTR_ID, attr_id);
	memcpy(mad + IB_PC_DATA_OFFS, pattern, sizeof(pattern));
	fault_enter_kernel();
	responder_deliver(0, packet, sizeof(packet));
	fault_leave_kernel();
}

void fabric_ask_us(void)
{
	deliver(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, 0);
}

void fabric_report_to_us(void)
{
	deliver(IB_SA_CLASS, IB_MAD_METHOD_REPORT, IB_SA_ATTR_NOTICE);
}

void fabric_drop_all(struct ibmad_port *port)
{
	void *umad;

	while ((umad = mad_receive_via(NULL, 0, port)))
		mad_free(umad);
}
