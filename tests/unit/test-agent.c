/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-agent.c - registering and unregistering (libibumad/io/agent.c, uapi.c). Offsets in the
 * requests are written out: they are the kernel's, as <rdma/ib_user_mad.h> has them.
 */
#include <errno.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/internal.h"

enum { /* in the older request */
       AT_ID = 0,
       AT_MASK = 4,
       AT_QPN = 20,
       AT_CLASS = 21,
       AT_VERSION = 22,
       AT_OUI = 23,
       AT_RMPP = 26
};

enum { /* in the newer one */
       AT2_ID = 0,
       AT2_QPN = 4,
       AT2_CLASS = 8,
       AT2_VERSION = 9,
       AT2_FLAGS = 12,
       AT2_MASK = 16,
       AT2_OUI = 32,
       AT2_RMPP = 36
};

#define LONGS (16 / sizeof(long))
#define AGENT 7

static int port;
static uint32_t agent_id;

static int setup(void **state)
{
	fakesys_setup(state);
	port = fakesys_open_device();
	agent_id = 4711;
	return 0;
}

static int teardown(void **state)
{
	umad_close_port(port);
	return fakesys_teardown(state);
}

/* The kernel's result for the older request: an ID, or an errno. */
static void expect_register(int error)
{
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL,
					     .request = IB_USER_MAD_REGISTER_AGENT,
					     .error = error,
					     .reply_at = AT_ID,
					     .reply = error ? 0 : AGENT });
}

/* And to the newer one: an id, or an errno and the flags it knows. */
static void expect_register2(int error, uint32_t flags)
{
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL,
					     .request = IB_USER_MAD_REGISTER_AGENT2,
					     .error = error,
					     .reply_at = error ? AT2_FLAGS : AT2_ID,
					     .reply = error ? flags : AGENT });
}

static uint8_t sent8(size_t at)
{
	return fakesys_ioctl_argument()[at];
}

static uint32_t sent32(size_t at)
{
	uint32_t value;

	memcpy(&value, fakesys_ioctl_argument() + at, sizeof(value));
	return value;
}

/* What the last older request had. */
static void assert_sent(int mgmt_class, int version, int rmpp, int qpn, unsigned oui)
{
	assert_int_equal(sent8(AT_CLASS), mgmt_class);
	assert_int_equal(sent8(AT_VERSION), version);
	assert_int_equal(sent8(AT_RMPP), rmpp);
	assert_int_equal(sent8(AT_QPN), qpn);
	assert_int_equal(sent8(AT_OUI) << 16 | sent8(AT_OUI + 1) << 8 | sent8(AT_OUI + 2), oui);
}

#define CASE(name) TEST_WITH(name, setup, teardown)

/* Refused here, or by the kernel: then it is EPERM, with the reason in errno. */
CASE(refusals)
{
	static const struct {
		bool other_port;
		int mgmt_class, version;
	} wrong[] = { { true, 4, 1 },
		      { false, -1, 1 },
		      { false, 256, 1 },
		      { false, 4, -1 },
		      { false, 4, 256 } };
	uint8_t oui[3] = { 0, 0, 1 };

	for (size_t i = 0; i < COUNT(wrong); i++) {
		assert_fails(umad_register(wrong[i].other_port ? -1 : port, wrong[i].mgmt_class,
					   wrong[i].version, 0, NULL),
			     EINVAL);
	}
	assert_fails(umad_register_oui(port, 0x2f, 0, oui, NULL), EINVAL);
	assert_int_equal(umad_register_oui(port, 0x50, 0, oui, NULL), -EINVAL);
	assert_int_equal(umad_register_oui(port, 0x30, 0, NULL, NULL), -EINVAL);
	assert_int_equal(umad_register_oui(-1, 0x30, 0, oui, NULL), -EINVAL);
	expect_register(EINVAL);
	assert_int_equal(umad_register(port, 0x04, 1, 0, NULL), -EPERM);
	assert_int_equal(errno, EINVAL);
	expect_register(ENOMEM);
	assert_int_equal(umad_register_oui(port, 0x30, 0, oui, NULL), -EPERM);
	assert_int_equal(errno, ENOMEM);
}

static struct umad_reg_attr attributes(void)
{
	return (struct umad_reg_attr){
		.mgmt_class = 0x30,
		.mgmt_class_version = 1,
		.flags = UMAD_USER_RMPP,
		.method_mask = { 0x8000000000000001, 0x0123456789abcdef },
		.oui = 0x112233,
		.rmpp_version = 1,
	};
}

CASE(attributes_are_passed_on)
{
	struct umad_reg_attr attr = attributes();

	expect_register2(0, 0);
	assert_int_equal(umad_register2(port, &attr, &agent_id), 0);
	assert_int_equal(agent_id, AGENT);
	assert_int_equal(sent32(AT2_QPN), 1);
	assert_int_equal(sent8(AT2_CLASS), 0x30);
	assert_int_equal(sent8(AT2_VERSION), 1);
	assert_int_equal(sent32(AT2_FLAGS), UMAD_USER_RMPP);
	assert_memory_equal(fakesys_ioctl_argument() + AT2_MASK, attr.method_mask, 16);
	assert_int_equal(sent32(AT2_OUI), 0x112233);
	assert_int_equal(sent8(AT2_RMPP), 1);
	assert_int_equal(attr.flags, UMAD_USER_RMPP);
}

CASE(oui_counts_for_vendor_range_2_only)
{
	struct umad_reg_attr attr = attributes();

	attr.mgmt_class = 0x81;
	expect_register2(0, 0);
	assert_int_equal(umad_register2(port, &attr, &agent_id), 0);
	assert_int_equal(sent32(AT2_OUI), 0);
	assert_int_equal(sent32(AT2_QPN), 0);
	attr.mgmt_class = 0x4f;
	attr.oui = 0;
	assert_int_equal(umad_register2(port, &attr, &agent_id), EINVAL);
	attr.oui = 0x1000000;
	assert_int_equal(umad_register2(port, &attr, &agent_id), EINVAL);
}

CASE(impossible_attributes_are_refused)
{
	struct umad_reg_attr attr = attributes();

	assert_int_equal(umad_register2(-1, &attr, &agent_id), EINVAL);
	assert_int_equal(umad_register2(port, NULL, &agent_id), EINVAL);
	assert_int_equal(umad_register2(port, &attr, NULL), EINVAL);
	assert_int_equal(agent_id, 4711);
}

/* Method m is bit m % 32 or m % 64 of a long in the older request, and bit m % 64 of a word in the
 * newer one, whatever the byte order. */
static void assert_older_mask(const uint64_t newer[2])
{
	const size_t bits = 8 * sizeof(long);
	unsigned long older[LONGS];
	size_t method;

	memcpy(older, fakesys_ioctl_argument() + AT_MASK, sizeof(older));
	for (method = 0; method < 128; method++)
		assert_int_equal(older[method / bits] >> method % bits & 1,
				 newer[method / 64] >> method % 64 & 1);
}

/* Older kernels do not know the newer request, and simulators refuse it. */
CASE(older_request_is_made_if_no_flags_are_wanted)
{
	static const int refusals[] = { ENOTTY, EINVAL };
	struct umad_reg_attr attr = attributes();
	size_t i;

	attr.flags = 0;
	for (i = 0; i < 2; i++) {
		agent_id = 4711;
		expect_register2(refusals[i], 0);
		expect_register(0);
		assert_int_equal(umad_register2(port, &attr, &agent_id), 0);
		assert_int_equal(agent_id, AGENT);
		assert_sent(0x30, 1, 1, 1, 0x112233);
		assert_older_mask(attr.method_mask);
	}
	expect_register2(EINVAL, 0);
	expect_register(EBUSY);
	assert_int_equal(umad_register2(port, &attr, &agent_id), EBUSY);
	assert_int_equal(attr.flags, 0);
}

CASE(flags_that_the_kernel_supports_are_reported)
{
	static const struct {
		uint32_t wanted;
		int error;
		uint32_t known, reported;
	} rows[] = {
		{ UMAD_USER_RMPP | 2, EINVAL, UMAD_USER_RMPP, UMAD_USER_RMPP },
		{ UMAD_USER_RMPP, ENOTTY, 0, 0 },
		{ UMAD_USER_RMPP, EINVAL, 0, UMAD_USER_RMPP }, /* which says nothing of them */
		{ UMAD_USER_RMPP, EINVAL, UMAD_USER_RMPP, UMAD_USER_RMPP }, /* of all else */
		{ 0, ENOMEM, 0, 0 }, /* and there is no second request */
		{ 0, EPERM, 0, 0 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct umad_reg_attr attr = attributes();

		attr.flags = rows[i].wanted;
		expect_register2(rows[i].error, rows[i].known);
		assert_int_equal(umad_register2(port, &attr, &agent_id), rows[i].error);
		assert_int_equal(errno, rows[i].error);
		assert_int_equal(attr.flags, rows[i].reported);
		assert_int_equal(agent_id, 4711);
	}
}
