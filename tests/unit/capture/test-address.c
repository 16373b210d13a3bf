/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-address.c - how a MAD went (libibumad/capture/address.c), and which port a portid is
 * (libibumad/base/owner.c).
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

enum { OTHER_LID = 0x22, OTHER_QP = 1, QKEY = 0x1234567 };

static int port;
static struct ib_mad_addr address;
static struct umad_packet_route route;
static union {
	struct umad_hdr header;
	struct umad_smp smp;
	uint8_t bytes[UMAD_MAD_SIZE];
} mad;

static int open_it(void)
{
	fakesys_expect(
		&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = IB_USER_MAD_ENABLE_PKEY });
	return umad_open_port("mlx5_0", 1);
}

static int setup(void **state)
{
	fakesys_setup(state);
	kernel_abi_version("5\n");
	kernel_ca("mlx5_0", 1, 1, 0);
	kernel_node(0, "mlx5_0", 1);
	kernel_port_file("mlx5_0", 1, "lid", "0x11\n");
	kernel_port_file("mlx5_0", 1, "pkeys/0", "0x7fff\n");
	kernel_port_file("mlx5_0", 1, "pkeys/3", "0x8003\n");
	kernel_port_file("mlx5_0", 1, "gids/2", "fe80:0000:0000:0000:0000:0000:0000:0002\n");
	port = open_it();
	assert_true(port >= 0);
	memset(&address, 0, sizeof(address));
	memset(&mad, 0, sizeof(mad));
	mad.header.mgmt_class = UMAD_CLASS_PERF_MGMT;
	address.lid = htobe16(OTHER_LID);
	address.qpn = htobe32(OTHER_QP);
	address.qkey = htobe32(QKEY);
	address.sl = 3;
	return 0;
}

static int teardown(void **state)
{
	umad_close_port(port);
	return fakesys_teardown(state);
}

static void find(bool received)
{
	memset(&route, 0xa5, sizeof(route));
	umad_capture_find_route(port, &address, mad.bytes, received, &route);
}

static void assert_lids(uint16_t slid, uint16_t dlid)
{
	assert_int_equal(route.slid, slid);
	assert_int_equal(route.dlid, dlid);
}

#define CASE(name) TEST_WITH(name, setup, teardown)

CASE(the_own_port_is_at_one_end)
{
	find(false);
	assert_lids(0x11, OTHER_LID);
	assert_int_equal(route.source_qp, 1);
	assert_int_equal(route.destination_qp, OTHER_QP);
	assert_int_equal(route.qkey, QKEY);
	assert_int_equal(route.pkey, 0x7fff);
	assert_int_equal(route.sl, 3);
	assert_false(route.smp);
	assert_false(route.grh_present);
	address.qpn = htobe32(0x123456);
	find(true);
	assert_lids(OTHER_LID, 0x11);
	assert_int_equal(route.source_qp, 0x123456);
	assert_int_equal(route.destination_qp, 1);
	assert_int_equal(route.qkey, QKEY);
	address.qkey = 0; /* the kernel reports none for received MADs */
	find(true);
	assert_int_equal(route.qkey, UMAD_QKEY);
	find(false);
	assert_int_equal(route.qkey, 0);
}

CASE(path_bits_are_of_the_own_lid)
{
	kernel_port_file("mlx5_0", 1, "lid", "0x10\n");
	address.path_bits = 5;
	find(false);
	assert_lids(0x15, OTHER_LID);
	find(true);
	assert_lids(OTHER_LID, 0x15);
}

CASE(the_pkey_is_that_of_the_index)
{
	address.pkey_index = 3;
	find(false);
	assert_int_equal(route.pkey, 0x8003);
	address.pkey_index = 4;
	find(false);
	assert_int_equal(route.pkey, 0xffff); /* not known */
	umad_state_set_pkey_layout(false);    /* there is no index */
	address.pkey_index = 3;
	find(false);
	assert_int_equal(route.pkey, 0x7fff);
	umad_state_set_pkey_layout(true);
}

CASE(smps_have_their_own_queue_pair_and_lane)
{
	mad.header.mgmt_class = UMAD_CLASS_SUBN_LID_ROUTED;
	address.qpn = 0;
	address.pkey_index = 3;
	find(false);
	assert_lids(0x11, OTHER_LID);
	assert_true(route.smp);
	assert_int_equal(route.source_qp, 0);
	assert_int_equal(route.destination_qp, 0);
	assert_int_equal(route.qkey, 0);
	assert_int_equal(route.pkey, 0xffff);
}

CASE(directed_routes_have_permissive_ends)
{
	mad.header.mgmt_class = UMAD_CLASS_SUBN_DIRECTED_ROUTE;
	mad.smp.dr_slid = mad.smp.dr_dlid = 0xffff;
	address.lid = 0xffff;
	find(false);
	assert_lids(0xffff, 0xffff);
	find(true);
	assert_lids(0xffff, 0xffff);

	/* A request whose route begins with a LID routed part, and its response. */
	mad.smp.dr_slid = htobe16(0x11);
	address.lid = htobe16(OTHER_LID);
	find(false);
	assert_lids(0x11, OTHER_LID);
	mad.smp.status = htobe16(UMAD_SMP_DIRECTION);
	find(true);
	assert_lids(OTHER_LID, 0x11);

	/* One whose route ends here by directed hops, and the local response. */
	mad.smp.status = 0;
	find(true);
	assert_lids(OTHER_LID, 0xffff);
	mad.smp.status = htobe16(UMAD_SMP_DIRECTION);
	find(false);
	assert_lids(0xffff, OTHER_LID);
}

CASE(the_global_route_is_reported)
{
	static const union umad_gid other = { { 0xfe, 0x80, [15] = 9 } };
	static const union umad_gid own = { { 0xfe, 0x80, [15] = 2 } }, unknown = { { 0 } };

	address.grh_present = 1;
	address.gid_index = 2;
	address.hop_limit = 64;
	address.traffic_class = 0x12;
	address.flow_label = htobe32(0x34567);
	address.ib_gid = other;
	find(false);
	assert_true(route.grh_present);
	assert_int_equal(route.hop_limit, 64);
	assert_int_equal(route.traffic_class, 0x12);
	assert_int_equal(route.flow_label, 0x34567);
	assert_memory_equal(&route.source_gid, &own, 16);
	assert_memory_equal(&route.destination_gid, &other, 16);
	find(true);
	assert_memory_equal(&route.source_gid, &other, 16);
	assert_memory_equal(&route.destination_gid, &own, 16);
	address.gid_index = 7;
	find(true);
	assert_memory_equal(&route.destination_gid, &unknown, 16);
}

CASE(what_was_read_holds_for_a_second)
{
	int length = 0;
	uint8_t buffer[64];

	find(false);
	kernel_port_file("mlx5_0", 1, "lid", "0x33\n");
	fakesys_forget();
	find(false);
	assert_lids(0x11, OTHER_LID);
	assert_int_equal(fakesys_count(KERNEL_OPEN), 0);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL, .takes_ms = 900 });
	umad_recv(port, buffer, &length, 900);
	find(false);
	assert_lids(0x11, OTHER_LID);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL, .takes_ms = 100 });
	umad_recv(port, buffer, &length, 100);
	find(false);
	assert_lids(0x33, OTHER_LID);
}

/* A port without a LID, too, is read once a second. */
CASE(that_there_is_no_lid_holds_for_a_second)
{
	int length = 0;
	uint8_t buffer[64];

	kernel_port_file("mlx5_0", 1, "lid", "0x0\n");
	address.path_bits = 1;
	find(false);
	assert_lids(0, OTHER_LID);
	kernel_port_file("mlx5_0", 1, "lid", "0x10\n");
	fakesys_forget();
	find(false);
	assert_lids(0, OTHER_LID);
	assert_int_equal(fakesys_count(KERNEL_OPEN), 0);
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL, .takes_ms = 1000 });
	umad_recv(port, buffer, &length, 1000);
	find(false);
	assert_lids(0x11, OTHER_LID);
}

CASE(what_is_not_known_is_0)
{
	kernel_remove("/sys/class/infiniband/mlx5_0");
	find(false);
	assert_lids(0, OTHER_LID);
	assert_int_equal(route.pkey, 0xffff);
	umad_capture_find_route(port + 1000, &address, mad.bytes, true, &route);
	assert_lids(OTHER_LID, 0);
	assert_int_equal(route.pkey, 0xffff);
}

CASE(ports_are_known_while_they_are_open)
{
	int more[5];
	size_t i;

	for (i = 0; i < 5; i++) {
		more[i] = open_it();
		assert_non_null(umad_owner_find(more[i]));
	}
	for (i = 0; i < 5; i++) {
		assert_int_equal(umad_close_port(more[i]), 0);
		assert_null(umad_owner_find(more[i]));
	}
	assert_null(umad_owner_find(-1));
	assert_string_equal(umad_owner_find(port)->port.ca_name, "mlx5_0");
}

CASE(a_number_belongs_to_its_last_port)
{
	struct umad_port_choice choice = { "other0", 2 };
	struct umad_owner *owner = umad_owner_find(port);

	umad_owner_remember(port, &choice);
	assert_ptr_equal(umad_owner_find(port), owner);
	assert_string_equal(owner->port.ca_name, "other0");
	assert_int_equal(owner->port.portnum, 2);
}

CASE(ports_beyond_the_table_are_not_known)
{
	struct umad_port_choice choice = { "other0", 2 };
	int i, known = 0;

	for (i = 0; i < 1000; i++)
		umad_owner_remember(5000 + i, &choice);
	for (i = 0; i < 1000; i++) {
		known += umad_owner_find(5000 + i) != NULL;
		umad_owner_forget(5000 + i);
		assert_null(umad_owner_find(5000 + i));
	}
	assert_between(known, 1, 999);
	assert_non_null(umad_owner_find(port));
	umad_owner_remember(5000, &choice);
	assert_non_null(umad_owner_find(5000));
	umad_owner_forget(5000);
}
