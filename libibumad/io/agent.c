/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Registers and unregisters MAD agents on an open port, by the requests of uapi.c.
 */
#include <errno.h>
#include <string.h>

#include "common/mad_layout.h"
#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

enum {
	OUI_MAX = 0xffffff,
	BITS_PER_LONG = 8 * sizeof(long),
	BITS_PER_WORD = 64,
};

/* Subnet management uses queue pair 0, all other classes queue pair 1. */
static uint8_t qpn_of_class(int mgmt_class)
{
	return !mad_class_is_smi(mgmt_class);
}

/* Converts a mask of longs into 64-bit words; NULL: no method. */
static void set_method_mask(struct umad_agent_request *request, const long *mask)
{
	size_t bit;

	if (!mask)
		return;
	for (size_t i = 0; i < 16 / sizeof(long); i++) {
		bit = i * BITS_PER_LONG;
		request->method_mask[bit / BITS_PER_WORD] |= (uint64_t)(unsigned long)mask[i]
							     << bit % BITS_PER_WORD;
	}
}

static int register_agent(int portid, struct umad_agent_request *request)
{
	int result = umad_uapi_register(portid, request);

	umad_state_trace(1, result, "port %d: registering class 0x%02x version %u rmpp %u", portid,
			 request->mgmt_class, request->mgmt_class_version, request->rmpp_version);
	if (result < 0) {
		umad_state_finish(result);
		return -EPERM;
	}
	umad_owner_note_agent(portid, request->agent_id, request->rmpp_version);
	return (int)request->agent_id;
}

int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
		  long method_mask[16 / sizeof(long)])
{
	struct umad_agent_request request = {
		.qpn = qpn_of_class(mgmt_class),
		.mgmt_class = (uint8_t)mgmt_class,
		.mgmt_class_version = (uint8_t)mgmt_version,
		.rmpp_version = rmpp_version,
		.oui = UMAD_OPENIB_OUI, /* of vendor classes registered without one */
	};

	if (portid < 0 || mgmt_class < 0 || mgmt_class > UINT8_MAX || mgmt_version < 0 ||
	    mgmt_version > UINT8_MAX)
		return umad_state_finish(-EINVAL);
	set_method_mask(&request, method_mask);
	return register_agent(portid, &request);
}

int umad_register_oui(int portid, int mgmt_class, uint8_t rmpp_version, uint8_t oui[3],
		      long method_mask[16 / sizeof(long)])
{
	struct umad_agent_request request = {
		.qpn = 1,
		.mgmt_class = (uint8_t)mgmt_class,
		.mgmt_class_version = 1,
		.rmpp_version = rmpp_version,
	};

	if (portid < 0 || !mad_class_is_vendor_range2(mgmt_class) || !oui)
		return umad_state_finish(-EINVAL);
	request.oui = (uint32_t)oui[0] << 16 | (uint32_t)oui[1] << 8 | oui[2];
	set_method_mask(&request, method_mask);
	return register_agent(portid, &request);
}

/* Kernels before REGISTER_AGENT2 fail with ENOTTY, and simulators with EINVAL. They support no
 * flags, without which the older request does the same. A newer kernel returns in the request the
 * flags that it supports; it leaves them unchanged if it rejects something else. */
static int register_with_fallback(int port_fd, struct umad_agent_request *request)
{
	uint32_t wanted = request->flags;
	int error = umad_uapi_register2(port_fd, request);

	if (error != -ENOTTY && error != -EINVAL)
		return error;
	if (!wanted)
		return umad_uapi_register(port_fd, request);
	if (error == -ENOTTY)
		request->flags = 0;
	return error;
}

int umad_register2(int port_fd, struct umad_reg_attr *attr, uint32_t *agent_id)
{
	struct umad_agent_request request = { 0 };
	int result;

	if (port_fd < 0 || !attr || !agent_id)
		return EINVAL;
	request.qpn = qpn_of_class(attr->mgmt_class);
	request.mgmt_class = attr->mgmt_class;
	request.mgmt_class_version = attr->mgmt_class_version;
	request.rmpp_version = attr->rmpp_version;
	request.flags = attr->flags;
	memcpy(request.method_mask, attr->method_mask, sizeof(request.method_mask));
	if (mad_class_is_vendor_range2(attr->mgmt_class)) {
		if (!attr->oui || attr->oui > OUI_MAX)
			return EINVAL;
		request.oui = attr->oui;
	}
	result = register_with_fallback(port_fd, &request);
	umad_state_trace(1, result,
			 "port %d: registering class 0x%02x version %u rmpp %u flags 0x%x", port_fd,
			 attr->mgmt_class, attr->mgmt_class_version, attr->rmpp_version,
			 attr->flags);
	if (result < 0) {
		attr->flags = request.flags;
		return -umad_state_finish(result);
	}
	umad_owner_note_agent(port_fd, request.agent_id,
			      request.rmpp_version && !(attr->flags & UMAD_USER_RMPP));
	*agent_id = request.agent_id;
	return 0;
}

int umad_unregister(int portid, int agentid)
{
	int error;

	if (portid < 0 || agentid < 0)
		return umad_state_finish(-EINVAL);
	error = umad_uapi_unregister(portid, (uint32_t)agentid);
	umad_state_trace(1, error, "port %d: unregistering agent %d", portid, agentid);
	return umad_state_finish(error);
}
