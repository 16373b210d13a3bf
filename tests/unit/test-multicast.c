/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* libibmad/requests/multicast.c: MCMemberRecord Set and Delete, byte by byte. */
#include "test.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad_sa.h>
#include <infiniband/umad_sa_mcm.h>
#include <string.h>

#define RECORD_AT 56
#define MASK_AT	  48
#define GUID	  UINT64_C(0x0002c90300000077)

static struct ibmad_port *port;
static uint16_t status;

/* PortInfo and NodeInfo of the local port; of the SA, the record as it was asked for, with MLID
 * 0xc123. */
static int response(const struct fakeumad_request *request, void *context)
{
	unsigned attr_id = request->mad[16] << 8 | request->mad[17];
	uint8_t data[64] = { 0 };
	struct fakeumad_reply reply = { .data = data, .data_size = 64, .data_offset = 64 };

	(void)context;
	if (request->mad[1] == IB_SA_CLASS) {
		memcpy(data, request->mad + RECORD_AT, 52);
		mad_set_field(data, 0, IB_SA_MCM_MLID_F, 0xc123);
		reply.data_offset = RECORD_AT;
		reply.status = status;
		if (request->mad[3] == IB_MAD_METHOD_DELETE)
			reply.method = IB_MAD_METHOD_DELETE_RESPONSE;
	} else if (attr_id == IB_ATTR_PORT_INFO) {
		mad_set_field(data, 0, IB_PORT_SMLID_F, 5);
		mad_set_field64(data, 0, IB_PORT_GID_PREFIX_F, IB_DEFAULT_SUBN_PREFIX);
	} else {
		mad_set_field64(data, 0, IB_NODE_PORT_GUID_F, GUID);
	}
	fakeumad_reply(request, &reply);
	return 0;
}

static int setup(void **state)
{
	int result = fakeumad_setup(state);

	port = *state;
	status = 0;
	fakeumad_respond_with(response, NULL);
	return result;
}

static const uint8_t *last_mad(void)
{
	return fakeumad_written(fakeumad_writes()) + FAKEUMAD_HEADER;
}

#define MEMBER(...)                                                \
	.member = &(const struct mad_sa_mc_member){ __VA_ARGS__ }, \
	.member_size = sizeof(struct mad_sa_mc_member)

#define CASE(name) TEST_WITH(name, setup, fakeumad_teardown)

/* Every component where the specification has it (table 210). */
CASE(the_whole_record)
{
	static const uint8_t expected[52] = {
		0xff, 0x12, 3,	  4,	5,    6,    7,	  8,	9,    10,   11,	  12,	13,
		14,   15,   16,	  0xfe, 0x80, 0,    0,	  0,	0,    0,    0,	  0,	0x02,
		0xc9, 3,    0,	  0,	0,    0x99, 0x12, 0x34, 0x56, 0x78, 0xc0, 0x01, 0x84,
		0x33, 0x80, 0x05, 0x43, 0xd2, 0xa1, 0x23, 0x45, 0x67, 0x2f, 0x80, 0,	0,
	};
	struct mad_sa_mc_request request = {
		MEMBER(.mgid = { 0xff, 0x12, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 },
		       .port_gid = { 0xfe, 0x80, [9] = 0x02, 0xc9, 3, [15] = 0x99 },
		       .qkey = 0x12345678, .mlid = 0xc001, .mtu = 4, .traffic_class = 0x33,
		       .pkey = 0x8005, .rate = 3, .life_time = 0x12, .sl = 0xa,
		       .flow_label = 0x12345, .hop_limit = 0x67, .scope = 2, .join_state = 0xf,
		       .proxy_join = 1),
		.mtu_selector = 2,
		.rate_selector = 1,
		.life_time_selector = 3,
	};
	uint8_t record[IB_SA_DATA_SIZE], zeros[IB_SA_DATA_SIZE] = { 0 };

	memset(record, 0x55, sizeof(record));
	assert_int_equal(mad_sa_mc_encode(&request, sizeof(request), record), 0);
	assert_memory_equal(record, expected, sizeof(expected));
	assert_memory_equal(record + 52, zeros, sizeof(record) - 52);
}

CASE(joining)
{
	struct mad_sa_mc_request request = {
		MEMBER(.mgid = { 0xff, 0x12, [15] = 1 }, .pkey = 0x8005),
		.mask = UMAD_SA_MCM_COMP_MASK_PKEY,
	};
	struct mad_sa_mc_member joined = { .mlid = 0 };
	unsigned response = 7;
	const uint8_t *mad;

	sa_key_set(port, 0x0102030405060708);
	assert_int_equal(mad_sa_mc_join(port, NULL, &request, sizeof(request), &joined,
					sizeof(joined), &response),
			 0);
	mad = last_mad();
	assert_int_equal(mad[1], IB_SA_CLASS);
	assert_int_equal(mad[3], IB_MAD_METHOD_SET);
	assert_int_equal(mad[17], IB_SA_ATTR_MCRECORD);
	assert_int_equal(mad[36 + 7], 8); /* the SM_Key */
	assert_memory_equal(mad + MASK_AT, "\0\0\0\0\0\1\0\x83", 8);
	assert_memory_equal(mad + RECORD_AT + 16, "\xfe\x80\0\0\0\0\0\0\0\x02\xc9\x03\0\0\0\x77",
			    16);
	assert_int_equal(mad[RECORD_AT + 48], UMAD_SA_MCM_JOIN_STATE_FULL_MEMBER);
	assert_int_equal(response, 0);
	assert_int_equal(joined.mlid, 0xc123);
	assert_int_equal(joined.pkey, 0x8005);
	assert_int_equal(joined.join_state, 1);
	assert_int_equal(mad_sa_mc_join(port, NULL, &request, sizeof(request), NULL, 0, NULL), 0);
}

/* A group whose GID the SA chooses; and an address that is given asks for nothing. */
CASE(the_mask)
{
	struct mad_sa_mc_request request = {
		MEMBER(.port_gid = { 0xfe, 0x80, [15] = 9 }, .join_state = 4),
		.mask = UMAD_SA_MCM_COMP_MASK_QKEY | UMAD_SA_MCM_COMP_MASK_SCOPE |
			UMAD_SA_MCM_COMP_MASK_PROXY_JOIN,
	};
	ib_portid_t sm = { .lid = 9 };

	assert_int_equal(mad_sa_mc_join(port, &sm, &request, sizeof(request), NULL, 0, NULL), 0);
	assert_int_equal(fakeumad_writes(), 1);
	assert_memory_equal(last_mad() + MASK_AT, "\0\0\0\0\0\3\x80\6", 8);
	assert_int_equal(last_mad()[RECORD_AT + 48], 4);
}

CASE(leaving)
{
	struct mad_sa_mc_request request = { MEMBER(.mgid = { 0xff, 0x12, [15] = 1 }) };

	assert_int_equal(mad_sa_mc_leave(port, NULL, &request, sizeof(request), NULL), 0);
	assert_int_equal(last_mad()[3], IB_MAD_METHOD_DELETE);
	assert_memory_equal(last_mad() + MASK_AT, "\0\0\0\0\0\1\0\3", 8);
}

CASE(what_the_sa_refuses)
{
	struct mad_sa_mc_request request = { MEMBER(.mgid = { 0xff, 0x12, [15] = 1 }) };
	struct mad_sa_mc_member joined = { .mlid = 5 };
	unsigned response = 0;

	status = 0x0200;
	assert_int_equal(mad_sa_mc_join(port, NULL, &request, sizeof(request), &joined,
					sizeof(joined), &response),
			 -1);
	assert_int_equal(errno, EIO);
	assert_int_equal(response, 0x0200);
	assert_int_equal(joined.mlid, 5);
	assert_int_equal(mad_sa_mc_leave(port, NULL, &request, sizeof(request), &response), -1);
	assert_int_equal(errno, EIO);
}

CASE(what_is_refused)
{
	struct mad_sa_mc_request request = { MEMBER(.mgid = { 0xff }) };
	static const struct mad_sa_mc_member wide = { .flow_label = 1 << 20 };
	const ib_portid_t nowhere = { .lid = 0 };
	uint8_t record[IB_SA_DATA_SIZE];
	unsigned response = 9;

	assert_int_equal(mad_sa_mc_join(NULL, NULL, &request, sizeof(request), NULL, 0, &response),
			 -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(response, 0);
	assert_int_equal(mad_sa_mc_join(port, NULL, NULL, sizeof(request), NULL, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_sa_mc_leave(port, &nowhere, &request, sizeof(request), NULL), -1);
	assert_int_equal(errno, EINVAL);
	request.mtu_selector = 4;
	assert_int_equal(mad_sa_mc_join(port, NULL, &request, sizeof(request), NULL, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
	request.mtu_selector = 0;
	assert_int_equal(mad_sa_mc_leave(port, NULL, &request, sizeof(request) - 1, NULL), -1);
	assert_int_equal(errno, EINVAL);
	request.member = &wide;
	assert_int_equal(mad_sa_mc_encode(&request, sizeof(request), record), -1);
	assert_int_equal(errno, EINVAL);
	request.member = NULL;
	assert_int_equal(mad_sa_mc_join(port, NULL, &request, sizeof(request), NULL, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(mad_sa_mc_encode(&request, sizeof(request), NULL), -1);
	assert_int_equal(errno, EINVAL);
}
