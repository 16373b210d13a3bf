/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What is on its way to the devices of the fake kernel: a heap by the time at which it is due. Once
 * warm it allocates nothing. All with the lock held. */
#include "internal.h"
#include "umad-rules.h"

#include <stdint.h>
#include <string.h>

static struct kernel_arrival **heap; /* [1] is the first */
static unsigned heap_count, heap_size;
static struct kernel_arrival *spare;
static uint64_t sequence;

static bool is_sooner(const struct kernel_arrival *one, const struct kernel_arrival *other)
{
	if (one->due_ns != other->due_ns)
		return one->due_ns < other->due_ns;
	return one->sequence < other->sequence;
}

static void push(struct kernel_arrival *arrival)
{
	unsigned place;

	if (heap_count + 1 >= heap_size) {
		heap_size = heap_size ? heap_size * 2 : 1024;
		heap = kernel_allocate(heap, heap_size * sizeof(heap[0]));
	}
	place = ++heap_count;
	for (; place > 1 && is_sooner(arrival, heap[place / 2]); place /= 2)
		heap[place] = heap[place / 2];
	heap[place] = arrival;
}

static struct kernel_arrival *pop(void)
{
	struct kernel_arrival *first = heap[1], *last = heap[heap_count--];
	unsigned place = 1, child;

	while ((child = place * 2) <= heap_count) {
		if (child < heap_count && is_sooner(heap[child + 1], heap[child]))
			child++;
		if (!is_sooner(heap[child], last))
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = last;
	return first;
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

/* Those who wait have to look again where the new one is the first. */
void kernel_arrival_send(struct kernel_arrival *arrival)
{
	arrival->sequence = sequence++;
	push(arrival);
	if (heap[1] == arrival)
		kernel_change();
	kernel_set_inputs();
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

void kernel_advance(void)
{
	int64_t now = kernel_now_ns();
	bool moved = false;

	while (heap_count && heap[1]->due_ns <= now) {
		make_readable(pop());
		moved = true;
	}
	if (moved)
		kernel_change();
	if (moved)
		kernel_set_inputs();
}

int64_t kernel_next_due_of(int device)
{
	int64_t due = INT64_MAX;

	for (unsigned i = 1; i <= heap_count; i++)
		if (heap[i]->device == device && heap[i]->due_ns < due)
			due = heap[i]->due_ns;
	return due;
}

int64_t kernel_next_due(void)
{
	return heap_count ? heap[1]->due_ns : INT64_MAX;
}

static void free_spare(void)
{
	while (spare) {
		struct kernel_arrival *next = spare->next;

		kernel_release(spare);
		spare = next;
	}
	kernel_release(heap);
	heap = NULL;
	heap_size = 0;
}

void kernel_clear_device(int number)
{
	struct kernel_device *device = &kernel.devices[number];
	unsigned kept = 0, count = heap_count;

	while (device->first) {
		struct kernel_arrival *next = device->first->next;

		kernel_arrival_drop(device->first);
		device->first = next;
	}
	device->last = NULL;
	device->received = 0;
	heap_count = 0;
	for (unsigned i = 1; i <= count; i++) {
		struct kernel_arrival *arrival = heap[i];

		if (arrival->device == number) {
			arrive(arrival);
			kernel_arrival_drop(arrival);
		} else {
			heap[++kept] = arrival;
		}
	}
	for (unsigned i = 1; i <= kept; i++)
		push(heap[i]);
}

void kernel_arrivals_free(void)
{
	kernel_lock();
	for (int i = 0; i < KERNEL_MAX_DEVICES; i++)
		kernel_clear_device(i);
	free_spare();
	kernel_unlock();
}
