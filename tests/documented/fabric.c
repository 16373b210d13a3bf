/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The answers of fabric.h. */
#include "fabric.h"
#include "fakeumad.h"

#include <endian.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define SMP_DATA     64
#define SA_DATA	     56
#define VENDOR1_DATA 24
#define VENDOR2_DATA 40

static uint16_t mad_status;

static unsigned get16(const uint8_t *bytes)
{
	return (unsigned)(bytes[0] << 8 | bytes[1]);
}

static void fill_smp(unsigned attr_id, uint8_t *data)
{
	if (attr_id == IB_ATTR_NODE_DESC)
		memcpy(data, FABRIC_DESCRIPTION, sizeof(FABRIC_DESCRIPTION));
	if (attr_id == IB_ATTR_NODE_INFO) {
		mad_set_field64(data, 0, IB_NODE_PORT_GUID_F, FABRIC_GUID);
		mad_set_field(data, 0, IB_NODE_LOCAL_PORT_F, FABRIC_PORT);
	}
	if (attr_id == IB_ATTR_PORT_INFO) {
		mad_set_field(data, 0, IB_PORT_LID_F, FABRIC_LID);
		mad_set_field(data, 0, IB_PORT_SMLID_F, FABRIC_SM_LID);
		mad_set_field(data, 0, IB_PORT_LOCAL_PORT_F, FABRIC_PORT);
		mad_set_field64(data, 0, IB_PORT_GID_PREFIX_F, FABRIC_PREFIX);
	}
}

/* The answer to a Get; a Set and a vendor's request come back as they were. */
static int answer(const struct fakeumad_request *request, void *context)
{
	const uint8_t *mad = request->mad;
	uint8_t data[FAKEUMAD_MAD] = { 0 };
	struct fakeumad_reply reply = { .status = mad_status, .data = data };

	(void)context;
	switch (mad[1]) {
	case IB_SMI_CLASS:
	case IB_SMI_DIRECT_CLASS:
		reply.data_offset = SMP_DATA;
		reply.data_size = SMP_DATA;
		if (mad[3] == IB_MAD_METHOD_GET)
			fill_smp(get16(mad + 16), data);
		else
			memcpy(data, mad + SMP_DATA, SMP_DATA);
		break;
	case IB_SA_CLASS:
		reply.data_offset = SA_DATA;
		reply.data_size = 64;
		memcpy(data, mad + SA_DATA, 64);
		mad_set_field(data, 0, IB_SA_PR_DLID_F, FABRIC_PATH_LID);
		break;
	case IB_PERFORMANCE_CLASS:
		reply.data_offset = SMP_DATA;
		reply.data_size = FAKEUMAD_MAD - SMP_DATA;
		memcpy(data, mad + SMP_DATA, reply.data_size);
		if (mad[3] == IB_MAD_METHOD_GET)
			mad_set_field(data, 0, IB_PC_ERR_SYM_F, FABRIC_SYMBOLS);
		break;
	default: /* vendor classes: all bits turned over */
		reply.data_offset = mad[1] < 0x30 ? VENDOR1_DATA : VENDOR2_DATA;
		reply.data_size = FAKEUMAD_MAD - reply.data_offset;
		for (size_t i = 0; i < reply.data_size; i++)
			data[i] = (uint8_t)~mad[reply.data_offset + i];
	}
	fakeumad_reply(request, &reply);
	return 0;
}

void fabric_answers(void)
{
	fabric_answers_with_status(0);
}

void fabric_answers_with_status(uint16_t status)
{
	mad_status = status;
	fakeumad_answer_with(answer, NULL);
}

void fabric_loses_all(void)
{
	fakeumad_answer_with(NULL, NULL);
}

void fabric_assert_request(int number, int mgmt_class, int method, int attr_id, unsigned attr_mod,
			   unsigned lid)
{
	const struct ib_user_mad *umad = (const void *)fakeumad_written(number);
	const uint8_t *mad = fakeumad_written(number) + FAKEUMAD_HEADER;

	assert_int_equal(mad[1], mgmt_class);
	assert_int_equal(mad[3], method);
	assert_int_equal(get16(mad + 16), attr_id);
	assert_int_equal(get16(mad + 20) << 16 | get16(mad + 22), attr_mod);
	assert_int_equal(be16toh(umad->addr.lid), lid);
}
