/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-port.c - libibmad's ports: opening, closing and registering; receiving and responding. A
 * received MAD is not lost when a receive fails, unless the read of it did.
 */
#include "fabric.h"

#include <errno.h>
#include <string.h>

#include <infiniband/mad_message.h>
#include <infiniband/mad_sa.h>

/* A failed registration is reported with its cause; a port without a umad node, as one that does
 * not exist. */
static const struct fault_rule open_rules[] = {
	{ FAULT_BIT(OPEN), FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL, EOPNOTSUPP } },
	{ FAULT_BIT(READ), FAULT_NOT_EXHAUSTED, FAULT_REPORTS, { EINVAL, EOPNOTSUPP } },
	{ FAULT_SYSFS, FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL } },
	{ FAULT_BIT(IOCTL), EINVAL, FAULT_LESS, { 0 } },
	{ FAULT_BIT(IOCTL), ENOTTY, FAULT_LESS, { 0 } },
};

/* A device that cannot be read may belong to no pair. */
static const struct fault_rule pair_rules[] = {
	{ FAULT_BIT(OPEN) | FAULT_BIT(READ),
	  FAULT_NOT_EXHAUSTED,
	  FAULT_LESS,
	  { ENODEV, EINVAL, EOPNOTSUPP, EBUSY } },
	{ FAULT_SYSFS, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL, EBUSY } },
	{ FAULT_BIT(IOCTL), FAULT_ANY, FAULT_LESS, { 0, EBUSY } },
};

/* Another port may be chosen as the default. */
static const struct fault_rule default_rules[] = {
	{ FAULT_BIT(OPEN), FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL, EOPNOTSUPP, ENODEV, EIO } },
	{ FAULT_BIT(READ), FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL, EOPNOTSUPP, ENODEV } },
	{ FAULT_SYSFS, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL } },
};

static void open_port(struct fault_run *run, const char *name, int portnum)
{
	struct ibmad_port *port;

	fault_begin(run);
	port = fault_pointer(
		run, mad_rpc_open_port((char *)name, portnum, fabric_classes, FABRIC_CLASSES));
	for (int i = 0; port && i < FABRIC_CLASSES; i++)
		FAULT_EXPECT(run, mad_rpc_class_agent(port, fabric_classes[i]) == i);
	mad_rpc_close_port(port);
}

static struct ibmad_ports_pair *open_ports(unsigned enforce_smi)
{
	char name[] = "mlx5_0";

	return mad_rpc_open_port2(name, 1, fabric_classes, FABRIC_CLASSES, enforce_smi);
}

static void open_pair(struct fault_run *run, unsigned enforce_smi)
{
	struct ibmad_ports_pair *pair;

	fault_begin(run);
	pair = fault_pointer(run, open_ports(enforce_smi));
	if (!pair)
		return;
	fault_print(run, "smi=%s gsi=%s ", pair->smi.ca_name, pair->gsi.ca_name);
	FAULT_EXPECT(run, mad_rpc_class_agent(pair->smi.port, IB_SMI_CLASS) == 0);
	FAULT_EXPECT(run, mad_rpc_class_agent(pair->smi.port, IB_SA_CLASS) < 0);
	FAULT_EXPECT(run, mad_rpc_class_agent(pair->gsi.port, IB_SA_CLASS) == 0);
	mad_rpc_close_port2(pair);
}

static bool other_pair(const char *text, const char *whole)
{
	(void)whole;
	return !strncmp(text, "smi=mlx5_", 9) && strstr(text, " gsi=mlx5_");
}

/* The GSI's device carries SMPs where the SMI's cannot. Here each device opens only once: EBUSY
 * where both are one. */
static bool other_smi(const char *text, const char *whole)
{
	return !strncmp(text, "smi=mlx5_0 ", 11) && !strcmp(strchr(text, ' '), strchr(whole, ' '));
}

FAULT_DO(open_port(run, "mlx5_0", 1), mad_rpc_open_port, NULL, fabric_bare, 0,
	 FAULT_RULES(open_rules))
FAULT_DO(open_port(run, NULL, 0), mad_rpc_open_port, "the default one", fabric_bare, 0,
	 FAULT_RULES(default_rules))
FAULT_DO(open_pair(run, 1), mad_rpc_open_port2, NULL, fabric_bare, 0, FAULT_RULES(pair_rules),
	 .less = other_pair)
FAULT_DO(open_pair(run, 0), mad_rpc_open_port2, "or GSI alone", fabric_bare, 0,
	 FAULT_RULES(pair_rules), .less = other_smi)

static struct ibmad_port *open_second(void)
{
	char name[] = "mlx5_1";

	return mad_rpc_open_port(name, 1, fabric_classes, 1);
}

FAULT_STEPS(mad_rpc_close_port, fabric_bare, 0, struct ibmad_port *port = open_second(),
	    mad_rpc_close_port(port), fault_cannot_fail(run))

FAULT_STEPS(mad_rpc_close_port2, fabric_bare, 0, struct ibmad_ports_pair *pair = open_ports(1),
	    mad_rpc_close_port2(pair), fault_cannot_fail(run))

/* The port has the descriptors until it is closed. */
FAULT_STEPS(mad_receive_get_fd, fabric_bare, 0, struct ibmad_port *port = open_second(),
	    fault_minus_one(run, mad_receive_get_fd(port) < 0 ? -1 : 0), mad_rpc_close_port(port))

/* A class that is registered once more gets another agent; after a refusal it keeps its agent. */
static void register_client(struct fault_run *run)
{
	int before = mad_rpc_class_agent(PORT, IB_PERFORMANCE_CLASS), agent;

	fault_begin(run);
	agent = fault_minus_one(
		run, IS_DEFAULT ? mad_register_client(IB_PERFORMANCE_CLASS, 0)
				: mad_register_client_via(IB_PERFORMANCE_CLASS, 0, PORT));
	FAULT_EXPECT(run, mad_rpc_class_agent(PORT, IB_PERFORMANCE_CLASS) ==
				  (run->failed ? before : agent));
}

/* Another class each time: a class can have one server. */
static void register_server(struct fault_run *run)
{
	static const int classes[] = { 0x30, 0x31, 0x33 };
	int i = 0, agent;

	while (mad_rpc_class_agent(PORT, classes[i]) >= 0)
		i++;
	fault_begin(run);
	agent = fault_minus_one(
		run, IS_DEFAULT ? mad_register_server(classes[i], 0, NULL, FABRIC_OUI)
				: mad_register_server_via(classes[i], 0, NULL, FABRIC_OUI, PORT));
	FAULT_EXPECT(run, mad_rpc_class_agent(PORT, classes[i]) == (run->failed ? -1 : agent));
}

static void receive(struct fault_run *run, bool own_buffer)
{
	uint8_t *umad = own_buffer ? mad_alloc() : NULL, *taken, *again;

	fabric_ask_us();
	fault_begin(run);
	taken = fault_pointer(run, IS_DEFAULT ? mad_receive(umad, 2000)
					      : mad_receive_via(umad, 2000, PORT));
	FAULT_EXPECT(run, !taken || !umad || taken == umad);
	if (taken)
		memcpy(run->output, taken, umad_size() + IB_MAD_SIZE);
	again = taken ? NULL : mad_receive_via(NULL, 2000, PORT);
	FAULT_EXPECT(run, taken || again);
	mad_free(again);
	mad_free(umad ? umad : taken);
	fabric_drop_all(PORT);
}

/* A request that was received. */
static uint8_t *get_request(struct ibmad_port *port)
{
	fabric_ask_us();
	return mad_receive_via(NULL, 2000, port);
}

static void respond(struct fault_run *run)
{
	uint8_t *umad = get_request(PORT);

	fault_begin(run);
	fault_minus_one(run, IS_DEFAULT ? mad_respond(umad, NULL, 0)
					: mad_respond_via(umad, NULL, 0, PORT));
	mad_free(umad);
}

FAULT_DO(register_client(run), mad_register_client_via, NULL, fabric_port, 0)
FAULT_DO(register_client(run), mad_register_client, NULL, fabric_default, 0)
FAULT_DO(register_server(run), mad_register_server_via, NULL, fabric_port, 0)
FAULT_DO(register_server(run), mad_register_server, NULL, fabric_default, 0)
FAULT_DO(receive(run, false), mad_receive_via, NULL, fabric_port, FAULT_UNTOUCHED)
FAULT_DO(receive(run, true), mad_receive_via, "into a buffer", fabric_port, FAULT_UNTOUCHED)
FAULT_DO(receive(run, false), mad_receive, NULL, fabric_default, FAULT_UNTOUCHED)
FAULT_DO(respond(run), mad_respond_via, NULL, fabric_port, 0)
FAULT_DO(respond(run), mad_respond, NULL, fabric_default, 0)

FAULT(mad_send, NULL, fabric_default, 0)
{
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS,
			 .method = IB_MAD_METHOD_GET,
			 .attr = { .id = IB_GSI_PORT_COUNTERS } };
	ib_portid_t to = { .lid = 7, .qp = 1 };

	fault_begin(run);
	fault_minus_one(run, mad_send(&rpc, &to, NULL, NULL));
	fabric_drop_all(PORT);
}

FAULT(mad_message_respond_table, NULL, fabric_port, 0)
{
	static const uint8_t records[10][64];
	uint8_t *umad = get_request(PORT), before[512], *mad = umad_get_mad(umad);

	mad[1] = FABRIC_VENDOR2;
	memcpy(before, umad, umad_size() + IB_MAD_SIZE);
	fault_begin(run);
	fault_minus_one(run, mad_message_respond_table(PORT, NULL, umad, 0, records, 64, 10));
	FAULT_EXPECT(run, !memcmp(before, umad, umad_size() + IB_MAD_SIZE));
	mad_free(umad);
}

/* A request that a failed call could not receive is there for the next. */
FAULT(mad_message_receive, NULL, fabric_port, 0)
{
	uint8_t data[IB_MAD_SIZE];
	struct iovec part = { data, sizeof(data) };
	struct mad_message message;

	fabric_ask_us();
	fault_begin(run);
	fault_minus_one(run, mad_message_receive(PORT, &message, &part, 1, FABRIC_TIMEOUT_MS));
	fabric_drop_all(PORT);
}

/* A notice that a failed call could not receive is there for the next. */
FAULT_STEPS(mad_sa_receive_notice, fabric_port, 0, uint8_t notice[MAD_SA_NOTICE_SIZE];
	    fabric_report_to_us(),
	    fault_minus_one(run, mad_sa_receive_notice(PORT, notice, FABRIC_TIMEOUT_MS)),
	    fabric_drop_all(PORT))

/* The first transaction ID of a process is a random number, or of the clock. */
FAULT(mad_trid, NULL, fabric_bare, FAULT_FRESH)
{
	uint64_t first, second;

	fault_begin(run);
	first = mad_trid();
	second = mad_trid();
	fault_cannot_fail(run);
	FAULT_EXPECT(run, first && second && first != second);
}
