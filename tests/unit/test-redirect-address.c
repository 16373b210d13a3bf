/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Where a redirect leads (13.4.8.1, 13.5.1): all of the new address comes from its ClassPortInfo,
 * which begins where the class has the data of that attribute.
 */
#include "test.h"
#include "fakeumad.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <string.h>

#define NEW_LID	 9
#define NEW_SL	 5
#define NEW_QP	 7
#define NEW_QKEY 0x12345678
#define OLD_PKEY 5 /* P_Key index of the address that is redirected */

static uint8_t data[256];
static uint8_t new_gid[16] = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 2, 0xc9, 3, 0, 0, 0, 1 };

/* ClassPortInfo with nothing but what every redirect to a LID has. */
static void make_info(uint8_t info[72])
{
	memset(info, 0, 72);
	mad_set_field(info, 0, IB_CPI_REDIRECT_LID_F, NEW_LID);
	mad_set_field(info, 0, IB_CPI_REDIRECT_SL_F, NEW_SL);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QP_F, NEW_QP);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QKEY_F, NEW_QKEY);
}

static ib_portid_t old_address(void)
{
	return (ib_portid_t){ .lid = 4,
			      .qp = 1,
			      .qkey = IB_DEFAULT_QP1_QKEY,
			      .sl = 3,
			      .pkey_idx = OLD_PKEY,
			      .grh_present = 1,
			      .gid = { 0xfe, 0xc0, [15] = 0x77 } };
}

/* Makes a request that is redirected by info, with that status; gives what was sent then. */
static const struct ib_user_mad *redirect(struct ibmad_port *port, const uint8_t info[72],
					  uint16_t status, ib_portid_t *to)
{
	struct fakeumad_reply away = {
		.status = status, .data = info, .data_size = 72, .data_offset = IB_PC_DATA_OFFS
	};
	struct fakeumad_reply good = { 0 };
	ib_rpc_t rpc = { .mgtclass = IB_PERFORMANCE_CLASS,
			 .method = IB_MAD_METHOD_GET,
			 .attr = { 0x12, 0 },
			 .dataoffs = IB_PC_DATA_OFFS,
			 .datasz = IB_PC_DATA_SZ };
	const struct ib_user_mad *umad;

	fakeumad_expect_write(NULL, 0, &away, 1);
	fakeumad_expect_write(NULL, 0, &good, 1);
	assert_non_null(mad_rpc(port, &rpc, to, NULL, data));
	umad = (const void *)fakeumad_written(fakeumad_writes());
	assert_int_equal(be16toh(umad->addr.lid), NEW_LID);
	assert_int_equal(umad->addr.sl, NEW_SL);
	assert_int_equal(be32toh(umad->addr.qpn), NEW_QP);
	assert_int_equal(be32toh(umad->addr.qkey), NEW_QKEY);
	assert_int_equal(to->lid, NEW_LID);
	assert_int_equal(to->sl, NEW_SL);
	assert_int_equal(to->qp, NEW_QP);
	assert_int_equal(to->qkey, NEW_QKEY);
	return umad;
}

FAKEUMAD_TEST(old_grh_is_gone)
{
	const struct ib_user_mad *umad;
	ib_portid_t to = old_address();
	uint8_t info[72];

	make_info(info);
	umad = redirect(*state, info, 2, &to);
	assert_int_equal(umad->addr.grh_present, 0);
	assert_int_equal(to.grh_present, 0);
}

FAKEUMAD_TEST(grh_of_the_redirect)
{
	for (int had_grh = 0; had_grh < 2; had_grh++) {
		const struct ib_user_mad *umad;
		ib_portid_t to = old_address();
		uint8_t info[72];

		to.grh_present = had_grh;
		make_info(info);
		mad_set_array(info, 0, IB_CPI_REDIRECT_GID_F, new_gid);
		mad_set_field(info, 0, IB_CPI_REDIRECT_TC_F, 0xab);
		mad_set_field(info, 0, IB_CPI_REDIRECT_FL_F, 0x54321);
		umad = redirect(*state, info, 2, &to);
		assert_int_equal(umad->addr.grh_present, 1);
		assert_memory_equal(umad->addr.gid, new_gid, 16);
		assert_int_equal(umad->addr.traffic_class, 0xab);
		assert_int_equal(be32toh(umad->addr.flow_label), 0x54321);
		assert_int_equal(umad->addr.hop_limit, 255);
		assert_int_equal(to.grh_present, 1);
		assert_memory_equal(to.gid, new_gid, 16);
	}
}

/* The port's P_Key table is 0xffff, 0x8001; P_Keys of one partition differ in their highest bit. */
FAKEUMAD_TEST(pkey_of_the_redirect)
{
	static const struct {
		unsigned pkey, index;
	} cases[] = { { 0x8001, 1 }, { 0x0001, 1 }, { 0xffff, 0 }, { 0x7fff, 0 }, { 0, OLD_PKEY } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct ib_user_mad *umad;
		ib_portid_t to = old_address();
		uint8_t info[72];

		make_info(info);
		mad_set_field(info, 0, IB_CPI_REDIRECT_PKEY_F, cases[i].pkey);
		umad = redirect(*state, info, 2, &to);
		assert_int_equal(umad->addr.pkey_index, cases[i].index);
		assert_int_equal(to.pkey_idx, cases[i].index);
	}
}

/* Bit 15 of the status is reserved outside SMPs. */
FAKEUMAD_TEST(reserved_status_bit)
{
	ib_portid_t to = old_address();
	uint8_t info[72];

	make_info(info);
	redirect(*state, info, 0x8002, &to);
}

/* Wherever the request has its own data, and also where it has none. */
FAKEUMAD_TEST(offset_of_class_port_info)
{
	static const struct {
		int mgmt_class, dataoffs, datasz;
		size_t info_offset;
	} cases[] = { { 0x21, IB_CC_LOG_DATA_OFFS, IB_CC_LOG_DATA_SZ, 64 },
		      { 0x21, IB_CC_DATA_OFFS, IB_CC_DATA_SZ, 64 },
		      { 0x21, 0, 0, 64 },
		      { 0x04, 0, 0, 64 },
		      { 0x04, 0, 256, 64 },
		      { 0x05, 0, 0, 64 },
		      { 0x05, IB_BM_BKEY_OFFS, IB_BM_BKEY_AND_DATA_SZ, 64 },
		      { 0x03, IB_SA_DATA_OFFS, IB_SA_DATA_SIZE, 56 },
		      { 0x03, 0, 0, 56 },
		      { 0x0a, IB_VENDOR_RANGE1_DATA_OFFS, IB_VENDOR_RANGE1_DATA_SIZE, 24 },
		      { 0x0a, 0, 0, 24 },
		      { 0x32, IB_VENDOR_RANGE2_DATA_OFFS, IB_VENDOR_RANGE2_DATA_SIZE, 40 },
		      { 0x32, 0, 0, 40 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t info[72];
		struct fakeumad_reply good = { 0 };
		struct fakeumad_reply away = { .status = 2,
					       .data = info,
					       .data_size = sizeof(info),
					       .data_offset = cases[i].info_offset };
		ib_portid_t to = { .lid = 4, .qp = 1 };
		ib_rpc_cc_t rpc = { .mgtclass = cases[i].mgmt_class,
				    .method = IB_MAD_METHOD_GET,
				    .attr = { 0x12, 0 },
				    .dataoffs = cases[i].dataoffs,
				    .datasz = cases[i].datasz };

		make_info(info);
		fakeumad_expect_write(NULL, 0, &away, 1);
		fakeumad_expect_write(NULL, 0, &good, 1);
		assert_non_null(mad_rpc(*state, (ib_rpc_t *)&rpc, &to, NULL, data));
		assert_int_equal(to.lid, NEW_LID);
		assert_int_equal(to.qp, NEW_QP);
	}
}
