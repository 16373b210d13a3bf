/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * test-address.c - how a MAD went (libibumad/capture/address.c), which plays address.tbl, and which
 * port a portid is (libibumad/base/owner.c).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "test.h"
#include "fakesys.h"
#include "scenes.h"
#include "libibumad/capture/capture.h"
#include "libibumad/internal.h"

static int port;
static struct ib_mad_addr address;
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
	port = open_it();
	assert_true(port >= 0);
	memset(&address, 0, sizeof(address));
	memset(&mad, 0, sizeof(mad));
	return 0;
}

static int teardown(void **state)
{
	umad_state_set_pkey_layout(true);
	umad_close_port(port);
	return fakesys_teardown(state);
}

static void check_route(int portid, bool received, char *wanted)
{
#define ROUTE(member)	  SCENE_NUMBER(struct umad_packet_route, #member, member)
#define GID(name, member) SCENE_BIG(struct umad_packet_route, name, member.global.interface_id)
#define NET(name, member) SCENE_BIG(struct umad_packet_route, name, member.global.subnet_prefix)
	static const struct scene_member members[] = { ROUTE(slid),
						       ROUTE(dlid),
						       ROUTE(source_qp),
						       ROUTE(destination_qp),
						       ROUTE(qkey),
						       ROUTE(pkey),
						       ROUTE(sl),
						       ROUTE(smp),
						       ROUTE(grh_present),
						       ROUTE(traffic_class),
						       ROUTE(hop_limit),
						       ROUTE(flow_label),
						       GID("sgid", source_gid),
						       GID("dgid", destination_gid),
						       NET("snet", source_gid),
						       NET("dnet", destination_gid),
						       { .name = NULL } };
	struct umad_packet_route route;

	memset(&route, 0xa5, sizeof(route));
	umad_capture_find_route(portid, &address, mad.bytes, received, &route);
	scene_assert_members(members, &route, wanted);
}

/* The files of a device's port, or "gone" for all of them. */
static void play_port(const char *ca_name, char *rest)
{
	char *word;

	while ((word = scene_word(&rest))) {
		char *value = scene_split(word, '='), text[60];

		if (!value) {
			kernel_remove_prefix("/sys/class/infiniband");
			continue;
		}
		snprintf(text, sizeof(text), "%s\n", value);
		kernel_port_file(ca_name, 1, word, text);
	}
	fakesys_forget();
}

/* The device of the port has another name. */
static void play_renamed(char *rest)
{
	kernel_ca("mlx5_9", 1, 1, 0);
	kernel_node(0, "mlx5_9", 1);
	play_port("mlx5_9", rest);
}

static void play_address(char *rest)
{
#define ADDRESS(member) SCENE_NUMBER(struct ib_mad_addr, #member, member)
#define BIG(member)	SCENE_BIG(struct ib_mad_addr, #member, member)
	static const struct scene_member members[] = { BIG(lid),
						       BIG(qpn),
						       BIG(qkey),
						       ADDRESS(sl),
						       ADDRESS(path_bits),
						       ADDRESS(pkey_index),
						       ADDRESS(grh_present),
						       ADDRESS(gid_index),
						       ADDRESS(hop_limit),
						       ADDRESS(traffic_class),
						       BIG(flow_label),
						       SCENE_BIG(struct ib_mad_addr, "gid",
								 ib_gid.global.interface_id),
						       { .name = NULL } };

	scene_set_members(members, &address, rest);
}

static void play_mad(char *rest)
{
	static const struct scene_member members[] = {
		SCENE_NUMBER(struct umad_smp, "class", mgmt_class),
		SCENE_BIG(struct umad_smp, "dr_slid", dr_slid),
		SCENE_BIG(struct umad_smp, "dr_dlid", dr_dlid),
		SCENE_BIG(struct umad_smp, "status", status),
		{ .name = NULL }
	};

	scene_set_members(members, &mad.smp, rest);
}

/* So many milliseconds of the virtual clock. */
static void play_wait(char *rest)
{
	int ms = (int)scene_number(rest), length = 0;
	uint8_t buffer[64];

	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL, .takes_ms = ms });
	umad_recv(port, buffer, &length, ms);
}

static void play(char *statement)
{
	char *verb = scene_word(&statement);

	if (!strcmp(verb, "port"))
		play_port("mlx5_0", statement);
	else if (!strcmp(verb, "renamed"))
		play_renamed(statement);
	else if (!strcmp(verb, "address"))
		play_address(statement);
	else if (!strcmp(verb, "mad"))
		play_mad(statement);
	else if (!strcmp(verb, "wait"))
		play_wait(statement);
	else if (!strcmp(verb, "no-index"))
		umad_state_set_pkey_layout(false);
	else if (!strcmp(verb, "files"))
		assert_int_equal(fakesys_count(KERNEL_OPEN), scene_number(statement));
	else if (!strcmp(verb, "unknown"))
		check_route(port + 1000, true, statement);
	else
		check_route(port, !strcmp(verb, "received"), statement);
}

SCENES(CAPTURE_TABLES "/address.tbl", play, setup, teardown)

#define CASE(name) TEST_WITH(name, setup, teardown)

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

/* Of agents that ask for it, unless the program wants the segments. */
CASE(agents_for_which_the_kernel_numbers_segments_are_known)
{
	struct umad_reg_attr attr = { .mgmt_class = 3, .mgmt_class_version = 2 };
	struct fakesys_io old = { .call = KERNEL_IOCTL, .request = IB_USER_MAD_REGISTER_AGENT };
	struct fakesys_io new = { .call = KERNEL_IOCTL, .request = IB_USER_MAD_REGISTER_AGENT2 };
	uint32_t agent = 0;

	for (int rmpp = 1; rmpp >= 0; rmpp--) {
		fakesys_expect(&old);
		agent = (uint32_t)umad_register(port, 3, 2, (uint8_t)rmpp, NULL);
		assert_int_equal(umad_owner_has_rmpp(port, agent), rmpp);
		for (attr.flags = 0; attr.flags <= UMAD_USER_RMPP; attr.flags++) {
			fakesys_expect(&new);
			attr.rmpp_version = (uint8_t)rmpp;
			assert_int_equal(umad_register2(port, &attr, &agent), 0);
			assert_int_equal(umad_owner_has_rmpp(port, agent), rmpp && !attr.flags);
		}
	}
	umad_owner_note_agent(port, 32, true);
	assert_false(umad_owner_has_rmpp(port, 32) || umad_owner_has_rmpp(port + 1, agent));
}

CASE(a_number_belongs_to_its_last_port)
{
	struct umad_port_choice choice = { .ca_name = "other0", .portnum = 2 };
	struct umad_owner *owner = umad_owner_find(port);

	umad_owner_remember(port, &choice);
	assert_ptr_equal(umad_owner_find(port), owner);
	assert_string_equal(owner->port.ca_name, "other0");
	assert_int_equal(owner->port.portnum, 2);
}

CASE(ports_beyond_the_table_are_not_known)
{
	struct umad_port_choice choice = { .ca_name = "other0", .portnum = 2 };
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
