/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Every function for RPCs in general, registration and servers that the text document of libibmad
 * describes, used as it says on the default port, on the scripted kernel of tests/unit;
 * check-documented.py knows which those are. One test each, named after it.
 */
#include "capture.h"
#include "default-port.h"
#include "fabric.h"
#include "fakeumad.h"

#include <errno.h>
#include <infiniband/mad.h>
#include <infiniband/umad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define SHORT_MS 10

static ib_portid_t node(void)
{
	return (ib_portid_t){ .lid = LID };
}

static ib_rpc_t node_info_rpc(void)
{
	return (ib_rpc_t){ .mgtclass = IB_SMI_CLASS,
			   .method = IB_MAD_METHOD_GET,
			   .attr = { .id = IB_ATTR_NODE_INFO },
			   .dataoffs = IB_SMP_DATA_OFFS,
			   .datasz = IB_SMP_DATA_SIZE };
}

/* Mad RPC functions */

static void use_madrpc_init(void **state)
{
	int status;
	pid_t child;

	(void)state;
	for (int i = 0; i < CLASSES; i++)
		assert_true(mad_class_agent(classes[i]) >= 0);
	child = fork(); /* initialization errors end the process */
	assert_true(child >= 0);
	if (!child) {
		madrpc_init((char[]){ "nosuch" }, 1, classes, CLASSES);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 255);
}

static void use_madrpc(void **state)
{
	uint8_t payload[IB_SMP_DATA_SIZE] = { 1, 2, 3 }, data[IB_SMP_DATA_SIZE];
	ib_rpc_t rpc = node_info_rpc();
	ib_portid_t to = node();

	(void)state;
	assert_ptr_equal(madrpc(&rpc, &to, payload, data), data);
	assert_true(mad_get_field64(data, 0, IB_NODE_PORT_GUID_F) == FABRIC_GUID);
	fabric_assert_request(1, IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0, LID);
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 64, payload, 64);

	fabric_answers_with_status(BAD_STATUS);
	assert_null(madrpc(&rpc, &to, NULL, data));
	assert_int_equal(rpc.rstatus, BAD_STATUS);
	fabric_loses_all();
	rpc.timeout = SHORT_MS;
	assert_null(madrpc(&rpc, &to, NULL, data));
	assert_int_equal(errno, ETIMEDOUT);
}

/* An answer of three MADs is whole. */
static void use_madrpc_rmpp(void **state)
{
	uint8_t data[600], answer[32 + 600] = { 1, IB_RMPP_TYPE_DATA,
						IB_RMPP_FLAG_ACTIVE | IB_RMPP_FLAG_FIRST };
	struct fakeumad_reply reply = { .data = answer,
					.data_size = sizeof(answer),
					.data_offset = 24,
					.length = 24 + sizeof(answer) };
	ib_rpc_t rpc = { .mgtclass = IB_SA_CLASS,
			 .method = IB_MAD_METHOD_GET_TABLE,
			 .attr = { .id = IB_SA_ATTR_NODERECORD },
			 .dataoffs = IB_SA_DATA_OFFS,
			 .datasz = sizeof(data) };
	ib_portid_t to = { .lid = FABRIC_SM_LID, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	ib_rmpp_hdr_t rmpp = { .type = 0 };

	(void)state;
	memset(data, 0, sizeof(data));
	fakeumad_pattern(answer + 32, 600, 5);
	fakeumad_answer_with(NULL, NULL);
	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_ptr_equal(madrpc_rmpp(&rpc, &to, &rmpp, data), data);
	assert_memory_equal(data, answer + 32, 600);
	assert_int_equal(rmpp.type, IB_RMPP_TYPE_DATA);
	assert_int_equal(rmpp.flags, IB_RMPP_FLAG_ACTIVE | IB_RMPP_FLAG_FIRST);
}

static void use_madrpc_portid(void **state)
{
	(void)state;
	assert_true(madrpc_portid() >= 0);
	assert_int_equal(umad_get_fd(madrpc_portid()), madrpc_portid());
}

static void use_madrpc_set_retries(void **state)
{
	ib_rpc_t rpc = node_info_rpc();
	ib_portid_t to = node();

	(void)state;
	assert_int_equal(madrpc_set_retries(2), 2);
	assert_int_equal(madrpc_set_retries(0), 2); /* ignored */
	assert_int_equal(madrpc_set_retries(-1), 2);
	fabric_loses_all();
	rpc.timeout = SHORT_MS;
	assert_null(madrpc(&rpc, &to, NULL, NULL));
	assert_int_equal(fakeumad_writes(), 2);
}

static void use_madrpc_set_timeout(void **state)
{
	int64_t began = fakeumad_now_ms(), took;
	ib_rpc_t rpc = node_info_rpc();
	ib_portid_t to = node();

	(void)state;
	assert_int_equal(madrpc_set_timeout(30), 0);
	fabric_loses_all();
	assert_null(madrpc(&rpc, &to, NULL, NULL));
	took = fakeumad_now_ms() - began;
	assert_true(took >= 3 * 30); /* it is used per try */
	assert_int_equal(((const struct ib_user_mad *)fakeumad_written(1))->timeout_ms, 30);
}

static void use_madrpc_save_mad(void **state)
{
	uint8_t saved[256] = { 0 }, untouched[256] = { 0 };
	ib_rpc_t rpc = node_info_rpc();
	ib_portid_t to = node();

	(void)state;
	madrpc_save_mad(saved, 100);
	madrpc(&rpc, &to, NULL, NULL);
	assert_int_equal(saved[1], IB_SMI_CLASS);
	assert_int_equal(saved[3], IB_MAD_METHOD_GET_RESPONSE); /* the reply, not the request */
	assert_true(mad_get_field64(saved, 64, IB_NODE_PORT_GUID_F) == FABRIC_GUID);
	assert_memory_equal(saved + 100, untouched, sizeof(saved) - 100);
	memset(saved, 0, sizeof(saved));
	madrpc(&rpc, &to, NULL, NULL); /* a single one */
	assert_memory_equal(saved, untouched, sizeof(saved));
}

static void use_madrpc_lock(void **state)
{
	uint8_t data[IB_SMP_DATA_SIZE];
	ib_rpc_t rpc = node_info_rpc();
	ib_portid_t to = node();

	(void)state;
	madrpc_lock();
	assert_ptr_equal(madrpc(&rpc, &to, NULL, data), data); /* its holder goes on */
	madrpc_unlock();
	default_port_assert_lock();
}

static void use_madrpc_unlock(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		madrpc_lock();
		madrpc_unlock();
		default_port_assert_lock(); /* it can be taken again, by any thread */
	}
}

static void fail_once(void *argument)
{
	ib_rpc_t rpc = node_info_rpc();
	ib_portid_t to = node();

	(void)argument;
	assert_null(madrpc(&rpc, &to, NULL, NULL));
}

static void use_madrpc_show_errors(void **state)
{
	char text[4096];

	(void)state;
	fabric_answers_with_status(BAD_STATUS);
	madrpc_show_errors(1);
	assert_true(capture(2, fail_once, NULL, text, sizeof(text)) > 0);
	assert_non_null(strstr(text, "0x1c"));
	madrpc_show_errors(0);
	assert_int_equal(capture(2, fail_once, NULL, text, sizeof(text)), 0);
}

/* Registration */

static void use_mad_register_client(void **state)
{
	int agent;

	(void)state;
	fakeumad_expect_register(0x09, 1, 0, 0, NULL, 40, 0);
	agent = mad_register_client(0x09, 0);
	assert_int_equal(agent, 40);
	assert_int_equal(mad_class_agent(0x09), 40);
	assert_int_equal(mad_register_client(0xff, 0), -1);
}

static void use_mad_register_server(void **state)
{
	long mask[16 / sizeof(long)] = { 1L << IB_MAD_METHOD_GET | 1L << IB_MAD_METHOD_SET };

	(void)state;
	fakeumad_expect_register(0x33, 1, 0, 0x123456, mask, 41, 0);
	assert_int_equal(mad_register_server(0x33, 0, mask, 0x123456), 41);
	assert_int_equal(mad_register_server(0x34, 0, mask, 0), -1); /* demands an OUI */
}

static void use_mad_class_agent(void **state)
{
	(void)state;
	assert_true(mad_class_agent(IB_SA_CLASS) >= 0);
	assert_int_equal(mad_class_agent(0x0f), -1);
	assert_int_equal(mad_class_agent(-1), -1);
}

static void use_mad_agent_class(void **state)
{
	(void)state;
	for (int i = 0; i < CLASSES; i++)
		assert_int_equal(mad_agent_class(mad_class_agent(classes[i])), classes[i]);
	assert_int_equal(mad_agent_class(30), 0); /* not registered */
	assert_int_equal(mad_agent_class(-1), -1);
}

/* Servers */

static void use_mad_send(void **state)
{
	ib_rpc_t rpc = node_info_rpc();
	uint8_t data[IB_SMP_DATA_SIZE];
	ib_portid_t to = node();

	(void)state;
	fabric_loses_all();
	fakeumad_pattern(data, sizeof(data), 1);
	assert_int_equal(mad_send(&rpc, &to, NULL, data), 0); /* without waiting */
	fabric_assert_request(1, IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0, LID);
	assert_memory_equal(fakeumad_written(1) + FAKEUMAD_HEADER + 64, data, sizeof(data));
	assert_int_equal(fakeumad_writes(), 1);
	rpc.mgtclass = 0x0f; /* not registered */
	assert_int_equal(mad_send(&rpc, &to, NULL, data), -1);
}

static void deliver_request(void)
{
	struct fakeumad_packet what = { .agent = mad_class_agent(VENDOR1),
					.qpn = 1,
					.lid = 9,
					.mgmt_class = VENDOR1,
					.method = IB_MAD_METHOD_GET,
					.tid = 77,
					.attr_id = 0x10,
					.attr_mod = 5 };
	uint8_t packet[FAKEUMAD_PACKET];

	fakeumad_build(packet, &what);
	fakeumad_deliver(packet, sizeof(packet), 0);
}

static void use_mad_receive(void **state)
{
	void *own = mad_alloc(), *umad;

	(void)state;
	assert_null(mad_receive(own, 0));
	assert_null(mad_receive(NULL, 1));
	deliver_request();
	assert_ptr_equal(mad_receive(own, TIMEOUT_MS), own);
	assert_int_equal(((uint8_t *)umad_get_mad(own))[15], 77);
	mad_free(own);
	deliver_request();
	umad = mad_receive(NULL, -1); /* blocks, into a buffer of its own */
	assert_non_null(umad);
	assert_int_equal(((uint8_t *)umad_get_mad(umad))[15], 77);
	mad_free(umad);
}

static void use_mad_respond(void **state)
{
	ib_portid_t other = { .lid = 0x99, .qp = 1, .qkey = IB_DEFAULT_QP1_QKEY };
	const uint8_t *mad;
	void *umad;

	(void)state;
	fabric_loses_all();
	deliver_request();
	umad = mad_receive(NULL, TIMEOUT_MS);
	assert_non_null(umad);
	assert_int_equal(mad_respond(umad, NULL, BAD_STATUS), 0); /* to the asker */
	fabric_assert_request(1, VENDOR1, IB_MAD_METHOD_GET_RESPONSE, 0x10, 5, 9);
	mad = fakeumad_written(1) + FAKEUMAD_HEADER;
	assert_int_equal(mad[5], BAD_STATUS);
	assert_int_equal(mad[15], 77);
	assert_int_equal(mad_respond(umad, &other, 0), 0);
	fabric_assert_request(2, VENDOR1, IB_MAD_METHOD_GET_RESPONSE, 0x10, 5, 0x99);
	mad_free(umad);
}

static void use_mad_alloc(void **state)
{
	uint8_t *umad = mad_alloc();

	(void)state;
	assert_non_null(umad);
	for (size_t i = 0; i < umad_size() + 256; i++)
		assert_int_equal(umad[i], 0);
	mad_free(umad);
}

static void use_mad_free(void **state)
{
	(void)state;
	mad_free(mad_alloc());
	mad_free(NULL);
}

#define USE(name) \
	cmocka_unit_test_setup_teardown(use_##name, default_port_setup, default_port_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		USE(madrpc_init),
		USE(madrpc),
		USE(madrpc_rmpp),
		USE(madrpc_portid),
		USE(madrpc_set_retries),
		USE(madrpc_set_timeout),
		USE(madrpc_save_mad),
		USE(madrpc_lock),
		USE(madrpc_unlock),
		USE(madrpc_show_errors),
		USE(mad_register_client),
		USE(mad_register_server),
		USE(mad_class_agent),
		USE(mad_agent_class),
		USE(mad_send),
		USE(mad_receive),
		USE(mad_respond),
		USE(mad_alloc),
		USE(mad_free),
	};

	return cmocka_run_group_tests(tests, default_port_open, NULL);
}
