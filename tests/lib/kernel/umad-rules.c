/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* See umad-rules.h. */
#include "umad-rules.h"

#include "common/bytes.h"

#include <errno.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <string.h>

enum { WRITE_MIN = 36, CLASS_AT = 1, METHOD_AT = 3, FLAGS_AT = 26, FLAG_ACTIVE = 1 };

/* The header of a class with RMPP; that of others, without which RMPP is not looked for. */
static size_t class_header(uint8_t mgmt_class)
{
	if (mgmt_class == 0x03)
		return 56;
	if (mgmt_class == 0x06 || mgmt_class == 0x10 || mgmt_class == 0x12)
		return 64;
	return mgmt_class >= 0x30 && mgmt_class <= 0x4f ? 40 : UMAD_RULES_RETURNED;
}

static bool is_long(const uint8_t *mad, size_t length)
{
	bool is_rmpp =
		class_header(mad[CLASS_AT]) > UMAD_RULES_RETURNED && mad[FLAGS_AT] & FLAG_ACTIVE;

	return length > UMAD_RULES_MAD && !is_rmpp;
}

int umad_rules_write(const uint8_t *packet, size_t size, size_t header, uint32_t agents,
		     bool removed)
{
	uint32_t id;

	if (size < header + WRITE_MIN)
		return EINVAL;
	memcpy(&id, packet, sizeof(id));
	if (id >= UMAD_RULES_AGENTS)
		return EINVAL;
	if (removed || !(agents >> id & 1))
		return EIO;
	/* Kernels before 7.0 overrun their buffer with a MAD that is shorter than its class header.
	 */
	if (size - header < class_header(packet[header + CLASS_AT]) ||
	    is_long(packet + header, size - header))
		return EINVAL;
	return 0;
}

ssize_t umad_rules_read(const uint8_t *packet, size_t packet_size, size_t header, void *buffer,
			size_t size)
{
	size_t first =
		packet_size < header + UMAD_RULES_MAD ? packet_size : header + UMAD_RULES_MAD;

	if (size < first)
		return -EINVAL;
	if (size < packet_size) {
		memcpy(buffer, packet, first);
		return -ENOSPC;
	}
	memcpy(buffer, packet, packet_size);
	return (ssize_t)packet_size;
}

short umad_rules_events(bool removed, bool readable)
{
	if (removed)
		return POLLERR;
	return (short)(POLLOUT | (readable ? POLLIN : 0));
}

int umad_rules_removed_ioctl(unsigned long request)
{
	switch (request) {
	case IB_USER_MAD_REGISTER_AGENT:
	case IB_USER_MAD_REGISTER_AGENT2:
		return EPIPE;
	case IB_USER_MAD_UNREGISTER_AGENT:
		return EINVAL;
	default:
		return 0;
	}
}

size_t umad_rules_return(uint8_t *packet, size_t header)
{
	uint32_t status = UMAD_RULES_TIMED_OUT;

	memcpy(packet + offsetof(struct ib_user_mad_hdr_old, status), &status, sizeof(status));
	return header + UMAD_RULES_RETURNED;
}

int umad_rules_agent(uint32_t agents)
{
	return ~agents ? __builtin_ctz(~agents) : -ENOMEM;
}

unsigned umad_rules_limit(uint8_t mgmt_class, unsigned receive_queue)
{
	bool is_smp = mgmt_class == 0x01 || mgmt_class == 0x81;
	unsigned limit = receive_queue / (is_smp ? 4 : 32);

	if (!receive_queue || (!is_smp && mgmt_class != 0x03))
		return 0;
	return limit ? limit : 1;
}

int umad_rules_response(const uint8_t *mad)
{
	return mad[0] == 1 && mad[METHOD_AT] & 0x80 ? (int)mad_get_be32(mad + 8) - 1 : -1;
}
