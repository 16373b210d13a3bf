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
	kernel_lock();
	responder.in_flight[device] = responder.most_in_flight[device] = 0;
	responder_forget_agents(device);
	kernel_unlock();
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
	kernel_lock();
	error = responder_take_write(device, packet, size);
	kernel_unlock();
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
	kernel_lock();
	responder.plan = NULL;
	responder.before_write = NULL;
	responder.gives_back = true;
	responder.late_us = responder.freed_late_us = 0;
	memset(responder.freed, 0, sizeof(responder.freed));
	responder.fails_send = false;
	responder.limits_agents = false;
	responder.held_back = 0;
	responder.writes = responder.taken = responder.refused = 0;
	memset(responder.in_flight, 0, sizeof(responder.in_flight));
	memset(responder.most_in_flight, 0, sizeof(responder.most_in_flight));
	kernel_unlock();
	kernel_host();
	add_second_device();
}

void responder_use_virtual_clock(void)
{
	kernel_lock();
	kernel.policy = &virtual_policy;
	kernel_set_clock(START_NS);
	kernel_unlock();
}

void responder_pass(int ms)
{
	kernel_lock();
	kernel_set_clock(kernel.now_ns + (int64_t)ms * 1000000);
	kernel_advance();
	kernel_unlock();
}

void responder_finish(void)
{
	assert_int_equal(kernel_count_open(), 0);
	kernel_arrivals_free();
}

void responder_plan(responder_plan_fn *plan, void *context)
{
	kernel_lock();
	responder.plan = plan;
	responder.plan_context = context;
	kernel_unlock();
}

void responder_before_writes(responder_write_fn *function, void *context)
{
	kernel_lock();
	responder.before_write = function;
	responder.before_write_context = context;
	kernel_unlock();
}

void responder_gives_back(int late_ms)
{
	kernel_lock();
	responder.gives_back = true;
	responder.late_us = (int64_t)late_ms * 1000;
	kernel_unlock();
}

void responder_frees_late(int64_t us)
{
	kernel_lock();
	responder.freed_late_us = us;
	kernel_unlock();
}

void responder_fail_send(void)
{
	kernel_lock();
	responder.fails_send = true;
	kernel_unlock();
}

void responder_stays_silent(void)
{
	kernel_lock();
	responder.gives_back = false;
	kernel_unlock();
}

void responder_limits_agents(void)
{
	kernel_lock();
	responder.limits_agents = true;
	kernel_unlock();
	kernel_file("/sys/module/ib_core/parameters/recv_queue_size", "512\n");
	kernel_file("/proc/sys/kernel/osrelease", "6.17.0-1-amd64\n");
}

void responder_act_as_kernel(bool in_container)
{
	if (in_container)
		kernel_act_as_container();
	else
		kernel_act_as_chardev();
}

void responder_remove_device(int device, int error)
{
	kernel_remove_device(device, error);
}

void responder_arrive(int device, const uint8_t *mad, size_t length)
{
	kernel_lock();
	responder_take_arrival(device, mad, length);
	kernel_unlock();
}

void responder_deliver(int device, const void *packet, size_t size)
{
	kernel_deliver(device, packet, size, 0);
}

void responder_flood(int device, const void *packet, size_t size)
{
	struct kernel_device *flooded = &kernel.devices[device];

	kernel_lock();
	flooded->flood_size = packet ? size : 0;
	if (packet)
		memcpy(flooded->flood, packet, size);
	kernel_change();
	kernel_unlock();
}

static unsigned read_counter(const unsigned *counter)
{
	unsigned value;

	kernel_lock();
	value = *counter;
	kernel_unlock();
	return value;
}

unsigned responder_held_back(void)
{
	return read_counter(&responder.held_back);
}

unsigned responder_holds_back(void)
{
	kernel_lock();
	kernel_advance();
	kernel_unlock();
	return read_counter(&responder.holds_back);
}

unsigned responder_writes(void)
{
	return read_counter(&responder.taken);
}

unsigned responder_tried(void)
{
	return read_counter(&responder.writes);
}

unsigned responder_refused(void)
{
	return read_counter(&responder.refused);
}

unsigned responder_polls(int device)
{
	return read_counter(&kernel.devices[device].polls);
}

unsigned responder_unread(int device)
{
	const struct kernel_arrival *arrival;
	unsigned count = 0;

	kernel_lock();
	kernel_advance();
	for (arrival = kernel.devices[device].first; arrival; arrival = arrival->next)
		count++;
	kernel_unlock();
	return count;
}

unsigned responder_in_flight(int device)
{
	return read_counter(&responder.in_flight[device]);
}

unsigned responder_most_in_flight(int device)
{
	return read_counter(&responder.most_in_flight[device]);
}

struct responder_record responder_record(unsigned number)
{
	struct responder_record found;

	assert_between(number, 1, RESPONDER_RECORDS);
	assert_between(number, 1, responder_writes());
	kernel_lock();
	found = responder.records[number - 1];
	kernel_unlock();
	return found;
}

void responder_written(unsigned number, uint8_t packet[RESPONDER_PACKET])
{
	assert_between(number, 1, RESPONDER_KEPT);
	assert_between(number, 1, responder_writes());
	kernel_lock();
	memcpy(packet, responder.kept[number - 1], RESPONDER_PACKET);
	kernel_unlock();
}
