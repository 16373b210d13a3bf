/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The policy of fakeumad.h: calls of the device as the script or a function of the test says. */
#include "fakeumad-internal.h"
#include "test.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

struct fakeumad_script fake;

int64_t fakeumad_now_ms(void)
{
	return kernel_now_ns() / 1000000;
}

static int open_device(const char *path)
{
	char call[CALL_SIZE];
	struct step *step;
	bool wrong;

	snprintf(call, sizeof(call), "open of %s", path);
	KERNEL_LOCKED;
	step = fakeumad_take_step(call, &wrong);
	if (wrong)
		return -EBADMSG;
	if (step && step->error)
		return -step->error;
	if (!step && strncmp(path, "/dev/infiniband/umad", strlen("/dev/infiniband/umad")))
		return -ENOENT;
	return KERNEL_UNUSED;
}

static int take_ioctl(int device, unsigned long request, void *argument)
{
	bool follows;
	int error;

	kernel_lock();
	follows = fakeumad_follow_ioctl(request, argument, &error);
	kernel_unlock();
	return follows ? (int)kernel_result(-error)
		       : kernel_device_ioctl(device, request, argument);
}

static void keep(const uint8_t *packet, size_t size)
{
	int i = fake.writes++;

	if (i >= FAKEUMAD_KEPT)
		return;
	memset(fake.kept[i], 0, sizeof(fake.kept[i]));
	memcpy(fake.kept[i], packet, size < sizeof(fake.kept[i]) ? size : sizeof(fake.kept[i]));
	fake.kept_size[i] = size;
}

static ssize_t take_write(int device, const void *packet, size_t size)
{
	struct fakeumad_request request = { .packet = packet, .size = size };
	fakeumad_response_fn *response;
	void *context;
	int error;

	kernel_lock();
	keep(packet, size);
	request.mad = request.packet + FAKEUMAD_HEADER;
	request.number = fake.writes;
	response = fake.response;
	context = fake.context;
	error = kernel.devices[device].gone;
	if (!error)
		error = fakeumad_follow_write(device, packet, size);
	kernel_unlock();
	if (!error && response)
		error = response(&request, context);
	return kernel_result(error ? -error : (ssize_t)size);
}

static int poll_device(int device, struct pollfd *polled, int timeout_ms)
{
	int error = 0;

	kernel_lock();
	if (fake.poll_failures > 0 && timeout_ms) {
		fake.poll_failures--;
		kernel.devices[device].polls++;
		error = fake.poll_error;
	}
	kernel_unlock();
	return error ? (int)kernel_result(-error) : kernel_device_poll(device, polled, timeout_ms);
}

static const struct kernel_policy policy = {
	.open_device = open_device,
	.ioctl = take_ioctl,
	.write = take_write,
	.poll = poll_device,
};

void fakeumad_restart(void)
{
	KERNEL_LOCKED;
	for (int i = 0; i < KERNEL_MAX_DEVICES; i++) {
		kernel_clear_device(i);
		kernel.devices[i].gone = 0;
		kernel.devices[i].polls = kernel.devices[i].reads = 0;
	}
	memset(&fake, 0, offsetof(struct fakeumad_script, steps));
}

void fakeumad_reset(void)
{
	kernel_reset(&policy, 0);
	kernel_host();
	fakeumad_restart();
}

void fakeumad_finish(void)
{
	fakeumad_check();
	if (kernel_count_open())
		fail_msg("fakeumad: %d descriptors and directories are still open",
			 kernel_count_open());
	kernel_arrivals_free();
}

void fakeumad_respond_with(fakeumad_response_fn *response, void *context)
{
	KERNEL_LOCKED;
	fake.response = response;
	fake.context = context;
}

void fakeumad_fail_polls(int count, int error)
{
	KERNEL_LOCKED;
	fake.poll_failures = count;
	fake.poll_error = error;
}

int fakeumad_writes(void)
{
	KERNEL_LOCKED;
	return fake.writes;
}

int fakeumad_polls(void)
{
	unsigned count = 0;

	KERNEL_LOCKED;
	for (int i = 0; i < KERNEL_MAX_DEVICES; i++)
		count += kernel.devices[i].polls;
	return (int)count;
}

int fakeumad_reads(void)
{
	unsigned count = 0;

	KERNEL_LOCKED;
	for (int i = 0; i < KERNEL_MAX_DEVICES; i++)
		count += kernel.devices[i].reads;
	return (int)count;
}

const uint8_t *fakeumad_written(int number)
{
	assert_between(number, 1, FAKEUMAD_KEPT);
	assert_between(number, 1, fakeumad_writes());
	return fake.kept[number - 1];
}

size_t fakeumad_written_size(int number)
{
	assert_between(number, 1, FAKEUMAD_KEPT);
	return fake.kept_size[number - 1];
}
