/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * libibumad's own calls on an open port: opening, agents, sending, receiving and waiting, on a
 * kernel that refuses at any time, and with the header of old kernels.
 */
#include <errno.h>

#include <infiniband/umad.h>

#include "fuzz-kernel.h"

enum { STEPS = 12, CAPACITY_MAX = 1400 };

static bool is_errno(int result)
{
	return result < 0 && result > -4096 && errno > 0;
}

static void use_agents(int fd, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	long mask[16 / sizeof(long)] = { fuzz_u8(input), fuzz_u8(input) };
	uint8_t oui[3] = { 0, 0x14, 0x05 };
	struct umad_reg_attr attr = { .mgmt_class = fuzz_u8(input),
				      .mgmt_class_version = 1,
				      .flags = which >> 6,
				      .oui = which & 8 ? fuzz_u32(input) : 0x1405,
				      .rmpp_version = which >> 4 & 1 };
	uint32_t id = 77;
	int result;

	errno = 0;
	switch (which & 3) {
	case 0:
		result = umad_register(fd, attr.mgmt_class, which & 4 ? 300 : 1, 0,
				       which & 8 ? NULL : mask);
		FUZZ_CHECK(result >= 0 || is_errno(result));
		break;
	case 1:
		result = umad_register_oui(fd, attr.mgmt_class, 0, which & 4 ? NULL : oui, mask);
		FUZZ_CHECK(result >= 0 || is_errno(result));
		break;
	case 2:
		result = umad_register2(fd, &attr, &id);
		FUZZ_CHECK(result >= 0 && result < 4096 && (!result || id == 77));
		break;
	default:
		result = umad_unregister(fd, (int8_t)which);
		FUZZ_CHECK(!result || is_errno(result));
	}
}

static void send_one(int fd, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	int length = which & 1 ? fuzz_u16(input) % CAPACITY_MAX : FUZZ_MAD, result;
	uint8_t *umad = fuzz_guard(umad_size() + (size_t)length);

	memset(umad, which, umad_size() + (size_t)length);
	umad_set_addr(umad, fuzz_u8(input), 1, 0, 0);
	umad_set_grh(umad, which & 2 ? umad_get_mad_addr(umad) : NULL);
	umad_set_pkey(umad, which);
	FUZZ_CHECK(umad_get_pkey(umad) == (umad_size() == FUZZ_HEADER ? which : 0));
	errno = 0;
	result = umad_send(fd, which & 4 ? -1 : which >> 4, umad, length, which, which >> 6);
	FUZZ_CHECK(!result || result == -EINVAL || result == -EIO);
	FUZZ_CHECK(!result || errno > 0);
}

static void receive_one(int fd, struct fuzz_input *input)
{
	uint8_t which = fuzz_u8(input);
	int capacity = which & 1 ? fuzz_u16(input) % CAPACITY_MAX : FUZZ_MAD, length = capacity,
	    result;
	uint8_t *umad = fuzz_guard(umad_size() + (size_t)capacity);
	int timeout = which & 2 ? 0 : which & 4 ? -1 : which >> 3;
	int64_t started = fuzz_kernel_ms();

	memset(umad, 0, umad_size() + (size_t)capacity);
	errno = 0;
	result = umad_recv(fd, umad, &length, timeout);
	FUZZ_CHECK(timeout < 0 || fuzz_kernel_ms() - started <= timeout + 2);
	if (result < 0 && (uint32_t)result != *(uint32_t *)umad) {
		FUZZ_CHECK(is_errno(result));
		FUZZ_CHECK(errno == -result || (result == -EIO && errno == EINTR));
		FUZZ_CHECK(result == -ENOSPC ? length > capacity : length == capacity);
		return;
	}
	FUZZ_CHECK(length >= 0 && length <= capacity);
	fuzz_touch(umad_get_mad(umad), (size_t)length);
	FUZZ_CHECK(fuzz_kernel_delivered(umad_get_mad(umad), 0, (size_t)length));
	umad_status(umad);
	umad_dump(umad);
	umad_addr_dump(umad_get_mad_addr(umad));
}

static void wait_one(int fd, struct fuzz_input *input)
{
	int timeout = (int8_t)fuzz_u8(input), result;
	int64_t started = fuzz_kernel_ms();

	errno = 0;
	result = umad_poll(fd, timeout);
	FUZZ_CHECK(timeout < 0 || fuzz_kernel_ms() - started <= timeout + 2);
	FUZZ_CHECK(!result || result == -ETIMEDOUT || result == -EIO || result == -EINVAL);
	FUZZ_CHECK(!result || errno > 0);
}

static void step(int fd, struct fuzz_input *input)
{
	uint8_t action = fuzz_u8(input);

	if (action & 8)
		fuzz_kernel_ask(fd);
	switch (action & 3) {
	case 0:
		use_agents(fd, input);
		break;
	case 1:
		send_one(fd, input);
		break;
	case 2:
		receive_one(fd, input);
		break;
	default:
		wait_one(fd, input);
	}
}

void fuzz_target(struct fuzz_input *input)
{
	uint8_t control = fuzz_u8(input);
	int fd, steps = STEPS;

	fuzz_kernel_one_hca();
	fuzz_kernel_script_calls(control & 1);
	umad_debug(control & 2 ? 2 : 0);
	errno = 0;
	fd = control & 4 ? umad_open_smi_port("mlx5_0", 1) : umad_open_port("mlx5_0", 1);
	FUZZ_CHECK(fd >= 0 || is_errno(fd));
	while (fd >= 0 && input->left && steps--)
		step(fd, input);
	if (fd >= 0)
		FUZZ_CHECK(!umad_close_port(fd));
	umad_debug(0);
}
