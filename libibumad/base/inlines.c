/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The inline functions of the public headers as symbols, for callers without a C compiler:
 * dlsym(3), cffi, ctypes. Programs compiled with the headers have copies of their own. The list,
 * with reasons, is tests/static/headers/inlines.csv. ntohll() and htonll() are not exported because
 * any program may have its own, which the library's would replace; umad_alloc() and umad_free(),
 * because programs look for them by dlsym() to tell libraries apart.
 */
#define umad_class_cap_mask2	     inline_umad_class_cap_mask2
#define umad_class_resp_time	     inline_umad_class_resp_time
#define umad_sa_get_rate_mtu_or_life inline_umad_sa_get_rate_mtu_or_life
#define umad_sa_set_rate_mtu_or_life inline_umad_sa_set_rate_mtu_or_life
#define umad_sa_mcm_get_sl_flow_hop  inline_umad_sa_mcm_get_sl_flow_hop
#define umad_sa_mcm_set_sl_flow_hop  inline_umad_sa_mcm_set_sl_flow_hop
#define umad_sa_mcm_get_scope_state  inline_umad_sa_mcm_get_scope_state
#define umad_sa_mcm_set_scope_state  inline_umad_sa_mcm_set_scope_state
#define umad_sa_mcm_set_join_state   inline_umad_sa_mcm_set_join_state
#define umad_sa_mcm_get_proxy_join   inline_umad_sa_mcm_get_proxy_join

#include "libibumad/public.h"

#define EXPORT(name)                                                    \
	extern __typeof__(inline_##name) exported_##name __asm__(#name) \
		__attribute__((visibility("default"), alias("inline_" #name)))

EXPORT(umad_class_cap_mask2);
EXPORT(umad_class_resp_time);
EXPORT(umad_sa_get_rate_mtu_or_life);
EXPORT(umad_sa_set_rate_mtu_or_life);
EXPORT(umad_sa_mcm_get_sl_flow_hop);
EXPORT(umad_sa_mcm_set_sl_flow_hop);
EXPORT(umad_sa_mcm_get_scope_state);
EXPORT(umad_sa_mcm_set_scope_state);
EXPORT(umad_sa_mcm_set_join_state);
EXPORT(umad_sa_mcm_get_proxy_join);
