/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Properties of management classes and methods.
 */
#include <infiniband/umad_sa.h>

#include "libibmad/internal.h"

/* Whether agents of a class can be registered. */
static const bool can_register[256] = {
	[IB_SMI_CLASS] = true,
	[IB_SMI_DIRECT_CLASS] = true,
	[IB_SA_CLASS] = true,
	[IB_PERFORMANCE_CLASS] = true,
	[IB_BOARD_MGMT_CLASS] = true,
	[IB_DEVICE_MGMT_CLASS] = true,
	[IB_CC_CLASS] = true,
	[IB_VENDOR_RANGE1_START_CLASS... IB_VENDOR_RANGE1_END_CLASS] = true,
	[IB_VENDOR_RANGE2_START_CLASS... IB_VENDOR_RANGE2_END_CLASS] = true,
};

/* Returns the version of a class that can be registered, or 0. */
int mad_class_version(int mgmt_class)
{
	if (mgmt_class < 0 || mgmt_class > UINT8_MAX || !can_register[mgmt_class])
		return 0;
	return mad_class_wire_version(mgmt_class);
}

/* Whether board management and vendor calls wait for a response to the method (13.4.5). */
bool mad_method_has_response(int method)
{
	return method == IB_MAD_METHOD_GET || method == IB_MAD_METHOD_SET ||
	       method == IB_MAD_METHOD_TRAP;
}

/* Whether the method never has a response: the kernel must not wait for one. */
static bool is_unsolicited(int method)
{
	return (method & IB_MAD_RESPONSE) || method == IB_MAD_METHOD_SEND ||
	       method == IB_MAD_METHOD_TRAP_REPRESS;
}

/*
 * Whether the MAD being sent can have a response, for which the kernel has to wait. Responses of
 * board management are Sends, too; the kernel recognises them by a bit of their attribute modifier
 * (16.2).
 */
bool mad_request_has_response(const ib_rpc_t *rpc)
{
	if ((rpc->mgtclass & 0xff) == IB_BOARD_MGMT_CLASS && rpc->method == IB_MAD_METHOD_SEND)
		return !(rpc->attr.mod & MAD_BM_RESPONSE);
	return !is_unsolicited(rpc->method);
}

/* MultiPathRecord SubnAdmGetMulti() returns PathRecords, SubnAdmGetTraceTable() returns
 * TraceRecords (15.2.5, 15.4). */
unsigned mad_response_attribute(unsigned mgmt_class, unsigned method, unsigned attr_id)
{
	if (mgmt_class != IB_SA_CLASS)
		return attr_id;
	if (method == IB_MAD_METHOD_GETMULTI && attr_id == IB_SA_ATTR_MULTIPATH)
		return IB_SA_ATTR_PATHRECORD;
	return method == IB_MAD_METHOD_GET_TRACE_TABLE ? UMAD_SA_ATTR_TRACE_REC : attr_id;
}

/* A QP and a Q_Key set by the caller or by a redirect are kept. */
void mad_address_gsi(ib_portid_t *portid)
{
	if (!portid->qp)
		portid->qp = 1;
	if (!portid->qkey)
		portid->qkey = IB_DEFAULT_QP1_QKEY;
}
