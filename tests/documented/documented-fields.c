/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every function of fields, packets, addresses and printing that the text document of libibmad
 * describes, used as it says; they need no port. check-documented.py knows which those are. One
 * test each, named after it.
 */
#include "capture.h"

#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MAD_SIZE 256
#define GUID	 UINT64_C(0x0002c90300000001)

/* Vendor classes */

static void use_mad_is_vendor_range1(void **state)
{
	(void)state;
	assert_false(mad_is_vendor_range1(0x08));
	assert_true(mad_is_vendor_range1(0x09));
	assert_true(mad_is_vendor_range1(0x0f));
	assert_false(mad_is_vendor_range1(0x10));
}

static void use_mad_is_vendor_range2(void **state)
{
	(void)state;
	assert_false(mad_is_vendor_range2(0x2f));
	assert_true(mad_is_vendor_range2(0x30));
	assert_true(mad_is_vendor_range2(0x4f));
	assert_false(mad_is_vendor_range2(0x50));
}

/* Addresses */

static void use_portid2str(void **state)
{
	ib_portid_t by_lid = { .lid = 18 }, by_path = { .drpath = { .cnt = 2, .p = { 0, 1, 6 } } };

	(void)state;
	assert_string_equal(portid2str(&by_lid), "Lid 18");
	assert_non_null(strstr(portid2str(&by_path), "0,1,6"));
}

static void use_portid2portnum(void **state)
{
	ib_portid_t by_lid = { .lid = 18 }, local = { .drpath = { .cnt = 0 } };
	ib_portid_t by_path = { .drpath = { .cnt = 2, .p = { 0, 1, 6 } } };

	(void)state;
	assert_int_equal(portid2portnum(&by_lid), -1);
	assert_int_equal(portid2portnum(&local), 0);
	/* The distribution's library has always given the port before the last hop. */
	assert_int_equal(portid2portnum(&by_path), 1);
}

static void use_str2drpath(void **state)
{
	ib_dr_path_t path;

	(void)state;
	memset(&path, 0, sizeof(path));
	assert_int_equal(str2drpath(&path, (char[]){ "0,1,6,5,20,1" }, 3, 4), 5);
	assert_memory_equal(path.p, "\0\1\6\5\x14\1", 6);
	assert_int_equal(path.drslid, 3);
	assert_int_equal(path.drdlid, 4);
	assert_int_equal(str2drpath(&path, (char[]){ "0,one" }, 0, 0), -1);
}

static void use_ib_portid_set(void **state)
{
	ib_portid_t portid = { .grh_present = 1, .sl = 3 };

	(void)state;
	ib_portid_set(&portid, 0x12, 1, 0x1234);
	assert_int_equal(portid.lid, 0x12);
	assert_int_equal(portid.qp, 1);
	assert_int_equal(portid.qkey, 0x1234);
	assert_int_equal(portid.grh_present, 0);
}

/* Fields */

static void use_mad_get_field(void **state)
{
	uint8_t mad[72] = { [8 + 2] = 1, [8 + 36] = 0x11 }; /* NodeInfo from byte 8 on */

	(void)state;
	assert_int_equal(mad_get_field(mad, 8, IB_NODE_TYPE_F), 1);
	assert_int_equal(mad_get_field(mad + 8, 0, IB_NODE_TYPE_F), 1);
	assert_int_equal(mad_get_field(mad, 8, IB_NODE_LOCAL_PORT_F), 0x11);
}

static void use_mad_set_field(void **state)
{
	uint8_t info[64];

	(void)state;
	memset(info, 0xff, sizeof(info));
	mad_set_field(info, 0, IB_NODE_PARTITION_CAP_F, 0x1234);
	assert_int_equal(info[28], 0x12); /* network order */
	assert_int_equal(info[29], 0x34);
	assert_int_equal(info[27], 0xff); /* the neighbours stay */
	assert_int_equal(info[30], 0xff);
}

static void use_mad_get_field64(void **state)
{
	uint8_t info[64] = { [12] = 0, 2, 0xc9, 3, 0, 0, 0, 1 };

	(void)state;
	assert_true(mad_get_field64(info, 0, IB_NODE_GUID_F) == GUID);
}

static void use_mad_set_field64(void **state)
{
	uint8_t info[64] = { 0 };

	(void)state;
	mad_set_field64(info, 0, IB_NODE_GUID_F, GUID);
	assert_memory_equal(info + 12, "\x00\x02\xc9\x03\x00\x00\x00\x01", 8);
}

static void use_mad_set_array(void **state)
{
	uint8_t record[64] = { 0 };
	ibmad_gid_t gid = { 0xfe, 0x80, [15] = 9 };

	(void)state;
	mad_set_array(record, 0, IB_SA_PR_DGID_F, gid);
	assert_memory_equal(record + 8, gid, sizeof(gid));
	assert_int_equal(record[7] | record[24], 0);
}

static void use_mad_get_array(void **state)
{
	uint8_t record[64] = { [8] = 0xfe, 0x80, [23] = 9 };
	ibmad_gid_t gid;

	(void)state;
	mad_get_array(record, 0, IB_SA_PR_DGID_F, gid);
	assert_memory_equal(record + 8, gid, sizeof(gid));
}

static void use_mad_decode_field(void **state)
{
	uint8_t info[64] = { [2] = 2, [12] = 0, 2, 0xc9, 3, 0, 0, 0, 1 };
	uint32_t type = 0;
	uint64_t guid = 0;

	(void)state;
	mad_decode_field(info, IB_NODE_TYPE_F, &type);
	mad_decode_field(info, IB_NODE_GUID_F, &guid);
	assert_int_equal(type, 2);
	assert_true(guid == GUID);
}

static void use_mad_encode_field(void **state)
{
	uint8_t info[64] = { 0 };
	uint32_t type = 2;
	uint64_t guid = GUID;

	(void)state;
	mad_encode_field(info, IB_NODE_TYPE_F, &type);
	mad_encode_field(info, IB_NODE_GUID_F, &guid);
	assert_int_equal(info[2], 2);
	assert_memory_equal(info + 12, "\x00\x02\xc9\x03\x00\x00\x00\x01", 8);
}

/* Packets */

static ib_rpc_t port_info_rpc(void)
{
	return (ib_rpc_t){ .mgtclass = IB_SMI_DIRECT_CLASS,
			   .method = IB_MAD_METHOD_GET,
			   .attr = { .id = IB_ATTR_PORT_INFO, .mod = 3 },
			   .dataoffs = IB_SMP_DATA_OFFS,
			   .datasz = IB_SMP_DATA_SIZE,
			   .mkey = 0x77 };
}

static void assert_packet(const uint8_t *mad, const uint8_t *data, uint64_t trid)
{
	assert_memory_equal(mad, "\1\x81\1\1", 4);
	assert_int_equal(mad_get_field((void *)mad, 0, IB_DRSMP_HOPCNT_F), 2);
	assert_int_equal(mad_get_field((void *)mad, 0, IB_MAD_ATTRID_F), IB_ATTR_PORT_INFO);
	assert_int_equal(mad_get_field((void *)mad, 0, IB_MAD_ATTRMOD_F), 3);
	assert_true(mad_get_field64((void *)mad, 0, IB_MAD_TRID_F) == trid);
	assert_true(mad_get_field64((void *)mad, 0, IB_MAD_MKEY_F) == 0x77);
	assert_memory_equal(mad + 128, "\0\1\6", 3); /* the initial path */
	assert_memory_equal(mad + 64, data, IB_SMP_DATA_SIZE);
}

static void use_mad_encode(void **state)
{
	ib_dr_path_t path = { .cnt = 2, .p = { 0, 1, 6 } };
	uint8_t mad[MAD_SIZE] = { 0 }, data[IB_SMP_DATA_SIZE] = { 1, 2, 3 };
	ib_rpc_t rpc = port_info_rpc();

	(void)state;
	assert_ptr_equal(mad_encode(mad, &rpc, &path, data), mad + MAD_SIZE);
	assert_true(rpc.trid != 0);
	assert_packet(mad, data, rpc.trid);
	path.cnt = IB_SUBNET_PATH_HOPS_MAX;
	assert_null(mad_encode(mad, &rpc, &path, data));
}

static void use_mad_trid(void **state)
{
	uint64_t first = mad_trid(), second = mad_trid();

	(void)state;
	assert_true(first != 0);
	assert_true((uint32_t)first != (uint32_t)second);
}

static void use_mad_build_pkt(void **state)
{
	ib_portid_t to = { .drpath = { .cnt = 2, .p = { 0, 1, 6 } } };
	uint8_t data[IB_SMP_DATA_SIZE] = { 1, 2, 3 };
	void *umad = umad_alloc(1, umad_size() + MAD_SIZE);
	ib_rpc_t rpc = port_info_rpc();

	(void)state;
	assert_non_null(umad);
	assert_int_equal(mad_build_pkt(umad, &rpc, &to, NULL, data), MAD_SIZE);
	assert_packet(umad_get_mad(umad), data, rpc.trid);
	assert_int_equal(umad_get_mad_addr(umad)->lid, 0xffff);
	to.drpath.cnt = IB_SUBNET_PATH_HOPS_MAX;
	assert_true(mad_build_pkt(umad, &rpc, &to, NULL, data) < 0);
	umad_free(umad);
}

/* Dumps */

static int printed;

static void print_field(void *name)
{
	uint32_t lid = 18;

	printed = mad_print_field(IB_PORT_LID_F, name, &lid);
}

static void use_mad_print_field(void **state)
{
	char text[256];
	size_t length;

	(void)state;
	length = capture(1, print_field, NULL, text, sizeof(text));
	assert_int_equal(printed, length);
	assert_memory_equal(text, "Lid", 3);
	assert_non_null(strstr(text, "18"));
	length = capture(1, print_field, (char[]){ "Address" }, text, sizeof(text));
	assert_int_equal(printed, length);
	assert_memory_equal(text, "Address", 7);
}

static void use_mad_dump_field(void **state)
{
	uint32_t lid = 18;
	char text[64], start[8];

	(void)state;
	assert_ptr_equal(mad_dump_field(IB_PORT_LID_F, text, sizeof(text), &lid), text);
	assert_string_equal(text, "Lid:.............................18");
	memset(start, 0x5a, sizeof(start));
	assert_null(mad_dump_field(IB_PORT_LID_F, start, 4, &lid)); /* no more than fits */
	assert_int_equal(start[4], 0x5a);
}

static void use_mad_dump_val(void **state)
{
	uint32_t state_active = 4;
	char text[64];

	(void)state;
	assert_ptr_equal(mad_dump_val(IB_PORT_STATE_F, text, sizeof(text), &state_active), text);
	assert_string_equal(text, "Active");
	assert_ptr_equal(mad_dump_val(IB_PORT_STATE_F, text, 4, &state_active), text);
	assert_string_equal(text, "Act");
}

/* The type of all functions that print a value. */
static void use_ib_mad_dump_fn(void **state)
{
	ib_mad_dump_fn *print = mad_dump_hex;
	uint32_t value = 0x12ab;
	char text[16];

	(void)state;
	print(text, sizeof(text), &value, sizeof(value));
	assert_string_equal(text, "0x000012ab");
}

/* A mistake of the caller, which the library prints only for those who ask. */
static void complain(void *argument)
{
	ib_rpc_t rpc = { .mgtclass = IB_SMI_CLASS, .dataoffs = 250, .datasz = 64 };
	uint8_t mad[MAD_SIZE], data[64] = { 0 };

	(void)argument;
	assert_null(mad_encode(mad, &rpc, NULL, data));
}

static void use_ibdebug(void **state)
{
	char text[1024];

	(void)state;
	assert_int_equal(ibdebug, 0);
	assert_int_equal(capture(2, complain, NULL, text, sizeof(text)), 0);
	ibdebug = 1;
	assert_true(capture(2, complain, NULL, text, sizeof(text)) > 0);
	assert_non_null(strstr(text, "mad_encode: "));
	ibdebug = 0;
}

#define USE(name) cmocka_unit_test(use_##name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		USE(mad_is_vendor_range1), USE(mad_is_vendor_range2),
		USE(portid2str),	   USE(portid2portnum),
		USE(str2drpath),	   USE(ib_portid_set),
		USE(mad_get_field),	   USE(mad_set_field),
		USE(mad_get_field64),	   USE(mad_set_field64),
		USE(mad_set_array),	   USE(mad_get_array),
		USE(mad_decode_field),	   USE(mad_encode_field),
		USE(mad_encode),	   USE(mad_trid),
		USE(mad_build_pkt),	   USE(mad_print_field),
		USE(mad_dump_field),	   USE(mad_dump_val),
		USE(ib_mad_dump_fn),	   USE(ibdebug),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
