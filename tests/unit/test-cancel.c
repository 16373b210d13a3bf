/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Threads that are cancelled: each call but those that wait for MADs ends first, so nothing stays
 * open (the teardown checks that) and no MAD is lost. The calls of fakesys are cancellation points
 * as those of libc are.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "test.h"
#include "fakesys.h"
#include "infiniband/umad_capture.h"
#include "libibumad/internal.h"

static umad_ca_t ca;
static umad_port_t port;
static struct umad_device_node *list;
static struct umad_ca_pair pairs[8];
static char names[8][UMAD_CA_NAME_LEN], path[64];
static __be64 guids[UMAD_CA_MAX_PORTS];

static int setup(void **state)
{
	fakesys_setup(state);
	kernel_abi_version("5\n");
	kernel_ca("mlx5_0", 1, 2, 0);
	kernel_ca("mlx5_1", 1, 1, 3);
	kernel_node(0, "mlx5_0", 1);
	kernel_node(1, "mlx5_0", 2);
	kernel_node(2, "mlx5_1", 1);
	return 0;
}

#define CALL(name, expression)     \
	static int name(void)      \
	{                          \
		return expression; \
	}

CALL(get_names, umad_get_cas_names(names, COUNT(names)))
CALL(get_list, (list = umad_get_ca_device_list()) ? 0 : -1)
CALL(get_ca, umad_get_ca(NULL, &ca))
CALL(get_port, umad_get_port(NULL, 0, &port))
CALL(get_portguids, umad_get_ca_portguids("mlx5_0", guids, COUNT(guids)))
CALL(get_pairs, umad_get_smi_gsi_pairs(pairs, COUNT(pairs)))
CALL(get_pair, umad_get_smi_gsi_pair_by_ca_name("mlx5_1", 0, pairs, 1))
CALL(get_issm_path, umad_get_issm_path(NULL, 2, path, sizeof(path)))

static int open_and_close(void)
{
	int portid = umad_open_port("mlx5_1", 1);

	return portid < 0 ? portid : umad_close_port(portid);
}

/* A call of a cancelled thread, and its result. */
struct attempt {
	int (*call)(void);
	bool returned;
	int result;
};

static void *call_when_cancelled(void *argument)
{
	struct attempt *attempt = argument;

	pthread_cancel(pthread_self());
	attempt->result = attempt->call();
	attempt->returned = true;
	pthread_testcancel();
	return NULL;
}

/* Checks that the cancellation ends the thread after the call. */
static int result_when_cancelled(int (*call)(void))
{
	struct attempt attempt = { .call = call };
	pthread_t thread;
	void *end;

	assert_int_equal(pthread_create(&thread, NULL, call_when_cancelled, &attempt), 0);
	assert_int_equal(pthread_join(thread, &end), 0);
	assert_true(attempt.returned);
	assert_ptr_equal(end, PTHREAD_CANCELED);
	return attempt.result;
}

#define CASE(name) TEST_WITH(name, setup, fakesys_teardown)

CASE(discovery_is_whole)
{
	assert_int_equal(result_when_cancelled(get_names), 2);
	assert_int_equal(result_when_cancelled(get_list), 0);
	umad_free_ca_device_list(list);
	assert_int_equal(result_when_cancelled(get_ca), 0);
	umad_release_ca(&ca);
	assert_int_equal(result_when_cancelled(get_port), 0);
	umad_release_port(&port);
	assert_int_equal(result_when_cancelled(get_portguids), 3);
	assert_int_equal(result_when_cancelled(get_pairs), 2);
	assert_int_equal(result_when_cancelled(get_pair), 0);
	assert_int_equal(result_when_cancelled(get_issm_path), 0);
}

CASE(ports_are_opened_and_closed)
{
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = 0x1b03 });
	assert_int_equal(result_when_cancelled(open_and_close), 0);
	umad_debug(2); /* printing is a cancellation point, too */
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = 0x1b03 });
	assert_int_equal(result_when_cancelled(open_and_close), 0);
	umad_debug(0);
}

static int portid, received;

static void *receive(void *argument)
{
	uint8_t umad[64 + 256];
	int length = 256;

	(void)argument;
	received = umad_recv(portid, umad, &length, 1000);
	pthread_testcancel();
	return NULL;
}

/* A thread receives and is cancelled; `received` is -1 unless its call has returned. */
static void be_cancelled(void)
{
	pthread_t thread;
	void *end;

	received = -1;
	assert_int_equal(pthread_create(&thread, NULL, receive, NULL), 0);
	assert_int_equal(pthread_join(thread, &end), 0);
	assert_ptr_equal(end, PTHREAD_CANCELED);
}

/* A thread that is cancelled when the kernel has handed out a MAD still gets it, and records it. */
CASE(what_the_kernel_has_delivered_is_received)
{
	static const struct ib_user_mad umad = { .agent_id = 3 };
	static uint8_t packet[sizeof(umad) + 256];
	char file[] = "/tmp/cancel-XXXXXX";
	struct stat status;
	int i;

	memcpy(packet, &umad, sizeof(umad));
	close(mkstemp(file));
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_IOCTL, .request = 0x1b03 });
	portid = umad_open_port("mlx5_1", 1);
	assert_true(portid >= 0);
	for (i = 0; i < 2; i++) {
		if (i == 0)
			assert_int_equal(umad_capture_start(file, 0), 0);
		else
			umad_debug(1);
		fakesys_expect(&(struct fakesys_io){
			.call = KERNEL_POLL, .result = 1, .revents = POLLIN });
		fakesys_expect(&(struct fakesys_io){ .call = KERNEL_READ,
						     .result = sizeof(packet),
						     .data = packet,
						     .size = sizeof(packet),
						     .cancels = true });
		be_cancelled();
		assert_int_equal(received, 3);
		if (i == 0)
			assert_int_equal(umad_capture_stop(), 0);
	}
	umad_debug(0);
	assert_int_equal(stat(file, &status), 0);
	assert_between(status.st_size, 24 + 16 + 256, 1000);
	unlink(file);
	umad_close_port(portid);
}

/* Waiting for a MAD can be cut short. */
CASE(waits_are_cancellation_points)
{
	portid = fakesys_open_device();
	fakesys_expect(&(struct fakesys_io){ .call = KERNEL_POLL, .cancels = true });
	be_cancelled();
	assert_int_equal(received, -1);
	umad_close_port(portid);
}
