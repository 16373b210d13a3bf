/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every function about agents, input, output and buffers that the text document of libibumad
 * describes, used as it says, on the scripted kernel of tests/unit; check-documented.py knows which
 * those are. One test each, named after it.
 */
#include "capture.h"
#include "fakeumad.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define SA_CLASS   0x03
#define VENDOR2	   0x32
#define MAD_SIZE   256
#define TIMEOUT_MS 2000

static int setup(void **state)
{
	(void)state;
	fakeumad_reset();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fakeumad_finish();
	return 0;
}

static int open_port(void)
{
	int portid = umad_open_port(NULL, 0);

	assert_true(portid >= 0);
	return portid;
}

/* A zeroed umad buffer whose MAD is a Get of the SA. */
static void *new_request(void)
{
	uint8_t *mad, *umad = umad_alloc(1, umad_size() + MAD_SIZE);

	assert_non_null(umad);
	mad = umad_get_mad(umad);
	mad[0] = 1;
	mad[1] = SA_CLASS;
	mad[2] = 2;
	mad[3] = 1;
	return umad;
}

/* Agents */

static void use_umad_register(void **state)
{
	long mask[16 / sizeof(long)] = { 1L << 1 };
	int portid = open_port();

	(void)state;
	fakeumad_expect_register(SA_CLASS, 2, 1, 0, NULL, 7, 0);
	assert_int_equal(umad_register(portid, SA_CLASS, 2, 1, NULL), 7);
	fakeumad_expect_register(SA_CLASS, 2, 0, 0, mask, 8, 0);
	assert_int_equal(umad_register(portid, SA_CLASS, 2, 0, mask), 8);
	fakeumad_expect_register(SA_CLASS, 2, 0, 0, mask, 0, EBUSY);
	assert_int_equal(umad_register(portid, SA_CLASS, 2, 0, mask), -EPERM);
	assert_int_equal(umad_register(-1, SA_CLASS, 2, 0, NULL), -EINVAL);
	assert_int_equal(umad_close_port(portid), 0);
}

static void use_umad_register_oui(void **state)
{
	long mask[16 / sizeof(long)] = { 1L << 1 };
	uint8_t its_oui[3] = { 0x12, 0x34, 0x56 };
	int portid = open_port();

	(void)state;
	fakeumad_expect_register(VENDOR2, 1, 0, 0x123456, mask, 9, 0);
	assert_int_equal(umad_register_oui(portid, VENDOR2, 0, its_oui, mask), 9);
	fakeumad_expect_register(VENDOR2, 1, 0, 0x123456, mask, 0, EBUSY);
	assert_int_equal(umad_register_oui(portid, VENDOR2, 0, its_oui, mask), -EPERM);
	assert_int_equal(umad_register_oui(portid, SA_CLASS, 0, its_oui, mask), -EINVAL);
	assert_int_equal(umad_register_oui(-1, VENDOR2, 0, its_oui, mask), -EINVAL);
	assert_int_equal(umad_close_port(portid), 0);
}

static void use_umad_unregister(void **state)
{
	int portid = open_port();

	(void)state;
	fakeumad_expect_register(SA_CLASS, 2, 0, 0, NULL, 5, 0);
	fakeumad_expect_unregister(5, 0);
	fakeumad_expect_unregister(6, EINVAL);
	assert_int_equal(umad_register(portid, SA_CLASS, 2, 0, NULL), 5);
	assert_int_equal(umad_unregister(portid, 5), 0);
	assert_true(umad_unregister(portid, 6) < 0);
	assert_int_equal(umad_unregister(portid, -1), -EINVAL);
	assert_int_equal(umad_unregister(-1, 5), -EINVAL);
	assert_int_equal(umad_close_port(portid), 0);
}

/* Input and output */

static void use_umad_send(void **state)
{
	int portid = open_port(), agent = umad_register(portid, SA_CLASS, 2, 0, NULL);
	struct fakeumad_packet what = { .agent = agent,
					.timeout_ms = TIMEOUT_MS,
					.qpn = 1,
					.qkey = 0x80010000,
					.lid = 4,
					.sl = 2,
					.mgmt_class = SA_CLASS,
					.method = 1 };
	uint8_t wanted[FAKEUMAD_PACKET];
	void *umad = new_request();

	(void)state;
	fakeumad_build(wanted, &what);
	memcpy(wanted + 12, &(uint32_t){ 3 }, sizeof(uint32_t)); /* retries, by the kernel */
	fakeumad_expect_write(wanted, sizeof(wanted), NULL, 0);
	umad_set_addr(umad, 4, 1, 2, (int)0x80010000);
	assert_int_equal(umad_send(portid, agent, umad, MAD_SIZE, TIMEOUT_MS, 3), 0);
	fakeumad_expect_write_error(NULL, 0, ENODEV);
	assert_int_equal(umad_send(portid, agent, umad, MAD_SIZE, TIMEOUT_MS, 0), -EIO);
	assert_int_equal(umad_send(-1, agent, umad, MAD_SIZE, TIMEOUT_MS, 0), -EINVAL);
	umad_free(umad);
	assert_int_equal(umad_close_port(portid), 0);
}

/* Sends the request in umad and has it answered; two answers if twice. */
static void ask(int portid, int agent, void *umad, bool twice)
{
	struct fakeumad_reply reply = { .status = 0x1c, .copies = 1 + twice };

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_int_equal(umad_send(portid, agent, umad, MAD_SIZE, TIMEOUT_MS, 0), 0);
}

static void use_umad_recv(void **state)
{
	int portid = open_port(), agent = umad_register(portid, SA_CLASS, 2, 0, NULL);
	int length = MAD_SIZE;
	void *umad = new_request();
	uint8_t *mad = umad_get_mad(umad);

	(void)state;
	assert_int_equal(umad_recv(portid, umad, &length, 0), -EWOULDBLOCK);
	assert_int_equal(umad_recv(portid, umad, &length, 1), -ETIMEDOUT);
	ask(portid, agent, umad, true);
	assert_int_equal(umad_recv(portid, umad, &length, TIMEOUT_MS), agent);
	assert_int_equal(length, MAD_SIZE);
	assert_int_equal(mad[3], 0x81);
	assert_int_equal(mad[5], 0x1c);
	assert_int_equal(umad_recv(portid, umad, &length, -1), agent); /* blocks */
	assert_int_equal(umad_recv(-1, umad, &length, 0), -EINVAL);
	umad_free(umad);
	assert_int_equal(umad_close_port(portid), 0);
}

static void use_umad_poll(void **state)
{
	int portid = open_port(), agent = umad_register(portid, SA_CLASS, 2, 0, NULL);
	void *umad = new_request();

	(void)state;
	assert_int_equal(umad_poll(portid, 1), -ETIMEDOUT);
	ask(portid, agent, umad, false);
	assert_int_equal(umad_poll(portid, TIMEOUT_MS), 0);
	assert_int_equal(umad_poll(-1, 0), -EINVAL);
	umad_free(umad);
	assert_int_equal(umad_close_port(portid), 0);
}

static void use_umad_get_fd(void **state)
{
	int portid = open_port();

	(void)state;
	assert_int_equal(umad_get_fd(portid), portid);
	assert_int_equal(umad_get_fd(-1), -EINVAL);
	assert_int_equal(umad_close_port(portid), 0);
}

/* Buffers */

static void use_umad_get_mad(void **state)
{
	uint8_t umad[128];

	(void)state;
	assert_ptr_equal(umad_get_mad(umad), umad + umad_size());
}

static void use_umad_size(void **state)
{
	(void)state;
	assert_int_equal(umad_size(), sizeof(struct ib_user_mad));
}

static void use_umad_status(void **state)
{
	int portid = open_port(), agent = umad_register(portid, SA_CLASS, 2, 0, NULL);
	struct fakeumad_reply timed_out = FAKEUMAD_TIMED_OUT;
	int length = MAD_SIZE;
	void *umad = new_request();

	(void)state;
	assert_int_equal(umad_status(umad), 0);
	fakeumad_expect_write(NULL, 0, &timed_out, 1);
	assert_int_equal(umad_send(portid, agent, umad, MAD_SIZE, TIMEOUT_MS, 0), 0);
	assert_int_equal(umad_recv(portid, umad, &length, TIMEOUT_MS), agent);
	assert_int_equal(umad_status(umad), ETIMEDOUT);
	umad_free(umad);
	assert_int_equal(umad_close_port(portid), 0);
}

static void use_umad_get_mad_addr(void **state)
{
	struct ib_user_mad umad;

	(void)state;
	assert_ptr_equal(umad_get_mad_addr(&umad), &umad.addr);
}

static const ib_mad_addr_t grh = {
	.hop_limit = 63,
	.traffic_class = 9,
	.gid = { 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 },
};

static void assert_grh(void *umad)
{
	const ib_mad_addr_t *addr = umad_get_mad_addr(umad);

	assert_int_equal(addr->grh_present, 1);
	assert_int_equal(addr->hop_limit, 63);
	assert_int_equal(addr->traffic_class, 9);
	assert_int_equal(be32toh(addr->flow_label), 0x12345);
	assert_memory_equal(addr->gid, grh.gid, sizeof(grh.gid));
}

static void use_umad_set_grh_net(void **state)
{
	ib_mad_addr_t net = grh;
	void *umad = new_request();

	(void)state;
	net.flow_label = htobe32(0x12345);
	assert_int_equal(umad_set_grh_net(umad, &net), 0);
	assert_grh(umad);
	assert_int_equal(umad_set_grh_net(umad, NULL), 0);
	assert_int_equal(umad_get_mad_addr(umad)->grh_present, 0);
	umad_free(umad);
}

static void use_umad_set_grh(void **state)
{
	ib_mad_addr_t host = grh;
	void *umad = new_request();

	(void)state;
	host.flow_label = 0x12345;
	assert_int_equal(umad_set_grh(umad, &host), 0);
	assert_grh(umad);
	assert_int_equal(umad_set_grh(umad, NULL), 0);
	assert_int_equal(umad_get_mad_addr(umad)->grh_present, 0);
	umad_free(umad);
}

static void assert_address(void *umad)
{
	const ib_mad_addr_t *addr = umad_get_mad_addr(umad);

	assert_int_equal(be16toh(addr->lid), 0x1234);
	assert_int_equal(be32toh(addr->qpn), 1);
	assert_int_equal(addr->sl, 5);
	assert_int_equal(be32toh(addr->qkey), 0x80010000);
}

static void use_umad_set_addr_net(void **state)
{
	void *umad = new_request();

	(void)state;
	assert_int_equal(
		umad_set_addr_net(umad, htobe16(0x1234), htobe32(1), 5, htobe32(0x80010000)), 0);
	assert_address(umad);
	umad_free(umad);
}

static void use_umad_set_addr(void **state)
{
	void *umad = new_request();

	(void)state;
	assert_int_equal(umad_set_addr(umad, 0x1234, 1, 5, (int)0x80010000), 0);
	assert_address(umad);
	umad_free(umad);
}

static void use_umad_set_pkey(void **state)
{
	void *umad = new_request();

	(void)state;
	assert_int_equal(umad_set_pkey(umad, 3), 0);
	assert_int_equal(umad_get_mad_addr(umad)->pkey_index, 3);
	umad_free(umad);
}

static void use_umad_alloc(void **state)
{
	size_t size = umad_size() + MAD_SIZE;
	uint8_t *umad = umad_alloc(3, size);

	(void)state;
	assert_non_null(umad);
	for (size_t i = 0; i < 3 * size; i++)
		assert_int_equal(umad[i], 0);
	umad_free(umad);
}

static void use_umad_free(void **state)
{
	(void)state;
	umad_free(umad_alloc(1, umad_size()));
	umad_free(NULL);
}

/* Debugging */

static void use_umad_debug(void **state)
{
	int level = umad_debug(-1);

	(void)state;
	assert_int_equal(umad_debug(2), 2);
	assert_int_equal(umad_debug(-1), 2); /* negative values only ask */
	assert_int_equal(umad_debug(0), 0);
	umad_debug(level);
}

static void dump_address(void *umad)
{
	umad_addr_dump(umad_get_mad_addr(umad));
}

static void use_umad_addr_dump(void **state)
{
	void *umad = new_request();
	char text[1024];

	(void)state;
	umad_set_addr(umad, 0x1234, 1, 5, (int)0x80010000);
	assert_true(capture(2, dump_address, umad, text, sizeof(text)) > 0);
	assert_non_null(strstr(text, "qpn 1"));
	assert_non_null(strstr(text, "sl 5"));
	umad_free(umad);
}

static void use_umad_dump(void **state)
{
	struct ib_user_mad *umad = new_request();
	char text[1024];

	(void)state;
	umad->agent_id = 17;
	umad->timeout_ms = 1234;
	assert_true(capture(2, umad_dump, umad, text, sizeof(text)) > 0);
	assert_non_null(strstr(text, "17"));
	assert_non_null(strstr(text, "1234"));
	umad_free(umad);
}

#define USE(name) cmocka_unit_test_setup_teardown(use_##name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		USE(umad_register), USE(umad_register_oui), USE(umad_unregister),
		USE(umad_send),	    USE(umad_recv),	    USE(umad_poll),
		USE(umad_get_fd),   USE(umad_get_mad),	    USE(umad_size),
		USE(umad_status),   USE(umad_get_mad_addr), USE(umad_set_grh_net),
		USE(umad_set_grh),  USE(umad_set_addr_net), USE(umad_set_addr),
		USE(umad_set_pkey), USE(umad_alloc),	    USE(umad_free),
		USE(umad_debug),    USE(umad_addr_dump),    USE(umad_dump),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
