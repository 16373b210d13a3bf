/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Registering a port's management classes with the kernel, as client or as server.
 */
#include <errno.h>
#include <string.h>

#include <infiniband/umad.h>

#include "libibmad/engine/port.h"
#include "libibmad/internal.h"

/*
 * Registers one class: as client if method_mask is NULL, else as server. With oui 0 libibumad
 * chooses the OUI. Returns the agent or -errno.
 */
int mad_port_register(struct ibmad_port *port, int mgmt_class, uint8_t rmpp_version,
		      long method_mask[], uint32_t oui)
{
	int version = mad_class_version(mgmt_class), agent;

	if (!version)
		return mad_refuse(MAD_REFUSED_NO_CLASS);
	if (oui && mad_is_vendor_range2(mgmt_class)) {
		uint8_t bytes[] = { oui >> 16, oui >> 8 & 0xff, oui & 0xff };

		agent = umad_register_oui(port->fd, mgmt_class, rmpp_version, bytes, method_mask);
	} else {
		agent = umad_register(port->fd, mgmt_class, version, rmpp_version, method_mask);
	}
	if (agent >= 0)
		atomic_store(&port->agents[mgmt_class], agent);
	else if (agent == -EPERM && errno > 0) /* the kernel refused; errno has the reason */
		agent = -errno;
	return agent;
}

static int register_via(const char *function, bool server, int mgmt, uint8_t rmpp_version,
			long method_mask[], uint32_t oui, struct ibmad_port *srcport)
{
	int agent;

	if (server && srcport && mad_port_agent(srcport, mgmt) >= 0)
		agent = -EEXIST;
	else if (srcport)
		agent = mad_port_register(srcport, mgmt, rmpp_version, method_mask, oui);
	else
		agent = mad_refuse(MAD_REFUSED_PORT);
	if (agent < 0) {
		mad_show_error("mad_register", "can't register class 0x%x: error %d", mgmt, -agent);
		return mad_fail_again(function, agent);
	}
	return agent;
}

int mad_register_client_via(int mgmt, uint8_t rmpp_version, struct ibmad_port *srcport)
{
	return register_via(__func__, false, mgmt, rmpp_version, NULL, 0, srcport);
}

int mad_register_server_via(int mgmt, uint8_t rmpp_version, long method_mask[], uint32_t class_oui,
			    struct ibmad_port *srcport)
{
	long all_methods[16 / sizeof(long)];

	memset(all_methods, 0xff, sizeof(all_methods));
	if (mad_is_vendor_range2(mgmt) && (!class_oui || class_oui > 0xffffff))
		return mad_zero_or_error(mad_refuse(MAD_REFUSED_SERVER_OUI));
	return register_via(__func__, true, mgmt, rmpp_version,
			    method_mask ? method_mask : all_methods, class_oui, srcport);
}
