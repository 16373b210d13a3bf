/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Arrivals at the devices of the fake kernel, in a list by the time at which they are due. Dropped
 * ones are used again, so a warm test allocates nothing. The caller holds the lock. */
#include "internal.h"
#include "umad-rules.h"

#include <stdint.h>
#include <string.h>

static struct kernel_arrival *soonest, *latest;
static struct kernel_arrival *spare;

/* Most are due after all others. Of two that are due together the first sent comes first. */
static void put_in(struct kernel_arrival *arrival)
{
	struct kernel_arrival *before = latest;

	while (before && before->due_ns > arrival->due_ns)
		before = before->previous;
	arrival->previous = before;
	arrival->next = before ? before->next : soonest;
	*(before ? &before->next : &soonest) = arrival;
	*(arrival->next ? &arrival->next->previous : &latest) = arrival;
}

static void take_out(struct kernel_arrival *arrival)
{
	*(arrival->previous ? &arrival->previous->next : &soonest) = arrival->next;
	*(arrival->next ? &arrival->next->previous : &latest) = arrival->previous;
}

struct kernel_arrival *kernel_arrival_new(int device, size_t size)
{
	size_t whole = kernel.policy->arrival_size ? kernel.policy->arrival_size
						   : sizeof(struct kernel_arrival);
	struct kernel_arrival *arrival = spare;

	if (arrival)
		spare = arrival->next;
	else
		arrival = kernel_allocate(NULL, whole);
	memset(arrival, 0, whole);
	arrival->device = device;
	arrival->due_ns = kernel_now_ns();
	arrival->size = size;
	arrival->packet = arrival->own;
	if (size > sizeof(arrival->own)) {
		arrival->packet = kernel_allocate(NULL, size);
		memset(arrival->packet, 0, size);
	}
	return arrival;
}

void kernel_arrival_drop(struct kernel_arrival *arrival)
{
	if (arrival->packet != arrival->own)
		kernel_release(arrival->packet);
	arrival->next = spare;
	spare = arrival;
}

/* Threads that wait have to look again where the new arrival is the first. */
void kernel_arrival_send(struct kernel_arrival *arrival)
{
	put_in(arrival);
	if (soonest == arrival)
		kernel_change();
	kernel_set_inputs(false);
}

static bool arrive(struct kernel_arrival *arrival)
{
	return !kernel.policy->arrived || kernel.policy->arrived(arrival);
}

static void make_readable(struct kernel_arrival *arrival)
{
	struct kernel_device *device = &kernel.devices[arrival->device];

	if (!arrive(arrival) || device->gone ||
	    (!arrival->returned && device->received == UMAD_RULES_RECEIVED)) {
		kernel_arrival_drop(arrival);
		return;
	}
	device->received += !arrival->returned;
	arrival->next = NULL;
	if (device->last)
		device->last->next = arrival;
	else
		device->first = arrival;
	device->last = arrival;
}

void kernel_take_first(struct kernel_device *device)
{
	device->received -= !device->first->returned;
	device->first = device->first->next;
	if (!device->first)
		device->last = NULL;
}

void kernel_advance(void)
{
	int64_t now = kernel_now_ns();
	bool moved = false;

	while (soonest && soonest->due_ns <= now) {
		struct kernel_arrival *arrival = soonest;

		take_out(arrival);
		make_readable(arrival);
		moved = true;
	}
	if (!moved)
		return;
	kernel_change();
	kernel_set_inputs(true);
}

int64_t kernel_next_due_of(int device)
{
	const struct kernel_arrival *arrival = soonest;

	while (arrival && arrival->device != device)
		arrival = arrival->next;
	return arrival ? arrival->due_ns : INT64_MAX;
}

int64_t kernel_next_due(void)
{
	return soonest ? soonest->due_ns : INT64_MAX;
}

void kernel_clear_device(int number)
{
	struct kernel_device *device = &kernel.devices[number];
	struct kernel_arrival *arrival, *next;

	for (arrival = device->first; arrival; arrival = next) {
		next = arrival->next;
		kernel_arrival_drop(arrival);
	}
	device->first = device->last = NULL;
	device->received = 0;
	for (arrival = soonest; arrival; arrival = next) {
		next = arrival->next;
		if (arrival->device != number)
			continue;
		take_out(arrival);
		arrive(arrival);
		kernel_arrival_drop(arrival);
	}
}

void kernel_arrivals_free(void)
{
	KERNEL_LOCKED;
	for (int i = 0; i < KERNEL_MAX_DEVICES; i++)
		kernel_clear_device(i);
	while (spare) {
		struct kernel_arrival *next = spare->next;

		kernel_release(spare);
		spare = next;
	}
}

void kernel_deliver(int device, const void *packet, size_t size, int delay_ms)
{
	struct kernel_arrival *arrival;

	KERNEL_LOCKED;
	arrival = kernel_arrival_new(device, size);
	memcpy(arrival->packet, packet, size);
	arrival->due_ns += (int64_t)delay_ms * 1000000;
	kernel_arrival_send(arrival);
}

int kernel_last_device(void)
{
	int number = KERNEL_MAX_DEVICES - 1;

	while (number > 0 && !kernel.devices[number].open)
		number--;
	return number;
}
