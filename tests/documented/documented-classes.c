/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every function that makes a certain request or resolves an address that the text document of
 * libibmad describes, used as it says on the default port, on the scripted kernel of tests/unit;
 * check-documented.py knows which those are. One test each, named after it.
 */
#include "default-port.h"
#include "fabric.h"
#include "fakeumad.h"

#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define GUID UINT64_C(0x1122334455667788)

static ib_portid_t node(void)
{
	return (ib_portid_t){ .lid = LID };
}

/* Clients */

static void use_ib_vendor_call(void **state)
{
	ib_vendor_call_t call = {
		.method = IB_MAD_METHOD_GET, .mgmt_class = VENDOR1, .attrid = 0x77, .mod = 3
	};
	uint8_t data[IB_VENDOR_RANGE1_DATA_SIZE] = { 0x0f };
	ib_portid_t to = node();

	(void)state;
	assert_ptr_equal(ib_vendor_call(data, &to, &call), data);
	assert_int_equal(data[0], 0xf0);
	fabric_assert_request(1, VENDOR1, IB_MAD_METHOD_GET, 0x77, 3, LID);
	call.mgmt_class = VENDOR2;
	call.oui = VENDOR_OUI;
	assert_ptr_equal(ib_vendor_call(data, &to, &call), data);
	assert_int_equal(data[0], 0x0f);
	assert_memory_equal(fakeumad_written(2) + FAKEUMAD_HEADER + 37, "\x00\x14\x05", 3);
	fabric_loses_all();
	call.method = IB_MAD_METHOD_SEND; /* not get, set or trap: it returns immediately */
	assert_ptr_equal(ib_vendor_call(data, &to, &call), data);
	assert_int_equal(fakeumad_writes(), 3);
}

static void use_smp_query(void **state)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t to = node(), self = { 0 };

	(void)state;
	assert_ptr_equal(smp_query(data, &to, IB_ATTR_NODE_DESC, 0, 0), data);
	assert_string_equal((char *)data, FABRIC_DESCRIPTION);
	assert_ptr_equal(smp_query(data, &self, IB_ATTR_PORT_INFO, 1, TIMEOUT_MS / 2), data);
	assert_int_equal(mad_get_field(data, 0, IB_PORT_LID_F), FABRIC_LID);
	fabric_assert_request(1, IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_DESC, 0, LID);
	fabric_assert_request(2, IB_SMI_DIRECT_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 1,
			      DIRECT_LID);
	assert_int_equal(((const struct ib_user_mad *)fakeumad_written(2))->timeout_ms,
			 TIMEOUT_MS / 2);
}

static void use_smp_set(void **state)
{
	uint8_t data[IB_SMP_DATA_SIZE], sent[IB_SMP_DATA_SIZE];
	ib_portid_t to = node();

	(void)state;
	fakeumad_pattern(data, sizeof(data), 9);
	memcpy(sent, data, sizeof(sent));
	assert_ptr_equal(smp_set(data, &to, IB_ATTR_PORT_INFO, 1, 0), data);
	fabric_assert_request(1, IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_PORT_INFO, 1, LID);
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 64, sent, sizeof(sent));
	assert_memory_equal(data, sent, sizeof(sent));
}

static void use_safe_smp_query(void **state)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 0 };
	ib_portid_t to = node();

	(void)state;
	assert_ptr_equal(safe_smp_query(data, &to, IB_ATTR_NODE_DESC, 0, 0), data);
	assert_string_equal((char *)data, FABRIC_DESCRIPTION);
	fabric_assert_request(1, IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_DESC, 0, LID);
	default_port_assert_lock(); /* it gave the lock back */
}

static void use_safe_smp_set(void **state)
{
	uint8_t data[IB_SMP_DATA_SIZE] = { 42 };
	ib_portid_t to = node();

	(void)state;
	assert_ptr_equal(safe_smp_set(data, &to, IB_ATTR_PORT_INFO, 1, 0), data);
	assert_int_equal(data[0], 42);
	fabric_assert_request(1, IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_PORT_INFO, 1, LID);
	default_port_assert_lock();
}

static void ask_for_path(uint8_t *(*function)(void *, ib_portid_t *, ib_sa_call_t *, unsigned))
{
	ib_sa_call_t call = { .attrid = IB_SA_ATTR_PATHRECORD,
			      .method = IB_MAD_METHOD_GET,
			      .mask = 0xc };
	ib_portid_t sm = { .lid = FABRIC_SM_LID };
	uint8_t data[IB_SA_DATA_SIZE] = { 0 };

	assert_ptr_equal(function(data, &sm, &call, TIMEOUT_MS), data);
	assert_int_equal(mad_get_field(data, 0, IB_SA_PR_DLID_F), FABRIC_PATH_LID);
	fabric_assert_request(1, IB_SA_CLASS, IB_MAD_METHOD_GET, IB_SA_ATTR_PATHRECORD, 0,
			      FABRIC_SM_LID);
	assert_int_equal(fakeumad_written(1)[FAKEUMAD_HEADER + 55], 0xc); /* the mask */
	fabric_answers_with_status(BAD_STATUS);
	assert_null(function(data, &sm, &call, TIMEOUT_MS));
}

static void use_sa_call(void **state)
{
	(void)state;
	ask_for_path(sa_call);
}

static void use_safe_sa_call(void **state)
{
	(void)state;
	ask_for_path(safe_sa_call);
	default_port_assert_lock();
}

static void use_ib_path_query(void **state)
{
	ibmad_gid_t source = { 0xfe, 0x80, [15] = 1 }, destination = { 0xfe, 0x80, [15] = 2 };
	ib_portid_t sm = { .lid = FABRIC_SM_LID };
	uint8_t data[IB_SA_DATA_SIZE];
	const uint8_t *sent;

	(void)state;
	assert_int_equal(ib_path_query(source, destination, &sm, data), FABRIC_PATH_LID);
	assert_int_equal(mad_get_field(data, 0, IB_SA_PR_DLID_F), FABRIC_PATH_LID);
	sent = fakeumad_written(1) + FAKEUMAD_HEADER + IB_SA_DATA_OFFS;
	assert_memory_equal(sent + 8, destination, 16);
	assert_memory_equal(sent + 24, source, 16);
	fabric_answers_with_status(BAD_STATUS);
	assert_int_equal(ib_path_query(source, destination, &sm, data), -1);
}

static void use_port_performance_query(void **state)
{
	uint8_t data[IB_PC_DATA_SZ] = { 0 };
	ib_portid_t to = node();

	(void)state;
	assert_ptr_equal(port_performance_query(data, &to, 0xff, 0), data);
	assert_int_equal(mad_get_field(data, 0, IB_PC_ERR_SYM_F), FABRIC_SYMBOLS);
	assert_int_equal(mad_get_field(data, 0, IB_PC_PORT_SELECT_F), 0xff);
	fabric_assert_request(1, IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, IB_GSI_PORT_COUNTERS, 0,
			      LID);
	fabric_answers_with_status(BAD_STATUS);
	assert_null(port_performance_query(data, &to, 1, 0));
}

static void use_port_performance_reset(void **state)
{
	uint8_t data[IB_PC_DATA_SZ] = { 0 };
	ib_portid_t to = node();

	(void)state;
	assert_ptr_equal(port_performance_reset(data, &to, 3, 0x0102, 0), data);
	assert_int_equal(mad_get_field(data, 0, IB_PC_PORT_SELECT_F), 3);
	assert_int_equal(mad_get_field(data, 0, IB_PC_COUNTER_SELECT_F), 0x0102);
	fabric_assert_request(1, IB_PERFORMANCE_CLASS, IB_MAD_METHOD_SET, IB_GSI_PORT_COUNTERS, 0,
			      LID);
	fabric_answers_with_status(BAD_STATUS);
	assert_null(port_performance_reset(data, &to, 3, 0, 0));
}

/* Address resolving */

static void use_ib_resolve_smlid(void **state)
{
	ib_portid_t sm = { 0 };

	(void)state;
	assert_int_equal(ib_resolve_smlid(&sm, 0), 0);
	assert_int_equal(sm.lid, FABRIC_SM_LID);
	fabric_assert_request(1, IB_SMI_DIRECT_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 0,
			      DIRECT_LID);
	fabric_answers_with_status(BAD_STATUS);
	assert_int_equal(ib_resolve_smlid(&sm, 0), -1);
}

static void use_ib_resolve_guid(void **state)
{
	ib_portid_t sm = { .lid = FABRIC_SM_LID }, found = { 0 };
	uint64_t guid = GUID;
	int before;

	(void)state;
	assert_int_equal(ib_resolve_guid(&found, &guid, &sm, 0), 0);
	assert_int_equal(found.lid, FABRIC_PATH_LID);
	before = fakeumad_writes();
	fabric_assert_request(before, IB_SA_CLASS, IB_MAD_METHOD_GET, IB_SA_ATTR_PATHRECORD, 0,
			      FABRIC_SM_LID);
	assert_int_equal(ib_resolve_guid(&found, &guid, NULL, 0), 0); /* finds the SM, too */
	assert_true(fakeumad_writes() > before + 1);
	fabric_answers_with_status(BAD_STATUS);
	assert_int_equal(ib_resolve_guid(&found, &guid, &sm, 0), -1);
}

static void use_ib_resolve_portid_str(void **state)
{
	ib_portid_t sm = { .lid = FABRIC_SM_LID }, found = { 0 };

	(void)state;
	assert_int_equal(ib_resolve_portid_str(&found, (char[]){ "0x12" }, IB_DEST_LID, NULL), 0);
	assert_int_equal(found.lid, 0x12);
	assert_int_equal(
		ib_resolve_portid_str(&found, (char[]){ "0,1,6,5,20,1" }, IB_DEST_DRPATH, NULL), 0);
	assert_int_equal(found.drpath.cnt, 5);
	assert_int_equal(found.drpath.p[4], 20);
	assert_int_equal(fakeumad_writes(), 0);
	assert_int_equal(
		ib_resolve_portid_str(&found, (char[]){ "0x1122334455667788" }, IB_DEST_GUID, &sm),
		0);
	assert_int_equal(found.lid, FABRIC_PATH_LID);
	assert_int_equal(ib_resolve_portid_str(&found, (char[]){ "twelve" }, IB_DEST_LID, NULL),
			 -1);
}

static void use_ib_resolve_self(void **state)
{
	ib_portid_t self = { 0 };
	ibmad_gid_t gid;
	int portnum = 0;

	(void)state;
	assert_int_equal(ib_resolve_self(&self, &portnum, &gid), 0);
	assert_int_equal(self.lid, FABRIC_LID);
	assert_int_equal(portnum, FABRIC_PORT);
	assert_true(mad_get_field64(gid, 0, IB_GID_PREFIX_F) == FABRIC_PREFIX);
	assert_true(mad_get_field64(gid, 0, IB_GID_GUID_F) == FABRIC_GUID);
	fabric_answers_with_status(BAD_STATUS);
	assert_int_equal(ib_resolve_self(&self, &portnum, &gid), -1);
}

#define USE(name) \
	cmocka_unit_test_setup_teardown(use_##name, default_port_setup, default_port_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		USE(ib_vendor_call),	     USE(smp_query),	    USE(smp_set),
		USE(safe_smp_query),	     USE(safe_smp_set),	    USE(sa_call),
		USE(safe_sa_call),	     USE(ib_path_query),    USE(port_performance_query),
		USE(port_performance_reset), USE(ib_resolve_smlid), USE(ib_resolve_guid),
		USE(ib_resolve_portid_str),  USE(ib_resolve_self),
	};

	return cmocka_run_group_tests(tests, default_port_open, NULL);
}
