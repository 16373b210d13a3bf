/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What tests say to the responder, and ask it; see responder.h. */
#include "responder-internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <cmocka.h>

#include "../unit/fakeumad-internal.h"
#include "../assert-between.h"

void responder_notify(void)
{
	pthread_cond_broadcast(&responder.changed);
	for (int i = 0; responder.is_kernel && i < RESPONDER_DEVICES; i++)
		eventfd_write(responder.bells[i], 1);
}

static void open_bells(void)
{
	for (int i = 0; i < RESPONDER_DEVICES; i++) {
		responder.bells[i] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		if (responder.bells[i] < 0)
			abort();
	}
}

static void init_changed(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&responder.changed, &attributes);
	pthread_condattr_destroy(&attributes);
}

static void before_fork(void)
{
	pthread_mutex_lock(&responder.lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&responder.lock);
}

/* Those who waited are not there; the bells are the parent's. */
static void after_fork_in_child(void)
{
	open_bells();
	memset(&responder.changed, 0, sizeof(responder.changed));
	init_changed();
	pthread_mutex_unlock(&responder.lock);
}

void responder_reset(void)
{
	static const char *const second[][2] = {
		{ "/sys/class/infiniband_mad/umad1/ibdev", "mlx5_1\n" },
		{ "/sys/class/infiniband_mad/umad1/port", "1\n" },
		{ "/sys/class/infiniband/mlx5_1/node_type", "1: CA\n" },
		{ "/sys/class/infiniband/mlx5_1/ports/1/state", "4: ACTIVE\n" },
		{ "/sys/class/infiniband/mlx5_1/ports/1/phys_state", "5: LinkUp\n" },
		{ "/sys/class/infiniband/mlx5_1/ports/1/cap_mask", "0x2651e848\n" },
		{ "/sys/class/infiniband/mlx5_1/ports/1/link_layer", "InfiniBand\n" },
		{ "/sys/class/infiniband/mlx5_1/ports/1/gids/0",
		  "fe80:0000:0000:0000:0002:c903:0000:0001\n" },
		/* the first does not carry SMPs: they are a pair */
		{ "/sys/class/infiniband/mlx5_0/ports/1/cap_mask", "0x2651ec48\n" },
	};

	pthread_mutex_lock(&responder.lock);
	if (!responder.ready) {
		init_changed();
		open_bells();
		pthread_atfork(before_fork, after_fork, after_fork_in_child);
		responder.ready = true;
	}
	for (int i = 0; i < RESPONDER_DEVICES; i++) {
		responder_clear_device(i);
		memset(&responder.devices[i], 0, sizeof(responder.devices[i]));
	}
	responder.plan = NULL;
	responder.before_write = NULL;
	responder.gives_back = true;
	responder.is_kernel = false;
	responder.late_us = 0;
	responder.writes = responder.taken = responder.refused = 0;
	pthread_mutex_unlock(&responder.lock);
	fakeumad_sysfs_reset();
	for (size_t i = 0; i < sizeof(second) / sizeof(second[0]); i++)
		fakeumad_set_attribute(second[i][0], second[i][1]);
}

void responder_finish(void)
{
	struct responder_event *event;
	int open = 0;

	pthread_mutex_lock(&responder.lock);
	for (int i = 0; i < RESPONDER_DEVICES; i++) {
		open += responder.devices[i].open;
		responder_clear_device(i);
	}
	while ((event = responder.spare)) {
		responder.spare = event->next;
		free(event);
	}
	free(responder.heap);
	responder.heap = NULL;
	responder.heap_capacity = 0;
	pthread_mutex_unlock(&responder.lock);
	assert_int_equal(open, 0);
	assert_int_equal(fakeumad_sysfs_open_files(), 0);
}

void responder_plan(responder_plan_fn *plan, void *context)
{
	pthread_mutex_lock(&responder.lock);
	responder.plan = plan;
	responder.plan_context = context;
	pthread_mutex_unlock(&responder.lock);
}

void responder_before_writes(responder_write_fn *function, void *context)
{
	pthread_mutex_lock(&responder.lock);
	responder.before_write = function;
	responder.before_write_context = context;
	pthread_mutex_unlock(&responder.lock);
}

void responder_gives_back(int late_ms)
{
	pthread_mutex_lock(&responder.lock);
	responder.gives_back = true;
	responder.late_us = (int64_t)late_ms * 1000;
	pthread_mutex_unlock(&responder.lock);
}

void responder_stays_silent(void)
{
	pthread_mutex_lock(&responder.lock);
	responder.gives_back = false;
	pthread_mutex_unlock(&responder.lock);
}

void responder_act_as_kernel(void)
{
	pthread_mutex_lock(&responder.lock);
	responder.is_kernel = true;
	pthread_mutex_unlock(&responder.lock);
}

void responder_remove_device(int device, int error)
{
	pthread_mutex_lock(&responder.lock);
	responder.devices[device].gone = error;
	responder_notify();
	pthread_mutex_unlock(&responder.lock);
}

void responder_flood(int device, const void *packet, size_t size)
{
	struct responder_device *flooded = &responder.devices[device];

	pthread_mutex_lock(&responder.lock);
	flooded->flood_size = packet ? size : 0;
	if (packet)
		memcpy(flooded->flood, packet, size);
	responder_notify();
	pthread_mutex_unlock(&responder.lock);
}

static unsigned read_counter(const unsigned *counter)
{
	unsigned value;

	pthread_mutex_lock(&responder.lock);
	value = *counter;
	pthread_mutex_unlock(&responder.lock);
	return value;
}

unsigned responder_writes(void)
{
	return read_counter(&responder.taken);
}

unsigned responder_refused(void)
{
	return read_counter(&responder.refused);
}

unsigned responder_polls(int device)
{
	return read_counter(&responder.devices[device].polls);
}

unsigned responder_in_flight(int device)
{
	return read_counter(&responder.devices[device].in_flight);
}

unsigned responder_most_in_flight(int device)
{
	return read_counter(&responder.devices[device].most_in_flight);
}

struct responder_record responder_record(unsigned number)
{
	struct responder_record found;

	assert_between(number, 1, RESPONDER_RECORDS);
	assert_between(number, 1, responder_writes());
	pthread_mutex_lock(&responder.lock);
	found = responder.records[number - 1];
	pthread_mutex_unlock(&responder.lock);
	return found;
}

void responder_written(unsigned number, uint8_t packet[RESPONDER_PACKET])
{
	assert_between(number, 1, RESPONDER_KEPT);
	assert_between(number, 1, responder_writes());
	pthread_mutex_lock(&responder.lock);
	memcpy(packet, responder.kept[number - 1], RESPONDER_PACKET);
	pthread_mutex_unlock(&responder.lock);
}
