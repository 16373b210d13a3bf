/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * layout.c - proves at compile time that the structures of umad*.h have the required layout.
 * Generates no code; tests/static/abi compiles it too, with other compilers and as C++. Each group
 * names the origin of its numbers. Those of LP64 machines apply where pointers and long have 64
 * bits.
 */
#include <infiniband/umad.h>
#include <infiniband/umad_types.h>
#include <infiniband/umad_sm.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#include <infiniband/umad_monitor.h>

#include "common/assert_layout.h"

/* The kernel: struct ib_user_mad_hdr and struct ib_user_mad of <rdma/ib_user_mad.h>, read from and
 * written to the umad devices. */
ASSERT_SIZE(union umad_gid, 16);
ASSERT_ALIGN(union umad_gid, 4);
ASSERT_OFFSET(union umad_gid, raw, 0);
ASSERT_OFFSET(union umad_gid, raw_be16, 0);
ASSERT_OFFSET(union umad_gid, global, 0);
ASSERT_OFFSET(union umad_gid, global.subnet_prefix, 0);
ASSERT_OFFSET(union umad_gid, global.interface_id, 8);

ASSERT_SIZE(struct ib_mad_addr, 44);
ASSERT_ALIGN(struct ib_mad_addr, 4);
ASSERT_OFFSET(struct ib_mad_addr, qpn, 0);
ASSERT_OFFSET(struct ib_mad_addr, qkey, 4);
ASSERT_OFFSET(struct ib_mad_addr, lid, 8);
ASSERT_OFFSET(struct ib_mad_addr, sl, 10);
ASSERT_OFFSET(struct ib_mad_addr, path_bits, 11);
ASSERT_OFFSET(struct ib_mad_addr, grh_present, 12);
ASSERT_OFFSET(struct ib_mad_addr, gid_index, 13);
ASSERT_OFFSET(struct ib_mad_addr, hop_limit, 14);
ASSERT_OFFSET(struct ib_mad_addr, traffic_class, 15);
ASSERT_OFFSET(struct ib_mad_addr, gid, 16);
ASSERT_OFFSET(struct ib_mad_addr, ib_gid, 16);
ASSERT_OFFSET(struct ib_mad_addr, flow_label, 32);
ASSERT_OFFSET(struct ib_mad_addr, pkey_index, 36);
ASSERT_OFFSET(struct ib_mad_addr, reserved, 38);

ASSERT_SIZE(struct ib_user_mad, 64);
ASSERT_ALIGN(struct ib_user_mad, 4);
ASSERT_OFFSET(struct ib_user_mad, agent_id, 0);
ASSERT_OFFSET(struct ib_user_mad, status, 4);
ASSERT_OFFSET(struct ib_user_mad, timeout_ms, 8);
ASSERT_OFFSET(struct ib_user_mad, retries, 12);
ASSERT_OFFSET(struct ib_user_mad, length, 16);
ASSERT_OFFSET(struct ib_user_mad, addr, 20);
ASSERT_OFFSET(struct ib_user_mad, data, 64);

/* The wire: MAD headers and packets of the InfiniBand specification (volume 1, 13.4 and 13.6). */
ASSERT_SIZE(struct umad_hdr, 24);
ASSERT_OFFSET(struct umad_hdr, base_version, 0);
ASSERT_OFFSET(struct umad_hdr, mgmt_class, 1);
ASSERT_OFFSET(struct umad_hdr, class_version, 2);
ASSERT_OFFSET(struct umad_hdr, method, 3);
ASSERT_OFFSET(struct umad_hdr, status, 4);
ASSERT_OFFSET(struct umad_hdr, class_specific, 6);
ASSERT_OFFSET(struct umad_hdr, tid, 8);
ASSERT_OFFSET(struct umad_hdr, attr_id, 16);
ASSERT_OFFSET(struct umad_hdr, resv, 18);
ASSERT_OFFSET(struct umad_hdr, attr_mod, 20);

ASSERT_SIZE(struct umad_rmpp_hdr, 12);
ASSERT_OFFSET(struct umad_rmpp_hdr, rmpp_version, 0);
ASSERT_OFFSET(struct umad_rmpp_hdr, rmpp_type, 1);
ASSERT_OFFSET(struct umad_rmpp_hdr, rmpp_rtime_flags, 2);
ASSERT_OFFSET(struct umad_rmpp_hdr, rmpp_status, 3);
ASSERT_OFFSET(struct umad_rmpp_hdr, seg_num, 4);
ASSERT_OFFSET(struct umad_rmpp_hdr, paylen_newwin, 8);

ASSERT_SIZE(struct umad_packet, 256);
ASSERT_OFFSET(struct umad_packet, mad_hdr, 0);
ASSERT_OFFSET(struct umad_packet, data, 24);

ASSERT_SIZE(struct umad_rmpp_packet, 256);
ASSERT_OFFSET(struct umad_rmpp_packet, mad_hdr, 0);
ASSERT_OFFSET(struct umad_rmpp_packet, rmpp_hdr, 24);
ASSERT_OFFSET(struct umad_rmpp_packet, data, 36);

ASSERT_SIZE(struct umad_dm_packet, 256);
ASSERT_OFFSET(struct umad_dm_packet, mad_hdr, 0);
ASSERT_OFFSET(struct umad_dm_packet, reserved, 24);
ASSERT_OFFSET(struct umad_dm_packet, data, 64);

ASSERT_SIZE(struct umad_vendor_packet, 256);
ASSERT_OFFSET(struct umad_vendor_packet, mad_hdr, 0);
ASSERT_OFFSET(struct umad_vendor_packet, rmpp_hdr, 24);
ASSERT_OFFSET(struct umad_vendor_packet, reserved, 36);
ASSERT_OFFSET(struct umad_vendor_packet, oui, 37);
ASSERT_OFFSET(struct umad_vendor_packet, data, 40);

/* The wire: ClassPortInfo (volume 1, 13.4.8.1). */
ASSERT_SIZE(struct umad_class_port_info, 72);
ASSERT_ALIGN(struct umad_class_port_info, 4);
ASSERT_OFFSET(struct umad_class_port_info, base_ver, 0);
ASSERT_OFFSET(struct umad_class_port_info, class_ver, 1);
ASSERT_OFFSET(struct umad_class_port_info, cap_mask, 2);
ASSERT_OFFSET(struct umad_class_port_info, cap_mask2_resp_time, 4);
ASSERT_OFFSET(struct umad_class_port_info, redir_gid, 8);
ASSERT_OFFSET(struct umad_class_port_info, redirgid, 8);
ASSERT_OFFSET(struct umad_class_port_info, redir_tc_sl_fl, 24);
ASSERT_OFFSET(struct umad_class_port_info, redir_lid, 28);
ASSERT_OFFSET(struct umad_class_port_info, redir_pkey, 30);
ASSERT_OFFSET(struct umad_class_port_info, redir_qp, 32);
ASSERT_OFFSET(struct umad_class_port_info, redir_qkey, 36);
ASSERT_OFFSET(struct umad_class_port_info, trap_gid, 40);
ASSERT_OFFSET(struct umad_class_port_info, trapgid, 40);
ASSERT_OFFSET(struct umad_class_port_info, trap_tc_sl_fl, 56);
ASSERT_OFFSET(struct umad_class_port_info, trap_lid, 60);
ASSERT_OFFSET(struct umad_class_port_info, trap_pkey, 62);
ASSERT_OFFSET(struct umad_class_port_info, trap_hl_qp, 64);
ASSERT_OFFSET(struct umad_class_port_info, trap_qkey, 68);

/* The wire: SMPs (volume 1, 14.2.1). */
ASSERT_SIZE(struct umad_smp, 256);
ASSERT_OFFSET(struct umad_smp, base_version, 0);
ASSERT_OFFSET(struct umad_smp, mgmt_class, 1);
ASSERT_OFFSET(struct umad_smp, class_version, 2);
ASSERT_OFFSET(struct umad_smp, method, 3);
ASSERT_OFFSET(struct umad_smp, status, 4);
ASSERT_OFFSET(struct umad_smp, hop_ptr, 6);
ASSERT_OFFSET(struct umad_smp, hop_cnt, 7);
ASSERT_OFFSET(struct umad_smp, tid, 8);
ASSERT_OFFSET(struct umad_smp, attr_id, 16);
ASSERT_OFFSET(struct umad_smp, resv, 18);
ASSERT_OFFSET(struct umad_smp, attr_mod, 20);
ASSERT_OFFSET(struct umad_smp, mkey, 24);
ASSERT_OFFSET(struct umad_smp, dr_slid, 32);
ASSERT_OFFSET(struct umad_smp, dr_dlid, 34);
ASSERT_OFFSET(struct umad_smp, reserved, 36);
ASSERT_OFFSET(struct umad_smp, data, 64);
ASSERT_OFFSET(struct umad_smp, initial_path, 128);
ASSERT_OFFSET(struct umad_smp, return_path, 192);

/* The wire: SA packets and MCMemberRecord (volume 1, 15.2), this padded to a multiple of 8 bytes.
 */
ASSERT_SIZE(struct umad_sa_packet, 256);
ASSERT_OFFSET(struct umad_sa_packet, mad_hdr, 0);
ASSERT_OFFSET(struct umad_sa_packet, rmpp_hdr, 24);
ASSERT_OFFSET(struct umad_sa_packet, sm_key, 36);
ASSERT_OFFSET(struct umad_sa_packet, attr_offset, 44);
ASSERT_OFFSET(struct umad_sa_packet, reserved, 46);
ASSERT_OFFSET(struct umad_sa_packet, comp_mask, 48);
ASSERT_OFFSET(struct umad_sa_packet, data, 56);

ASSERT_SIZE(struct umad_sa_mcmember_record, 56);
ASSERT_OFFSET(struct umad_sa_mcmember_record, mgid, 0);
ASSERT_OFFSET(struct umad_sa_mcmember_record, portgid, 16);
ASSERT_OFFSET(struct umad_sa_mcmember_record, qkey, 32);
ASSERT_OFFSET(struct umad_sa_mcmember_record, mlid, 36);
ASSERT_OFFSET(struct umad_sa_mcmember_record, mtu, 38);
ASSERT_OFFSET(struct umad_sa_mcmember_record, tclass, 39);
ASSERT_OFFSET(struct umad_sa_mcmember_record, pkey, 40);
ASSERT_OFFSET(struct umad_sa_mcmember_record, rate, 42);
ASSERT_OFFSET(struct umad_sa_mcmember_record, pkt_life, 43);
ASSERT_OFFSET(struct umad_sa_mcmember_record, sl_flow_hop, 44);
ASSERT_OFFSET(struct umad_sa_mcmember_record, scope_state, 48);
ASSERT_OFFSET(struct umad_sa_mcmember_record, proxy_join, 49);
ASSERT_OFFSET(struct umad_sa_mcmember_record, reserved, 50);
ASSERT_OFFSET(struct umad_sa_mcmember_record, pad, 52);

/* The older library: libibumad.so.3 writes these into memory of its callers. */
ASSERT_SIZE(struct umad_ca_pair, 48);
ASSERT_OFFSET(struct umad_ca_pair, smi_name, 0);
ASSERT_OFFSET(struct umad_ca_pair, smi_preferred_port, 20);
ASSERT_OFFSET(struct umad_ca_pair, gsi_name, 24);
ASSERT_OFFSET(struct umad_ca_pair, gsi_preferred_port, 44);

/* The same, for members whose size or alignment depends on the machine. */
#ifdef __LP64__
ASSERT_SIZE(struct umad_port, 112);
ASSERT_OFFSET(struct umad_port, ca_name, 0);
ASSERT_OFFSET(struct umad_port, portnum, 20);
ASSERT_OFFSET(struct umad_port, base_lid, 24);
ASSERT_OFFSET(struct umad_port, lmc, 28);
ASSERT_OFFSET(struct umad_port, sm_lid, 32);
ASSERT_OFFSET(struct umad_port, sm_sl, 36);
ASSERT_OFFSET(struct umad_port, state, 40);
ASSERT_OFFSET(struct umad_port, phys_state, 44);
ASSERT_OFFSET(struct umad_port, rate, 48);
ASSERT_OFFSET(struct umad_port, capmask, 52);
ASSERT_OFFSET(struct umad_port, gid_prefix, 56);
ASSERT_OFFSET(struct umad_port, port_guid, 64);
ASSERT_OFFSET(struct umad_port, pkeys_size, 72);
ASSERT_OFFSET(struct umad_port, pkeys, 80);
ASSERT_OFFSET(struct umad_port, link_layer, 88);

ASSERT_SIZE(struct umad_ca, 208);
ASSERT_OFFSET(struct umad_ca, ca_name, 0);
ASSERT_OFFSET(struct umad_ca, node_type, 20);
ASSERT_OFFSET(struct umad_ca, numports, 24);
ASSERT_OFFSET(struct umad_ca, fw_ver, 28);
ASSERT_OFFSET(struct umad_ca, ca_type, 48);
ASSERT_OFFSET(struct umad_ca, hw_ver, 88);
ASSERT_OFFSET(struct umad_ca, node_guid, 112);
ASSERT_OFFSET(struct umad_ca, system_guid, 120);
ASSERT_OFFSET(struct umad_ca, ports, 128);

ASSERT_SIZE(struct umad_device_node, 16);
ASSERT_OFFSET(struct umad_device_node, next, 0);
ASSERT_OFFSET(struct umad_device_node, ca_name, 8);

ASSERT_SIZE(struct umad_reg_attr, 32);
ASSERT_OFFSET(struct umad_reg_attr, mgmt_class, 0);
ASSERT_OFFSET(struct umad_reg_attr, mgmt_class_version, 1);
ASSERT_OFFSET(struct umad_reg_attr, flags, 4);
ASSERT_OFFSET(struct umad_reg_attr, method_mask, 8);
ASSERT_OFFSET(struct umad_reg_attr, oui, 24);
ASSERT_OFFSET(struct umad_reg_attr, rmpp_version, 28);
#endif

/* New in this library: programs are compiled with it, and it may grow only at its end. */
ASSERT_SIZE(struct umad_event, 100);
ASSERT_OFFSET(struct umad_event, type, 0);
ASSERT_OFFSET(struct umad_event, portnum, 4);
ASSERT_OFFSET(struct umad_event, ca_name, 8);
ASSERT_OFFSET(struct umad_event, old_name, 28);
ASSERT_OFFSET(struct umad_event, node, 48);
ASSERT_OFFSET(struct umad_event, changed, 68);
ASSERT_OFFSET(struct umad_event, state, 72);
ASSERT_OFFSET(struct umad_event, phys_state, 76);
ASSERT_OFFSET(struct umad_event, base_lid, 80);
ASSERT_OFFSET(struct umad_event, lmc, 84);
ASSERT_OFFSET(struct umad_event, sm_lid, 88);
ASSERT_OFFSET(struct umad_event, sm_sl, 92);
ASSERT_OFFSET(struct umad_event, capmask, 96);

/* The older library: types of the arguments and results of its functions. */
ASSERT_SIZE(be16_t, 2);
ASSERT_SIZE(be32_t, 4);
ASSERT_SIZE(be64_t, 8);
ASSERT_SIZE(ib_mad_addr_t, 44);
ASSERT_SIZE(ib_user_mad_t, 64);

/* The same, on LP64 machines. */
#ifdef __LP64__
ASSERT_SIZE(umad_port_t, 112);
ASSERT_SIZE(umad_ca_t, 208);
#endif
