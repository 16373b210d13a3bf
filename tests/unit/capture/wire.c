/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire.h"

_Static_assert(offsetof(struct wire_packet, mad) == WIRE_HEADER,
	       "the MAD is behind the umad header");

int wire_open(struct wire *wire)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) < 0)
		return -1;
	wire->near = ends[0];
	wire->far = ends[1];
	return 0;
}

void wire_close(struct wire *wire)
{
	close(wire->near);
	close(wire->far);
}

static void make_request(struct wire_packet *packet, uint32_t tid)
{
	memset(packet, 0, sizeof(*packet));
	umad_set_addr(packet, WIRE_LID, 1, 2, UMAD_QKEY);
	packet->mad.header = (struct umad_hdr){
		.base_version = UMAD_BASE_VERSION,
		.mgmt_class = UMAD_CLASS_PERF_MGMT,
		.class_version = 1,
		.method = UMAD_METHOD_GET,
		.tid = htobe64(tid),
		.attr_id = htobe16(0x12),
	};
}

int wire_send(const struct wire *wire, uint32_t tid)
{
	struct wire_packet packet;
	int ret;

	make_request(&packet, tid);
	do
		ret = umad_send(wire->near, WIRE_AGENT, &packet, WIRE_MAD, 100, 0);
	while (ret < 0 && errno == EAGAIN);
	return ret < 0 ? -1 : 0;
}

int wire_receive(const struct wire *wire, struct wire_packet *packet)
{
	int length = WIRE_MAD;

	return umad_recv(wire->far, packet, &length, 10000) < 0 || length != WIRE_MAD ? -1 : 0;
}
