/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * inlines.c - checks the results of inline functions and of macros with arguments in the public
 * headers.
 *
 * Compiled as C and as C++; ends with 1 and the first line that is wrong. Links to nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>
#include <infiniband/umad_types.h>
#include <infiniband/umad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#include <infiniband/mad.h>

#define CHECK(condition)                                                                \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			exit(1);                                                        \
		}                                                                       \
	} while (0)

/* Returns the first four or eight bytes of a string as they lie in memory. */
static uint32_t word(const char *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static uint64_t double_word(const char *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static void byte_order(void)
{
	CHECK(ntohll(double_word("\x01\x23\x45\x67\x89\xab\xcd\xef")) == 0x0123456789abcdef);
	CHECK(htonll(0x0123456789abcdef) == double_word("\x01\x23\x45\x67\x89\xab\xcd\xef"));
}

static void allocation(void)
{
	unsigned char *umads = (unsigned char *)umad_alloc(2, 64 + 256);

	CHECK(umads);
	for (int i = 0; i < 2 * (64 + 256); i++)
		CHECK(umads[i] == 0);
	umad_free(umads);
	CHECK(!umad_alloc(-1, 64 + 256));
}

static void class_port_info(void)
{
	struct umad_class_port_info info;

	memset(&info, 0, sizeof(info));
	info.cap_mask2_resp_time = word("\xff\xff\xff\xe0");
	CHECK(umad_class_cap_mask2(&info) == 0x7ffffff);
	CHECK(umad_class_resp_time(&info) == 0);
	info.cap_mask2_resp_time = word("\x00\x00\x00\x92"); /* bit 2 and 18 */
	CHECK(umad_class_cap_mask2(&info) == 4);
	CHECK(umad_class_resp_time(&info) == 18);
}

static void selectors(void)
{
	CHECK(umad_sa_get_rate_mtu_or_life(0x84) == 0x04);
	CHECK(umad_sa_get_rate_mtu_or_life(0xff) == 0x3f);
	CHECK(umad_sa_set_rate_mtu_or_life(2, 4) == 0x84);
	CHECK(umad_sa_set_rate_mtu_or_life(0xfd, 0xc4) == 0x44);
}

static void member_record(void)
{
	struct umad_sa_mcmember_record record;
	uint8_t sl = 0xee, hop = 0xee, scope = 0xee, state = 0xee;
	uint32_t flow = 0xeeeeeeee;

	umad_sa_mcm_get_sl_flow_hop(word("\xa1\x23\x45\x67"), &sl, &flow, &hop);
	CHECK(sl == 0xa && flow == 0x12345 && hop == 0x67);
	umad_sa_mcm_get_sl_flow_hop(word("\xa1\x23\x45\x67"), NULL, NULL, NULL);
	CHECK(umad_sa_mcm_set_sl_flow_hop(0xa, 0x12345, 0x67) == word("\xa1\x23\x45\x67"));
	CHECK(umad_sa_mcm_set_sl_flow_hop(0xfa, 0xfff12345, 0x67) == word("\xa1\x23\x45\x67"));

	umad_sa_mcm_get_scope_state(0x21, &scope, &state);
	CHECK(scope == 2 && state == 1);
	umad_sa_mcm_get_scope_state(0x21, NULL, NULL);
	CHECK(umad_sa_mcm_set_scope_state(0x2, 0x1) == 0x21);
	CHECK(umad_sa_mcm_set_scope_state(0xf2, 0xf1) == 0x21);

	memset(&record, 0, sizeof(record));
	record.scope_state = 0x21;
	umad_sa_mcm_set_join_state(&record, 0xf4);
	CHECK(record.scope_state == 0x24);
	record.proxy_join = 0x7f;
	CHECK(umad_sa_mcm_get_proxy_join(&record) == 0);
	record.proxy_join = 0x80;
	CHECK(umad_sa_mcm_get_proxy_join(&record) == 1);
}

static void vendor_ranges(void)
{
	for (int mgmt_class = -1; mgmt_class <= 256; mgmt_class++) {
		CHECK(!mad_is_vendor_range1(mgmt_class) == !(mgmt_class >= 9 && mgmt_class <= 15));
		CHECK(!mad_is_vendor_range2(mgmt_class) ==
		      !(mgmt_class >= 0x30 && mgmt_class <= 0x4f));
	}
}

static void set_portid(void)
{
	ib_portid_t id;

	memset(&id, 0xff, sizeof(id));
	CHECK(ib_portid_set(&id, 17, 1, (int)0x80010000) == 0);
	CHECK(id.lid == 17 && id.qp == 1 && id.qkey == 0x80010000);
	CHECK(id.grh_present == 0);
}

static void lids(void)
{
	CHECK(!IB_LID_VALID(0) && IB_LID_VALID(1) && IB_LID_VALID(0xbfff));
	CHECK(!IB_LID_VALID(0xc000) && !IB_LID_VALID(0xffff));
	CHECK(!IB_MLID_VALID(0xbfff) && IB_MLID_VALID(0xc000) && IB_MLID_VALID(0xfffe));
	CHECK(!IB_MLID_VALID(0xffff) && !IB_MLID_VALID(0));
	CHECK(ALIGN(0, 4) == 0 && ALIGN(1, 4) == 4 && ALIGN(4, 4) == 4 && ALIGN(5, 8) == 8);
}

int main(void)
{
	byte_order();
	allocation();
	class_port_info();
	selectors();
	member_record();
	vendor_ranges();
	set_portid();
	lids();
	return 0;
}
