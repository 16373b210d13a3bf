/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * kernel-layout.c - the layouts that structs.csv gives to structures of the kernel, checked
 * against the kernel's own header (which can not be included beside umad.h).
 */
#include <stddef.h>

#include <rdma/ib_user_mad.h>

#define ASSERT_SIZE(type, bytes) \
	_Static_assert(sizeof(type) == (bytes), #type " has " #bytes " bytes")
#define ASSERT_OFFSET(type, member, at) \
	_Static_assert(offsetof(type, member) == (at), #type "." #member " is at " #at)

/* struct ib_user_mad of umad.h, its address included. */
ASSERT_SIZE(struct ib_user_mad_hdr, 64);
ASSERT_OFFSET(struct ib_user_mad_hdr, id, 0);
ASSERT_OFFSET(struct ib_user_mad_hdr, status, 4);
ASSERT_OFFSET(struct ib_user_mad_hdr, timeout_ms, 8);
ASSERT_OFFSET(struct ib_user_mad_hdr, retries, 12);
ASSERT_OFFSET(struct ib_user_mad_hdr, length, 16);
ASSERT_OFFSET(struct ib_user_mad_hdr, qpn, 20);
ASSERT_OFFSET(struct ib_user_mad_hdr, qkey, 20 + 4);
ASSERT_OFFSET(struct ib_user_mad_hdr, lid, 20 + 8);
ASSERT_OFFSET(struct ib_user_mad_hdr, sl, 20 + 10);
ASSERT_OFFSET(struct ib_user_mad_hdr, path_bits, 20 + 11);
ASSERT_OFFSET(struct ib_user_mad_hdr, grh_present, 20 + 12);
ASSERT_OFFSET(struct ib_user_mad_hdr, gid_index, 20 + 13);
ASSERT_OFFSET(struct ib_user_mad_hdr, hop_limit, 20 + 14);
ASSERT_OFFSET(struct ib_user_mad_hdr, traffic_class, 20 + 15);
ASSERT_OFFSET(struct ib_user_mad_hdr, gid, 20 + 16);
ASSERT_OFFSET(struct ib_user_mad_hdr, flow_label, 20 + 32);
ASSERT_OFFSET(struct ib_user_mad_hdr, pkey_index, 20 + 36);
ASSERT_OFFSET(struct ib_user_mad, data, 64);

/* The short header, which kernels without P_Key indices use. */
ASSERT_SIZE(struct ib_user_mad_hdr_old, 56);
ASSERT_OFFSET(struct ib_user_mad_hdr_old, qpn, 20);
ASSERT_OFFSET(struct ib_user_mad_hdr_old, flow_label, 20 + 32);

/* The requests, and their structures. */
_Static_assert(IB_USER_MAD_ABI_VERSION == 5, "IB_UMAD_ABI_VERSION");
#if _IOC_NONE == 0
_Static_assert(IB_USER_MAD_REGISTER_AGENT == 0xc01c1b01, "IB_USER_MAD_REGISTER_AGENT");
_Static_assert(IB_USER_MAD_UNREGISTER_AGENT == 0x40041b02, "IB_USER_MAD_UNREGISTER_AGENT");
_Static_assert(IB_USER_MAD_ENABLE_PKEY == 0x1b03, "IB_USER_MAD_ENABLE_PKEY");
_Static_assert(IB_USER_MAD_REGISTER_AGENT2 == 0xc0281b04, "IB_USER_MAD_REGISTER_AGENT2");
#endif
_Static_assert(sizeof(struct ib_user_mad_reg_req) == 28, "IB_USER_MAD_REGISTER_AGENT");
_Static_assert(sizeof(struct ib_user_mad_reg_req2) == 40, "IB_USER_MAD_REGISTER_AGENT2");
_Static_assert(IB_USER_MAD_USER_RMPP == 1, "UMAD_USER_RMPP");
