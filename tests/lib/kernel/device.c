/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Umad devices of the fake kernel: opening, agents, reading. */
#include "internal.h"

#include <errno.h>
#include <rdma/ib_user_mad.h>
#include <string.h>

static int first_unused(void)
{
	for (int i = 0; i < KERNEL_MAX_DEVICES; i++)
		if (!kernel.devices[i].open)
			return i;
	return -EMFILE;
}

int kernel_open_device(int number)
{
	int result = number;

	kernel_lock();
	if (number == KERNEL_UNUSED)
		result = first_unused();
	else if (number >= 0 && kernel.devices[number].open)
		result = -EBUSY;
	if (result >= 0) {
		kernel.devices[result].open = true;
		kernel.devices[result].agents = 0;
		result = kernel_new_descriptor(result, NULL, NULL);
	}
	kernel_unlock();
	return result;
}

int kernel_device_of(int fd)
{
	const struct kernel_descriptor *descriptor = kernel_descriptor(fd);

	return descriptor && descriptor->open ? descriptor->device : -1;
}

void kernel_remove_device(int device, int error)
{
	kernel_lock();
	kernel.devices[device].gone = error;
	kernel_change();
	kernel_unlock();
}

int kernel_device_ioctl(int device, unsigned long request, void *argument)
{
	unsigned *agents = &kernel.devices[device].agents;
	int result = 0;

	kernel_lock();
	switch (request) {
	case IB_USER_MAD_REGISTER_AGENT:
		((struct ib_user_mad_reg_req *)argument)->id = (*agents)++;
		break;
	case IB_USER_MAD_REGISTER_AGENT2:
		((struct ib_user_mad_reg_req2 *)argument)->id = (*agents)++;
		break;
	case IB_USER_MAD_UNREGISTER_AGENT:
	case IB_USER_MAD_ENABLE_PKEY:
		break;
	default:
		result = -ENOTTY;
	}
	kernel_unlock();
	return (int)kernel_result(result);
}

/* What is too large for the buffer stays; its header, with the whole length, is there to read, and
 * the first MAD of several where there is space for it. */
static ssize_t refuse_short_read(const struct kernel_device *device,
				 const struct kernel_arrival *arrival, void *buffer, size_t size)
{
	size_t one = device->header + KERNEL_MAD;

	if (size < one || arrival->size <= one) {
		memcpy(buffer, arrival->packet, size < device->header ? size : device->header);
		return -EINVAL;
	}
	memcpy(buffer, arrival->packet, one);
	return -ENOSPC;
}

/* What a read returns when nothing else has arrived. */
static ssize_t read_flood(const struct kernel_device *device, void *buffer, size_t size)
{
	if (!device->flood_size)
		return -EAGAIN;
	if (size < device->flood_size)
		return -EINVAL;
	memcpy(buffer, device->flood, device->flood_size);
	return (ssize_t)device->flood_size;
}

static ssize_t take(struct kernel_device *device, void *buffer, size_t size)
{
	struct kernel_arrival *arrival;
	ssize_t result;

	device->reads++;
	if (device->gone)
		return -device->gone;
	kernel_advance();
	arrival = device->first;
	if (!arrival)
		return read_flood(device, buffer, size);
	if (!arrival->error && !arrival->removes && size < arrival->size)
		return refuse_short_read(device, arrival, buffer, size);
	device->first = arrival->next;
	if (!device->first)
		device->last = NULL;
	if (arrival->removes)
		device->gone = arrival->error;
	result = arrival->error ? -arrival->error : (ssize_t)arrival->size;
	if (!arrival->error)
		memcpy(buffer, arrival->packet, arrival->size);
	if (!kernel.policy->taken || !kernel.policy->taken(arrival))
		kernel_arrival_drop(arrival);
	return result;
}

ssize_t kernel_device_read(int device, void *buffer, size_t size)
{
	ssize_t result;

	kernel_lock();
	result = take(&kernel.devices[device], buffer, size);
	kernel_unlock();
	return kernel_result(result);
}
