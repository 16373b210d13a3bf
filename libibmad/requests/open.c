/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Opens and closes ports, also as a pair of an SMI and a GSI device. libibumad determines which
 * device a name selects.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>
#include <infiniband/umad_types.h>

#include "libibmad/engine/port.h"
#include "libibmad/internal.h"
#include "libibmad/keys/keys.h"
#include "libibmad/routes/routes.h"

#define SA_RMPP_VERSION UMAD_RMPP_VERSION

/* The most frequent cause of each error, behind the message of the errno. The table of
 * docs/administrators.md explains them. */
static const char *open_hint(int error)
{
	static const struct {
		int error;
		const char *hint;
	} hints[] = {
		{ EOPNOTSUPP, ": is ib_umad module loaded?" },
		{ ENODEV, ": is it in /sys/class/infiniband?" },
		{ EINVAL, ": has the device such a port, and the port a umad device?" },
		{ ENOENT, ": is the device node in /dev/infiniband?" },
		{ EACCES, ": the device node is root's, or a group's" },
		{ EPERM, ": does the container allow it, and the network namespace?" },
		{ ENXIO, ": is the device node another device's?" },
		{ EPROTONOSUPPORT, ": the port has no subnet management" },
	};

	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (hints[i].error == -error)
			return hints[i].hint;
	return "";
}

/* Opens a port without registering any class. Returns 0 or -errno. */
static int open_bare(const char *dev_name, int dev_port, struct ibmad_port **opened)
{
	struct ibmad_port *port = calloc(1, sizeof(*port));
	int error;

	if (!port)
		return -ENOMEM;
	for (int i = 0; i < MAD_CLASSES; i++)
		atomic_init(&port->agents[i], -1);
	snprintf(port->ca_name, sizeof(port->ca_name), "%s", dev_name ? dev_name : "");
	port->port_number = dev_port;
	port->fd = umad_open_port(dev_name, dev_port);
	if (port->fd < 0) {
		error = mad_umad_result(port->fd);
		mad_warn("mad_rpc_open_port", "can't open UMAD port (%s:%d): %s%s",
			 dev_name ? dev_name : "(null)", dev_port, strerror(-error),
			 open_hint(error));
		goto err_free;
	}
	error = mad_engine_init(&port->engine, port->fd);
	if (error)
		goto err_close;
	*opened = port;
	return 0;

err_close:
	umad_close_port(port->fd);
err_free:
	free(port);
	return error;
}

static int register_class(struct ibmad_port *port, int mgmt_class)
{
	int rmpp_version = mgmt_class == IB_SA_CLASS ? SA_RMPP_VERSION : 0, agent;

	if (!mad_port_has_class(mgmt_class) || !mad_class_version(mgmt_class))
		return mad_refuse(MAD_REFUSED_NO_CLASS);
	agent = mad_port_register(port, mgmt_class, rmpp_version, NULL, 0);
	return agent < 0 ? agent : 0;
}

static int register_classes(struct ibmad_port *port, const int *mgmt_classes, int num_classes)
{
	int error = 0;

	for (int i = 0; i < num_classes && !error; i++) {
		error = register_class(port, mgmt_classes[i]);
		if (error)
			mad_warn("mad_rpc_open_port", "client_register for mgmt %d failed%s",
				 mgmt_classes[i],
				 error == -EPROTONOSUPPORT ? open_hint(error) : "");
	}
	return error;
}

static int check_classes(const int *mgmt_classes, int num_classes)
{
	if (num_classes >= MAD_CLASSES) {
		mad_warn("mad_rpc_open_port", "too many classes %d requested", num_classes);
		return mad_refuse(MAD_REFUSED_CLASSES);
	}
	return num_classes < 0 || (num_classes && !mgmt_classes) ? mad_refuse(MAD_REFUSED_CLASSES)
								 : 0;
}

static int open_port(const char *dev_name, int dev_port, const int *mgmt_classes, int num_classes,
		     struct ibmad_port **opened)
{
	int error = open_bare(dev_name, dev_port, opened);

	if (error)
		return error;
	error = register_classes(*opened, mgmt_classes, num_classes);
	if (error) {
		mad_rpc_close_port(*opened);
		*opened = NULL;
	}
	return error;
}

struct ibmad_port *mad_rpc_open_port(char *dev_name, int dev_port, int *mgmt_classes,
				     int num_classes)
{
	struct ibmad_port *port = NULL;
	int error;

	mad_state_read_environment();
	error = check_classes(mgmt_classes, num_classes);
	if (!error)
		error = open_port(dev_name, dev_port, mgmt_classes, num_classes, &port);
	mad_zero_or_error(error);
	return port;
}

void mad_rpc_close_port(struct ibmad_port *srcport)
{
	struct mad_routes *routes;

	if (!srcport)
		return;
	umad_close_port(srcport->fd);
	mad_engine_destroy(&srcport->engine);
	mad_keys_exchange(&srcport->extras, NULL);
	routes = atomic_load(&srcport->extras.routes);
	if (routes)
		mad_routes_destroy(routes);
	free(srcport);
}

/* The classes of one side of a pair: those that use QP 0, or all others. */
static int select_classes(const int *mgmt_classes, int num_classes, bool smi, int *selected)
{
	int count = 0;

	for (int i = 0; i < num_classes; i++)
		if (mad_class_is_smi(mgmt_classes[i]) == smi)
			selected[count++] = mgmt_classes[i];
	return count;
}

static int open_item(const char *ca_name, int port_number, const int *mgmt_classes, int num_classes,
		     ibmad_ports_item_t *item)
{
	if (!ca_name[0])
		return -ENODEV;
	snprintf(item->ca_name, sizeof(item->ca_name), "%s", ca_name);
	return open_port(ca_name, port_number, mgmt_classes, num_classes, &item->port);
}

/* A resource of the process is exhausted: the device is not the cause. */
static bool is_exhausted(int error)
{
	return error == -EMFILE || error == -ENFILE || error == -ENOMEM || error == -EAGAIN;
}

/* Opens both sides. Without enforce_smi the GSI device carries SMPs if the SMI device cannot be
 * opened. */
static int open_pair(const struct umad_ca_pair *names, const int *mgmt_classes, int num_classes,
		     bool enforce_smi, struct ibmad_ports_pair *pair)
{
	int selected[MAD_CLASSES] = { 0 };
	int count = select_classes(mgmt_classes, num_classes, true, selected);
	int error =
		open_item(names->smi_name, names->smi_preferred_port, selected, count, &pair->smi);

	if (error && !enforce_smi && !is_exhausted(error))
		error = open_item(names->gsi_name, names->gsi_preferred_port, selected, count,
				  &pair->smi);
	if (error)
		return error;
	count = select_classes(mgmt_classes, num_classes, false, selected);
	return open_item(names->gsi_name, names->gsi_preferred_port, selected, count, &pair->gsi);
}

struct ibmad_ports_pair *mad_rpc_open_port2(char *dev_name, int dev_port, int *mgmt_classes,
					    int num_classes, unsigned enforce_smi)
{
	struct ibmad_ports_pair *pair = NULL;
	struct umad_ca_pair names;
	int error;

	mad_state_read_environment();
	error = check_classes(mgmt_classes, num_classes);
	if (!error && (dev_port < 0 || dev_port > UINT8_MAX))
		error = -EINVAL;
	if (!error)
		error = umad_get_smi_gsi_pair_by_ca_name(dev_name, dev_port, &names, enforce_smi);
	if (error < 0)
		goto err;
	pair = calloc(1, sizeof(*pair));
	if (!pair) {
		error = -ENOMEM;
		goto err;
	}
	error = open_pair(&names, mgmt_classes, num_classes, enforce_smi, pair);
	if (!error)
		return pair;
	mad_rpc_close_port2(pair);
err:
	errno = -error;
	mad_warn("mad_rpc_open_port2", "can't open the UMAD ports of %s:%d: %m",
		 dev_name ? dev_name : "(null)", dev_port);
	mad_fail_again(__func__, error);
	return NULL;
}

void mad_rpc_close_port2(struct ibmad_ports_pair *srcport)
{
	if (!srcport)
		return;
	mad_rpc_close_port(srcport->smi.port);
	mad_rpc_close_port(srcport->gsi.port);
	free(srcport);
}
