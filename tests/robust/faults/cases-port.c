/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * cases-port.c - libibmad's ports: opening, closing, registering, and what is asked of one and set
 * on it.
 */
#include "fabric.h"

#include <infiniband/mad_message.h>

#include <errno.h>
#include <string.h>

#include "libibmad/internal.h"

#define PORT ((struct ibmad_port *)run->state)

/* With enforce_smi there is one way to do it. */
static void open_pair(struct fault_run *run, unsigned enforce_smi)
{
	char name[] = "mlx5_0";
	struct ibmad_ports_pair *pair;

	fault_begin(run);
	pair = fault_pointer(
		run, mad_rpc_open_port2(name, 1, fabric_classes, FABRIC_CLASSES, enforce_smi));
	if (run->failed)
		return;
	memcpy(run->output, pair->smi.ca_name, strlen(pair->smi.ca_name) + 1);
	memcpy(run->output + 64, pair->gsi.ca_name, strlen(pair->gsi.ca_name) + 1);
	FAULT_EXPECT(run, mad_rpc_class_agent(pair->smi.port, IB_SMI_CLASS) == 0);
	FAULT_EXPECT(run, mad_rpc_class_agent(pair->smi.port, IB_SA_CLASS) < 0);
	FAULT_EXPECT(run, mad_rpc_class_agent(pair->gsi.port, IB_SA_CLASS) == 0);
	mad_rpc_close_port2(pair);
}

/* The GSI device carries SMPs where the SMI's own can't; in this fabric each opens only once, so
 * that both on one are refused with EBUSY. */
static bool other_smi(const struct fault_run *run, const uint8_t *whole)
{
	return !strcmp((const char *)run->output, "mlx5_0") &&
	       !strcmp((const char *)run->output + 64, (const char *)whole + 64);
}

/* The functions without a port argument are for the default port, which is that of the scene. */
static bool is_default(const struct fault_run *run)
{
	return run->test->scene == &fabric_default;
}

/* A class that is registered once more gets another agent; one that is refused keeps what it has.
 */
static void call_register_client(struct fault_run *run)
{
	int before = mad_rpc_class_agent(PORT, IB_PERFORMANCE_CLASS), agent;

	fault_begin(run);
	agent = fault_minus_one(
		run, is_default(run) ? mad_register_client(IB_PERFORMANCE_CLASS, 0)
				     : mad_register_client_via(IB_PERFORMANCE_CLASS, 0, PORT));
	FAULT_EXPECT(run, mad_rpc_class_agent(PORT, IB_PERFORMANCE_CLASS) ==
				  (run->failed ? before : agent));
}

/* Another class each time, as one can be served once. */
static void call_register_server(struct fault_run *run)
{
	static const int classes[] = { 0x30, 0x31, 0x33 };
	int i = 0, agent;

	while (mad_rpc_class_agent(PORT, classes[i]) >= 0)
		i++;
	fault_begin(run);
	agent = fault_minus_one(
		run, is_default(run)
			     ? mad_register_server(classes[i], 0, NULL, FABRIC_OUI)
			     : mad_register_server_via(classes[i], 0, NULL, FABRIC_OUI, PORT));
	FAULT_EXPECT(run, mad_rpc_class_agent(PORT, classes[i]) == (run->failed ? -1 : agent));
}

/* The cause of a refused registration is reported; for a port without a node, that there is none.
 */
static const struct fault_rule open_rules[] = {
	{ FAULT_OPEN, FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL, EOPNOTSUPP } },
	{ FAULT_READ, FAULT_NOT_EXHAUSTED, FAULT_REPORTS, { EINVAL, EOPNOTSUPP } },
	{ FAULT_OPENDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL } },
	{ FAULT_READDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL } },
	{ FAULT_IOCTL, EINVAL, FAULT_LESS, { 0 } },
	{ FAULT_IOCTL, ENOTTY, FAULT_LESS, { 0 } },
};

/* What can't be read of one device may make it none of a pair. */
static const struct fault_rule pair_rules[] = {
	{ FAULT_OPEN, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL, EOPNOTSUPP, EBUSY } },
	{ FAULT_READ, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL, EOPNOTSUPP, EBUSY } },
	{ FAULT_OPENDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL, EBUSY } },
	{ FAULT_READDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL, EBUSY } },
	{ FAULT_IOCTL, FAULT_ANY, FAULT_LESS, { 0, EBUSY } },
};

static bool other_pair(const struct fault_run *run, const uint8_t *whole)
{
	(void)whole;
	return !strncmp((const char *)run->output, "mlx5_", 5) &&
	       !strncmp((const char *)run->output + 64, "mlx5_", 5);
}

/* For the default port others may be chosen. */
static const struct fault_rule default_rules[] = {
	{ FAULT_OPEN, FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL, EOPNOTSUPP, ENODEV, EIO } },
	{ FAULT_READ, FAULT_NOT_EXHAUSTED, FAULT_LESS, { EINVAL, EOPNOTSUPP, ENODEV } },
	{ FAULT_OPENDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL } },
	{ FAULT_READDIR, FAULT_NOT_EXHAUSTED, FAULT_LESS, { ENODEV, EINVAL } },
};

static void open_port(struct fault_run *run, const char *name, int portnum)
{
	struct ibmad_port *port;

	fault_begin(run);
	port = fault_pointer(
		run, mad_rpc_open_port((char *)name, portnum, fabric_classes, FABRIC_CLASSES));
	if (run->failed)
		return;
	for (int i = 0; i < FABRIC_CLASSES; i++)
		FAULT_EXPECT(run, mad_rpc_class_agent(port, fabric_classes[i]) == i);
	mad_rpc_close_port(port);
}

FAULT_DO(open_port(run, "mlx5_0", 1), mad_rpc_open_port, NULL, fabric_bare, 0,
	 FAULT_RULES(open_rules))
FAULT_DO(open_port(run, NULL, 0), mad_rpc_open_port, "the default one", fabric_bare, 0,
	 FAULT_RULES(default_rules))
FAULT_DO(open_pair(run, 1), mad_rpc_open_port2, NULL, fabric_bare, 0, FAULT_RULES(pair_rules),
	 .less = other_pair)
FAULT_DO(open_pair(run, 0), mad_rpc_open_port2, "or GSI alone", fabric_bare, 0,
	 FAULT_RULES(pair_rules), .less = other_smi)

FAULT(mad_rpc_close_port, NULL, fabric_bare, 0)
{
	char name[] = "mlx5_1";
	struct ibmad_port *port = mad_rpc_open_port(name, 1, fabric_classes, 1);

	fault_begin(run);
	mad_rpc_close_port(port);
	fault_cannot_fail(run);
}

/* The port has the descriptors until it is closed. */
FAULT(mad_receive_get_fd, NULL, fabric_bare, 0)
{
	char name[] = "mlx5_1";
	struct ibmad_port *port = mad_rpc_open_port(name, 1, fabric_classes, 1);

	fault_begin(run);
	fault_minus_one(run, mad_receive_get_fd(port) < 0 ? -1 : 0);
	mad_rpc_close_port(port);
}

FAULT(mad_rpc_close_port2, NULL, fabric_bare, 0)
{
	char name[] = "mlx5_0";
	struct ibmad_ports_pair *pair =
		mad_rpc_open_port2(name, 1, fabric_classes, FABRIC_CLASSES, 1);

	fault_begin(run);
	mad_rpc_close_port2(pair);
	fault_cannot_fail(run);
}

FAULT_DO(call_register_client(run), mad_register_client_via, NULL, fabric_port, 0)
FAULT_DO(call_register_server(run), mad_register_server_via, NULL, fabric_port, 0)
FAULT_DO(call_register_client(run), mad_register_client, NULL, fabric_default, 0)
FAULT_DO(call_register_server(run), mad_register_server, NULL, fabric_default, 0)
