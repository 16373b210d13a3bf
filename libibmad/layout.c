/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * layout.c - proves at compile time that the structures of mad.h have the required layout.
 * Generates no code; tests/static/abi compiles it too, with other compilers and as C++. Each group
 * names the origin of its numbers. Those of LP64 machines apply where pointers and long have 64
 * bits.
 */
#include <infiniband/mad.h>

#include "common/assert_layout.h"

/* The wire: a GID (InfiniBand specification, volume 1, 4.1.1). */
ASSERT_SIZE(ibmad_gid_t, 16);

/* The older library: libibmad.so.5 reads and writes these in memory of its callers. The path has
 * the 64 bytes of the wire (volume 1, 14.2.2). */
ASSERT_SIZE(ib_dr_path_t, 72);
ASSERT_OFFSET(ib_dr_path_t, cnt, 0);
ASSERT_OFFSET(ib_dr_path_t, p, 4);
ASSERT_OFFSET(ib_dr_path_t, drslid, 68);
ASSERT_OFFSET(ib_dr_path_t, drdlid, 70);

ASSERT_SIZE(ib_attr_t, 8);
ASSERT_OFFSET(ib_attr_t, id, 0);
ASSERT_OFFSET(ib_attr_t, mod, 4);

ASSERT_SIZE(struct portid, 112);
ASSERT_OFFSET(struct portid, lid, 0);
ASSERT_OFFSET(struct portid, drpath, 4);
ASSERT_OFFSET(struct portid, grh_present, 76);
ASSERT_OFFSET(struct portid, gid, 80);
ASSERT_OFFSET(struct portid, qp, 96);
ASSERT_OFFSET(struct portid, qkey, 100);
ASSERT_OFFSET(struct portid, sl, 104);
ASSERT_OFFSET(struct portid, pkey_idx, 108);

ASSERT_SIZE(ib_rmpp_hdr_t, 20);
ASSERT_OFFSET(ib_rmpp_hdr_t, type, 0);
ASSERT_OFFSET(ib_rmpp_hdr_t, flags, 4);
ASSERT_OFFSET(ib_rmpp_hdr_t, status, 8);
ASSERT_OFFSET(ib_rmpp_hdr_t, d1, 12);
ASSERT_OFFSET(ib_rmpp_hdr_t, d1.u, 12);
ASSERT_OFFSET(ib_rmpp_hdr_t, d1.segnum, 12);
ASSERT_OFFSET(ib_rmpp_hdr_t, d2, 16);
ASSERT_OFFSET(ib_rmpp_hdr_t, d2.u, 16);
ASSERT_OFFSET(ib_rmpp_hdr_t, d2.len, 16);
ASSERT_OFFSET(ib_rmpp_hdr_t, d2.newwin, 16);

ASSERT_SIZE(struct ib_vendor_call, 44);
ASSERT_OFFSET(struct ib_vendor_call, method, 0);
ASSERT_OFFSET(struct ib_vendor_call, mgmt_class, 4);
ASSERT_OFFSET(struct ib_vendor_call, attrid, 8);
ASSERT_OFFSET(struct ib_vendor_call, mod, 12);
ASSERT_OFFSET(struct ib_vendor_call, oui, 16);
ASSERT_OFFSET(struct ib_vendor_call, timeout, 20);
ASSERT_OFFSET(struct ib_vendor_call, rmpp, 24);

/* The same, for members whose size or alignment depends on the machine. The three request types
 * begin alike, and error is in the padding of the oldest one: mgtclass distinguishes them. */
#ifdef __LP64__
ASSERT_SIZE(ib_rpc_t, 72);
ASSERT_OFFSET(ib_rpc_t, mgtclass, 0);
ASSERT_OFFSET(ib_rpc_t, method, 4);
ASSERT_OFFSET(ib_rpc_t, attr, 8);
ASSERT_OFFSET(ib_rpc_t, rstatus, 16);
ASSERT_OFFSET(ib_rpc_t, dataoffs, 20);
ASSERT_OFFSET(ib_rpc_t, datasz, 24);
ASSERT_OFFSET(ib_rpc_t, mkey, 32);
ASSERT_OFFSET(ib_rpc_t, trid, 40);
ASSERT_OFFSET(ib_rpc_t, mask, 48);
ASSERT_OFFSET(ib_rpc_t, recsz, 56);
ASSERT_OFFSET(ib_rpc_t, timeout, 60);
ASSERT_OFFSET(ib_rpc_t, oui, 64);

ASSERT_SIZE(ib_rpc_v1_t, 72);
ASSERT_OFFSET(ib_rpc_v1_t, mgtclass, 0);
ASSERT_OFFSET(ib_rpc_v1_t, method, 4);
ASSERT_OFFSET(ib_rpc_v1_t, attr, 8);
ASSERT_OFFSET(ib_rpc_v1_t, rstatus, 16);
ASSERT_OFFSET(ib_rpc_v1_t, dataoffs, 20);
ASSERT_OFFSET(ib_rpc_v1_t, datasz, 24);
ASSERT_OFFSET(ib_rpc_v1_t, mkey, 32);
ASSERT_OFFSET(ib_rpc_v1_t, trid, 40);
ASSERT_OFFSET(ib_rpc_v1_t, mask, 48);
ASSERT_OFFSET(ib_rpc_v1_t, recsz, 56);
ASSERT_OFFSET(ib_rpc_v1_t, timeout, 60);
ASSERT_OFFSET(ib_rpc_v1_t, oui, 64);
ASSERT_OFFSET(ib_rpc_v1_t, error, 68);

ASSERT_SIZE(ib_rpc_cc_t, 80);
ASSERT_OFFSET(ib_rpc_cc_t, mgtclass, 0);
ASSERT_OFFSET(ib_rpc_cc_t, method, 4);
ASSERT_OFFSET(ib_rpc_cc_t, attr, 8);
ASSERT_OFFSET(ib_rpc_cc_t, rstatus, 16);
ASSERT_OFFSET(ib_rpc_cc_t, dataoffs, 20);
ASSERT_OFFSET(ib_rpc_cc_t, datasz, 24);
ASSERT_OFFSET(ib_rpc_cc_t, mkey, 32);
ASSERT_OFFSET(ib_rpc_cc_t, trid, 40);
ASSERT_OFFSET(ib_rpc_cc_t, mask, 48);
ASSERT_OFFSET(ib_rpc_cc_t, recsz, 56);
ASSERT_OFFSET(ib_rpc_cc_t, timeout, 60);
ASSERT_OFFSET(ib_rpc_cc_t, oui, 64);
ASSERT_OFFSET(ib_rpc_cc_t, error, 68);
ASSERT_OFFSET(ib_rpc_cc_t, cckey, 72);

ASSERT_SIZE(struct ib_field, 48);
ASSERT_OFFSET(struct ib_field, bitoffs, 0);
ASSERT_OFFSET(struct ib_field, bitlen, 4);
ASSERT_OFFSET(struct ib_field, name, 8);
ASSERT_OFFSET(struct ib_field, def_dump_fn, 40);

ASSERT_SIZE(struct ib_sa_call, 56);
ASSERT_OFFSET(struct ib_sa_call, attrid, 0);
ASSERT_OFFSET(struct ib_sa_call, mod, 4);
ASSERT_OFFSET(struct ib_sa_call, mask, 8);
ASSERT_OFFSET(struct ib_sa_call, method, 16);
ASSERT_OFFSET(struct ib_sa_call, trid, 24);
ASSERT_OFFSET(struct ib_sa_call, recsz, 32);
ASSERT_OFFSET(struct ib_sa_call, rmpp, 36);

ASSERT_SIZE(struct ib_bm_call, 24);
ASSERT_OFFSET(struct ib_bm_call, method, 0);
ASSERT_OFFSET(struct ib_bm_call, attrid, 4);
ASSERT_OFFSET(struct ib_bm_call, mod, 8);
ASSERT_OFFSET(struct ib_bm_call, timeout, 12);
ASSERT_OFFSET(struct ib_bm_call, bkey, 16);

ASSERT_SIZE(struct ibmad_ports_item, 32);
ASSERT_OFFSET(struct ibmad_ports_item, port, 0);
ASSERT_OFFSET(struct ibmad_ports_item, ca_name, 8);

ASSERT_SIZE(struct ibmad_ports_pair, 64);
ASSERT_OFFSET(struct ibmad_ports_pair, smi, 0);
ASSERT_OFFSET(struct ibmad_ports_pair, gsi, 32);
#endif

/* The older library: types of the arguments and results of its functions. */
ASSERT_SIZE(ib_portid_t, sizeof(struct portid));
ASSERT_SIZE(ib_field_t, sizeof(struct ib_field));
ASSERT_SIZE(ib_sa_call_t, sizeof(struct ib_sa_call));
ASSERT_SIZE(ib_vendor_call_t, sizeof(struct ib_vendor_call));
ASSERT_SIZE(ib_bm_call_t, sizeof(struct ib_bm_call));
ASSERT_SIZE(ibmad_ports_item_t, sizeof(struct ibmad_ports_item));

/* The loader: programs have a copy of ibdebug, of the size that it had when they were linked. */
ASSERT_SIZE(ibdebug, 4);
