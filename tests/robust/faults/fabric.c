/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* fabric.c - the fabric of fabric.h. */
#include "fabric.h"

#include <endian.h>
#include <string.h>
#include <time.h>

#include "common/bytes.h"
#include "common/mad_layout.h"
#include "fakeumad.h"
#include "libibmad/internal.h"

#define UMAD "/dev/infiniband/umad"

enum {
	NS_PER_S = 1000000000,
	RECORDS = 20,
	RECORD_SIZE = 176,
	SA_HEADER = IB_SA_DATA_OFFS - SA_ATTR_OFFSET
};

int fabric_classes[FABRIC_CLASSES] = { IB_SMI_CLASS,	     IB_SMI_DIRECT_CLASS, IB_SA_CLASS,
				       IB_PERFORMANCE_CLASS, IB_BOARD_MGMT_CLASS, IB_CC_CLASS,
				       FABRIC_VENDOR1,	     FABRIC_VENDOR2 };

static uint8_t pattern[IB_SMP_DATA_SIZE], port_info[IB_SMP_DATA_SIZE], node_info[IB_SMP_DATA_SIZE];
static uint8_t record[SA_HEADER + IB_SA_DATA_SIZE], table[SA_HEADER + RECORDS * RECORD_SIZE];
static const struct request_script *script;
static int written; /* requests that had responses of the script */

static void make_responses(void)
{
	fakeumad_pattern(pattern, sizeof(pattern), 1);
	memcpy(port_info, pattern, sizeof(port_info));
	mad_set_field(port_info, 0, IB_PORT_LID_F, 3);
	mad_set_field(port_info, 0, IB_PORT_SMLID_F, 1);
	memcpy(node_info, pattern, sizeof(node_info)); /* a host whose only port has no link */
	mad_set_field(node_info, 0, IB_NODE_TYPE_F, IB_NODE_CA);
	mad_set_field(node_info, 0, IB_NODE_NPORTS_F, 1);
	mad_set_field(node_info, 0, IB_NODE_LOCAL_PORT_F, 1);
	record[1] = IB_SA_DATA_SIZE / 8;
	mad_set_field(record + SA_HEADER, 0, IB_SA_PR_DLID_F, 7);
	fakeumad_pattern(table + SA_HEADER, sizeof(table) - SA_HEADER, SA_HEADER);
	table[1] = RECORD_SIZE / 8;
}

/* The fixed response to a MAD. */
static struct fakeumad_reply response_to(const uint8_t *mad)
{
	unsigned attr_id = (unsigned)mad[MAD_ATTR_ID] << 8 | mad[MAD_ATTR_ID + 1];
	struct fakeumad_reply reply = { .data = pattern,
					.data_size = sizeof(pattern),
					.data_offset = IB_SMP_DATA_OFFS };

	if (mad[MAD_CLASS] == IB_SA_CLASS && mad[MAD_METHOD] == IB_MAD_METHOD_GET)
		return (struct fakeumad_reply){ .data = record,
						.data_size = sizeof(record),
						.data_offset = SA_ATTR_OFFSET };
	if (mad[MAD_CLASS] == IB_SA_CLASS)
		return (struct fakeumad_reply){ .data = table,
						.data_size = sizeof(table),
						.data_offset = SA_ATTR_OFFSET,
						.length = SA_ATTR_OFFSET + sizeof(table) };
	if (mad[MAD_CLASS] != IB_SMI_CLASS && mad[MAD_CLASS] != IB_SMI_DIRECT_CLASS)
		return reply;
	if (attr_id == IB_ATTR_PORT_INFO)
		reply.data = port_info;
	if (attr_id == IB_ATTR_NODE_INFO)
		reply.data = node_info;
	return reply;
}

static ssize_t take_write(int device, const void *packet, size_t size)
{
	static struct request_outcome outcome;
	uint8_t kept[KERNEL_PACKET] = { 0 };
	const uint8_t *mad = kept + KERNEL_HEADER;
	int steps = script ? script->row->step_count : 0;

	memcpy(kept, packet, size < sizeof(kept) ? size : sizeof(kept));
	outcome.write_error = 0;
	outcome.nothing = script ? !steps : mad[MAD_METHOD] & IB_MAD_RESPONSE;
	if (steps) /* a request that a failure has made necessary gets the last response again */
		request_response(script, written < steps ? written++ : steps - 1, kept, &outcome);
	else
		outcome.reply = response_to(mad);
	kernel_lock();
	if (!outcome.write_error && !outcome.nothing)
		fakeumad_reply_to(device, kept, sizeof(kept), &outcome.reply);
	kernel_unlock();
	return kernel_result(outcome.write_error ? -outcome.write_error : (ssize_t)size);
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	(void)left;
	kernel_lock();
	kernel_set_clock(kernel.now_ns + time->tv_sec * NS_PER_S + time->tv_nsec);
	kernel_unlock();
	return 0;
}

static int open_device(const char *path)
{
	return !strncmp(path, UMAD, strlen(UMAD)) ? path[strlen(UMAD)] - '0' : -ENOENT;
}

static const struct kernel_policy policy = { .virtual_time = true,
					     .open_device = open_device,
					     .write = take_write };

/* The second device carries the SMPs that the first refuses: they are a pair. */
static void *set_up_bare(void)
{
	if (!table[1])
		make_responses();
	fault_enter_kernel();
	kernel_reset(&policy, NS_PER_S);
	kernel_host();
	kernel_port_file("mlx5_0", 1, "cap_mask", "0x2651ec48\n");
	kernel_ca("mlx5_1", 1, 1, 0);
	kernel_node(1, "mlx5_1", 1);
	fault_leave_kernel();
	script = NULL;
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

const struct fault_scene fabric_bare = { "a fabric", set_up_bare, NULL, NULL };
const struct fault_scene fabric_port = { "an open port", set_up_port, tear_down_port, NULL };
const struct fault_scene fabric_default = { "the default port", set_up_default, tear_down_default,
					    NULL };

void fabric_follow(const struct request_script *followed)
{
	script = followed;
	written = 0;
}

/* Delivers a MAD that no request waits for. */
static void deliver(uint8_t mgmt_class, uint8_t method, uint16_t attr_id)
{
	struct kernel_arrival *arrival;
	uint8_t packet[KERNEL_PACKET];

	fakeumad_build(packet, &(struct fakeumad_packet){ .agent = 3,
							  .lid = 5,
							  .qpn = 1,
							  .mgmt_class = mgmt_class,
							  .method = method,
							  .attr_id = attr_id,
							  .data = pattern,
							  .data_size = sizeof(pattern),
							  .data_offset = IB_PC_DATA_OFFS });
	((struct ib_user_mad *)(void *)packet)->length = sizeof(packet);
	fault_enter_kernel();
	kernel_lock();
	arrival = kernel_arrival_new(0, sizeof(packet));
	memcpy(arrival->packet, packet, sizeof(packet));
	kernel_arrival_send(arrival);
	kernel_unlock();
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
