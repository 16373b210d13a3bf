/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Umad devices of the fake kernel: opening, agents, reading. */
#include "internal.h"
#include "umad-rules.h"

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

	KERNEL_LOCKED;
	if (number == KERNEL_UNUSED)
		result = first_unused();
	else if (number >= 0 && kernel.devices[number].open)
		result = -EBUSY;
	if (result >= 0) {
		kernel.devices[result].open = true;
		kernel.devices[result].agents = 0;
		kernel.devices[result].received = 0;
		result = kernel_new_descriptor(result, NULL, NULL);
	}
	return result;
}

int kernel_device_of(int fd)
{
	const struct kernel_descriptor *descriptor = kernel_descriptor(fd);

	return descriptor && descriptor->open ? descriptor->device : -1;
}

void kernel_remove_device(int device, int error)
{
	KERNEL_LOCKED;
	kernel.devices[device].gone = error;
	kernel_change();
	kernel_set_inputs(true);
}

static int register_agent(struct kernel_device *device, uint32_t *id)
{
	int agent = umad_rules_agent(device->agents);

	if (agent < 0)
		return agent;
	device->agents |= UINT32_C(1) << agent;
	*id = (uint32_t)agent;
	return 0;
}

static int unregister_agent(int number, uint32_t agent)
{
	struct kernel_device *device = &kernel.devices[number];

	if (agent >= UMAD_RULES_AGENTS || !(device->agents >> agent & 1))
		return -EINVAL;
	device->agents &= ~(UINT32_C(1) << agent);
	if (kernel.policy->unregistered)
		kernel.policy->unregistered(number, agent);
	return 0;
}

static int take_ioctl(int number, unsigned long request, void *argument)
{
	struct kernel_device *device = &kernel.devices[number];
	int error = device->gone ? umad_rules_removed_ioctl(request) : 0;

	if (error)
		return -error;
	switch (request) {
	case IB_USER_MAD_REGISTER_AGENT:
		return register_agent(device, &((struct ib_user_mad_reg_req *)argument)->id);
	case IB_USER_MAD_REGISTER_AGENT2:
		return register_agent(device, &((struct ib_user_mad_reg_req2 *)argument)->id);
	case IB_USER_MAD_UNREGISTER_AGENT:
		return unregister_agent(number, *(uint32_t *)argument);
	case IB_USER_MAD_ENABLE_PKEY:
		return 0;
	default:
		return -ENOTTY;
	}
}

int kernel_device_ioctl(int device, unsigned long request, void *argument)
{
	KERNEL_LOCKED;
	return (int)kernel_result(take_ioctl(device, request, argument));
}

/* A read returns the flood when no MAD has arrived. */
static ssize_t read_flood(const struct kernel_device *device, void *buffer, size_t size)
{
	if (!device->flood_size)
		return -EAGAIN;
	return umad_rules_read(device->flood, device->flood_size, device->header, buffer, size);
}

static ssize_t take(struct kernel_device *device, void *buffer, size_t size)
{
	struct kernel_arrival *arrival;
	ssize_t result = 0;

	device->reads++;
	if (size < device->header)
		return -EINVAL;
	if (device->gone)
		return -device->gone;
	kernel_advance();
	arrival = device->first;
	if (!arrival)
		return read_flood(device, buffer, size);
	if (!arrival->error && !arrival->removes)
		result = umad_rules_read(arrival->packet, arrival->size, device->header, buffer,
					 size);
	if (result < 0)
		return result;
	kernel_take_first(device);
	if (arrival->removes)
		device->gone = arrival->error;
	if (arrival->error)
		result = -arrival->error;
	if (!kernel.policy->taken || !kernel.policy->taken(arrival))
		kernel_arrival_drop(arrival);
	kernel_set_inputs(false);
	return result;
}

ssize_t kernel_device_read(int device, void *buffer, size_t size)
{
	KERNEL_LOCKED;
	return kernel_result(take(&kernel.devices[device], buffer, size));
}
