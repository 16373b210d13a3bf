/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Where a redirect has its ClassPortInfo (13.4.8.1, 13.5.1): where the class has the data of that
 * attribute. The table of requests says what comes of it.
 */
#include "test.h"
#include "fakeumad.h"

#include <infiniband/mad.h>
#include <string.h>

#define NEW_LID	 9
#define NEW_SL	 5
#define NEW_QP	 7
#define NEW_QKEY 0x12345678

static uint8_t data[256];

/* ClassPortInfo with nothing but what every redirect to a LID has. */
static void make_info(uint8_t info[72])
{
	memset(info, 0, 72);
	mad_set_field(info, 0, IB_CPI_REDIRECT_LID_F, NEW_LID);
	mad_set_field(info, 0, IB_CPI_REDIRECT_SL_F, NEW_SL);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QP_F, NEW_QP);
	mad_set_field(info, 0, IB_CPI_REDIRECT_QKEY_F, NEW_QKEY);
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
