/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Registering and unregistering agents on a real port, with all three calls, and what the kernel
 * refuses.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <infiniband/umad.h>

#include "loop.h"
#include "sys.h"
#include "tap.h"

enum { CLASS_SM = 0x01, CLASS_SM_DIRECTED = 0x81, CLASS_SA = 0x03, CLASS_PERF = 0x04 };

typedef long method_mask[16 / sizeof(long)];

static void set_method(method_mask mask, unsigned method)
{
	const unsigned bits = 8 * sizeof(long);

	mask[method / bits] |= (long)(1UL << method % bits);
}

TEST(registers_with_umad_register)
{
	int fd = loop_open(LOOP_DEVICE), first, second;

	first = umad_register(fd, LOOP_CLASS, 1, 0, NULL);
	second = umad_register(fd, CLASS_PERF, 1, 0, NULL);
	check(first >= 0 && second >= 0 && first != second);
	check(umad_register(fd, CLASS_SA, 2, 1, NULL) >= 0);
	check_equal(umad_close_port(fd), 0);
}

TEST(registers_with_umad_register_oui)
{
	uint8_t oui[3] = { 0x00, 0x02, 0xc9 };
	int fd = loop_open(LOOP_DEVICE);

	check(umad_register_oui(fd, LOOP_CLASS, 0, oui, NULL) >= 0);
	check(umad_register_oui(fd, 0x4f, 1, oui, NULL) >= 0);
	check_equal(umad_register_oui(fd, CLASS_PERF, 0, oui, NULL), -EINVAL);
	check_equal(umad_register_oui(fd, 0x50, 0, oui, NULL), -EINVAL);
	check_equal(umad_close_port(fd), 0);
}

TEST(registers_with_umad_register2)
{
	struct umad_reg_attr attr = {
		.mgmt_class = LOOP_CLASS,
		.mgmt_class_version = 1,
		.oui = 0x0002c9,
		.rmpp_version = 1,
	};
	int fd = loop_open(LOOP_DEVICE);
	uint32_t id = 1000;

	check_equal(umad_register2(fd, &attr, &id), 0);
	check(id < UMAD_CA_MAX_AGENTS);
	attr.flags = UMAD_USER_RMPP;
	check_equal(umad_register2(fd, &attr, &id), 0);
	check(id < UMAD_CA_MAX_AGENTS);
	attr = (struct umad_reg_attr){ .mgmt_class = CLASS_PERF, .mgmt_class_version = 1 };
	check_equal(umad_register2(fd, &attr, &id), 0);
	check_equal(umad_close_port(fd), 0);
}

TEST(reports_the_flags_that_the_kernel_knows)
{
	struct umad_reg_attr attr = {
		.mgmt_class = LOOP_CLASS,
		.mgmt_class_version = 1,
		.flags = 1U << 7 | UMAD_USER_RMPP,
		.oui = LOOP_OUI,
		.rmpp_version = 1,
	};
	int fd = loop_open(LOOP_DEVICE);
	uint32_t id;

	check_equal(umad_register2(fd, &attr, &id), EINVAL);
	check_equal(attr.flags, UMAD_USER_RMPP);
	attr.flags = 1U << 31;
	check_equal(umad_register2(fd, &attr, &id), EINVAL);
	check_equal(attr.flags, UMAD_USER_RMPP);
	check_equal(umad_close_port(fd), 0);
}

TEST(demands_an_OUI_for_vendor_range_2)
{
	struct umad_reg_attr attr = { .mgmt_class = LOOP_CLASS, .mgmt_class_version = 1 };
	int fd = loop_open(LOOP_DEVICE);
	uint32_t id;

	check_equal(umad_register2(fd, &attr, &id), EINVAL);
	attr.oui = 0x1000000;
	check_equal(umad_register2(fd, &attr, &id), EINVAL);
	check_equal(umad_close_port(fd), 0);
}

/* A RoCE port has no QP 0. */
TEST(refuses_subnet_management)
{
	struct umad_reg_attr attr = { .mgmt_class = CLASS_SM, .mgmt_class_version = 1 };
	int fd = loop_open(LOOP_DEVICE);
	uint32_t id;

	check_equal(umad_register(fd, CLASS_SM, 1, 0, NULL), -EPERM);
	check_equal(errno, EPROTONOSUPPORT);
	check_equal(umad_register(fd, CLASS_SM_DIRECTED, 1, 0, NULL), -EPERM);
	check_equal(errno, EPROTONOSUPPORT);
	check_equal(umad_register2(fd, &attr, &id), EPROTONOSUPPORT);
	attr.mgmt_class = CLASS_SM_DIRECTED;
	check_equal(umad_register2(fd, &attr, &id), EPROTONOSUPPORT);
	check_equal(errno, EPROTONOSUPPORT);
	check_equal(umad_close_port(fd), 0);
}

TEST(refuses_agents_that_cant_be)
{
	int fd = loop_open(LOOP_DEVICE), null = open("/dev/null", O_RDWR);

	check_equal(umad_register(fd, 0x100, 1, 0, NULL), -EINVAL);
	check_equal(umad_register(fd, -1, 1, 0, NULL), -EINVAL);
	check_equal(umad_register(-1, CLASS_PERF, 1, 0, NULL), -EINVAL);
	check_equal(umad_register(null, CLASS_PERF, 1, 0, NULL), -EPERM);
	check_equal(umad_register(fd, CLASS_PERF, 1, 1, NULL), -EPERM); /* has no RMPP */
	close(null);
	check_equal(umad_close_port(fd), 0);
}

TEST(one_server_a_method)
{
	int fd = loop_open(LOOP_DEVICE), other = loop_open(LOOP_DEVICE);
	method_mask get = { 0 }, set = { 0 };
	int agent;

	set_method(get, METHOD_GET);
	set_method(set, METHOD_SET);
	agent = umad_register(fd, LOOP_CLASS, 1, 0, get);
	check(agent >= 0);
	check_equal(umad_register(fd, LOOP_CLASS, 1, 0, get), -EPERM);
	check_equal(errno, EINVAL);
	check_equal(umad_register(other, LOOP_CLASS, 1, 0, get), -EPERM);
	check(umad_register(other, LOOP_CLASS, 1, 0, set) >= 0);
	check(umad_register(other, LOOP_CLASS, 1, 0, NULL) >= 0);
	check(umad_register(other, LOOP_CLASS + 1, 1, 0, get) >= 0);
	check_equal(umad_unregister(fd, agent), 0);
	check(umad_register(other, LOOP_CLASS, 1, 0, get) >= 0);
	check_equal(umad_close_port(fd), 0);
	check_equal(umad_close_port(other), 0);
}

TEST(high_methods_have_their_place_in_the_mask)
{
	int fd = loop_open(LOOP_DEVICE);
	struct umad_reg_attr attr = {
		.mgmt_class = LOOP_PLAIN_CLASS,
		.mgmt_class_version = 1,
		.method_mask = { 0, 1ULL << (0x7f - 64) },
	};
	method_mask mask = { 0 };
	uint32_t id;

	set_method(mask, 0x7f);
	check(umad_register(fd, LOOP_PLAIN_CLASS, 1, 0, mask) >= 0);
	check_equal(umad_register2(fd, &attr, &id), EINVAL);
	attr.flags = UMAD_USER_RMPP; /* which the kernel knows: it rejects the method */
	check_equal(umad_register2(fd, &attr, &id), EINVAL);
	check_equal(attr.flags, UMAD_USER_RMPP);
	attr.flags = 0;
	attr.method_mask[1] = 1ULL << (0x7e - 64);
	check_equal(umad_register2(fd, &attr, &id), 0);
	check_equal(umad_close_port(fd), 0);
}

TEST(closing_a_port_unregisters_its_agents)
{
	int fd = loop_open(LOOP_DEVICE);

	check(loop_server(fd, LOOP_CLASS, 1) >= 0);
	check_equal(umad_close_port(fd), 0);
	fd = loop_open(LOOP_DEVICE);
	check(loop_server(fd, LOOP_CLASS, 1) >= 0);
	check_equal(umad_close_port(fd), 0);
}
