/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The functions that use libibmad's default port and that other tests call only for a port of their
 * own: what they send and return there.
 */
#include "test.h"
#include "fakeumad.h"

#include <infiniband/mad.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SM_LID	 0x22
#define PATH_LID 0x33

static int classes[] = { IB_SMI_CLASS, IB_SA_CLASS, IB_PERFORMANCE_CLASS };

static int open_default_port(void **state)
{
	(void)state;
	fakeumad_reset();
	madrpc_init(NULL, 0, classes, sizeof(classes) / sizeof(classes[0]));
	return 0;
}

static int restart(void **state)
{
	(void)state;
	fakeumad_restart();
	return 0;
}

static int check(void **state)
{
	(void)state;
	fakeumad_check();
	return 0;
}

TEST_WITH(init_registers_the_classes_or_ends_the_process, restart, check)
{
	char no_device[] = "nosuch";
	int status;
	pid_t child;

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		assert_int_equal(mad_class_agent(classes[i]), (int)i);
		assert_int_equal(mad_agent_class((int)i), classes[i]);
	}
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		madrpc_init(no_device, 1, classes, 1);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 255);
}

TEST_WITH(server_is_registered, restart, check)
{
	long mask[16 / sizeof(long)] = { 1L << IB_MAD_METHOD_GET | 1L << IB_MAD_METHOD_SET };

	fakeumad_expect_register(0x33, 1, 0, 0x123456, mask, 41, 0);
	assert_int_equal(mad_register_server(0x33, 0, mask, 0x123456), 41);
	assert_int_equal(mad_register_server(0x34, 0, mask, 0), -1); /* demands an OUI */
}

TEST_WITH(path_is_queried, restart, check)
{
	ibmad_gid_t source = { 0xfe, 0x80, [15] = 1 }, destination = { 0xfe, 0x80, [15] = 2 };
	struct fakeumad_reply reply = { .data = (uint8_t[64]){ [40] = 0, PATH_LID },
					.data_size = 64,
					.data_offset = IB_SA_DATA_OFFS };
	struct fakeumad_reply refusal = { .status = 0x1c };
	ib_portid_t sm = { .lid = SM_LID };
	uint8_t data[IB_SA_DATA_SIZE];
	const uint8_t *sent;

	fakeumad_expect_write(NULL, 0, &reply, 1);
	assert_int_equal(ib_path_query(source, destination, &sm, data), PATH_LID);
	assert_int_equal(mad_get_field(data, 0, IB_SA_PR_DLID_F), PATH_LID);
	sent = fakeumad_written(1) + FAKEUMAD_HEADER + IB_SA_DATA_OFFS;
	assert_memory_equal(sent + 8, destination, 16);
	assert_memory_equal(sent + 24, source, 16);
	fakeumad_expect_write(NULL, 0, &refusal, 1);
	assert_int_equal(ib_path_query(source, destination, &sm, data), -1);
}

TEST_GROUP(open_default_port, NULL)
