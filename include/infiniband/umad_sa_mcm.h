/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The multicast member record (MCMemberRecord) of Subnet Administration. The
 * structure has the layout of the wire; its __be fields are in network order, constants are in host
 * order. */
#ifndef INFINIBAND_UMAD_SA_MCM_H
#define INFINIBAND_UMAD_SA_MCM_H

#include <infiniband/umad_sa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of the component mask: which components of the record a query specifies. */
enum {
	UMAD_SA_MCM_COMP_MASK_MGID = 1 << 0,
	UMAD_SA_MCM_COMP_MASK_PORT_GID = 1 << 1,
	UMAD_SA_MCM_COMP_MASK_QKEY = 1 << 2,
	UMAD_SA_MCM_COMP_MASK_MLID = 1 << 3,
	UMAD_SA_MCM_COMP_MASK_MTU_SEL = 1 << 4,
	UMAD_SA_MCM_COMP_MASK_MTU = 1 << 5,
	UMAD_SA_MCM_COMP_MASK_TCLASS = 1 << 6,
	UMAD_SA_MCM_COMP_MASK_PKEY = 1 << 7,
	UMAD_SA_MCM_COMP_MASK_RATE_SEL = 1 << 8,
	UMAD_SA_MCM_COMP_MASK_RATE = 1 << 9,
	UMAD_SA_MCM_COMP_MASK_LIFE_TIME_SEL = 1 << 10,
	UMAD_SA_MCM_COMP_MASK_LIFE_TIME = 1 << 11,
	UMAD_SA_MCM_COMP_MASK_SL = 1 << 12,
	UMAD_SA_MCM_COMP_MASK_FLOW_LABEL = 1 << 13,
	UMAD_SA_MCM_COMP_MASK_HOP_LIMIT = 1 << 14,
	UMAD_SA_MCM_COMP_MASK_SCOPE = 1 << 15,
	UMAD_SA_MCM_COMP_MASK_JOIN_STATE = 1 << 16,
	UMAD_SA_MCM_COMP_MASK_PROXY_JOIN = 1 << 17
};

/* Bits of the join state. */
enum {
	UMAD_SA_MCM_JOIN_STATE_FULL_MEMBER = 1 << 0,
	UMAD_SA_MCM_JOIN_STATE_NON_MEMBER = 1 << 1,
	UMAD_SA_MCM_JOIN_STATE_SEND_ONLY_NON_MEMBER = 1 << 2,
	UMAD_SA_MCM_JOIN_STATE_SEND_ONLY_FULL_MEMBER = 1 << 3
};

/* Scopes of multicast addresses. */
enum {
	UMAD_SA_MCM_ADDR_SCOPE_LINK_LOCAL = 0x2,
	UMAD_SA_MCM_ADDR_SCOPE_SITE_LOCAL = 0x5,
	UMAD_SA_MCM_ADDR_SCOPE_ORG_LOCAL = 0x8,
	UMAD_SA_MCM_ADDR_SCOPE_GLOBAL = 0xe
};

/* A member of a multicast group, or a query for members. */
struct umad_sa_mcmember_record {
	uint8_t mgid[16];    /* GID of the group, network order */
	uint8_t portgid[16]; /* GID of the member's port, network order */
	__be32 qkey;
	__be16 mlid;	/* LID of the group */
	uint8_t mtu;	/* with a selector: see umad_sa_get_rate_mtu_or_life() */
	uint8_t tclass; /* traffic class */
	__be16 pkey;
	uint8_t rate;	     /* with a selector */
	uint8_t pkt_life;    /* with a selector */
	__be32 sl_flow_hop;  /* service level (4 bits), flow label (20), hop limit (8) */
	uint8_t scope_state; /* scope in the upper four bits, join state in the lower */
	uint8_t proxy_join;  /* only the top bit is used */
	uint8_t reserved[2];
	uint8_t pad[4]; /* pads the record to a multiple of 8 bytes */
};

/* Splits sl_flow_hop (network order) into *p_sl, *p_flow_lbl (host order) and *p_hop. Any of the
 * pointers may be NULL. */
static inline void umad_sa_mcm_get_sl_flow_hop(__be32 sl_flow_hop, uint8_t *const p_sl,
					       uint32_t *const p_flow_lbl, uint8_t *const p_hop)
{
	const uint32_t value = umad_swap_be32(sl_flow_hop);

	if (p_sl)
		*p_sl = (uint8_t)(value >> 28);
	if (p_flow_lbl)
		*p_flow_lbl = value >> 8 & 0xfffff;
	if (p_hop)
		*p_hop = (uint8_t)(value & 0xff);
}

/* Returns sl_flow_hop (network order) for a service level (4 bits), a flow label (20 bits, host
 * order) and a hop limit; excess bits are ignored. */
static inline __be32 umad_sa_mcm_set_sl_flow_hop(uint8_t sl, uint32_t flow_label, uint8_t hop_limit)
{
	return (__be32)umad_swap_be32(
		(__be32)((uint32_t)(sl & 0xf) << 28 | (flow_label & 0xfffff) << 8 | hop_limit));
}

/* Splits scope_state into *p_scope and *p_state (4 bits each). Either pointer may be NULL. */
static inline void umad_sa_mcm_get_scope_state(const uint8_t scope_state, uint8_t *const p_scope,
					       uint8_t *const p_state)
{
	if (p_scope)
		*p_scope = (uint8_t)(scope_state >> 4);
	if (p_state)
		*p_state = (uint8_t)(scope_state & 0xf);
}

/* Returns scope_state for a scope and a join state (4 bits each). */
static inline uint8_t umad_sa_mcm_set_scope_state(const uint8_t scope, const uint8_t state)
{
	return (uint8_t)((scope & 0xf) << 4 | (state & 0xf));
}

/* Sets the join state (4 bits) of a record, leaving its scope unchanged. */
static inline void umad_sa_mcm_set_join_state(struct umad_sa_mcmember_record *p_mc_rec,
					      const uint8_t state)
{
	p_mc_rec->scope_state = (uint8_t)((p_mc_rec->scope_state & 0xf0) | (state & 0x0f));
}

/* Returns 1 if the record was joined by proxy, else 0. */
static inline int umad_sa_mcm_get_proxy_join(struct umad_sa_mcmember_record *p_mc_rec)
{
	return p_mc_rec->proxy_join >> 7;
}

#ifdef __cplusplus
}
#endif

#endif /* INFINIBAND_UMAD_SA_MCM_H */
