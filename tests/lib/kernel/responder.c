/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The functions by which tests set and query the responder: see responder.h. */
#include "responder-internal.h"
#include "test.h"

#include <errno.h>
#include <string.h>

#define DEVICE_PREFIX "/dev/infiniband/umad"
#define START_NS      1000000000 /* of the virtual clock */

static int open_device(const char *path)
{
	int device = path[strlen(DEVICE_PREFIX)] - '0';

	if (strncmp(path, DEVICE_PREFIX, strlen(DEVICE_PREFIX)) || device < 0 ||
	    device >= RESPONDER_DEVICES || path[strlen(DEVICE_PREFIX) + 1])
		return -ENOENT;
	return device;
}

static void close_device(int device)
{
	KERNEL_LOCKED;
	responder.in_flight[device] = responder.most_in_flight[device] = 0;
	responder_forget_agents(device);
}

static void call_before_write(int device, const void *packet, size_t size)
{
	struct responder_request request;
	responder_write_fn *function;
	void *context;

	kernel_lock();
	function = responder.before_write;
	context = responder.before_write_context;
	responder_describe(&request, device, packet, size);
	kernel_unlock();
	if (function)
		function(&request, context);
}

static ssize_t take_write(int device, const void *packet, size_t size)
{
	int error;

	call_before_write(device, packet, size);
	KERNEL_LOCKED;
	error = responder_take_write(device, packet, size);
	return kernel_result(error ? -error : (ssize_t)size);
}

#define POLICY                                                                           \
	.arrival_size = sizeof(struct responder_event), .open_device = open_device,      \
	.close_device = close_device, .write = take_write, .arrived = responder_arrived, \
	.unregistered = responder_unregistered, .taken = responder_taken

static const struct kernel_policy policy = { POLICY };
static const struct kernel_policy virtual_policy = { POLICY, .virtual_time = true };

/* The second device; the first does not carry SMPs: they are a pair. */
static void add_second_device(void)
{
	kernel_port_file("mlx5_0", 1, "cap_mask", "0x2651ec48\n");
	kernel_ca("mlx5_1", 1, 1, 0);
	kernel_node(1, "mlx5_1", 1);
}

void responder_reset(void)
{
	kernel_lock();
	for (int i = 0; i < RESPONDER_DEVICES; i++)
		responder_forget_agents(i);
	kernel_unlock();
	kernel_reset(&policy, 0);
	memset(&responder, 0, offsetof(struct responder, held));
	responder.gives_back = true;
	kernel_host();
	add_second_device();
}

void responder_use_virtual_clock(void)
{
	KERNEL_LOCKED;
	kernel.policy = &virtual_policy;
	kernel_set_clock(START_NS);
}

void responder_pass(int ms)
{
	KERNEL_LOCKED;
	kernel_set_clock(kernel.now_ns + (int64_t)ms * 1000000);
	kernel_advance();
}

void responder_finish(void)
{
	assert_int_equal(kernel_count_open(), 0);
	kernel_arrivals_free();
}

void responder_plan(responder_plan_fn *plan, void *context)
{
	KERNEL_LOCKED;
	responder.plan = plan;
	responder.plan_context = context;
}

void responder_before_writes(responder_write_fn *function, void *context)
{
	KERNEL_LOCKED;
	responder.before_write = function;
	responder.before_write_context = context;
}

void responder_gives_back(int late_ms)
{
	KERNEL_LOCKED;
	responder.gives_back = true;
	responder.late_us = (int64_t)late_ms * 1000;
}

void responder_frees_late(int64_t us)
{
	KERNEL_LOCKED;
	responder.freed_late_us = us;
}

void responder_fail_send(void)
{
	KERNEL_LOCKED;
	responder.fails_send = true;
}

void responder_stays_silent(void)
{
	KERNEL_LOCKED;
	responder.gives_back = false;
}

void responder_limits_agents(void)
{
	kernel_file("/sys/module/ib_core/parameters/recv_queue_size", "512\n");
	kernel_file("/proc/sys/kernel/osrelease", "6.17.0-1-amd64\n");
	KERNEL_LOCKED;
	responder.limits_agents = true;
}

void responder_arrive(int device, const uint8_t *mad, size_t length)
{
	KERNEL_LOCKED;
	responder_take_arrival(device, mad, length);
}

void responder_flood(int device, const void *packet, size_t size)
{
	struct kernel_device *flooded = &kernel.devices[device];

	KERNEL_LOCKED;
	flooded->flood_size = packet ? size : 0;
	if (packet)
		memcpy(flooded->flood, packet, size);
	kernel_change();
}

struct responder_counts responder_counts(int device)
{
	struct responder_counts counts = { 0 };
	const struct kernel_arrival *arrival;

	KERNEL_LOCKED;
	kernel_advance();
	for (arrival = kernel.devices[device].first; arrival; arrival = arrival->next)
		counts.unread++;
	counts.writes = responder.taken;
	counts.tried = responder.writes;
	counts.refused = responder.refused;
	counts.held_back = responder.held_back;
	counts.holds_back = responder.holds_back;
	counts.polls = kernel.devices[device].polls;
	counts.in_flight = responder.in_flight[device];
	counts.most_in_flight = responder.most_in_flight[device];
	return counts;
}

struct responder_record responder_record(unsigned number)
{
	assert_between(number, 1, RESPONDER_RECORDS);
	assert_between(number, 1, responder_writes());
	KERNEL_LOCKED;
	return responder.records[number - 1];
}

void responder_written(unsigned number, uint8_t packet[RESPONDER_PACKET])
{
	assert_between(number, 1, RESPONDER_KEPT);
	assert_between(number, 1, responder_writes());
	KERNEL_LOCKED;
	memcpy(packet, responder.kept[number - 1], RESPONDER_PACKET);
}
