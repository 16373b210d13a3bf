/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The ioctl requests of the umad devices. Only this file includes the kernel's header, which
 * declares names that umad.h declares, too. Accesses open umad devices, through sys.c.
 */
#include <string.h>

#include <rdma/ib_user_mad.h>
#include <rdma/rdma_user_ioctl.h>

#include "libibumad/base/sys.h"

enum {
	BITS_PER_LONG = 8 * sizeof(long),
	LONGS_PER_WORD = sizeof(uint64_t) / sizeof(long), /* a 64-bit word of umad_agent_request */
};

/* Fixed by the kernel; the request numbers contain the sizes. */
_Static_assert(sizeof(struct ib_user_mad_reg_req) == 28, "kernel: registration");
_Static_assert(sizeof(struct ib_user_mad_reg_req2) == 40, "kernel: registration with flags");
_Static_assert(IB_USER_MAD_LONGS_PER_METHOD_MASK == 2ul * LONGS_PER_WORD, "kernel: 128 methods");

int umad_uapi_enable_pkey(int fd)
{
	return umad_sys_ioctl(fd, IB_USER_MAD_ENABLE_PKEY, NULL);
}

/* The older request has no flags, and an array of longs as its mask: method m is bit m % 32 or m %
 * 64 of a long, whatever the byte order. */
int umad_uapi_register(int fd, struct umad_agent_request *request)
{
	struct ib_user_mad_reg_req req = {
		.qpn = request->qpn,
		.mgmt_class = request->mgmt_class,
		.mgmt_class_version = request->mgmt_class_version,
		.oui = { (request->oui >> 16) & 0xff, (request->oui >> 8) & 0xff,
			 request->oui & 0xff },
		.rmpp_version = request->rmpp_version,
	};
	int error;

	for (int i = 0; i < (int)IB_USER_MAD_LONGS_PER_METHOD_MASK; i++)
		req.method_mask[i] = (unsigned long)(request->method_mask[i / LONGS_PER_WORD] >>
						     i % LONGS_PER_WORD * BITS_PER_LONG);
	error = umad_sys_ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &req);
	if (!error)
		request->agent_id = req.id;
	return error;
}

int umad_uapi_register2(int fd, struct umad_agent_request *request)
{
	struct ib_user_mad_reg_req2 req = {
		.qpn = request->qpn,
		.mgmt_class = request->mgmt_class,
		.mgmt_class_version = request->mgmt_class_version,
		.flags = request->flags,
		.oui = request->oui,
		.rmpp_version = request->rmpp_version,
	};
	int error;

	_Static_assert(sizeof(req.method_mask) == sizeof(request->method_mask), "128 methods");
	memcpy(req.method_mask, request->method_mask, sizeof(req.method_mask));
	error = umad_sys_ioctl(fd, IB_USER_MAD_REGISTER_AGENT2, &req);
	request->flags = req.flags;
	if (!error)
		request->agent_id = req.id;
	return error;
}

int umad_uapi_unregister(int fd, uint32_t agent_id)
{
	return umad_sys_ioctl(fd, IB_USER_MAD_UNREGISTER_AGENT, &agent_id);
}
