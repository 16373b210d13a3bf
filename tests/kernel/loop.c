/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Packets and agents for tests that send to their local port; see loop.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <infiniband/umad.h>

#include "loop.h"
#include "sys.h"
#include "tap.h"

enum {
	VENDOR_RANGE2_FIRST = 0x30,
	VENDOR_RANGE2_LAST = 0x4f,
};

void loop_put16(uint8_t *at, unsigned value)
{
	at[0] = value >> 8;
	at[1] = value;
}

void loop_put32(uint8_t *at, uint32_t value)
{
	loop_put16(at, value >> 16);
	loop_put16(at + 2, value);
}

unsigned loop_get16(const uint8_t *at)
{
	return at[0] << 8 | at[1];
}

uint32_t loop_get32(const uint8_t *at)
{
	return (uint32_t)loop_get16(at) << 16 | loop_get16(at + 2);
}

int loop_open(const char *device)
{
	int fd = umad_open_port(device, 1);

	if (!check(fd >= 0)) {
		tap_note("opening %s: %d, errno %d", device, fd, errno);
		return -1;
	}
	return fd;
}

static int register_agent(int fd, int mgmt_class, int rmpp_version, bool server)
{
	long methods[16 / sizeof(long)] = { 1L << METHOD_GET | 1L << METHOD_SET |
					    1L << METHOD_SEND };
	int agent = umad_register(fd, mgmt_class, 1, rmpp_version, server ? methods : NULL);

	if (!check(agent >= 0))
		tap_note("registering class 0x%x: %d, errno %d", mgmt_class, agent, errno);
	return agent;
}

int loop_client(int fd, int mgmt_class, int rmpp_version)
{
	return register_agent(fd, mgmt_class, rmpp_version, false);
}

int loop_server(int fd, int mgmt_class, int rmpp_version)
{
	return register_agent(fd, mgmt_class, rmpp_version, true);
}

void *loop_alloc(size_t size)
{
	void *umad = umad_alloc(1, umad_size() + size);

	if (!umad)
		abort();
	return umad;
}

uint8_t *loop_mad(void *umad)
{
	return umad_get_mad(umad);
}

/* To QP 1 of the port with the local GID. */
static void address(void *umad, const char *device)
{
	struct ib_mad_addr grh = { .hop_limit = 64 };

	sys_read_gid(device, grh.gid);
	umad_set_addr(umad, 0, 1, 0, (int)LOOP_QKEY);
	umad_set_grh(umad, &grh);
	umad_set_pkey(umad, 0);
}

void loop_request(void *umad, const char *device, int mgmt_class, int method, uint32_t tid)
{
	uint8_t *mad = loop_mad(umad);

	address(umad, device);
	memset(mad, 0, MAD_RMPP_VERSION);
	mad[MAD_BASE_VERSION] = 1;
	mad[MAD_CLASS] = mgmt_class;
	mad[MAD_CLASS_VERSION] = 1;
	mad[MAD_METHOD] = method;
	loop_put32(mad + MAD_TID_LOW, tid);
	if (mgmt_class < VENDOR_RANGE2_FIRST || mgmt_class > VENDOR_RANGE2_LAST)
		return;
	mad[MAD_OUI] = LOOP_OUI >> 16 & 0xff;
	mad[MAD_OUI + 1] = LOOP_OUI >> 8 & 0xff;
	mad[MAD_OUI + 2] = LOOP_OUI & 0xff;
}

void loop_response(void *umad)
{
	struct ib_mad_addr *from = umad_get_mad_addr(umad);

	loop_mad(umad)[MAD_METHOD] = METHOD_GET | METHOD_RESPONSE;
	from->qkey = htobe32(LOOP_QKEY);
	from->hop_limit = 64;
}

int loop_receive(int fd, void *umad, int agent)
{
	int length = LOOP_MAD_SIZE, result;

	result = umad_recv(fd, umad, &length, LOOP_WAIT_MS);
	check_equal(result, agent);
	return result < 0 ? result : length;
}

bool loop_is_quiet(int fd)
{
	return check_equal(umad_poll(fd, LOOP_QUIET_MS), -ETIMEDOUT);
}
