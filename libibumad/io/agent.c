/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Registers and unregisters MAD agents on an open port.
 */
#include <errno.h>
#include <string.h>

#include "common/mad_layout.h"
#include "libibumad/base/sys.h"
#include "libibumad/internal.h"

/* The kernel's header has a struct of this name, too. */
#define ib_user_mad kernel_user_mad
#include <rdma/ib_user_mad.h>
#undef ib_user_mad

enum {
	OUI_MAX = 0xffffff,
	BITS_PER_LONG = 8 * sizeof(long),
	LONGS_PER_WORD = sizeof(uint64_t) / sizeof(long), /* a word of a newer request's mask */
};

/* Fixed by the kernel; the request numbers contain the sizes. */
_Static_assert(sizeof(struct ib_user_mad_reg_req) == 28, "kernel: registration");
_Static_assert(sizeof(struct ib_user_mad_reg_req2) == 40, "kernel: registration with flags");

#define OUI_BYTES(oui)                                                        \
	{                                                                     \
		(uint8_t)((oui) >> 16), (uint8_t)((oui) >> 8), (uint8_t)(oui) \
	}

static int register_agent(int portid, struct ib_user_mad_reg_req *request, const long *method_mask)
{
	int result;

	if (method_mask)
		memcpy(request->method_mask, method_mask, sizeof(request->method_mask));
	result = umad_sys_ioctl(portid, IB_USER_MAD_REGISTER_AGENT, request);
	umad_state_trace(1, result, "port %d: registering class 0x%02x version %u rmpp %u", portid,
			 request->mgmt_class, request->mgmt_class_version, request->rmpp_version);
	if (result < 0) {
		umad_state_finish(result);
		return -EPERM;
	}
	umad_owner_note_agent(portid, request->id, request->rmpp_version);
	return (int)request->id;
}

int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
		  long method_mask[16 / sizeof(long)])
{
	struct ib_user_mad_reg_req request = {
		.qpn = !mad_class_is_smi(mgmt_class),
		.mgmt_class = (uint8_t)mgmt_class,
		.mgmt_class_version = (uint8_t)mgmt_version,
		.rmpp_version = rmpp_version,
		.oui = OUI_BYTES(UMAD_OPENIB_OUI), /* of vendor classes registered without one */
	};

	if (portid < 0 || mgmt_class < 0 || mgmt_class > UINT8_MAX || mgmt_version < 0 ||
	    mgmt_version > UINT8_MAX)
		return umad_state_finish(-EINVAL);
	return register_agent(portid, &request, method_mask);
}

int umad_register_oui(int portid, int mgmt_class, uint8_t rmpp_version, uint8_t oui[3],
		      long method_mask[16 / sizeof(long)])
{
	struct ib_user_mad_reg_req request = {
		.qpn = 1,
		.mgmt_class = (uint8_t)mgmt_class,
		.mgmt_class_version = 1,
		.rmpp_version = rmpp_version,
	};

	if (portid < 0 || !mad_class_is_vendor_range2(mgmt_class) || !oui)
		return umad_state_finish(-EINVAL);
	memcpy(request.oui, oui, sizeof(request.oui));
	return register_agent(portid, &request, method_mask);
}

/* The older request has no flags, and an array of longs as its mask: method m is bit m % 32 or m %
 * 64 of a long, whatever the byte order. */
static int register_without_flags(int port_fd, struct ib_user_mad_reg_req2 *request)
{
	struct ib_user_mad_reg_req older = {
		.qpn = (uint8_t)request->qpn,
		.mgmt_class = request->mgmt_class,
		.mgmt_class_version = request->mgmt_class_version,
		.oui = OUI_BYTES(request->oui),
		.rmpp_version = request->rmpp_version,
	};
	int error;

	for (size_t i = 0; i < IB_USER_MAD_LONGS_PER_METHOD_MASK; i++)
		older.method_mask[i] = (unsigned long)(request->method_mask[i / LONGS_PER_WORD] >>
						       i % LONGS_PER_WORD * BITS_PER_LONG);
	error = umad_sys_ioctl(port_fd, IB_USER_MAD_REGISTER_AGENT, &older);
	request->id = older.id;
	return error;
}

/* Kernels before REGISTER_AGENT2 fail with ENOTTY, and simulators with EINVAL. They support no
 * flags, without which the older request does the same. A newer kernel returns in the request the
 * flags that it supports; it leaves them unchanged if it rejects something else. */
static int register_with_fallback(int port_fd, struct ib_user_mad_reg_req2 *request)
{
	uint32_t wanted = request->flags;
	int error = umad_sys_ioctl(port_fd, IB_USER_MAD_REGISTER_AGENT2, request);

	if (error != -ENOTTY && error != -EINVAL)
		return error;
	if (!wanted)
		return register_without_flags(port_fd, request);
	if (error == -ENOTTY)
		request->flags = 0;
	return error;
}

int umad_register2(int port_fd, struct umad_reg_attr *attr, uint32_t *agent_id)
{
	struct ib_user_mad_reg_req2 request = { 0 };
	int result;

	if (port_fd < 0 || !attr || !agent_id)
		return EINVAL;
	request.qpn = !mad_class_is_smi(attr->mgmt_class);
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
	umad_owner_note_agent(port_fd, request.id,
			      request.rmpp_version && !(attr->flags & UMAD_USER_RMPP));
	*agent_id = request.id;
	return 0;
}

int umad_unregister(int portid, int agentid)
{
	uint32_t agent_id = (uint32_t)agentid;
	int error;

	if (portid < 0 || agentid < 0)
		return umad_state_finish(-EINVAL);
	error = umad_sys_ioctl(portid, IB_USER_MAD_UNREGISTER_AGENT, &agent_id);
	umad_state_trace(1, error, "port %d: unregistering agent %d", portid, agentid);
	return umad_state_finish(error);
}
